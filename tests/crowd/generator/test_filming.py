import numpy as np

from paseo.crowd.generator.filming import Film, closest, film_of, recorded, straightened
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording
from worlds import DIVIDED, ROOM


def film(*walks: tuple[int, FloatArray]) -> Film:
    """People from rows of first step and positions."""
    frames: dict[int, list[tuple[int, FloatArray]]] = {}
    for person, (first, path) in enumerate(walks):
        for k, where in enumerate(path):
            frames.setdefault(first + k, []).append((person, where))
    return film_of(
        [
            (step, np.array([who for who, _ in seen]), np.array([at for _, at in seen]))
            for step, seen in sorted(frames.items())
        ]
    )


def recording(reel: Film, place: FloorPlan = ROOM, parties: int = 9) -> tuple[Recording, int]:
    return recorded(reel, place, name="test", dt=0.1, mates=np.arange(parties))


def line(a: tuple[float, float], b: tuple[float, float], steps: int) -> FloatArray:
    return np.linspace(a, b, steps + 1)


def test_samples_are_on_a_clock_of_four_steps_and_at_both_ends() -> None:
    (track,) = recording(film((3, line((1, 1), (3, 1), 15))))[0].tracks
    assert np.allclose(track.times, [0.3, 0.4, 0.8, 1.2, 1.6, 1.8])
    assert np.allclose(track.positions[-1], (3, 1))


def test_where_a_corner_would_be_cut_all_steps_are_kept() -> None:
    x = [4.9, 4.9, 4.9, 4.9, 5.0, 5.1, 5.12, 5.12, 5.12]  # around the end of a wall at (5, 1)
    y = [1.3, 1.2, 1.1, 0.95, 0.9, 0.95, 1.1, 1.2, 1.3]
    found, left_out = recording(film((2, np.stack([x, y], axis=1))), DIVIDED)
    assert left_out == 0
    assert len(found.tracks[0].times) > 5


def test_of_two_who_stay_too_close_the_later_is_left_out() -> None:
    beside = np.full((20, 2), 5.0)
    found, left_out = recording(film((0, beside), (0, beside + (0.25, 0.0))))
    assert left_out == 1 and len(found.tracks) == 1
    assert found.tracks[0].positions[0].tolist() == [5.0, 5.0]


def test_a_short_brush_is_allowed_but_never_under_0_2_m() -> None:
    passing = line((4.0, 5.0), (6.0, 5.0), 12)
    for aside, left in ((0.25, 0), (0.15, 1)):
        stands = np.full((13, 2), 5.0) + (0.0, aside)
        assert recording(film((0, passing), (0, stands)))[1] == left


def test_mates_are_told_by_the_new_ids() -> None:
    reel = film(*((0, line((1, y), (2, y), 8)) for y in (1.0, 3.0, 5.0)))
    found, _ = recorded(reel, ROOM, name="test", dt=0.1, mates=np.array([0, 1, 1]))
    assert [track.id for track in found.tracks] == [1, 2, 3]
    assert found.groups == ((2, 3),)


def test_between_kept_rows_people_walk_straight() -> None:
    path = np.array([[0.0, 0.0], [1.0, 5.0], [2.0, 0.0]])
    rows = np.arange(3), np.zeros(3, int), path, np.array([True, False, True])
    assert straightened(*rows)[1].tolist() == [1.0, 0.0]


def test_the_closest_moment_of_a_step_lies_between_its_ends() -> None:
    rows = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.3], [0.0, 0.3]])
    assert closest(rows, 0, 2) == 0.3


def test_a_film_of_nobody_is_an_empty_recording() -> None:
    found, left_out = recording(film_of([]))
    assert found.tracks == () and left_out == 0
