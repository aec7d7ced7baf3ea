"""What is asked: sessions, the requests they are made of, and the order of those requests."""

import heapq
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from typing import Protocol

from paseo.vlm.models import Picture, Prompt, Reply
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import Question
from paseo.world.scenes import ClipTiming


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SceneSession:
    """One scene before the model: its pictures, and all that is asked about them."""

    scene: str
    questions: tuple[Question, ...]  # what one builds on comes before it
    images: tuple[Picture, ...]
    timing: ClipTiming
    variant: str = ""  # the name of a changed scene; empty for the scene as it is


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
        self, session: SceneSession, questions: Sequence[Question], earlier: Mapping[str, Answer]
    ) -> Prompt:
        """The prompt that asks these questions of a session."""
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


def depths(
    questions: Sequence[Question], needs: Callable[[Question], Iterable[str]]
) -> dict[str, int]:
    """How many answers after each other it takes to have that to each question, by its key."""
    depth: dict[str, int] = {}
    for question in questions:
        depth[question.key] = 1 + max((depth.get(key, 0) for key in needs(question)), default=0)
    return depth


def groups(
    questions: Sequence[Question], needs: Callable[[Question], Iterable[str]], *, together: int
) -> tuple[tuple[Question, ...], ...]:
    """The questions by request: at most `together` in one, and none that builds on another in it.

    The same questions give the same groups whatever order answers come in.
    """
    depth = depths(questions, needs)
    found = []
    for level in sorted(set(depth.values())):
        alike = [question for question in questions if depth[question.key] == level]
        found += [tuple(alike[i : i + together]) for i in range(0, len(alike), together)]
    return tuple(found)


class QuestionGraph:
    """One session, once: tells which requests can be made as answers come in."""

    def __init__(
        self, session: SceneSession, *, repeat: int, together: int, examiner: Examiner, key: KeyOf
    ) -> None:
        self._session, self._repeat = session, repeat
        self._examiner, self._key = examiner, key
        self._answers: dict[str, Answer] = {}
        self._open: dict[tuple[Question, ...], set[str]] = {}
        known = {question.key for question in session.questions}
        for group in groups(session.questions, examiner.needs, together=together):
            needed = {key for question in group for key in examiner.needs(question)}
            self._open[group] = needed & known

    def requests(self) -> list[Request]:
        """Those that can be made now and were not handed out before."""
        ready = [group for group, needed in self._open.items() if not needed]
        return [self._request(group) for group in ready]

    def add(self, answers: Mapping[str, Answer]) -> None:
        """Take in the answers to a request."""
        self._answers.update(answers)
        for needed in self._open.values():
            needed.difference_update(answers)

    def drop(self, questions: Iterable[Question]) -> int:
        """Give up what builds on these questions, which got no answer; how many that is."""
        lost = {question.key for question in questions}
        dropped = 0
        for group in list(self._open):  # a group comes after those it builds on
            if self._open[group] & lost:
                del self._open[group]
                lost.update(question.key for question in group)
                dropped += len(group)
        return dropped

    def _request(self, group: tuple[Question, ...]) -> Request:
        del self._open[group]
        prompt = self._examiner.prompt(self._session, group, self._answers)
        variant = self._session.variant
        key = self._key(prompt, variant, self._repeat)
        return Request(
            key=key, variant=variant, questions=group, repeat=self._repeat, prompt=prompt
        )


@dataclass(slots=True, order=True)
class PendingRequest:
    """A request on its way: the oldest session first, so that its pictures can be let go."""

    graph_number: int
    number: int
    graph: QuestionGraph = field(compare=False)
    request: Request = field(compare=False)
    attempts: int = field(default=0, compare=False)
    started: float = field(default=0.0, compare=False)


class RequestQueue:
    """Requests that wait their turn, or for the time to be tried again."""

    def __init__(self) -> None:
        self._ready: list[PendingRequest] = []  # a heap
        self._later: list[tuple[float, PendingRequest]] = []  # a heap by time
        self._numbers = count(1)

    def __len__(self) -> int:
        """How many are ready now."""
        return len(self._ready)

    @property
    def empty(self) -> bool:
        """Whether nothing waits, not even for later."""
        return not (self._ready or self._later)

    def add(self, graph: QuestionGraph, graph_number: int, request: Request) -> None:
        """A request that can be made at once."""
        pending = PendingRequest(graph_number, next(self._numbers), graph, request)
        heapq.heappush(self._ready, pending)

    def add_later(self, pending: PendingRequest, at: float) -> None:
        """One that is to be made again at a time."""
        heapq.heappush(self._later, (at, pending))

    def wake(self, now: float) -> None:
        """Make those ready whose time has come."""
        while self._later and self._later[0][0] <= now:
            heapq.heappush(self._ready, heapq.heappop(self._later)[1])

    def next(self) -> PendingRequest:
        """The first that is ready; it leaves."""
        return heapq.heappop(self._ready)

    def until_next_wake_s(self, now: float) -> float:
        """Seconds until another one gets ready by itself; infinite if none will."""
        return self._later[0][0] - now if self._later else math.inf
