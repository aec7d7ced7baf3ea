import json
from pathlib import Path

import pytest

from paseo.data.store.catalog import known_recordings


def test_five_recordings_are_known_with_their_rates() -> None:
    known = known_recordings()
    assert list(known) == ["eth", "hotel", "univ", "zara01", "zara02"]
    assert [each.fps for each in known.values()] == [15, 25, 25, 25, 25]
    assert [each.socnavbench_fps for each in known.values()] == [15, 15, 15, 25, 25]


def test_every_recording_says_whose_it_is_and_where_to_get_it() -> None:
    for known in known_recordings().values():
        assert known.citation and known.licence and known.place and known.long_name
        assert all(source.startswith("https://") for source in known.sources) and known.sources


def test_recordings_annotated_in_pixels_carry_an_affine() -> None:
    shapes = {
        name: k.affine.shape for name, k in known_recordings().items() if k.affine is not None
    }
    assert shapes == {"univ": (2, 3), "zara01": (2, 3), "zara02": (2, 3)}


@pytest.mark.recordings
def test_the_catalog_agrees_with_the_account_of_the_shared_data(data_dir: Path) -> None:
    told = json.loads((data_dir / "ethucy" / "datasets.json").read_text())["datasets"]
    assert told.keys() == known_recordings().keys()
    for name, known in known_recordings().items():
        affine = None if known.affine is None else known.affine.tolist()
        assert affine == told[name].get("pixel_to_world_affine")
        assert (known.fps, known.citation) == (told[name]["fps"], told[name]["citation"])
