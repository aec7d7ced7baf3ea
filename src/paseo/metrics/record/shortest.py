"""The shortest way around walls, for measures that compare a path with the best one."""

import math
from functools import lru_cache

import numpy as np

from paseo.compiled import compiled
from paseo.errors import NotAvailable
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.geometry import blocked_between, is_inside

OFF_CORNER = 1e-6  # metres from a wall's end to the spot beside it where a path bends
MAX_WALLS = 600


@lru_cache(maxsize=256)
def shortest_path_length(plan: FloorPlan, start: Pose, goal: Pose) -> float:
    """Metres of the shortest way of a point; shortest paths bend only at the ends of walls."""
    if plan.sees(start, goal):
        return start.distance_to(goal)
    if len(plan.walls) > MAX_WALLS:
        raise NotAvailable(f"needs a floor plan of at most {MAX_WALLS} walls")
    ends = np.unique(plan.walls.reshape(-1, 2), axis=0)
    corners = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
    beside = (ends[:, None] + OFF_CORNER * np.array(corners)).reshape(-1, 2)
    free = [spot for spot in beside if is_inside(spot[0], spot[1], plan.walls)]
    spots = np.array([(start.x, start.y), (goal.x, goal.y), *free], float)
    length = float(shortest(spots, plan.walls))
    if math.isinf(length):
        raise NotAvailable("no way leads from the start to the goal")
    return length


@compiled
def shortest(spots: FloatArray, walls: FloatArray) -> float:
    """Dijkstra from spot 0 to spot 1 over the lines of sight between spots."""
    count = spots.shape[0]
    distance = np.full(count, np.inf)
    done = np.zeros(count, np.bool_)
    distance[0] = 0.0
    for _ in range(count):
        here = -1
        for k in range(count):
            if not done[k] and (here < 0 or distance[k] < distance[here]):
                here = k
        if here == 1 or distance[here] == np.inf:
            return distance[1]
        done[here] = True
        x, y = spots[here, 0], spots[here, 1]
        for k in range(count):
            if not done[k]:
                way = distance[here] + math.hypot(spots[k, 0] - x, spots[k, 1] - y)
                if way < distance[k]:
                    if not blocked_between(x, y, spots[k, 0], spots[k, 1], walls):
                        distance[k] = way
    return distance[1]
