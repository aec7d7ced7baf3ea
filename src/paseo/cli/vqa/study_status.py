"""`paseo survey status`."""

import argparse
import time
from collections.abc import Iterable
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from paseo.cli.arguments import Commands, add_command, natural, positive
from paseo.cli.screen import json_text, output
from paseo.text import in_short

if TYPE_CHECKING:
    from paseo.survey.status.agreement import Agreement
    from paseo.survey.status.standing import StudyStatus
    from paseo.vqa.scores.uncertainty import Score

WIDTH = 100  # letters in a line of words
LONGEST_NAME = 20  # of a model, in a table
LONGEST_CLIP = 40  # of an episode or a planner
LONGEST_S = 86_400  # that is slept; a clock takes no more than some years
MOST_SCENES = 8  # in a table, unless all are asked for


def add_status_command(words: Commands) -> None:
    """`paseo survey status`."""
    status = add_command(words, "status", "tell how a study stands", "vqa.study_status", "status")
    status.add_argument("study", type=Path, metavar="STUDY", help="the folder of a study")
    status.add_argument(
        "exams",
        type=Path,
        nargs="*",
        metavar="EXAM",
        help="one or two exams about its scenes, to be held against the votes so far",
    )
    status.add_argument("--all", action="store_true", help="list every scene or clip")
    status.add_argument("--seed", type=natural, default=0, metavar="N", help="of the draws")
    how = status.add_mutually_exclusive_group()
    how.add_argument("--json", action="store_true", help="for a program")
    how.add_argument("--watch", type=positive, metavar="S", help="tell it again every S seconds")


def status(options: argparse.Namespace) -> int:
    """Print how a study stands, once or until Ctrl-C."""
    from paseo.survey.status.standing import study_status

    while True:
        found = study_status(options.study, now=time.time(), exams=options.exams, seed=options.seed)
        output(_json(found) if options.json else _text(found, every=options.all))
        if not options.watch:
            return 0
        output("")
        time.sleep(min(options.watch, LONGEST_S))


def _json(found: "StudyStatus") -> str:
    import msgspec

    return json_text(msgspec.to_builtins(found, str_keys=True))


def _text(found: "StudyStatus", *, every: bool) -> str:
    from paseo.survey.status.words import (
        agreement_notes,
        agreement_words,
        outlook_words,
        progress_words,
        ranking_words,
        when,
    )

    parts = [
        f"{found.title}, {when(found.now_s, found.now_s)}",
        _joined(_scenes(found, every=every), _wrapped(progress_words(found))),
        _wrapped(outlook_words(found)),
    ]
    if found.agreement is not None:
        words, notes = agreement_words(found.agreement), agreement_notes(found.agreement)
        parts.append(_joined(_wrapped(words), _agreement(found.agreement), _wrapped(notes)))
    if found.ranking is not None:
        parts.append(_wrapped(ranking_words(found.ranking)))
    return "\n\n".join(parts)


def _wrapped(sentences: Iterable[str]) -> str:
    return "\n".join(fill(each, WIDTH, subsequent_indent="  ") for each in sentences)


def _joined(*parts: str) -> str:
    return "\n".join(filter(None, parts))


def _scenes(found: "StudyStatus", *, every: bool) -> str:
    """The scenes that lack most people; those that lack none only where all are asked for."""
    from paseo.report.table import Cell, text_table

    lacking = [id for id, each in found.scenes.items() if each.done < found.per_scene]
    worst = sorted(lacking, key=lambda id: found.scenes[id].done)[:MOST_SCENES]
    shown = [id for id in found.scenes if every or id in worst]
    if not shown:
        return ""
    rows: list[tuple[Cell, ...]] = [
        (*_called(found, id), found.scenes[id].done, found.scenes[id].under_way, found.per_scene)
        for id in (sorted(shown, key=lambda id: _called(found, id)) if found.clips else shown)
    ]
    hidden = 0 if every else len(lacking) - len(shown)
    more = f"\nand {hidden} more that lack people" if hidden else ""
    what = ("episode", "planner") if found.clips else ("scene",)
    return text_table((*what, "done", "under way", "wanted"), rows) + more


def _called(found: "StudyStatus", id: str) -> tuple[str, ...]:
    """A scene by its id, a clip by what it is."""
    if id not in found.clips:
        return (id,)
    clip = found.clips[id]
    return in_short(clip.episode, LONGEST_CLIP), in_short(clip.planner, LONGEST_CLIP)


def _agreement(found: "Agreement") -> str:
    from paseo.report.table import Cell, text_table
    from paseo.vqa.scores.baselines import CONSTANT, FIRST, ORACLE, RANDOM

    shown = {name: row for name, row in found.rows.items() if name not in (CONSTANT, RANDOM, FIRST)}
    counts = {category: each.questions for category, each in shown[ORACLE].items()}
    rows: list[list[Cell]] = [
        [category, *(_score(row[category]) for row in shown.values()), count]
        for category, count in counts.items()
    ]
    names = (in_short(name, LONGEST_NAME) for name in shown)
    return text_table(("category", *names, "questions"), rows)


def _score(score: "Score") -> str:
    if score.mean is None:
        return "-"
    told = f"{score.mean:.2f}"
    return told if score.low is None else f"{told} [{score.low:.2f}, {score.high:.2f}]"
