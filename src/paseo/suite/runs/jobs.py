"""What a run is to do: one job for each episode, planner, seed and value that is swept."""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from msgspec import structs

from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import Choices, scenario
from paseo.data.suites.suite_file import EpisodeEntry, ReactionEntry
from paseo.planners.choices import PlannerChoice
from paseo.world.cameras import Sight
from paseo.world.clocks import WAITING, Timekeeping
from paseo.world.motion import Control
from paseo.world.scenarios import Reaction, Scenario, Sensor

VARIANT = "@"  # parts the name of an episode from whose variant it is; no suite has it in a name


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlan:
    """Everything that decides the results of a run."""

    name: str
    episodes: tuple[EpisodeEntry, ...]
    planners: tuple[PlannerChoice, ...]
    seeds: tuple[int, ...]
    control: Control | None
    choices: Choices
    data: Path
    planner_hashes: Mapping[str, str] = field(default_factory=dict)  # file.py:Class: sha256
    reactivities: tuple[float, ...] = ()  # each is run; empty: as the choices say
    timekeeping: Timekeeping = WAITING
    replay_latency: Path | None = None  # the run whose measured latencies are charged again
    latencies: tuple[float, ...] = ()  # declared, in seconds, likewise; empty: none is declared
    sights: tuple[Sight | None, ...] = ()  # likewise; None and empty: the robot is told of people

    @property
    def reaction(self) -> Reaction | None:
        """How people answer the robot, at most; None where they do not."""
        stops = self.reactivities or (None,)
        entries = [_turned_to(self.choices, stop).settings.reaction for stop in stops]
        found = [entry.reaction() for entry in entries if entry is not None]
        return max(found, key=lambda each: each.reactivity, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One episode with one planner and one seed."""

    episode: EpisodeEntry
    planner: PlannerChoice
    seed: int
    control: Control | None
    choices: Choices
    data: Path
    record: str  # file name below records/
    reactivity: float | None = None  # of people, where it is chosen
    timekeeping: Timekeeping = WAITING
    sight: Sight | None = None  # None: the robot is told of people

    @property
    def sensing(self) -> str | None:
        """What the robot is given of people, where it has to see for itself."""
        return None if self.sight is None else self.sight.label

    @property
    def latency_s(self) -> float | None:
        """What each plan() is charged, where that is declared."""
        return self.timekeeping.latency_s

    @property
    def key(self) -> str:
        """What this job is called in the results; unique in a run."""
        dialled = dialled_words(self.reactivity, self.latency_s, self.sensing)
        return job_key(self.episode.name, self.planner.label, self.seed, dialled)

    @property
    def steps(self) -> int:
        """An upper bound on the commands the planner can give."""
        return round(self.episode.time_limit_s / self.choices.settings.dt_s) + 1


def job_key(episode: str, planner: str, seed: int, dialled: Sequence[str]) -> str:
    """What a job is called in the results; unique in a run."""
    return "/".join([episode, planner, str(seed), *dialled])


def jobs_of(plan: RunPlan) -> list[Job]:
    """The jobs of a plan, in the order in which results are listed."""
    return [
        Job(
            episode=entry,
            planner=planner,
            seed=seed,
            control=plan.control,
            choices=_turned_to(plan.choices, reactivity),
            data=plan.data,
            record=_file_name(
                [entry.name, planner.label, str(seed)],
                dialled_words(reactivity, latency_s, None if sight is None else sight.label),
            ),
            reactivity=reactivity,
            timekeeping=replace(plan.timekeeping, latency_s=latency_s),
            sight=sight,
        )
        for sight in plan.sights or (None,)
        for reactivity in plan.reactivities or (None,)
        for latency_s in plan.latencies or (None,)
        for planner in plan.planners
        for entry in plan.episodes
        for seed in plan.seeds
    ]


def world_of(job: Job) -> Scenario:
    """The scenario of a job, its people found and placed; a camera replaces its sensor."""
    world = scenario(job.episode, job.choices, DataFolder(job.data), seed=job.seed)
    return world if job.sight is None else replace(world, sight=job.sight, sensor=Sensor())


def _turned_to(choices: Choices, reactivity: float | None) -> Choices:
    if reactivity is None:
        return choices
    reaction = choices.settings.reaction or ReactionEntry()
    turned = structs.replace(reaction, reactivity=reactivity)
    return replace(choices, settings=structs.replace(choices.settings, reaction=turned))


def dialled_words(
    reactivity: float | None, latency_s: float | None, sensing: str | None
) -> list[str]:
    """A word for each value that was chosen for a job."""
    people = [] if reactivity is None else [repr(reactivity)]
    latency = [] if latency_s is None else [f"latency={latency_s!r}"]
    return [*people, *latency, *([] if sensing is None else [f"sensing={sensing}"])]


def _file_name(named: Sequence[str], dialled: Sequence[str]) -> str:
    return "--".join(map(_fitting, [*named, *dialled])) + ".npz"


def _fitting(label: str) -> str:
    """The label if it fits into a file name; else what fits of its end, and its hash."""
    plain = re.sub(r"[^\w.=+-]+", "_", label)
    if plain == label and len(label.encode()) <= 100:
        return label
    end = plain.encode()[-60:].decode(errors="ignore")
    whole = label.encode(errors="surrogatepass")
    return f"{end}-{hashlib.sha256(whole).hexdigest()[:6]}"
