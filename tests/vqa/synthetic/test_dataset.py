"""The data set as a whole: its tree, its bytes, and the scenes that are read from it."""

import filecmp
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.socialnavsub import TIMING
from paseo.errors import BadValue, CannotWrite
from paseo.vqa.synthetic import Profile, make_dataset
from paseo.vqa.synthetic.casting import Staging
from paseo.vqa.synthetic.dataset import staged_scene
from paseo.vqa.synthetic.stagings import stagings

SEED = 3  # of the data set in conftest.py
pytestmark = pytest.mark.extra("camera")


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def expected_files() -> set[str]:
    """Written out from the description of the original's tree."""
    found = {
        "README.md", ".gitattributes", "dataset_cfg.yaml", "goal_info.json", "test.csv",
        "expected.json", "human_labels/count_n_humans.py", "sample_info.json",
        "human_labels/sample_info.json", "prompts/sample_info.json", "survey_prompt.json",
        "prompts/survey_prompt.json", "relevant_prev_questions.json",
        "prompts/relevant_prev_questions.json",
    }  # fmt: skip
    given = {"numbers_155": 155, "following_310": 310, "overtaking_88": 88, "passed_507": 507}
    found |= {
        f"front_view/synthetic_{SEED}_{name}/{first}_tracking_id_to_obj_label.json"
        for name, first in given.items()
    }
    for staging in stagings(SEED):
        id, first = staging.id, int(staging.id.split("_")[-1])
        found |= {f"front_view/{id}/{first + k}.jpg" for k in range(10)}
        found |= {f"prompts/{id}/sample_with_bev_{k}.png" for k in range(10)}
        found |= {f"front_view/{id}/traj_data.pkl", f"prompts/{id}/n_people.json"}
        found |= {f"human_labels/{id}/{kind}_answers.json" for kind in ("common", "raw")}
        found.add(f"prompts/{id}/{id}_localized_obj_coords.json")
    return found


def test_the_tree_is_the_originals(made: Path) -> None:
    assert files_below(made) == expected_files()


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_an_empty_folder_too(
    made: Path, tmp_path: Path
) -> None:
    again = tmp_path / "new" / "again"
    again.mkdir(parents=True)
    make_dataset(again, seed=SEED, profile=Profile.TINY)
    assert [path.name for path in again.parent.iterdir()] == ["again"]
    _, different, odd = filecmp.cmpfiles(made, again, expected_files(), shallow=False)
    assert not different and not odd


@pytest.mark.parametrize("staging", stagings(SEED), ids=lambda staging: staging.id)
def test_a_scene_is_read_as_it_was_staged(made: Path, staging: Staging) -> None:
    read = open_scenes(made).read(staging.id)
    meant = staged_scene(staging, read.frames, Profile.TINY.camera)
    assert read.camera == meant.camera and read.goal == pytest.approx(meant.goal)
    assert np.allclose(read.robot, meant.robot, atol=1e-6)
    assert [p.number for p in read.people] == [p.number for p in meant.people]
    for found, wanted in zip(read.people, meant.people, strict=True):
        assert np.allclose(found.positions, wanted.positions, atol=1e-5, equal_nan=True)
        assert np.allclose(found.boxes, wanted.boxes, atol=1e-5, equal_nan=True)


def test_pictures_with_marks_show_the_front_view_above_the_view_from_above(made: Path) -> None:
    scene = open_scenes(made).read(f"synthetic_{SEED}_crowd_94")
    for frame, composite in zip(scene.frames, scene.composites, strict=True):
        view = np.asarray(Image.open(io.BytesIO(frame)))
        whole = np.asarray(Image.open(io.BytesIO(composite)).convert("RGB"))
        assert view.shape == (72, 128, 3) and whole.shape == (200, 128, 3)
        likeness = np.median(np.abs(whole[:20].astype(int) - view[:20]))  # few marks are in the sky
        assert likeness < 6
    assert len(scene.composites) == TIMING.frames


def test_a_folder_that_is_not_empty_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    with pytest.raises(BadValue, match="is not an empty folder"):
        make_dataset(tmp_path, seed=0, profile=Profile.TINY)
    assert files_below(tmp_path) == {"mine.txt"}


def test_the_folder_one_is_in_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadValue, match="the folder you are in"):
        make_dataset(Path(), seed=0, profile=Profile.TINY)


def test_when_it_fails_half_way_nothing_is_left(tmp_path: Path) -> None:
    def stopping(what: str, done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_dataset(tmp_path / "sub", seed=0, profile=Profile.TINY, progress=stopping)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="nothing was left there"):
        make_dataset(tmp_path / "file" / "sub", seed=0, profile=Profile.TINY)
