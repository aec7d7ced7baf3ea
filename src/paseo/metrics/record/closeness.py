"""How near the robot came to people, and how soon it would have met them."""

import math

import numpy as np

from paseo.compiled import compiled
from paseo.errors import NotAvailable
from paseo.metrics.record.endings import SOCNAVBENCH
from paseo.metrics.record.metric import metric
from paseo.metrics.record.paths import GUIDELINES
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.records import Record
from paseo.world.space.geometry import line_distance

FARTHEST = 10.0  # metres; the paper saturates there
LATEST = 10.0  # seconds; likewise
PERSONAL_SPACE = 0.5  # metres between surfaces
INTIMATE, PERSONAL, SOCIAL = 0.45, 1.2, 3.6  # metres, outer edges of Hall's zones
HALL = "Hall 1966, The Hidden Dimension, ch. 10"
TOGETHER = 3.0  # metres; members of a group farther apart leave room to pass
MEETING, PASSED = 3.0, math.pi / 2  # metres within which people meet; winding of a pass


def reach_of(record: Record) -> float:
    """Distance of centres at which robot and person touch."""
    record.require_people()
    return float(record.scenario.robot.radius + record.scenario.person_radius)


def nearest_surface(record: Record) -> FloatArray:
    """Distance to the nearest person in each state, (states,); infinite with nobody there."""
    return nearest_centres(record.robot, record.people) - reach_of(record)


@metric(
    unit="m",
    better="higher",
    formula=f"min over people of |q - p| - r_robot - r_person, at most {FARTHEST:g} m, each state",
    source=SOCNAVBENCH + " and Fig. 6",
    original="between centres, not saturated; repeats the last value while nobody is there",
)
def closest_person_distance(record: Record) -> FloatArray:
    """Surface to surface, to the nearest person, in each state; negative in contact."""
    return np.minimum(nearest_surface(record), FARTHEST)


@metric(
    unit="m",
    better="higher",
    formula="min over people and states of |q - p| - r_robot - r_person",
    source=f"{GUIDELINES}, minimum distance to human (DH); surface to surface",
)
def minimum_person_distance(record: Record) -> float | None:
    """How near the robot came to anybody, surface to surface; negative in contact."""
    nearest = float(nearest_surface(record).min())
    return nearest if math.isfinite(nearest) else None


@metric(
    unit="s",
    better="higher",
    formula=f"first t >= 0 with |q + u t - p - v t| = r_robot + r_person, at most {LATEST:g} s",
    source=SOCNAVBENCH + ", section 3.4",
    original="distance over closing speed whatever the miss; stale velocities; -1 and inf occur",
)
def time_to_collision(record: Record) -> FloatArray:
    """When the robot and the first person would touch if both kept on as in each step."""
    times = soonest_touches(record.robot, record.people, reach_of(record), record.scenario.dt)
    return np.minimum(times, LATEST)


@metric(
    unit="1",
    better="higher",
    formula=f"share of states with everybody at least {PERSONAL_SPACE:g} m away",
    source=f"{GUIDELINES}, space compliance (SC), its threshold; surface to surface",
    share=True,
)
def personal_space_compliance(record: Record) -> float:
    """How much of the time the robot kept out of everybody's personal space."""
    return float((nearest_surface(record) >= PERSONAL_SPACE).mean())


@metric(
    unit="s",
    better="lower",
    formula=f"time with the nearest person less than {INTIMATE:g} m away",
    source=f"{HALL}; surface to surface",
    per_minute=True,
)
def intimate_time(record: Record) -> float:
    """How long the robot was at intimate distance from somebody."""
    return _time_between(record, -math.inf, INTIMATE)


@metric(
    unit="s",
    better="lower",
    formula=f"time with the nearest person {INTIMATE:g} to {PERSONAL:g} m away",
    source=f"{HALL}; surface to surface",
    per_minute=True,
)
def personal_time(record: Record) -> float:
    """How long the nearest person was at personal distance."""
    return _time_between(record, INTIMATE, PERSONAL)


@metric(
    unit="s",
    better="neither",
    formula=f"time with the nearest person {PERSONAL:g} to {SOCIAL:g} m away",
    source=f"{HALL}; surface to surface",
    per_minute=True,
)
def social_time(record: Record) -> float:
    """How long the nearest person was at social distance."""
    return _time_between(record, PERSONAL, SOCIAL)


def _time_between(record: Record, low: float, high: float) -> float:
    nearest = nearest_surface(record)[:-1]  # each state lasts until the next
    return float(((nearest >= low) & (nearest < high)).sum() * record.scenario.dt)


@metric(
    unit="s",
    better="lower",
    formula=f"time the disc overlaps the hull of members of a group who are within {TOGETHER:g} m",
    source="Katyal et al. 2022, Learning a Group-Aware Policy for Robot Navigation, group space",
    per_minute=True,
)
def group_intrusion(record: Record) -> float:
    """How long the robot was between people who walk together."""
    if not record.scenario.groups:
        raise NotAvailable("needs annotated groups")
    ids = record.ids
    inside = np.zeros(len(record.robot), np.bool_)
    for group in record.scenario.groups:
        columns = np.flatnonzero(np.isin(ids, group))
        intrusions(record.robot, record.people, columns, record.scenario.robot.radius, inside)
    return float(inside[:-1].sum() * record.scenario.dt)


