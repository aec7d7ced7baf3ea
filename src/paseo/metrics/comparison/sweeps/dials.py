"""Numbers at several values of which planners are run, all else being equal."""

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from typing import Any

from paseo.metrics.comparison.rows import Row


class Dial(StrEnum):
    """The numbers of a row that a run can sweep, by the names of its fields."""

    REACTIVITY = "reactivity"
    LATENCY = "latency_s"

    def of(self, row: Row) -> float | None:
        """Where a row has it; None where nobody turned it."""
        value: float | None = getattr(row, self.value)
        return value

    def unset(self, row: Row) -> Row:
        """The row that all those share which differ in nothing else."""
        changes: dict[str, Any] = {self.value: None}
        return replace(row, **changes)

    def stops(self, rows: Iterable[Row]) -> list[float]:
        """The values at which rows were run, ascending."""
        return sorted({value for row in rows if (value := self.of(row)) is not None})

    def lines(self, rows: Iterable[Row]) -> dict[Row, dict[float, Row]]:
        """The rows that differ in nothing else, by value; each line by the row they share."""
        found: dict[Row, dict[float, Row]] = {}
        for row in rows:
            value = self.of(row)
            if value is not None:
                found.setdefault(self.unset(row), {})[value] = row
        return {shared: dict(sorted(line.items())) for shared, line in found.items()}


def comparable(a: Row, b: Row, shortest: float | None) -> bool:
    """Whether two rows answer a question: other planners at the same stops, or the same at others.

    A planner is compared with itself at another reactivity, at the `shortest` latency, or seeing
    otherwise; another planner among people who answer otherwise, with another latency or by another
    sight tells nothing about either.
    """
    apart: list[Dial | str] = [dial for dial in Dial if dial.of(a) != dial.of(b)]
    if a.sight != b.sight:
        apart.append("sight")
    if apart == [Dial.LATENCY] and not {a.latency_s, b.latency_s} & {None, shortest}:
        return False
    return not apart or (len(apart) == 1 and a.planner == b.planner)
