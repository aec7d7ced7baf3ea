import math

import numpy as np
import pytest

from drives import line, moved, record
from paseo.metrics.record import closeness, endings, paths, published
from paseo.metrics.record.metric import Value, measured
from paseo.world.motion import Control, Pose
from paseo.world.records import Contact, Outcome, Record

ABSENT = (math.nan, math.nan)
FAR = (20.0, 20.0)


def values(value: Value) -> np.ndarray:
    assert isinstance(value, np.ndarray)
    return value


def arrival(control: Control = Control.POSITION, *, noticed: bool = False) -> Record:
    """Four steps of 0.5 m in 0.5 s each to the goal's edge, and perhaps one state more there."""
    path = [(0, 0), (0.5, 0), (1, 0), (1.5, 0), (2, 0), *([(2, 0)] if noticed else [])]
    return record(path, control=control, goal=Pose(2.2, 0), dt=0.5)


@pytest.mark.parametrize("noticed", [False, True])
def test_neither_the_start_nor_the_arrival_is_part_of_the_trajectory(noticed: bool) -> None:
    samples = published.trajectory(arrival(noticed=noticed))
    assert samples.dtype == np.float32
    assert samples[:, 0].tolist() == [0.5, 1.0, 1.5]
    assert published.path_length(arrival(noticed=noticed)) == 1.0
    assert published.path_traversal_time(arrival(noticed=noticed)) == 2.5


def test_the_end_of_an_episode_that_did_not_arrive_is_part_of_the_trajectory() -> None:
    late = record(line(dt=0.5), outcome=Outcome.OUT_OF_TIME, dt=0.5)
    assert published.trajectory(late)[-1, 0] == 8.0
    assert published.path_traversal_time(late) == 6.0
    crashed = record(line(dt=0.5), outcome=Outcome.HIT_WALL, dt=0.5)
    assert published.path_traversal_time(crashed) == 6.5  # noticed one step late


def test_velocity_mode_doubles_every_pose_and_halves_the_speed() -> None:
    driven = arrival(Control.VELOCITY)
    # The step that arrives has left the pose before it, once more.
    expected = [0.0, 0.5, 0.5, 1.0, 1.0, 1.5, 1.5]
    assert published.trajectory(driven)[:, 0].tolist() == expected
    assert values(published.speed(driven)).tolist() == [1, 0, 1, 0, 1, 0]
    assert measured(published.speed, driven).value == 0.5
    late = record([(0, 0), (0.5, 0), (1, 0)], control=Control.VELOCITY, outcome=Outcome.OUT_OF_TIME)
    assert published.trajectory(late)[:, 0].tolist() == [0.0, 0.5, 0.5, 1.0]


def test_velocity_mode_changes_neither_length_nor_energy_of_the_same_samples() -> None:
    driven, sent = arrival(Control.VELOCITY), arrival()
    # The start is part of it here, so there is one step more.
    assert published.path_length(driven) == published.path_length(sent) + 0.5
    assert published.energy(driven) == published.energy(sent) + 1.0
    assert measured(published.acceleration, driven).value == 2.0
    assert measured(published.acceleration, sent).value == 0.0


def test_ratios_by_hand() -> None:
    late = record([(9, 9), (2, 5), (5, 5), (5, 9)], outcome=Outcome.OUT_OF_TIME)
    assert published.path_length_ratio(late) == pytest.approx((7 + 1e-5) / 6, rel=1e-12)
    assert published.goal_traversal_ratio(late) == pytest.approx(5 / 6)
    assert published.goal_traversal_ratio(arrival()) == pytest.approx(0.7 / 1.7)  # arrived, too


def test_irregularity_is_the_angle_to_the_maps_origin() -> None:
    # The way from (0, 3) to the goal (4, 3) is at a right angle to (0, 3); from (2, 3), not.
    late = record([(9, 9), (0, 3), (2, 3)], goal=Pose(4, 3), outcome=Outcome.OUT_OF_TIME)
    expected = (math.pi / 2 + math.atan2(3, 2)) / 2
    assert published.path_irregularity(late) == pytest.approx(expected)
    elsewhere = moved(late, angle=0.0, shift=(10.0, 0.0))
    assert published.path_irregularity(elsewhere) != pytest.approx(expected, abs=0.1)


def test_irregularity_of_an_arrival_ends_with_a_right_angle_at_the_last_sample() -> None:
    # Both other samples look along the ray from the origin: 0, 0 and pi / 2.
    assert published.path_irregularity(arrival()) == pytest.approx(math.pi / 6)


def test_success_ignores_people() -> None:
    touch = Contact(person=1, first_step=3, last_step=4, x=2, y=5, counted=True)
    met = record(line(), [(2, 5)], contacts=[touch])
    assert (published.success(met), endings.success(met)) == (1.0, 0.0)


def test_energy_has_no_time_step_and_vectors_keep_their_sign() -> None:
    late = record([(0, 0), (0, 0), (0.5, 0), (1.5, 0)], outcome=Outcome.OUT_OF_TIME, dt=0.5)
    assert published.energy(late) == 1 + 4
    assert published.acceleration_vectors(late).tolist() == [[2, 0]]
    assert values(published.acceleration(late)).tolist() == [2]
    assert measured(published.jerk, late).note.startswith("not available: ")


