"""The contract of a model of how people move."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import pairwise

import numpy as np

from paseo.checks.contract import ContractBroken, made_anew, refuse
from paseo.checks.worlds import NOBODY, ON_TOP, TIMES, elsewhere, placing, small_room
from paseo.text import error_words
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd, Snapshot
from paseo.world.planning import PedestrianModel
from paseo.world.scenarios import Reaction, Scenario
from paseo.world.tracks import Track

REMEDY = "what it needs to know of the scenario is given to begin()"
# Nobody mirrors anybody: else rounding decides on which side two people pass.
CROWD = tuple(
    Track(person, TIMES, np.array(path))
    for person, path in enumerate(
        (
            ((2.9, 1.1), (3.6, 5.2)),
            ((7.3, 3.4), (0.9, 2.7)),
            ((5.2, 4.9), (4.1, 0.8)),
            ((6.4, 1.3), (1.7, 1.9)),
        )
    )
)
SECONDS = 4.0  # that each of the small worlds lasts
FIRST = 1.0  # seconds in which motion must not depend on the origin; then chaos may set in
FASTEST = 12.0  # m/s; nobody runs faster
CLOSE = 1e-3  # metres that are the same place
MOVED = (31.0, -17.0)

Make = Callable[[], PedestrianModel]
Walked = tuple[Crowd, ...]  # step by step


def check_pedestrian_model(make: Make) -> None:
    """Raise `ContractBroken` unless models made by `make` can move the people of an episode.

    They must name, in order of id, only people of the scenario, at finite places and speeds of
    people; cope with nobody being there and with somebody on top of the robot; leave what they are
    handed as it is; do the same again, also after another episode; and not depend on where the
    map's origin is or how the map is turned.
    """
    made_anew(make, ("begin", "step"), what="pedestrian model", remedy=REMEDY)
    worlds = [replace(small_room(people), reaction=Reaction()) for people in (NOBODY, ON_TOP)]
    crossing = replace(worlds[0], tracks=CROWD)
    for world in (*worlds, crossing):
        refuse(_faults(_walked(make(), world), world))
    first, used = _walked(make(), crossing), make()
    _walked(used, worlds[-1])
    refuse(
        _unlike(first, _walked(make(), crossing), "a new model does not do the same again")
        or _unlike(first, _walked(used, crossing), "begin() does not forget the episode before")
        or _moved_faults(make, crossing, first)
    )


def _walked(model: PedestrianModel, world: Scenario, angle: float = 0.0) -> Walked:
    """What a model makes of a world in which the robot drives straight through."""
    crowd = _asked("begin", partial(model.begin, world))
    crowds = [crowd]
    for step in range(round(SECONDS / world.dt)):
        snapshot = Snapshot(step * world.dt, _robot(world, step * world.dt, angle), _kept(crowd))
        crowd = _asked("step", partial(model.step, snapshot, world.dt))
        crowds.append(crowd)
    return tuple(crowds)


def _robot(world: Scenario, time: float, angle: float) -> RobotState:
    x, y = world.start.x + time * math.cos(angle), world.start.y + time * math.sin(angle)
    return RobotState(Pose(x, y, angle), Twist(1.0, 0.0), world.robot.radius)


def _kept(crowd: Crowd) -> Crowd:
    """The crowd as it is handed over: nobody can write to it."""
    ids, radii = crowd.ids.copy(), crowd.radii.copy()
    positions, velocities = crowd.positions.copy(), crowd.velocities.copy()
    for array in (ids, positions, velocities, radii):
        array.flags.writeable = False
    return Crowd(ids, positions, velocities, radii)


def _asked(method: str, ask: Callable[[], Crowd]) -> Crowd:
    try:
        crowd = ask()
    except Exception as error:
        raise ContractBroken(
            f"{method}() raised {error_words(error)}; people are handed over as "
            "read-only arrays, and there may be nobody"
        ) from error
    if not isinstance(crowd, Crowd):
        raise ContractBroken(f"{method}() returned {crowd!r:.80}, expected a Crowd")
    return crowd


def _faults(walked: Walked, world: Scenario) -> list[str]:
    known = {track.id for track in world.tracks}
    for step, crowd in enumerate(walked):
        ids, when = crowd.ids.tolist(), f"{step * world.dt:.2f} s after the start"
        if strangers := set(ids) - known:
            return [f"{when} there is a person {min(strangers)}, who is not in the scenario"]
        if ids != sorted(set(ids)):
            return [f"{when} people are not in order of id, each once: {ids}"]
        if not (np.isfinite(crowd.positions).all() and np.isfinite(crowd.velocities).all()):
            return [f"{when} a place or velocity is not finite; leave out who is absent"]
        if not (crowd.radii > 0).all():
            return [f"{when} a radius is not more than 0"]
    fastest = max(_fastest(*pair, world.dt) for pair in pairwise(walked))
    if fastest > FASTEST:
        return [f"somebody moves at {fastest:.1f} m/s, expected at most {FASTEST:g} m/s"]
    return []


def _fastest(before: Crowd, after: Crowd, dt: float) -> float:
    _, then, now = np.intersect1d(before.ids, after.ids, return_indices=True)
    steps: FloatArray = after.positions[now] - before.positions[then]
    return float(np.hypot(steps[:, 0], steps[:, 1]).max(initial=0.0)) / dt


def _unlike(first: Walked, second: Walked, what: str) -> list[str]:
    same = all(
        a.ids.tolist() == b.ids.tolist()
        and a.positions.tobytes() == b.positions.tobytes()
        and a.velocities.tobytes() == b.velocities.tobytes()
        for a, b in zip(first, second, strict=True)
    )
    return [] if same else [f"{what}; keep nothing in the class, and seed what is random"]


def _moved_faults(make: Make, world: Scenario, first: Walked) -> list[str]:
    for what, angle, move in (
        ("where the map's origin is", 0.0, MOVED),
        ("how the map is turned", math.pi / 2, (0.0, 0.0)),
    ):
        there = _walked(make(), elsewhere(world, angle, *move), angle)
        placed = placing(angle, *move)
        steps = round(FIRST / world.dt)
        for here, other in zip(first[:steps], there[:steps], strict=True):
            if here.ids.tolist() != other.ids.tolist():
                return [f"{what} plays a part: other people are there"]
            gaps = placed(here.positions) - other.positions
            if np.abs(gaps).max(initial=0.0) > CLOSE:
                return [f"{what} plays a part: people are {np.abs(gaps).max():.3f} m elsewhere"]
    return []
