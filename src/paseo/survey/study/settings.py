"""The settings of a study: a file that a person can read and edit before the first answer."""

from enum import Enum
from pathlib import Path
from typing import Annotated, Literal

import tomli_w
from msgspec import Meta, field

from paseo.data.settings_file import Entry, read_settings
from paseo.errors import BadFile, BadValue
from paseo.survey.study.screening_rules import SECTION, ScreeningRules

SETTINGS = "study.toml"
MOST_LINKS = 10_000

Whole = Annotated[int, Meta(ge=1, le=1000)]
Seed = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Minutes = Annotated[float, Meta(gt=0, le=1e6)]
Line = Annotated[str, Meta(max_length=300)]
Code = Annotated[str, Meta(max_length=60, pattern=r"\A[A-Za-z0-9_-]*\Z")]
Links = Annotated[int, Meta(ge=0, le=MOST_LINKS)]
Money = Annotated[float, Meta(ge=0, le=1e6)]
Percent = Annotated[float, Meta(ge=0, le=1000)]
Currency = Annotated[str, Meta(max_length=10)]


class Way(Enum):
    """How people come to a study."""

    OPEN = "open"  # whoever has the address
    LINKS = "links"  # by a link of their own
    PROLIFIC = "prolific"  # sent by Prolific, which names them in the address


class Kind(Enum):
    """What a study is about."""

    SCENES = "scenes"  # questions are answered
    RATINGS = "ratings"  # clips are rated


class Codes(Entry, frozen=True):
    """What Prolific is told when somebody is sent back to it; empty: nothing is."""

    complete: Code = ""
    screened_out: Code = ""
    failed_checks: Code = ""


class Pay(Entry, frozen=True):
    """What people get, by which the status of a study tells what it costs; 0: it does not."""

    per_person: Money = 0.0
    per_hour: Money = 0.0  # in place of it
    currency: Currency = ""
    fee_percent: Percent = 0.0


class StudySettings(Entry, frozen=True):
    """What can be set of a study."""

    format: Literal["paseo-study"]
    version: Literal[1]
    kind: Kind = Kind.SCENES
    title: Line = "How a robot moves among people"
    contact: Line = ""
    per_scene: Whole = 5  # people for each scene, or clip
    scenes_each: Whole = 4  # for each person
    seed: Seed = 0
    minutes: Whole = 30
    place_limit_min: Minutes = 60.0
    way: Way = Way.OPEN
    links: Links = 0
    codes: Codes = field(default_factory=Codes)
    pay: Pay = field(default_factory=Pay)
    screening: ScreeningRules = field(default_factory=ScreeningRules)

    @property
    def place_limit(self) -> float:
        """Seconds without a sign of somebody after which their places are given again."""
        return 60.0 * self.place_limit_min


TEMPLATE = """\
# A study of Paseo. Edit it before the first answer; `kind` and `seed` must stay as they are from
# then on, and so must {files} beside it. The rest may change between
# two runs of the server.
format = "paseo-study"
version = 1
kind = {kind}

title = {title}
contact = {contact}  # whom people can ask: a name and an e-mail address

per_scene = {per_scene}  # people for each {unit}
scenes_each = {scenes_each}  # {unit}s for each person
seed = {seed}  # of who gets which {unit}s
minutes = {minutes}  # how long it takes, as people are told
# After so many minutes without a sign of somebody their places are given to somebody else.
place_limit_min = {place_limit_min}

# How people come: "open" whoever has the address, "links" by the links that the server writes into
# links.txt, "prolific" sent by Prolific.
way = {way}
links = {links}  # how many links there are

# Codes of Prolific's study page, for who is done, who did not pass the comprehension check or found
# no place, and who failed both attention checks; empty: people see no code and are not sent there.
[codes]
complete = {complete}
screened_out = {screened_out}
failed_checks = {failed_checks}

# What whoever is done gets, so that the status tells what the study costs; 0: it does not.
[pay]
per_person = {per_person}
per_hour = {per_hour}  # in place of it, for the time that people take (the median)
currency = {currency}
fee_percent = {fee_percent}  # what the platform takes on top
"""
USUAL_RULES = {  # a scale that one knows is answered faster than a question that must be read
    Kind.SCENES: ScreeningRules(),
    Kind.RATINGS: ScreeningRules(seconds_per_question=1.0),
}
WORDS = {  # the files that must stay as they are, and what people are counted for
    Kind.SCENES: ("text.toml, questions.toml and scenes.json", "scene"),
    Kind.RATINGS: ("text.toml, ratings.toml and clips.json", "clip"),
}


def new_settings(kind: Kind, *, per_scene: int, scenes_each: int, seed: int) -> StudySettings:
    """Settings that nobody has edited yet; `BadValue` where a number is out of bounds."""
    for name, number in (("per_scene", per_scene), ("scenes_each", scenes_each)):
        if not 1 <= number <= 1000:
            raise BadValue(f"{name} is {number}, expected 1 to 1000", parameters=(name,))
    if not 0 <= seed < 2**63:
        raise BadValue(f"seed is {seed}, expected 0 to 2**63 - 1", parameters=("seed",))
    return StudySettings(
        format="paseo-study",
        version=1,
        kind=kind,
        per_scene=per_scene,
        scenes_each=scenes_each,
        seed=seed,
        screening=USUAL_RULES[kind],
    )


def settings_text(settings: StudySettings) -> str:
    """The settings as a file with a word on each."""
    values: dict[str, object] = {}
    for table in (settings, settings.codes, settings.pay, settings.screening):
        values |= {name: getattr(table, name) for name in table.__struct_fields__}
    values |= {"way": settings.way.value, "kind": settings.kind.value}
    files, unit = WORDS[settings.kind]
    words = {name: value for name, value in values.items() if not isinstance(value, Entry)}
    written = {name: _toml(value) for name, value in words.items()}
    return (TEMPLATE + SECTION).format(files=files, unit=unit, **written)


def read_study_settings(path: Path) -> StudySettings:
    """The settings in a file; they must fit each other."""
    settings = read_settings(path, StudySettings)
    if settings.way is Way.LINKS and not settings.links:
        raise BadFile(f"{path}: links: is 0, but people come by links; say how many there are")
    if settings.pay.per_person and settings.pay.per_hour:
        raise BadFile(f"{path}: pay: has per_person and per_hour, expected one; set the other to 0")
    return settings


def _toml(value: object) -> str:
    """A value as TOML writes it."""
    return tomli_w.dumps({"value": value}).removeprefix("value = ").rstrip("\n")
