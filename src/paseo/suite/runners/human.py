"""The human reference: a recorded person in the robot's place, on an episode of their own."""

import math
from dataclasses import dataclass, replace

import numpy as np

from paseo.data.suites.rules import since
from paseo.errors import BadScenario
from paseo.planners.human import Human
from paseo.sim.episode import hits_wall
from paseo.sim.simulate import simulate
from paseo.suite.runners.watching import Replayed
from paseo.suite.runs.jobs import VARIANT
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose, Robot
from paseo.world.records import Provenance, Record
from paseo.world.scenarios import ROUNDING, Scenario, check_task
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Track

LEAST_WAY = 3.0  # metres from where the person begins to where they end
STILL = 1e-6  # metres in a step, below which nobody turns


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """What an episode shows of one person."""

    person: int
    first: int  # the state of the episode in which they appear
    places: FloatArray  # (states, 2), from then on; NaN while absent

    @property
    def way(self) -> float:
        """Metres from the first place to the last."""
        return math.dist(self.places[0], self.places[-1])


def human_variant(scenario: Scenario, person: int | None = None) -> tuple[Scenario, Human]:
    """The episode with one person as its robot, and the follower of their recorded walk.

    The person is taken out of the crowd. The robot gets their radius, start, goal (where they
    end while the episode lasts) and top speed; time 0 is when they appear, and walls count
    from the centre, for recorded people brush them. Without `person` it is whoever's start and
    goal are nearest to the robot's, summed, of those who get at least 3 m from their start, are
    never out of sight and walk through no wall; of equals the smallest id. `BadScenario` says
    that there is nobody, or why not that person. `simulate` takes the pair.
    """
    walks = [walk for track in scenario.tracks if (walk := _walk(track, scenario)) is not None]
    if person is not None:
        return _followed(scenario, _named(walks, person, scenario))
    for walk in sorted(walks, key=lambda each: (_unlike(each, scenario), each.person)):
        try:
            return _followed(scenario, walk)
        except BadScenario:
            continue
    raise BadScenario(
        f"episode '{scenario.name}': of its {len(walks)} people nobody can be followed, expected "
        f"somebody who gets {LEAST_WAY:g} m from their start through free space, never out of sight"
    )


def driven_variant(scenario: Scenario, driven: FloatArray) -> tuple[Scenario, Human]:
    """The episode as somebody drove it who was there, and the follower of their way.

    `driven` has rows of time, x, y and heading. The robot keeps its size; it may be as fast as it
    was, its start and goal are where it was first and last, and walls count from its centre:
    where it drove, no guessed wall was.
    """
    times = driven[:, 0]
    states = np.arange(math.floor(times[-1] / scenario.dt + ROUNDING) + 1) * scenario.dt
    states = states[: scenario.steps + 1]
    turned = np.column_stack([driven[:, 1:3], np.unwrap(driven[:, 3])])
    poses = np.column_stack([np.interp(states, times, each) for each in turned.T])
    if len(poses) < 2:
        raise BadScenario(
            f"episode '{scenario.name}': was driven for {times[-1]:g} s, expected at least a step "
            f"of {scenario.dt:g} s"
        )
    top_speed = float(np.hypot(*np.diff(poses[:, :2], axis=0).T).max()) / scenario.dt
    robot = replace(
        scenario.robot,
        max_speed=max(top_speed, scenario.robot.max_speed),
        max_reverse_speed=max(top_speed, scenario.robot.max_reverse_speed),
        max_turn=math.inf,
        max_acceleration=math.inf,
        max_turn_acceleration=math.inf,
        wall_radius=0.0,
    )
    variant = replace(
        scenario,
        name=f"{scenario.name}{VARIANT}human-driven",
        start=Pose(*poses[0].tolist()),
        goal=Pose(*poses[-1].tolist()),
        robot=robot,
    )
    check_task(variant)
    human = Human()
    human.walk = poses[1:]
    return variant, human


def human_record(scenario: Scenario, made: Provenance, driven: FloatArray | None = None) -> Record:
    """The reference on its variant of the episode; failed where nobody can be followed.

    Where no person is named, whoever drove the robot comes first, by rows of time, x, y, heading.
    """
    person = made.parameters["person"]
    assert person is None or isinstance(person, int)
    try:
        if driven is not None and person is None:
            variant, human = driven_variant(scenario, driven)
        else:
            variant, human = human_variant(scenario, person)
    except BadScenario as error:
        nobody = replace(scenario, name=f"{scenario.name}{VARIANT}human")
        return simulate(nobody, Replayed(np.empty((0, 3)), str(error)), provenance=made)
    followed = replace(made, parameters={"person": human.person})
    return simulate(variant, human, provenance=followed)


