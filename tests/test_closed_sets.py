"""What the parser lists without importing it is what there is to choose from."""

import argparse
import re
from collections.abc import Iterator, Mapping
from enum import Enum

import pytest

from paseo.cli.main import parser
from paseo.crowd.models import PEDESTRIAN_MODELS
from paseo.crowd_check.real_crowds import PLACES
from paseo.data.recordings.formats import FORMATS
from paseo.vqa.export.exporting import ExportFormat
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method
from paseo.vqa.scores.marking import Variant
from paseo.vqa.scoring import Ocr
from paseo.vqa.waypoints.contexts import Context
from paseo.world.motion import Control
from paseo.world.scenarios import Rule


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
        ("control", ["run", "serve"], set(Control)),
        ("rule", ["run", "serve", "list"], set(Rule)),
        ("place", ["crowd realism"], set(PLACES)),
        ("method", ["ask"], values(Method)),
        ("context", ["ask"], values(Context)),
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


@pytest.mark.parametrize(
    ("dest", "commands", "shipped"),
    [
        ("reaction", ["run"], PEDESTRIAN_MODELS.shipped),
        ("format", ["data import", "data check", "crowd realism"], FORMATS.shipped),
    ],
)
def test_where_users_may_bring_their_own_the_help_names_all_that_ship(
    dest: str, commands: list[str], shipped: Mapping[str, str]
) -> None:
    helps = {(name.strip(), action.dest): action.help for name, action in actions(parser(), "")}
    for command in commands:
        said = helps[command, dest] or ""
        assert set(shipped) <= set(re.findall(r"[\w-]+", said))
        assert "FILE.py:CLASS" in said
