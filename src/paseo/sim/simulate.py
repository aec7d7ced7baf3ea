"""Run one planner through one scenario, step by step."""

import dataclasses
import math
import re
from dataclasses import replace
from typing import Any

import numpy as np

from paseo.errors import CannotGoOn, PlannerFailed
from paseo.sim.clock import Clock, SyncClock
from paseo.sim.driving import checked
from paseo.sim.episode import EpisodeRun
from paseo.text import error_words, in_short, storable
from paseo.version import paseo_version
from paseo.world.clocks import Timekeeping
from paseo.world.motion import Command, Control
from paseo.world.planning import (
    Briefing,
    Observation,
    PedestrianModel,
    Planner,
    declared_control,
    thought_s,
    upcoming,
)
from paseo.world.records import Provenance, Record
from paseo.world.scenarios import Scenario


def simulate(
    scenario: Scenario,
    planner: Planner,
    *,
    control: Control | None = None,
    people: PedestrianModel | None = None,
    provenance: Provenance | None = None,
    clock: Clock | None = None,
) -> Record:
    """Let the planner drive the robot to an ending, and return the record of it.

    `control` overrides the mode the planner declares; `people` by default walk as the scenario's
    tracks and its reaction say; by the `clock` of default the world waits for the planner. A
    planner that raises or answers nonsense ends the episode as PLANNER_FAILED; one that never
    returns is not stopped here, only by `paseo.run`.
    """
    clock = clock or SyncClock()
    if provenance is None:
        made = described(planner, Control(control) if control else None)
        provenance = kept_by(clock.timekeeping, made)
    episode = EpisodeRun(scenario, provenance.control, people)
    try:
        if episode.ending() is None:
            _begin(planner, episode.briefing)
            drive(episode, planner, clock)
    except PlannerFailed as failure:
        when = f"after {episode.snapshot.time:.2f} s"
        return episode.record(provenance, failure=without_addresses(f"{failure} {when}"))
    return episode.record(provenance)


def kept_by(timekeeping: Timekeeping, provenance: Provenance) -> Provenance:
    """The provenance of records for which time passes like that."""
    return replace(
        provenance,
        timekeeping=timekeeping.in_force,
        clock=timekeeping.depends or provenance.clock,
    )


def described(planner: Planner, control: Control | None = None) -> Provenance:
    """Provenance of a planner that was made in Python rather than found by name."""
    kind = type(planner)
    parameters: dict[str, Any] = {}
    if dataclasses.is_dataclass(planner):
        fields = [field.name for field in dataclasses.fields(planner) if field.init]
        parameters = {name: _scalar(getattr(planner, name)) for name in fields}
    return Provenance(
        paseo_version=paseo_version(),
        planner=f"{kind.__module__}:{kind.__qualname__}",
        control=control or declared_control(planner),
        parameters=parameters,
    )


def _scalar(value: object) -> bool | int | float | str | None:
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, str):
        return storable(plain)
    if isinstance(plain, int) and plain.bit_length() > 63:
        return in_short(hex(plain))  # no file and no message holds such a number
    if isinstance(plain, bool | int | float | None):
        return plain
    return storable(without_addresses(repr(plain)))


def without_addresses(text: str) -> str:
    """The text without places in memory, which differ from run to run."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", text)


def _begin(planner: Planner, told: Briefing) -> None:
    try:
        planner.begin(told)
    except (CannotGoOn, KeyboardInterrupt):
        raise
    except BaseException as error:  # also sys.exit and panics of compiled planners
        raise PlannerFailed(f"begin() raised {error_words(error)}") from error


def drive(
    episode: EpisodeRun, planner: Planner, clock: Clock, *, until_s: float = math.inf
) -> None:
    """Let a planner that has begun drive an episode to its ending, or up to a time."""
    ask, dt = _Ask(planner), episode.briefing.dt
    clock.begin(dt)
    try:
        while episode.ending() is None and episode.snapshot.time < until_s - 0.5 * dt:
            episode.advance(clock.command(episode.observation, ask))
    except (PlannerFailed, CannotGoOn):
        clock.end()
        raise
    clock.end()  # not when somebody interrupts, who would have to wait for it


class _Ask:
    """A planner's words as the clock wants them, whatever it says."""

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def __call__(self, observation: Observation) -> Command:
        try:
            return checked(self._planner.plan(observation))
        except (PlannerFailed, CannotGoOn, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise PlannerFailed(f"plan() raised {error_words(error)}") from error

    def upcoming(self) -> tuple[Command, ...] | None:
        try:
            plan = upcoming(self._planner)
            return None if plan is None else tuple(checked(each, "upcoming()") for each in plan)
        except (PlannerFailed, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise PlannerFailed(f"upcoming() raised {error_words(error)}") from error

    def thought_s(self) -> float | None:
        try:
            return thought_s(self._planner)
        except (PlannerFailed, KeyboardInterrupt):
            raise
        except BaseException as error:
            raise PlannerFailed(f"thought_s() raised {error_words(error)}") from error
