"""What the parser lists without importing it is what there is to choose from."""

import argparse
from collections.abc import Iterator
from enum import Enum
from typing import get_args, get_type_hints

import pytest

from paseo.cli.main import parser
from paseo.crowd_check.real_crowds import PLACES
from paseo.data.recordings.recordings import FORMATS
from paseo.data.suites.suite_file import PlacedRecording
from paseo.vqa.export.exporting import ExportFormat
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method
from paseo.vqa.scores.marking import Variant
from paseo.vqa.scoring import Ocr
from paseo.world.motion import Control
from paseo.world.scenarios import ReactionModel, Rule


def actions(command: argparse.ArgumentParser, name: str) -> Iterator[tuple[str, argparse.Action]]:
    """The options and arguments of a command and of those below it, with the command's name."""
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield from actions(below, f"{name} {word}")
        else:
            yield name, action


def values(closed: type[Enum]) -> set[str]:
    return {each.value for each in closed}


CHOICES = {
    (name.strip(), action.dest): set(action.choices)
    for name, action in actions(parser(), "")
    if action.choices
}


@pytest.mark.parametrize(
    ("dest", "commands", "expected"),
    [
        ("control", ["run"], set(Control)),
        ("rule", ["run", "list"], set(Rule)),
        ("reaction", ["run"], set(ReactionModel)),
        ("format", ["data import", "data check", "crowd realism"], set(FORMATS)),
        ("place", ["crowd realism"], set(PLACES)),
        ("method", ["ask"], values(Method)),
        ("images", ["ask", "scenes show", "scenes export"], values(Layout)),
        ("drawing", ["ask", "scenes show", "scenes export"], values(Drawing)),
        ("wording", ["ask", "scenes export"], values(WordingSource)),
        ("to", ["scenes export"], values(ExportFormat)),
        ("ocr", ["score"], values(Ocr) | {"none"}),
        ("variant", ["score"], values(Variant)),
    ],
)
def test_the_parser_offers_all_there_is(dest: str, commands: list[str], expected: set[str]) -> None:
    for command in commands:
        assert CHOICES[command, dest] == expected


def test_a_suite_may_name_every_format_of_recordings() -> None:
    written, nothing = get_args(get_type_hints(PlacedRecording)["format"])
    assert set(get_args(written)) == set(FORMATS)
    assert nothing is type(None)
