"""What people answered: whole votes for each question, read from the data set's label files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import numpy as np

from paseo.data.scenes.origin import holds_staged, is_staged
from paseo.data.textfile import read_json
from paseo.errors import BadFile, BadValue, InputError, MissingData, PaseoError
from paseo.text import in_short
from paseo.vqa.questions.own import catalogue_in
from paseo.vqa.questions.questions import Catalogue, Option, Question, shipped
from paseo.vqa.questions.raw_answers import (
    LONGEST_NAME,
    Annotations,
    Place,
    option_of,
    read_raw_answers,
)
from paseo.world.arrays import IntArray
from paseo.world.scenes import SCENE_ID, Unreadable

FOLDER, FILE, RAW_FILE = "human_labels", "common_answers.json", "raw_answers.json"
GEOMETRY_FOLDER = "geometry_labels"  # right answers by geometry, which are nobody's votes
LARGEST_FILE = 4 * 2**20  # bytes; the largest of the released ones has 31 kB
MOST_SCENES = 10_000
MOST_PEOPLE = 100_000  # who answered one question
MOST_NUMBERED = 500  # people in a scene; the released ones have up to 13
MOST_FAULTS = 20  # told of one scene
ROUNDING = 0.02  # votes; fractions may have been written with few digits
LISTS = ("sample_info.json", "../sample_info.json", "../prompts/sample_info.json")
_PARTS = ("_probabilities", "_n_answers")

PeopleInScene = Annotated[int, msgspec.Meta(ge=0, le=MOST_NUMBERED)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labels:
    """People's votes on every question of every readable scene."""

    questions: tuple[Question, ...]  # by scene, then in the order they are asked
    counts: IntArray  # (questions, most options), votes for `question.kind.options`, else 0
    annotators: Annotations = field(default_factory=dict)  # answers by person, where known
    unreadable: tuple[Unreadable, ...] = ()  # scenes that are left out
    notes: tuple[str, ...] = ()  # what else a reader should know
    source: str = ""
    marked_staged: bool = False  # whether their folder says that they belong to staged scenes
    catalogue: Catalogue = field(default_factory=shipped)  # all that is asked about the scenes
    by_geometry: bool = False  # nobody's votes: right answers that follow from where people were

    def __post_init__(self) -> None:
        if self.counts.ndim != 2 or len(self.counts) != len(self.questions):
            raise BadValue(f"counts must be (questions, options), not {self.counts.shape}")
        kinds = {each.kind.key: each.kind for each in self.questions}.values()
        if self.counts.shape[1] < max((len(kind.options) for kind in kinds), default=0):
            raise BadValue(f"counts have {self.counts.shape[1]} columns, fewer than options")
        if len(self.counts) and (self.counts.min() < 0 or self.people.min() < 1):
            raise BadValue("every question needs at least one vote, and none below 0")

    @property
    def people(self) -> IntArray:
        """How many people answered each question, (questions,)."""
        return self.counts.sum(axis=1)

    @property
    def scenes(self) -> tuple[str, ...]:
        """The scenes in order."""
        return tuple(dict.fromkeys(each.scene for each in self.questions))

    @property
    def staged(self) -> bool:
        """Whether they are votes on staged scenes, drawn from a formula; else people's."""
        return self.marked_staged or any(map(is_staged, self.scenes))

    def rows(self) -> dict[Place, int]:
        """Which row of `counts` belongs to a scene and question key."""
        return {(each.scene, each.key): row for row, each in enumerate(self.questions)}

    def votes(self) -> dict[Place, dict[Option, int]]:
        """Votes above 0 by scene and question key, in the order of the choices."""
        return {
            (each.scene, each.key): {
                option: int(count)
                for option, count in zip(each.kind.options, row, strict=False)
                if count
            }
            for each, row in zip(self.questions, self.counts, strict=True)
        }

    def most_common(self) -> dict[Place, Option]:
        """What most people said; among equals the first of the choices."""
        best = self.counts.argmax(axis=1)
        return {
            (each.scene, each.key): each.kind.options[k]
            for each, k in zip(self.questions, best, strict=True)
        }


class Truth(StrEnum):
    """What answers are held against; never both at once."""

    PEOPLE = "people"
    GEOMETRY = "geometry"


