"""Simulated raters with a known taste, for the benchmark and for tests."""

from dataclasses import dataclass, field

import numpy as np

from paseo.metrics.record.metric import Better
from paseo.survey.insight.panel import direction
from paseo.survey.insight.rated import Clip, Preference, RatedStudy, Rating
from paseo.world.arrays import FloatArray

PLANTED = "minimum_person_distance"
# Metrics that come with Paseo, none of which anybody here cares for unless told to.
OTHERS = (
    "path_length_ratio", "path_irregularity", "speed", "energy", "acceleration", "jerk",
    "caused_contacts", "personal_time", "stalled_time", "heading_change", "legibility", "success",
)  # fmt: skip
NAMES = (PLANTED, *OTHERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Taste:
    """What raters like, and how well they can say it."""

    likes: dict[str, float] = field(default_factory=lambda: {PLANTED: 1.0})  # per deviation
    people: int = 40
    episodes: int = 20
    planners: int = 5
    clips_each: int = 20
    noise: float = 1.0  # of a single rating, in the deviations of what clips deserve
    offsets: float = 1.0  # of raters' levels
    scales: float = 0.3  # how much raters differ in how far they go
    hardness: float = 1.0  # of episodes, which all planners share
    kinds: float = 0.5  # how much planners differ in each metric, beside drives
    planners_seed: int | None = None  # what planners are like, the same in all studies
    fans: float = 0.0  # how much planners are liked for what nobody measures
    alike: float = 0.0  # correlation of the first other metric with the planted one
    twice: int = 3  # clips that everybody sees again
    order: float = 0.2  # what the left side is worth
    points: int = 7
    aspect: str = "comfort"


def measured(taste: Taste, rng: np.random.Generator) -> FloatArray:
    """Standardised metrics, (metrics, episodes, planners), larger is better."""
    shape = (len(NAMES), taste.episodes, taste.planners)
    values = rng.normal(size=shape)
    own = rng if taste.planners_seed is None else np.random.default_rng(taste.planners_seed)
    values += taste.kinds * own.normal(size=(len(NAMES), 1, taste.planners))
    values += taste.hardness * rng.normal(size=(len(NAMES), taste.episodes, 1))
    values /= np.sqrt(1 + taste.kinds**2 + taste.hardness**2)
    if taste.alike:
        values[1] = taste.alike * values[0] + np.sqrt(1 - taste.alike**2) * values[1]
    return values


def deserved(taste: Taste, values: FloatArray, rng: np.random.Generator) -> FloatArray:
    """What clips deserve by the taste, and how hard their episode is; (episodes, planners)."""
    worth = np.zeros(values.shape[1:])
    for name, weight in taste.likes.items():
        worth += weight * values[NAMES.index(name)]
    worth += taste.fans * rng.normal(size=(1, taste.planners))
    return worth + taste.hardness * rng.normal(size=(taste.episodes, 1))


def study(taste: Taste, seed: int) -> RatedStudy:
    """A study with such raters: ratings on a scale, clips seen twice, and choices between two."""
    rng = np.random.default_rng(seed)
    values = measured(taste, rng)
    worth = deserved(taste, values, rng)
    ratings: list[Rating] = []
    preferences: list[Preference] = []
    for number in range(taste.people):
        _rate(f"rater {number:03}", worth, taste, rng, ratings, preferences)
    return RatedStudy(
        aspects=(taste.aspect,),
        points=taste.points,
        ratings=tuple(ratings),
        preferences=tuple(preferences),
        measured=_named(values),
    )


def _rate(
    who: str, worth: FloatArray, taste: Taste, rng: np.random.Generator,
    ratings: list[Rating], preferences: list[Preference],
) -> None:  # fmt: skip
    level = (taste.points + 1) / 2 + taste.offsets * rng.normal()
    scale = np.exp(taste.scales * rng.normal())
    shown = rng.permutation(worth.size)[: taste.clips_each].tolist()
    for turn, place in enumerate(shown + shown[: taste.twice]):
        episode, planner = divmod(place, taste.planners)
        felt = level + scale * (worth[episode, planner] + taste.noise * rng.normal())
        value = int(np.clip(np.rint(felt), 1, taste.points))
        clip = Clip(f"episode {episode:02}", f"planner {planner}")
        ratings.append(
            Rating(rater=who, clip=clip, aspect=taste.aspect, value=value, again=turn >= len(shown))
        )
        if turn < len(shown):
            preferences.append(_choice(who, worth, (episode, planner), taste, rng))


def _choice(
    who: str, worth: FloatArray, clip: tuple[int, int], taste: Taste, rng: np.random.Generator
) -> Preference:
    """Against another planner on the same episode, by Davidson's odds."""
    episode, planner = clip
    other = int(rng.choice([k for k in range(taste.planners) if k != planner]))
    left, right = (planner, other) if rng.random() < 0.5 else (other, planner)
    better = (worth[episode, left] - worth[episode, right]) / max(taste.noise, 0.1) + taste.order
    odds = np.exp([better / 2, -better / 2, -1.0])
    outcome = int(rng.choice(3, p=odds / odds.sum()))
    names = (f"planner {left}", f"planner {right}")
    return Preference(
        rater=who,
        episode=f"episode {episode:02}",
        aspect=taste.aspect,
        planners=names,
        chosen=(*names, None)[outcome],
    )


def _named(values: FloatArray) -> dict[Clip, dict[str, float]]:
    """As a study has them: some metrics are better the lower they are."""
    signs = [-1.0 if direction(name) is Better.LOWER else 1.0 for name in NAMES]
    _, episodes, planners = values.shape
    return {
        Clip(f"episode {e:02}", f"planner {p}"): {
            name: float(sign * values[k, e, p])
            for k, (name, sign) in enumerate(zip(NAMES, signs, strict=True))
        }
        for e in range(episodes)
        for p in range(planners)
    }
