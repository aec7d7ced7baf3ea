"""A run directory: what was asked, an append-only log of results, and the records."""

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from paseo.errors import BadFile, CannotWrite, InputError
from paseo.files import HeldFolder, sha256, write_whole
from paseo.suite.runs.jobs import Job, RunPlan
from paseo.suite.runs.results import Result, results_csv
from paseo.world.recordfile import load_record
from paseo.world.records import Outcome

FORMAT, VERSION = "paseo-run", 1


@dataclass(frozen=True, slots=True)
class _RunFile:
    plan: RunPlan


class RunDirectory(HeldFolder):
    """One run's folder, held by one process at a time."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "run.json", format=FORMAT, version=VERSION, by="paseo run")
        self.records = folder / "records"
        self._log = folder / "results.jsonl"

    def create(self, plan: RunPlan) -> None:
        """Begin a new run here."""
        self.lock(self.records)
        if self.exists:
            raise InputError(
                f"{self.folder} already holds a run; finish it with resume or choose another out",
                parameters=("resume", "out"),
            )
        if self._log.exists():
            raise InputError(
                f"{self.folder} holds results of a run, but not its run.json; choose another out",
                parameters=("out",),
            )
        self.note({"plan": _plain(plan)})

    def replan(self, plan: RunPlan) -> None:
        """Say anew what was asked for, in a run that has no results yet."""
        self.note({"plan": _plain(plan)})

    def reopen(self) -> RunPlan:
        """Take up the run that was begun here; `BadFile` if there is none to take up."""
        if not self.exists:
            raise InputError(
                f"{self.folder} holds no run to finish; omit resume to begin one",
                parameters=("resume",),
            )
        self.lock(self.records)
        for draft in self.records.glob(".*.part"):  # of a run that was killed
            draft.unlink(missing_ok=True)
        self._cut_torn_line()
        return self.plan()

    def plan(self) -> RunPlan:
        """What was asked for, only read."""
        if not self.exists:
            raise InputError(f"{self.folder} holds no run; expected a folder that paseo run made")
        return self.noted(_RunFile).plan

    def add(self, result: Result, *, record: bytes, timing: bytes) -> None:
        """Keep one result with its files: a line in the log means that the record is whole."""
        file = self.records / result.record
        write_whole(file, record)
        write_whole(file.with_suffix(".timing.json"), timing)
        self._append(result)

    def _append(self, result: Result) -> None:
        """Add a line to the log; it is on disk when this returns."""
        line = json.dumps(asdict(result)) + "\n"
        try:
            with self._log.open("ab") as log:
                log.write(line.encode())
                log.flush()
                os.fsync(log.fileno())
        except OSError as error:
            raise CannotWrite(
                f"{self._log}: cannot be written ({error.strerror}); make space, then use resume",
                parameters=("resume",),
            ) from error

    def finished(self, jobs: Sequence[Job]) -> dict[str, Result]:
        """Results of jobs whose record is still there, by key; a torn last line does not count."""
        whole = self._whole_lines()
        keys = {job.key for job in jobs}
        found = [self._result(line, n) for n, line in enumerate(whole.splitlines(), 1)]
        return {r.key: r for r in found if r.key in keys and self._is_intact(r)}

    def was_lost(self, result: Result) -> bool:
        """Whether a planner hung, stalled or died, which it may not do when asked again."""
        failed = result.outcome is Outcome.PLANNER_FAILED
        return failed and load_record(self.records / result.record).lost

    def write_table(self, results: Sequence[Result]) -> Path:
        """All results in the order of the plan, whatever order they came in."""
        path = self.folder / "results.csv"
        write_whole(path, results_csv(results).encode())
        return path

    def _whole_lines(self) -> bytes:
        content = self._log.read_bytes() if self._log.exists() else b""
        return content[: content.rfind(b"\n") + 1]

    def _cut_torn_line(self) -> None:
        """Remove what a killed run left of a line, so that the next line starts afresh."""
        if self._log.exists():
            os.truncate(self._log, len(self._whole_lines()))

    def _result(self, line: bytes, number: int) -> Result:
        try:
            return msgspec.json.decode(line, type=Result)
        except msgspec.DecodeError as error:
            raise BadFile(
                f"{self._log}: line {number} is damaged ({error}); remove that line, then resume",
                parameters=("resume",),
            ) from error

    def _is_intact(self, result: Result) -> bool:
        path = self.records / Path(result.record).name
        return path.is_file() and sha256(path) == result.sha256


def _plain(plan: RunPlan) -> Any:
    return msgspec.to_builtins(plan, enc_hook=str)


def same(a: RunPlan, b: RunPlan) -> bool:
    """Whether two plans ask for the same results."""
    return bool(_plain(a) == _plain(b))
