"""Episodes on a web page are the ones in the records."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from comparisons import episode, row
from drives import line, record
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.comparison.rows import Row
from paseo.report.walk.episodes import (
    DriveView,
    EpisodeView,
    Places,
    RecordView,
    scenes_of,
    shared_crowds,
    view_of,
)
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from paseo.world.records import Contact, Record
from unpacking import Unpacked
from worlds import plan, walk

Viewed = tuple[MeasuredEpisode, RecordView]


def seen(made: Record, name: str = "e0", planner: str | Row = "a", seed: int = 0) -> Viewed:
    """A measured episode, and what a page shows of its record."""
    return episode(name, planner, seed=seed, record=Path(f"{name}.npz")), view_of(made)


def scenes(*viewed: Viewed) -> list[EpisodeView]:
    rows = list(dict.fromkeys(each.row for each, _ in viewed))
    return [scene for scene, _ in scenes_of(viewed, rows, Places())]


def track(drive: DriveView) -> FloatArray:
    """Columns x, y, heading."""
    numbers = Unpacked(drive.track)
    count = numbers.next()
    return np.column_stack([numbers.curve(count) for _ in range(3)])


def stays(text: str) -> list[tuple[int, int, FloatArray]]:
    """Person, first sample and places of each stay."""
    numbers = Unpacked(text)
    found = []
    for _ in range(numbers.next()):
        person, first, count = (numbers.next() for _ in range(3))
        found.append((person, first, np.column_stack([numbers.curve(count) for _ in range(2)])))
    assert numbers.at_end
    return found


def test_a_drive_is_sampled_ten_times_a_second_and_at_its_end() -> None:
    way = line(duration=1.25)
    (scene,) = scenes(seen(record(way, floorplan=plan("hall", (1, 2, 21, 12)))))
    (drive,) = scene.drives
    assert (drive.step, drive.end) == (0.1, 1.25)
    expected = np.concatenate([way[::2], way[-1:]]) - (1, 2)  # from the corner of the hall
    assert np.abs(track(drive)[:, :2] - expected).max() <= 0.005 + 1e-9
    assert (scene.start, scene.goal) == ((1.0, 3.0), (7.0, 3.0))


@pytest.mark.parametrize(("dt", "step"), [(0.01, 0.1), (0.04, 0.08), (0.2, 0.2), (0.5, 0.5)])
def test_any_clock_can_be_sampled(dt: float, step: float) -> None:
    (scene,) = scenes(seen(record(line(dt=dt, duration=3.0), dt=dt)))
    (drive,) = scene.drives
    assert (drive.step, drive.end) == (pytest.approx(step), 3.0)
    assert len(track(drive)) == np.ceil(3.0 / step - 1e-9) + 1


def test_people_come_and_go() -> None:
    places = np.column_stack([np.arange(9) * 0.1, np.full(9, 3.0)])
    places[[0, 5]] = np.nan
    (scene,) = scenes(seen(record(line(dt=0.1, duration=0.8), [places, (5, 5)], dt=0.1)))
    (crowd,) = scene.crowds
    (one, first, early), (_, again, late), (other, _, still) = stays(crowd.tracks)
    assert (one, first, again, other) == (0, 1, 6, 1)
    assert early == pytest.approx(places[1:5])
    assert late == pytest.approx(places[6:])
    assert len(still) == 9
    assert (crowd.people, crowd.radius) == (2, 0.2)


def test_people_who_are_the_same_for_all_planners_are_kept_once() -> None:
    person = line(speed=0.5, duration=6.0) + (0, 2)
    long = record(line(duration=6.0), [person])
    short = record(line(duration=2.0), [person[:41]])
    (scene,) = scenes(seen(short, planner="a"), seen(long, planner="b"))
    assert len(scene.crowds) == 1
    assert [drive.crowd for drive in scene.drives] == [0, 0]
    assert scene.crowds[0].end == 6.0


def test_people_who_answer_the_robot_are_kept_for_each_planner() -> None:
    person = line(speed=0.5, duration=2.0)
    one, other = record(line(duration=2.0), [person]), record(line(duration=2.0), [person + 0.1])
    third = record(line(duration=1.0), [person[:21] + 0.1])
    views = [view_of(each) for each in (one, other, third)]
    assert shared_crowds(views) == ([0, 1], [0, 1, 1])
    slower = view_of(replace(one, scenario=replace(one.scenario, dt=0.1)))
    assert shared_crowds([views[0], slower])[0] == [0, 1]


def test_contacts_say_whom_when_and_where() -> None:
    contact = Contact(person=2, first_step=10, last_step=14, x=3.0, y=5.0, counted=True)
    made = record(line(duration=1.0), [(9, 9), (3, 5)], contacts=[contact])
    (scene,) = scenes(seen(made))
    assert scene.drives[0].contacts == ((1, 0.5, 0.7, 3.0, 5.0, "caused"),)
    assert (scene.drives[0].touches, scene.drives[0].verdict.value) == (1, "PC")


def test_planners_of_one_episode_share_a_scene_and_other_tasks_do_not() -> None:
    first, elsewhere = record(line()), record(line(), goal=Pose(8.0, 9.0))
    found = scenes(
        seen(first, "e0", "a"), seen(first, "e1", "a"),
        seen(first, "e0", "b"), seen(elsewhere, "e0", "c"),
    )  # fmt: skip
    assert [scene.title for scene in found] == ["e0", "e0", "e1"]
    assert [[drive.planner for drive in scene.drives] for scene in found] == [[0, 1], [2], [0]]
    assert {scene.place for scene in found} == {0}


def test_each_seed_is_a_scene_and_references_come_last() -> None:
    made = record(line())
    human = row("human", is_reference=True)
    found = scenes(
        seen(made, "e0@human-1", human, 3), seen(made, "e0", "a", 3), seen(made, "e0", "a", 4)
    )
    assert [scene.title for scene in found] == ["e0, seed 3", "e0, seed 4", "e0@human-1, seed 3"]
    assert [scene.reference for scene in found] == [False, False, True]


def test_a_drive_of_one_state_among_nobody_is_a_scene_as_well() -> None:
    (scene,) = scenes(seen(record([[2.0, 5.0]])))
    assert len(track(scene.drives[0])) == 1
    assert stays(scene.crowds[0].tracks) == []
    assert scene.drives[0].end == 0.0


def test_where_the_map_lies_does_not_matter() -> None:
    far = np.array([4e5, -7e6])
    there = plan("room", (4e5, -7e6, 4e5 + 10, -7e6 + 10))
    task = {"floorplan": there, "goal": Pose(4e5 + 8, -7e6 + 5)}
    here = scenes(seen(record(line(), [(4, 4)])))[0]
    tracks = (walk(1, (0, *(far + 4)), (10, *(far + 4))),)
    moved = scenes(seen(record(line() + far, [far + 4], tracks=tracks, **task)))[0]
    assert moved == replace(
        here, drives=tuple(replace(drive, record=moved.drives[0].record) for drive in here.drives)
    )
