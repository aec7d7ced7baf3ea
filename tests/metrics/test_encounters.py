"""Whom a robot would meet: worked out by hand, wherever the world lies and however it is turned."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.data.suites.episodes import episode
from paseo.data.suites.suite_file import shipped_suites
from paseo.metrics.encounters import (
    DIRECTIONS,
    Direction,
    Encounters,
    directions_of,
    encounters,
    foreseen_gaps,
    meetings,
    people_on_clock,
)
from paseo.metrics.reference_drives import ReferenceDrive, reference_drives
from paseo.world.motion import Pose
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import floor_plan
from paseo.world.tracks import Track, transformed
from worlds import ROOM, plan, scenario, walk

AGAINST = walk(1, (0, 9, 5.5), (9, 0, 5.5))  # passes half a metre to the left at 1 m/s
FAR = walk(2, (0, 9, 6.5), (9, 0, 6.5))  # passes 1.5 m to the left
ACROSS = walk(3, (0, 5, 2.5), (5, 5, 7.5))  # over the way at x = 5 when the robot is there
STANDS = walk(4, (0, 6, 5), (10, 6, 5))
AHEAD = walk(5, (0, 3.5, 5), (10, 8.5, 5))  # walks on at 0.5 m/s, and is caught up with
BEHIND = walk(6, (0, 1.0, 5), (9, 8.2, 5))  # follows at 0.8 m/s


def direct(*tracks: Track, **changes: object) -> Encounters:
    return meetings(scenario(*tracks, **changes)).drives[ReferenceDrive.DIRECT]


@pytest.mark.parametrize(
    ("track", "direction"),
    [
        (AGAINST, Direction.AGAINST),
        (FAR, None),
        (ACROSS, Direction.ACROSS),
        (STANDS, Direction.STANDING),
        (AHEAD, Direction.ALONG),
        (BEHIND, None),
    ],
)
def test_who_is_met_and_which_way_they_walk(track: Track, direction: Direction | None) -> None:
    found = direct(track)
    assert [each.direction for each in found.met] == ([direction] if direction else [])
    if direction:
        assert (found.of(direction), found.met[0].person) == (1, track.id)


def test_an_encounter_worked_out_by_hand() -> None:
    (met,) = direct(AGAINST).met
    # 7 m ahead, closing at 2.2 m/s: within 3 m, half of one to the side, after 1.84 s.
    assert met.time == pytest.approx((7.0 - math.sqrt(9.0 - 0.25)) / 2.2, abs=0.1)
    assert met.gap == pytest.approx(0.5)
    assert direct(AGAINST).closest == pytest.approx(0.5, abs=0.02)


def test_those_are_foreseen_who_would_come_close_within_five_seconds() -> None:
    apart = np.array([[3.0, 0.0], [3.0, 0.0], [3.0, 0.0], [np.nan, np.nan]])
    closing = np.array([[-1.0, 0.0], [-0.1, 0.0], [1.0, 0.0], [0.0, 0.0]])
    np.testing.assert_allclose(foreseen_gaps(apart, closing), [0.0, 2.5, 3.0, np.nan])


def test_nobody_is_met_behind_a_wall() -> None:
    beside = walk(1, (0, 8, 6.0), (9, 2, 6.0))
    wall = plan("walled", (0, 0, 10, 10), (1, 5.5, 9, 5.6))
    assert len(direct(replace(beside, positions=beside.positions - (0, 0.2))).met) == 1
    assert direct(replace(beside, positions=beside.positions - (0, 0.2)), floorplan=wall).met == ()


def test_everybody_is_met_once_and_every_drive_counts() -> None:
    met = meetings(scenario(AGAINST, ACROSS, STANDS))
    people = {name: {each.person for each in drive.met} for name, drive in met.drives.items()}
    # Who crosses passes 0.8 m before the slow robot and long before the late one; a metre aside is
    # just far enough from whoever stands on the way.
    assert people == {"direct": {1, 3, 4}, "slow": {1, 3, 4}, "late": {1, 4}, "aside": {1, 3}}
    assert (met.least, met.most) == (2, 3)


def test_flow_and_density_are_those_within_three_metres_of_the_robot() -> None:
    met = meetings(scenario(AGAINST, FAR, STANDS, AHEAD))
    near = [each.directions for each in met.drives.values()]
    assert met.flow is not None
    walking = sum(sum(d.values()) - d[Direction.STANDING] for d in near)
    assert met.flow.against == pytest.approx(sum(d[Direction.AGAINST] for d in near) / walking)
    assert met.flow.along + met.flow.against == pytest.approx(1.0)
    area = sum(each.free_m2 for each in met.drives.values())
    assert met.density_per_m2 == pytest.approx(sum(sum(d.values()) for d in near) / area)


@pytest.mark.parametrize(
    ("degrees", "direction"),
    [(0, "along"), (44, "along"), (46, "across"), (90, "across"), (134, "across"), (136, "against"),
     (180, "against"), (224, "against"), (226, "across"), (314, "across"), (316, "along")],
)  # fmt: skip
@pytest.mark.parametrize("turned", [0.0, 2.0])
def test_directions_are_told_by_the_angle_to_the_heading(
    degrees: float, direction: str, turned: float
) -> None:
    angle, heading = (
        math.radians(degrees) + turned,
        np.array([[math.cos(turned), math.sin(turned)]]),
    )
    walks = np.array([[[math.cos(angle), math.sin(angle)], [0.1, 0.1], [math.nan, math.nan]]])
    one, standing, absent = directions_of(walks, heading)[0].tolist()
    assert (DIRECTIONS[one], DIRECTIONS[standing], absent) == (direction, "standing", -1)


def test_somebody_who_is_absent_meanwhile_does_not_walk_meanwhile() -> None:
    nan = math.nan
    torn = walk(1, (0, 3, 5), (1, 4, 5), (2, nan, nan), (3, 6, 5), (4, 5, 5), (5, 4, 5))
    near = direct(torn).directions
    assert near[Direction.ALONG] == pytest.approx(10, abs=1)  # ticks: the first second
    assert near[Direction.AGAINST] == pytest.approx(16, abs=1)  # 3 s to 4.55 s, then 3 m behind
    assert near[Direction.ACROSS] == near[Direction.STANDING] == 0


@pytest.mark.recordings
def test_curated_episodes_meet_the_flow_that_they_are_named_after(data_dir: Path) -> None:
    names = [entry.name for entry in shipped_suites()["socnavbench-33"].episodes]
    named = [name for name in names if name.split("_")[-1] in ("against", "follow")]
    assert len(named) == 6
    flows = {name: meetings(episode(name, data=data_dir)).flow for name in named}
    for name, flow in flows.items():
        assert flow is not None
        assert (flow.along > flow.against) == name.endswith("follow"), name


def test_free_space_is_that_around_the_robot() -> None:
    wide, narrow = direct(STANDS), direct(STANDS, floorplan=plan("corridor", (0, 4, 10, 6)))
    ticks = len(reference_drives(scenario())[ReferenceDrive.DIRECT].positions)
    assert wide.free_m2 / ticks == pytest.approx(math.pi * 9.0, rel=0.06)  # the room ends beyond
    half = 3.0 * 3.0 * math.asin(1 / 3) * 2 + 2 * math.sqrt(8.0)  # of the disc, 1 m either side
    assert narrow.free_m2 / ticks == pytest.approx(half, rel=0.1)


def test_an_empty_episode_has_no_encounters_no_flow_and_nobody_close() -> None:
    met = meetings(scenario())
    assert (met.least, met.most, met.density_per_m2, met.flow) == (0, 0, 0.0, None)
    assert met.drives[ReferenceDrive.DIRECT].closest is None
    late = walk(1, (9, 5, 5), (10, 5, 5))  # comes when the robot has gone
    assert meetings(scenario(late)).drives[ReferenceDrive.DIRECT].met == ()


@pytest.mark.parametrize("angle", [0.0, math.pi / 2, math.pi])
def test_encounters_do_not_depend_on_where_the_world_lies(angle: float) -> None:
    people = (AGAINST, FAR, ACROSS, STANDS, AHEAD, BEHIND)
    before, after = meetings(scenario(*people)), meetings(moved(scenario(*people), angle))
    for one, other in zip(before.drives.values(), after.drives.values(), strict=True):
        assert [(e.person, e.direction) for e in one.met] == [
            (e.person, e.direction) for e in other.met
        ]
        assert [e.gap for e in one.met] == pytest.approx([e.gap for e in other.met], abs=1e-6)
        assert one.directions == pytest.approx(other.directions, abs=1)  # tick at just 3 m
    assert after.density_per_m2 == pytest.approx(before.density_per_m2, rel=0.05)


def moved(world: Scenario, angle: float) -> Scenario:
    c, s = round(math.cos(angle)), round(math.sin(angle))
    matrix = np.array([[c, -s, 40.0], [s, c, -7.0]])
    start, goal = (
        Pose(*(matrix[:, :2] @ (p.x, p.y) + matrix[:, 2])) for p in (world.start, world.goal)
    )
    return replace(
        world,
        floorplan=floor_plan("moved", ROOM.walls @ matrix[:, :2].T + matrix[:, 2]),
        start=start,
        goal=goal,
        tracks=tuple(transformed(track, matrix) for track in world.tracks),
    )


def test_people_are_absent_before_they_come_and_after_they_go() -> None:
    people = people_on_clock([walk(7, (1, 0, 0), (2, 1, 0))], 3.0)
    assert people.ids == (7,)
    there = ~np.isnan(people.positions[:, 0, 0])
    assert np.flatnonzero(there).tolist() == list(range(10, 21))
    drive = reference_drives(scenario())[ReferenceDrive.DIRECT]
    assert encounters(people, drive, ROOM).met == ()
