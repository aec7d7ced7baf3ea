"""Rows in words: whatever makes a row of its own is told wherever rows are named."""

import json
from dataclasses import fields, replace
from typing import Any

import pytest

from comparisons import compared, episode, row
from paseo.metrics.comparison.cautions import Caution
from paseo.metrics.comparison.rows import Row, RowSettings
from paseo.report.formats import LAYOUTS
from paseo.report.walk.compared.output import as_json
from paseo.report.walk.compared.tables import tables
from paseo.report.walk.rows import label, labels, robot_words, settings_words, warnings
from paseo.world.clocks import ClockName, Late, Thinking, Timekeeping
from paseo.world.motion import Control, Robot
from paseo.world.scenarios import Gait, Pause, ReactionModel, Sensor

ROBOT = Robot(name="r")
SETTINGS = RowSettings(reaction=ReactionModel.ORCA, foresight=1.0, reactivity_of=((7, 0.5),))
ROBOTS = {
    "name": "s", "radius": 0.25, "max_speed": 1.3, "max_reverse_speed": 0.4, "max_turn": 1.2,
    "max_acceleration": 2.0, "max_turn_acceleration": 3.0, "sensor_height": 1.1,
    "wall_radius": 0.0,
}  # fmt: skip
CHANGES = {
    "dt": 0.1, "stop_on_contact": True, "pause": Pause(duration=2.0),
    "reaction": ReactionModel.STOP, "foresight": 2.0, "reactivity_of": ((7, 0.6),),
    "sensor": Sensor(range=5.0), "person_radius": 0.3, "goal_radius": 0.5,
    "gait": Gait.NATURAL,
}  # fmt: skip
DIFFERENT = [
    *(row("a", robot=replace(ROBOT, **{key: value})) for key, value in ROBOTS.items()),
    *(row("a", settings=replace(SETTINGS, **{key: value})) for key, value in CHANGES.items()),
    row("a", control=Control.VELOCITY),
    row("a", rule="everyone"),
    row("a", reactivity=0.5),
    row("a", latency_s=0.5),
    row("a", clock=Timekeeping(clock=ClockName.CHARGED)),
    row("a", clock=Timekeeping(clock=ClockName.ASYNC)),
]


CHARGED = Timekeeping(clock=ClockName.CHARGED)
KEPT = [
    replace(CHARGED, thinking=Thinking.STOP),
    replace(CHARGED, late=Late.THERE),
    replace(CHARGED, repeat_limit_s=1.0),
    replace(CHARGED, clock=ClockName.ASYNC),
]


def twin(other: Row) -> Row:
    """The row that differs from another in one thing."""
    settings = RowSettings() if other.settings == RowSettings() else SETTINGS
    return row("a", robot=ROBOT, settings=settings)


def test_no_field_is_forgotten_here() -> None:
    assert list(ROBOTS) == [field.name for field in fields(Robot)]
    assert set(CHANGES) == {field.name for field in fields(RowSettings)}


@pytest.mark.parametrize("kept", KEPT)
def test_rows_of_another_clock_or_policy_are_told_apart_and_warned_of(kept: Timekeeping) -> None:
    rows = [row("a", clock=CHARGED, latency_s=0.5), row("a", clock=kept, latency_s=0.5)]
    assert len(set(labels(rows).values())) == 2
    found = compared(*(episode(f"e{k}", each) for each in rows for k in range(3)), draws=20)
    assert len(found.summaries) == 2
    assert found.warnings == (Caution.CLOCKS,)
    said = "clock charged: hold while thinking; late answers here"
    assert warnings(found)[0].startswith("rows differ in their clocks (clock ")
    assert said in warnings(found)[0]


@pytest.mark.parametrize("other", DIFFERENT)
def test_rows_that_differ_in_one_thing_are_told_apart_everywhere(other: Row) -> None:
    rows = [twin(other), other]
    names = list(labels(rows).values())
    assert len(set(names)) == 2
    found = compared(*(episode(f"e{k}", each) for each in rows for k in range(3)), draws=20)
    for table in tables(found):
        cells = [*table.header, *(cell for line in table.rows for cell in line)]
        assert not ("planner" in table.header or "first" in table.header) or {*names} <= {*cells}
    for layout in LAYOUTS.values():
        assert layout(tables(found))
    one, two = (json.dumps(each["row"]) for each in as_json(found)["summaries"])
    assert one != two


