"""Compiled arcs and ways: where a twist leads, if it can stop before walls, what lies ahead."""

import math
from typing import NamedTuple

from paseo.world.compiled import compiled
from paseo.world.floorplan import FloorPlan
from paseo.world.geometry import blocked_between, field_at, nearest_wall_end, signed_clearance
from paseo.world.motion import Pose
from paseo.world.people import FloatArray
from paseo.world.ways import Ways, downhill

SPACING = 0.05  # metres between the points at which a braking robot is held against walls
STRIDE = 0.1  # metres, in which a way is followed


class Twisting(NamedTuple):
    """A pose and the twist with which it is left."""

    x: float
    y: float
    heading: float
    forward: float
    turn: float


class Walls(NamedTuple):
    """A floor plan's walls and the field of distances to them."""

    segments: FloatArray  # (segments, 2, 2)
    distance: FloatArray  # (rows, columns), signed metres at cell centres
    x0: float
    y0: float
    cell_size: float


class Way(NamedTuple):
    """The lengths of all ways to a goal, and the goal."""

    metres: FloatArray  # (rows, columns), at cell centres
    x0: float
    y0: float
    cell_size: float
    goal_x: float
    goal_y: float


def walls_of(plan: FloorPlan) -> Walls:
    """The walls of a floor plan, as kernels want them."""
    x0, y0 = map(float, plan.origin)
    return Walls(plan.walls, plan.distance, x0, y0, float(plan.cell_size))


def way_of(ways: Ways, goal: Pose) -> Way:
    """The ways to a goal, as kernels want them."""
    x0, y0 = map(float, ways.origin)
    return Way(ways.metres, x0, y0, float(ways.cell_size), float(goal.x), float(goal.y))


@compiled
def turned_by(angle: float) -> float:
    """The same turn, in [-pi, pi]."""
    return math.atan2(math.sin(angle), math.cos(angle))


@compiled
def arc_end(start: Twisting, time: float) -> tuple[float, float, float]:
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
def stops_before_walls(
    start: Twisting, dt: float, braking: float, room: float, walls: Walls
) -> bool:
    """Whether a disc keeps its room if the twist lasts `dt` and `braking` seconds of braking."""
    x, y, _ = arc_end(start, dt)
    moved = math.hypot(x - start.x, y - start.y)
    if moved == 0.0:
        return True
    clear = clearance_at(x, y, room + moved, walls)
    if clear < room:
        return False
    if clear <= room + moved:  # in one step a wall may be jumped, or its end be swept over
        if blocked_between(start.x, start.y, x, y, walls.segments):
            return False
        if nearest_wall_end(start.x, start.y, x, y, walls.segments) < room:
            return False
    longest = dt + 0.5 * braking  # braking evenly goes half as far
    spacing = max(min(SPACING, room), 0.01)
    points = math.ceil(abs(start.forward) * longest / spacing)
    for k in range(1, points + 1):
        x, y, _ = arc_end(start, longest * k / points)
        if clearance_at(x, y, room, walls) < room:
            return False
    return True


@compiled
def point_ahead(
    x: float, y: float, ahead: float, room: float, way: Way, walls: Walls
) -> tuple[float, float]:
    """The furthest point on the way, at most so many metres ahead, that can be had straight on.

    It is the goal where that is near enough, and never nearer than a stride.
    """
    found_x, found_y = px, py = x, y
    for k in range(math.ceil(ahead / STRIDE)):
        if math.hypot(way.goal_x - px, way.goal_y - py) < 2.0 * way.cell_size + STRIDE:
            px, py = way.goal_x, way.goal_y
        else:
            dx, dy = downhill(px, py, way.metres, way.x0, way.y0, way.cell_size)
            px, py = px + STRIDE * dx, py + STRIDE * dy
        if k > 0 and not has_room(x, y, px, py, room, walls):
            break
        found_x, found_y = px, py
        if px == way.goal_x and py == way.goal_y:
            break
    return found_x, found_y


@compiled
def has_room(ax: float, ay: float, bx: float, by: float, room: float, walls: Walls) -> bool:
    """Whether a disc finds room on the straight line from a to b, but for what it lacks at a."""
    points = math.ceil(math.hypot(bx - ax, by - ay) / STRIDE)
    least = min(room, field_at(ax, ay, walls.distance, walls.x0, walls.y0, walls.cell_size))
    for k in range(1, points + 1):
        x, y = ax + (bx - ax) * k / points, ay + (by - ay) * k / points
        if field_at(x, y, walls.distance, walls.x0, walls.y0, walls.cell_size) < least:
            return False
    return True
