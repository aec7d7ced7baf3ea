"""What a run is to do: one job for each episode, planner and seed."""

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from paseo.data.episodes import Choices
from paseo.data.suite_file import EpisodeEntry
from paseo.registry import PlannerChoice
from paseo.world.motion import Control


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Everything that decides the results of a run."""

    name: str
    episodes: tuple[EpisodeEntry, ...]
    planners: tuple[PlannerChoice, ...]
    seeds: tuple[int, ...]
    control: Control | None
    choices: Choices
    data: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One episode with one planner and one seed."""

    episode: EpisodeEntry
    planner: PlannerChoice
    seed: int
    control: Control | None
    choices: Choices
    data: Path
    record: Path

    @property
    def key(self) -> str:
        """What this job is called in the results; unique in a run."""
        return f"{self.episode.name}/{self.planner.label}/{self.seed}"

    @property
    def steps(self) -> int:
        """An upper bound on the commands the planner can give."""
        return round(self.episode.time_limit_s / self.choices.settings.dt_s) + 1


def jobs_of(plan: Plan, records: Path) -> list[Job]:
    """The jobs of a plan, in the order in which results are listed."""
    return [
        Job(
            episode=entry,
            planner=planner,
            seed=seed,
            control=plan.control,
            choices=plan.choices,
            data=plan.data,
            record=records / _file_name(entry.name, planner.label, seed),
        )
        for planner in plan.planners
        for entry in plan.episodes
        for seed in plan.seeds
    ]


def _file_name(episode: str, planner: str, seed: int) -> str:
    """A readable name; a planner whose label does not fit a file name is told by its hash."""
    plain = re.sub(r"[^\w.=+-]+", "_", planner)
    if plain != planner:
        plain = f"{plain[-60:]}-{hashlib.sha256(planner.encode()).hexdigest()[:6]}"
    return f"{episode}--{plain}--{seed}.npz"
