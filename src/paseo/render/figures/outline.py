"""The free space of a floor plan as rings, for pictures made of vectors."""

import numpy as np
import shapely

from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.geometry import is_inside

CLOSED = 1e-6  # metres: ends of walls nearer than this meet


def free_rings(plan: FloorPlan) -> list[FloatArray]:
    """Closed rings (points, 2): outlines anticlockwise, what stands inside them clockwise."""
    walls = shapely.union_all(shapely.linestrings(plan.walls), grid_size=CLOSED)
    cells = shapely.get_parts(shapely.polygonize([walls]))
    middles = shapely.get_coordinates(shapely.point_on_surface(cells))
    free = [is_inside(x, y, plan.walls) for x, y in middles.tolist()]
    area = shapely.union_all(cells[np.array(free, np.bool_)])
    polygons = shapely.get_parts(shapely.orient_polygons(area, exterior_cw=False))
    return [shapely.get_coordinates(ring) for ring in shapely.get_rings(polygons)]
