"""Whether the end of a lead is found where it was planted: coverage and false claims, simulated.

    python benchmarks/latency/planted.py [--tables 1000]

A planner whose success falls with its latency, by curves that are known, drives 33 episodes laid
out like `socnavbench-33` (15 windows) and `paseo-33` (33) beside one whose success is known, too.
Episodes of a window share some of their luck, and an episode most of its luck at all latencies. The
bootstrap is the usual other way to an interval: the crossing of resampled windows, 2.5 to 97.5 %.
"""

import argparse
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.statistics import Difference, Estimate
from paseo.metrics.comparison.sweeps.latency import Endurance, Lead, Opponent, crossing, endurances
from paseo.metrics.comparison.sweeps.reactivity import drawn_means, drawn_weights
from paseo.metrics.record.endings import success
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.motion import Control

LATENCIES = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
LAYOUTS = {15: (1, 3, 2, 2, 3, 2, 5, 2, 1, 1, 2, 4, 2, 1, 2), 33: (1,) * 33}
SIMPLE = 0.4  # the success of the simple planner
DRAWS = 500


@dataclass(frozen=True, slots=True)
class Truth:
    """The success of a planner at each latency, and how much it suits some windows."""

    success: tuple[float, ...]
    suits: float = 0.3

    @property
    def stops_s(self) -> float:
        """Where it is no longer ahead, straight between latencies."""
        leads = [
            Lead(row=row(0.0), simple=row(0.0), latency_s=latency, p=None,
                 difference=Difference(Estimate(mean - SIMPLE, None, None, 1), None))
            for latency, mean in zip(LATENCIES, self.success, strict=True)
        ]  # fmt: skip
        return crossing(leads)[0]


TRUTHS = {
    "ends at 1.5 s": Truth((0.85, 0.83, 0.80, 0.70, 0.50, 0.30, 0.10)),
    "ends at 1 s, a latency that is run": Truth((0.85, 0.83, 0.80, 0.70, 0.40, 0.30, 0.10)),
    "ends at 0.35 s": Truth((0.75, 0.70, 0.60, 0.20, 0.10, 0.10, 0.05)),
    "ends at 1.5 s, slowly": Truth((0.50, 0.49, 0.48, 0.45, 0.42, 0.38, 0.30)),
    "ends at 1.5 s, suits some windows": Truth((0.85, 0.83, 0.80, 0.70, 0.50, 0.30, 0.10), 1.0),
    "never ahead, equal at all latencies": Truth((SIMPLE,) * 7),
    "equal, suits some windows": Truth((SIMPLE,) * 7, 1.0),
    "equal, then behind": Truth((0.40, 0.40, 0.40, 0.35, 0.30, 0.20, 0.10)),
    "never ends": Truth((0.90, 0.90, 0.88, 0.85, 0.80, 0.75, 0.70)),
}


def row(latency: float, planner: str = "slow") -> Row:
    return Row(planner=planner, control=Control.POSITION, rule="", robot=None, latency_s=latency)


def drawn(truth: Truth, clusters: IntArray, rng: np.random.Generator) -> dict[Row, FloatArray]:
    """Successes of the episodes, by row; the simple planner has the same at all latencies."""
    windows, episodes = int(clusters.max()) + 1, len(clusters)
    hard = rng.normal(0, 0.7, windows)[clusters] + rng.normal(0, 0.5, episodes)

    def troubles(stops: int) -> FloatArray:
        """Standard normal, (stops, episodes)."""
        suits = rng.normal(0, truth.suits, windows)[clusters]
        own = rng.normal(0, 0.8, episodes) + rng.normal(0, 0.6, (stops, episodes))
        return (hard + suits + own) / math.sqrt(0.7**2 + 0.5**2 + truth.suits**2 + 1.0)

    bars = np.array([NormalDist().inv_cdf(each) for each in truth.success])
    mine = troubles(len(bars)) < bars[:, None]
    other = troubles(1)[0] < NormalDist().inv_cdf(SIMPLE)
    found = {row(each): one for each, one in zip(LATENCIES, mine, strict=True)}
    found |= {row(each, "simple"): other for each in LATENCIES}
    return {each: one.astype(np.float64) for each, one in found.items()}


