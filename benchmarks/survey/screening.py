"""Simulated participants of several kinds, and how many of each `paseo survey screen` leaves out.

What careful people say of a scene is drawn from the votes in SocialNav-SUB's released labels,
tilted by leanings of their own and with a slip now and then; how they differ from each other is our
guess, for who said what was not released. Intervals are Wilson's at 95 %.

Usage: python benchmarks/survey/screening.py DATA [PEOPLE]   (DATA: a folder with human_labels; of
each kind of study PEOPLE people in all, default 6000)
"""

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np

from paseo.report.table import Cell, text_table
from paseo.survey.screening.conduct import Conduct
from paseo.survey.screening.findings import Rule
from paseo.survey.screening.screening import screened
from paseo.survey.store.people import Stage
from paseo.survey.study.screening_rules import ScreeningRules

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support" / "survey"))
from participants import BAD, Scenes, labelled_scenes, study_of

RULES = ScreeningRules()
HEADER = ("people", "bad", "kind", "number", "left out", "95 % interval", *(r.value for r in Rule))
SIZES, SHARES = (20, 75, 200), (0.1, 0.2, 0.3)
Study = Sequence[tuple[str, Conduct]]


def wilson(hits: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    z = 1.959964
    centre = (hits + z * z / 2) / (total + z * z)
    reach = z / (total + z * z) * sqrt(hits * (total - hits) / total + z * z / 4)
    return max(0.0, centre - reach), min(1.0, centre + reach)


def rows(studies: Iterable[Study], *, people: int, bad: float) -> list[list[Cell]]:
    """A row for each kind of participant, and one for all who are bad."""
    total: Counter[str] = Counter()
    out: Counter[str] = Counter()
    by: Counter[tuple[str, Rule]] = Counter()
    for study in studies:
        for (kind, _), each in zip(study, screened([c for _, c in study], RULES), strict=True):
            for name in (kind, *(["all bad"] if kind != "careful" else [])):
                total[name] += 1
                out[name] += not each.kept
                by.update((name, rule) for rule in each.out_by)
    found: list[list[Cell]] = []
    for kind in sorted(total, key=lambda name: (name != "careful", name == "all bad", name)):
        low, high = wilson(out[kind], total[kind])
        share = f"{out[kind] / total[kind]:.1%}"
        rules = [f"{by[kind, rule] / total[kind]:.0%}" for rule in Rule]
        interval = f"{low:.1%} to {high:.1%}"
        found.append([people, f"{bad:.0%}", kind, total[kind], share, interval, *rules])
    return found


def simulated(
    scenes: Scenes, number: int, *, people: int, bad: float, kinds: Sequence[str] = BAD,
    scenes_each: int = 4, silent: bool = False,
) -> Iterable[Study]:  # fmt: skip
    """Studies with so many people in all; `silent` ones pass all checks and take their time."""
    for seed in range(max(1, number // people)):
        rng = np.random.default_rng([seed, people, round(100 * bad), scenes_each])
        study = study_of(scenes, rng, people=people, bad=bad, kinds=kinds, scenes_each=scenes_each)
        slow = (6.0,) * 40
        yield [
            (
                kind,
                replace(each, checks=(True, True), stage=Stage.DONE, pace=slow) if silent else each,
            )
            for kind, each in study
        ]


def main(words: Sequence[str]) -> None:
    """Print the tables."""
    scenes = labelled_scenes(Path(words[0]))
    number = int(words[1]) if len(words) > 1 else 6000
    tables: dict[str, list[list[Cell]]] = {"as it should be": []}
    for people in SIZES:
        for bad in SHARES:
            studies = simulated(scenes, number, people=people, bad=bad)
            tables["as it should be"] += rows(studies, people=people, bad=bad)
    hard = {
        "half of the people bad": {"bad": 0.5},
        "two scenes each instead of four": {"bad": 0.2, "scenes_each": 2},
        "one scene each": {"bad": 0.2, "scenes_each": 1},
        "the bad pass all checks and take their time": {"bad": 0.2, "silent": True},
        "satisficers: usual answers, no look at the scene": {"bad": 0.2, "kinds": ("satisficer",)},
        "half-hearted, unhurried: every second answer by lot": {
            "bad": 0.2, "kinds": ("half-hearted",)
        },
    }  # fmt: skip
    for title, case in hard.items():
        tables[title] = []
        for people in SIZES:
            studies = simulated(scenes, number // 2, people=people, **case)
            tables[title] += rows(studies, people=people, bad=case["bad"])
    for title, table in tables.items():
        print(f"\n{title}\n\n{text_table(HEADER, table)}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
