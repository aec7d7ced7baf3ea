import math
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drives import line, mirrored, moved, record, relabelled
from paseo.metrics.record.catalog import METRICS, PUBLISHED
from paseo.metrics.record.measure import measure
from paseo.metrics.record.metric import Metric
from paseo.world.arrays import FloatArray
from paseo.world.records import Outcome, Record
from paseo.world.space.floorplan import Place, PlaceKind
from worlds import plan

PLANNING = ("planning_time", "planning_time_p95")
PILLARS = replace(
    plan("hall", (0, 0, 10, 10), (4, 4, 5, 6), (6, 2, 7, 4)),
    places=(Place("door", PlaceKind.DOOR, 1, 9), Place("exit", PlaceKind.EXIT, 9, 1)),
)
# These have no value for people or places that are never there.
NEED_MORE = {
    "group_intrusion", "pass_side", "legibility", "goal_traversal_ratio", "people_pushed",
    "impact_speed", "minimum_person_distance",
}  # fmt: skip


def outing(seed: int, outcome: Outcome, *, people: int = 4, states: int = 40) -> Record:
    """A robot and people who stray about in a hall with pillars, a group among them."""
    rng = np.random.default_rng(seed)

    def stray(x: float, y: float) -> FloatArray:
        return np.array([x, y]) + np.cumsum(rng.normal(0.02, 0.06, (states, 2)), axis=0)

    walks = [stray(*rng.uniform(1, 6, 2)) for _ in range(people)]
    walks[0][: states // 4] = math.nan
    robot = np.column_stack([stray(2, 5), rng.uniform(-4, 4, states)])
    return record(robot, walks, outcome=outcome, floorplan=PILLARS, groups=((1, 2, 3),), dt=0.1)


OUTINGS = st.builds(
    outing, st.integers(0, 2**32 - 1), st.sampled_from([Outcome.REACHED_GOAL, Outcome.OUT_OF_TIME])
)


def assert_same(one: Record, other: Record, metrics: tuple[Metric, ...] = METRICS) -> None:
    first, second = measure(one, metrics=metrics), measure(other, metrics=metrics)
    for name, each in first.items():
        assert second[name].note == each.note, name
        if each.value is not None:
            # A path bends a millionth of a metre beside a corner.
            assert second[name].value == pytest.approx(each.value, rel=1e-5, abs=1e-5), name
        if each.samples is not None:
            np.testing.assert_allclose(second[name].samples, each.samples, rtol=1e-5, atol=1e-5)


@settings(max_examples=40)
@given(OUTINGS, st.floats(-4, 4), st.tuples(st.floats(-80, 80), st.floats(-80, 80)))
def test_no_metric_depends_on_the_maps_origin_or_direction(
    drive: Record, angle: float, shift: tuple[float, float]
) -> None:
    assert_same(drive, moved(drive, angle=angle, shift=shift))


@settings(max_examples=20)
@given(OUTINGS, st.permutations(range(4)))
def test_no_metric_depends_on_the_order_of_people(drive: Record, order: list[int]) -> None:
    ids = {person: place + 1 for person, place in enumerate(order, 1)}
    assert_same(drive, relabelled(drive, ids))


@settings(max_examples=20)
@given(OUTINGS)
def test_no_metric_but_the_side_of_passing_tells_left_from_right(drive: Record) -> None:
    others = tuple(each for each in METRICS if each.name != "pass_side")
    assert_same(drive, mirrored(drive), metrics=others)
    side, other = (measure(each)["pass_side"].value for each in (drive, mirrored(drive)))
    assert other == (None if side is None else pytest.approx(-side))


@given(OUTINGS)
def test_measuring_changes_nothing(drive: Record) -> None:
    robot, people = drive.robot.copy(), drive.people.copy()
    measure(drive)
    measure(drive, metrics=PUBLISHED)
    np.testing.assert_array_equal(drive.robot, robot)
    np.testing.assert_array_equal(drive.people, people)


def straight(dt: float) -> Record:
    """Past somebody who stands beside the way, with a pair behind and a door elsewhere."""
    people = [(5.03, 6), (1.5, 5.3), (1.5, 4.7)]
    headings = np.full((round(6 / dt) + 1, 1), 0.1)
    path = np.hstack([line(dt=dt), headings])
    return record(path, people, floorplan=PILLARS, groups=((2, 3),), dt=dt)


def test_halving_the_time_step_of_constant_motion_leaves_totals_as_they_are() -> None:
    coarse, fine = measure(straight(0.05)), measure(straight(0.025))
    same = {
        "success", "person_collisions", "path_length", "path_length_ratio", "path_traversal_time",
        "path_irregularity", "speed", "energy", "acceleration", "jerk", "spl", "pass_side",
        "success_weighted_by_time", "minimum_obstacle_clearance", "stalled_time", "heading_change",
        "caused_contacts", "shared_contacts", "walked_into_contacts", "contacts_per_kilometre",
        "failure_to_progress", "minimum_person_distance",
    }  # fmt: skip
    for name in coarse.keys() - {*PLANNING, "goal_traversal_ratio", "impact_speed"}:
        # The others are means over states or counts of them, and converge.
        tolerance = 1e-6 if name in same else 0.1
        assert fine[name].value == pytest.approx(coarse[name].value, abs=tolerance), name


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_one_state_gives_a_number_or_a_note_never_both(metric: Metric) -> None:
    for drive in (record([(2, 5)]), record([(2, 5)], [(2, 5)]), record([(8, 5)])):
        found = measure(drive, metrics=[metric])[metric.name]
        assert (found.value is None) == found.note.startswith("not available: ")
        assert found.value is None or math.isfinite(found.value)


def test_a_bare_log_says_what_it_lacks_and_measures_the_rest() -> None:
    found = measure(record(line(), [(5, 6)], missing=("goal", "map")))
    lacking = {name: each.note for name, each in found.items() if each.value is None}
    needs_goal = {
        "success", "path_length_ratio", "goal_traversal_ratio", "path_irregularity", "spl",
        "success_weighted_by_time", "legibility", "failure_to_progress",
    }  # fmt: skip
    assert lacking == {
        **dict.fromkeys(needs_goal, "not available: needs the goal"),
        "impact_speed": "not available: undefined for this record",
        "minimum_obstacle_clearance": "not available: needs the map",
        "group_intrusion": "not available: needs annotated groups",
        "people_pushed": "not available: needs people who react; these walked as recorded",
        **dict.fromkeys(PLANNING, "not available: needs measured planning times"),
    }


def test_with_nobody_there_everything_else_is_measured() -> None:
    found = measure(record(line()), planning_s=[0.1])
    assert {name for name, each in found.items() if each.value is None} == NEED_MORE


def test_planning_time_is_the_median_over_steps_which_one_slow_step_does_not_move() -> None:
    seconds = [0.1 * k for k in range(1, 21)] + [1000.0]
    found = measure(record(line()), planning_s=seconds)
    assert found["planning_time"].value == pytest.approx(1.1)
    assert found["planning_time_p95"].value == pytest.approx(2.0)
    assert found["planning_time"].samples is not None
    assert len(found["planning_time"].samples) == 21
    published = measure(record(line()), metrics=PUBLISHED, planning_s=[0.1, 0.2])
    assert published["planning_time"].value == pytest.approx(0.3)
    for none in (None, []):
        unmeasured = measure(record(line()), planning_s=none)
        assert all(unmeasured[name].value is None for name in PLANNING)


def test_every_metric_of_the_catalogue_is_described_and_named_once() -> None:
    for metrics in (METRICS, PUBLISHED):
        names = [each.name for each in metrics]
        assert len(set(names)) == len(names)
        assert all(each.unit and each.source and each.summary for each in metrics)
    assert all(each.formula for each in METRICS)


@pytest.mark.parametrize(("people", "limit"), [(44, 0.010), (152, 0.040)])
def test_a_minute_among_many_people_is_measured_in_no_time(people: int, limit: float) -> None:
    drive = outing(1, Outcome.REACHED_GOAL, people=people, states=1201)
    measure(drive)  # compiles
    seconds = []
    for _ in range(10):
        began = time.process_time()
        measure(drive)
        seconds.append(time.process_time() - began)
    assert min(seconds) < limit
