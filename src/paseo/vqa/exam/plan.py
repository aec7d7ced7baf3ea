"""What determines an exam, how it is run, and the folder that holds it."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from paseo.errors import BadFile, BadValue, InputError
from paseo.files import HeldFolder
from paseo.version import paseo_version
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import USUAL, WordingSource
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.own import asked_in, check_questions
from paseo.vqa.questions.question_file import QuestionFile
from paseo.vqa.questions.questions import Catalogue, Option
from paseo.world.scenes import ClipTiming

FORMAT, VERSION = "paseo-exam", 1
MOST_AT_ONCE = 512
PATIENCE = 50  # useless answers in a row before an exam pauses
STALL = 3.0  # times the time-out of a request: the longest an exam waits for anything to come


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedScene:
    """A scene of an exam: the hash tells whether it is still the same."""

    id: str
    hash: str
    people: tuple[int, ...]
    clip: ClipTiming | msgspec.UnsetType = msgspec.UNSET  # written where it is another than usual

    @property
    def timing(self) -> ClipTiming:
        """When its frames were taken."""
        return USUAL if isinstance(self.clip, msgspec.UnsetType) else self.clip


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamPlan:
    """Everything that determines the replies, and where the scenes were; never a key."""

    model: str  # as it was named: provider/model, or file.py:Class
    settings: dict[str, Any]
    method: Method
    images: Layout
    drawing: Drawing
    wording: WordingSource
    wording_hash: str
    repeats: int = 1
    together: int = 1
    largest_px: int | None = None  # of the longer side of a picture
    variants: tuple[str, ...] = ("",)  # of each scene; the empty name is the scene as it is
    labels_hash: str = ""  # of the people's answers that are told, where they are
    name: str = ""  # what the model calls itself; empty where that is not known
    paseo_version: str = paseo_version()
    source: str = ""  # the folder the scenes were read from
    staged: bool | msgspec.UnsetType = msgspec.UNSET  # written where they are
    scenes: tuple[AskedScene, ...] = ()
    questions: QuestionFile | msgspec.UnsetType = msgspec.UNSET  # one's own, where there are any

    @property
    def own(self) -> QuestionFile | None:
        """One's own questions."""
        return None if isinstance(self.questions, msgspec.UnsetType) else self.questions

    @property
    def catalogue(self) -> Catalogue:
        """All kinds of question that are asked."""
        return asked_in(self.own)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamOptions:
    """How an exam is run; none of it changes what is asked, but repeats and together."""

    repeats: int = 1
    together: int = 1  # questions per request
    concurrency: int = 8
    per_minute: float | None = None  # requests
    retries: int = 5
    patience: int | None = PATIENCE  # None: however many useless answers come
    stall_s: float = 360.0  # with nothing arriving, before what is under way is given up
    seed: int = 0  # of the jitter between attempts

    def __post_init__(self) -> None:
        if not 1 <= self.concurrency <= MOST_AT_ONCE:
            raise BadValue(
                f"concurrency is {self.concurrency}, expected 1 to {MOST_AT_ONCE} requests at once"
            )


UNDECIDING = ("scenes", "name", "paseo_version", "source", "staged")
CHANGED = {
    "wording_hash": "the text of the wording has changed",
    "labels_hash": "people's answers have changed",
    "variants": "other probes were asked for",
    "questions": "one's own questions have changed",
}


def difference(old: ExamPlan, new: ExamPlan) -> str:
    """What keeps `new` from going on with `old`, in words; empty if nothing does.

    Scenes may be added to some that stay, and may have moved. The version of Paseo tells nothing:
    a prompt that changed gets another key.
    """
    before, after = _flat(old), _flat(new)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            if name in CHANGED:
                return CHANGED[name]
            return f"{name} was {_said(before.get(name))}, now {_said(after.get(name))}"
    known = {scene.id: scene for scene in old.scenes}
    if known and new.scenes and known.keys().isdisjoint(scene.id for scene in new.scenes):
        return f"none of the scenes in {new.source} is part of it"
    changed = [scene.id for scene in new.scenes if known.get(scene.id, scene) != scene]
    return f"scene {changed[0]} has changed" if changed else ""


def told_hash(people: Mapping[tuple[str, str], Option]) -> str:
    """The sha256 of people's answers, by scene and question key, that a model is told."""
    told = [[*place, *option] for place, option in sorted(people.items())]
    return sha256(json.dumps(told).encode()).hexdigest()


def _flat(plan: ExamPlan) -> dict[str, Any]:
    """What decides, by name; the settings beside the rest."""
    values = asdict(plan)
    settings = values.pop("settings")
    rest = {name: value for name, value in values.items() if name not in UNDECIDING}
    return {**rest, **settings, **settings.get("extra", {}), "extra": None}


def _said(value: object) -> str:
    value = value.value if isinstance(value, Enum) else value
    return repr(value) if isinstance(value, str) else json.dumps(value, sort_keys=True)


class ExamFolder(HeldFolder):
    """An exam's folder, held by one process at a time."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "exam.json", format=FORMAT, version=VERSION, by="paseo ask")
        self.replies = folder / "replies.sqlite"

    def hold(self, plan: ExamPlan) -> ExamPlan:
        """Keep others out; the plan with the scenes of the exam that was begun here, if one was.

        A different exam is refused. Nothing is written until `write`.
        """
        self.lock()
        if self.exists:
            return self._joined(plan)
        if self.replies.exists():
            raise InputError(
                f"{self.folder} holds replies of an exam, but no exam.json; choose another out",
                parameters=["out"],
            )
        return plan

    def write(self, plan: ExamPlan) -> None:
        """Note what is asked, unless that stands here already."""
        if self.exists and self.plan() == plan:
            return
        self.note(msgspec.to_builtins(plan))

    def plan(self) -> ExamPlan:
        """What was asked for, only read."""
        if not self.exists:
            raise InputError(f"{self.folder} holds no exam; expected a folder that paseo ask made")
        plan = self.noted(ExamPlan)
        if not isinstance(plan.settings.get("extra", {}), dict):
            raise BadFile(
                f"{self.file}: is damaged (the extra settings are no table), expected what paseo "
                "ask wrote; restore it from a copy"
            )
        if plan.own is not None:
            check_questions(plan.own, str(self.file))
        return plan

    def _joined(self, new: ExamPlan) -> ExamPlan:
        """The plan that stands here, with scenes that were added."""
        old = self.plan()
        if problem := difference(old, new):
            raise InputError(
                f"{self.folder} holds another exam: {problem}; "
                "give the same options again, or choose another out",
                parameters=["out"],
            )
        known = {scene.id for scene in old.scenes}
        added = tuple(scene for scene in new.scenes if scene.id not in known)
        return replace(old, scenes=old.scenes + added)
