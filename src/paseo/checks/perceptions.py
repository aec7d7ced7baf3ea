"""The contract of what finds people in pictures."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeVar

import numpy as np

from paseo.checks.contract import ContractBroken, made_anew, refuse
from paseo.checks.pictures import CAMERA, column_picture, people_at, without_ids
from paseo.checks.worlds import CROSSING, NOBODY, ON_TOP, small_room
from paseo.sim.episode import briefing
from paseo.sim.sensing import NOBODY as NOBODY_TOLD
from paseo.text import error_words
from paseo.world.cameras import Camera, RgbdImage, Sight
from paseo.world.motion import Control, Pose, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Observation, Perception
from paseo.world.scenarios import Scenario

STEPS, EVERY = 40, 2  # of an episode, and from picture to picture
SPEED = 0.5  # m/s, along the room
REMEDY = "what it needs to know of the episode is given to begin()"

T = TypeVar("T")
Make = Callable[[], Perception]


def check_perception(make: Make) -> None:
    """Raise `ContractBroken` unless perceptions made by `make` can stand before a planner.

    They must answer every picture, also a dark one and one that is shown again, with people in
    order of id at finite places and velocities; leave pictures as they are; and do the same again,
    also after another episode. How well they see is not checked.
    """
    made_anew(make, ("begin", "people"), what="perception", remedy=REMEDY)
    worlds = [small_room(people, time_limit=2.0) for people in (NOBODY, ON_TOP, CROSSING)]
    for world in worlds:
        refuse(_faults(_perceived(make(), world)))
    first, used = _perceived(make(), worlds[-1]), make()
    _perceived(used, worlds[1])
    refuse(
        _unlike(first, _perceived(make(), worlds[-1]), "a new perception does not do the same")
        or _unlike(first, _perceived(used, worlds[-1]), "begin() does not forget the one before")
    )


def column_pictures(scenario: Scenario, camera: Camera = CAMERA) -> Iterator[Observation]:
    """What a robot that drives slowly along the room is shown, step by step, with ids."""
    for step in range(STEPS):
        time = step * scenario.dt
        start = scenario.start
        pose = Pose(start.x + SPEED * time, start.y, start.heading)
        if step % EVERY == 0:
            people = people_at(scenario, time)
            image = column_picture(scenario.floorplan, people, camera=camera, pose=pose, time=time)
        robot = RobotState(pose, Twist(SPEED, 0.0), scenario.robot.radius)
        yield Observation(time, robot, NOBODY_TOLD, image)


def _perceived(perception: Perception, world: Scenario) -> tuple[Crowd, ...]:
    seeing = replace(world, sight=Sight(camera=CAMERA))
    _asked("begin", lambda: perception.begin(briefing(seeing, Control.VELOCITY)))
    needs_ids = bool(getattr(perception, "needs_ids", False))
    crowds = []
    for shown in column_pictures(world):
        told = shown if needs_ids else _without_ids(shown)
        crowds.append(_asked("people", partial(perception.people, told)))
    crowds.append(_asked("people", partial(perception.people, _dark(told))))
    return tuple(crowds)


def _without_ids(shown: Observation) -> Observation:
    image = shown.image
    assert image is not None
    return Observation(shown.time, shown.robot, shown.crowd, without_ids(image))


def _dark(shown: Observation) -> Observation:
    """A picture later on in which nothing is seen."""
    image, time = shown.image, shown.time + 0.1
    assert image is not None
    nothing = np.full_like(image.depth, np.nan)
    nobody = None if image.ids is None else np.full_like(image.ids, -1)
    dark = RgbdImage(time, image.pose, np.zeros_like(image.rgb), nothing, nobody)
    return Observation(time, shown.robot, shown.crowd, dark)


def _asked(method: str, ask: Callable[[], T]) -> T:
    try:
        return ask()
    except Exception as error:
        raise ContractBroken(
            f"{method}() raised {error_words(error)}; pictures are read-only arrays, "
            "and there may be nothing and nobody in them"
        ) from error


def _faults(crowds: tuple[Crowd, ...]) -> list[str]:
    for step, crowd in enumerate(crowds):
        when = f"in step {step}"
        if not isinstance(crowd, Crowd):
            return [f"{when} people() returned {crowd!r:.80}, expected a Crowd"]
        ids = crowd.ids.tolist()
        if ids != sorted(set(ids)):
            return [f"{when} people are not in order of id, each once: {ids}"]
        if not (np.isfinite(crowd.positions).all() and np.isfinite(crowd.velocities).all()):
            return [f"{when} a place or velocity is not finite"]
        if not (crowd.radii > 0).all():
            return [f"{when} a radius is not more than 0"]
    return []


def _unlike(first: tuple[Crowd, ...], second: tuple[Crowd, ...], what: str) -> list[str]:
    same = all(
        getattr(a, key).tobytes() == getattr(b, key).tobytes()
        for a, b in zip(first, second, strict=True)
        for key in ("ids", "positions", "velocities", "radii")
    )
    return [] if same else [f"{what}; keep nothing in the class, and seed what is random"]
