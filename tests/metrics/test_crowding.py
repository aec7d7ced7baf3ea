import csv
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.data.suites.episodes import episode
from paseo.data.suites.suite_file import shipped_suites
from paseo.metrics.crowding import Flow, crowd_statistics
from paseo.world.motion import Pose
from paseo.world.scenarios import Scenario
from paseo.world.tracks import Track, transformed
from worlds import ROOM, plan, scenario, walk

NAMES = [entry.name for entry in shipped_suites()["socnavbench-33"].episodes]


def two_walkers() -> Scenario:
    """One walks at 1 m/s against the robot for all 10 s, one at 0.5 m/s across for 5 s."""
    against = walk(1, (0, 10, 5), (10, 0, 5))
    across = walk(2, (0, 5, 1), (5, 5, 3.5))
    return scenario(against, across)


def test_a_crowd_worked_out_by_hand() -> None:
    crowd = crowd_statistics(two_walkers())
    assert (crowd.people, crowd.most_at_once) == (2, 2)
    assert crowd.mean_at_once == pytest.approx(1.5, abs=0.01)
    assert crowd.density_per_m2 == pytest.approx(1.5 / 100.0, rel=0.01)
    assert crowd.mean_speed_mps == pytest.approx((10 * 1.0 + 5 * 0.5) / 15)
    assert crowd.flow_against == pytest.approx((10 * 1.0 + 5 * 0.0) / 15)
    assert crowd.start_goal_distance_m == 6.0


@pytest.mark.parametrize(
    ("goal", "flow"), [((8, 5), -1.0), ((2, 9), 0.0), ((-2, 5), 1.0), ((6, 9), -math.sqrt(0.5))]
)
def test_flow_is_counted_against_the_straight_way_to_the_goal(
    goal: tuple[float, float], flow: float
) -> None:
    world = scenario(walk(1, (0, 1, 5), (8, 9, 5)), goal=Pose(*goal))
    assert crowd_statistics(world).flow_against == pytest.approx(flow, abs=1e-9)


def test_standing_people_count_for_density_and_speed_but_not_for_flow() -> None:
    standing = walk(1, (0, 5, 5), (10, 5.5, 5))
    crowd = crowd_statistics(scenario(standing))
    assert crowd.mean_at_once == 1.0
    assert crowd.mean_speed_mps == pytest.approx(0.05)
    assert crowd.flow_against is None


def test_without_people_there_is_no_speed_and_no_flow() -> None:
    crowd = crowd_statistics(scenario())
    assert (crowd.people, crowd.most_at_once, crowd.density_per_m2) == (0, 0, 0.0)
    assert crowd.mean_speed_mps is None
    assert crowd.flow_against is None


def test_a_person_seen_once_is_there_but_has_no_speed() -> None:
    once = Track(1, np.array([1.0]), np.array([[5.0, 5.0]]))
    crowd = crowd_statistics(scenario(once))
    assert (crowd.people, crowd.most_at_once, crowd.mean_speed_mps) == (1, 1, None)


def test_a_robot_that_stays_has_no_route_to_walk_against() -> None:
    world = scenario(walk(1, (0, 1, 5), (8, 9, 5)), goal=Pose(2.0, 5.0))
    assert crowd_statistics(world).flow_against is None


def test_only_what_happens_within_the_time_limit_counts() -> None:
    world = replace(two_walkers(), time_limit=5.0)
    crowd = crowd_statistics(world)
    assert crowd.mean_at_once == pytest.approx(2.0)
    assert crowd.mean_speed_mps == pytest.approx(0.75)


def test_moving_and_turning_the_world_changes_nothing() -> None:
    world, quarter = two_walkers(), np.array([[0.0, -1.0, 30.0], [1.0, 0.0, -7.0]])
    turned = replace(
        world,
        floorplan=plan("turned", (20, -7, 30, 3)),
        tracks=tuple(transformed(track, quarter) for track in world.tracks),
        start=Pose(30 - 5.0, 2.0 - 7),
        goal=Pose(30 - 5.0, 8.0 - 7),
    )
    before, after = crowd_statistics(world), crowd_statistics(turned)
    assert after.flow_against == pytest.approx(before.flow_against)
    assert after.density_per_m2 == pytest.approx(before.density_per_m2)
    assert after.mean_speed_mps == pytest.approx(before.mean_speed_mps)


def test_halving_the_step_changes_hardly_anything() -> None:
    coarse = crowd_statistics(replace(two_walkers(), dt=0.1))
    fine = crowd_statistics(replace(two_walkers(), dt=0.05))
    assert fine.people == coarse.people
    assert fine.mean_at_once == pytest.approx(coarse.mean_at_once, rel=0.01)
    assert fine.mean_speed_mps == pytest.approx(coarse.mean_speed_mps)
    assert fine.flow_against == pytest.approx(coarse.flow_against)


def test_density_is_per_free_square_metre() -> None:
    with_pillar = replace(two_walkers(), floorplan=plan("pillar", (0, 0, 10, 10), (6, 6, 8, 9)))
    ratio = (
        crowd_statistics(with_pillar).density_per_m2
        / crowd_statistics(two_walkers()).density_per_m2
    )
    assert ratio == pytest.approx(ROOM.area / 94.0, rel=1e-6)


@pytest.mark.parametrize(
    ("shares", "main"),
    [
        ((0.5, 0.3, 0.2), "along"),
        ((0.2, 0.8, 0.0), "across"),
        ((0.0, 0.4, 0.6), "against"),
        ((0.4, 0.3, 0.3), "mixed"),
        ((0.49, 0.02, 0.49), "mixed"),
        ((0.5, 0.0, 0.5), "mixed"),  # as many come as go
    ],
)
def test_the_main_flow_is_at_least_half_and_alone_at_it(
    shares: tuple[float, float, float], main: str
) -> None:
    along, across, against = shares
    assert Flow(along=along, across=across, against=against).main == main


@pytest.mark.recordings
@pytest.mark.parametrize("rule", ["everyone", "socnavbench"])
def test_the_33_episodes_are_as_crowded_as_published(rule: str, data_dir: Path) -> None:
    """The published table samples every 0.4 s and counts both ends; ours averages over time."""
    keys = {"everyone": ["everyone_present_physical_fps"], "socnavbench": [
        "socnavbench_head", "socnavbench_head_with_name_collision"]}[rule]  # fmt: skip
    with (data_dir / "episode_stats.csv").open() as file:
        published = {row["episode"]: row for row in csv.DictReader(file) if row["rule"] in keys}
    assert sorted(published) == sorted(NAMES)
    for name in NAMES:
        crowd = crowd_statistics(episode(name, rule=rule, data=data_dir))
        row = published[name]
        assert crowd.people == int(row["n_pedestrians"]), name
        assert abs(crowd.most_at_once - int(row["max_simultaneous"])) <= 1, name
        density, speed = float(row["mean_density_per_m2"]), float(row["mean_speed_mps"])
        assert crowd.density_per_m2 == pytest.approx(density, rel=0.04), name
        assert crowd.mean_speed_mps == pytest.approx(speed, rel=0.04), name
