"""Sensing: what the planner is shown of people, seeded and recorded; its own pose is exact."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from paseo.sim.sensing import Sensing
from paseo.sim.simulate import simulate
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Snapshot
from paseo.world.recordfile import record_bytes
from paseo.world.scenarios import Sensor
from worlds import DIVIDED, ROOM, Driver, crossing, crowd, scenario, walk

STATES = 4000
PAIR = (walk(1, (0, 5, 5), (500, 5, 5)), walk(2, (0, 6, 7), (500, 6, 7)))
ALIASES = tuple(walk(i, (0, 1, y), (9, 9, y)) for i, y in ((1, 9), (4, 8), (6, 7)))


def seen_ids(sensor, people, *, pose=Pose(5.0, 5.0), floorplan=ROOM):  # noqa: B008
    """Whom a robot at `pose`, facing +x, sees of (id, x, y)."""
    task = scenario(*(walk(i, (0, 1, 1)) for i, _, _ in people), sensor=sensor, floorplan=floorplan)
    robot = RobotState(pose, Twist(0.0, 0.0), 0.24)
    observation = Sensing(task).observation(Snapshot(0.0, robot, crowd(*people)))
    return observation.crowd.ids.tolist()


def shown(sensor, *tracks, seed=0, states=STATES):
    """What a standing robot's planner sees of people, state by state."""
    driver = Driver()
    task = scenario(*tracks, sensor=sensor, seed=seed, time_limit=states * 0.05)
    record = simulate(task, driver)
    return driver.observations, record


def test_by_default_everybody_is_seen_exactly_and_nothing_extra_is_recorded():
    observations, record = shown(Sensor(), crossing(), states=150)
    for step, observation in enumerate(observations):
        np.testing.assert_array_equal(observation.crowd.positions, record.people[step])
    assert record.seen is None


def test_beyond_its_range_nobody_is_seen():
    people = [(1, 7.0, 5.0), (2, 7.0001, 5.0), (3, 5.0, 3.1)]
    assert seen_ids(Sensor(range=2.0), people) == [1, 3]


@pytest.mark.parametrize("heading", [0.0, 2.0, math.pi, -math.pi, 7.0])
def test_the_field_of_view_is_centred_on_the_heading(heading):
    def at(degrees):
        angle = heading + math.radians(degrees)
        return 5 + 3 * math.cos(angle), 5 + 3 * math.sin(angle)

    people = [(i, *at(degrees)) for i, degrees in enumerate([0, 44, -44, 46, -46, 180])]
    pose = Pose(5.0, 5.0, heading)
    assert seen_ids(Sensor(field_of_view=math.pi / 2), people, pose=pose) == [0, 1, 2]
    assert seen_ids(Sensor(range=9), people, pose=pose) == [0, 1, 2, 3, 4, 5]


def test_walls_hide_people_only_where_occlusion_is_on():
    people = [(1, 8.0, 5.0), (2, 8.0, 0.5), (3, 4.5, 5.0)]
    pose = Pose(4.0, 0.5)
    assert seen_ids(Sensor(occlusion=True), people, pose=pose, floorplan=DIVIDED) == [2, 3]
    assert seen_ids(Sensor(range=99), people, pose=pose, floorplan=DIVIDED) == [1, 2, 3]


def test_nearer_people_hide_those_behind_them():
    people = [(1, 6.0, 5.0), (2, 8.0, 5.0), (3, 8.0, 5.3), (4, 8.0, 5.5), (5, 2.0, 5.0)]
    # At 8 m the shadow of a disc of 0.2 m at 6 m is about 0.6 m wide to each side.
    assert seen_ids(Sensor(occlusion=True), people) == [1, 5]
    assert seen_ids(Sensor(occlusion=True), [*people, (6, 8.0, 6.0)]) == [1, 5, 6]


def test_a_person_on_top_of_the_robot_is_seen():
    assert seen_ids(Sensor(occlusion=True), [(1, 5.0, 5.0), (2, 7.0, 5.0)]) == [1, 2]


def test_position_noise_has_no_bias_and_the_asked_deviation_on_each_axis():
    observations, record = shown(Sensor(position_noise=0.1), PAIR[0])
    errors = np.array([o.crowd.positions[0] for o in observations]) - [5, 5]
    assert (np.abs(errors.mean(axis=0)) < 5 * 0.1 / math.sqrt(STATES)).all()
    assert (np.abs(errors.std(axis=0) - 0.1) < 5 * 0.1 / math.sqrt(2 * STATES)).all()
    assert abs(np.corrcoef(errors.T)[0, 1]) < 5 / math.sqrt(STATES)
    assert (errors != 0).all()  # the truth is never seen
    np.testing.assert_array_equal(record.people, np.full((STATES + 1, 1, 2), 5.0))


def test_velocity_noise_is_set_apart():
    observations, _ = shown(Sensor(velocity_noise=0.2), crossing(), states=160)
    velocities = np.array([o.crowd.velocities[0] for o in observations]) - [-1, 0]
    assert (velocities != 0).all()
    assert (np.abs(velocities.std(axis=0) - 0.2) < 5 * 0.2 / math.sqrt(320)).all()
    observations, _ = shown(Sensor(position_noise=0.2), crossing(), states=160)
    assert all(o.crowd.velocities.tolist() == [[-1, 0]] for o in observations)


