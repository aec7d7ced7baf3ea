"""Contract checks: does a part of your own keep the promises of the seam it fills?"""

from collections.abc import Callable

import numpy as np

from paseo.errors import PaseoError
from paseo.sim.simulate import simulate
from paseo.world.floorplan import floor_plan
from paseo.world.motion import Control, Pose
from paseo.world.planning import Planner
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome, Record
from paseo.world.scenarios import Scenario
from paseo.world.tracks import Track


class ContractBroken(PaseoError):
    """A part does not keep a promise of its seam."""


def check_planner(make: Callable[[], Planner]) -> None:
    """Raise `ContractBroken` unless planners made by `make` can be used in a benchmark.

    They must answer finite commands in both control modes, with nobody around, in a crowd and
    with a person on top of the robot; must forget the last episode in `begin`; and must do the
    same again for the same seed.
    """
    for control in Control:
        for people, tracks in _crowds().items():
            scenario = _scenario(tracks)
            planner = make()
            first = _driven(planner, scenario, control, people)
            if record_bytes(_driven(planner, scenario, control, people)) != record_bytes(first):
                raise ContractBroken(
                    f"with {people} under {control.value} control a second episode with the same "
                    "planner went differently; begin() must forget the episode before"
                )
            if record_bytes(_driven(make(), scenario, control, people)) != record_bytes(first):
                raise ContractBroken(
                    f"with {people} under {control.value} control a new planner did not do the "
                    "same again; take randomness only from a generator seeded by briefing.seed"
                )


def _driven(planner: Planner, scenario: Scenario, control: Control, people: str) -> Record:
    record = simulate(scenario, planner, control=control)
    if record.outcome is Outcome.PLANNER_FAILED:
        raise ContractBroken(f"with {people} under {control.value} control: {record.reason}")
    return record


def _scenario(tracks: tuple[Track, ...]) -> Scenario:
    corners = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [0.0, 6.0], [0.0, 0.0]])
    return Scenario(
        name="check",
        floorplan=floor_plan("check", np.stack([corners[:-1], corners[1:]], axis=1)),
        start=Pose(1.0, 3.0, 0.0),
        goal=Pose(7.0, 3.0, 0.0),
        tracks=tracks,
        time_limit=10.0,
        seed=7,
    )


def _crowds() -> dict[str, tuple[Track, ...]]:
    times = np.array([0.0, 10.0])
    return {
        "nobody": (),
        "people crossing": tuple(
            Track(k, times, np.array([[2.0 + k, 0.5 + k], [6.0 - k, 5.5 - k]])) for k in range(4)
        ),
        "a person on top of the robot": (Track(1, times, np.array([[1.0, 3.0], [1.0, 3.0]])),),
    }
