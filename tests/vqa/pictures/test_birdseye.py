"""Who is where, seen from above."""

import math

import numpy as np
import pytest

from marked_scenes import colour_of_disc, scene, walker
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.pictures.birdseye import RADIUS, BirdsEye, heading_of
from paseo.vqa.pictures.colours import ROBOT
from paseo.vqa.pictures.placing import placed_on

BLUE, ORANGE = (0, 114, 178), (230, 159, 0)
SIDE = 900
DISC = RADIUS * SIDE
WHITE = (255, 255, 255)


def seen_from_above(*people, **changes) -> BirdsEye:
    return BirdsEye(scene(*people, **changes), SIDE, {1: BLUE, 2: ORANGE})


def disc_at(view: BirdsEye, frame: np.ndarray, x: float, y: float) -> object:
    column, row = view.view.to_pixels(np.array([x, y])).tolist()
    return colour_of_disc(frame, (column, row), DISC)


def beside(view: BirdsEye, frame: np.ndarray, at: tuple[float, float], heading: float) -> object:
    """The colour a little off a disc's edge, in a direction."""
    ahead = 1.3 * DISC / view.view.scale
    place = at[0] + ahead * math.cos(heading), at[1] + ahead * math.sin(heading)
    column, row = view.view.to_pixels(np.array(place)).tolist()
    return tuple(frame[int(row), int(column)].tolist())


@pytest.mark.parametrize("time", range(10))
def test_robot_and_people_are_where_they_are_in_that_frame(time: int) -> None:
    view = seen_from_above(walker(1, (5.5, 2.5), (0.0, -1.0)))
    frame = view.frame(time)
    assert disc_at(view, frame, 0.25 * time, 0.0) == ROBOT  # at the origin in frame 0
    assert disc_at(view, frame, 5.5, 2.5 - 0.25 * time) == BLUE
    assert disc_at(view, frame, 8.0, 1.0) == ROBOT  # the goal


def test_a_person_is_drawn_only_in_frames_with_them_but_stays_in_the_summary() -> None:
    view = seen_from_above(walker(1, (5.5, 2.5), frames=(2, 3, 5)))
    seen = [disc_at(view, view.frame(time), 5.5, 2.5) == BLUE for time in range(10)]
    assert [time for time in range(10) if seen[time]] == [2, 3, 5]
    assert disc_at(view, view.summary(), 5.5, 2.5) == BLUE
    assert disc_at(view, view.summary(), 2.25, 0.0) == ROBOT


@pytest.mark.parametrize(
    ("speed", "heading"),
    [((1.0, 0.0), 0.0), ((0.0, 1.0), math.pi / 2), ((-0.5, -0.5), -3 * math.pi / 4)],
)
def test_an_arrow_shows_where_a_person_goes(speed: tuple[float, float], heading: float) -> None:
    person = walker(1, (5.0, 0.5), speed)
    for time in (0, 4, 9):
        assert heading_of(person, time, TIMING.period) == pytest.approx(heading)
    view = seen_from_above(person)
    assert beside(view, view.frame(0), (5.0, 0.5), heading) == BLUE
    assert beside(view, view.frame(0), (5.0, 0.5), heading + math.pi) != BLUE


def test_who_stands_or_is_seen_once_has_no_arrow() -> None:
    assert heading_of(walker(1, (5.0, 0.5), (0.29, 0.0)), 4, TIMING.period) is None
    assert heading_of(walker(1, (5.0, 0.5), (0.31, 0.0)), 4, TIMING.period) == 0.0
    assert heading_of(walker(1, (5.0, 0.5), (2.0, 0.0), frames=(4,)), 4, TIMING.period) is None


def test_the_heading_over_a_gap_takes_the_time_of_the_gap_into_account() -> None:
    slow, quick = (walker(1, (5.0, 0.5), (v, 0.0), frames=(1, 6)) for v in (0.2, 0.4))
    assert heading_of(slow, 1, TIMING.period) is None
    assert heading_of(quick, 1, TIMING.period) == heading_of(quick, 6, TIMING.period) == 0.0


