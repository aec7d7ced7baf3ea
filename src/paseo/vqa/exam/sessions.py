"""What is asked: sittings, the requests they are made of, and the order of those requests."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from paseo.vlm.models import Picture, Prompt, Reply
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import Question


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SceneSession:
    """One scene before the model: its pictures, and all that is asked about them."""

    scene: str
    questions: tuple[Question, ...]  # what one builds on comes before it
    images: tuple[Picture, ...]
    variant: str = ""  # the name of a changed scene; empty for the scene as it is


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A scene that cannot be asked about, and why."""

    scene: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Request:
    """One prompt to be answered once."""

    key: str  # a hash of everything that determines the reply
    variant: str
    questions: tuple[Question, ...]
    repeat: int  # from 0
    prompt: Prompt

    @property
    def scene(self) -> str:
        """The id of the scene it asks about."""
        return self.questions[0].scene


class Examiner(Protocol):
    """Words the questions and reads the replies."""

    def needs(self, question: Question) -> tuple[str, ...]:
        """Keys of the questions whose answers must be there before this one can be worded."""
        ...

    def prompt(
        self, sitting: SceneSession, questions: Sequence[Question], earlier: Mapping[str, Answer]
    ) -> Prompt:
        """The prompt that asks these questions of a sitting."""
        ...

    def answers(self, reply: Reply, questions: Sequence[Question]) -> dict[str, Answer]:
        """The answers a reply gives, by question key; one for each question."""
        ...


KeyOf = Callable[[Prompt, str, int], str]  # of a prompt, its variant and its repeat


def key_maker(model: str, settings: Mapping[str, object]) -> KeyOf:
    """A function that hashes what determines a reply; the same for the same request, always."""

    def key(prompt: Prompt, variant: str, repeat: int) -> str:
        pictures = [picture.hash for picture in prompt.images]
        asked = [variant, prompt.id, prompt.text, pictures, prompt.fps, repeat]
        return sha256(json.dumps([model, settings, asked], sort_keys=True).encode()).hexdigest()

    return key


def groups(
    questions: Sequence[Question], needs: Callable[[Question], Iterable[str]], *, together: int
) -> tuple[tuple[Question, ...], ...]:
    """The questions by request: at most `together` in one, and none that builds on another in it.

    The same questions give the same groups whatever order answers come in.
    """
    depth: dict[str, int] = {}
    for question in questions:
        depth[question.key] = 1 + max((depth.get(key, 0) for key in needs(question)), default=0)
    found = []
    for level in sorted(set(depth.values())):
        alike = [question for question in questions if depth[question.key] == level]
        found += [tuple(alike[i : i + together]) for i in range(0, len(alike), together)]
    return tuple(found)


class QuestionGraph:
    """One sitting, once: tells which requests can be made as answers come in."""

    def __init__(
        self, sitting: SceneSession, *, repeat: int, together: int, examiner: Examiner, key: KeyOf
    ) -> None:
        self._sitting, self._repeat = sitting, repeat
        self._examiner, self._key = examiner, key
        self._answers: dict[str, Answer] = {}
        self._waiting: dict[tuple[Question, ...], set[str]] = {}
        known = {question.key for question in sitting.questions}
        for group in groups(sitting.questions, examiner.needs, together=together):
            needed = {key for question in group for key in examiner.needs(question)}
            self._waiting[group] = needed & known

    def requests(self) -> list[Request]:
        """Those that can be made now and were not handed out before."""
        ready = [group for group, needed in self._waiting.items() if not needed]
        return [self._request(group) for group in ready]

    def add(self, answers: Mapping[str, Answer]) -> None:
        """Take in the answers to a request."""
        self._answers.update(answers)
        for needed in self._waiting.values():
            needed.difference_update(answers)

    def drop(self, questions: Iterable[Question]) -> int:
        """Give up what builds on these questions, which got no answer; how many that is."""
        lost = {question.key for question in questions}
        dropped = 0
        for group in list(self._waiting):  # a group comes after those it builds on
            if self._waiting[group] & lost:
                del self._waiting[group]
                lost.update(question.key for question in group)
                dropped += len(group)
        return dropped

    def _request(self, group: tuple[Question, ...]) -> Request:
        del self._waiting[group]
        prompt = self._examiner.prompt(self._sitting, group, self._answers)
        variant = self._sitting.variant
        key = self._key(prompt, variant, self._repeat)
        return Request(
            key=key, variant=variant, questions=group, repeat=self._repeat, prompt=prompt
        )
