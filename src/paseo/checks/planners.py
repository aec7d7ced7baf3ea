"""The contract of a planner."""

import math
import warnings
from collections.abc import Callable

import numpy as np

from paseo.checks.contract import ContractBroken, made_anew, refuse
from paseo.checks.pictures import ShownPictures
from paseo.checks.watching import Watched
from paseo.checks.worlds import (
    CROSSING,
    NOBODY,
    ON_TOP,
    elsewhere,
    placing,
    room_to_turn_in,
    small_room,
)
from paseo.errors import BadValue
from paseo.sim.charged import ChargedClock
from paseo.sim.clock import Clock
from paseo.sim.simulate import simulate
from paseo.world.arrays import FloatArray
from paseo.world.clocks import ClockName, Thinking, Timekeeping
from paseo.world.motion import Control, Pose
from paseo.world.planning import Planner, declared_control, declared_looks
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome, Record

TIME_LIMITS = {NOBODY: 10.0, CROSSING: 4.0, ON_TOP: 2.0}
MOVED = (31.0, -17.0)
FIRST = 1.0  # seconds in which motion must not depend on the origin; then chaos may set in
CLOSE = 1e-3  # metres that are the same place
NOTABLE = 0.05  # metres that are worth a word
FACING = 0.2  # radians
REMEDY = "give its parameters defaults, or hand over a function that fills them in"
# By this clock planners are asked for their plans, and the world waits.
TELLING = Timekeeping(clock=ClockName.CHARGED, latency_s=0.0, thinking=Thinking.FOLLOW)

Make = Callable[[], Planner]
Case = tuple[str, Control]  # who is around, and how the robot is driven


def check_planner(make: Make, *, begin_limit: float = 5.0) -> None:
    """Raise `ContractBroken` unless planners made by `make` can be used in a benchmark.

    They must answer finite commands in both control modes, with nobody around, in a crowd and
    with a person on top of the robot; leave what they are handed as it is; plan in less time than
    a step lasts, and begin in less than `begin_limit` seconds (compiling not counted); do the same
    again for the same seed; forget the last episode in `begin`; tell a plan that can be driven, if
    they have `upcoming`, and do the same whether asked for it or not; and not depend on where the
    map's origin is, nor turn the long way round where the short one leads across the angle pi. A
    planner that steers differently on a map that is turned by a right angle is only warned about.
    One that looks is told of nobody and shown simple pictures instead.
    """
    if _check_making(make):
        make = _shown(make)
    cases = [(people, control) for control in Control for people in TIME_LIMITS]
    faults, records = _first_runs(make, cases, begin_limit)
    refuse(faults)
    refuse(_repetition_faults(make, records) or _plan_faults(make, records))
    refuse(_origin_faults(make) or _turning_faults(make))
    _warn_of_turns(make)


def _shown(make: Make) -> Make:
    return lambda: ShownPictures(make())


def _check_making(make: Make) -> bool:
    """Whether the planners that are made look at pictures."""
    if not callable(make):
        raise ContractBroken(
            f"check_planner got {make!r:.80}, expected the planner's class or a function that "
            "makes planners"
        )
    planner = made_anew(make, ("begin", "plan"), what="planner", remedy=REMEDY)
    try:
        declared_control(planner)
        return bool(declared_looks(planner))
    except BadValue as error:
        raise ContractBroken(str(error)) from error


def _first_runs(
    make: Make, cases: list[Case], begin_limit: float
) -> tuple[list[str], dict[Case, Record]]:
    """What goes wrong when new planners run, each kind of fault once, and their records."""
    faults: dict[str, str] = {}
    records: dict[Case, Record] = {}
    for case in cases:
        watched, record = _watched(make, case)
        if watched.is_slow or watched.begin_time > begin_limit:
            watched, record = _watched(make, case)  # what it compiled the first time is ready now
        if watched.is_slow:
            return [_slowness(watched, case, record.scenario.dt)], records
        if watched.begin_time > begin_limit:
            return [_slow_beginning(watched, begin_limit)], records
        records[case] = record
        if record.outcome is Outcome.PLANNER_FAILED:
            faults.setdefault("failed", f"{_words(case)}: {record.reason}")
        for change in watched.changes():
            faults.setdefault("changed", f"{_words(case)}: {change}; copy what you want to change")
    return list(faults.values()), records


def _watched(make: Make, case: Case) -> tuple[Watched, Record]:
    watched = Watched(make(), writable=True)
    return watched, _driven(watched, case)


def _slowness(watched: Watched, case: Case, dt: float) -> str:
    return (
        f"{_words(case)}: plan() takes {1e3 * watched.mean_time:.0f} ms on average, but a step "
        f"lasts {1e3 * dt:.0f} ms; look ahead less far, try fewer things, or compile"
    )


