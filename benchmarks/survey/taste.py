"""Whether `paseo survey metrics` finds a taste that was planted, and none where there is none.

    python benchmarks/survey/taste.py [--studies 200] [--only WORD]

Simulated raters with levels, scales and noise of their own rate clips of hard and easy episodes.
Rates are in hundredths of the studies, with Wilson's 95 % intervals.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from tasters import PLANTED, Taste, study

from paseo.report.table import text_table
from paseo.survey.insight.insight import AspectInsight, metric_insight
from paseo.survey.insight.resampling import Interval

DRAWS = 200
MODERATE = Taste()
NONE = replace(MODERATE, likes={})
TWO = {PLANTED: 1.0, "path_irregularity": 0.8}
CASES = {
    "moderate: 40 raters, 20 episodes": MODERATE,
    "no taste at all": NONE,
    "no taste, 5 raters": replace(NONE, people=5),
    "no taste, 3 planners, 6 episodes": replace(NONE, planners=3, episodes=6, clips_each=12),
    "two tastes": replace(MODERATE, likes=TWO),
    "two tastes, 120 raters, 33 episodes": replace(MODERATE, likes=TWO, people=120, episodes=33),
    "another metric 0.9 alike": replace(MODERATE, alike=0.9),
    "0.9 alike, 200 raters, 33 episodes": replace(MODERATE, alike=0.9, people=200, episodes=33),
    "5 raters": replace(MODERATE, people=5),
    "5 raters, noise 3": replace(MODERATE, people=5, noise=3.0),
    "planners liked for what is not measured": replace(NONE, fans=1.0),
    "the same, 3 planners": replace(NONE, fans=1.0, planners=3),
}
COVERED = {
    "40 raters, 20 episodes": replace(MODERATE, planners_seed=1),
    "8 raters, 8 episodes": replace(MODERATE, planners_seed=1, people=8, episodes=8, clips_each=20),
    "5 raters, 20 episodes": replace(MODERATE, planners_seed=1, people=5, clips_each=50),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one simulated study came to."""

    found: AspectInsight

    @property
    def first(self) -> bool:
        return self.found.predictions[0].metric == PLANTED

    @property
    def claimed(self) -> bool:
        return any(each.claimed and each.metric == PLANTED for each in self.found.predictions)

    @property
    def others(self) -> bool:
        return any(each.claimed and each.metric != PLANTED for each in self.found.predictions)

    @property
    def learned_better(self) -> bool:
        return self.found.learned is not None and self.found.learned.beats_single


COLUMNS: dict[str, Callable[[Outcome], bool]] = {
    "planted first": lambda each: each.first,
    "planted claimed": lambda each: each.claimed,
    "others claimed": lambda each: each.others,
    "score beats one": lambda each: each.learned_better,
}


def excludes(interval: Interval, truth: float) -> bool:
    if interval.low is None or interval.high is None:
        return False
    return not interval.low <= truth <= interval.high


def outcomes(taste: Taste, studies: int) -> list[Outcome]:
    return [
        Outcome(metric_insight(study(taste, seed), seed=seed, draws=DRAWS).aspects[0])
        for seed in range(studies)
    ]


def wilson(count: int, total: int) -> str:
    """A share with its 95 % interval, in hundredths."""
    z, p = NormalDist().inv_cdf(0.975), count / total
    middle = (p + z**2 / (2 * total)) / (1 + z**2 / total)
    reach = z / (1 + z**2 / total) * np.sqrt(p * (1 - p) / total + z**2 / (4 * total**2))
    low, high = max(middle - reach, 0.0), min(middle + reach, 1.0)
    return f"{100 * p:.0f} [{100 * low:.0f}, {100 * high:.0f}]"


def rates(taste: Taste, studies: int) -> list[str]:
    found = outcomes(taste, studies)
    counts = [sum(map(told, found)) for told in COLUMNS.values()]
    return [wilson(count, studies) for count in counts]


def coverage(taste: Taste, studies: int) -> list[str]:
    """How often intervals hold what studies of this size find on average."""
    found = [each.found for each in outcomes(taste, studies)]
    by_metric = [{one.metric: one.within for one in each.predictions} for each in found]
    own = [each[PLANTED] for each in by_metric]
    others = {name: [each[name] for each in by_metric] for name in by_metric[0]}
    del others[PLANTED]
    strengths = [
        [one.strength for one in sorted(each.rankings.standings, key=lambda s: s.planner)]
        for each in found
    ]
    misses = sum(missed(values) for values in others.values())
    by_planner = [missed([row[k] for row in strengths]) for k in range(taste.planners)]
    width = np.mean([(each.high or 0) - (each.low or 0) for each in own])
    return [
        wilson(studies - missed(own), studies),
        f"{100 - 100 * misses / (studies * len(others)):.0f}",
        f"{100 - 100 * sum(by_planner) / (studies * taste.planners):.0f}",
        f"{width:.2f}",
        f"{np.mean([each.reliability.ceiling or 0 for each in found]):.2f}",
        f"{np.mean([each.value or 0 for each in own]):.2f}",
    ]


def missed(intervals: list[Interval]) -> int:
    truth = float(np.mean([each.value or 0.0 for each in intervals]))
    return sum(excludes(each, truth) for each in intervals)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--studies", type=int, default=200)
    parser.add_argument("--only", default="", help="cases whose name holds this")
    options = parser.parse_args()
    begun = time.process_time()
    rows = [
        (name, *rates(taste, options.studies))
        for name, taste in CASES.items()
        if options.only in name
    ]
    if rows:
        print(text_table(("case", *COLUMNS), rows), end="\n\n")
    rows = [
        (name, *coverage(taste, options.studies))
        for name, taste in COVERED.items()
        if options.only in name
    ]
    if rows:
        header = ("covered", "planted", "others", "strengths", "width", "ceiling", "its tau")
        print(text_table(header, rows))
    print(f"\n{time.process_time() - begun:.0f} s of processor time")


if __name__ == "__main__":
    main()
