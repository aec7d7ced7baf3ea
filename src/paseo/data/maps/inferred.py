"""Floor plans guessed from where people walked, for places that nobody has measured."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import shapely

from paseo.data.maps.vector import MAX_COORDINATE, boundary_walls
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan, InferredFrom, Place, PlaceKind, floor_plan
from paseo.world.tracks import Track

GROWN = (0.1, 10.0)  # metres
SMALLEST_HOLE = 1.0  # square metres; people merely happened not to step into smaller ones
THINNED, SIMPLIFIED, PRECISION = 0.02, 0.05, 0.0001  # metres
NEAR_EDGE = 1.0  # metres beyond the width grown; who ends further inside left no area
CELL, APART = 1.0, 2.0  # metres between cells that count track ends, and between places
LEAST_SHARE, LEAST_ENDS = 0.03, 3  # of all track ends, to make a place
CLEARANCE = 0.4  # metres around a place
SCAN_CELL, LEAST_HITS = 0.1, 2  # metres, and points of a laser in such a cell that make a wall


def inferred_floorplan(name: str, tracks: Sequence[Track], *, grown: float = 0.6) -> FloorPlan:
    """The ground within `grown` metres of where people walked, with the ends of their paths.

    A guess: whatever nobody walked near counts as wall. Every track sample is free.
    """
    low, high = GROWN
    if not low <= grown <= high:
        raise BadValue(
            f"tracks cannot be grown by {grown:g} m, expected {low:g} to {high:g} m; "
            "take about the width of a person, 0.6"
        )
    _check_positions(tracks)
    free = _walked_area(tracks, grown)
    count = "1 track" if len(tracks) == 1 else f"{len(tracks)} tracks"
    source = f"Inferred from {count}: where people walked, grown by {grown:g} m. Not measured."
    # Refuses what is too large.
    plan = floor_plan(name, boundary_walls(free), source=source, inferred=InferredFrom.TRACKS)
    return replace(plan, places=_path_ends(tracks, free, grown))


def scanned_floorplan(
    name: str,
    tracks: Sequence[Track],
    robot: Track,
    points: FloatArray,
    *,
    grown: float = 0.6,
    reach: float = 3.0,
) -> FloorPlan:
    """The ground within `reach` metres of where people or the robot went, up to what a laser met.

    Points, (points, 2), make a wall where several fall into one cell of 0.1 m and nobody went
    within `grown` metres; a point alone, or a person whom the laser met, makes none. A guess:
    what lies beyond `reach`, or behind a wall, counts as wall, and a floor that ends does not.
    """
    gone = [*tracks, robot]
    _check_positions(gone)
    walked = _walked_area(gone, grown)
    paths = [path for track in gone for path in _paths(track)]
    near = shapely.union_all(shapely.buffer(shapely.simplify(paths, THINNED), reach))
    open_ground = shapely.union(shapely.difference(near, _met(points, near)), walked)
    reached = [room for room in shapely.get_parts(open_ground) if room.intersects(walked)]
    free = shapely.set_precision(
        shapely.simplify(shapely.union_all(reached), SIMPLIFIED), PRECISION
    )
    source = (
        f"Inferred from {len(tracks)} tracks, the robot's way and {len(points)} points of a laser: "
        f"free within {reach:g} m of where somebody went, up to what the laser met. Not measured."
    )
    plan = floor_plan(name, boundary_walls(free), source=source, inferred=InferredFrom.TRACKS)
    return replace(plan, places=_path_ends(tracks, free, grown) if tracks else ())


def _met(points: FloatArray, near: Any) -> Any:
    """The cells that a laser met more than once, a little grown, so that walls have no chinks."""
    x0, y0, x1, y1 = shapely.bounds(near)
    inside = ((points >= (x0, y0)) & (points <= (x1, y1))).all(axis=1)
    cells, counts = np.unique(
        np.floor(points[inside] / SCAN_CELL).astype(np.int64), axis=0, return_counts=True
    )
    low = cells[counts >= LEAST_HITS] * SCAN_CELL
    boxes = shapely.box(*low.T, *(low + SCAN_CELL).T)
    return shapely.buffer(shapely.union_all(boxes), SCAN_CELL / 2, join_style="mitre")


def _check_positions(tracks: Sequence[Track]) -> None:
    if not tracks:
        raise BadValue("there are no tracks, expected at least one; give a recording with people")
    for track in tracks:
        far = np.abs(track.positions) > MAX_COORDINATE
        if far.any():
            x, y = track.positions[far.any(axis=1)][0]
            raise BadValue(
                f"track {track.id} is at ({x:g}, {y:g}), expected metres within "
                f"{MAX_COORDINATE:.0f} of the origin; move or scale the recording"
            )


def _walked_area(tracks: Sequence[Track], grown: float) -> Any:
    """A valid shapely (multi)polygon; tolerances shrink with `grown`, so that no sample is lost."""
    fine = min(1.0, grown / 0.6)
    paths = shapely.simplify([path for track in tracks for path in _paths(track)], THINNED * fine)
    area = shapely.union_all(shapely.buffer(paths, grown))
    filled = shapely.union_all([_filled(room, grown / 2) for room in shapely.get_parts(area)])
    return shapely.set_precision(shapely.simplify(filled, SIMPLIFIED * fine), PRECISION)


def _paths(track: Track) -> list[Any]:
    """Lines through the samples without a gap between; a point for a sample alone."""
    present = ~np.isnan(track.positions[:, 0])
    changes = np.flatnonzero(np.diff(present)) + 1
    pieces = np.split(track.positions, changes)[::2]  # present at first and at last
    return [
        shapely.LineString(piece) if len(piece) > 1 else shapely.Point(piece[0]) for piece in pieces
    ]


def _filled(room: Any, inlet: float) -> Any:
    """The room without small holes, and without the inlets that a disc of this radius misses."""
    # Another room stays apart: it is grown by more, so such a disc fits wherever it lies.
    closed = shapely.union(room, shapely.buffer(shapely.buffer(room, inlet), -inlet))
    whole = max(shapely.get_parts(closed), key=shapely.area)  # rounding may leave crumbs
    holes = [hole for hole in whole.interiors if shapely.Polygon(hole).area >= SMALLEST_HOLE]
    return shapely.Polygon(whole.exterior, holes)


def _path_ends(tracks: Sequence[Track], free: Any, grown: float) -> tuple[Place, ...]:
    """The spots near the edge where most tracks begin or end, those with most ends first."""
    ends = np.concatenate([track.positions[[0, -1]] for track in tracks])  # (ends, 2)
    to_edge = shapely.distance(shapely.points(ends), shapely.boundary(free))
    least = max(LEAST_ENDS, LEAST_SHARE * len(ends))
    roomy = shapely.buffer(free, -CLEARANCE - 0.01)  # a little more, for the rounding
    spots: list[FloatArray] = []
    for cluster in _clusters(ends[to_edge <= grown + NEAR_EDGE], least):
        spot = _clear_spot(cluster, roomy)
        if all(np.hypot(*(spot - other)) >= APART for other in spots):
            spots.append(spot)
    return tuple(
        Place(f"end {number}", PlaceKind.PATH_END, float(x), float(y))
        for number, (x, y) in enumerate(spots, 1)
    )


def _clusters(ends: FloatArray, least: float) -> Iterator[FloatArray]:
    """Ends that lie in three by three cells, each (ends, 2): those with most first, no end twice.

    Cells are counted from the lowest end, so that moving the recording moves the clusters.
    """
    while len(ends) >= least:
        cells = ((ends - ends.min(axis=0)) / CELL).astype(int) + 1
        counts = np.zeros(cells.max(axis=0) + 2)
        np.add.at(counts, tuple(cells.T), 1)
        blocks = np.lib.stride_tricks.sliding_window_view(counts, (3, 3)).sum(axis=(2, 3))
        if blocks.max() < least:
            return
        middle = np.array(np.unravel_index(blocks.argmax(), blocks.shape)) + 1
        inside = (np.abs(cells - middle) <= 1).all(axis=1)
        yield ends[inside]
        ends = ends[~inside]


def _clear_spot(cluster: FloatArray, roomy: Any) -> FloatArray:
    """The roomy spot nearest to the middle of the ends, to 1 cm; the middle one of them if far."""
    middle = cluster.mean(axis=0)
    nearest = shapely.get_coordinates(shapely.shortest_line(roomy, shapely.Point(middle)))
    if len(nearest) and np.hypot(*(nearest[0] - middle)) <= CELL:
        return np.round(nearest[0], 2)
    return cluster[np.hypot(*(cluster - middle).T).argmin()]
