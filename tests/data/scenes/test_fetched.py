"""What `paseo data fetch` stores is what scenes are read from."""

from pathlib import Path

import pytest
from huggingface_hub import close_session, constants

from hub_server import served
from paseo.data.scenes.dataset import open_scenes, readable
from paseo.data.store.hub import fetch_dataset
from paseo.data.store.hub_copy import adopt_dataset
from paseo.world.scenes import Scene
from tiny_scenes import picture


@pytest.fixture
def files(dataset: Path) -> dict[str, bytes]:
    """The data set with composites, which are fetched another way."""
    for step in range(10):
        composite = dataset / f"prompts/33_Spot_45_3/sample_with_bev_{step}.png"
        composite.write_bytes(picture(step, form="PNG"))
    paths = [path for path in dataset.rglob("*") if path.is_file()]
    return {path.relative_to(dataset).as_posix(): path.read_bytes() for path in paths}


def test_a_data_set_fetched_from_the_hub_can_be_read(
    files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    close_session()
    with served(files) as hub:
        place = fetch_dataset(hub.dataset, tmp_path / "new", endpoint=hub.address,
                              progress=lambda _: None, wait=lambda _: None)  # fmt: skip
    close_session()
    first, second = readable(open_scenes(place))
    assert isinstance(first, Scene) and len(first.composites) == 10
    assert isinstance(second, Scene)


def test_a_copy_that_was_brought_can_be_read(
    files: dict[str, bytes], dataset: Path, tmp_path: Path
) -> None:
    with served(files) as hub:
        known = hub.dataset
    place = adopt_dataset(known, dataset, tmp_path / "new", progress=lambda _: None)
    assert all(isinstance(each, Scene) for each in readable(open_scenes(place)))
