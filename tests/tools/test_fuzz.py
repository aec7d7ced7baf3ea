"""The fuzzer finds faults that were planted, finds none where there is none, and repeats itself."""

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from fuzz import table
from fuzz.mutators.files import BY_ENDING
from fuzz.oracles import kept, same
from fuzz.target import Limits, Lost, Trial, Verdict
from fuzz.targets import TARGETS, UNFUZZED
from fuzz.watching import Order, Problem, keep, trials

import planted
from paseo.cli.main import parser
from small_files import mutants, samples

QUICK = Limits(cpu_s=1.0, mib=200.0, silence_s=3.0)
MUTANTS = 2  # of each program


def example(folder: Path) -> Path:
    planted.make(folder)
    return folder


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Trial | Problem]]:
    """What comes of the mutants for each program; all of them are tried, whoever dies."""
    folder = example(tmp_path_factory.mktemp("cart"))
    orders = [
        Order(target=each, first=0, last=MUTANTS, example=folder)
        for each in planted.TARGETS.values()
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", ":".join(sys.path))
        met = list(trials(orders, "seed", QUICK, targets="planted"))
    return {name: [each for each in met if each.target == name] for name in planted.TARGETS}


def verdicts(met: list[Trial | Problem]) -> set[Verdict]:
    assert [each.number for each in met if isinstance(each, Trial)] == list(range(MUTANTS))
    return {each.verdict for each in met if isinstance(each, Trial)}


@pytest.mark.parametrize(
    ("program", "verdict"),
    [
        ("raises", Verdict.TRACEBACK),
        ("dies", Verdict.TRACEBACK),
        ("hangs", Verdict.HANG),
        ("waits", Verdict.HANG),
        ("eats", Verdict.MEMORY),
        ("floods", Verdict.MEMORY),
        ("mumbles", Verdict.WORDS),
        ("paints", Verdict.WORDS),
        ("takes_all", Verdict.LOST),
    ],
)
def test_a_planted_fault_is_found(
    found: dict[str, list[Trial | Problem]], program: str, verdict: Verdict
) -> None:
    assert verdict in verdicts(found[program])
    assert verdicts(found[program]) <= {verdict, Verdict.ACCEPTED}


@pytest.mark.parametrize("program", ["good", "scribbles"])
def test_a_program_without_a_fault_has_none(
    found: dict[str, list[Trial | Problem]], program: str
) -> None:
    assert verdicts(found[program]) <= {Verdict.REFUSED, Verdict.ACCEPTED}


def test_a_target_whose_good_example_is_refused_is_told(
    found: dict[str, list[Trial | Problem]],
) -> None:
    (problem,) = found["refuses_all"]
    assert isinstance(problem, Problem)
    assert "the good example fails (refused): paseo: no; go away" in problem.words


def test_failures_of_one_cause_are_one_line_with_what_repeats_them(
    found: dict[str, list[Trial | Problem]],
) -> None:
    row = table.Row("raises")
    firsts = [row.add(each) for each in found["raises"] if isinstance(each, Trial)]
    assert firsts == [True, False]
    told = table.causes([row], "seed")
    assert told.startswith("traceback x 2: raises: KeyError in ")
    assert told.endswith("again: python -m fuzz --seed seed --only 'raises' --number 0")
    assert table.causes([table.Row("good")], "seed") == ""
    assert table.text([row]).splitlines()[1].split()[:2] == ["raises", "2"]


def test_the_guilty_file_is_kept(tmp_path: Path) -> None:
    folder = tmp_path / "cart"
    folder.mkdir()
    order = Order(target=planted.TARGETS["raises"], first=0, last=9, example=example(folder))
    trial = Trial(target="raises", number=5, verdict=Verdict.TRACEBACK)
    one, other = (keep(trial, order, "seed", tmp_path / name) for name in ("a", "b"))
    assert one.name == "raises-seed-5"
    assert (one / "cart.json").read_bytes() == (other / "cart.json").read_bytes()
    assert (one / "cart.json").read_bytes() != (folder / "cart.json").read_bytes()


def test_every_ending_has_a_sample() -> None:
    assert BY_ENDING.keys() <= samples().keys()


@pytest.mark.parametrize("ending", sorted(samples()))
def test_mutants_are_the_same_for_the_same_chance_and_never_the_file_itself(ending: str) -> None:
    content = samples()[ending]
    made = mutants(ending, content)
    assert made == mutants(ending, content)
    assert content not in made
    assert len({each for each in made if isinstance(each, bytes)}) > 40, "they differ"


@pytest.mark.parametrize("ending", [".json", ".toml", ".yaml"])
def test_some_mutants_still_say_something(ending: str) -> None:
    """Damage to bytes alone would be refused by the parser, before any reader of ours."""
    import tomllib

    import yaml

    parse = {".json": json.loads, ".toml": lambda text: tomllib.loads(text.decode())}
    read = parse.get(ending, yaml.safe_load)
    told = Counter[bool]()
    for each in mutants(ending, samples()[ending]):
        try:
            told[isinstance(each, bytes) and isinstance(read(each), dict)] += 1
        except Exception:  # of all kinds, for YAML
            told[False] += 1
    assert told[True] > 10


def test_mutants_do_not_depend_on_the_process() -> None:
    code = (
        "from small_files import mutants, samples; import hashlib; "
        "print(hashlib.sha256(repr([mutants(*each) for each in sorted(samples().items()) "
        "if each[0] != '.pkl']).encode()).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONPATH": ":".join(sys.path), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (1.0, 2.0),
        ([1], [1, 2]),
        ({"a": 1}, {"b": 1}),
        (np.zeros(2), np.ones(2)),
        (np.zeros(2), np.zeros(3)),
        (QUICK, Limits()),
        (1, "1"),
    ],
)
def test_values_that_differ_are_lost(before: object, after: object) -> None:
    same(before, before)
    with pytest.raises(Lost):
        same(before, after)


def test_not_a_number_is_the_same_as_itself() -> None:
    same({"a": [float("nan"), np.array([np.nan])]}, {"a": [float("nan"), np.array([np.nan])]})


def commands(top: argparse.ArgumentParser) -> list[tuple[str, ...]]:
    """The words of every command."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            inner = action.choices.items()
            return [(name, *rest) for name, each in inner for rest in commands(each)]
    return [()]


def test_every_command_is_fuzzed_or_it_is_said_why_not() -> None:
    words = [" ".join(each) for each in commands(parser())]
    fuzzed = {each for each in words for t in TARGETS.values()
              if t.command.startswith(f"{each} ")}  # fmt: skip
    assert fuzzed | UNFUZZED.keys() == set(words)
    assert not fuzzed & UNFUZZED.keys()


def test_what_was_said_must_be_said_again_but_nothing_may_be_left_out() -> None:
    kept({"a": [{"b": 1}], "c": []}, {"a": [{"b": 1, "d": 2}]})
    for before in ({"a": 1, "e": 2}, {"a": 2}, {"a": [1]}):
        with pytest.raises(Lost):
            kept(before, {"a": 1})
