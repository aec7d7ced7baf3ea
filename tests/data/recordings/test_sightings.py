import math
from pathlib import Path

import numpy as np
import pytest

from paseo.data.recordings.sightings import Sightings, by_line, tracks_of, usual_step
from paseo.errors import BadFile


def sightings(*rows: tuple[float, float, float, float]) -> Sightings:
    """From rows of frame, id, x, y; the first is in line 1."""
    table = np.array(rows, dtype=float)
    return Sightings(
        path=Path("walk.csv"),
        where=by_line(1),
        frames=table[:, 0],
        ids=table[:, 1],
        positions=table[:, 2:],
    )


def test_rows_in_any_order_become_tracks_in_order_of_id_and_time() -> None:
    rows = [(20, 7, 2.0, 0.0), (0, 3, 5.0, 5.0), (10, 7, 1.0, 0.5), (30, -1, 9.0, 9.0)]
    first, second, third = tracks_of(sightings(*rows), fps=10)
    assert [first.id, second.id, third.id] == [-1, 3, 7]
    np.testing.assert_array_equal(third.times, [1.0, 2.0])
    np.testing.assert_array_equal(third.positions, [[1.0, 0.5], [2.0, 0.0]])


def test_somebody_seen_once_has_a_track_of_one_sample() -> None:
    (track,) = tracks_of(sightings((5, 1, 2.0, 3.0)), fps=2)
    assert (track.times.tolist(), track.positions.tolist()) == ([2.5], [[2.0, 3.0]])


def test_the_first_and_the_largest_frame_and_neighbours_stay_apart() -> None:
    (track,) = tracks_of(sightings((0, 1, 0, 0), (1e12 - 1, 1, 0, 0), (1e12, 1, 0, 0)), fps=29.97)
    assert (np.diff(track.times) > 0).all()


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ((-1, 1, 0, 0), "has the frame -1.0, expected a whole number from 0 on"),
        ((1.5, 1, 0, 0), "has the frame 1.5, expected a whole number from 0 on"),
        ((1e13, 1, 0, 0), "has the frame 10000000000000.0, expected a whole number from 0 on"),
        ((1, 2.5, 0, 0), "has the person id 2.5, expected a whole number"),
        ((1, 2.0**53, 0, 0), "has the person id 9007199254740992.0, expected a whole number"),
        ((1, 1, math.nan, 0), "has the x nan, expected a finite coordinate"),
        ((1, 1, 0, -math.inf), "has the y -inf, expected a finite coordinate"),
        ((1, 1, 0, 1e300), "has the y 1e+300, expected a finite coordinate"),
    ],
)
def test_a_value_that_makes_no_sense_is_reported_with_its_line(
    row: tuple[float, float, float, float], problem: str
) -> None:
    with pytest.raises(BadFile) as error:
        sightings((0, 1, 0, 0), row)
    assert str(error.value) == f"walk.csv: line 2 {problem}; correct or remove it"


def test_a_person_twice_in_a_frame_is_reported_at_the_later_line() -> None:
    rows = sightings((4, 1, 0, 0), (3, 1, 0, 0), (3, 2, 0, 0), (4, 1, 1, 1))
    with pytest.raises(BadFile, match="line 4 has person 1 in frame 4 a second time, expected"):
        tracks_of(rows, fps=25)


def test_the_usual_step_is_the_commonest_of_one_person() -> None:
    rows = [(0, 1, 0, 0), (10, 1, 0, 0), (20, 1, 0, 0), (90, 1, 0, 0), (91, 2, 0, 0)]
    assert usual_step(sightings(*rows)) == 10


def test_there_is_no_usual_step_if_nobody_is_seen_twice() -> None:
    assert usual_step(sightings((0, 1, 0, 0), (10, 2, 0, 0))) is None