def _walk(track: Track, scenario: Scenario) -> _Walk | None:
    states = np.arange(scenario.steps + 1, dtype=np.float64)
    places = track.positions_at(states * scenario.dt)
    present = np.nonzero(~np.isnan(places[:, 0]))[0].tolist()
    if not present:
        return None
    return _Walk(track.id, present[0], places[present[0] : present[-1] + 1])


def _named(walks: list[_Walk], person: int, scenario: Scenario) -> _Walk:
    found = next((walk for walk in walks if walk.person == person), None)
    if found is None:
        there = ", ".join(str(walk.person) for walk in walks) or "nobody"
        raise BadScenario(
            f"episode '{scenario.name}': there is no person {person}, expected one of: {there}"
        )
    return found


def _unlike(walk: _Walk, scenario: Scenario) -> float:
    """Metres between the robot's start and theirs, and between the goals."""
    start, goal = scenario.start, scenario.goal
    return math.dist(walk.places[0], (start.x, start.y)) + math.dist(
        walk.places[-1], (goal.x, goal.y)
    )


def _followed(scenario: Scenario, walk: _Walk) -> tuple[Scenario, Human]:
    problem = _problem(walk, scenario)
    if problem:
        raise BadScenario(
            f"episode '{scenario.name}': person {walk.person} cannot be followed, they {problem}; "
            "choose another"
        )
    poses = _poses(walk.places)
    variant = _variant(scenario, walk, poses)
    check_task(variant)
    human = Human(walk.person)
    human.walk = poses[1:]
    return variant, human


def _problem(walk: _Walk, scenario: Scenario) -> str:
    """Why a person cannot be followed; empty if they can."""
    least = max(LEAST_WAY, 2 * scenario.goal_radius)
    if np.isnan(walk.places).any():
        return "are out of sight for a while"
    if walk.way < least:
        return f"get only {walk.way:.2f} m from their start, expected {least:g} m"
    if _meets_wall(walk.places, scenario.floorplan):
        return f"walk through a wall of floor plan '{scenario.floorplan.name}' or off it"
    return ""


def _meets_wall(places: FloatArray, plan: FloorPlan) -> bool:
    """Whether the walk would end at a wall, judged by the centre as in an episode."""
    befores = np.concatenate([places[:1], places[:-1]])
    (x0, y0), cell = plan.origin, plan.cell_size
    return any(
        hits_wall(from_x, from_y, x, y, 0.0, plan.walls, plan.distance, x0, y0, cell)
        for from_x, from_y, x, y in np.hstack([befores, places]).tolist()
    )


def _poses(places: FloatArray) -> FloatArray:
    """With the direction of each step as heading, or the one before while they stand, (n, 3)."""
    steps = np.diff(places, axis=0)
    moving = np.hypot(steps[:, 0], steps[:, 1]) > STILL
    directions = np.arctan2(steps[:, 1], steps[:, 0])
    last_moving = np.maximum.accumulate(np.where(moving, np.arange(len(steps)), -1))
    headings = directions[np.where(last_moving < 0, int(np.argmax(moving)), last_moving)]
    return np.column_stack([places, np.concatenate([headings[:1], headings])])


def _variant(scenario: Scenario, walk: _Walk, poses: FloatArray) -> Scenario:
    begins = walk.first * scenario.dt
    others = tuple(
        since(track, begins)
        for track in scenario.tracks
        if track.id != walk.person and track.times[-1] > begins
    )
    top_speed = float(np.hypot(*np.diff(walk.places, axis=0).T).max()) / scenario.dt
    return replace(
        scenario,
        name=f"{scenario.name}{VARIANT}human-{walk.person}",
        start=Pose(*poses[0].tolist()),
        goal=Pose(*poses[-1].tolist()),
        tracks=others,
        groups=_groups(scenario, walk.person, {track.id for track in others}),
        robot=Robot(
            name="person",
            radius=scenario.person_radius,
            max_speed=top_speed,
            max_turn=math.inf,
            wall_radius=0.0,
        ),
    )


def _groups(scenario: Scenario, person: int, present: set[int]) -> tuple[tuple[int, ...], ...]:
    """The groups of the others; one's own group is none that one could intrude on."""
    left = [
        tuple(member for member in group if member in present)
        for group in scenario.groups
        if person not in group
    ]
    return tuple(group for group in left if len(group) > 1)