def test_people_are_missed_at_the_asked_rate():
    observations, _ = shown(Sensor(miss_rate=0.3), *PAIR)
    missed = 2 * STATES - sum(len(o.crowd) for o in observations)
    assert abs(missed - 0.6 * STATES) < 5 * math.sqrt(2 * STATES * 0.3 * 0.7)
    alone = sum(len(o.crowd) == 1 for o in observations)  # each is missed by a chance of their own
    assert abs(alone - 0.42 * STATES) < 5 * math.sqrt(STATES * 0.42 * 0.58)
    assert all(len(o.crowd) == 0 for o in shown(Sensor(miss_rate=1.0), *PAIR, states=20)[0])


def test_swapped_ids_stay_swapped_until_the_next_swap():
    observations, _ = shown(Sensor(swap_rate=0.1), *PAIR)
    first = np.array([o.crowd.positions[0, 0] for o in observations])  # reported as person 1
    assert set(first) == {5, 6}
    swaps = np.count_nonzero(np.diff(first)) + (first[0] == 6)
    assert abs(swaps - 0.1 * STATES) < 5 * math.sqrt(STATES * 0.1 * 0.9)
    assert all(o.crowd.ids.tolist() == [1, 2] for o in observations)


def test_swapping_only_relabels():
    observations, record = shown(Sensor(swap_rate=1.0), *ALIASES, states=100)
    for step, observation in enumerate(observations):
        assert observation.crowd.ids.tolist() == [1, 4, 6]
        assert sorted(map(tuple, observation.crowd.positions)) == sorted(
            map(tuple, record.people[step])
        )
    moved = [o.crowd.positions[:, 1].tolist() for o in observations]
    assert all(sum(np.not_equal(a, b)) == 2 for a, b in pairwise(moved))


@pytest.mark.parametrize(("delay", "steps"), [(0.05, 1), (0.5, 10), (0.15, 3), (0.01, 1)])
def test_people_are_seen_late_and_at_first_not_at_all(delay, steps):
    observations, record = shown(Sensor(delay=delay), crossing(), states=150)
    assert all(len(o.crowd) == 0 for o in observations[:steps])
    late = [o.crowd.positions for o in observations[steps:]]
    np.testing.assert_array_equal(late, record.people[: len(late)])


def test_the_robot_knows_its_own_motion_whatever_it_sees_of_people():
    driver = Driver(Twist(1.0, 0.3))
    sensor = Sensor(position_noise=1.0, velocity_noise=1.0, delay=1.0, miss_rate=0.5)
    record = simulate(scenario(crossing(), sensor=sensor), driver)
    poses = [o.robot.pose for o in driver.observations]
    np.testing.assert_array_equal(
        [(p.x, p.y, p.heading) for p in poses], record.robot[: len(poses)]
    )
    assert [o.time for o in driver.observations] == record.times[: len(poses)].tolist()


def test_the_record_holds_what_the_planner_saw():
    sensor = Sensor(position_noise=0.1, miss_rate=0.3, swap_rate=0.2, delay=0.1, range=4.0)
    observations, record = shown(sensor, *ALIASES, states=150)
    for step, observation in enumerate(observations):
        row = np.full((3, 2), np.nan)
        row[np.searchsorted(record.ids, observation.crowd.ids)] = observation.crowd.positions
        np.testing.assert_array_equal(record.seen[step], row)
    assert np.isfinite(record.seen).any() and np.isnan(record.seen).any()
    np.testing.assert_array_equal(record.people, shown(Sensor(), *ALIASES, states=150)[1].people)


def test_the_same_seed_sees_the_same_and_another_seed_does_not():
    sensor = Sensor(position_noise=0.1, miss_rate=0.3, swap_rate=0.2)
    one, again, other = (shown(sensor, *PAIR, seed=seed, states=50)[1] for seed in (7, 7, 8))
    assert record_bytes(one) == record_bytes(again)
    assert not np.array_equal(one.seen, other.seen, equal_nan=True)


def test_what_the_planner_does_to_what_it_saw_changes_nothing():
    def vandal(observation):
        for array in (observation.crowd.positions, observation.crowd.ids):
            if array.flags.writeable:
                array[:] = 7
        return Twist(0.0, 0.0)

    task = scenario(*PAIR, sensor=Sensor(position_noise=0.1), time_limit=2.0)
    spoilt, plain = simulate(task, Driver(vandal)), simulate(task, Driver())
    for name in ("people", "seen"):
        np.testing.assert_array_equal(getattr(spoilt, name), getattr(plain, name))


def test_what_is_sensed_cannot_be_written_to():
    observations, _ = shown(Sensor(position_noise=0.1), *PAIR, states=3)
    crowd = observations[0].crowd
    arrays = (crowd.ids, crowd.positions, crowd.velocities, crowd.radii)
    assert not any(array.flags.writeable for array in arrays)


def test_episodes_of_other_names_draw_other_noise():
    task = scenario(*PAIR, sensor=Sensor(position_noise=0.1), time_limit=1.0)
    one, again, other = (
        simulate(replace(task, name=name), Driver()).seen for name in ("one", "one", "other")
    )
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other, equal_nan=True)


def test_with_nobody_there_a_poor_sensor_sees_nobody():
    sensor = Sensor(position_noise=0.1, swap_rate=1.0, miss_rate=0.5, delay=0.2, occlusion=True)
    observations, record = shown(sensor, states=20)
    assert all(len(o.crowd) == 0 for o in observations)
    assert record.seen.shape == (21, 0, 2)