def _slow_beginning(watched: Watched, limit: float) -> str:
    return (
        f"begin() takes {watched.begin_time:.1f} s on a small map, expected at most {limit:g} s; "
        "prepare only once what all episodes share"
    )


def _repetition_faults(make: Make, records: dict[Case, Record]) -> list[str]:
    """What goes wrong the second time; the people can now not be written to, as in any run."""
    used = make()
    for case, first in records.items():
        again = _driven(Watched(used, writable=False), case)
        same = record_bytes(again) == record_bytes(first)
        if same and case[0] != CROSSING:
            continue
        new = _driven(Watched(make(), writable=False), case)
        if new.outcome is Outcome.PLANNER_FAILED:
            return [f"{_words(case)}: {new.reason}; people are handed over as read-only arrays"]
        if record_bytes(new) != record_bytes(first):
            return [
                f"{_words(case)} a new planner did not do the same again; take randomness only "
                "from a generator seeded by briefing.seed, and keep nothing in the class"
            ]
        if not same:
            failed = again.outcome is Outcome.PLANNER_FAILED
            how = f"failed ({again.reason})" if failed else "went differently"
            return [
                f"{_words(case)} a planner that had run before {how}; begin() must forget the "
                "episode before"
            ]
    return []


def _plan_faults(make: Make, records: dict[Case, Record]) -> list[str]:
    """What is wrong with the plan of a planner that tells it."""
    for case, first in records.items():
        if not hasattr(make(), "upcoming"):
            return []
        asked = _driven(make(), case, ChargedClock(TELLING))
        if asked.outcome is Outcome.PLANNER_FAILED:
            return [f"{_words(case)}: {asked.reason}"]
        if asked.commands.tobytes() != first.commands.tobytes():
            return [f"{_words(case)}: upcoming() changes what the planner does next"]
    return []


def _origin_faults(make: Make) -> list[str]:
    what = _difference(make, 0.0, MOVED, CLOSE)
    if not what:
        return []
    return [
        f"where the map's origin is plays a part: moved by {MOVED} m, {what}; work with distances "
        "from the robot, and with no grid but the floor plan's"
    ]


def _turning_faults(make: Make) -> list[str]:
    """Who takes the difference of two angles for the way between them turns nearly once round."""
    for side in (1, -1):
        room = room_to_turn_in(side)
        record = simulate(room, make(), control=Control.VELOCITY)
        turned = _turned_until_facing(record.robot, room.goal)
        goal = math.atan2(room.goal.y - room.start.y, room.goal.x - room.start.x)
        enough = abs(math.remainder(goal - room.start.heading, math.tau))
        if turned > enough + math.pi:
            return [
                f"to a goal behind the angle pi it turned by {turned:.1f} rad, where "
                f"{enough:.1f} rad are enough; wrap differences of angles, e.g. by "
                "math.remainder(angle, math.tau)"
            ]
    return []


def _turned_until_facing(robot: FloatArray, goal: Pose) -> float:
    """How far the robot turned in all until it first faced its goal; what it does then is free."""
    bearings = np.arctan2(goal.y - robot[:, 1], goal.x - robot[:, 0])
    off = np.abs(np.remainder(bearings - robot[:, 2] + math.pi, math.tau) - math.pi)
    faces = off < FACING
    until = int(faces.argmax()) if faces.any() else len(robot) - 1
    turns = np.diff(robot[: until + 1, 2])
    return float(np.abs(turns - math.tau * np.round(turns / math.tau)).sum())


def _warn_of_turns(make: Make) -> None:
    what = _difference(make, math.pi / 2, (0.0, 0.0), NOTABLE)
    if what:
        sentence = f"how the map is turned plays a part: turned by a right angle, {what}"
        warnings.warn(sentence, stacklevel=3)


def _difference(make: Make, angle: float, move: tuple[float, float], close: float) -> str:
    """What happens differently in the first second of the same world elsewhere; "" for nothing."""
    here, control = small_room(CROSSING, FIRST), declared_control(make())
    first = simulate(here, make(), control=control)
    other = simulate(elsewhere(here, angle, *move), make(), control=control)
    if other.outcome is Outcome.PLANNER_FAILED:
        return other.reason
    steps = min(len(first.robot), len(other.robot))
    gaps = placing(angle, *move)(first.robot[:steps, :2]) - other.robot[:steps, :2]
    distances = np.hypot(gaps[:, 0], gaps[:, 1])  # (steps,)
    if distances.max() <= close:
        return ""
    when = int(distances.argmax()) * here.dt
    return f"the robot was {distances.max():.3f} m elsewhere after {when:.2f} s"


def _driven(planner: Planner, case: Case, clock: Clock | None = None) -> Record:
    people, control = case
    room = small_room(people, TIME_LIMITS[people])
    return simulate(room, planner, control=control, clock=clock)


def _words(case: Case) -> str:
    people, control = case
    return f"with {people} under {control.value} control"
