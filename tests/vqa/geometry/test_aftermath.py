"""What followed a scene is kept beside it and read back."""

from pathlib import Path

import numpy as np
import pytest

from paseo.errors import BadFile
from paseo.vqa.geometry.aftermath import Aftermath, aftermath_bytes, read_aftermath

NAN = np.nan


def kept(folder: Path, content: bytes) -> Path:
    (folder / "aftermath").mkdir()
    (folder / "aftermath" / "a_b_0_1.json").write_bytes(content)
    return folder


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    robot = np.array([[1.0, 0.5, 0.1], [1.25, 0.5, -3.0]])
    people = {2: np.array([[3.0, -1.0], [NAN, NAN]])}
    written = Aftermath(period=0.25, robot=robot, people=people)
    read = read_aftermath(kept(tmp_path, aftermath_bytes(written)), "a_b_0_1")
    assert read is not None and read.period == 0.25
    np.testing.assert_array_equal(read.robot, robot)
    np.testing.assert_array_equal(read.people[2], people[2])


def test_a_scene_after_which_nobody_looked_has_none(tmp_path: Path) -> None:
    assert read_aftermath(tmp_path, "a_b_0_1") is None


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", "is no JSON"),
        (b'{"period_s": 0.25, "robot": [[0, 0]]}', "robot"),
        (b'{"period_s": 0.25, "robot": [[0, 0, 0]], "people": {"1": []}}', r"person 1 must be"),
        (b'{"period_s": 0.25, "robot": [], "people": {"0": []}}', "people"),
        (b'{"period_s": 1e999, "robot": []}', "period_s"),
    ],
)
def test_a_file_that_cannot_be_is_told(tmp_path: Path, content: bytes, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        read_aftermath(kept(tmp_path, content), "a_b_0_1")
