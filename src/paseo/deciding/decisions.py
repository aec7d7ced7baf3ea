"""What a planner notes of every decision: a line of JSON for each, in a file beside the record."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from paseo.errors import BadFile
from paseo.files import bounded
from paseo.text import all_storable
from paseo.world.planning import MOST_NOTED

LONGEST_TEXT = 4000  # characters of a reply that are kept; the store has it whole
MOST_DECISIONS = 20_000  # of an episode
Text = Annotated[str, Meta(max_length=LONGEST_TEXT + 100)]
Metres = Annotated[float, Meta(ge=-1e6, le=1e6)]
Place = tuple[Metres, Metres]


class Candidate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A place that could be chosen, in the world."""

    letter: Annotated[str, Meta(min_length=1, max_length=1)]
    x_m: Metres
    y_m: Metres
    speed_mps: Annotated[float, Meta(ge=0, le=1000)]


class Told(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An answer to a question about the moment."""

    answer: tuple[Text, ...]
    problem: Text = ""  # why a reply gave none, in words


class Decision(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One choice of a waypoint: what it was between, what was said, and how long it took."""

    format: Literal["paseo-decision"] = "paseo-decision"
    version: Literal[1] = 1
    number: Annotated[int, Meta(ge=0)]
    time_s: Annotated[float, Meta(ge=0)]
    pose: tuple[Metres, Metres, Annotated[float, Meta(ge=-7, le=7)]]
    goal_m: Place  # that was shown: the goal, or a place on the way there
    people: dict[str, int] = {}  # the number that was drawn: whose id in the record
    candidates: Annotated[tuple[Candidate, ...], Meta(max_length=100)]
    rules: dict[str, str] = {}  # which letter simple rules would have taken
    think: str = "none"
    answers: dict[str, Told] = {}  # that were told before the choice, by question key
    truth: dict[str, tuple[str, ...]] = {}  # by geometry, of the same questions; what is known
    questions_key: str = ""  # of the reply that gave the answers, in the store
    prompt_key: str  # of the reply that chose
    reply: Text  # as the model wrote it
    chosen: str | None  # None: it could not be read, and the robot stops
    problem: Text = ""
    latency_s: Annotated[float, Meta(ge=0)]  # of all replies, as charged

    @property
    def place(self) -> Candidate | None:
        """Where it leads; None: nowhere, because it could not be read."""
        return next((each for each in self.candidates if each.letter == self.chosen), None)


def decision_line(decision: Decision) -> bytes:
    """A decision as a line of the file."""
    plain = all_storable(msgspec.to_builtins(decision))
    return json.dumps(plain, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"


def read_decisions(path: Path) -> Iterator[Decision]:
    """The decisions of an episode, in order; `BadFile` where one is damaged."""
    lines = bounded(path, MOST_NOTED).splitlines()
    if len(lines) > MOST_DECISIONS:
        raise BadFile(f"{path}: has {len(lines)} lines, expected at most {MOST_DECISIONS}")
    for number, line in enumerate(lines, 1):
        try:
            yield msgspec.json.decode(line, type=Decision)
        except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
            raise BadFile(
                f"{path}: line {number} is damaged ({error}), expected a decision that paseo run "
                "wrote; run the episode again"
            ) from error


def decisions_file(record: Path) -> Path:
    """Where the decisions of a record in a run directory are, if its planner noted any."""
    return record.parent.parent / "decisions" / record.with_suffix(".jsonl").name
