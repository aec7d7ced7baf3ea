"""How long planners took: measured beside each record, and summed up for each planner."""

import json
import os
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from paseo.errors import BadFile
from paseo.files import bounded_stream, opened
from paseo.parsing.json import json_value
from paseo.suite.runs.results import Group, Result

FORMAT, VERSION = "paseo-timing", 2
NO_TIMES = (
    OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError,
)  # fmt: skip
LARGEST = 64 << 20  # bytes of a file


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What was measured while an episode ran."""

    processor_s: tuple[float, ...] = ()  # of each plan(), with all its threads
    planning_s: tuple[float, ...] = ()  # by the clock on the wall, whoever else was at work
    workers: int = 1  # that ran at the same time
    alone: bool = False  # kept to one core, as the only worker
    charged_s: tuple[float, ...] | None = None  # for each answer, where as much as was measured
    machine: str = ""  # as JSON; empty: not known
    cores: int = 1

    @property
    def load(self) -> str:
        """Who was at work beside it, in words; empty where nothing was measured."""
        if not self.processor_s:
            return ""
        if self.alone:
            return "one worker kept to a core of its own"
        return (
            f"{self.workers} workers shared {self.cores} cores"
            if self.workers > 1
            else "one worker"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanningSummary:
    """Processor time of the steps of one planner; None where none was measured."""

    planner: str
    control: str
    reactivity: float | None
    latency_s: float | None
    sensing: str | None
    steps: int
    median_s: float | None
    p95_s: float | None


def timing_bytes(timing: Timing) -> bytes:
    """The file beside a record; the machine is this one."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "machine": {
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
        "workers": timing.workers,
        "alone": timing.alone,
        "planning_s": [round(second, 7) for second in timing.planning_s],
        "processor_s": [round(second, 7) for second in timing.processor_s],
    }
    if timing.charged_s is not None:
        content["charged_s"] = timing.charged_s
    return json.dumps(content).encode()


def read_timing(record: Path) -> Timing:
    """What was measured beside a record; nothing where there is no such file."""
    path = record.with_suffix(".timing.json")
    try:
        with opened(path) as stream:
            content: dict[str, Any] = json_value(bounded_stream(stream, path, LARGEST))
        return Timing(
            # Version 1 did not measure it.
            processor_s=tuple(map(float, content.get("processor_s", ()))),
            planning_s=tuple(map(float, content["planning_s"])),
            workers=int(content.get("workers", 1)),
            alone=bool(content.get("alone", False)),
            charged_s=_seconds(content.get("charged_s")),
            machine=json.dumps(content["machine"]),
            cores=int(content["machine"]["cores"] or 1),
        )
    except FileNotFoundError:
        return Timing()
    except NO_TIMES as error:
        raise BadFile(f"{path}: not readable as planning times ({error}); remove it") from error


def _seconds(values: Any) -> tuple[float, ...] | None:
    return None if values is None else tuple(map(float, values))


def planning_summaries(results: Sequence[Result], records: Path) -> list[PlanningSummary]:
    """One for each planner and way in which it was run, in order of appearance."""
    groups: dict[Group, list[float]] = {}
    for row in results:
        times = groups.setdefault(row.group, [])
        times += read_timing(records / row.record).processor_s
    return [
        PlanningSummary(
            planner=planner,
            control=control,
            reactivity=reactivity,
            latency_s=latency_s,
            sensing=sensing,
            steps=len(times),
            median_s=float(np.median(times)) if times else None,
            p95_s=float(np.percentile(times, 95)) if times else None,
        )
        for (planner, control, reactivity, latency_s, sensing), times in groups.items()
    ]


def timing_words(timings: Iterable[Timing]) -> str:
    """Under what load planning times were measured, for below a table that shows them."""
    load = "; ".join(sorted({each.load for each in timings} - {""})) or "not measured"
    return f"planning time: median (95th percentile) of plan()'s processor time per step, {load}"
