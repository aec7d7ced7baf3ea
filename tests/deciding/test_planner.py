"""The planner `vlm`: it follows what a model chooses, and notes every decision."""

import json
from pathlib import Path

import numpy as np
import pytest

from paseo.checks import check_planner
from paseo.deciding.decisions import decision_line, read_decisions
from paseo.deciding.planner import Vlm
from paseo.deciding.words import Think, View
from paseo.errors import BadFile, BadValue
from paseo.planners.choices import PlannerChoice, make_planner, parse_planners
from paseo.sim.charged import ChargedClock
from paseo.sim.simulate import simulate
from paseo.vlm.models import ModelSettings, Prompt, Reply
from paseo.world.clocks import ClockName, Timekeeping
from paseo.world.motion import Control
from paseo.world.planning import RunPlace, decisions_of
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome, Verdict
from worlds import DIVIDED, crossing, scenario, walk

TEXT = View.TEXT


def decisions(planner: Vlm, folder: Path) -> list:
    file = folder / "noted.jsonl"
    file.write_bytes(decisions_of(planner))
    return list(read_decisions(file))


@pytest.mark.parametrize("control", Control)
def test_one_who_takes_the_nearest_to_the_goal_arrives(control: Control, tmp_path: Path) -> None:
    planner = Vlm("scripted/nearest", view=TEXT)
    record = simulate(scenario(time_limit=12.0), planner, control=control)
    assert record.outcome is Outcome.REACHED_GOAL
    noted = decisions(planner, tmp_path)
    assert [each.number for each in noted] == list(range(len(noted)))
    assert [each.time_s for each in noted] == pytest.approx(np.arange(len(noted)) * 1.0)
    assert all(each.chosen == each.rules["nearest"] for each in noted)


def test_it_finds_its_way_around_a_wall() -> None:
    record = simulate(
        scenario(floorplan=DIVIDED, time_limit=40.0), Vlm("scripted/nearest", view=TEXT)
    )
    assert record.verdict is Verdict.SUCCESS


def test_one_who_looks_ahead_waits_for_whom_the_nearest_runs_into() -> None:
    people = [walk(1, (0, 5.0, 7.4), (8, 5.0, 0.2))]
    blind, careful = (
        simulate(scenario(*people, time_limit=20.0), Vlm(f"scripted/{name}", view=TEXT))
        for name in ("nearest", "truth")
    )
    assert blind.verdict is Verdict.PERSON_COLLISION
    assert careful.verdict is Verdict.SUCCESS


def test_what_cannot_be_read_stops_the_robot_and_is_noted(tmp_path: Path) -> None:
    planner = Vlm("scripted/refusing", view=TEXT)
    record = simulate(scenario(time_limit=2.5), planner)
    np.testing.assert_array_equal(record.robot[:, :2], [[2.0, 5.0]] * len(record.robot))
    noted = decisions(planner, tmp_path)
    assert [each.chosen for each in noted] == [None] * 3
    assert all(each.problem for each in noted)


def test_the_candidates_keep_off_walls_and_one_is_to_stay(tmp_path: Path) -> None:
    planner = Vlm("scripted/random", view=TEXT)
    world = scenario(crossing(), time_limit=8.0)
    simulate(world, planner)
    for each in decisions(planner, tmp_path):
        places = np.array([(c.x_m, c.y_m) for c in each.candidates])
        assert [c.letter for c in each.candidates] == sorted(c.letter for c in each.candidates)
        assert 2 <= len(places) <= 9
        stays = [c for c in each.candidates if c.speed_mps == 0]
        assert [(c.x_m, c.y_m) for c in stays] == [each.pose[:2]]
        away = np.hypot(*(places - each.pose[:2]).T)
        assert away.max() <= 1.2 * 2.0 + 1e-3
        assert all(world.floorplan.clearance(x, y) >= 0.24 - 1e-3 for x, y in places)
        assert each.rules["straight"] not in [c.letter for c in stays]


def test_the_same_episode_is_the_same_bytes_again(tmp_path: Path) -> None:
    def driven() -> tuple[bytes, bytes]:
        planner = Vlm("scripted/random")
        record = simulate(scenario(crossing(), time_limit=4.0), planner)
        return record_bytes(record), decisions_of(planner)

    assert driven() == driven()


class Slow:
    """Takes the first letter, and says that it took 0.3 s the first time and more each time."""

    name = "test/slow"
    asked = 0

    def __init__(self, model: str = "", settings: ModelSettings | None = None) -> None:
        pass

    def ask(self, prompt: Prompt) -> Reply:
        type(self).asked += 1
        choice = dict(prompt.questions[0].rules)["nearest"]
        answer = prompt.answered({prompt.questions[0].key: choice})
        return Reply(text=answer, latency_s=0.3 + 0.1 * type(self).asked)


