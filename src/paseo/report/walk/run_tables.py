"""The tables that a run ends with."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from paseo.planners.choices import parse_planners
from paseo.planners.names import is_reference
from paseo.report.table import text_table
from paseo.report.walk.rows import sensing_word
from paseo.suite.runs.results import Summary
from paseo.suite.runs.timing import PlanningSummary

SENSING = "sensing"
CHOSEN = ("reactivity", "latency s", SENSING)  # columns that are shown where somebody's was
LEGEND = (
    "contacts: caused by the robot, shared, or walked into a robot that stood or gave way; "
    "success s: mean time of successes; to goal s: mean time to the goal of all, who never "
    "arrives counting with the time limit"
)


def results_table(rows: Sequence[Summary]) -> str:
    """How each planner of a run did."""
    header = [
        "planner", "control", *CHOSEN, "episodes", "success", "T", "PC", "EC", "failed",
        "contacts", "caused", "shared", "walked into", "success s", "to goal s",
    ]  # fmt: skip
    lines = [[_marked(row.planner), *list(asdict(row).values())[1:]] for row in rows]
    return text_table(*_sensing_told(*_without_unchosen(header, lines)))


def _without_unchosen(
    header: list[str], lines: list[list[Any]]
) -> tuple[list[str], list[list[Any]]]:
    """The table without the columns of numbers that were chosen for nobody."""
    shown = [
        column
        for column, name in enumerate(header)
        if name not in CHOSEN or any(line[column] is not None for line in lines)
    ]
    kept = [[line[column] for column in shown] for line in (header, *lines)]
    return kept[0], kept[1:]


def _sensing_told(header: list[str], lines: list[list[Any]]) -> tuple[list[str], list[list[Any]]]:
    """The table, its column of sensing in the words that comparisons have."""
    if SENSING not in header:
        return header, lines
    column = header.index(SENSING)
    words = [sensing_word(line[column]) for line in lines]
    return header, [
        [*line[:column], word, *line[column + 1 :]] for line, word in zip(lines, words, strict=True)
    ]


def planning_table(rows: Sequence[PlanningSummary]) -> str:
    """How long each planner of a run took."""
    header = ["planner", "control", *CHOSEN, "steps", "median ms", "p95 ms"]
    lines = [
        [_marked(row.planner), row.control, row.reactivity, row.latency_s, row.sensing, row.steps,
         *(None if each is None else 1000.0 * each for each in (row.median_s, row.p95_s))]
        for row in rows
    ]  # fmt: skip
    return text_table(*_sensing_told(*_without_unchosen(header, lines)))


def _marked(planner: str) -> str:
    """The planner, or that it is none."""
    name = parse_planners(planner)[0].reference
    return f"{planner} (reference, own episodes)" if is_reference(name) else planner
