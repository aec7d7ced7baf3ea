"""How many contacts were whose doing, how hard they were, and over what way."""

import numpy as np

from paseo.metrics.record.contacts.causes import contact_causes
from paseo.metrics.record.metric import metric
from paseo.metrics.record.paths import GUIDELINES, steps_of
from paseo.world.arrays import FloatArray
from paseo.world.records import Cause, Record

SPLIT = "Perez-Higueras et al. 2023, HuNavSim, collisions by and into the robot; thresholds ours"
LEAST_WAY = 1.0  # metres, below which nothing is said per kilometre


@metric(
    unit="1",
    better="lower",
    formula="number of contacts with at least half of the approach the robot's, and avoidable",
    source=SPLIT,
    per_minute=True,
)
def caused_contacts(record: Record) -> float:
    """How often the robot drove into somebody."""
    return _count(record, Cause.CAUSED)


@metric(
    unit="1",
    better="lower",
    formula="number of contacts that were neither caused by the robot nor walked into",
    source=SPLIT,
    per_minute=True,
)
def shared_contacts(record: Record) -> float:
    """How often robot and person ran into each other."""
    return _count(record, Cause.SHARED)


@metric(
    unit="1",
    better="lower",
    formula="number of contacts with the robot standing, or a fifth of the approach its own",
    source=SPLIT,
    per_minute=True,
)
def walked_into_contacts(record: Record) -> float:
    """How often somebody walked into a robot that stood or gave way."""
    return _count(record, Cause.WALKED_INTO)


@metric(
    unit="m/s",
    better="lower",
    formula="-(u - v) . (q - p) / |q - p| in the step in which a contact began, for each",
    source="ISO/TS 15066:2016, relative speed of a transient contact",
)
def impact_speed(record: Record) -> FloatArray:
    """How fast robot and person closed in on each other when they touched, for each contact."""
    record.require_people()
    return np.array([each.closing_speed for each in contact_causes(record)])


@metric(
    unit="1/km",
    better="lower",
    formula=f"number of contacts / path length, where that is at least {LEAST_WAY:g} m",
    source=f"{GUIDELINES}, human collisions (HC), over the way driven",
)
def contacts_per_kilometre(record: Record) -> float | None:
    """How often the robot touched somebody for the way it drove."""
    record.require_people()
    steps = steps_of(record)
    metres = float(np.hypot(steps[:, 0], steps[:, 1]).sum())
    return 1000.0 * record.touches / metres if metres >= LEAST_WAY else None


def _count(record: Record, cause: Cause) -> float:
    record.require_people()
    if cause is not Cause.WALKED_INTO:
        record.require_top_speed()  # what could be avoided depends on the robot's limits
    return float(sum(each.cause is cause for each in contact_causes(record)))