def test_the_robots_arrow_follows_its_heading_even_where_it_stands() -> None:
    robot = np.zeros((10, 3))
    robot[:, 2] = math.pi / 2
    view = seen_from_above(robot=robot)
    assert beside(view, view.frame(3), (0.0, 0.0), math.pi / 2) == ROBOT
    assert beside(view, view.frame(3), (0.0, 0.0), 0.0) != ROBOT


def test_the_past_path_fades_and_the_future_is_not_shown() -> None:
    view = seen_from_above(walker(1, (8.5, -2.5), (-2.0, 0.0)))
    frame = view.frame(8)  # at x = 4.5
    red = [int(frame[tuple(view.view.to_pixels(np.array([x, -2.5])).astype(int)[::-1])][0])
           for x in (5.3, 6.3, 7.3, 8.3)]  # fmt: skip
    assert red == sorted(red)
    assert red[0] < 60
    assert 150 < red[-1] < 235
    column, row = view.view.to_pixels(np.array([6.5, -2.5])).astype(int)
    assert view.frame(2)[row, column].min() > 200
    column, row = view.view.to_pixels(np.array([2.0, 0.0])).astype(int)  # the robot, at 1 m/s
    assert view.frame(2)[row, column].min() > 200 and view.frame(9)[row, column].max() < 60


def test_the_map_stays_and_the_robot_moves() -> None:
    view = seen_from_above()
    first, last = view.frame(0), view.frame(9)
    changed = np.nonzero((first != last).any(axis=2))
    low, high = view.view.to_metres(np.stack(changed[::-1], axis=1)).T
    assert low.max() < 3.2
    assert np.abs(high).max() < 0.4


def test_pictures_without_overlap_are_the_same_byte_for_byte() -> None:
    people = walker(1, (5.0, 2.0), (0.5, 0.0)), walker(2, (5.0, 1.35), (0.5, 0.0))
    ours = seen_from_above(*people)
    shared = BirdsEye(ours.scene, SIDE, {1: BLUE, 2: ORANGE}, placing=placed_on)
    for time in range(10):
        assert (ours.frame(time) == shared.frame(time)).all()
    assert (ours.summary() == shared.summary()).all()


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.3])
def test_overlapping_discs_stand_aside_with_a_line_to_their_place(gap: float) -> None:
    people = walker(1, (5.0, 2.0), (0.5, 0.0)), walker(2, (5.0, 2.0 + gap), (0.0, 0.5))
    view = seen_from_above(*people)
    _, _, first, second, *aside = view.discs(0).tolist()
    assert len(aside) == (1 if gap == 0.3 else 2), "who hides nobody's place keeps their own"
    discs = [first, *aside] if len(aside) == 1 else aside  # the first is nearer to the robot
    frame = view.frame(0)
    assert math.dist(*discs) >= 2 * DISC
    assert [colour_of_disc(frame, at, DISC) for at in discs] == [BLUE, ORANGE]
    ends = {BLUE: first, ORANGE: second}
    for colour, at in zip((BLUE, ORANGE), discs, strict=True):
        end = ends[colour]
        if at != end and gap:
            column, row = (int(each) for each in end)
            assert tuple(frame[row, column].tolist()) == colour, "a dot where the person is"


def test_discs_aside_hide_no_place_no_arrow_and_no_axis() -> None:
    rng = np.random.default_rng(5)
    people = [walker(k + 1, (5.0, 3.5 + 0.2 * k)) for k in range(8)]
    colours = {k + 1: (int(r), int(g), 90) for k, (r, g) in enumerate(rng.integers(0, 200, (8, 2)))}
    view = BirdsEye(scene(*people), SIDE, colours)
    spots = view.discs(0)
    places, aside = spots[:10], spots[10:]
    assert len(aside) == 8
    for k, at in enumerate(aside):
        assert min(np.linalg.norm(places - at, axis=1)) >= 1.2 * DISC
        assert all(np.linalg.norm(at - other) >= 2 * DISC for other in aside[:k])
        assert at[0] - DISC >= view.view.corner_px[0]
