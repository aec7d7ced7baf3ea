"""An exam as it went: every question with what came of it, and what people said."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

import numpy as np

from paseo.data.scenes.dataset import SceneFolder, open_scenes, survey_file
from paseo.errors import BadFile, InputError, MissingData
from paseo.vqa.exam.examiner import answers_in
from paseo.vqa.exam.plan import ExamFolder, ExamPlan, told_hash
from paseo.vqa.exam.replies import Stored, stored_replies
from paseo.vqa.exam.results import exam_sheet, probe_outcomes
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.probes.consistency import ProbeResult
from paseo.vqa.prompts.wording import OURS, Wording, paseo_wording, read_wording
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import Option, Question, question, questions
from paseo.vqa.questions.sheets import Sheet
from paseo.vqa.questions.votes import Labels, read_labels

Place = tuple[str, str]  # scene and question key


class State(Enum):
    """What a question can be looked for by."""

    AGREES = "agrees"  # says what most people said
    DIFFERS = "differs"  # can be read, and is not what most people said
    INVALID = "invalid"
    TOLERANT = "tolerant"  # took more than strict reading
    FAILED = "failed"  # the provider would not answer
    OPEN = "open"  # not asked yet


@dataclass(frozen=True, slots=True)
class Said:
    """What came of asking a question once; no answer where the provider gave none."""

    request: int  # its place among the transcript's requests
    answer: Answer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptEntry:
    """A question of the exam."""

    question: Question
    said: tuple[Said, ...] = ()  # by repeat
    votes: Mapping[Option, int] = field(default_factory=dict)  # empty where nobody's are known

    @property
    def states(self) -> tuple[State, ...]:
        """All that is true of it, in the order of `State`; repeats may differ."""
        most = max(self.votes.values(), default=0)
        found = {State.OPEN} if not self.said else set()
        for answer in (said.answer for said in self.said):
            if answer is None:
                found.add(State.FAILED)
            elif answer.option is None:
                found.add(State.INVALID)
            else:
                found |= {State.TOLERANT} if answer.tolerant else set()
                if most:
                    agrees = self.votes.get(answer.option, 0) == most
                    found.add(State.AGREES if agrees else State.DIFFERS)
        return tuple(state for state in State if state in found)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Transcript:
    """Everything a page shows of an exam but the pictures."""

    plan: ExamPlan
    sheet: Sheet
    requests: tuple[Stored, ...]  # those about the scenes as they are
    entries: tuple[TranscriptEntry, ...]  # by scene, then in the order they are asked
    labels: Labels | None
    wording: Wording
    as_asked: bool  # whether the wording is the one that was used
    told: Mapping[Place, Option]  # people's answers that the model was told; empty if not known
    scenes: SceneFolder | None
    notes: tuple[str, ...]  # what is missing, in sentences
    probes: tuple[ProbeResult, ...] = ()  # what came of those about changed scenes

    def count(self, state: State) -> int:
        """How many questions are like that."""
        return sum(state in entry.states for entry in self.entries)


def transcript(
    folder: Path, *, scenes: Path | None = None, labels: Path | None = None
) -> Transcript:
    """Read an exam, finished or not, with its scenes and people's answers where they are.

    A folder that is named must be right; what is only looked for beside the exam may be missing.
    """
    holder = ExamFolder(folder)
    plan = _known(holder.plan(), folder)
    every = stored_replies(holder.replies)
    requests = tuple(each for each in every if not each.variant)
    notes: list[str] = []
    found = _scenes(plan, scenes, notes)
    votes = _labels(labels, found, notes)
    wording, as_asked = _wording(plan, found, notes)
    entries = _entries(plan, requests, votes.votes() if votes else {})
    if others := len(every) - len(requests):
        notes.append(
            f"Of {others:,} replies to changed scenes (--probe) only what they show together is "
            "here, under Symmetry probes; the questions are those about the scenes as they are."
        )
    return Transcript(
        plan=plan,
        sheet=exam_sheet(folder),
        requests=requests,
        entries=entries,
        labels=votes,
        wording=wording,
        as_asked=as_asked,
        told=_told(plan, votes),
        scenes=found,
        notes=(*_unfinished(plan, entries), *notes),
        probes=probe_outcomes(folder, np.random.default_rng(0)) if others else (),
    )


def _known(plan: ExamPlan, folder: Path) -> ExamPlan:
    try:
        Method(plan.method), Layout(plan.images), Drawing(plan.drawing)
    except ValueError as error:
        raise BadFile(
            f"{folder}: its exam.json was written by another Paseo ({error}); use that one"
        ) from error
    return plan


def _scenes(plan: ExamPlan, named: Path | None, notes: list[str]) -> SceneFolder | None:
    if named:
        return open_scenes(named)
    with suppress(InputError):
        if plan.source:
            return open_scenes(Path(plan.source))
    notes.append(
        "The scenes are not on this machine where they were when the exam was put, so there are no "
        "pictures; name their folder with --scenes."
    )
    return None


def _labels(named: Path | None, found: SceneFolder | None, notes: list[str]) -> Labels | None:
    if named:
        return read_labels(named)
    try:
        if found:
            return read_labels(found.folder)
    except BadFile as error:
        notes.append(f"{error}.")
    except MissingData:
        pass  # scenes of one's own have none
    notes.append(
        "There are no answers of people beside the scenes, so nothing is scored; name their folder "
        "with --labels."
    )
    return None


def _wording(plan: ExamPlan, found: SceneFolder | None, notes: list[str]) -> tuple[Wording, bool]:
    """The words of the exam; ours instead where they cannot be had."""
    wording, file = paseo_wording(), survey_file(found.folder) if found else None
    if plan.wording != OURS and file is not None:
        try:
            wording = read_wording(file)
        except InputError as error:
            notes.append(f"{error}.")
    if wording.hash == plan.wording_hash:
        return wording, True
    notes.append(
        "The words in which the questions were put are not on this machine: questions are shown "
        f"in those of {'Paseo' if wording.name == OURS else 'the data set here'}, and prompts are "
        "not shown."
    )
    return wording, False


def _told(plan: ExamPlan, labels: Labels | None) -> Mapping[Place, Option]:
    people = labels.most_common() if labels and plan.labels_hash else {}
    return people if told_hash(people) == plan.labels_hash else {}


def _entries(
    plan: ExamPlan, requests: Iterable[Stored], votes: Mapping[Place, Mapping[Option, int]]
) -> tuple[TranscriptEntry, ...]:
    method = Method(plan.method)
    said: dict[Place, list[tuple[int, Said]]] = defaultdict(list)
    for number, stored in enumerate(requests):
        for key, answer in answers_of(stored, method).items():
            said[stored.scene, key].append((stored.repeat, Said(number, answer)))
    places = [
        each for scene in plan.scenes for each in asked(questions(scene.id, scene.people), method)
    ]
    return tuple(
        TranscriptEntry(
            question=each,
            said=tuple(one for _, one in sorted(said[place], key=lambda pair: pair[0])),
            votes=votes.get(place, {}),
        )
        for each in places
        for place in [(each.scene, each.key)]
    )


def answers_of(stored: Stored, method: Method) -> dict[str, Answer | None]:
    """What a request brought, by question key."""
    if stored.reply is None:
        return dict.fromkeys(stored.questions)
    put = [question(stored.scene, key) for key in stored.questions]
    return {**answers_in(stored.reply, put, method=method)}


def _unfinished(plan: ExamPlan, entries: Iterable[TranscriptEntry]) -> Iterable[str]:
    given = [len(entry.said) for entry in entries]
    wanted = plan.repeats * len(given)
    if sum(given) < wanted:
        yield (
            f"{wanted - sum(given):,} of {wanted:,} answers have not been given yet; go on with "
            "the same paseo ask and --resume."
        )
