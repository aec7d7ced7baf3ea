"""The audit: at every decision what was believed and true, what followed, and what it cost."""

import multiprocessing
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, groupby
from pathlib import Path

import numpy as np

from paseo.deciding.thinking import Instead
from paseo.errors import BadValue
from paseo.progress import Progress, silent
from paseo.suite.audit.cases import Drive, audited_drives, right_kinds, wrong_kinds
from paseo.suite.audit.effects import Cost, Odds, Trial, costs, odds
from paseo.suite.audit.followed import Followed, Window
from paseo.suite.audit.replaying import followed_instead
from paseo.vqa.questions.questions import kinds
from paseo.world.planning import RunPlace

HORIZON = 4.0  # seconds after a decision in which contacts count
TOGETHER = 16  # decisions of a drive that a process makes again in one go
FEWEST = 5  # wrong answers of a kind, below which nothing is said of it
CONTROLS = 20  # decisions of each kind at which a right answer is made wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    """How a run is audited."""

    planner: str | None = None  # by its label or its model, where there are several
    horizon: float = HORIZON
    controls: int = CONTROLS
    seed: int = 0  # of intervals, and of what is made wrong
    jobs: int = 1

    def __post_init__(self) -> None:
        if not 0.5 <= self.horizon <= 60:
            raise BadValue(
                f"a horizon of {self.horizon:g} s makes no sense, expected 0.5 to 60",
                parameters=("horizon_s",),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """What came out."""

    planner: str
    drives: int
    decisions: int
    contacts: int  # of the drives
    horizon: float
    wrong: dict[str, tuple[int, int]]  # by kind: wrong answers, and all that can be judged
    odds: tuple[Odds, ...]
    costs: tuple[Cost, ...]  # of wrong answers, by correcting them
    controls: tuple[Cost, ...]  # of right ones, by spoiling them; below 0: that costs contacts

    @property
    def named(self) -> tuple[str, ...]:
        """The kinds of question about which being wrong costs contacts, the dearest first."""
        return tuple(each.kind for each in self.costs if each.is_named)


Trying = tuple[Drive, Instead]  # a decision of a drive that is made again
Afterwards = dict[str, list[Followed]]  # what followed each decision, by the drive's key


def audit_run(
    folder: Path, options: AuditOptions | None = None, *, progress: Progress = silent
) -> Audit:
    """Audit a run in which a model drove and answered questions before it chose.

    Where models are asked again, their replies come from the run's store or go into it.
    """
    how = options or AuditOptions()
    drives = audited_drives(folder, how.planner)
    afterwards = {each.key: _followed(each, how.horizon) for each in drives}
    mending, spoiling = list(_mending(drives)), list(_spoiling(drives, how))
    place = RunPlace(folder)
    results = list(_tried([*mending, *spoiling], how, place, progress))
    cut = len(mending)
    return Audit(
        planner=drives[0].planner.label,
        drives=len(drives),
        decisions=sum(len(drive.decisions) for drive in drives),
        contacts=sum(drive.record.touches for drive in drives),
        horizon=how.horizon,
        wrong=_wrong(drives),
        odds=_odds(drives, afterwards, how.seed),
        costs=costs(_trials(mending, results[:cut], afterwards), how.seed),
        controls=costs(_trials(spoiling, results[cut:], afterwards), how.seed),
    )


def _followed(drive: Drive, horizon: float) -> list[Followed]:
    window = Window(drive.record, horizon)
    return [window.followed(drive.record, each.time_s) for each in drive.decisions]


def _mending(drives: Sequence[Drive]) -> Iterator[Trying]:
    """Every wrong answer made right, one kind at one decision at a time."""
    often = {kind for kind, (wrong, _) in _wrong(drives).items() if wrong >= FEWEST}
    for drive in drives:
        for number, decision in enumerate(drive.decisions):
            for kind in wrong_kinds(decision):
                if kind in often:
                    yield drive, Instead(number, kind, right=True)


def _spoiling(drives: Sequence[Drive], how: AuditOptions) -> Iterator[Trying]:
    """Right answers made wrong, of each kind at some decisions."""
    rng = np.random.default_rng(how.seed)
    known: defaultdict[str, list[tuple[Drive, int]]] = defaultdict(list)
    for drive in drives:
        for number, decision in enumerate(drive.decisions):
            for kind in right_kinds(decision):
                known[kind].append((drive, number))
    for kind, places in known.items():
        for k in sorted(rng.permutation(len(places))[: how.controls].tolist()):
            drive, number = places[k]
            yield drive, Instead(number, kind, right=False)


def _tried(
    trials: Sequence[Trying], how: AuditOptions, place: RunPlace, progress: Progress
) -> Iterator[Followed]:
    """What followed in each trial, in order, whatever number of processes makes them."""
    tasks = [(drive, others, how.horizon, place) for drive, others in _together(trials)]
    if how.jobs == 1:
        yield from _shown((followed_instead(*task) for task in tasks), len(trials), progress)
        return
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(how.jobs, mp_context=context) as pool:
        columns = zip(*tasks, strict=True)
        yield from _shown(pool.map(followed_instead, *columns), len(trials), progress)


def _together(trials: Sequence[Trying]) -> Iterator[tuple[Drive, list[Instead]]]:
    """Trials of one drive that follow each other, some at a time."""
    for _, of_drive in groupby(trials, key=lambda each: each[0].key):
        drives, others = zip(*of_drive, strict=True)
        for k in range(0, len(others), TOGETHER):
            yield drives[0], list(others[k : k + TOGETHER])


def _shown(found: Iterator[list[Followed]], total: int, progress: Progress) -> Iterator[Followed]:
    for done, each in enumerate(chain.from_iterable(found), start=1):
        progress("replay", done, total)
        yield each


def _trials(
    trials: Sequence[Trying], found: Sequence[Followed], afterwards: Afterwards
) -> list[Trial]:
    return [
        Trial(instead.kind, drive.cluster, afterwards[drive.key][instead.since].spared(followed))
        for (drive, instead), followed in zip(trials, found, strict=True)
    ]


def _wrong(drives: Sequence[Drive]) -> dict[str, tuple[int, int]]:
    """By kind, in the order of asking: decisions with a wrong answer, and all with any."""
    counts = dict.fromkeys(kinds(), (0, 0))
    for drive in drives:
        for decision in drive.decisions:
            wrong, right = wrong_kinds(decision), right_kinds(decision)
            for kind in (*wrong, *right):
                was, all_of = counts[kind]
                counts[kind] = was + (kind in wrong), all_of + 1
    return {kind: each for kind, each in counts.items() if each[1]}


def _odds(drives: Sequence[Drive], afterwards: Afterwards, seed: int) -> tuple[Odds, ...]:
    lines: defaultdict[str, list[tuple[bool, bool, int]]] = defaultdict(list)
    for drive in drives:
        for number, decision in enumerate(drive.decisions):
            touched = afterwards[drive.key][number].contacts > 0
            wrong = wrong_kinds(decision)
            for kind in (*wrong, *right_kinds(decision)):
                lines[kind].append((kind in wrong, touched, drive.cluster))
    kept = {}
    for kind, rows in lines.items():
        wrong_at, touched_at, cluster = zip(*rows, strict=True)
        if FEWEST <= sum(wrong_at) <= len(rows) - FEWEST:
            kept[kind] = wrong_at, touched_at, cluster
    found = [odds(kind, *columns, seed, len(kept)) for kind, columns in kept.items()]
    return tuple(sorted(found, key=lambda each: list(kinds()).index(each.kind)))
