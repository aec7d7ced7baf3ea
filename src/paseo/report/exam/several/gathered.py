"""Exams on the same scenes, read together and scored over the questions that all answered."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np

from paseo.errors import BadValue, InputError
from paseo.vqa.exam.plan import AskedScene
from paseo.vqa.exam.transcript import Transcript, transcript
from paseo.vqa.questions.questions import Catalogue
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.matching import check_about
from paseo.vqa.scores.rows import Over, names_of
from paseo.vqa.scores.scorecard import Scorecard, ScorePlan, scorecard

MOST_EXAMS = 26  # each has a letter


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gathered:
    """Several exams, and what they earned over the same questions."""

    exams: tuple[Transcript, ...]
    names: tuple[str, ...]  # no two alike
    catalogue: Catalogue  # all that any of them asked
    card: Scorecard | None  # None without people's answers
    notes: tuple[str, ...]

    @property
    def scenes(self) -> tuple[AskedScene, ...]:
        """All scenes that any exam asked about."""
        every = {scene.id: scene for exam in reversed(self.exams) for scene in exam.plan.scenes}
        order = dict.fromkeys(scene.id for exam in self.exams for scene in exam.plan.scenes)
        return tuple(every[id] for id in order)

    def shower(self, scene: str) -> Transcript:
        """The first exam that asked about a scene: its pictures and words are shown."""
        return next(e for e in self.exams if any(each.id == scene for each in e.plan.scenes))


def gather(
    folders: Sequence[Path], *, scenes: Path | None = None, labels: Path | None = None
) -> Gathered:
    """Read exams; they must be about the same scenes wherever ids are the same."""
    if len(folders) > MOST_EXAMS:
        raise BadValue(f"{len(folders)} exams are too many for one page, expected {MOST_EXAMS}")
    exams = tuple(transcript(folder, scenes=scenes, labels=labels) for folder in folders)
    _check_scenes(exams)
    votes = next((exam.labels for exam in exams if exam.labels), None)
    names = tuple(names_of([exam.sheet for exam in exams]))
    return Gathered(
        exams=exams,
        names=names,
        catalogue=reduce(Catalogue.joined, (exam.sheet.catalogue for exam in exams)),
        card=_card(exams, votes) if votes else None,
        notes=tuple(_notes(exams, names)),
    )


def _card(exams: Sequence[Transcript], votes: Labels) -> Scorecard:
    sheets = [exam.sheet for exam in exams]
    for sheet in sheets:
        check_about(sheet, votes)
    plan = ScorePlan(questions=Over.COMMON)
    return scorecard(votes, sheets, np.random.default_rng(0), plan=plan)


def _check_scenes(exams: Sequence[Transcript]) -> None:
    known: dict[str, tuple[AskedScene, str]] = {}
    for exam in exams:
        for scene in exam.plan.scenes:
            before, source = known.setdefault(scene.id, (scene, exam.sheet.source))
            if before.hash != scene.hash:
                raise InputError(
                    f"{exam.sheet.source}: was asked about another scene {scene.id} than {source}; "
                    "show exams about the same scenes"
                )


def _notes(exams: Sequence[Transcript], names: Sequence[str]) -> Iterator[str]:
    """What is missing of which; what is missing of all is said once."""
    said = [note for exam in exams for note in exam.notes]
    shared = {note for note in said if said.count(note) == len(exams)}
    yield from dict.fromkeys(note for note in said if note in shared)
    for exam, name in zip(exams, names, strict=True):
        yield from (f"{name}: {note}" for note in exam.notes if note not in shared)
    shown = {(e.plan.images, e.plan.drawing, e.plan.largest_px) for e in exams}
    if len(shown) > 1:
        yield (
            "The models were shown different pictures (layout, drawing or size); here are those of "
            "the first exam about a scene."
        )
