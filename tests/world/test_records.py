"""Records: their shapes, and the one box an episode falls into."""

from dataclasses import replace

import numpy as np
import pytest

from paseo.errors import BadValue
from paseo.world.motion import Control
from paseo.world.records import Contact, Outcome, Provenance, Record, Verdict
from worlds import crossing, scenario, walk

TOUCH = Contact(person=3, first_step=1, last_step=2, x=2.0, y=5.0, counted=True)
RECORD = Record(
    scenario=scenario(crossing(3), walk(8, (0, 1, 1))),
    provenance=Provenance(paseo_version="1", planner="stop", control=Control.VELOCITY),
    outcome=Outcome.OUT_OF_TIME,
    reason="",
    robot=np.zeros((4, 3)),
    commands=np.zeros((3, 3)),
    people=np.zeros((4, 2, 2)),
    contacts=(TOUCH, replace(TOUCH, first_step=3, last_step=3, counted=False)),
)


def test_times_are_whole_steps_and_ids_in_the_order_of_the_columns():
    assert RECORD.times.tolist() == [0, 0.05, 0.1, 3 * 0.05]
    assert RECORD.ids.tolist() == [3, 8]


def test_who_appeared_on_top_of_the_robot_is_not_counted():
    assert len(RECORD.contacts) == 2
    assert RECORD.touches == 1


@pytest.mark.parametrize(
    ("outcome", "untouched", "touched"),
    [
        (Outcome.REACHED_GOAL, Verdict.SUCCESS, Verdict.PERSON_COLLISION),
        (Outcome.HIT_PERSON, Verdict.PERSON_COLLISION, Verdict.PERSON_COLLISION),
        (Outcome.HIT_WALL, Verdict.WALL_COLLISION, Verdict.WALL_COLLISION),
        (Outcome.OUT_OF_TIME, Verdict.TIMEOUT, Verdict.TIMEOUT),
        (Outcome.PLANNER_FAILED, Verdict.PLANNER_FAILED, Verdict.PLANNER_FAILED),
    ],
)
def test_every_ending_falls_into_exactly_one_box(outcome, untouched, touched):
    appeared = replace(TOUCH, counted=False)
    verdicts = [
        replace(RECORD, outcome=outcome, contacts=contacts).verdict
        for contacts in [(), (appeared,), (TOUCH,), (TOUCH, appeared)]
    ]
    assert verdicts == [untouched, untouched, touched, touched]


def test_the_boxes_are_success_t_pc_ec_and_failed_planner():
    assert [verdict.value for verdict in Verdict] == ["success", "T", "PC", "EC", "planner failed"]


@pytest.mark.parametrize(
    "changes",
    [
        {"robot": np.zeros((0, 3))},
        {"robot": np.zeros((4, 2))},
        {"robot": np.full((4, 3), np.nan)},
        {"commands": np.zeros((4, 3))},
        {"people": np.zeros((4, 1, 2))},
        {"people": np.zeros((3, 2, 2))},
        {"people": np.full((4, 2, 2), np.inf)},
        {"seen": np.zeros((4, 2, 3))},
        {"contacts": (replace(TOUCH, person=4),)},
        {"contacts": (replace(TOUCH, first_step=-1),)},
        {"contacts": (replace(TOUCH, last_step=0),)},
        {"contacts": (replace(TOUCH, last_step=4),)},
    ],
)
def test_what_does_not_fit_together_is_no_record(changes):
    with pytest.raises(BadValue, match="record: "):
        replace(RECORD, **changes)
