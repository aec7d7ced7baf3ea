"""A run directory: what was asked, an append-only log of results, and the records."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from paseo.errors import BadFile, CannotWrite, InputError, PaseoError
from paseo.files import HeldFolder, bounded, make_folder_of, sha256, strange_key, write_whole
from paseo.parsing.json import json_value
from paseo.suite.runs.agreement import check_agreement
from paseo.suite.runs.jobs import Job, RunPlan, jobs_of
from paseo.suite.runs.results import Result, results_csv
from paseo.text import all_storable
from paseo.world.motion import Control
from paseo.world.recordfile import load_record
from paseo.world.records import Outcome

FORMAT, VERSION = "paseo-run", 1
LARGEST_LOG = 256 << 20  # bytes; a result takes some hundred


@dataclass(frozen=True, slots=True)
class _RunFile:
    plan: RunPlan


class RunDirectory(HeldFolder):
    """One run's folder, held by one process at a time."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "run.json", format=FORMAT, version=VERSION, by="paseo run")
        self.records = folder / "records"
        self.decisions = folder / "decisions"  # only where planners note them
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
        for folder in (self.folder, self.records):
            for draft in folder.glob(".*.part"):  # of a run that was killed
                draft.unlink(missing_ok=True)
        self._cut_torn_line()
        return self.plan()

    def plan(self) -> RunPlan:
        """What was asked for, only read."""
        if not self.exists:
            raise InputError(f"{self.folder} holds no run; expected a folder that paseo run made")
        plan = self.noted(_RunFile).plan
        empty = [name for name in ("episodes", "planners", "seeds") if not getattr(plan, name)]
        if empty:
            raise BadFile(
                f"{self.file}: is damaged (it has no {empty[0]}), expected what paseo run wrote; "
                "restore it from a copy"
            )
        return plan

    def add(self, result: Result, *, record: bytes, timing: bytes, decisions: bytes = b"") -> None:
        """Keep one result with its files: a line in the log means that the record is whole."""
        file = self.records / result.record
        if decisions:
            noted = self.decisions / file.with_suffix(".jsonl").name
            make_folder_of(noted)
            write_whole(noted, decisions)
        write_whole(file, record)
        write_whole(file.with_suffix(".timing.json"), timing)
        self._append(result)

    def _append(self, result: Result) -> None:
        """Add a line to the log; it is on disk when this returns."""
        line = json.dumps(all_storable(asdict(result))) + "\n"
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
        keys = {job.key for job in jobs}
        return {r.key: r for r in self._results() if r.key in keys and self._is_intact(r)}

    def agreeing(self, plan: RunPlan) -> dict[str, Result]:
        """The same for all of the plan, each record read and held against its line."""
        jobs = jobs_of(plan)
        found = self.finished(jobs)
        for job in jobs:
            if job.key in found:
                self.check_record(plan, job, found[job.key])
        return found

    def check_record(self, plan: RunPlan, job: Job, result: Result) -> None:
        """Raise `BadFile` where the record of a result is of something else."""
        path = self.records / result.record
        check_agreement(path, load_record(path), job, result, plan.planner_hashes)

    def check_file(self, record: Path) -> None:
        """Raise `BadFile` where a file of records/ is not what its line in the log says."""
        plan = self.plan()
        job = next((each for each in jobs_of(plan) if each.record == record.name), None)
        lines = self._results()
        logged = [each for each in lines if job is not None and each.key == job.key]
        if job is None or not logged:
            return  # nobody has said anything of it
        if not self._is_intact(logged[-1]):
            raise BadFile(
                f"{record}: is not the record that results.jsonl lists there; delete it, then "
                "finish the run again with resume",
                parameters=("resume",),
            )
        self.check_record(plan, job, logged[-1])

    def check_kept(self, results: Mapping[str, Result]) -> None:
        """Raise where the log or a record is not as it was written; the results are by key."""
        kept = {each.key: each.sha256 for each in self._results() if self._is_intact(each)}
        for key, result in results.items():
            if kept.get(key) != result.sha256:
                raise PaseoError(
                    f"{self.records / result.record} or its line in results.jsonl was changed "
                    "while the run went on; see to it that nothing else writes there, no planner "
                    "either, then finish the run with resume",
                    parameters=("resume",),
                )

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
        content = bounded(self._log, LARGEST_LOG) if self._log.exists() else b""
        return content[: content.rfind(b"\n") + 1]

    def _cut_torn_line(self) -> None:
        """Remove what a killed run left of a line, so that the next line starts afresh."""
        if self._log.exists():
            os.truncate(self._log, len(self._whole_lines()))

    def _results(self) -> list[Result]:
        lines = self._whole_lines().splitlines()
        return [self._result(line, number) for number, line in enumerate(lines, 1)]

    def _result(self, line: bytes, number: int) -> Result:
        try:
            return _read_result(line)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise BadFile(
                f"{self._log}: line {number} is damaged ({error}); remove that line, then resume",
                parameters=("resume",),
            ) from error

    def _is_intact(self, result: Result) -> bool:
        path = self.records / Path(result.record).name
        return path.is_file() and sha256(path) == result.sha256


def _read_result(line: bytes) -> Result:
    # Older lines may hold halves of characters, which only Python's own reader takes.
    given = all_storable(json_value(line))
    result = msgspec.convert(given, Result)
    strange = strange_key(given, result)
    if strange is not None:
        raise ValueError(f"it has the unknown key {strange!r:.60}")
    Control(result.control)  # a ValueError if there is no such one
    return result


def _plain(plan: RunPlan) -> Any:
    return msgspec.to_builtins(plan, enc_hook=str)


def same(a: RunPlan, b: RunPlan) -> bool:
    """Whether two plans ask for the same results."""
    return bool(_plain(a) == _plain(b))
