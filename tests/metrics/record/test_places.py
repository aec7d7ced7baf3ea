import math
from dataclasses import replace

import pytest

from drives import line, record
from paseo.metrics.record.metric import Metric, measured
from paseo.metrics.record.places import legibility, minimum_obstacle_clearance
from paseo.world.motion import Robot
from paseo.world.records import Record
from paseo.world.space.floorplan import FloorPlan, Place, PlaceKind
from worlds import ROOM, plan


def with_places(*spots: tuple[float, float]) -> FloorPlan:
    places = [Place(f"door {k}", PlaceKind.DOOR, x, y) for k, (x, y) in enumerate(spots)]
    return replace(ROOM, places=tuple(places))


def test_clearance_is_the_least_distance_of_the_robots_edge_to_a_wall() -> None:
    assert minimum_obstacle_clearance(record(line())) == pytest.approx(2 - 0.24)
    pillar = plan("pillar", (0, 0, 10, 10), (5, 5.5, 6, 6))
    assert minimum_obstacle_clearance(record(line(), floorplan=pillar)) == pytest.approx(0.26)


def test_clearance_is_negative_in_a_wall_and_outside() -> None:
    into = record([(2, 5), (0.1, 5)])
    assert minimum_obstacle_clearance(into) == pytest.approx(0.1 - 0.24)
    out = record([(2, 5), (-1, 5)])
    assert minimum_obstacle_clearance(out) == pytest.approx(-1 - 0.24)


def test_clearance_is_that_of_the_disc_also_where_walls_count_from_the_centre() -> None:
    near = record([(2, 5), (0.1, 5)], robot=Robot(wall_radius=0.0))
    assert minimum_obstacle_clearance(near) == pytest.approx(0.1 - 0.24)


def test_clearance_of_a_straight_way_does_not_depend_on_the_time_step() -> None:
    clearances = [minimum_obstacle_clearance(record(line(dt=dt), dt=dt)) for dt in (0.1, 0.05)]
    assert clearances[0] == pytest.approx(clearances[1])


def legible(dt: float = 1.0, **changes: object) -> Record:
    """Straight on to the goal at (8, 5), with another door behind the robot's back."""
    floor = with_places((8, 5), (0, 5))
    return record(line(duration=2.0, dt=dt), dt=dt, **{"floorplan": floor, **changes})


def test_legibility_by_hand() -> None:
    # After d metres the goal is d nearer and the other door d farther: exp(d) against exp(-d).
    beliefs = [1 / (1 + math.exp(-2 * d)) for d in (0, 1, 2)]
    expected = (2 * beliefs[0] + 1 * beliefs[1] + 0 * beliefs[2]) / 3
    assert legibility(legible()) == pytest.approx(expected)


def test_legibility_is_higher_where_the_others_are_farther_off_the_way() -> None:
    doors = [(8, 6.5), (8, 9), (2, 9), (0, 5)]
    found = [legibility(legible(floorplan=with_places(door))) for door in doors]
    assert found == sorted(found)
    assert 0.5 < found[0] < found[-1] < 1.0


def test_one_goal_more_never_makes_the_path_more_legible() -> None:
    both = legible(floorplan=with_places((0, 5), (8, 9)))
    assert legibility(both) < legibility(legible())


def test_legibility_converges_with_the_time_step() -> None:
    fine = legibility(legible(0.001))
    errors = [abs(legibility(legible(dt)) - fine) for dt in (0.2, 0.1, 0.05)]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < 0.01


@pytest.mark.parametrize("metric", [minimum_obstacle_clearance, legibility])
def test_what_needs_the_map_says_so(metric: Metric) -> None:
    found = measured(metric, legible(missing=("map",)))
    assert (found.value, found.note) == (None, "not available: needs the map")


def test_legibility_needs_a_goal_and_other_places_to_confuse_it_with() -> None:
    found = measured(legibility, legible(missing=("goal",)))
    assert (found.value, found.note) == (None, "not available: needs the goal")
    for floor in (ROOM, with_places((8, 5.5))):  # that is the goal itself
        found = measured(legibility, legible(floorplan=floor))
        assert (found.value, found.note) == (
            None,
            "not available: needs named places on the floor plan",
        )


def test_legibility_of_one_state_is_undefined() -> None:
    found = measured(legibility, record([(2, 5)], floorplan=with_places((0, 5))))
    assert (found.value, found.note) == (None, "not available: undefined for this record")
