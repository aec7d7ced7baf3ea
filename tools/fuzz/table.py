"""How the fuzzing went, as a table and a list of failures, one for each cause."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from fuzz.target import FAILURES, Trial, Verdict

COLUMNS = ("kind", "mutants", *(each.value for each in Verdict), "peak MiB", "slowest s", "all s")


@dataclass(slots=True)
class Row:
    """What became of the mutants of one target."""

    name: str
    counts: Counter[Verdict] = field(default_factory=Counter)
    peak_mib: float = 0.0
    slowest_s: float = 0.0
    cpu_s: float = 0.0  # of all together
    failures: dict[tuple[Verdict, str], list[Trial]] = field(default_factory=dict)
    problem: str = ""  # with the good example: then no mutant tells anything

    def add(self, trial: Trial) -> bool:
        """Count a trial; True if it is the first failure of its cause."""
        self.counts[trial.verdict] += 1
        self.peak_mib = max(self.peak_mib, trial.peak_mib)
        self.slowest_s = max(self.slowest_s, trial.cpu_s)
        self.cpu_s += trial.cpu_s
        if trial.verdict not in FAILURES:
            return False
        same = self.failures.setdefault((trial.verdict, trial.where), [])
        same.append(trial)
        return len(same) == 1


def text(rows: Sequence[Row]) -> str:
    """The table."""
    lines: list[Sequence[str]] = [COLUMNS]
    lines += [_cells(row) for row in rows]
    total = Row("all")
    for row in rows:
        total.counts += row.counts
        total.peak_mib = max(total.peak_mib, row.peak_mib)
        total.slowest_s = max(total.slowest_s, row.slowest_s)
        total.cpu_s += row.cpu_s
    lines.append(_cells(total))
    widths = [max(len(line[k]) for line in lines) for k in range(len(COLUMNS))]
    return "\n".join(_line(line, widths) for line in lines)


def _cells(row: Row) -> list[str]:
    counts = [str(row.counts[each]) for each in Verdict]
    return [
        row.name,
        str(row.counts.total()),
        *counts,
        f"{row.peak_mib:.0f}",
        f"{row.slowest_s:.2f}",
        f"{row.cpu_s:.0f}",
    ]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if k == 0 else cell.rjust(width)
        for k, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *rest])


def causes(rows: Iterable[Row], seed: str) -> str:
    """Every cause of failure with how often it was met, what was said, and how to repeat it."""
    lines = []
    for row in rows:
        if row.problem:
            lines.append(f"not fuzzed: {row.name}: {row.problem}")
        for (verdict, where), met in row.failures.items():
            words = " ".join(met[0].words.split())[:300]
            again = f"--seed {seed} --only '{row.name}' --number {met[0].number}"
            lines += [
                f"{verdict} x {len(met)}: {row.name}: {where}",
                f"    {words}",
                f"    again: python -m fuzz {again}",
            ]
    return "\n".join(lines)
