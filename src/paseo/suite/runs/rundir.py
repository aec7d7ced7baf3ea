"""A run directory: what was asked, an append-only log of results, and the records."""

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from paseo.data.held_folder import held
from paseo.errors import BadFile, CannotWrite, InputError
from paseo.suite.runs.jobs import Job, RunPlan
from paseo.suite.runs.results import Result, results_csv
from paseo.world.recordfile import write_atomically

FORMAT, VERSION = "paseo-run", 1


class RunDirectory:
    """One run's folder, held by one process at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.records = folder / "records"
        self._log = folder / "results.jsonl"
        self._lock: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._lock is not None:
            self._lock.close()

    @property
    def exists(self) -> bool:
        """Whether a run was begun here."""
        return (self.folder / "run.json").is_file()

    def create(self, plan: RunPlan) -> None:
        """Begin a new run here."""
        try:
            self.records.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotWrite(f"{self.folder}: cannot be made ({error.strerror})") from error
        self._lock = held(self.folder, by="paseo run")
        if self.exists:
            remedy = "finish it with --resume or choose another --out"
            raise InputError(f"{self.folder} already holds a run; {remedy}")
        if self._log.exists():
            raise InputError(
                f"{self.folder} holds results of a run, but not its run.json; choose another --out"
            )
        header = {"format": FORMAT, "version": VERSION, "plan": _plain(plan)}
        write_atomically(self.folder / "run.json", json.dumps(header, indent=1).encode())

    def reopen(self) -> RunPlan:
        """Take up the run that was begun here; `BadFile` if there is none to take up."""
        if not self.exists:
            raise InputError(
                f"{self.folder} holds no run to resume; leave --resume away to begin one"
            )
        self._lock = held(self.folder, by="paseo run")
        for draft in self.records.glob(".*.part"):  # of a run that was killed
            draft.unlink(missing_ok=True)
        self._cut_torn_line()
        return self.plan()

    def plan(self) -> RunPlan:
        """What was asked for, only read."""
        if not self.exists:
            raise InputError(f"{self.folder} holds no run; expected a folder that paseo run made")
        try:
            content = json.loads((self.folder / "run.json").read_bytes())
            if (content["format"], content["version"]) != (FORMAT, VERSION):
                raise ValueError(f"expected {FORMAT} version {VERSION}")
            return msgspec.convert(content["plan"], RunPlan, dec_hook=_path)
        except (ValueError, KeyError, TypeError) as error:
            raise BadFile(f"{self.folder / 'run.json'}: is damaged ({error})") from error

    def add(self, result: Result) -> None:
        """Append one result; it is on disk when this returns."""
        line = json.dumps(asdict(result)) + "\n"
        try:
            with self._log.open("ab") as log:
                log.write(line.encode())
                log.flush()
                os.fsync(log.fileno())
        except OSError as error:
            raise CannotWrite(
                f"{self._log}: cannot be written ({error.strerror}); make space, then use --resume"
            ) from error

    def finished(self, jobs: Sequence[Job]) -> dict[str, Result]:
        """Results of jobs whose record is still there, by key; a torn last line does not count."""
        whole = self._whole_lines()
        keys = {job.key for job in jobs}
        found = [self._result(line, n) for n, line in enumerate(whole.splitlines(), 1)]
        return {r.key: r for r in found if r.key in keys and self._is_intact(r)}

    def write_table(self, results: Sequence[Result]) -> Path:
        """All results in the order of the plan, whatever order they came in."""
        path = self.folder / "results.csv"
        write_atomically(path, results_csv(results).encode())
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
                f"{self._log}: line {number} is damaged ({error}); remove that line, then --resume"
            ) from error

    def _is_intact(self, result: Result) -> bool:
        path = self.records / Path(result.record).name
        if not path.is_file():
            return False
        return hashlib.sha256(path.read_bytes()).hexdigest() == result.sha256


def _plain(plan: RunPlan) -> Any:
    return msgspec.to_builtins(plan, enc_hook=str)


def same(a: RunPlan, b: RunPlan) -> bool:
    """Whether two plans ask for the same results."""
    return bool(_plain(a) == _plain(b))


def _path(kind: type, value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise TypeError(f"cannot read a {kind.__name__}")
