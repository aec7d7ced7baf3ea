"""Of which decisions a page tells what was seen and asked: where it matters, while room lasts."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os.path import lexists
from pathlib import Path

from paseo.deciding.decisions import Decision, decisions_file, read_decisions
from paseo.errors import BadValue
from paseo.progress import Progress, silent
from paseo.report.walk.decisions.views import (
    Asked,
    DrivenView,
    Wordbook,
    arrival,
    decision_view,
    wrong_answers,
)
from paseo.report.walk.episodes import RecordView, corner_of
from paseo.suite.recalled import Put, Recalled, asked_a_model, recalled
from paseo.vlm.models import Prompt
from paseo.vqa.pictures.photos import jpeg, photo, photo_size
from paseo.world.arrays import FloatArray
from paseo.world.clocks import WAITING
from paseo.world.recordfile import load_record
from paseo.world.records import Record

MOST_MB = 10.0  # of what was seen and asked, as it stands in the page, unless somebody says
MOST_MB_EVER = 1000.0
MEGA = 1_000_000
WIDTH, QUALITY = 480, 62  # pixels, and of JPEGs
USUAL_PICTURE, USUAL_WORDS = 45_000, 3_000  # bytes that a decision takes, by experience
LINE = 2  # bytes that a line takes in a prompt, beside the line itself, which stands there once
Place = tuple[int, int]  # which drive, which of its decisions


@dataclass(frozen=True, slots=True, kw_only=True)
class Chronicle:
    """The decisions of all drives, None of those that asked no model."""

    drives: tuple[DrivenView | None, ...]
    book: Wordbook
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Driven:
    """A drive by a model."""

    file: Path  # of its record
    decisions: tuple[Decision, ...]
    arrivals: tuple[float, ...]  # when the robot had each of them
    sees: bool  # pictures, and not only words


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """What was put at a decision, before it is known what of it finds room."""

    questions: tuple[str, ...]
    choice: tuple[str, ...]
    picture: str


def check_room(most_mb: float) -> None:
    """Raise where so many megabytes make no sense."""
    if not 0 <= most_mb <= MOST_MB_EVER:
        raise BadValue(
            f"decisions of {most_mb:g} MB, expected 0 to {MOST_MB_EVER:g}",
            parameters=("decisions_mb",),
        )


def chronicle_of(
    files: Sequence[Path],
    views: Sequence[RecordView],
    *,
    most_mb: float = MOST_MB,
    progress: Progress = silent,
) -> Chronicle | None:
    """The decisions of the records in these files, shown so; None where no model drove."""
    drives = [_noted(file) for file in files]
    if not any(drives):
        return None
    ranks = ranked(drives, [_touched(view) for view in views])
    wanted = _wanted(ranks, drives, most_mb)
    book, told, words = Wordbook(), list[DrivenView | None](), dict[Place, _Words]()
    for number, (drive, view) in enumerate(zip(drives, views, strict=True)):
        if drive is None:
            told.append(None)
            continue
        record = load_record(drive.file)
        numbers = {which for place, which in wanted if place == number}
        made = recalled(drive.file, record, drive.decisions, numbers)
        words |= {(number, which): _words(put) for which, put in made.put.items()}
        told.append(_view(drive, record, corner_of(view.floorplan), made, book))
        progress("what was asked", number + 1, len(files))
    shown = _fitting(ranks, words, most_mb)
    asked = {place: _asked(words[place], book) for place in ranks if place in shown}
    return Chronicle(
        drives=tuple(_with(drive, number, asked) for number, drive in enumerate(told)),
        book=book,
        note=_note(len(shown), len(ranks)),
    )


def ranked(
    drives: Sequence[Driven | None], touched: Sequence[Sequence[float]]
) -> tuple[Place, ...]:
    """All decisions, those first that tell most.

    That is the last one before each contact, then those with wrong answers or none that could be
    read, then the others.
    """
    before, wrong, others = list[Place](), list[Place](), list[Place]()
    for drive, (driven, times) in enumerate(zip(drives, touched, strict=True)):
        if driven is None:
            continue
        last = {last_before(driven.arrivals, time) for time in times}
        for number, decision in enumerate(driven.decisions):
            kind = wrong if decision.chosen is None or wrong_answers(decision) else others
            (before if number in last else kind).append((drive, number))
    return (*before, *wrong, *others)


def last_before(arrivals: Sequence[float], time: float) -> int | None:
    """Which decision was the last that the robot had before a time; None: there was none yet."""
    return max((k for k, each in enumerate(arrivals) if each < time), default=None)


def _noted(file: Path) -> Driven | None:
    notes = decisions_file(file)
    if not lexists(notes):
        return None
    record = load_record(file)
    if not asked_a_model(record):
        return None
    sees = record.provenance.parameters.get("view", "picture") == "picture"
    decisions = tuple(read_decisions(notes))
    arrivals = tuple(arrival(each, record) for each in decisions)
    return Driven(file=file, decisions=decisions, arrivals=arrivals, sees=sees)


def _touched(view: RecordView) -> list[float]:
    """When contacts that count began."""
    return [begins for _, begins, *_, cause in view.drive.contacts if cause]


def _wanted(
    ranks: Sequence[Place], drives: Sequence[Driven | None], most_mb: float
) -> frozenset[Place]:
    """Those for which there may be room."""
    room, found = most_mb * MEGA, set[Place]()
    for place in ranks:
        drive = drives[place[0]]
        room -= USUAL_PICTURE if drive and drive.sees else USUAL_WORDS
        if room < 0:
            break
        found.add(place)
    return frozenset(found)


def _view(
    drive: Driven, record: Record, corner: FloatArray, made: Recalled, book: Wordbook
) -> DrivenView:
    return DrivenView(
        model=str(record.provenance.parameters.get("model", "")),
        waits=record.provenance.timekeeping.in_force == WAITING,
        sees=drive.sees,
        problem=made.problem,
        decisions=tuple(decision_view(each, record, corner, book) for each in drive.decisions),
    )


def _words(put: Put) -> _Words:
    return _Words(
        questions=_lines(put.questions) if put.questions else (),
        choice=_lines(put.choice),
        picture="".join(small_picture(each.content) for each in put.choice.images[:1]),
    )


def _lines(prompt: Prompt) -> tuple[str, ...]:
    return tuple(prompt.text.split("\n"))


def small_picture(content: bytes) -> str:
    """A picture that was sent as base64 of a smaller one."""
    width, height = photo_size(content, "a picture of a decision")
    share = min(1.0, WIDTH / width)
    size = round(width * share), round(height * share)
    frame = photo(content, "a picture of a decision", size)
    return base64.b64encode(jpeg(frame, QUALITY)).decode()


def _fitting(
    ranks: Sequence[Place], words: dict[Place, _Words], most_mb: float
) -> frozenset[Place]:
    """Those for which there is room, by rank, up to the first that is too much."""
    room, lines, shown = most_mb * MEGA, set[str](), set[Place]()
    for place in ranks:
        put = words.get(place)
        if put is None:
            continue
        new = {*put.questions, *put.choice} - lines
        room -= len(put.picture) + sum(len(line.encode("utf-8", "replace")) for line in new)
        room -= LINE * (len(put.questions) + len(put.choice))
        if room < 0:
            break
        lines |= new
        shown.add(place)
    return frozenset(shown)


def _asked(put: _Words, book: Wordbook) -> Asked:
    return Asked(
        questions=book.lines.packed(put.questions),
        choice=book.lines.packed(put.choice),
        picture=put.picture,
    )


def _with(drive: DrivenView | None, number: int, asked: dict[Place, Asked]) -> DrivenView | None:
    """The drive with what was asked at its decisions, as far as that is shown."""
    if drive is None:
        return None
    told = (
        replace(each, asked=asked.get((number, which)))
        for which, each in enumerate(drive.decisions)
    )
    return replace(drive, decisions=tuple(told))


def _note(shown: int, decisions: int) -> str:
    """How much of it is in the page."""
    told = "What the model saw and was asked is in this page for"
    if shown == decisions:
        return f"{told} all {decisions} decisions."
    which = "first those before contacts, then those with wrong answers"
    return f"{told} {shown} of {decisions} decisions: {which}."
