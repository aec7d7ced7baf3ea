"""Answers held against people's, whichever way they were collected."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

import numpy as np

from paseo.data.scenes.origin import holds_staged
from paseo.errors import MissingData
from paseo.progress import Progress, silent
from paseo.vqa.questions.questions import Catalogue, shipped
from paseo.vqa.questions.votes import (
    FOLDER,
    GEOMETRY_FOLDER,
    Labels,
    Truth,
    check_origin,
    read_labels,
)
from paseo.vqa.scores.answer_files import read_answer_files
from paseo.vqa.scores.evaluator_files import holds_evaluation, read_evaluation
from paseo.vqa.scores.marking import Variant
from paseo.vqa.scores.matching import check_about
from paseo.vqa.scores.rows import Over
from paseo.vqa.scores.scorecard import Scorecard, ScorePlan, scorecard
from paseo.vqa.scores.sheets import Sheet
from paseo.vqa.scores.uncertainty import MARGIN

EXAM, LOG = "exam.json", ".eval"


class Ocr(Enum):
    """The programs that read numbers in pictures."""

    RAPIDOCR = "rapidocr"
    TESSERACT = "tesseract"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """How answers are scored."""

    variant: Variant = Variant.DEFINITION
    margin: float = MARGIN  # how far from one more person counts as equally good
    seed: int = 0  # of the bootstrap
    scenes: Path | None = None  # score rule-based answers to these scenes, too
    questions: Over = Over.OWN  # which ones a row is over
    ocr: Ocr | None = Ocr.RAPIDOCR  # what reads their pictures for the rules
    truth: Truth | None = None  # held against people or geometry; None: people where there are any


DEFAULTS = ScoreOptions()


def score(
    sheets: Sequence[Path | Sheet] = (),
    *,
    labels: Path | Labels | None = None,
    options: ScoreOptions = DEFAULTS,
    progress: Progress = silent,
) -> Scorecard:
    """Models beside the baselines, by how far they agree with people; without any, the baselines.

    A sheet is an exam's folder, one of `<scene>.json` or, as SocialNav-SUB's evaluator leaves it,
    of `<scene>/question_answers.json`, a log of inspect_ai, or the answers themselves. Without
    `labels` people's answers are those of the scenes, else of the exams' scenes, else of
    SocialNav-SUB as fetched.
    """
    if not isinstance(labels, Labels):
        labels = read_labels(labels or options.scenes or _labels_folder(sheets), options.truth)
    asked = labels.catalogue
    answers = [each if isinstance(each, Sheet) else read_sheet(each, asked) for each in sheets]
    for each in answers:
        check_about(each, labels)
    rng = np.random.default_rng(options.seed)
    plan = ScorePlan(variant=options.variant, margin=options.margin, questions=options.questions)
    if options.scenes is None:
        return scorecard(labels, answers, rng, plan=plan)
    from paseo.data.scenes.dataset import open_scenes  # these take longer to import than the rest
    from paseo.vqa.baselines.rule_sheets import rule_sheets

    check_origin(labels, staged=holds_staged(options.scenes), whose=str(options.scenes))
    engine = options.ocr.value if options.ocr else None
    rules = rule_sheets(
        open_scenes(options.scenes),
        engine=engine,
        geometry=not labels.by_geometry,
        progress=progress,
    )
    card = scorecard(labels, answers, rng, rules=rules.sheets, plan=plan)
    return replace(card, unruled=rules.unreadable, rules_problem=rules.problem)


def read_sheet(folder: Path, catalogue: Catalogue | None = None) -> Sheet:
    """The answers in an exam's directory, an experiment's of SocialNav-SUB's evaluator, a folder of
    answer files, or a log of inspect_ai.

    An exam knows what was asked; all else is read by the catalogue, or as answers to the fifteen.
    """
    catalogue = catalogue or shipped()
    if folder.suffix == LOG and folder.is_file():
        from paseo.vqa.export.inspect_log import log_sheet  # needs the extra `inspect`

        return log_sheet(folder, catalogue)
    if (folder / EXAM).is_file():
        from paseo.vqa.exam.results import exam_sheet  # pulls in all that an exam needs

        return exam_sheet(folder)
    read = read_evaluation if holds_evaluation(folder) else read_answer_files
    return read(folder, catalogue)


def _labels_folder(sheets: Sequence[Path | Sheet]) -> Path:
    """Where the exams' scenes are if they have labels, else what was fetched."""
    folders = [each for each in sheets if isinstance(each, Path)]
    exams = [folder for folder in folders if (folder / EXAM).is_file()]
    sources = {_scenes_of(folder) for folder in exams}
    found = sources.pop() if len(sources) == 1 else None
    if found and any((found / name).is_dir() for name in (FOLDER, GEOMETRY_FOLDER)):
        return found
    from paseo.data.store.locations import data_dir  # takes longer to import than scoring takes

    fetched = data_dir() / "socialnav-sub"
    if exams and not fetched.is_dir():
        raise MissingData(
            f"{exams[0]}: no answers of people are beside its scenes to score it by; name their "
            "folder with labels, or look at the exam with paseo exam show",
            parameters=["labels"],
        )
    return fetched


def _scenes_of(exam: Path) -> Path:
    from paseo.vqa.exam.plan import ExamFolder  # pulls in all that an exam needs

    return Path(ExamFolder(exam).plan().source)
