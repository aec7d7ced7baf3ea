from pathlib import Path

import numpy as np
import pytest

from paseo.data.recordings.trajnet import TrajNet
from paseo.errors import BadFile

PATH = Path("walk.ndjson")
SCENE = '{"scene": {"id": 0, "p": 3, "s": 10, "e": 20, "fps": 2.5, "tag": [4, [2]]}}'
FIRST = '{"track": {"f": 10, "p": 3, "x": 1.5, "y": -2}}'
SECOND = '{"track": {"f": 20, "p": 3, "x": 1.6, "y": -2, "prediction_number": null}}'


def test_tracks_are_read_and_scenes_passed_over() -> None:
    seen = TrajNet().sightings([FIRST, SCENE, SECOND], PATH)
    assert (seen.frames.tolist(), seen.ids.tolist()) == ([10, 20], [3, 3])
    np.testing.assert_array_equal(seen.positions, [[1.5, -2], [1.6, -2]])


def test_the_fps_of_scenes_counts_rows_so_the_frame_rate_is_larger() -> None:
    assert TrajNet().sightings([SCENE, FIRST, SECOND], PATH).fps == 25


@pytest.mark.parametrize("lines", [[FIRST, SECOND], [SCENE, FIRST], ['{"scene": {}}', FIRST]])
def test_without_scenes_or_steps_no_frame_rate_is_known(lines: list[str]) -> None:
    assert TrajNet().sightings(lines, PATH).fps is None


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("10 3 1.5 -2", "is wrong (Expected `object`, got `int`)"),
        ("", "is wrong (Input data was truncated)"),
        ("{}", "is neither a scene nor a track"),
        ('{"track": {"f": 10, "p": 3, "x": 1.5}}', "is wrong (Object missing required field `y`"),
        ('{"track": {"f": 10, "p": "ann", "x": 1, "y": 2}}', "is wrong (Expected `float`, got"),
        ('{"track": {"f": 10, "p": 3, "x": NaN, "y": 2}}', "is wrong (JSON is malformed"),
        ('{"track": {"f": 10, "p": 3.5, "x": 1, "y": 2}}', "has the person id 3.5"),
        ('{"track": {"f": -1, "p": 3, "x": 1, "y": 2}}', "has the frame -1.0"),
        ('{"track": {"f": 1, "p": 1, "x": 1, "y": 2, "prediction_number": 0}}', "is a model's"),
        ('{"scene": {"id": 1, "fps": 5}}', "says fps 5, expected 2.5 as before"),
        ('{"scene": {"id": 1, "fps": 0}}', "is wrong (Expected `float` > 0.0"),
        ('{"a": ' + "[" * 100_000, "is wrong ("),
    ],
)
def test_malformed_lines_are_reported(line: str, problem: str) -> None:
    with pytest.raises(BadFile) as error:
        TrajNet().sightings([SCENE, FIRST, line, SECOND], PATH)
    assert str(error.value).startswith(f"walk.ndjson: line 3 {problem}")


def test_a_file_of_scenes_alone_is_refused() -> None:
    with pytest.raises(BadFile, match="line 1 is the last and no line is a track, expected"):
        TrajNet().sightings([SCENE], PATH)
