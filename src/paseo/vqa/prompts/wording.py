"""Whose words the questions are put in: ours, or those that came with the data set."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import msgspec

from paseo.errors import BadFile
from paseo.files import bounded
from paseo.parsing.toml import toml_as
from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.questions.question_file import QuestionFile
from paseo.vqa.questions.questions import QuestionType, kinds
from paseo.world.scenes import ClipTiming

LARGEST_FILE = 2**20  # bytes
LONGEST_LINE = 1000  # characters
MOST_LINES = 50
USUAL = ClipTiming(frames=10, period=0.25)  # the clips that our own words were first written for
WORDS = {4.0: "four", 10.0: "ten", 2.5: "two and a half"}
GRIDS = (Layout.GRID, Layout.GRID_BEV)
# The data set's names for what goes with a question.
GUIDANCE = {
    "movement": "movement_instructions",
    "goal": "goal_location_instructions",
    "affected": "navigation_affected_instructions",
    "action": "navigation_action_instructions",
    "future_affected": "suggested_future_navigation_affected_instructions",
    "future_action": "suggested_future_navigation_action_instructions",
}
# Neither control characters nor marks that turn the direction of writing reach a prompt.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_GRID_LINE = re.compile(r"\bgrid\b|\b2 ?[x\u00d7] ?2\b", re.IGNORECASE)

Line = Annotated[str, msgspec.Meta(max_length=LONGEST_LINE)]
Lines = Annotated[list[Line], msgspec.Meta(max_length=MOST_LINES)]


class WordingSource(Enum):
    """Whose sentences."""

    DATASET = "dataset"
    PASEO = "paseo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """All sentences of a prompt, as plain text: nothing in them is ever filled in or run."""

    source: WordingSource
    hash: str  # sha256 of what it was read from
    introduction: str  # the same for every question about every scene
    pictures: Mapping[str, str] = field(default_factory=dict)  # by layout: what is to be seen
    guidance: Mapping[str, str]  # by the name a kind of question gives
    texts: Mapping[str, str]  # by the key of the kind; {PERSON} stands for the person
    formats: Mapping[str, str]  # how to reply: {answer,reason}_{one,several,many}

    @property
    def label(self) -> str:
        """Its source and the beginning of its hash, which tells rows of a table apart."""
        return f"{self.source.value} {self.hash[:8]}"

    def about(self, timing: ClipTiming) -> "Wording":
        """The same for clips of so many frames; the data set's own words stay as they are."""
        if self.source is WordingSource.DATASET or timing == USUAL:
            return self
        ours = paseo_wording(timing)
        return replace(self, introduction=ours.introduction, pictures=ours.pictures)

    def asking(self, own: QuestionFile | None) -> "Wording":
        """The same with the words of one's own questions, which are part of the hash."""
        if own is None:
            return self
        words = sha256(self.hash.encode() + msgspec.json.encode(own.as_asked, order="sorted"))
        return replace(
            self,
            hash=words.hexdigest(),
            texts={**self.texts, **{each.key: each.text for each in own.question}},
            guidance={**self.guidance, **own.guidance},
        )

    def guiding(self, kind: QuestionType) -> str:
        """The instructions that go with a kind of question; empty where none do."""
        return self.guidance[kind.guidance] if kind.guidance else ""


class _OurFile(msgspec.Struct, forbid_unknown_fields=True):
    introduction: str
    answer_one: str
    answer_several: str
    answer_many: str
    reason_one: str
    reason_several: str
    reason_many: str
    pictures: dict[str, str]
    guidance: dict[str, str]


class _Entry(msgspec.Struct):
    question: Line
    type: Line
    choices: Lines


