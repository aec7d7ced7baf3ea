"""What the robot did to people who answer it: how far it pushed them off their recorded paths."""

import numpy as np
import shapely

from paseo.errors import NotAvailable
from paseo.metrics.record.metric import metric
from paseo.world.arrays import FloatArray
from paseo.world.records import Record

ROUNDING = 16  # units in the last place of a coordinate; so near, somebody is on the path


@metric(
    unit="m",
    better="lower",
    formula="mean over people of the largest distance from q to that person's recorded path",
    source="this project",
)
def people_pushed(record: Record) -> float | None:
    """How far people had to leave the path they were recorded on, each at their furthest."""
    if record.scenario.reaction is None:
        raise NotAvailable("needs people who react; these walked as recorded")
    furthest = [float(found.max()) for found in distances_off_path(record) if len(found)]
    return float(np.mean(furthest)) if furthest else None


def distances_off_path(record: Record) -> list[FloatArray]:
    """For each person, metres from their recorded path in each state they were present.

    A place between two samples is rounded to the next pair of numbers, hardly ever one exactly on
    the straight piece: what is as near as that is 0.
    """
    distances = []
    for person, track in enumerate(record.scenario.tracks):
        places = record.people[:, person]
        places = places[~np.isnan(places[:, 0])]
        known = track.positions[~np.isnan(track.positions[:, 0])]
        path = shapely.LineString(known) if len(known) > 1 else shapely.Point(known[0])
        found = shapely.distance(shapely.points(places), path)
        found[found <= ROUNDING * np.spacing(np.abs(known).max())] = 0.0
        distances.append(found)
    return distances
