"""The page on pictures shows all maps that ship, and its pictures are small."""

import re
from pathlib import Path

import pytest

from paseo.data.maps.floorplans import shipped_maps

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "guides/pictures.md").read_text()


@pytest.mark.parametrize("name", shipped_maps())
def test_every_shipped_map_is_in_the_gallery(name: str) -> None:
    assert f"(../pictures/maps/{name}.png)" in PAGE


@pytest.mark.parametrize("picture", re.findall(r"\]\(../(pictures/[^)]+)\)", PAGE))
def test_pictures_of_the_page_are_small(picture: str) -> None:
    assert (DOCS / picture).stat().st_size < 60_000
