"""Which drives of finished runs are shown: episodes that at least two planners drove."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.errors import BadValue, InputError, UnknownName
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.comparison.rows import Row, named
from paseo.progress import Progress, silent
from paseo.suite.measuring import measured_runs
from paseo.survey.study.ratings.clips import FEWEST
from paseo.text import in_a_line
from paseo.world.records import Verdict

SHORTEST = 1.0  # seconds of a drive that can be judged


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Which drives are wanted."""

    episodes: Sequence[str] = ()  # empty: all
    planners: Sequence[str] = ()  # empty: all
    limit: int | None = None  # episodes, drawn by lot; None: all

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise BadValue(f"limit is {self.limit}, expected 1 or more", parameters=("limit",))


@dataclass(frozen=True, slots=True, kw_only=True)
class Drive:
    """A drive that is shown."""

    episode: str  # with the seed, where there are several
    planner: str  # with what tells it from others of that name
    measured: MeasuredEpisode


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenDrives:
    """The drives that are shown, by episode, and in words what was left out."""

    drives: Mapping[str, Sequence[Drive]]
    left_out: tuple[str, ...]


def chosen_drives(
    runs: Sequence[Path], wish: Wish, *, seed: int, progress: Progress = silent
) -> ChosenDrives:
    """The drives of these runs that people are shown; every episode by two or more.

    Nothing is measured here but how long they took: most may not be chosen.
    """
    found = measured_runs(
        runs, (), progress=lambda _, done, total: progress("reading", done, total)
    )
    _check_names(found, wish)
    left_out = Counter(fault for each in found if (fault := _fault(each)))
    usable = [each for each in found if not _fault(each) and _is_wanted(each, wish)]
    drives = _by_episode(usable)
    planners = {each.planner for episode in drives.values() for each in episode}
    if len(planners) < FEWEST:
        only = f"all drives are by '{planners.pop()}'" if planners else "there is no drive to show"
        raise InputError(
            f"{only}, but every clip is held against another planner's drive through the same "
            "episode; name runs of at least two planners",
            parameters=("runs",),
        )
    shared = {name: each for name, each in drives.items() if len(each) >= FEWEST}
    if not shared:
        raise InputError(
            f"no episode was driven by two planners of {', '.join(sorted(planners))}; name runs of "
            "the same suite",
            parameters=("runs",),
        )
    alone = len(drives) - len(shared)
    words = [f"{count} drives {fault}" for fault, count in left_out.items()]
    words += [f"{alone} episodes that only one planner drove"] * bool(alone)
    return ChosenDrives(drives=_drawn(shared, wish.limit, seed), left_out=tuple(words))


def _check_names(found: Sequence[MeasuredEpisode], wish: Wish) -> None:
    episodes = sorted({each.episode for each in found})
    for name in wish.episodes:
        if name not in episodes:
            raise UnknownName("episode of these runs", name, episodes)
    rows = {each.row for each in found}
    for name in wish.planners:
        if not any(named(row, [name]) for row in rows):
            raise UnknownName("planner of these runs", name, sorted(row.planner for row in rows))


def _fault(each: MeasuredEpisode) -> str:
    """Why a drive is not shown; empty where it is."""
    if each.row.is_reference:
        return "of the human reference, which is on episodes of its own"
    if each.verdict is Verdict.PLANNER_FAILED:
        return "in which the planner failed"
    return "" if each.time_s >= SHORTEST else f"of less than {SHORTEST:g} s"


def _is_wanted(each: MeasuredEpisode, wish: Wish) -> bool:
    return (not wish.episodes or each.episode in wish.episodes) and (
        not wish.planners or named(each.row, wish.planners)
    )


def _by_episode(found: Sequence[MeasuredEpisode]) -> dict[str, list[Drive]]:
    labels = row_labels({each.row: None for each in found})
    several = len({each.seed for each in found}) > 1
    drives: dict[str, list[Drive]] = {}
    for each in found:
        episode = in_a_line(f"{each.episode} seed {each.seed}" if several else each.episode)
        drive = Drive(episode=episode, planner=labels[each.row], measured=each)
        drives.setdefault(episode, []).append(drive)
    return drives


def _drawn(
    drives: Mapping[str, Sequence[Drive]], limit: int | None, seed: int
) -> Mapping[str, Sequence[Drive]]:
    """As many episodes as wanted, by lot, in their own order."""
    names = list(drives)
    if limit is None or limit >= len(names):
        return drives
    kept = sorted(np.random.default_rng(seed).choice(len(names), size=limit, replace=False))
    return {names[number]: drives[names[number]] for number in kept}


TELLING: tuple[Callable[[Row], str], ...] = (
    lambda row: row.control.value,
    lambda row: row.rule,
    lambda row: "" if row.reactivity is None else f"reactivity {row.reactivity:g}",
    lambda row: "" if row.latency_s is None else f"latency {row.latency_s:g} s",
    lambda row: "" if row.sight is None else f"seeing by {row.sight.label}",
)


def row_labels(rows: Mapping[Row, None]) -> dict[Row, str]:
    """What each row is called: its planner, and where several have it what tells them apart."""
    labels = {row: row.planner for row in rows}
    for word in TELLING:
        for name in [name for name, count in Counter(labels.values()).items() if count > 1]:
            alike = [row for row, label in labels.items() if label == name]
            if len({word(row) for row in alike}) > 1:
                labels |= {row: f"{name} {word(row)}".strip() for row in alike}
    twice = [name for name, count in Counter(labels.values()).items() if count > 1]
    if twice:
        raise InputError(
            f"'{twice[0]}' was run with two settings, such as two robots, that its name does not "
            "tell apart; name runs of one of them",
            parameters=("runs",),
        )
    return labels
