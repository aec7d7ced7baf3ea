"""What a model that drove was asked is made again, byte for byte, without asking anybody."""

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec import structs

from paseo.deciding.decisions import Decision, decisions_file, read_decisions
from paseo.suite.recalled import Recalled, asked_a_model, recalled
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from paseo.vlm.models import Prompt
from paseo.world.recordfile import load_record
from paseo.world.records import Record
from paseo.world.scenarios import Reaction
from runs import suite

# A model that notes what it is sent, chooses in turn, takes its time, and answers few questions.
SPY = """
import hashlib, json, pathlib
from paseo.vlm.models import Reply

class Spy:
    name = "spy"
    def __init__(self, model, settings):
        self.log = pathlib.Path(__file__).with_suffix(".jsonl")
    def ask(self, prompt):
        sent = [prompt.text, [hashlib.sha256(each.content).hexdigest() for each in prompt.images]]
        with self.log.open("a") as log:
            log.write(json.dumps(sent) + "\\n")
        count = len(self.log.read_text().splitlines())
        said = {each.key: each.choices[count % len(each.choices)] for each in prompt.questions
                if not each.several}
        return Reply(text="Well... " + prompt.answered(said), latency_s=0.07 * (count % 5))
"""


def sent(prompt: Prompt) -> list[object]:
    return [prompt.text, [sha256(each.content).hexdigest() for each in prompt.images]]


def driven(folder: Path, words: str, **how: object) -> tuple[Path, Record, list[Decision]]:
    """One episode that the spy drove; then it is gone."""
    spy = folder / "spy.py"
    spy.write_text(SPY)
    options = RunOptions(runner="serial", limit=1, **how)  # type: ignore[arg-type]
    planner = f"vlm:model={spy}:Spy,every_s=0.4,{words}"
    done = run(suite(folder), planner, out=folder / "out", options=options)
    spy.unlink()
    file = done.folder / "records" / done.results[0].record
    return file, load_record(file), list(read_decisions(decisions_file(file)))


def log(folder: Path) -> list[object]:
    return [json.loads(line) for line in (folder / "spy.jsonl").read_text().splitlines()]


def put(made: Recalled) -> list[object]:
    """All prompts in the order in which they were sent."""
    both = [(each.questions, each.choice) for _, each in sorted(made.put.items())]
    return [sent(prompt) for pair in both for prompt in pair if prompt is not None]


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ("view=text,think=questions", {}),
        ("view=picture,think=none", {"clock": "charged", "thinking": "follow"}),
        pytest.param(
            "view=picture,think=questions",
            {"clock": "charged", "sensing": ("full",), "perceptions": ("ids",)},
            marks=[pytest.mark.slow, pytest.mark.extra("camera")],
        ),
    ],
)
def test_every_prompt_is_the_one_that_was_sent(
    tmp_path: Path, words: str, how: dict[str, object]
) -> None:
    file, record, decisions = driven(tmp_path, words, **how)
    assert asked_a_model(record) and len(decisions) >= 3
    made = recalled(file, record, decisions, range(len(decisions)))
    assert made.problem == ""
    assert put(made) == log(tmp_path)
    few = recalled(file, record, decisions, {1})
    assert list(few.put) == [1]
    assert few.put[1] == made.put[1]


def test_a_drive_that_goes_otherwise_is_told_only_as_far_as_it_is_the_same(tmp_path: Path) -> None:
    file, record, decisions = driven(tmp_path, "view=text,think=none")
    other = next(each.letter for each in decisions[0].candidates
                 if each.letter != decisions[0].chosen)  # fmt: skip
    decisions[0] = structs.replace(decisions[0], chosen=other)
    made = recalled(file, record, decisions, range(len(decisions)))
    assert list(made.put) == [0]
    assert made.problem.endswith("what is asked is not what was asked, first at 0.4 s")
    decisions[0] = structs.replace(decisions[0], chosen="no letter")
    assert recalled(file, record, decisions, [2]).put == {}


def test_fewer_decisions_than_were_made_are_no_trouble(tmp_path: Path) -> None:
    file, record, decisions = driven(tmp_path, "view=text,think=none")
    assert list(recalled(file, record, decisions[:2], range(2)).put) == [0, 1]


def test_a_world_by_code_of_somebodys_own_is_not_made_again(tmp_path: Path) -> None:
    file, record, decisions = driven(tmp_path, "view=text,think=none")
    (tmp_path / "mine.py").write_text("raise SystemExit")
    mine = Reaction(reactivity=1.0, by=f"{tmp_path / 'mine.py'}:Mine")
    other = replace(record, scenario=replace(record.scenario, reaction=mine))
    made = recalled(file, other, decisions, [0])
    assert made.put == {} and "code of somebody's own" in made.problem
