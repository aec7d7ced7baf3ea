"""`paseo score`."""

import argparse
import json
import sys
from pathlib import Path

import numpy as np

from paseo.errors import MissingData
from paseo.report.exam.score_export import as_csv, as_json
from paseo.report.exam.score_notes import careful, notes
from paseo.report.exam.scores import further_tables, main_table
from paseo.report.formats import latex, markdown
from paseo.vqa.questions.sheets import Sheet
from paseo.vqa.questions.votes import FOLDER, read_labels
from paseo.vqa.scores.marking import Variant
from paseo.vqa.scores.scorecard import Scorecard, ScorePlan, scorecard
from paseo.vqa.scoring import EXAM, read_sheet

LAYOUTS = {"markdown": (markdown, "- {}"), "csv": (as_csv, '"# {}"'), "latex": (latex, "% {}")}


def score(options: argparse.Namespace) -> int:
    """Print models beside the baselines; without models, the baselines alone."""
    labels = read_labels(_labels_folder(options))
    card = scorecard(
        labels,
        [read_sheet(folder) for folder in options.sheets],
        np.random.default_rng(options.seed),
        rules=_rule_sheets(options),
        plan=ScorePlan(variant=Variant(options.variant), margin=options.margin),
    )
    for sentence in careful(card):
        print(f"paseo: careful: {sentence}", file=sys.stderr)
    print(_text(card, options))
    return 0


def _labels_folder(options: argparse.Namespace) -> Path:
    """As told, else where the exams' scenes are if they have labels, else what was fetched."""
    if options.labels or options.scenes:
        return options.labels or options.scenes
    exams = [folder for folder in options.sheets if (folder / EXAM).is_file()]
    sources = {_scenes_of(folder) for folder in exams}
    if len(sources) == 1 and ((found := sources.pop()) / FOLDER).is_dir():
        return found
    from paseo.data.store.locations import data_dir  # takes longer to import than scoring takes

    fetched = data_dir() / "socialnav-sub"
    if exams and not fetched.is_dir():
        raise MissingData(
            f"{exams[0]}: no answers of people are beside its scenes to score it by; name their "
            "folder with --labels, or look at the exam with paseo exam show"
        )
    return fetched


def _scenes_of(exam: Path) -> Path:
    from paseo.vqa.exam.plan import ExamFolder  # pulls in all that an exam needs

    return Path(ExamFolder(exam).plan().source)


def _rule_sheets(options: argparse.Namespace) -> list[Sheet]:
    if options.scenes is None:
        return []
    from paseo.cli.rule_scoring import rule_sheets  # reads pictures, and takes long to import

    return rule_sheets(options.scenes, options.ocr)


def _text(card: Scorecard, options: argparse.Namespace) -> str:
    if options.format == "json":
        return json.dumps(as_json(card) | {"seed": options.seed}, indent=1, allow_nan=False)
    layout, note = LAYOUTS[options.format]
    words = "\n".join(note.format(line.replace('"', "'")) for line in notes(card))
    parts = [layout([main_table(card)]).rstrip(), words]
    if not options.brief:
        parts.append(layout(further_tables(card)))
    return "\n\n".join(parts)
