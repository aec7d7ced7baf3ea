"""Dynamic window: the best of the twists that the robot can soon reach and still stop from.

D. Fox, W. Burgard, S. Thrun, The dynamic window approach to collision avoidance,
IEEE Robotics and Automation Magazine 4(1), 23-33 (1997).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from paseo.errors import BadValue
from paseo.planners.arcs import (
    Twisting,
    Walls,
    Way,
    arc_end,
    clearance_at,
    point_ahead,
    stops_before_walls,
    turned_by,
    walls_of,
    way_of,
)
from paseo.world.compiled import compiled
from paseo.world.geometry import field_at
from paseo.world.motion import Control, Twist
from paseo.world.people import FloatArray
from paseo.world.planning import Briefing, Observation
from paseo.world.ways import ways_to

INTERVAL = 0.1  # seconds between the moments at which people are looked for
SKIN = 0.01  # metres: nothing comes nearer than this to the robot's disc
AHEAD = 1.5  # metres along the way to the point that the robot should face
EASY = 0.4  # metres more than it needs that the way keeps off walls where it can
UNLIMITED_TURN = math.pi  # rad/s, the fastest turn of a robot that has no limit
STANDING = 0.05  # m/s, below which the robot stands
REFUSED = -math.inf  # the score of a twist that is not admissible
X, Y, VX, VY, TOUCH, KEEP = range(6)  # columns of people: where they are, go, and how near is near


class Limits(NamedTuple):
    """What the robot can do, and what `Dwa` lets it do."""

    radius: float
    wall_radius: float
    top_speed: float
    reverse_speed: float
    top_turn: float
    gain: float  # m/s by which the speed can change in one step
    turn_gain: float
    braking: float  # m/s2 it counts on
    turn_braking: float
    dt: float


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


@dataclass(kw_only=True)
class Dwa:
    """Weighs the twists within reach by heading, clearance and speed, and takes the best.

    Admissible are twists from which the robot can brake before it meets a wall, or a person who
    walks on as now. If there is none it brakes, and then turns on the spot. Other than in 1997,
    people are seen to move, a turn is followed by a straight line instead of a circle, and the
    robot faces the way around walls instead of the goal itself.
    """

    control: ClassVar[Control] = Control.VELOCITY
    kernels: ClassVar[tuple[Callable[..., Any], ...]]

    heading: float = 1.0  # weight of facing the way to the goal
    clearance: float = 5.0  # weight of the time until something comes near
    velocity: float = 0.9  # weight of going fast
    look_ahead: float = 4.0  # s, for people
    wall_look_ahead: float = 1.0  # s
    turning: float = 0.7  # s that a turn lasts; the heading after it counts
    room: float = 0.25  # m, to be kept from people
    people_walk: bool = True  # on as now; false: everybody is taken to stand, as in 1997
    acceleration: float = 2.0  # m/s2, also to brake, unless the robot's own limit is lower
    turn_acceleration: float = 4.0  # rad/s2, unless the robot's own limit is lower
    window: float = 0.25  # s within which a twist must be within reach
    speeds: int = 7  # that are tried
    turns: int = 21  # that are tried with each speed
    patience: float = 2.0  # s of standing after which, for as long, the heading does not count

    def __post_init__(self) -> None:
        for name in ("look_ahead", "wall_look_ahead", "turning", "acceleration",
                     "turn_acceleration", "window"):  # fmt: skip
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
        robot, plan = briefing.robot, briefing.floorplan
        braking = min(robot.max_acceleration, self.acceleration)
        turn_braking = min(robot.max_turn_acceleration, self.turn_acceleration)
        self._limits = Limits(
            radius=float(robot.radius),
            wall_radius=float(robot.needed_clearance),
            top_speed=float(robot.max_speed),
            reverse_speed=float(robot.max_reverse_speed),
            top_turn=float(min(robot.max_turn, UNLIMITED_TURN)),
            gain=float(robot.max_acceleration * briefing.dt),
            turn_gain=float(robot.max_turn_acceleration * briefing.dt),
            braking=float(braking),
            turn_braking=float(turn_braking),
            dt=float(briefing.dt),
        )
        numbers = {name: float(getattr(self, name)) for name in Taste._fields[:-2]}
        self._taste = Taste(**numbers, speeds=int(self.speeds), turns=int(self.turns))
        self._walls = walls_of(plan)
        room = max(robot.radius, robot.needed_clearance) + SKIN
        ways = ways_to(plan, briefing.goal, room=room, easy=EASY)
        self._way = way_of(ways, briefing.goal)
        self._moved = self._restless_until = 0.0

    def plan(self, observation: Observation) -> Twist:
        """The best admissible twist."""
        pose, twist, crowd = observation.robot.pose, observation.robot.twist, observation.crowd
        people = np.zeros((len(crowd), 6))  # the last column is the kernel's
        people[:, X : Y + 1] = crowd.positions
        if self.people_walk:
            people[:, VX : VY + 1] = crowd.velocities
        people[:, TOUCH] = crowd.radii + self._limits.radius
        start = Twisting(*map(float, (pose.x, pose.y, pose.heading, twist.forward, twist.turn)))
        taste = self._taste_at(observation.time, twist)
        return Twist(*best_twist(start, people, self._limits, taste, self._walls, self._way))

    def _taste_at(self, time: float, twist: Twist) -> Taste:
        """Who has stood too long goes wherever there is room: the way out may lead aside."""
        if abs(twist.forward) > STANDING:
            self._moved = time
        elif time - self._moved >= self.patience:
            self._restless_until = time + self.patience
        return self._taste._replace(heading=0.0) if time < self._restless_until else self._taste


@compiled
def best_twist(
    now: Twisting, people: FloatArray, limits: Limits, taste: Taste, walls: Walls, way: Way
) -> tuple[float, float]:
    """Forward speed and turn rate of the best admissible twist."""
    count = near_people(now, people, limits, taste)
    near = people[:count]
    clear = clearance_at(now.x, now.y, limits.wall_radius + SKIN, walls)
    room = max(limits.wall_radius, min(limits.wall_radius + SKIN, clear))
    target = point_ahead(now.x, now.y, AHEAD, limits.wall_radius + 2.0 * SKIN, way, walls)
    useful = useful_speed(now, way, limits)
    speeds, turns = window_of(now, limits, taste)
    scores = np.empty((speeds.size, turns.size))
    for i in range(speeds.size):
        for j in range(turns.size):
            tried = Twisting(now.x, now.y, now.heading, speeds[i], turns[j])
            scores[i, j] = rating(tried, target, useful, near, room, limits, taste, walls)
    for _ in range(scores.size):
        best = np.argmax(scores)
        i, j = best // turns.size, best % turns.size
        forward = min(max(speeds[i], now.forward - limits.gain), now.forward + limits.gain)
        turn = min(max(turns[j], now.turn - limits.turn_gain), now.turn + limits.turn_gain)
        tried = Twisting(now.x, now.y, now.heading, forward, turn)
        time = braking_time(tried, limits)
        if stops_before_people(tried, near, time, limits) and stops_before_walls(
            tried, limits.dt, time, room, walls
        ):
            return forward, turn
        scores[i, j] = REFUSED
    return recovery(now, target, limits)


@compiled
def near_people(now: Twisting, people: FloatArray, limits: Limits, taste: Taste) -> int:
    """Put those who can be met within the look-ahead first, and say how many they are."""
    count = 0
    for k in range(people.shape[0]):
        distance = math.hypot(people[k, X] - now.x, people[k, Y] - now.y)
        speed = limits.top_speed + math.hypot(people[k, VX], people[k, VY])
        if distance - people[k, TOUCH] - taste.room > speed * taste.look_ahead:
            continue
        people[count] = people[k]
        # Who is nearer than they should be must at least not come nearer.
        people[count, KEEP] = max(min(people[k, TOUCH] + taste.room, distance - 1e-3), 0.0)
        people[count, TOUCH] = min(people[k, TOUCH] + SKIN, people[count, KEEP])
        count += 1
    return count


@compiled
def window_of(now: Twisting, limits: Limits, taste: Taste) -> tuple[FloatArray, FloatArray]:
    """The speeds and turns that are tried."""
    time = max(taste.window, limits.dt)
    fastest = min(now.forward + limits.braking * time, limits.top_speed)
    slowest = max(now.forward - limits.braking * time, -limits.reverse_speed)
    left = min(now.turn + limits.turn_braking * time, limits.top_turn)
    right = max(now.turn - limits.turn_braking * time, -limits.top_turn)
    return np.linspace(slowest, fastest, taste.speeds), np.linspace(right, left, taste.turns)


@compiled
def useful_speed(now: Twisting, way: Way, limits: Limits) -> float:
    """The speed above which the robot would circle around the goal."""
    dx, dy = way.goal_x - now.x, way.goal_y - now.y
    off = abs(turned_by(math.atan2(dy, dx) - now.heading))
    across = 2.0 * math.sin(min(off, 0.5 * math.pi))
    return limits.top_turn * math.hypot(dx, dy) / max(across, 1e-9)


@compiled
def rating(
    tried: Twisting,
    target: tuple[float, float],
    useful: float,
    people: FloatArray,
    room: float,
    limits: Limits,
    taste: Taste,
    walls: Walls,
) -> float:
    """The weighted sum of heading, clearance and velocity, each at most 1."""
    distance = math.hypot(target[0] - tried.x, target[1] - tried.y)
    most = 0.5 * distance / max(abs(tried.forward), 1e-9)  # not past the target
    x, y, _ = arc_end(tried, min(taste.turning, most))
    heading = tried.heading + tried.turn * taste.turning
    off = abs(turned_by(math.atan2(target[1] - y, target[0] - x) - heading))
    return (
        taste.heading * (1.0 - off / math.pi)
        + taste.clearance * free_share(tried, people, room, taste, walls)
        + taste.velocity * min(tried.forward, useful) / limits.top_speed
    )


@compiled
def free_share(
    tried: Twisting, people: FloatArray, room: float, taste: Taste, walls: Walls
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


@compiled
def braking_time(tried: Twisting, limits: Limits) -> float:
    """Seconds in which a twist can be brought to nothing along its own arc."""
    return max(abs(tried.forward) / limits.braking, abs(tried.turn) / limits.turn_braking)


@compiled
def stops_before_people(
    tried: Twisting, people: FloatArray, braking: float, limits: Limits
) -> bool:
    """Whether the robot touches nobody during one step and while it brakes from then on."""
    longest = limits.dt + braking
    moments = math.ceil(longest / (0.5 * INTERVAL))
    for m in range(1, moments + 1):
        time = longest * m / moments
        late = max(0.0, time - limits.dt)
        lost = 0.5 * late * late / braking if late > 0.0 else 0.0
        x, y, _ = arc_end(tried, time - lost)
        for k in range(people.shape[0]):
            dx = people[k, X] + time * people[k, VX] - x
            dy = people[k, Y] + time * people[k, VY] - y
            if dx * dx + dy * dy < people[k, TOUCH] * people[k, TOUCH]:
                return False
    return True


@compiled
def recovery(now: Twisting, target: tuple[float, float], limits: Limits) -> tuple[float, float]:
    """Brake along the arc, on which there was room a step ago; standing, turn to the way."""
    time = braking_time(now, limits)
    if time > limits.dt:
        share = 1.0 - limits.dt / time
        return now.forward * share, now.turn * share
    error = turned_by(math.atan2(target[1] - now.y, target[0] - now.x) - now.heading)
    most = limits.turn_braking * limits.dt
    return 0.0, min(max(error / limits.dt, -most), most)


Dwa.kernels = (best_twist,)