def collisions(*people: list[tuple[float, float]], states: int = 60, **changes: object) -> float:
    found = published.person_collisions(record([(2, 5)] * states, people, **changes))
    assert isinstance(found, float)
    return found


def test_a_contact_counts_again_every_second_that_it_lasts() -> None:
    # At 20 states per second, from state 1 on: in 1, 21, 41.
    for states, count in ((1, 0), (20, 1), (22, 2), (41, 2), (42, 3)):
        stays = [FAR, *[(2.3, 5)] * (states - 1)]
        assert collisions(stays, states=states) == count


def test_two_who_touch_at_once_count_once_and_one_after_the_other_twice() -> None:
    first, later = [FAR, *[(2.3, 5)] * 9], [*[FAR] * 5, *[(2.3, 5)] * 5]
    assert collisions(first, first, states=10) == 1
    assert collisions(first, later, states=10) == 2


def test_touching_again_within_a_second_does_not_count() -> None:
    comes_and_goes = [FAR, (2.3, 5), *[FAR] * 5, (2.3, 5), *[FAR] * 30]
    assert collisions(comes_and_goes, states=38) == 1


def test_one_who_appears_on_the_robot_waits_from_the_state_before() -> None:
    # Present from state 5 on, with 19 of 20 states left to wait: counts in 24 if still there.
    for states, count in ((24, 0), (25, 1), (44, 1), (45, 2)):
        appears = [*[ABSENT] * 5, *[(2.3, 5)] * (states - 5)]
        assert collisions(appears, states=states) == count


def test_discs_of_twenty_centimetres_touch_whatever_the_robots_radius() -> None:
    assert collisions([FAR, (2.39, 5)], states=2) == 1
    assert collisions([FAR, (2.41, 5)], states=2) == 0
    assert collisions([FAR, (2.41, 5)], states=2, person_radius=0.5) == 0


def test_the_distance_is_between_centres_and_stays_while_nobody_is_there() -> None:
    comes = record([(2, 5)] * 5, [[ABSENT, (22, 5), (3, 5), ABSENT, ABSENT]])
    assert values(published.closest_person_distance(comes)).tolist() == [0, 20, 1, 1, 1]
    assert values(published.closest_person_distance(record([(2, 5)] * 2))).tolist() == [0, 0]


def test_time_to_collision_uses_the_robots_step_before_and_at_first_its_last() -> None:
    # Speeds 1, 2 and 0 m/s towards somebody who stands at x = 10; the first is the last, 0.
    drive = record([(2, 5), (3, 5), (5, 5), (5, 5)], [(10, 5)], dt=1.0)
    expected = [math.inf, (5 - 0.2) / 1, (5 - 0.2) / 2]
    assert values(published.time_to_collision(drive)).tolist() == pytest.approx(expected)


def test_time_to_collision_ignores_how_far_somebody_would_miss() -> None:
    # At (3, 5) with 1 m/s along x, seen from there somebody at (6, 9) comes nearer at 0.6 m/s.
    drive = record([(2, 5), (3, 5), (4, 5)], [[(5, 9), (6, 9), (7, 9)]], dt=1.0)
    assert values(published.time_to_collision(drive))[1] == math.inf  # they walk side by side
    stands = record([(2, 5), (3, 5), (4, 5)], [(7, 9)], dt=1.0)
    assert values(published.time_to_collision(stands))[1] == pytest.approx((5 - 0.2) / 0.6)
    assert values(closeness.time_to_collision(stands)).tolist() == [10, 10]


def test_time_to_collision_is_minus_one_while_nobody_closes_in() -> None:
    leaves = record([(2, 5)] * 4, [[(4, 5), (5, 5), ABSENT, ABSENT]], dt=1.0)
    assert values(published.time_to_collision(leaves)).tolist() == [-1, -1, -1]
    assert values(published.time_to_collision(record([(2, 5)] * 3))).tolist() == [-1, -1]


def test_new_people_stand_in_their_first_state() -> None:
    drive = record([(2, 5), (3, 5), (4, 5)], [[ABSENT, ABSENT, (9, 5)]], dt=1.0)
    assert values(published.time_to_collision(drive)).tolist() == pytest.approx([-1, 4.8])


def test_what_one_or_two_states_leave_undefined_is_no_number() -> None:
    for states in (1, 2):
        short = record([(2, 5), (3, 5)][:states])
        for metric in published.METRICS:
            found = measured(metric, short)
            assert (found.value is None) == bool(found.note), metric.name
        for metric in (published.path_length, published.path_length_ratio, published.speed):
            assert measured(metric, short).value is None


def test_without_a_goal_the_published_ratios_are_not_available_either() -> None:
    log = record(line(), missing=("goal",))
    for metric in (
        published.path_length_ratio, published.goal_traversal_ratio, published.path_irregularity
    ):  # fmt: skip
        assert measured(metric, log).note == "not available: needs the goal"


def test_every_published_variant_has_a_definition_of_the_same_name() -> None:
    from paseo.metrics.record.catalog import PAPER

    assert [each.name for each in published.METRICS] == [each.name for each in PAPER]
    assert all(each.original for each in PAPER)
    assert paths.path_length.variant != published.path_length.variant