@pytest.mark.parametrize(
    ("key", "near"),
    [("radius", 0.24000001), ("max_turn", 1.1000001), ("max_speed", 1.2000001)],
)
def test_numbers_that_look_the_same_in_short_are_written_in_full(key: str, near: float) -> None:
    rows = [row("a"), row("a", robot=replace(ROBOT, **{key: near}))]
    assert repr(near) in label(rows[1], rows)
    assert repr(getattr(ROBOT, key)) in label(rows[0], rows)


def test_a_row_is_labelled_by_what_tells_it_from_others_of_its_planner() -> None:
    rows = [row("orca"), row("orca", rule="everyone"), row("sf", robot=Robot(name="tall"))]
    assert label(rows[1], rows) == "orca (everyone)"
    assert label(rows[2], rows) == "sf"
    same = [row("orca"), row("orca", control=Control.VELOCITY, robot=Robot(name="tall"))]
    limits = "radius 0.24 m, 1.2 m/s, 1.1 rad/s, inf m/s^2"
    assert [label(each, same) for each in same] == [
        f"orca (position, r, {limits})",
        f"orca (velocity, tall, {limits})",
    ]


def test_a_row_without_a_rule_is_told_from_one_with_a_rule() -> None:
    rows = [row("orca", rule=""), row("orca", rule="everyone")]
    assert label(rows[0], rows) == "orca (no rule)"


def test_what_robots_have_in_common_is_said_only_of_the_usual_things() -> None:
    quick = replace(ROBOT, max_turn_acceleration=3.0, max_reverse_speed=0.5)
    rows = [row("a", robot=quick), row("b", robot=quick)]
    assert robot_words(rows[0], rows) == "r, radius 0.24 m, 1.2 m/s, 1.1 rad/s, inf m/s^2"
    assert label(rows[0], rows) == "a"
    rows = [row("a", robot=quick), row("a", robot=replace(quick, max_turn_acceleration=2.0))]
    assert [label(each, rows).removeprefix("a (r, radius 0.24 m, ") for each in rows] == [
        "1.2 m/s, 1.1 rad/s, inf m/s^2, 3 rad/s^2)",
        "1.2 m/s, 1.1 rad/s, inf m/s^2, 2 rad/s^2)",
    ]


def test_settings_are_told_where_they_are_not_the_usual_ones() -> None:
    def words(**changes: Any) -> str:
        one = row("a", settings=RowSettings(**changes))
        return settings_words(one, [one])

    assert words() == ""
    assert words(dt=0.1, stop_on_contact=True) == "steps of 0.1 s, ends on contact"
    assert words(person_radius=0.25, goal_radius=1.0) == "people of 0.25 m, goal of 1 m"
    answering = {"reaction": ReactionModel.ORCA, "foresight": 1.0}
    assert words(**answering) == "people answer by orca"
    assert words(**answering, reactivity_of=((7, 0.5),)) == (
        "people answer by orca, others for some people"
    )


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (row("b", rule="everyone"), "rows differ in their presence rules (everyone, none)"),
        (row("b", control=Control.VELOCITY), "rows differ in their control modes (position, vel"),
        (row("b", settings=RowSettings(dt=0.1)), "their settings (steps of 0.1 s, the usual)"),
        (row("b", robot=replace(ROBOT, max_turn_acceleration=2.0)), "2 rad/s^2, r, radius 0.24"),
    ],
)
def test_warnings_say_in_what_rows_differ(other: Row, words: str) -> None:
    (said,) = warnings(compared(episode("e0", row("a")), episode("e0", other), draws=20))
    assert words in said


def test_warnings_of_machines_and_episodes_are_sentences_of_their_own() -> None:
    found = compared(episode("e0", "a"), episode("e1", "b", machine="other"), draws=20)
    assert found.warnings == (Caution.MACHINES, Caution.EPISODES)
    assert warnings(found) == [
        "planning times come from different machines and cannot be compared",
        "rows ran different episodes; differences use those that both ran",
    ]


def test_ranks_of_two_robots_with_one_planner_are_two_lines() -> None:
    rows = [
        row(planner, robot=replace(ROBOT, max_turn_acceleration=limit), reactivity=level)
        for planner, limit in (("a", 2.0), ("a", 3.0), ("b", 2.0))
        for level in (0.0, 1.0)
    ]
    found = compared(*(episode(f"e{k}", each) for each in rows for k in range(3)), draws=20)
    table = next(each for each in tables(found) if each.caption.startswith("Ranks by reactivity."))
    names = [line[1] for line in table.rows if line[0] == "success"]
    assert len(set(names)) == 3
    assert names[2] == "b"
    assert all("-" not in line[2:] for line in table.rows)
