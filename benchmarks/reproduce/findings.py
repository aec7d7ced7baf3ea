"""The paper's findings, one by one, looked for in our numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from paper_tables import ROWS

from paseo.metrics.comparison.comparison import Comparison
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.world.records import Verdict

Episodes = Mapping[str, Sequence[MeasuredEpisode]]
SOCIAL, ORCA, CADRL, BASELINE = ROWS


@dataclass(frozen=True, slots=True)
class Finding:
    """A claim of the paper, and whether our numbers say the same."""

    claim: str
    holds: bool
    numbers: str


def findings(episodes: Episodes, comparison: Comparison) -> Iterator[Finding]:
    """All claims of sections 5.1 and 5.2 that numbers can decide."""
    success = {name: _count(episodes[name], Verdict.SUCCESS) for name in ROWS}
    touched = {name: collisions(episodes, episodes[name]) for name in ROWS}
    order = sorted(ROWS, key=lambda name: -success[name])
    yield Finding(
        "Social Forces is the safest: most successes and fewest collisions",
        order[0] == SOCIAL and _extreme(touched, min) == SOCIAL,
        f"Successes {_told(success)}; collisions {_told(touched)}.",
    )
    yield Finding(
        "ORCA has the second most successes", order[1] == ORCA, f"Successes {_told(success)}."
    )
    yield Finding(
        "the unaware baseline collides most",
        _extreme(touched, max) == BASELINE,
        f"Collisions {_told(touched)}.",
    )
    for who, which, metric, claim in (
        (CADRL, min, "path_traversal_time", "SA-CADRL has the shortest traversal time"),
        (CADRL, min, "closest_person_distance", "SA-CADRL comes nearest to people"),
        (CADRL, min, "path_length", "SA-CADRL has the shortest paths"),
        (SOCIAL, max, "speed", "Social Forces is the fastest"),
        (SOCIAL, max, "energy", "Social Forces needs the most energy"),
        (SOCIAL, min, "planning_time", "Social Forces plans the quickest"),
        (SOCIAL, max, "closest_person_distance", "Social Forces keeps furthest from people"),
        (ORCA, max, "path_traversal_time", "ORCA has the longest traversal time"),
        (ORCA, min, "energy", "ORCA needs the least energy"),
        (ORCA, max, "path_length", "ORCA has the longest paths"),
    ):
        means = _means(comparison, episodes, metric)
        yield Finding(claim, _extreme(means, which) == who, f"{metric} {_told(means)}.")
    incomplete = {
        name: [each.episode for each in episodes[name] if not each.completed] for name in ROWS
    }
    all_of_them = [name for names in incomplete.values() for name in names]
    once = all(len(names) == 1 for names in incomplete.values())
    yield Finding(
        "each planner leaves one episode incomplete, all different",
        once and len(set(all_of_them)) == len(ROWS),
        "; ".join(f"{name}: {', '.join(found) or 'none'}" for name, found in incomplete.items())
        + ".",
    )


def _count(episodes: Sequence[MeasuredEpisode], verdict: Verdict) -> int:
    return sum(each.verdict is verdict for each in episodes)


def collisions(episodes: Episodes, counted: Sequence[MeasuredEpisode]) -> float:
    """Collisions of one row in the episodes that all of the four completed."""
    four = [each for name in ROWS for each in episodes[name]]
    incomplete = {each.episode for each in four if not each.completed}
    return sum(
        each.values["person_collisions"] or 0.0
        for each in counted
        if each.episode not in incomplete
    )


def _means(comparison: Comparison, episodes: Episodes, metric: str) -> dict[str, float]:
    by_row = {summary.row: summary for summary in comparison.summaries}
    cells = {name: by_row[episodes[name][0].row].cells[metric] for name in ROWS}
    return {name: cell.mean for name, cell in cells.items() if cell.mean is not None}


def _extreme(values: Mapping[str, float], which: Callable[..., str]) -> str:
    return which(values, key=lambda name: values[name])


def _told(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.4g}" for name, value in values.items())
