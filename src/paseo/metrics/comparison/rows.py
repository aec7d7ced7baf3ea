"""Rows of a comparison: what is compared with what, and what was found of each."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from paseo.metrics.comparison.statistics import Estimate
from paseo.world.cameras import Sight
from paseo.world.clocks import WAITING, Timekeeping
from paseo.world.motion import Control, Robot
from paseo.world.records import Verdict
from paseo.world.scenarios import Gait, Pause, Scenario, Sensor

Parameter = bool | int | float | str | None
_USUAL: dict[str, Any] = {each.name: each.default for each in fields(Scenario)}


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSettings:
    """How the episodes of a row were run, besides its robot; the defaults are the usual ones."""

    dt: float = _USUAL["dt"]
    stop_on_contact: bool = _USUAL["stop_on_contact"]
    pause: Pause | None = _USUAL["pause"]
    reaction: str | None = None  # the model by which people answer the robot
    foresight: float | None = None  # of people who answer
    reactivity_of: tuple[tuple[int, float], ...] = ()  # id and reactivity, of some people
    sensor: Sensor = field(default_factory=Sensor)
    person_radius: float = _USUAL["person_radius"]
    goal_radius: float = _USUAL["goal_radius"]
    gait: Gait = _USUAL["gait"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What makes a row of its own: a planner with its parameters, and how it was run."""

    planner: str
    control: Control
    rule: str
    robot: Robot | None  # None: whoever is followed
    settings: RowSettings = field(default_factory=RowSettings)
    reactivity: float | None = None  # of people, where they answer the robot
    clock: Timekeeping = WAITING  # by which its planner thought, whatever the latency
    latency_s: float | None = None  # that each plan() was charged, where it was declared
    sight: Sight | None = None  # by which the robot saw; None: it was told of people
    is_reference: bool = False  # on episodes of its own, and not to be compared
    # What `planner` says in one word: told as it is, and no part of what makes a row its own.
    name: str = field(default="", compare=False)  # of the planner without its parameters
    parameters: tuple[tuple[str, Parameter], ...] = field(default=(), compare=False)  # all of them


def named(row: Row, names: Collection[str]) -> bool:
    """Whether a row's planner is one of these, named with its parameters or without."""
    return row.planner in names or row.planner.partition(":")[0] in names


def settings_of(scenario: Scenario) -> RowSettings:
    """What episodes that are run in the same way have in common."""
    reaction = scenario.reaction
    return RowSettings(
        dt=scenario.dt,
        stop_on_contact=scenario.stop_on_contact,
        pause=scenario.pause,
        reaction=reaction.by if reaction else None,
        foresight=reaction.foresight if reaction else None,
        reactivity_of=tuple(sorted(reaction.of_people.items())) if reaction else (),
        sensor=scenario.sensor,
        person_radius=scenario.person_radius,
        goal_radius=scenario.goal_radius,
        gait=scenario.gait,
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """A mean and standard deviation (of the population), and over how many what."""

    mean: float | None
    deviation: float | None
    count: int
    over: str  # "episodes" or "steps"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSummary:
    """One planner: counts over all episodes, the paper's cells, and intervals."""

    row: Row
    episodes: int
    seeds: int
    verdicts: Mapping[Verdict, int]
    cells: Mapping[str, Cell]
    estimates: Mapping[str, Estimate]
