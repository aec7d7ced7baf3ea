"""Where a robot can be soon: waypoints that walls leave room for, at several speeds, and here."""

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from paseo.deciding.following import TURN_FIRST, driven, speed_for
from paseo.planners.unicycle import Rolling, limits_of, walls_of
from paseo.planners.way_ahead import path_ahead, straight_target, way_of
from paseo.vqa.waypoints.candidates import nearest_to_line
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from paseo.world.people import Crowd
from paseo.world.planning import Briefing
from paseo.world.space.geometry import field_at

# Directions, in degrees to the left of the heading, for each share of the top speed.
FAN = ((1.0, (0, 25, -25, 50, -50)), (0.5, (0, 40, -40)), (0.6, (100, -100)))
APART = 0.4  # metres between any two
SPARE = 0.05  # metres more than the robot needs to a wall
MOST_ROLLED = 64  # roll-outs that are remembered
MOMENT = 0.1  # seconds between those at which a roll-out is held against walls and people
WANTED = 0.3  # metres between skins that the rule `truth` wants to keep
AHEAD = 8.0  # metres along the way to the place that is drawn as the goal


@dataclass(frozen=True, slots=True, kw_only=True)
class Reachable:
    """A place that the robot can be at, and how fast it gets there."""

    x: float
    y: float
    speed: float  # m/s; 0: stay

    @property
    def pose(self) -> Pose:
        """The place as a target."""
        return Pose(self.x, self.y)


class Reach:
    """Makes the candidates of an episode, and says what simple rules would take."""

    def __init__(self, briefing: Briefing, horizon: float) -> None:
        self._briefing, self._horizon = briefing, horizon
        self._way = way_of(briefing)
        self._walls = walls_of(briefing.floorplan)
        self._limits = limits_of(briefing, math.inf, math.inf)
        self._rolled = lru_cache(MOST_ROLLED)(self._roll)  # each is held against much

    def candidates(self, pose: Pose, most: int, rng: np.random.Generator) -> list[Reachable]:
        """To stay, the way to the goal, then directions and speeds, in an order drawn by lot."""
        stay = Reachable(x=pose.x, y=pose.y, speed=0.0)
        found = [stay, self._on_the_way(pose)]
        for place in self._fan(pose):
            if len(found) == most:
                break
            tried = [self._at(pose, _nearer(pose, place, share)) for share in (1.0, 0.6, 0.3)]
            free = next((each for each in tried if self._has_room(pose, each)), None)
            if free and all(math.dist((free.x, free.y), (o.x, o.y)) >= APART for o in found):
                found.append(free)
        return [found[k] for k in rng.permutation(len(found))]

    def goal_ahead(self, pose: Pose) -> tuple[float, float]:
        """The goal, or the place up to which the way to it is shown."""
        path = path_ahead(pose.x, pose.y, AHEAD, self._way)
        x, y = path[-1].tolist()
        return x, y

    def rules(
        self, pose: Pose, places: list[Reachable], crowd: Crowd, believed: Crowd
    ) -> dict[str, int]:
        """Which of the places simple rules take.

        `nearest` the one from which the way around walls to the goal is shortest, `straight` the
        nearest to the straight line to the goal, `truth` the nearest of those whose roll-out keeps
        0.3 m from everybody, who walk on as now, or else the one that keeps most; `believed` the
        same in the crowd as it is believed to be.
        """
        lengths = [self.metres_from(each.x, each.y) for each in places]
        best = self._safest(pose, places, crowd, lengths)
        same = believed is crowd
        goal = self._briefing.goal
        spots = np.array([(each.x, each.y) for each in places])
        return {
            "nearest": min(range(len(places)), key=lambda k: (lengths[k], k)),
            "straight": nearest_to_line(
                spots, np.array([pose.x, pose.y]), np.array([goal.x, goal.y])
            ),
            "truth": best,
            "believed": best if same else self._safest(pose, places, believed, lengths),
        }

    def _safest(
        self, pose: Pose, places: list[Reachable], crowd: Crowd, lengths: list[float]
    ) -> int:
        """Of the places that keep room the nearest to the goal, else the one that keeps most."""
        rooms = [self.room(pose, each, crowd) for each in places]
        safe = [k for k in range(len(places)) if rooms[k] >= WANTED]
        return min(safe, key=lambda k: (lengths[k], k)) if safe else int(np.argmax(rooms))

    def metres_from(self, x: float, y: float) -> float:
        """The length of the way to the goal; infinite off the map."""
        way = self._way
        found = field_at(float(x), float(y), way.metres, way.x0, way.y0, way.cell_size)
        return math.inf if found < 0 else float(found)

    def room(self, pose: Pose, place: Reachable, crowd: Crowd) -> float:
        """Metres between skins that are left on the way to a place; infinite among nobody."""
        if not len(crowd):
            return math.inf
        robot = self._rolled(pose, place)
        times = MOMENT * np.arange(1, len(robot) + 1)
        people = crowd.positions + times[:, None, None] * crowd.velocities  # (steps, people, 2)
        gaps = np.linalg.norm(people - robot[:, None], axis=2) - crowd.radii
        return float(gaps.min()) - self._briefing.robot.radius

    def _at(self, pose: Pose, place: tuple[float, float]) -> Reachable:
        target = Pose(*place)
        speed = speed_for(pose, target, self._horizon, self._briefing.robot)
        return Reachable(x=place[0], y=place[1], speed=speed)

    def _on_the_way(self, pose: Pose) -> Reachable:
        """The furthest point of the way to the goal that can be had straight on, in this time."""
        reach = self._briefing.robot.max_speed * self._horizon
        path = path_ahead(pose.x, pose.y, reach, self._way)
        now = Rolling(float(pose.x), float(pose.y), float(pose.heading), 0.0, 0.0)
        x, y = straight_target(now, path, reach, self._limits, self._walls)
        found = self._at(pose, (float(x), float(y)))
        # Slower, the robot turns on a smaller arc.
        return found if self._has_room(pose, found) else replace(found, speed=found.speed / 4)

    def _fan(self, pose: Pose) -> list[tuple[float, float]]:
        robot = self._briefing.robot
        places = []
        for share, directions in FAN:
            for degrees in directions:
                turn = math.radians(degrees)
                late = max(0.0, abs(turn) - TURN_FIRST) / min(robot.max_turn, math.pi)
                far = share * robot.max_speed * max(self._horizon - late, 0.0)
                heading = pose.heading + turn
                places.append((pose.x + far * math.cos(heading), pose.y + far * math.sin(heading)))
        return places

    def _has_room(self, pose: Pose, place: Reachable) -> bool:
        """Whether walls leave room on the way that is driven there, as far as they do here."""
        plan, robot = self._briefing.floorplan, self._briefing.robot
        wanted = min(robot.needed_clearance + SPARE, plan.clearance(pose.x, pose.y))
        return plan.clearance(place.x, place.y) >= wanted and all(
            plan.clearance(x, y) >= wanted for x, y in self._rolled(pose, place).tolist()
        )

    def _roll(self, pose: Pose, place: Reachable) -> FloatArray:
        """Where the robot is on its way there, moment by moment, (moments, 2)."""
        steps = math.ceil(self._horizon / MOMENT)
        robot = self._briefing.robot
        way = driven(pose, place.pose, place.speed, robot, dt=MOMENT, steps=steps)
        return np.array([(each.x, each.y) for _, each in way])


def _nearer(pose: Pose, place: tuple[float, float], share: float) -> tuple[float, float]:
    """A place on the way there."""
    return pose.x + share * (place[0] - pose.x), pose.y + share * (place[1] - pose.y)