_FOLDERS = {Truth.PEOPLE: FOLDER, Truth.GEOMETRY: GEOMETRY_FOLDER}


def check_origin(labels: Labels, *, staged: bool, whose: str) -> None:
    """Refuse labels of recorded scenes for staged ones, and the reverse, whatever the ids are."""
    if labels.staged != staged:
        these, those = ("staged", "recorded") if staged else ("recorded", "staged")
        raise InputError(
            f"{whose}: is about {these} scenes, but the votes in {labels.source or 'use'} are on "
            f"{those} ones, even where ids are the same; give labels of the same scenes",
            parameters=["labels"],
        )


def read_labels(folder: Path, truth: Truth | None = None) -> Labels:
    """All label files below a data set's root, its `human_labels` or its `geometry_labels`.

    People's votes come first, unless `truth` says which. A scene with a fault is left out whole and
    named in `unreadable`; the others go on. By geometry not every question has an answer.
    """
    asked: list[Question] = []
    counts: list[list[int]] = []
    unreadable: list[Unreadable] = []
    known: list[Path] = []
    places = _scene_folders(folder, truth)
    by_geometry = places[0].parent.name == GEOMETRY_FOLDER
    catalogue = _catalogue(folder, places[0].parent)
    listed = {} if by_geometry else _listed_people(places[0].parent)
    for place in places:
        found = _scene_votes(place, listed.get(place.name, 0), catalogue, whole=not by_geometry)
        if isinstance(found, Unreadable):
            unreadable.append(found)
            continue
        known.append(place)
        asked += found
        counts += found.values()
    if not asked and not unreadable:
        raise MissingData(f"{folder}: holds no answer to any question; name other labels")
    if not asked:
        first = unreadable[0].reason
        raise BadFile(f"{folder}: no scene's labels can be read; the first fault: {first}")
    annotators, notes = read_raw_answers([place / RAW_FILE for place in known], catalogue)
    return Labels(
        questions=tuple(asked),
        counts=_table(counts),
        annotators=annotators,
        unreadable=tuple(unreadable),
        notes=notes,
        source=str(folder),
        marked_staged=holds_staged(folder),
        by_geometry=by_geometry,
        catalogue=catalogue,
    )


def _scene_folders(folder: Path, truth: Truth | None) -> list[Path]:
    wanted = [name for each, name in _FOLDERS.items() if truth in (None, each)]
    there = [folder / name for name in wanted if (folder / name).is_dir()]
    top = there[0] if there else folder
    if truth is Truth.GEOMETRY and top.name != GEOMETRY_FOLDER:
        raise MissingData(
            f"{folder}: holds no {GEOMETRY_FOLDER}, expected right answers by geometry; they come "
            "with scenes that `paseo scenes make` cuts out of episodes, crowds and runs",
            parameters=["labels"],
        )
    if not top.is_dir():
        raise MissingData(
            f"{folder}: is no folder, expected people's answers; name a data set with labels, or "
            "get SocialNav-SUB with `paseo data fetch socialnav-sub`",
            parameters=["labels"],
        )
    # Below `human_labels` every folder is a scene's; elsewhere there may be others.
    every = top.name in _FOLDERS.values()
    found = sorted(
        place for place in top.iterdir() if place.is_dir() and (every or (place / FILE).exists())
    )
    if not found:
        raise MissingData(
            f"{folder}: holds no {FOLDER}/<scene>/{FILE}; name the root of a data set, or make one "
            "with `paseo scenes make`"
        )
    if len(found) > MOST_SCENES:
        raise BadFile(f"{folder}: holds {len(found)} scenes, expected at most {MOST_SCENES}")
    return found


def _catalogue(folder: Path, top: Path) -> Catalogue:
    """What is asked by the folder that was named, or the one that holds its labels."""
    root = top.parent if folder == top and top.name in _FOLDERS.values() else folder
    return catalogue_in(root)


