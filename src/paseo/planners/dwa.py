"""Dynamic window: the best of the twists that the robot can soon reach and still stop from.

D. Fox, W. Burgard, S. Thrun, The dynamic window approach to collision avoidance,
IEEE Robotics and Automation Magazine 4(1), 23-33 (1997).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from paseo.compiled import compiled
from paseo.errors import BadValue
from paseo.planners.unicycle import (
    KEEP,
    VX,
    VY,
    Limits,
    Rolling,
    Walls,
    X,
    Y,
    arc_end,
    braked,
    is_safe,
    limits_of,
    near_people,
    reachable,
    rolling,
    room_needed,
    table_of,
    turned_by,
    walls_of,
)
from paseo.planners.way_ahead import (
    Way,
    brisk_turn,
    path_ahead,
    straight_target,
    useful_speed,
    way_of,
)
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control, Twist
from paseo.world.planning import Briefing, Observation
from paseo.world.space.geometry import field_at

INTERVAL = 0.1  # seconds between the moments of the look-ahead
AHEAD = 1.5  # metres along the way to the point that the robot should face
ASTRAY = math.pi / 3  # off the way, from where on it must be turned to rather than be driven to
CRAWLING = 0.2  # of its top speed and of a brisk turn: slower, the robot gets nowhere
REFUSED = -math.inf  # the score of a twist that is not admissible


class Taste(NamedTuple):
    """The parameters of `Dwa` as the kernel wants them."""

    heading: float
    clearance: float
    velocity: float
    look_ahead: float
    wall_look_ahead: float
    turning: float
    room: float
    window: float
    speeds: int
    turns: int


@compiled
def best_twist(
    now: Rolling, people: FloatArray, limits: Limits, taste: Taste, walls: Walls, way: Way
) -> tuple[float, float]:
    """Forward speed and turn rate of the best admissible twist."""
    near = people[: near_people(now, people, taste.look_ahead, taste.room, limits)]
    room = room_needed(now, limits, walls)
    path = path_ahead(now.x, now.y, AHEAD, way)
    target = straight_target(now, path, AHEAD, limits, walls)
    fast = min(useful_speed(now, (way.goal_x, way.goal_y), limits), limits.top_speed)
    if abs(turned_by(math.atan2(target[1] - now.y, target[0] - now.x) - now.heading)) > ASTRAY:
        fast = min(useful_speed(now, target, limits), fast)
    speeds, turns = window_of(now, limits, taste)
    scores = np.empty((speeds.size, turns.size))
    for i in range(speeds.size):
        for j in range(turns.size):
            tried = Rolling(now.x, now.y, now.heading, speeds[i], turns[j])
            scores[i, j] = (
                taste.heading * facing(tried, target, taste)
                + taste.clearance * free_share(tried, near, room, taste, walls)
                + taste.velocity * min(tried.forward, fast) / limits.top_speed
            )
    for _ in range(scores.size):
        best = int(np.argmax(scores))
        i, j = best // turns.size, best % turns.size
        tried = reachable(now, speeds[i], turns[j], limits)
        if is_safe(tried, near, room, limits, walls):
            return tried.forward, tried.turn
        scores[i, j] = REFUSED
    return braked(now, target, limits)


@compiled
def window_of(now: Rolling, limits: Limits, taste: Taste) -> tuple[FloatArray, FloatArray]:
    """The speeds and turns that are tried."""
    time = max(taste.window, limits.dt)
    fastest = min(now.forward + limits.acceleration * time, limits.top_speed)
    slowest = max(now.forward - limits.acceleration * time, -limits.reverse_speed)
    left = min(now.turn + limits.turn_acceleration * time, limits.top_turn)
    right = max(now.turn - limits.turn_acceleration * time, -limits.top_turn)
    return np.linspace(slowest, fastest, taste.speeds), np.linspace(right, left, taste.turns)


@compiled
def facing(tried: Rolling, target: tuple[float, float], taste: Taste) -> float:
    """1 if the robot faces the target after its turn, 0 if it then turns its back on it."""
    distance = math.hypot(target[0] - tried.x, target[1] - tried.y)
    most = 0.5 * distance / max(abs(tried.forward), 1e-9)  # seconds: not past the target
    x, y, _ = arc_end(tried, min(taste.turning, most))
    heading = tried.heading + tried.turn * taste.turning
    return 1.0 - abs(turned_by(math.atan2(target[1] - y, target[0] - x) - heading)) / math.pi


@compiled
def free_share(
    tried: Rolling, people: FloatArray, room: float, taste: Taste, walls: Walls
) -> float:
    """The share of the look-ahead before a wall is met or somebody comes near."""
    bend_x, bend_y, heading = arc_end(tried, taste.turning)
    along_x, along_y = tried.forward * math.cos(heading), tried.forward * math.sin(heading)
    share, time = 1.0, 0.0
    while time < taste.look_ahead * share:
        before, time = time, time + INTERVAL
        if time <= taste.turning:
            x, y, _ = arc_end(tried, time)
        else:
            x = bend_x + along_x * (time - taste.turning)
            y = bend_y + along_y * (time - taste.turning)
        if time <= taste.wall_look_ahead:
            if field_at(x, y, walls.distance, walls.x0, walls.y0, walls.cell_size) < room:
                share = min(share, before / taste.wall_look_ahead)
        for k in range(people.shape[0]):
            dx = people[k, X] + time * people[k, VX] - x
            dy = people[k, Y] + time * people[k, VY] - y
            if dx * dx + dy * dy < people[k, KEEP] * people[k, KEEP]:
                return min(share, before / taste.look_ahead)
    return share


@dataclass(kw_only=True)
class Dwa:
    """Weighs the twists within reach by heading, clearance and speed, and takes the best.

    Admissible are twists from which the robot can brake before it meets a wall, or a person who
    walks on as now. If there is none it brakes, and then turns on the spot. Unlike in 1997,
    people are seen to move, a turn is followed by a straight line instead of a circle, and the
    robot faces the way around walls instead of the goal itself.
    """

    control: ClassVar[Control] = Control.VELOCITY
    kernels: ClassVar[tuple[Callable[..., Any], ...]] = (best_twist,)

    heading: float = 1.0  # weight of facing the way to the goal
    clearance: float = 5.0  # weight of the time until something comes near
    velocity: float = 0.9  # weight of going fast
    look_ahead: float = 4.0  # s, for people
    wall_look_ahead: float = 1.0  # s
    turning: float = 0.7  # s that a turn lasts; the heading after it counts
    room: float = 0.25  # m, to be kept from people
    people_walk: bool = True  # on as now; false: everybody is taken to stand, as in 1997
    acceleration: float = 3.0  # m/s2, also to brake, unless the robot's own limit is lower
    turn_acceleration: float = 6.0  # rad/s2, unless the robot's own limit is lower
    window: float = 0.35  # s within which a twist must be within reach
    speeds: int = 7  # that are tried
    turns: int = 21  # that are tried with each speed
    patience: float = 1.0  # s; who gets nowhere for so long does not mind the heading for as long

    def __post_init__(self) -> None:
        for name in ("look_ahead", "wall_look_ahead", "turning", "acceleration",
                     "turn_acceleration", "window", "patience"):  # fmt: skip
            if not 0 < getattr(self, name) < math.inf:
                raise BadValue(f"dwa: {name} is {getattr(self, name)}, expected more than 0")
        for name in ("heading", "clearance", "velocity", "room"):
            if not 0 <= getattr(self, name) < math.inf:
                raise BadValue(f"dwa: {name} is {getattr(self, name)}, expected 0 or more")
        for name in ("speeds", "turns"):
            if getattr(self, name) < 2:
                raise BadValue(f"dwa: {name} is {getattr(self, name)}, expected 2 or more")

    def begin(self, briefing: Briefing) -> None:
        """Find the ways to the goal."""
        self._limits = limits_of(briefing, self.acceleration, self.turn_acceleration)
        numbers = {name: float(getattr(self, name)) for name in Taste._fields[:-2]}
        self._taste = Taste(**numbers, speeds=int(self.speeds), turns=int(self.turns))
        self._walls, self._way = walls_of(briefing.floorplan), way_of(briefing)
        start = briefing.start
        self._last = Rolling(float(start.x), float(start.y), float(start.heading), 0.0, 0.0)
        self._since = self._restless_until = 0.0

    def plan(self, observation: Observation) -> Twist:
        """The best admissible twist."""
        now, people = rolling(observation), table_of(observation.crowd, self._limits.radius)
        if not self.people_walk:
            people[:, VX : VY + 1] = 0.0
        taste = self._taste_at(observation.time, now)
        return Twist(*best_twist(now, people, self._limits, taste, self._walls, self._way))

    def _taste_at(self, time: float, now: Rolling) -> Taste:
        """Who gets nowhere goes wherever there is room: the way out may lead aside."""
        restless, was = time < self._restless_until, self._last
        far = CRAWLING * self._limits.top_speed * self.patience
        much = CRAWLING * brisk_turn(self._limits) * self.patience
        drove = math.hypot(now.x - was.x, now.y - was.y) > far
        if drove or (abs(turned_by(now.heading - was.heading)) > much and not restless):
            self._last, self._since = now, time
        elif time - self._since >= self.patience:
            self._restless_until, restless = time + self.patience, True
        return self._taste._replace(heading=0.0) if restless else self._taste
