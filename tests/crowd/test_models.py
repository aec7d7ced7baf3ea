"""Who moves the people: by name, by file, and the sentences where there is nobody to."""

from dataclasses import replace
from pathlib import Path

import pytest

from paseo.cli.main import main
from paseo.crowd.models import make_pedestrian_model, pedestrian_model
from paseo.crowd.reactive import Reactive
from paseo.crowd.replay import Replay
from paseo.errors import BadValue, PaseoError, UnknownName
from paseo.planners.stop import Stop
from paseo.sim.simulate import simulate
from paseo.world.recordfile import load_record, record_bytes
from paseo.world.scenarios import Reaction, ReactionModel
from runs import records, suite
from worlds import crossing, scenario

OWN = """
from paseo.crowd.reactive import Reactive
from paseo.crowd.replay import Replay
from paseo.crowd.steering.orca import Orca

class Frozen(Replay):
    '''People who stand where they begin.'''

    def step(self, snapshot, dt):
        super().step(snapshot, dt)
        return snapshot.crowd

class Clumsy(Replay):
    def step(self, snapshot, dt):
        raise ValueError("stumbled")

class Vague(Replay):
    def begin(self, scenario):
        return None

class Stepless:
    def begin(self, scenario): pass

def careful():
    return Reactive(Orca())

def nobody():
    return None

word = "walk"
"""
TASK = scenario(crossing(), time_limit=1.0)


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(OWN)
    return str(tmp_path / "own.py")


def test_people_walk_as_recorded_unless_they_are_to_answer() -> None:
    for reaction in (None, Reaction(reactivity=0.0), Reaction(by=ReactionModel.STOP)):
        assert isinstance(pedestrian_model(replace(TASK, reaction=reaction)), Replay)
    for by in ("social-force", "orca"):
        assert isinstance(pedestrian_model(replace(TASK, reaction=Reaction(by=by))), Reactive)


def test_a_users_model_moves_the_people_and_can_be_made_again(own: str, tmp_path: Path) -> None:
    record = simulate(replace(TASK, reaction=Reaction(by=f"{own}:Frozen")), Stop())
    assert (record.people == record.people[0]).all()
    (tmp_path / "record.npz").write_bytes(record_bytes(record))
    again = load_record(tmp_path / "record.npz")
    assert again.scenario.reaction == Reaction(by=f"{own}:Frozen")
    assert record_bytes(simulate(again.scenario, Stop())) == record_bytes(record)


def test_a_function_may_build_on_reactive_people(own: str) -> None:
    by_file = simulate(replace(TASK, reaction=Reaction(by=f"{own}:careful")), Stop())
    shipped = simulate(replace(TASK, reaction=Reaction(by="orca")), Stop())
    assert by_file.people.tobytes() == shipped.people.tobytes()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Stepless", "Stepless has no method step()"),
        ("nobody", "NoneType has no method begin()"),
        ("word", "word is neither a class nor a function that makes a model"),
        ("Forzen", "Did you mean 'Frozen'?"),
    ],
)
def test_what_is_no_model_is_refused(own: str, name: str, words: str) -> None:
    with pytest.raises((BadValue, UnknownName)) as caught:
        make_pedestrian_model(f"{own}:{name}")
    assert words in str(caught.value)


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(UnknownName, match="no pedestrian model is called 'orka'. Did you mean"):
        make_pedestrian_model("orka")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Clumsy", r"Clumsy' failed in step\(\) \(ValueError: stumbled\)"),
        ("Vague", r"Vague': begin\(\) returned None, expected a Crowd"),
    ],
)
def test_a_model_that_fails_is_named(own: str, name: str, words: str) -> None:
    with pytest.raises(PaseoError, match=words):
        simulate(replace(TASK, reaction=Reaction(by=f"{own}:{name}")), Stop())


def test_a_run_takes_a_users_model_by_file(own: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = ["run", str(suite(tmp_path)), "--planner", "stop", "--reaction", f"{own}:Frozen"]
    assert main([*words, "--out", str(out)]) == 0
    record = load_record(out / "records" / min(records(out)))
    assert record.scenario.reaction == Reaction(by=f"{own}:Frozen")
    assert "own.py" in record.scenario.data_hashes


def test_a_run_with_an_unknown_model_is_refused_before_it_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", str(suite(tmp_path)), "--planner", "stop", "--reaction", "orka"]
    assert main([*words, "--out", str(tmp_path / "out")]) == 2
    assert "no pedestrian model is called 'orka'" in capsys.readouterr().err
