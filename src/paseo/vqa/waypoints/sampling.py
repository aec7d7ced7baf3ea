"""Candidates for a recorded scene: one is where the robot went, the others it might have gone."""

from dataclasses import dataclass

import numpy as np

from paseo.errors import BadValue
from paseo.vqa.waypoints.candidates import Candidates, arc_ends, nearest_to_line, seeded
from paseo.world.arrays import FloatArray
from paseo.world.scenes import Scene

USUAL_COUNT, MOST = 5, 10
TOP_SPEED = 1.6  # m/s, that of the data set's robot; one that drives faster can do so
TOP_TURN = 1.0  # rad/s
APART = 0.75  # metres between any two of them, less where there is no room
FROM_PEOPLE = 0.5  # metres from where anybody stands in the last frame
TRIES, SHRINK, LEAST_APART = 200, 0.8, 0.05


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice:
    """The candidates of a scene and what is known of them; never shown to a model."""

    scene: str
    candidates: Candidates
    true: int  # where the robot really went
    straight: int  # the nearest to the straight line to the goal

    @property
    def rules(self) -> dict[str, str]:
        """Which letter each rule takes; for models that follow a script."""
        letter = self.candidates.letter
        return {"truth": letter(self.true), "straight": letter(self.straight)}


def choice_of(scene: Scene, went: FloatArray, horizon: float, *, count: int) -> Choice:
    """So many candidates, of which one is where the robot `went` (2,); the same for the same scene.

    The others are ends of arcs that the robot can drive in that time from its last pose, apart from
    where it went, from each other and from where people stand in the last frame. The order is
    drawn, so that no letter is more often right.
    """
    if not 2 <= count <= MOST:
        raise BadValue(
            f"candidates is {count}, expected 2 to {MOST} waypoints", parameters=("candidates",)
        )
    rng = seeded("waypoints", scene.id, count)
    places = np.concatenate([[went], _others(scene, went, horizon, count - 1, rng)])
    order = rng.permutation(count)
    shown = places[order]
    goal = np.array(scene.goal)
    return Choice(
        scene=scene.id,
        candidates=Candidates(places=shown, horizon=horizon),
        true=int(np.nonzero(order == 0)[0][0]),
        straight=nearest_to_line(shown, scene.robot[-1, :2], goal),
    )


def _others(
    scene: Scene, went: FloatArray, horizon: float, count: int, rng: np.random.Generator
) -> FloatArray:
    pose, kept = scene.robot[-1], [went]
    top = max(TOP_SPEED, _speed(scene), float(np.hypot(*(went - pose[:2]))) / horizon)
    standing = [p.positions[-1] for p in scene.people if len(scene.frames) - 1 in p.seen]
    apart = APART
    while len(kept) <= count:
        speeds, turns = rng.uniform(0, top, TRIES), rng.uniform(-TOP_TURN, TOP_TURN, TRIES)
        for place in arc_ends(pose, speeds, turns, horizon):
            if len(kept) > count:
                break
            near_people = any(np.hypot(*(place - each)) < FROM_PEOPLE for each in standing)
            crowded = apart > LEAST_APART and near_people
            if not crowded and all(np.hypot(*(place - each)) >= apart for each in kept):
                kept.append(place)
        apart *= SHRINK
    return np.array(kept[1:])


def _speed(scene: Scene) -> float:
    """The fastest that the robot drove in the clip."""
    steps = np.hypot(*np.diff(scene.robot[:, :2], axis=0).T)
    return float(steps.max(initial=0.0)) / scene.period
