"""The paper's findings, one by one, looked for in our numbers with their uncertainty."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
from paper_tables import ROWS

from paseo.metrics.comparison.clusters import clusters
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.comparison.statistics import Estimate, paired_difference
from paseo.world.records import Verdict

Episodes = Mapping[str, Sequence[MeasuredEpisode]]
Value = Callable[[MeasuredEpisode], float | None]
SOCIAL, ORCA, CADRL, BASELINE = ROWS
SURE = 0.05  # a rarer accident is none


class Outcome(Enum):
    """What became of a claim."""

    FOUND = "found"
    NOT_FOUND = "not found"
    NOT_DISTINGUISHABLE = "not distinguishable"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """That one row has the most or the least of something, or the most but for some."""

    words: str
    who: str
    metric: str
    most: bool
    but_for: tuple[str, ...] = ()  # rows that have more still, or less


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim of the paper, and whether our numbers say the same."""

    claim: str
    outcome: Outcome
    numbers: str


CLAIMS = (
    Claim(words="Social Forces has the most successes", who=SOCIAL, metric="success", most=True),
    Claim(words="Social Forces has the fewest collisions", who=SOCIAL, metric="person_collisions",
          most=False),
    Claim(words="ORCA has the second most successes", who=ORCA, metric="success", most=True,
          but_for=(SOCIAL,)),
    Claim(words="the unaware baseline collides most", who=BASELINE, metric="person_collisions",
          most=True),
    Claim(words="SA-CADRL has the shortest traversal time", who=CADRL,
          metric="path_traversal_time", most=False),
    Claim(words="SA-CADRL comes nearest to people", who=CADRL, metric="closest_person_distance",
          most=False),
    Claim(words="SA-CADRL has the shortest paths", who=CADRL, metric="path_length", most=False),
    Claim(words="Social Forces is the fastest", who=SOCIAL, metric="speed", most=True),
    Claim(words="Social Forces needs the most energy", who=SOCIAL, metric="energy", most=True),
    Claim(words="Social Forces plans the quickest", who=SOCIAL, metric="planning_time",
          most=False),
    Claim(words="Social Forces keeps furthest from people", who=SOCIAL,
          metric="closest_person_distance", most=True),
    Claim(words="ORCA has the longest traversal time", who=ORCA, metric="path_traversal_time",
          most=True),
    Claim(words="ORCA needs the least energy", who=ORCA, metric="energy", most=False),
    Claim(words="ORCA has the longest paths", who=ORCA, metric="path_length", most=True),
)  # fmt: skip


def findings(episodes: Episodes) -> Iterator[Finding]:
    """All claims of sections 5.1 and 5.2 that numbers can decide."""
    finished = completed_by_all(episodes)
    for claim in CLAIMS:
        counts = episodes if claim.metric == "success" else finished
        yield _decided(claim, {name: counts[name] for name in ROWS})
    yield _one_incomplete_each(episodes)


def completed_by_all(episodes: Episodes) -> dict[str, list[MeasuredEpisode]]:
    """The episodes that all of the four completed, of every row."""
    incomplete = {each.episode for name in ROWS for each in episodes[name] if not each.completed}
    return {
        name: [each for each in driven if each.episode not in incomplete]
        for name, driven in episodes.items()
    }


def collisions(episodes: Episodes, name: str) -> float:
    """Collisions of one row in the episodes that all of the four completed."""
    return sum(each.values["person_collisions"] or 0.0 for each in completed_by_all(episodes)[name])


def _decided(claim: Claim, episodes: Episodes) -> Finding:
    """Found if it holds against every other row beyond chance, not found if one belies it so."""
    value = _value_of(claim.metric)
    leads = {}  # of the claimed order over its opposite; the least of them decides
    for other in ROWS:
        if other != claim.who:
            ahead = claim.most != (other in claim.but_for)
            more, less = (claim.who, other) if ahead else (other, claim.who)
            leads[other] = difference(episodes[more], episodes[less], value)
    rival = min(leads, key=lambda name: leads[name].mean or 0.0)
    if all(each.low is not None and each.low > 0 for each in leads.values()):
        outcome = Outcome.FOUND
    elif any(each.high is not None and each.high < 0 for each in leads.values()):
        outcome = Outcome.NOT_FOUND
    else:
        outcome = Outcome.NOT_DISTINGUISHABLE
    means = ", ".join(f"{name} {_mean(episodes[name], value):.4g}" for name in ROWS)
    return Finding(
        claim.words,
        outcome,
        f"{claim.metric} {means}; as claimed against {rival} by {_interval(leads[rival])}.",
    )


def _value_of(metric: str) -> Value:
    if metric == "success":
        return lambda each: float(each.verdict is Verdict.SUCCESS)
    return lambda each: each.values[metric]


def _mean(episodes: Sequence[MeasuredEpisode], value: Value) -> float:
    known = [found for found in map(value, episodes) if found is not None]
    return float(np.mean(known)) if known else math.nan


def _interval(lead: Estimate) -> str:
    if lead.mean is None or lead.low is None or lead.high is None:
        return f"{lead.mean or 0.0:.3g}, without an interval"
    return f"{lead.mean:.3g} [{lead.low:.3g}, {lead.high:.3g}]"


def difference(
    a: Sequence[MeasuredEpisode], b: Sequence[MeasuredEpisode], value: Value
) -> Estimate:
    """a - b paired over episodes, its 95 % interval over clusters of crowd windows."""
    windows = {each.episode: each.window for each in (*a, *b)}
    columns = []
    for driven in (a, b):
        found = {each.episode: value(each) for each in driven}
        numbers = [found.get(episode) for episode in windows]
        columns.append(np.array([[math.nan if x is None else x] for x in numbers], float))
    return paired_difference(*columns, clusters(list(windows.values()))).estimate


def _one_incomplete_each(episodes: Episodes) -> Finding:
    """The only claim about counts of ours against the paper's: by the exact binomial."""
    left = {name: [each.episode for each in episodes[name] if not each.completed] for name in ROWS}
    every = [episode for names in left.values() for episode in names]
    if all(len(names) == 1 for names in left.values()) and len(set(every)) == len(ROWS):
        outcome = Outcome.FOUND
    elif min(_chance(len(left[name]), len(episodes[name])) for name in ROWS) < SURE / len(ROWS):
        outcome = Outcome.NOT_FOUND
    else:
        outcome = Outcome.NOT_DISTINGUISHABLE
    told = "; ".join(f"{name}: {', '.join(found) or 'none'}" for name, found in left.items())
    return Finding("each planner leaves one episode incomplete, all different", outcome, f"{told}.")


def _chance(count: int, of: int) -> float:
    """The chance of a count at least as far out if one episode in `of` were expected."""
    p = 1 / of
    chances = [math.comb(of, k) * p**k * (1 - p) ** (of - k) for k in range(of + 1)]
    return min(1.0, 2 * min(sum(chances[: count + 1]), sum(chances[count:])))
