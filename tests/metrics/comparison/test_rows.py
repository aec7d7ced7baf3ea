"""A row is made of values: whatever an episode is run with makes a row of its own."""

from dataclasses import replace

import pytest

from drives import line, record
from paseo.metrics.comparison.rows import RowSettings, settings_of
from paseo.world.scenarios import Gait, Pause, Reaction, ReactionModel, Scenario, Sensor

PLAIN = record(line()).scenario
STOP = ReactionModel.STOP


def test_the_usual_settings_are_those_of_a_scenario_that_says_nothing() -> None:
    assert (
        settings_of(
            Scenario(name="e", floorplan=PLAIN.floorplan, start=PLAIN.start, goal=PLAIN.goal)
        )
        == RowSettings()
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"dt": 0.1},
        {"stop_on_contact": True},
        {"pause": Pause()},
        {"pause": Pause(cooldown=0.5)},
        {"sensor": Sensor(miss_rate=0.1)},
        {"person_radius": 0.3},
        {"goal_radius": 0.5},
        {"gait": Gait.NATURAL},
        {"reaction": Reaction()},
        {"reaction": Reaction(by=STOP)},
        {"reaction": Reaction(by=STOP, foresight=2.0)},
        {"reaction": Reaction(of_people={7: 0.5})},
        {"reaction": Reaction(of_people={7: 0.6})},
    ],
    ids=str,
)
def test_every_setting_makes_other_settings(changes: dict[str, object]) -> None:
    others = [RowSettings(), settings_of(replace(PLAIN, reaction=Reaction(by=STOP, foresight=9.0)))]
    found = settings_of(replace(PLAIN, **changes))
    assert found not in others
    assert hash(found) == hash(settings_of(replace(PLAIN, **changes)))


def test_how_much_people_answer_is_no_setting_but_the_rows_own() -> None:
    half, whole = (replace(PLAIN, reaction=Reaction(reactivity=much)) for much in (0.5, 1.0))
    assert settings_of(half) == settings_of(whole)
