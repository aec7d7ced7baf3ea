"""docs/reference/metrics.md, made from the metrics themselves so that it cannot drift."""

from collections.abc import Iterable, Sequence

from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.record.catalog import BEYOND, METRICS, PAPER, PUBLISHED
from paseo.metrics.record.measure import PLANNING_TIMES, PUBLISHED_PLANNING_TIME
from paseo.metrics.record.metric import Metric, Population
from paseo.report.walk.compared.tables import names_of

INTRODUCTION = """\
# Metrics

This page is made from the code (`python -m paseo.report.walk.metric_page >
docs/reference/metrics.md`); a test checks that it is up to date. Every metric reads only a
[Record](formats/records.md), so `paseo measure` also scores the
[log of a real robot](formats/logs.md). p is the robot's position, v its velocity,
q a person's position, u their velocity, dt the time step; states are numbered
k = 0, 1, 2 ... A metric that lacks an input says so and never makes up a number.

`paseo compare` shows planners side by side. Whatever means something for any ending uses every
episode; an episode that never arrives counts in `time_to_goal` with its whole time limit (a
restricted mean: hitting a wall is a competing event after which nobody arrives).
{only} describe completed episodes only; {minute} are compared per minute, because ending early is
no merit; and where a planner failed, only {every} count.

Intervals resample crowd windows (recording and first frame), because episodes that share a window
share their people (windows of one recording that follow closely share some, too), and seeds within
episodes; they are widened for the small number of windows. Whether a difference is beyond chance is
tested by exchanging the two planners window by window (a randomisation test, exact for up to 40
windows that differ), at 5 %, corrected by Holm for all pairs and metrics of the table.
"""


def metric_page() -> str:
    """The whole page."""
    every, only = (
        _quoted(each for each in (*METRICS, TIME_TO_GOAL) if each.population is population)
        for population in (Population.EVERY, Population.COMPLETED)
    )
    minute = _quoted(each for each in METRICS if each.per_minute)
    published = (*PUBLISHED, PUBLISHED_PLANNING_TIME)
    paper = (*PAPER[:2], *PLANNING_TIMES, *PAPER[2:])
    return "\n".join(
        [
            INTRODUCTION.format(only=only, minute=minute, every=every),
            "## SocNavBench's Table 1\n",
            _table(paper, original=True),
            "\nPer planner: the success rate is the mean of `success`, the failure distribution",
            "counts the verdicts T, PC and EC, total person collisions sum `person_collisions`.\n",
            "## Beyond the paper\n",
            _table(BEYOND, original=False),
            "\n## As published\n",
            "What the released program computes, faults included (variant `published`); tested",
            "against its own recorded output, element by element.\n",
            "| metric | unit | better | what it is |\n|---|---|---|---|",
            *(f"| `{m.name}` | {m.unit} | {m.better} | {m.summary} |" for m in published),
            "",
        ]
    )


def _quoted(metrics: Iterable[Metric]) -> str:
    return ", ".join(f"`{name}`" for name in names_of(metrics))


def _table(metrics: Sequence[Metric], *, original: bool) -> str:
    columns = ["metric", "unit", "better", "what it is", "formula", "source"]
    columns += ["what the original did"] if original else []
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    for each in metrics:
        cells = [
            f"`{each.name}`",
            each.unit,
            each.better,
            each.summary,
            each.formula,
            each.source,
        ]
        cells += [each.original] if original else []
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(metric_page(), end="")
