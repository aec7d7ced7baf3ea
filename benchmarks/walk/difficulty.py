"""How hard each episode of a suite is: who passes, whom planners meet, and how close they come.

Usage: python benchmarks/walk/difficulty.py [SUITE|RUN_DIR [PAGE]]    (default: paseo-33)

Prints a table in Markdown, and puts it at the end of a page of the docs if one is named. Fails if
all planners pass an episode without meeting anybody, or if fewer than five episodes are passed by
fewer than half of them. A finished run is measured, not run again.
"""

import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.metrics.encounters import Meetings, encounters, meetings, people_on_clock
from paseo.metrics.reference_drives import TICK, drive_through
from paseo.suite.running import run
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.rundir import RunDirectory
from paseo.world.recordfile import load_record
from paseo.world.records import Record, Verdict

PLANNERS = "straight,social-force,orca,orca-checkpoints,sacadrl,sampling,mppi,dwa,time-gap"
HEADING = "## How hard they are\n"
WANTED_HARD = 5  # episodes that fewer than half of the planners pass


@dataclass(frozen=True, slots=True)
class Passage:
    """One planner's drive through one episode."""

    verdict: Verdict
    met: int  # people
    closest: float  # metres between centres

    @property
    def cell(self) -> str:
        """Unless it passed the verdict, then whom it met and how close it came."""
        told = f"{self.met}, {self.closest:.2f}"
        return told if self.verdict is Verdict.SUCCESS else f"**{self.verdict}** {told}"


@dataclass(frozen=True, slots=True)
class Difficulty:
    """One episode with all planners."""

    name: str
    meetings: Meetings
    passages: Mapping[str, Passage]  # by planner

    @property
    def passed(self) -> int:
        """How many planners had success."""
        return sum(each.verdict is Verdict.SUCCESS for each in self.passages.values())

    @property
    def is_hard(self) -> bool:
        """Whether fewer than half of the planners pass."""
        return self.passed < len(self.passages) / 2

    @property
    def is_empty(self) -> bool:
        """Whether all planners pass, and none meets anybody."""
        met = max(each.met for each in self.passages.values())
        return self.passed == len(self.passages) and met == 0


def main(target: str, page: Path | None = None) -> int:
    if (Path(target) / "run.json").is_file():
        found = difficulties(Path(target))
    else:
        with tempfile.TemporaryDirectory() as folder:
            found = difficulties(run(target, PLANNERS, out=Path(folder) / "run").folder)
    text = told(found)
    print(text)
    if page is not None:
        before = page.read_text().partition(HEADING)[0]
        page.write_text(f"{before}{HEADING}\n{text}\n")
    hard = sum(each.is_hard for each in found)
    return 0 if hard >= WANTED_HARD and not any(each.is_empty for each in found) else 1


def difficulties(folder: Path) -> list[Difficulty]:
    """Every episode of a finished run."""
    directory = RunDirectory(folder)
    by_episode: dict[str, dict[str, Record]] = {}
    for job in jobs_of(directory.plan()):
        record = load_record(directory.records / job.record)
        by_episode.setdefault(job.episode.name, {})[job.planner.label] = record
    return [
        Difficulty(
            name,
            meetings(next(iter(records.values())).scenario),
            {planner: passage(record) for planner, record in records.items()},
        )
        for name, records in by_episode.items()
    ]


def passage(record: Record) -> Passage:
    """Whom the planner met on the drive that it chose."""
    times = np.arange(0.0, record.times[-1] + TICK / 2, TICK)
    places = [np.interp(times, record.times, record.robot[:, axis]) for axis in (0, 1)]
    people = people_on_clock(record.scenario.tracks, record.scenario.time_limit)
    drive = drive_through(np.stack(places, axis=1))
    met = encounters(people, drive, record.scenario.floorplan)
    return Passage(record.verdict, len(met.met), np.inf if met.closest is None else met.closest)


def told(found: Sequence[Difficulty]) -> str:
    """The table, and what it shows."""
    planners = list(found[0].passages)
    rows = [f"| episode | met | passed by | {' | '.join(planners)} |"]
    rows.append("|---" * (len(planners) + 3) + "|")
    for each in found:
        met = f"{each.meetings.least} to {each.meetings.most}"
        cells = " | ".join(passage.cell for passage in each.passages.values())
        rows.append(f"| {each.name} | {met} | {each.passed} | {cells} |")
    counts = [sum(d.passages[p].verdict is Verdict.SUCCESS for d in found) for p in planners]
    rows.append(f"| passed | | {sum(counts)} | {' | '.join(map(str, counts))} |")
    hard = [each.name for each in found if each.is_hard]
    empty = [each.name for each in found if each.is_empty]
    return f"""\
A cell has the people whom a planner met on the way it took, and how close it came to anybody, in
metres between centres; before them stands the [verdict](simulation.md) if it did not pass. `met` is
on the reference drives. From `python benchmarks/walk/difficulty.py`.

{chr(10).join(rows)}

Fewer than half of the planners pass {len(hard)} of {len(found)}: {", ".join(hard) or "none"}.
All pass without meeting anybody: {", ".join(empty) or "none"}."""


if __name__ == "__main__":
    words = sys.argv[1:] or ["paseo-33"]
    sys.exit(main(words[0], *map(Path, words[1:2])))
