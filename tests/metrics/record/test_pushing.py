from dataclasses import replace

import numpy as np
import pytest

from paseo.errors import NotAvailable
from paseo.metrics.record.pushing import distances_off_path, people_pushed
from paseo.planners.stop import Stop
from paseo.sim.simulate import simulate
from paseo.world.motion import Pose
from paseo.world.records import Record
from paseo.world.scenarios import Reaction, ReactionModel
from worlds import plan, scenario, walk

WALKS = (walk(1, (0, 1, 2), (8, 9, 2)), walk(2, (0, 1, 8), (8, 9, 8)))


def pushed(*aside: float) -> Record:
    """A record in which each person was moved aside by so much for a while."""
    record = simulate(scenario(*WALKS, time_limit=8.0), Stop())
    people = record.people.copy()
    for person, metres in enumerate(aside):
        people[40:80, person, 1] += metres
    return replace(record, people=people, scenario=replace(record.scenario, reaction=Reaction()))


def test_it_is_the_mean_of_how_far_each_was_pushed() -> None:
    assert people_pushed(pushed(0.6, 0.2)) == pytest.approx(0.4)


def test_who_is_late_on_the_path_was_not_pushed_off_it() -> None:
    record = pushed(0.0, 0.0)
    late = np.roll(record.people, 20, axis=0)
    late[:20] = record.people[0]
    assert people_pushed(replace(record, people=late)) == pytest.approx(0.0)


@pytest.mark.parametrize("origin", [(0.0, 0.0), (0.1, 0.3), (457_000.7, 5_400_000.3)])
@pytest.mark.parametrize("by", list(ReactionModel))
def test_where_nobody_was_moved_it_is_exactly_0(
    origin: tuple[float, float], by: ReactionModel
) -> None:
    crooked = walk(1, (0, 1.1, 2.3), (0.7, 1.9, 2.6), (3.1, 4.7, 3.3), (8, 9.3, 7.7))
    moved = replace(crooked, positions=crooked.positions + origin)
    x, y = origin
    world = scenario(
        moved,
        floorplan=plan("room", (x, y, x + 10.0, y + 10.0)),
        start=Pose(x + 2.0, y + 8.0),
        goal=Pose(x + 8.0, y + 8.0),
        time_limit=8.0,
        reaction=Reaction(by=by, reactivity=0.0),
    )
    assert people_pushed(simulate(world, Stop())) == 0.0


def test_a_push_of_a_micrometre_is_one() -> None:
    assert people_pushed(pushed(1e-6, 1e-6)) == pytest.approx(1e-6)


def test_moving_the_origin_changes_nothing() -> None:
    record = pushed(0.6, 0.2)
    moved = tuple(replace(t, positions=t.positions + (30.0, -7.0)) for t in WALKS)
    there = replace(record, people=record.people + (30.0, -7.0),
                    scenario=replace(record.scenario, tracks=moved))  # fmt: skip
    assert people_pushed(there) == pytest.approx(0.4)


def test_replayed_people_were_not_pushed_and_the_metric_says_so() -> None:
    record = pushed(0.6, 0.2)
    with pytest.raises(NotAvailable, match="as recorded"):
        people_pushed(replace(record, scenario=replace(record.scenario, reaction=None)))


def test_nobody_there_is_no_value() -> None:
    nobody = simulate(scenario(time_limit=1.0), Stop())
    empty = replace(nobody, scenario=replace(nobody.scenario, reaction=Reaction()))
    assert people_pushed(empty) is None


def test_a_person_seen_once_has_a_path_too() -> None:
    once = scenario(walk(1, (0, 3, 3)), time_limit=1.0)
    record = simulate(once, Stop())
    assert distances_off_path(record)[0].tolist() == [0.0]