@cache
def paseo_wording(timing: ClipTiming = USUAL) -> Wording:
    """Our own wording, for clips of so many frames; the hash is the same for all of them."""
    file = _our_file(timing)
    texts = {key: kind.text for key, kind in kinds().items()}
    formats = {
        name: getattr(file, name).strip()
        for name in file.__struct_fields__
        if name.startswith(("answer_", "reason_"))
    }
    return Wording(
        source=WordingSource.PASEO,
        hash=sha256(msgspec.json.encode([_our_file(USUAL), texts])).hexdigest(),
        introduction=file.introduction.strip(),
        pictures={layout: text.strip() for layout, text in file.pictures.items()},
        guidance={name: text.strip() for name, text in file.guidance.items()},
        texts=texts,
        formats=formats,
    )


def _our_file(timing: ClipTiming) -> _OurFile:
    text = (resources.files("paseo.vqa") / "shipped" / "wording.toml").read_text(encoding="utf-8")
    numbers = {"FRAMES": timing.frames, "RATE": timing.rate, "SECONDS": timing.duration}
    for name, number in numbers.items():
        text = text.replace(f"{{{name}}}", WORDS.get(number, f"{number:.3g}"))
    return toml_as(_OurFile, text)


def read_wording(path: Path) -> Wording:
    """The wording in a data set's `survey_prompt.json`.

    A line of its introduction that speaks of a grid of pictures goes with the grid layouts only.
    Written reasoning and several questions per request are unknown to it: these words are ours.
    """
    data = bounded(path, LARGEST_FILE, too_large="expected a few thousand; fetch it again")
    parts = _Parts(path, data)
    introduction = parts.lines("survey_instructions")
    grid = [line for line in introduction if _GRID_LINE.search(line)]
    formats = {
        "answer_one": parts.text("answers_format_mc"),
        "answer_several": parts.text("answers_format_ms"),
    }
    return Wording(
        source=WordingSource.DATASET,
        hash=sha256(data).hexdigest(),
        introduction=_joined([line for line in introduction if line not in grid]),
        pictures={layout.value: _joined(grid) for layout in GRIDS} if grid else {},
        guidance={name: _joined(parts.lines(key)) for name, key in GUIDANCE.items()},
        texts={key: parts.question(kind) for key, kind in kinds().items()},
        formats={**paseo_wording().formats, **formats},
    )


class _Parts:
    """The parts of a survey file, each read as what it must be; others are not looked at."""

    def __init__(self, path: Path, data: bytes) -> None:
        self._path = path
        self._parts = self._read("the file", data, dict[str, msgspec.Raw])

    def lines(self, key: str) -> list[str]:
        """A list of lines, in plain text."""
        return [_one_line(line) for line in self._part(key, Lines)]

    def text(self, key: str) -> str:
        """A text of several lines."""
        return _UNSEEN.sub(" ", self._part(key, Line)).strip()

    def question(self, kind: QuestionType) -> str:
        """The text of a question whose choices are those that the labels know."""
        entry = self._part(kind.key, _Entry)
        wanted = "multiple_select" if kind.select_many else "multiple_choice"
        if tuple(entry.choices) != kind.choices or entry.type != wanted:
            raise self._bad(kind.key, f"expected {wanted} of {', '.join(kind.choices)}")
        if kind.about_person != ("{PERSON}" in entry.question):
            raise self._bad(kind.key, "expected {PERSON} in the text where one is asked about")
        return _one_line(entry.question)

    def _part(self, key: str, kind: Any) -> Any:
        if key not in self._parts:
            raise self._bad(key, "is missing")
        return self._read(key, self._parts[key], kind)

    def _read(self, what: str, data: bytes | msgspec.Raw, kind: Any) -> Any:
        try:
            return msgspec.json.decode(data, type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._bad(what, str(error)) from error

    def _bad(self, what: str, problem: str) -> BadFile:
        return BadFile(
            f"{self._path}: {what}: {problem}; this must be the data set's survey_prompt.json: "
            "fetch it again or use wording paseo",
            parameters=["wording"],
        )


def _one_line(text: str) -> str:
    return " ".join(_UNSEEN.sub(" ", text).split())


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip()
