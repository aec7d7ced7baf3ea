"""An exam as it went: every question with what came of it, and what people said."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paseo.data.scenes.dataset import SceneFolder, open_scenes, wording_file
from paseo.errors import BadFile, InputError, MissingData
from paseo.vqa.exam.examiner import WordedExaminer, answers_in
from paseo.vqa.exam.plan import AskedScene, ExamFolder, ExamPlan, told_hash
from paseo.vqa.exam.preparing import scene_hash
from paseo.vqa.exam.replies import Stored, stored_replies
from paseo.vqa.exam.results import exam_sheet, probe_outcomes
from paseo.vqa.exam.sessions import SceneSession
from paseo.vqa.pictures.pictures import drawn, picture_size
from paseo.vqa.probes.consistency import ProbeResult
from paseo.vqa.prompts.presentation import Presentation
from paseo.vqa.prompts.wording import USUAL, Wording, WordingSource, paseo_wording, read_wording
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import Catalogue, Option, Question
from paseo.vqa.questions.votes import Labels, read_labels
from paseo.vqa.scores.matching import check_about
from paseo.vqa.scores.rows import Over
from paseo.vqa.scores.scorecard import Scorecard, ScorePlan, scorecard
from paseo.vqa.scores.sheets import Sheet

if TYPE_CHECKING:
    from paseo.data.scenes.images import Size
    from paseo.render.raster.strokes import Frame

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


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """The pictures of a scene, and the size in which the model got them."""

    frames: "list[Frame]"
    size: "Size"  # width and height in pixels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Transcript:
    """Everything a page shows of an exam but the pictures."""

    plan: ExamPlan
    sheet: Sheet
    requests: tuple[Stored, ...]  # those about the scenes as they are
    entries: tuple[TranscriptEntry, ...]  # by scene, then in the order they are asked
    labels: Labels | None
    card: Scorecard | None  # None without labels
    presentation: Presentation
    as_asked: bool  # whether the wording is the one that was used
    told: Mapping[Place, Option]  # people's answers that the model was told; empty if not known
    scenes: SceneFolder | None
    notes: tuple[str, ...]  # what is missing, in sentences
    probes: tuple[ProbeResult, ...] = ()  # what came of those about changed scenes

    def count(self, state: State) -> int:
        """How many questions are like that."""
        return sum(state in entry.states for entry in self.entries)

    def shown(self, asked: AskedScene, *, largest_px: int) -> "Shown":
        """What the model was shown of a scene, drawn no larger; `InputError` says why it cannot."""
        if self.scenes is None:
            raise MissingData("the scenes are not there")
        scene = self.scenes.read(asked.id)
        if scene_hash(scene) != asked.hash:
            raise InputError("the scene has changed since it was asked about")
        how = self.presentation
        largest = min(how.largest_px or largest_px, largest_px)
        return Shown(
            frames=list(drawn(scene, how.layout, how.drawing, largest_px=largest)),
            size=picture_size(scene, how.layout, how.drawing, largest_px=how.largest_px),
        )


def transcript(
    folder: Path, *, scenes: Path | None = None, labels: Path | None = None
) -> Transcript:
    """Read an exam, finished or not, with its scenes and people's answers where they are.

    A folder that is named must be right; what is only looked for beside the exam may be missing.
    """
    holder = ExamFolder(folder)
    plan = holder.plan()
    every = stored_replies(holder.replies)
    requests = tuple(each for each in every if not each.variant)
    notes: list[str] = []
    found = _scenes(plan, scenes, notes)
    votes = _labels(labels, found, notes)
    wording, as_asked = _wording(plan, found, notes)
    sheet = exam_sheet(folder)
    entries = _entries(plan, sheet.catalogue, requests, votes.votes() if votes else {})
    if labels and votes:
        check_about(sheet, votes)
    if others := len(every) - len(requests):
        notes.append(
            f"Of {others:,} replies to changed scenes (probes) only what they show together is "
            "here, under Symmetry probes; the questions are those about the scenes as they are."
        )
    return Transcript(
        plan=plan,
        sheet=sheet,
        requests=requests,
        entries=entries,
        labels=votes,
        card=_card(sheet, votes) if votes else None,
        presentation=Presentation(
            layout=plan.images, drawing=plan.drawing, wording=wording, largest_px=plan.largest_px
        ),
        as_asked=as_asked,
        told=_told(plan, votes),
        scenes=found,
        notes=(*_unfinished(plan, entries), *notes),
        probes=probe_outcomes(folder, np.random.default_rng(0)) if others else (),
    )


def _card(sheet: Sheet, votes: Labels) -> Scorecard:
    """The exam beside the baselines, all of them over the questions that it answered."""
    plan = ScorePlan(questions=Over.COMMON)
    return scorecard(votes, [sheet], np.random.default_rng(0), plan=plan)


def prompt_texts(exam: Transcript) -> list[str]:
    """The words of each request; empty where they cannot be known."""
    method = exam.plan.method
    if not exam.as_asked or (method is Method.CHAIN_HUMAN and not exam.told):
        return [""] * len(exam.requests)
    examiner = WordedExaminer(presentation=exam.presentation, method=method, people=exam.told)
    timings = {scene.id: scene.timing for scene in exam.plan.scenes}
    catalogue = exam.sheet.catalogue
    earlier = _earlier(exam.requests, method, catalogue)
    found = []
    for each in exam.requests:
        put = tuple(catalogue.question(each.scene, key) for key in each.questions)
        timing = timings.get(each.scene, USUAL)
        session = SceneSession(scene=each.scene, questions=put, images=(), timing=timing)
        prompt = examiner.prompt(session, put, earlier[each.scene, each.repeat])
        found.append(prompt.text)
    return found


def _earlier(
    requests: Iterable[Stored], method: Method, catalogue: Catalogue
) -> dict[tuple[str, int], dict[str, Answer]]:
    """All answers about a scene in one repeat, by question key."""
    found: dict[tuple[str, int], dict[str, Answer]] = {}
    for each in requests:
        answers = found.setdefault((each.scene, each.repeat), {})
        said = answers_of(each, method, catalogue)
        answers |= {key: answer for key, answer in said.items() if answer is not None}
    return found


def _scenes(plan: ExamPlan, named: Path | None, notes: list[str]) -> SceneFolder | None:
    if named:
        return open_scenes(named)
    with suppress(InputError):
        if plan.source:
            return open_scenes(Path(plan.source))
    notes.append(
        "The scenes are not on this machine where they were when the exam was put, so there are no "
        "pictures; say where the scenes are now."
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
        "There are no answers of people beside the scenes, so nothing is scored; say where they "
        "are."
    )
    return None


def _wording(plan: ExamPlan, found: SceneFolder | None, notes: list[str]) -> tuple[Wording, bool]:
    """The words of the exam; ours instead where they cannot be had."""
    wording, file = paseo_wording(), wording_file(found.folder) if found else None
    if plan.wording is WordingSource.DATASET and file is not None:
        try:
            wording = read_wording(file)
        except InputError as error:
            notes.append(f"{error}.")
    wording = wording.asking(plan.own)
    if wording.hash == plan.wording_hash:
        return wording, True
    whose = "Paseo" if wording.source is WordingSource.PASEO else "the data set here"
    notes.append(
        "The words in which the questions were put are not on this machine: questions are shown "
        f"in those of {whose}, and prompts are not shown."
    )
    return wording, False


def _told(plan: ExamPlan, labels: Labels | None) -> Mapping[Place, Option]:
    people = labels.most_common() if labels and plan.labels_hash else {}
    return people if told_hash(people) == plan.labels_hash else {}


def _entries(
    plan: ExamPlan,
    catalogue: Catalogue,
    requests: Iterable[Stored],
    votes: Mapping[Place, Mapping[Option, int]],
) -> tuple[TranscriptEntry, ...]:
    method = plan.method
    said: dict[Place, list[tuple[int, Said]]] = defaultdict(list)
    for number, stored in enumerate(requests):
        for key, answer in answers_of(stored, method, catalogue).items():
            said[stored.scene, key].append((stored.repeat, Said(number, answer)))
    places = [
        each
        for scene in plan.scenes
        for each in asked(catalogue.questions(scene.id, scene.people), method)
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


def answers_of(stored: Stored, method: Method, catalogue: Catalogue) -> dict[str, Answer | None]:
    """What a request brought, by question key."""
    if stored.reply is None:
        return dict.fromkeys(stored.questions)
    put = [catalogue.question(stored.scene, key) for key in stored.questions]
    return {**answers_in(stored.reply, put, method=method)}


def _unfinished(plan: ExamPlan, entries: Iterable[TranscriptEntry]) -> Iterable[str]:
    given = [len(entry.said) for entry in entries]
    wanted = plan.repeats * len(given)
    if sum(given) < wanted:
        yield (
            f"{wanted - sum(given):,} of {wanted:,} answers have not been given yet; resume the "
            "exam to get them."
        )
