"""What is exported: scenes one by one, each with its pictures, its questions and people's votes."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from paseo.data.scenes.dataset import SceneFolder
from paseo.errors import BadValue, MissingData
from paseo.vlm.models import Picture
from paseo.vqa.exam.preparing import Overview, sessions
from paseo.vqa.exam.sessions import SceneSession
from paseo.vqa.prompts.presentation import Presentation
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Catalogue, Question
from paseo.vqa.questions.raw_answers import Place
from paseo.vqa.questions.votes import Labels
from paseo.world.scenes import ClipTiming, Unreadable

METHOD = Method.INDEPENDENT  # a harness asks every question on its own
Votes = tuple[int, ...]  # for each option of a question


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One question as it is put."""

    question: Question
    prompt: str
    votes: Votes | None  # None where nobody's are known

    @property
    def id(self) -> str:
        """The scene and the question's key."""
        return f"{self.question.scene}/{self.question.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit:
    """A scene as it is exported."""

    scene: str
    hash: str  # of the scene it was drawn from
    people: tuple[int, ...]
    pictures: tuple[Picture, ...]
    timing: ClipTiming
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The scenes of a folder in one wording and one kind of picture, with or without votes."""

    folder: SceneFolder
    found: Overview
    presentation: Presentation
    catalogue: Catalogue
    labels: Labels | None = None

    def __post_init__(self) -> None:
        if self.labels is None:
            return
        if not {each.id for each in self.found.scenes} & set(self.labels.scenes):
            raise BadValue(
                f"{self.labels.source}: holds votes on none of the scenes in "
                f"{self.folder.folder}; name the votes on these scenes, or omit labels",
                parameters=["labels"],
            )

    def exhibits(self) -> Iterator[Exhibit | Unreadable]:
        """All scenes in order, each drawn when its turn comes; a bad one does not stop the rest."""
        votes = _votes(self.labels)
        known = {each.id: each for each in self.found.asked}
        yield from self.found.unreadable
        draw = self.presentation.pictures
        for each in sessions(self.found.scenes, draw=draw, method=METHOD, catalogue=self.catalogue):
            if isinstance(each, Unreadable):
                yield each
                continue
            yield Exhibit(
                scene=each.scene,
                hash=known[each.scene].hash,
                people=known[each.scene].people,
                pictures=each.images,
                timing=each.timing,
                items=tuple(self._item(question, each, votes) for question in each.questions),
            )

    def _item(
        self, question: Question, session: SceneSession, votes: Mapping[Place, Votes]
    ) -> Item:
        text = self.presentation.text([question], timing=session.timing, method=METHOD)
        return Item(question=question, prompt=text, votes=votes.get((question.scene, question.key)))


@dataclass(slots=True)
class ExportTally:
    """What has been exported so far; `progress` is called with every scene."""

    progress: Callable[[], object] = lambda: None
    scenes: int = 0
    durations: set[float] = field(default_factory=set)  # of the clips, in seconds
    reasoning: Counter[str] = field(default_factory=Counter)  # questions of each category
    with_votes: int = 0
    unreadable: list[Unreadable] = field(default_factory=list)

    @property
    def questions(self) -> int:
        """Of all categories."""
        return self.reasoning.total()

    def kept(self, exhibits: Iterator[Exhibit | Unreadable]) -> Iterator[Exhibit]:
        """The exhibits, counted as they pass; `MissingData` at the end if there was none."""
        for each in exhibits:
            self.progress()
            if isinstance(each, Unreadable):
                self.unreadable.append(each)
                continue
            self.scenes += 1
            self.durations.add(each.timing.duration)
            self.reasoning.update(item.question.kind.category for item in each.items)
            self.with_votes += sum(item.votes is not None for item in each.items)
            yield each
        if not self.scenes:
            first = self.unreadable[0]
            raise MissingData(f"no scene can be exported; {first.scene}: {first.reason}")


def _votes(labels: Labels | None) -> dict[Place, Votes]:
    if labels is None:
        return {}
    return {
        (each.scene, each.key): tuple(int(count) for count in row[: len(each.kind.options)])
        for each, row in zip(labels.questions, labels.counts, strict=True)
    }
