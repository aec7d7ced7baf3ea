"""Whether verdicts keep their word: false alarms, power and coverage of `paseo compare`, simulated.

    python benchmarks/walk/verdicts.py [--tables 100]

Planners whose truth is known drive 33 episodes laid out like `socnavbench-33` (15 windows) and
`paseo-33` (33). Compared are the primary family as shipped, the procedure before it (Holm over all
pairs and 26 metrics, exact signs of windows), and per-episode tests that nobody corrected.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from paseo.metrics.comparison.families import ALPHA, primary_p
from paseo.metrics.comparison.sign_flips import holm, sign_flip_p
from paseo.metrics.comparison.statistics import Estimate, cluster_sums, estimate, paired_difference
from paseo.world.arrays import FloatArray, IntArray

# Episodes in each window: as the curated suite has them, and one each.
LAYOUTS = {15: (1, 3, 2, 2, 3, 2, 5, 2, 1, 1, 2, 4, 2, 1, 2), 33: (1,) * 33}
OLD_METRICS = 26
SUCCESS, CONTACTS, TIME = range(3)
WEAK = -0.7  # the ability of a planner that succeeds every other time
FREE_TIME, LIMIT = 13.0, 60.0  # seconds


@dataclass(frozen=True, slots=True)
class Truth:
    """Planners, and how they would do in all crowds there are."""

    ability: tuple[float, ...]  # of each planner: larger is better
    suits: float = 0.0  # how much planners suit some windows better than others
    unsteady: bool = False  # whether planners differ in how much episodes matter to them
    patience: float = 2.2  # who is in more trouble never arrives


def drawn(truth: Truth, clusters: IntArray, rng: np.random.Generator) -> FloatArray:
    """Success, contacts per minute and time to goal, (planners, episodes, 3)."""
    planners, windows = len(truth.ability), int(clusters.max()) + 1
    hard = rng.normal(0, 0.7, windows)[clusters] + rng.normal(0, 0.5, len(clusters))
    suits = rng.normal(0, truth.suits, (planners, windows))[:, clusters]
    swing = np.linspace(0.3, 1.7, planners) if truth.unsteady else np.ones(planners)
    noise = rng.normal(0, 1, (planners, len(clusters)))
    spread = np.sqrt(0.7**2 + 0.5**2 + truth.suits**2 + 1)
    # A planner's trouble is standard normal whatever its swing, so that equals are equal.
    trouble = swing[:, None] * (hard + suits) + noise
    trouble /= np.sqrt(swing[:, None] ** 2 * (spread**2 - 1) + 1)
    trouble -= np.array(truth.ability)[:, None]
    contacts = rng.poisson(np.exp(np.clip(0.9 * trouble - 1.0, None, 3.0)))
    arrived = trouble < truth.patience
    time = np.where(arrived, FREE_TIME + np.exp(0.5 + 0.6 * trouble), LIMIT)
    success = (arrived & (contacts == 0)).astype(float)
    return np.stack([success, contacts * 60.0 / time, np.minimum(time, LIMIT)], axis=-1)


NULLS: dict[str, Callable[[int], Truth]] = {
    "alike": lambda n: Truth((0.5,) * n),
    "each suits some windows": lambda n: Truth((0.5,) * n, suits=0.7),
    "steady and unsteady ones": lambda n: Truth((0.5,) * n, unsteady=True),
    "alike but for one": lambda n: Truth((-2.5,) + (0.5,) * (n - 1)),
}


ARRIVING = "all arrive"
COVERED = {
    ARRIVING: Truth((1.2, 0.5), patience=np.inf),
    "one in 100 never arrives": Truth((1.2, 0.5), patience=1.2),  # of which few tables show any
}


def shipped(values: FloatArray, clusters: IntArray, rng: np.random.Generator) -> FloatArray:
    """Corrected p of every pair and metric, as `paseo compare` has them."""
    return primary_p(values, clusters, pairs_of(values), rng)


def before(values: FloatArray, clusters: IntArray, _rng: np.random.Generator) -> FloatArray:
    """Holm over all pairs and all metrics; of those not simulated the p are 1, which is kind."""
    raw = signed(values, clusters)
    others = [1.0] * (len(raw) * (OLD_METRICS - raw.shape[1]))
    return np.array(holm([*raw.ravel().tolist(), *others])[: raw.size]).reshape(raw.shape)


def naive(values: FloatArray, clusters: IntArray, _rng: np.random.Generator) -> FloatArray:
    """Every episode an independent draw, every test the only one."""
    return signed(values, np.arange(len(clusters)))


PROCEDURES = {"shipped": shipped, "before": before, "naive": naive}


def signed(values: FloatArray, clusters: IntArray) -> FloatArray:
    found = [
        [sign_flip_p(cluster_sums(each, clusters)) for each in (values[a] - values[b]).T]
        for a, b in pairs_of(values)
    ]
    return np.array(found)


def pairs_of(values: FloatArray) -> list[tuple[int, int]]:
    return list(combinations(range(len(values)), 2))


def clusters_of(layout: int) -> IntArray:
    return np.repeat(np.arange(layout), LAYOUTS[layout])


def false_alarms(truth: Truth, layout: int, tables: int, rng: np.random.Generator) -> FloatArray:
    """In what share of tables each procedure calls some equals different, (procedures,)."""
    clusters, ability = clusters_of(layout), np.array(truth.ability)
    equal = [ability[a] == ability[b] for a, b in combinations(range(len(ability)), 2)]
    alarms = np.zeros(len(PROCEDURES))
    for _ in range(tables):
        values = drawn(truth, clusters, rng)
        for k, procedure in enumerate(PROCEDURES.values()):
            alarms[k] += (procedure(values, clusters, rng)[equal] < ALPHA).any()
    return alarms / tables


def power(
    lead: float, planners: int, layout: int, tables: int, rng: np.random.Generator
) -> tuple[float, FloatArray]:
    """The true difference in success of two planners, and how often it is found, (procedures,).

    The other planners lie between the two.
    """
    truth = Truth((WEAK + lead, *([WEAK + lead / 2] * (planners - 2)), WEAK))
    clusters = clusters_of(layout)
    many = drawn(truth, np.arange(20_000), rng)[:, :, SUCCESS].mean(axis=1)
    found = np.zeros(len(PROCEDURES))
    ends = pairs_of(np.empty(planners)).index((0, planners - 1))
    for _ in range(tables):
        values = drawn(truth, clusters, rng)
        for k, procedure in enumerate(PROCEDURES.values()):
            found[k] += procedure(values, clusters, rng)[ends, SUCCESS] < ALPHA
    return float(many[0] - many[-1]), found / tables


def coverage(
    truth: Truth, layout: int, tables: int, rng: np.random.Generator
) -> Iterator[tuple[str, float]]:
    """How often 95 % intervals hold the truth about the first planner, and the first two."""
    clusters = clusters_of(layout)
    many = drawn(truth, np.arange(400_000), rng).mean(axis=1)
    names = ("success", "contacts", "time to goal")
    held = {f"{name}{end}": 0 for name in names for end in ("", ", difference")}
    for _ in range(tables):
        values = drawn(truth, clusters, rng)
        for k, name in enumerate(names):
            a, b = values[:, :, k, None]
            share = k == SUCCESS
            mean = estimate(a, clusters, share=share)
            apart = paired_difference(a, b, clusters, share=share).estimate
            held[name] += holds(mean, many[0, k])
            held[f"{name}, difference"] += holds(apart, many[0, k] - many[1, k])
    yield from ((name, count / tables) for name, count in held.items())


def holds(found: Estimate, truth: float) -> bool:
    return found.low is not None and found.high is not None and found.low <= truth <= found.high


def main() -> int:
    """Print the three tables; exit with 1 if false alarms or coverage miss their marks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=100, help="simulated for each line")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng, missed = np.random.default_rng(options.seed), []
    noise = 2 * np.sqrt(ALPHA * (1 - ALPHA) / options.tables)
    print(f"False alarms in the primary family ({options.tables} tables, noise +- {noise:.3f})\n")
    print("| truth | windows | planners | " + " | ".join(PROCEDURES) + " |\n" + "|---" * 6 + "|")
    for name, null in NULLS.items():
        for layout in LAYOUTS:
            for planners in (2, 5, 9, 12):
                alarms = false_alarms(null(planners), layout, options.tables, rng)
                cells = " | ".join(f"{each:.3f}" for each in alarms)
                print(f"| {name} | {layout} | {planners} | {cells} |", flush=True)
                if alarms[0] > ALPHA + noise:
                    missed.append(f"{name}, {layout} windows, {planners} planners")
    print("\nPower: how often a difference in success is found\n")
    print("| apart by | windows | planners | " + " | ".join(PROCEDURES) + " |\n" + "|---" * 6 + "|")
    for layout in LAYOUTS:
        for planners in (2, 9):
            for lead in (0.5, 1.0, 2.0, 3.0):
                gap, found = power(lead, planners, layout, options.tables, rng)
                cells = " | ".join(f"{each:.2f}" for each in found)
                print(f"| {gap:.2f} | {layout} | {planners} | {cells} |", flush=True)
    print("\nCoverage of 95 % intervals\n")
    print("| truth | windows | interval of | covers |\n|---|---|---|---|")
    for name, truth in COVERED.items():
        for layout in LAYOUTS:
            for what, share in coverage(truth, layout, 20 * options.tables, rng):
                print(f"| {name} | {layout} | {what} | {share:.3f} |", flush=True)
                slack = 2 * np.sqrt(0.95 * 0.05 / (20 * options.tables))
                if truth is COVERED[ARRIVING] and not 0.93 - slack <= share <= 0.97 + slack:
                    missed.append(f"coverage of {what} with {layout} windows: {share:.3f}")
    print("\nmissed: " + ("; ".join(missed) or "nothing"))
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
