"""Contract checks: does a part of your own keep the promises of the seam it fills?"""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from paseo.errors import NotAvailable, PaseoError
from paseo.metrics.metric import Better, Metric, measured
from paseo.sim.simulate import simulate
from paseo.world.floorplan import Place, PlaceKind, floor_plan
from paseo.world.motion import Control, Pose, Twist
from paseo.world.planning import Briefing, Observation, Planner
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


def check_metric(metric: Metric) -> None:
    """Raise `ContractBroken` unless a metric can be used on any record.

    It must name a unit and a direction, leave the record as it is, give the same twice, not
    depend on where the map's origin is or how the map is turned, and cope with records of one
    state and of nobody (a number, an empty array, None or `NotAvailable`, but no other error).
    """
    if not isinstance(metric, Metric):
        raise ContractBroken(f"{metric!r:.80} is no metric; decorate its function with @metric")
    if not metric.unit or metric.better not in Better:
        raise ContractBroken(f"{metric.name} needs a unit ('1' for none) and a direction")
    record = simulate(_scenario(_crowds()["people crossing"]), _Wander())
    before = record_bytes(record)
    value = _value(metric, record)
    if not _alike(_value(metric, record), value):
        raise ContractBroken(f"{metric.name} gives different values for the same record")
    if record_bytes(record) != before:
        raise ContractBroken(f"{metric.name} changes the record it measures")
    for what, other in (
        ("depends on where the map's origin is", _moved(record, 0.0, 31.0, -17.0)),
        ("depends on how the map is turned", _moved(record, 1.1, 0.0, 0.0)),
    ):
        if not _alike(_value(metric, other), value):
            raise ContractBroken(f"{metric.name} {what}")
    _value(metric, _shortened(record))
    _value(metric, replace(record, scenario=replace(record.scenario, missing=("goal", "map"))))
    _value(metric, _shortened(simulate(_scenario(()), _Wander())))


def _driven(planner: Planner, scenario: Scenario, control: Control, people: str) -> Record:
    record = simulate(scenario, planner, control=control)
    if record.outcome is Outcome.PLANNER_FAILED:
        raise ContractBroken(f"with {people} under {control.value} control: {record.reason}")
    return record


def _scenario(tracks: tuple[Track, ...]) -> Scenario:
    corners = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [0.0, 6.0], [0.0, 0.0]])
    return Scenario(
        name="check",
        floorplan=floor_plan(
            "check",
            np.stack([corners[:-1], corners[1:]], axis=1),
            places=(
                Place("door", PlaceKind.DOOR, 1.0, 1.0),
                Place("exit", PlaceKind.EXIT, 7.0, 5.0),
            ),
        ),
        start=Pose(1.0, 3.0, 0.0),
        goal=Pose(7.0, 3.0, 0.0),
        tracks=tracks,
        groups=((0, 1), (2, 3)) if len(tracks) == 4 else (),
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


class _Wander:
    """Drives in bends, so that a record has speeds, turns and people on both sides."""

    def begin(self, briefing: Briefing) -> None:
        self._step = 0

    def plan(self, observation: Observation) -> Twist:
        self._step += 1
        return Twist(0.6 + 0.3 * math.sin(0.1 * self._step), 0.5 * math.cos(0.07 * self._step))


def _value(metric: Metric, record: Record) -> float | np.ndarray | None:
    try:
        value = metric(record)
        measured(metric, record)  # refuses what is no value
        return value
    except NotAvailable:
        return None
    except Exception as error:
        what = f"{len(record.robot)} states and {len(record.scenario.tracks)} people"
        raise ContractBroken(
            f"{metric.name} raised {type(error).__name__} on a record of {what}: {error}; return "
            "None or raise NotAvailable where it is undefined"
        ) from error


def _alike(a: float | np.ndarray | None, b: float | np.ndarray | None) -> bool:
    if a is None or b is None:
        return a is b
    return bool(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-6, atol=1e-6, equal_nan=True)
    )


def _moved(record: Record, angle: float, dx: float, dy: float) -> Record:
    """The same events on a map that is turned about its origin, then moved."""
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])

    def placed(points: np.ndarray) -> np.ndarray:
        return points @ turn.T + (dx, dy)

    def posed(pose: Pose) -> Pose:
        x, y = placed(np.array([pose.x, pose.y])).tolist()
        return Pose(x, y, pose.heading + angle)

    scenario, plan = record.scenario, record.scenario.floorplan
    spots = (placed(np.array([place.x, place.y])).tolist() for place in plan.places)
    places = tuple(
        replace(place, x=x, y=y) for place, (x, y) in zip(plan.places, spots, strict=True)
    )
    return replace(
        record,
        scenario=replace(
            scenario,
            floorplan=floor_plan(plan.name, placed(plan.walls), places=places),
            start=posed(scenario.start),
            goal=posed(scenario.goal),
            tracks=tuple(replace(t, positions=placed(t.positions)) for t in scenario.tracks),
        ),
        robot=np.column_stack([placed(record.robot[:, :2]), record.robot[:, 2] + angle]),
        people=placed(record.people),
        contacts=tuple(
            replace(c, x=posed(Pose(c.x, c.y)).x, y=posed(Pose(c.x, c.y)).y)
            for c in record.contacts
        ),
    )


def _shortened(record: Record) -> Record:
    """The first state alone."""
    return replace(
        record,
        robot=record.robot[:1],
        commands=record.commands[:0],
        people=record.people[:1],
        contacts=(),
    )
