"""Compiled unicycle: where a twist leads, and whether it stops before walls and people."""

import math
from typing import NamedTuple

import numpy as np

from paseo.compiled import compiled
from paseo.world.arrays import FloatArray
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.geometry import blocked_between, field_at, nearest_wall_end, signed_clearance

SKIN = 0.01  # metres: nothing comes nearer than this to the robot's disc
SPACING = 0.05  # metres between the points at which a braking robot is held against walls
INSTANT = 0.05  # seconds between the moments at which it is held against people
UNLIMITED_TURN = math.pi  # rad/s, the fastest turn of a robot that has no limit
X, Y, VX, VY, TOUCH, KEEP = range(6)  # columns of people: where they are, go, and how near is near


class Rolling(NamedTuple):
    """A pose and the twist with which it is left."""

    x: float
    y: float
    heading: float
    forward: float
    turn: float


class Limits(NamedTuple):
    """What the robot can do, as far as a planner makes use of it; all of it finite."""

    radius: float
    wall_radius: float
    top_speed: float
    reverse_speed: float
    top_turn: float
    acceleration: float  # and as much to brake
    turn_acceleration: float
    dt: float


class Walls(NamedTuple):
    """A floor plan's walls and the field of distances to them."""

    segments: FloatArray  # (segments, 2, 2)
    distance: FloatArray  # (rows, columns), signed metres at cell centres
    x0: float
    y0: float
    cell_size: float


def limits_of(briefing: Briefing, acceleration: float, turn_acceleration: float) -> Limits:
    """The robot's limits; it is not driven harder than by these accelerations."""
    robot, dt = briefing.robot, float(briefing.dt)
    return Limits(
        radius=float(robot.radius),
        wall_radius=float(robot.needed_clearance),
        top_speed=float(robot.max_speed),
        reverse_speed=float(robot.max_reverse_speed),
        top_turn=float(min(robot.max_turn, UNLIMITED_TURN)),
        acceleration=float(min(robot.max_acceleration, acceleration)),
        turn_acceleration=float(min(robot.max_turn_acceleration, turn_acceleration)),
        dt=dt,
    )


def walls_of(plan: FloorPlan) -> Walls:
    """The walls of a floor plan, as kernels want them."""
    x0, y0 = map(float, plan.origin)
    return Walls(plan.walls, plan.distance, x0, y0, float(plan.cell_size))


def rolling(observation: Observation) -> Rolling:
    """How the robot moves now."""
    pose, twist = observation.robot.pose, observation.robot.twist
    return Rolling(*map(float, (pose.x, pose.y, pose.heading, twist.forward, twist.turn)))


def table_of(crowd: Crowd, radius: float) -> FloatArray:
    """The people as kernels want them, (people, 6); `KEEP` is left open."""
    people = np.empty((len(crowd), 6))
    people[:, X : Y + 1] = crowd.positions
    people[:, VX : VY + 1] = crowd.velocities
    people[:, TOUCH] = crowd.radii + radius
    people[:, KEEP] = np.nan
    return people


@compiled
def turned_by(angle: float) -> float:
    """The same turn, in [-pi, pi]."""
    return math.atan2(math.sin(angle), math.cos(angle))


@compiled
def arc_end(start: Rolling, time: float) -> tuple[float, float, float]:
    """x, y and heading after the twist was kept for some time."""
    half_turn = 0.5 * start.turn * time
    chord = start.forward * time
    if abs(half_turn) > 1e-8:
        chord *= math.sin(half_turn) / half_turn
    direction = start.heading + half_turn
    return (
        start.x + chord * math.cos(direction),
        start.y + chord * math.sin(direction),
        start.heading + 2.0 * half_turn,
    )


@compiled
def clearance_at(x: float, y: float, enough: float, walls: Walls) -> float:
    """Metres to the nearest wall; exact where there are not many more than `enough`."""
    about = field_at(x, y, walls.distance, walls.x0, walls.y0, walls.cell_size)
    # The field is exact at cell centres and changes by at most a metre per metre between them.
    if about > enough + 2.0 * walls.cell_size:
        return about
    return signed_clearance(x, y, walls.segments)


@compiled
def room_needed(now: Rolling, limits: Limits, walls: Walls) -> float:
    """Metres to be kept from walls: a little more than the radius, unless there are less now."""
    clear = clearance_at(now.x, now.y, limits.wall_radius + SKIN, walls)
    return max(limits.wall_radius, min(limits.wall_radius + SKIN, clear))


