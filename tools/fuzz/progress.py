"""Rows of kinds that are done, one line each, so that a long run can be gone on with."""

import json
from collections import Counter
from pathlib import Path

from fuzz.table import Row
from fuzz.target import Verdict

NUMBERS = ("peak_mib", "slowest_s", "cpu_s")


class Progress:
    """A file of rows, each of so many mutants by one seed."""

    def __init__(self, file: Path, seed: str, mutants: int) -> None:
        self._file, self._mutants = file, mutants
        self._of = {"seed": seed, "mutants": mutants}

    def add(self, row: Row) -> None:
        """Keep a row if its kind is done, and nothing failed: what failed is to be tried again."""
        if row.counts.total() < self._mutants or row.failures or row.problem:
            return
        told = {**self._of, "name": row.name, "counts": row.counts}
        told |= {each: round(getattr(row, each), 2) for each in NUMBERS}
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")

    def rows(self) -> dict[str, Row]:
        """By name, what was kept of this seed and this many mutants."""
        lines = self._file.read_text(encoding="utf-8").splitlines() if self._file.exists() else []
        found = {}
        for told in map(json.loads, lines):
            if self._of.items() <= told.items():
                counts = Counter({Verdict(key): count for key, count in told["counts"].items()})
                numbers = {each: told[each] for each in NUMBERS}
                found[told["name"]] = Row(told["name"], counts, **numbers)
        return found