@metric(
    unit="1",
    better="neither",
    formula="(left - right) / (left + right) over people passed: |winding| > pi/2 within 3 m",
    source="Mavrogiannis et al. 2023, Winding Through: Crowd Navigation via Topological "
    "Invariance, winding number",
)
def pass_side(record: Record) -> float | None:
    """On which side the robot passes people: 1 always has them on its left, -1 on its right."""
    record.require_people()
    turned = windings(record.robot, record.people)
    left, right = int((turned > PASSED).sum()), int((turned < -PASSED).sum())
    return (left - right) / (left + right) if left + right else None


@compiled
def nearest_centres(robot: FloatArray, people: FloatArray) -> FloatArray:
    """Distance to the nearest person's centre in each state; infinite with nobody there."""
    nearest = np.full(robot.shape[0], np.inf)
    for state in range(robot.shape[0]):
        for person in range(people.shape[1]):
            dx = people[state, person, 0] - robot[state, 0]
            dy = people[state, person, 1] - robot[state, 1]
            square = dx * dx + dy * dy
            if square < nearest[state]:  # never for one who is absent
                nearest[state] = square
    return np.sqrt(nearest)


@compiled
def soonest_touches(robot: FloatArray, people: FloatArray, reach: float, dt: float) -> FloatArray:
    """For each step, when the first of two discs that keep their velocity would touch."""
    steps = robot.shape[0] - 1
    soonest = np.full(steps, np.inf)
    for k in range(steps):
        robot_x, robot_y = robot[k + 1, 0] - robot[k, 0], robot[k + 1, 1] - robot[k, 1]
        for person in range(people.shape[1]):
            x, y = people[k, person, 0] - robot[k, 0], people[k, person, 1] - robot[k, 1]
            u = (people[k + 1, person, 0] - people[k, person, 0] - robot_x) / dt
            v = (people[k + 1, person, 1] - people[k, person, 1] - robot_y) / dt
            a, b, c = u * u + v * v, x * u + y * v, x * x + y * y - reach * reach
            if math.isnan(a + c):  # absent at one end of the step
                continue
            if c < 0.0:
                soonest[k] = 0.0
            elif b < 0.0 and b * b >= a * c:
                # c over the conjugate root keeps the digits that -b - root would lose.
                soonest[k] = min(soonest[k], c / (math.sqrt(b * b - a * c) - b))
    return soonest


@compiled
def windings(robot: FloatArray, people: FloatArray) -> FloatArray:
    """How far each person turned around the robot while they were near, anticlockwise."""
    total = np.zeros(people.shape[1])
    for k in range(robot.shape[0] - 1):
        for person in range(people.shape[1]):
            x, y = people[k, person, 0] - robot[k, 0], people[k, person, 1] - robot[k, 1]
            u = people[k + 1, person, 0] - robot[k + 1, 0]
            v = people[k + 1, person, 1] - robot[k + 1, 1]
            if x * x + y * y < MEETING * MEETING and u * u + v * v < MEETING * MEETING:
                total[person] += math.atan2(x * v - y * u, x * u + y * v)
    return total


@compiled
def intrusions(
    robot: FloatArray, people: FloatArray, columns: IntArray, radius: float, inside: BoolArray
) -> None:
    """Mark the states in which the disc meets the hull of those of `columns` who are together.

    The hull of a few points is the union of the triangles between them.
    """
    for state in range(robot.shape[0]):
        x, y = robot[state, 0], robot[state, 1]
        for i in range(columns.shape[0]):
            ax, ay = people[state, columns[i], 0], people[state, columns[i], 1]
            for j in range(i + 1, columns.shape[0]):
                bx, by = people[state, columns[j], 0], people[state, columns[j], 1]
                if not math.hypot(bx - ax, by - ay) <= TOGETHER:  # also when one is absent
                    continue
                if line_distance(x, y, ax, ay, bx, by) < radius:
                    inside[state] = True
                for k in range(j + 1, columns.shape[0]):
                    cx, cy = people[state, columns[k], 0], people[state, columns[k], 1]
                    if math.hypot(cx - ax, cy - ay) <= TOGETHER:
                        if math.hypot(cx - bx, cy - by) <= TOGETHER:
                            if in_triangle(x, y, ax, ay, bx, by, cx, cy):
                                inside[state] = True


@compiled
def in_triangle(
    x: float, y: float, ax: float, ay: float, bx: float, by: float, cx: float, cy: float
) -> bool:
    """Whether a point lies inside the triangle a, b, c, not on its edge."""
    one = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    two = (cx - bx) * (y - by) - (cy - by) * (x - bx)
    three = (ax - cx) * (y - cy) - (ay - cy) * (x - cx)
    # Strictly: on the line of three who stand in line all three are 0, however far away.
    return (one > 0 and two > 0 and three > 0) or (one < 0 and two < 0 and three < 0)