def _listed_people(top: Path) -> dict[str, int]:
    """How many people each scene has by the data set's list; clips of one's own have none."""
    for name in LISTS:
        try:
            content = read_json(top / name, largest=LARGEST_FILE)
            samples = msgspec.convert(content, dict[str, list[dict[str, Any]]])["samples"]
            counts = {str(each["folderpath"]): each["n_people"] for each in samples}
            return msgspec.convert(counts, dict[str, PeopleInScene])
        except (PaseoError, msgspec.ValidationError, KeyError):
            continue  # whoever opens the scenes is told; votes can be read without
    return {}


def _scene_votes(
    place: Path, listed: int, catalogue: Catalogue, *, whole: bool
) -> dict[Question, list[int]] | Unreadable:
    """Votes of one scene, in the order its questions are asked; or everything wrong with it.

    Those that are `whole` have votes on every question.
    """
    try:
        content = _content(place)
    except PaseoError as error:
        return Unreadable(in_short(place.name, LONGEST_NAME), (str(error),))
    file = place / FILE
    votes: dict[str, list[int]] = {}
    faults: list[str] = []
    people = set(range(1, listed + 1))
    for key in _question_keys(content):
        try:
            asked = catalogue.question(place.name, key)
            if asked.person is not None:
                people.add(asked.person)
            votes[key] = _votes(asked, content)
        except PaseoError as error:
            faults.append(f"{file}: {error}")
    everything = catalogue.questions(place.name, sorted(people))
    missing = [each.key for each in everything if whole and each.key not in content]
    whose = f"all questions about its {len(people)} people" if listed else "all of its questions"
    faults += [f"{file}: {key} is missing, expected {whose}" for key in missing]
    if faults:
        return Unreadable(place.name, tuple(faults[:MOST_FAULTS]))
    return {each: votes[each.key] for each in everything if each.key in votes}


def _content(place: Path) -> dict[str, Any]:
    """What the label file of a scene holds."""
    if not SCENE_ID.fullmatch(place.name):
        raise BadFile(f"{place}: is no scene's id; letters, digits, '_', '-' and '.' are")
    file = place / FILE
    if not file.is_file():
        raise BadFile(f"{place}: has no {FILE}; fetch it again or remove the folder")
    content = read_json(file, largest=LARGEST_FILE)
    if not isinstance(content, dict):
        raise BadFile(f"{file}: is no object, expected question keys; fetch it again")
    return content


def _question_keys(content: Mapping[str, Any]) -> Iterator[str]:
    return (key for key in content if key.startswith("q_") and not key.endswith(_PARTS))


def _votes(asked: Question, content: Mapping[str, Any]) -> list[int]:
    answers, shares, n = (content.get(asked.key + part) for part in ("", *_PARTS))
    if not isinstance(answers, list) or not isinstance(shares, list) or len(answers) != len(shares):
        raise BadValue(f"{asked.key} needs a list of answers and as many probabilities")
    if not isinstance(n, int) or isinstance(n, bool) or not 1 <= n <= MOST_PEOPLE:
        raise BadValue(f"{asked.key}_n_answers is {n!r:.40}, expected 1 to {MOST_PEOPLE} people")
    if not all(isinstance(p, int | float) and 0 <= p <= 1 for p in shares):
        raise BadValue(f"{asked.key}_probabilities must be numbers from 0 to 1")
    counts = [0] * len(asked.kind.options)
    for answer, share in zip(answers, shares, strict=True):
        option = option_of(answer, asked.kind)
        if option is None:
            raise BadValue(
                f"{asked.key}: {answer!r:.60} is none of its choices, "
                f"expected {', '.join(asked.kind.choices)}"
            )
        k = asked.kind.options.index(option)
        if counts[k]:
            raise BadValue(f"{asked.key}: {answer!r:.60} is listed twice")
        counts[k] = _whole(share, n, asked.key)
    if sum(counts) != n:
        raise BadValue(f"{asked.key}_probabilities add up to {sum(shares):.4g}, expected 1")
    return counts


def _whole(share: float, n: int, key: str) -> int:
    count = round(share * n)
    if abs(share * n - count) > ROUNDING:
        raise BadValue(f"{key}: a probability of {share:.4g} is no share of {n} people")
    return count


def _table(counts: list[list[int]]) -> IntArray:
    table = np.zeros((len(counts), max(map(len, counts))), dtype=np.int64)
    for row, votes in enumerate(counts):
        table[row, : len(votes)] = votes
    return table
