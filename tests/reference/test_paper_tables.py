"""What the paper's tables and its definitions have to do with each other, on real episodes."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from drives import OUTPUTS, output_of_the_original
from paseo.metrics.record import closeness, endings, motion, paths, published
from paseo.metrics.record.metric import Value, measured
from paseo.world.records import Contact, Record

pytestmark = pytest.mark.recordings


@pytest.fixture(params=OUTPUTS, scope="module")
def drive(request: pytest.FixtureRequest, data_dir: Path) -> Record:
    return output_of_the_original(data_dir, request.param)[0]


def number(value: Value) -> float:
    assert isinstance(value, float)
    return value


def values(value: Value) -> np.ndarray:
    assert isinstance(value, np.ndarray)
    return value


def test_energy_is_the_printed_one_times_dt_but_for_the_first_and_last_step(drive: Record) -> None:
    printed = number(published.energy(drive)) * 0.05
    ends = values(motion.speed(drive))[[0, -2]]  # the last state of all repeats the arrival
    assert motion.energy(drive) == pytest.approx(printed + (ends**2).sum() * 0.05, rel=1e-4)


def test_length_is_the_printed_one_and_the_first_and_last_step(drive: Record) -> None:
    printed = number(published.path_length(drive))
    ends = values(motion.speed(drive))[[0, -2]] * 0.05
    assert paths.path_length(drive) == pytest.approx(printed + ends.sum(), rel=1e-5)


def test_the_path_length_ratio_of_table_3_is_the_inverse_up_to_those_steps(drive: Record) -> None:
    printed, defined = published.path_length_ratio(drive), paths.path_length_ratio(drive)
    assert number(printed) * number(defined) == pytest.approx(1.0, rel=0.01)


def test_energy_per_sample_is_the_square_of_speed_and_its_deviation(drive: Record) -> None:
    # N (mean^2 + sd^2) reproduces the energy column of Table 4 from its speed column.
    speeds = values(published.speed(drive)).astype(float)
    moments = len(speeds) * (speeds.mean() ** 2 + speeds.std() ** 2)
    assert published.energy(drive) == pytest.approx(moments, rel=1e-5)


def test_norms_of_vectors_are_what_the_definitions_average(drive: Record) -> None:
    pairs = ((motion.acceleration, published.acceleration), (motion.jerk, published.jerk))
    for defined, printed in pairs:
        ours, theirs = values(defined(drive)), values(printed(drive))
        # One step at the start and two at the end are not part of the original's trajectory.
        np.testing.assert_allclose(ours[1:-2], theirs, rtol=1e-3, atol=0.05)


def test_the_sampling_baseline_of_table_4_stands_still_every_tenth_step(data_dir: Path) -> None:
    drive, _ = output_of_the_original(data_dir, "SamplingPlanner_t_eth_dense_against")
    speeds = values(published.speed(drive))
    assert (speeds < 1e-3).mean() == pytest.approx(0.1, abs=0.02)
    # Table 4 prints 4.81 m/s^2, 180.86 m/s^3 and 0.99 m/s for it.
    assert measured(published.acceleration, drive).value == pytest.approx(4.81, rel=0.05)
    assert measured(published.jerk, drive).value == pytest.approx(180.86, rel=0.05)
    assert speeds.mean() == pytest.approx(0.99, rel=0.05)


def test_time_is_the_recorded_one_less_the_step_in_which_the_end_is_noticed(drive: Record) -> None:
    assert published.path_traversal_time(drive) == paths.path_traversal_time(drive)
    # As Paseo records it, without the state in which the end is noticed.
    ended = replace(
        drive, robot=drive.robot[:-1], commands=drive.commands[:-1], people=drive.people[:-1]
    )
    late = number(published.path_traversal_time(ended)) - number(paths.path_traversal_time(ended))
    assert late == pytest.approx(0.05)
    np.testing.assert_array_equal(published.trajectory(ended), published.trajectory(drive))


def test_distance_is_the_printed_one_less_both_radii_where_anybody_is_there(drive: Record) -> None:
    printed, defined = (
        values(each.closest_person_distance(drive)) for each in (published, closeness)
    )
    somebody = ~np.isnan(drive.people[..., 0]).all(axis=1)
    expected = np.minimum(printed - (0.24 + 0.2), 10.0)
    np.testing.assert_allclose(defined[somebody], expected[somebody], rtol=1e-9)
    assert (defined[~somebody] == 10.0).all()


def test_whoever_is_on_course_to_collide_also_closes_in(drive: Record) -> None:
    # With velocities that hardly change the defined time is never much before the printed one.
    printed, defined = (values(each.time_to_collision(drive)) for each in (published, closeness))
    sooner = (defined[1:] > 0) & (defined[1:] < 10) & (printed[:-1] > 0)
    assert (defined[1:][sooner] > printed[:-1][sooner] - 1.0).mean() > 0.9
    assert (defined >= 0).all()
    assert (defined <= 10).all()
    assert np.isfinite(defined).all()


def test_irregularity_is_an_angle_and_the_printed_one_depends_on_the_origin(drive: Record) -> None:
    for each in (paths, published):
        assert 0 <= number(each.path_irregularity(drive)) <= math.pi
    assert paths.path_irregularity(drive) != pytest.approx(published.path_irregularity(drive))


def test_success_by_definition_needs_an_empty_list_of_collisions(data_dir: Path) -> None:
    drive, _ = output_of_the_original(data_dir, "SamplingPlanner_t_eth_dense_against")
    gaps = np.linalg.norm(drive.people - drive.robot[:, None, :2], axis=2)
    states = np.flatnonzero((gaps < 0.4).any(axis=1))
    person = int(drive.ids[np.nanargmin(gaps[states[0]])])
    touch = Contact(
        person=person, first_step=states[0], last_step=states[0], x=0, y=0, counted=True
    )
    touched = replace(drive, contacts=(touch,))
    assert (published.success(touched), endings.success(touched)) == (1.0, 0.0)
