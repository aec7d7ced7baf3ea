"""Records built by hand: a robot that drives where it is told, people who are where they are."""

import ast
import gzip
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from paseo.world.arrays import FloatArray
from paseo.world.motion import Control, Pose
from paseo.world.records import Outcome, Provenance, Record
from paseo.world.space.floorplan import Place, floor_plan
from paseo.world.tracks import Track
from worlds import plan, scenario

NOBODY = np.empty((0, 2))
OUTPUTS = (
    "RVO_t_hotel_against",
    "SamplingPlanner_t_eth_dense_against",
    "social_force_t_zara1_dense",
)


def standing(person: int) -> Track:
    return Track(person, np.zeros(1), np.zeros((1, 2)))


def record(
    robot: Any,
    people: Any = (),
    /,
    *,
    outcome: Outcome = Outcome.REACHED_GOAL,
    control: Control = Control.POSITION,
    contacts: Any = (),
    **changes: Any,
) -> Record:
    """`robot` is rows of x, y and perhaps heading; `people` the places of each, one per state.

    One pair in place of a person's places means that they stand there. Unless told otherwise the
    task is the one of `worlds.scenario`, from the first state on.
    """
    poses = np.array(robot, float)
    if poses.shape[1] == 2:
        poses = np.column_stack([poses, np.zeros(len(poses))])
    places = [np.broadcast_to(np.array(each, float), (len(poses), 2)) for each in people]
    ids = range(1, len(places) + 1)
    task = {"start": Pose(*map(float, poses[0])), **changes}
    return Record(
        scenario=scenario(*map(standing, ids), **task),
        provenance=Provenance(paseo_version="0", planner="by hand", control=control),
        outcome=outcome,
        reason="it was so",
        robot=poses,
        commands=np.zeros((len(poses) - 1, 3)),
        people=np.stack(places, axis=1) if places else np.empty((len(poses), 0, 2)),
        contacts=tuple(contacts),
    )


def line(*, speed: float = 1.0, duration: float = 6.0, dt: float = 0.05) -> FloatArray:
    """Straight from (2, 5) along x, (states, 2)."""
    times = np.arange(round(duration / dt) + 1) * dt
    return np.column_stack([2.0 + speed * times, np.full(len(times), 5.0)])


def moved(original: Record, *, angle: float, shift: tuple[float, float]) -> Record:
    """The same on a map that is turned about its origin and then shifted."""
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return _laid(original, lambda points: points @ turn.T + np.array(shift), lambda h: h + angle)


def mirrored(original: Record) -> Record:
    """The same with left and right exchanged."""
    return _laid(original, lambda points: points * np.array([1.0, -1.0]), lambda h: -h)


def _laid(
    original: Record, there: Callable[[FloatArray], FloatArray], turned: Callable[[Any], Any]
) -> Record:
    """The same where every place and every heading is another."""

    def pose(each: Pose) -> Pose:
        x, y = there(np.array([each.x, each.y])).tolist()
        return Pose(x, y, turned(each.heading))

    task = original.scenario
    floor = task.floorplan
    places = tuple(
        Place(each.name, each.kind, *there(np.array([each.x, each.y])).tolist())
        for each in floor.places
    )
    return replace(
        original,
        scenario=replace(
            task,
            floorplan=floor_plan(floor.name, there(floor.walls), places=places),
            start=pose(task.start),
            goal=pose(task.goal),
        ),
        robot=np.column_stack([there(original.robot[:, :2]), turned(original.robot[:, 2])]),
        people=there(original.people),
    )


def relabelled(original: Record, ids: Mapping[int, int]) -> Record:
    """The same with other ids for people, and so another order of them."""
    task = original.scenario
    tracks = [replace(track, id=ids[track.id]) for track in task.tracks]
    order = sorted(range(len(tracks)), key=lambda k: tracks[k].id)
    groups = tuple(tuple(sorted(ids[each] for each in group)) for group in task.groups)
    return replace(
        original,
        scenario=replace(task, tracks=tuple(tracks[k] for k in order), groups=groups),
        people=original.people[:, order],
        contacts=tuple(replace(each, person=ids[each.person]) for each in original.contacts),
    )


def output_of_the_original(data: Path, name: str) -> tuple[Record, dict[str, Any]]:
    """What SocNavBench exported of one of its episodes as a Record, and all it wrote of it.

    It does not export state 0: the robot's start is in its log, and people stand still until
    state 1.
    """
    with gzip.open(data / "joystick" / f"{name}.json.gz", "rt") as file:
        output: dict[str, Any] = json.load(file)
    states, log = output["states"], output["log"]
    start, goal = (Pose(*logged(log, f"Robot {what}: ")) for what in ("start", "goal"))
    names = sorted({person for state in states for person in state["peds"]})
    people = np.full((len(states) + 1, len(names), 2), np.nan)
    for k, state in enumerate(states, 1):
        for person, (pose, *_) in state["peds"].items():
            people[k, names.index(person)] = pose[:2]
    people[0] = people[1]
    made = record(
        [[start.x, start.y, start.heading], *(state["robot"] for state in states)],
        people.transpose(1, 0, 2),
        floorplan=plan("around", (-50, -50, 50, 50)),
        goal=goal,
        time_limit=60.0,
    )
    return made, output


def logged(log: str, title: str) -> Any:
    """What stands after a title in the original's log."""
    return ast.literal_eval(log.partition(title)[2].partition("\n")[0])
