"""A data set in the original's layout and a clip of one's own, as small as can be."""

from pathlib import Path

import pytest

from tiny_scenes import SETTINGS, TRACKS, clip_content, picture, write_json, write_scene_files


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Two scenes: 33_Spot_45_3 with two people, then 74_Spot_2_0 with one."""
    root = tmp_path / "sub"
    root.mkdir()
    (root / "dataset_cfg.yaml").write_text(SETTINGS)
    write_scene_files(root, "33_Spot_45_3", TRACKS, first=3)
    write_scene_files(root, "74_Spot_2_0", {"1": TRACKS["7"]}, first=0)
    write_json(
        root / "goal_info.json",
        {"33_Spot_45/3.jpg": ["x.jpg", "[6500, -250]"], "74_Spot_2/0.jpg": ["", [4000.0, 0]]},
    )
    samples = [
        {"folderpath": "33_Spot_45_3", "n_people": 2},
        {"folderpath": "74_Spot_2_0", "n_people": 1},
    ]
    write_json(root / "prompts/sample_info.json", {"samples": samples})
    return root


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    """A folder with tracks.json and a folder `pictures` of ten."""
    folder = tmp_path / "clip"
    (folder / "pictures").mkdir(parents=True)
    for step in range(10):
        (folder / "pictures" / f"{step}.jpg").write_bytes(picture(10 * step))
    write_json(folder / "tracks.json", clip_content())
    return folder
