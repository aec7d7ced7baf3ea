"""What people said of clips, and what was measured of them: all that a judgement rests on."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from paseo.metrics.comparison.clusters import Window


@dataclass(frozen=True, slots=True)
class Clip:
    """What was shown: one planner's drive through an episode."""

    episode: str
    planner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """A place on a scale that somebody gave a clip."""

    rater: str  # a name drawn by lot
    clip: Clip
    aspect: str  # such as comfort
    value: int  # 1 to the study's `points`, more is better
    again: bool = False  # the clip was shown to them before


@dataclass(frozen=True, slots=True, kw_only=True)
class Preference:
    """A choice that somebody made between two clips of one episode."""

    rater: str
    episode: str
    aspect: str
    planners: tuple[str, str]  # in the order in which they were shown
    chosen: str | None  # one of them; None: there was no difference


@dataclass(frozen=True, kw_only=True, eq=False)
class RatedStudy:
    """Everything that was said in a study, by those who count."""

    aspects: tuple[str, ...]
    points: int  # of the scale
    ratings: tuple[Rating, ...]
    preferences: tuple[Preference, ...]
    measured: Mapping[Clip, Mapping[str, float]]  # by metric; NaN: undefined for that drive
    # What each episode shows of which recording; one that is not named shares its people with none.
    windows: Mapping[str, Window] = field(default_factory=dict)