@compiled
def near_people(
    now: Rolling, people: FloatArray, look_ahead: float, room: float, limits: Limits
) -> int:
    """Put those who can be met within the look-ahead first, and say how many they are.

    `KEEP` becomes the distance that leaves `room` between skins, and `TOUCH` that at which skins
    meet; but who is nearer than that already must only not come nearer.
    """
    count = 0
    for k in range(people.shape[0]):
        distance = math.hypot(people[k, X] - now.x, people[k, Y] - now.y)
        speed = limits.top_speed + math.hypot(people[k, VX], people[k, VY])
        if distance - people[k, TOUCH] - room > speed * look_ahead:
            continue
        people[count] = people[k]
        people[count, KEEP] = max(min(people[k, TOUCH] + room, distance - 1e-3), 0.0)
        people[count, TOUCH] = min(people[k, TOUCH] + SKIN, people[count, KEEP])
        count += 1
    return count


@compiled
def reachable(now: Rolling, forward: float, turn: float, limits: Limits) -> Rolling:
    """The twist nearest to the wanted one that the robot can have in the next step."""
    v, w = now.forward, now.turn
    gain, turn_gain = limits.acceleration * limits.dt, limits.turn_acceleration * limits.dt
    return Rolling(
        now.x,
        now.y,
        now.heading,
        min(max(forward, v - gain), v + gain),
        min(max(turn, w - turn_gain), w + turn_gain),
    )


@compiled
def is_safe(tried: Rolling, people: FloatArray, room: float, limits: Limits, walls: Walls) -> bool:
    """Whether the robot meets nothing in one step and while it then brakes along its arc."""
    time = braking_time(tried, limits)
    return stops_before_people(tried, people, limits.dt, time) and stops_before_walls(
        tried, limits.dt, time, room, walls
    )


@compiled
def braking_time(tried: Rolling, limits: Limits) -> float:
    """Seconds in which a twist can be brought to nothing along its own arc."""
    return max(abs(tried.forward) / limits.acceleration, abs(tried.turn) / limits.turn_acceleration)


@compiled
def stops_before_walls(
    tried: Rolling, dt: float, braking: float, room: float, walls: Walls
) -> bool:
    """Whether a disc keeps its room while the twist lasts for `dt` and then is braked evenly."""
    x, y, _ = arc_end(tried, dt)
    moved = math.hypot(x - tried.x, y - tried.y)
    if moved == 0.0:
        return True
    clear = clearance_at(x, y, room + moved, walls)
    if clear < room:
        return False
    if clear <= room + moved:  # in one step a wall may be jumped, or its end be swept over
        if blocked_between(tried.x, tried.y, x, y, walls.segments):
            return False
        if moved > room and nearest_wall_end(tried.x, tried.y, x, y, walls.segments) < room:
            return False
    # Braking evenly goes half as far. A step is a chord of the arc, by at most this much inside.
    rest, inside = 0.5 * braking, 0.125 * abs(tried.forward * tried.turn) * dt * dt
    points = math.ceil(abs(tried.forward) * rest / max(min(SPACING, room), SKIN))
    for k in range(1, points + 1):
        x, y, _ = arc_end(tried, dt + rest * k / points)
        if clearance_at(x, y, room + inside, walls) < room + inside:
            return False
    return True


@compiled
def stops_before_people(tried: Rolling, people: FloatArray, dt: float, braking: float) -> bool:
    """Whether nobody who walks on as now is touched before the robot stands."""
    moments = math.ceil((dt + braking) / INSTANT)
    for m in range(1, moments + 1):
        time = (dt + braking) * m / moments
        late = max(0.0, time - dt)
        lost = 0.5 * late * late / braking if late > 0.0 else 0.0
        x, y, _ = arc_end(tried, time - lost)
        for k in range(people.shape[0]):
            dx = people[k, X] + time * people[k, VX] - x
            dy = people[k, Y] + time * people[k, VY] - y
            if dx * dx + dy * dy < people[k, TOUCH] * people[k, TOUCH]:
                return False
    return True


@compiled
def braked(now: Rolling, target: tuple[float, float], limits: Limits) -> tuple[float, float]:
    """Brake along the arc, on which there was room a step ago; standing, turn to the target."""
    if abs(now.forward) > limits.acceleration * limits.dt:
        share = 1.0 - limits.dt / braking_time(now, limits)
        return now.forward * share, now.turn * share
    error = turned_by(math.atan2(target[1] - now.y, target[0] - now.x) - now.heading)
    most = min(math.sqrt(2.0 * limits.turn_acceleration * abs(error)), limits.top_turn)
    wanted = min(max(error / limits.dt, -most), most)
    return 0.0, reachable(now, 0.0, wanted, limits).turn