def test_a_stored_reply_is_charged_as_long_as_it_took(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paseo.deciding.planner.make_model", lambda *_: Slow())
    charged = Timekeeping(clock=ClockName.CHARGED)

    def driven() -> tuple[bytes, bytes, list[float]]:
        planner = Vlm("scripted/first", view=TEXT)
        planner.keep_in(RunPlace(folder=tmp_path))
        clock = ChargedClock(charged)
        record = simulate(scenario(crossing(), time_limit=6.0), planner, clock=clock)
        return record_bytes(record), decisions_of(planner), clock.charged

    Slow.asked = 0
    first = driven()
    asked = Slow.asked
    again = driven()
    assert asked >= 3
    assert Slow.asked == asked  # nothing was asked twice
    assert first == again
    took = [each for each in first[2] if each]
    assert took[:2] == pytest.approx([0.4, 0.5])


def test_between_decisions_nothing_is_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    planner = Vlm("scripted/nearest", view=TEXT)
    clock = ChargedClock(Timekeeping(clock=ClockName.CHARGED))
    simulate(scenario(time_limit=3.0), planner, clock=clock)
    assert set(clock.charged) == {0.0}


@pytest.mark.parametrize("view", View)
def test_answers_come_before_the_choice(view: View, tmp_path: Path) -> None:
    plain, asked, true = (Vlm("scripted/truth", view=view, think=think) for think in Think)
    world = scenario(crossing(), time_limit=1.5)
    notes = []
    for planner in (plain, asked, true):
        simulate(world, planner)
        notes.append(decisions(planner, tmp_path)[-1])
    assert notes[0].answers == {}
    assert notes[0].questions_key == notes[2].questions_key == ""
    assert len(notes[1].questions_key) == 64
    key = "q_person_spatial_position_end_p1"
    assert notes[1].answers[key].answer == notes[2].answers[key].answer == ("ahead of",)
    assert notes[2].truth[key] == ("ahead of",)
    assert len({each.prompt_key for each in notes}) > 1
    assert notes[0].people == {"1": 1}


def test_a_model_is_told_its_own_answers() -> None:
    seen: list[Prompt] = []

    class Listening(Slow):
        def ask(self, prompt: Prompt) -> Reply:
            seen.append(prompt)
            answers = {
                each.key: [each.choices[0]] if each.several else each.choices[0]
                for each in prompt.questions
            }
            return Reply(text=prompt.answered(answers), latency_s=0.1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("paseo.deciding.planner.make_model", lambda *_: Listening())
        planner = Vlm("scripted/first", view=TEXT, think=Think.QUESTIONS)
        simulate(scenario(crossing(), time_limit=0.5), planner)
    questions, choice = seen
    assert len(questions.questions) == 15
    assert "Where is person 1" in choice.text
    assert '{"answer": "ahead of"}' in choice.text
    assert planner.thought_s() == 0.0  # of the last answer, which asked nobody
    assert json.loads(decisions_of(planner).splitlines()[0])["latency_s"] == 0.2


def test_words_tell_where_everybody_is() -> None:
    from paseo.deciding.history import History
    from paseo.deciding.words import moment_text
    from paseo.world.motion import Pose, RobotState, Twist
    from paseo.world.planning import Observation
    from worlds import crowd

    history = History(None)
    state = RobotState(Pose(2.0, 5.0, np.pi / 2), Twist(0.0, 0.0), 0.24)
    history.now(Observation(0.0, state, crowd((7, 1.0, 8.0))))
    text = moment_text(history.scene((2.0, 9.0), "drive"))
    assert "The goal is 4.0 m ahead." in text
    assert "Person 1 stands 3.0 m ahead and 1.0 m to the left." in text


def test_it_is_made_from_words(tmp_path: Path) -> None:
    words = "vlm:model=scripted/first,task=waypoints,every_s=0.5,think=truth,view=text,straight"
    choice, other = parse_planners(words)
    planner = make_planner(choice)
    assert isinstance(planner, Vlm)
    assert (planner.every_s, planner.think, planner.view) == (0.5, Think.TRUTH, TEXT)
    assert other == PlannerChoice("straight")
    (own,) = parse_planners("vlm:model=my.py:Mine")
    assert own.parameters == {"model": "my.py:Mine"}
    with pytest.raises(BadValue, match="Did you mean 'scripted'"):
        make_planner(PlannerChoice("vlm", {"model": "script/first"}))
    for wrong in ({"every_s": "0"}, {"think": "hard"}, {"candidates": "1"}, {"task": "steering"}):
        with pytest.raises(BadValue, match=next(iter(wrong))):
            make_planner(PlannerChoice("vlm", {"model": "scripted/first", **wrong}))


def test_damaged_notes_are_told(tmp_path: Path) -> None:
    planner = Vlm("scripted/first", view=TEXT)
    simulate(scenario(time_limit=0.5), planner)
    (noted,) = decisions(planner, tmp_path)
    assert decision_line(noted) == decisions_of(planner)
    file = tmp_path / "bad.jsonl"
    for bad in (b"{}\n", b'{"format": "other"}\n', b"\xff\n", decision_line(noted)[:-9]):
        file.write_bytes(decisions_of(planner) + bad)
        with pytest.raises(BadFile, match="line 2 is damaged"):
            list(read_decisions(file))


def test_it_keeps_the_contract_of_planners() -> None:
    check_planner(lambda: Vlm("scripted/nearest", view=TEXT))