def judged(values: dict[Row, FloatArray], clusters: IntArray) -> Endurance:
    """The claim: against the simple planner at its shortest latency."""
    tables = {each: {"success": one[:, None]} for each, one in values.items()}
    found = endurances(tables, clusters, success, ("simple",))
    return next(each for each in found if each.opponent is Opponent.SHORTEST)


def bootstrap(
    values: dict[Row, FloatArray], clusters: IntArray, rng: np.random.Generator
) -> tuple[float, float]:
    """The crossing's quantiles over resampled windows."""
    weights = drawn_weights(clusters, rng, DRAWS)
    simple = drawn_means(values[row(0.0, "simple")], weights)
    leads = np.stack([drawn_means(values[row(each)], weights) - simple for each in LATENCIES])
    ends = np.sort([_end(each) for each in leads.T])
    return float(ends[int(0.025 * DRAWS)]), float(ends[int(0.975 * DRAWS)])


def _end(leads: FloatArray) -> float:
    below = np.flatnonzero(leads <= 0)
    if not len(below):
        return math.inf
    k = int(below[0])
    if k == 0:
        return LATENCIES[0]
    share = float(leads[k - 1] / (leads[k - 1] - leads[k]))
    return LATENCIES[k - 1] + share * (LATENCIES[k] - LATENCIES[k - 1])


def claims_wrongly(found: Endurance, truth: Truth) -> tuple[bool, bool]:
    """Whether it is called ahead where it is not, and behind where it is not."""
    leads = dict(zip(LATENCIES, (each - SIMPLE for each in truth.success), strict=True))
    ahead, behind = found.ahead_up_to_s, found.behind_from_s
    return (
        ahead is not None and any(leads[each] <= 1e-9 for each in LATENCIES if each <= ahead),
        behind is not None and any(leads[each] >= -1e-9 for each in LATENCIES if each >= behind),
    )


def line(name: str, truth: Truth, layout: int, tables: int, rng: np.random.Generator) -> list[str]:
    """One line of the table: how often the interval holds the truth, and what is claimed."""
    clusters = np.repeat(np.arange(layout), LAYOUTS[layout])
    held = boot = ahead = behind = 0
    ends, shown = [], []
    for _ in range(tables):
        values = drawn(truth, clusters, rng)
        found = judged(values, clusters)
        assert found.low_s is not None and found.high_s is not None
        held += found.low_s <= truth.stops_s <= found.high_s
        low, high = bootstrap(values, clusters, rng)
        boot += low <= truth.stops_s <= high
        wrong = claims_wrongly(found, truth)
        ahead, behind = ahead + wrong[0], behind + wrong[1]
        ends.append(found.stops_s)
        shown.append(-1.0 if found.ahead_up_to_s is None else found.ahead_up_to_s)
    middle, usual = float(np.median(ends)), float(np.median(shown))
    told = "none" if usual < 0 else f"{usual:g} s"
    shares = [f"{each / tables:.3f}" for each in (held, boot, ahead, behind)]
    return [name, str(layout), *shares, f"{middle:.2f} s", told]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000, metavar="N")
    options = parser.parse_args()
    header = ["truth", "windows", "held", "by bootstrap", "falsely ahead", "falsely behind",
              "median end", "median shown ahead"]  # fmt: skip
    write: Callable[[str], int] = sys.stdout.write
    write(f"| {' | '.join(header)} |\n|{'---|' * len(header)}\n")
    rng = np.random.default_rng(16)
    for name, truth in TRUTHS.items():
        for layout in LAYOUTS:
            write(f"| {' | '.join(line(name, truth, layout, options.tables, rng))} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
