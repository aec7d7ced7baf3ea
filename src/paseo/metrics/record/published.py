"""The metrics as the released SocNavBench computes them, faults included.

For comparing with published numbers. Poses are float32, as there; the start is not part of the
robot's trajectory, and of a completed episode neither is the sample that reached the goal.
"""

from functools import partial

import numpy as np

from paseo.metrics.record.metric import Metric, metric
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control
from paseo.world.records import Outcome, Record

SOURCE = "the released program of Biswas et al. 2021"
RADIUS = 0.2  # metres, of robot and people alike: the configured 0.24 is never used
COOLDOWN = 1.0  # seconds after which a contact that goes on counts again
_published = partial(metric, source=SOURCE, variant="published")


def trajectory(record: Record) -> FloatArray:
    """The robot's samples that the original measures, (samples, 3), as float32."""
    end = len(record.robot)
    if record.outcome is Outcome.REACHED_GOAL:
        # It stands where it arrived for one state more, until the arrival is noticed.
        while end > 1 and (record.robot[end - 1] == record.robot[-1]).all():
            end -= 1
    poses = record.robot[1:end]
    if record.provenance.control is Control.VELOCITY:
        # Each step appends the pose before and the pose after it; of the step that arrives only
        # the pose after it is left out.
        arrived = record.outcome is Outcome.REACHED_GOAL and end < len(record.robot)
        doubled = np.repeat(record.robot[:end], 2, axis=0)
        poses = doubled[1:] if arrived else doubled[1:-1]
    return poses.astype(np.float32)


def _steps(record: Record) -> FloatArray:
    return np.diff(trajectory(record)[:, :2], axis=0)


def _velocities(record: Record) -> FloatArray:
    return _steps(record) / np.float32(record.scenario.dt)


@_published(unit="1", better="higher", population="every", share=True)
def success(record: Record) -> float:
    """1 if the goal was reached, whoever was touched."""
    return float(record.outcome is Outcome.REACHED_GOAL)


@_published(unit="1", better="lower", per_minute=True)
def person_collisions(record: Record) -> float:
    """Contacts of discs of 0.2 m; one that goes on counts again every second, one per step."""
    robot = record.robot[:, :2]
    touching = _distances(robot, record.people) < 2 * RADIUS
    absent = np.isnan(record.people[..., 0])
    appeared = ~absent & np.vstack([np.ones_like(absent[:1]), absent[:-1]])
    # One who appears looks for the robot where it was before, and then waits before it counts.
    earlier = np.vstack([robot[:1], robot[:-1]])
    on_top = appeared & (_distances(earlier, record.people) < 2 * RADIUS)
    wait = round(COOLDOWN / record.scenario.dt)
    ready = np.zeros(touching.shape[1], np.int64)  # first state in which each person may count
    count = 0
    for state in np.flatnonzero((touching | on_top).any(axis=1)):
        ready[on_top[state]] = state - 1 + wait
        colliders = touching[state] & (ready <= state)
        count += bool(colliders.any())
        ready[colliders] = state + wait
    return float(count)


@_published(unit="m", better="lower", population="completed", group="path")
def path_length(record: Record) -> float | None:
    """Without the first and the last step."""
    steps = _steps(record)
    return float(np.sqrt((steps**2).sum(axis=1)).sum()) if len(steps) else None


@_published(unit="1", better="lower", population="completed", group="path")
def path_length_ratio(record: Record) -> float | None:
    """Length over straight line, the inverse of the definition; printed in Table 3."""
    goal = record.require_goal()
    length = path_length.function(record)
    if not isinstance(length, float):
        return None
    x, y, _ = trajectory(record)[0].astype(float)
    straight = float(np.hypot(goal.x - x, goal.y - y))
    return (length + 1e-5) / straight if straight > 0 else None


@_published(unit="1", better="lower", population="incomplete", group="path")
def goal_traversal_ratio(record: Record) -> float | None:
    """End over start distance, from the first sample, for every episode."""
    goal, samples = record.require_goal(), trajectory(record).astype(float)
    if not len(samples):
        return None
    distances = np.hypot(goal.x - samples[:, 0], goal.y - samples[:, 1])
    return float(distances[-1] / distances[0]) if distances[0] > 0 else None


@_published(unit="rad", better="lower", group="path")
def path_irregularity(record: Record) -> float | None:
    """Mean angle between the way to the goal and the vector from the map's origin."""
    goal, samples = record.require_goal(), trajectory(record)[:, :2].astype(float)
    if not len(samples):
        return None
    end = samples[-1] if record.outcome is Outcome.REACHED_GOAL else np.array([goal.x, goal.y])
    ahead = end - samples
    lengths = np.linalg.norm(ahead, axis=1) * np.linalg.norm(samples, axis=1)
    products = (ahead * samples).sum(axis=1)
    cosines = np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    return float(np.arccos(np.clip(cosines, -1.0, 1.0)).mean())


@_published(unit="s", better="lower", population="completed", group="path")
def path_traversal_time(record: Record) -> float:
    """Until the ending is noticed, one step after it happened."""
    noticed = len(record.robot) > 1 and bool((record.robot[-1] == record.robot[-2]).all())
    late = record.outcome is not Outcome.OUT_OF_TIME and not noticed
    return float(record.times[-1]) + late * record.scenario.dt


@_published(unit="m/s", better="higher", pooled=True, group="motion")
def speed(record: Record) -> FloatArray:
    """Of each step between samples."""
    steps = _steps(record)
    return np.sqrt((steps**2).sum(axis=1)) / np.float32(record.scenario.dt)


@_published(unit="m^2/s^2", better="lower", population="completed", group="motion")
def energy(record: Record) -> float:
    """Sum of squared speeds, without the time step; printed in Table 4 as joules."""
    speeds = speed.function(record)
    assert isinstance(speeds, np.ndarray)
    return float((speeds**2).sum())


def acceleration_vectors(record: Record) -> FloatArray:
    """As stored by the original, (samples - 2, 2)."""
    return np.diff(_velocities(record), axis=0) / np.float32(record.scenario.dt)


def jerk_vectors(record: Record) -> FloatArray:
    """As stored by the original, (samples - 3, 2)."""
    return np.diff(acceleration_vectors(record), axis=0) / np.float32(record.scenario.dt)


@_published(unit="m/s^2", better="lower", pooled=True, group="motion")
def acceleration(record: Record) -> FloatArray:
    """Norms of the stored vectors; their mean fits Table 4."""
    return np.linalg.norm(acceleration_vectors(record), axis=1)


@_published(unit="m/s^3", better="lower", pooled=True, group="motion")
def jerk(record: Record) -> FloatArray:
    """Norms of the stored vectors; their mean fits Table 4."""
    return np.linalg.norm(jerk_vectors(record), axis=1)


@_published(unit="m", better="higher")
def closest_person_distance(record: Record) -> FloatArray:
    """Between centres, in each state; the last value again while nobody is there, 0 at first."""
    nearest = _distances(record.robot[:, :2], record.people).min(axis=1, initial=np.inf)
    return _last_known(np.where(np.isinf(nearest), np.nan, nearest), first=0.0)


@_published(unit="s", better="higher")
def time_to_collision(record: Record) -> FloatArray:
    """Distance over closing speed, the robot's from one step earlier; -1 if nobody closes in."""
    if len(record.robot) < 2:
        return np.empty(0)
    dt = record.scenario.dt
    # At the first step the robot's velocity is taken from the last.
    robot = np.roll(np.diff(record.robot[:, :2], axis=0) / dt, 1, axis=0)
    people = np.nan_to_num(np.diff(record.people, axis=0) / dt)  # new people stand
    towards = record.robot[1:, None, :2] - record.people[1:]
    distances = np.sqrt(towards[..., 0] ** 2 + towards[..., 1] ** 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        # As a sum, so that nobody closes in at -0.0: the infinities must be positive.
        closing = ((people - robot[:, None]) * towards).sum(axis=2) / distances
        times = (distances - RADIUS) / closing
    present = ~np.isnan(record.people[1:, :, 0])
    valid = present & (times > 0)
    soonest = np.where(valid, times, np.inf).min(axis=1, initial=np.inf)
    soonest[~valid.any(axis=1)] = -1.0
    return _last_known(np.where(present.any(axis=1), soonest, np.nan), first=-1.0)


def _distances(robot: FloatArray, people: FloatArray) -> FloatArray:
    """Between centres, (states, people); infinite while somebody is absent."""
    x, y = people[..., 0] - robot[:, None, 0], people[..., 1] - robot[:, None, 1]
    distances = np.sqrt(x * x + y * y)
    distances[np.isnan(distances)] = np.inf
    return distances


def _last_known(values: FloatArray, *, first: float) -> FloatArray:
    """The values, with the one before in place of NaN."""
    latest = np.maximum.accumulate(np.where(np.isnan(values), -1, np.arange(len(values))))
    return np.where(latest < 0, first, values[latest])


METRICS: tuple[Metric, ...] = (
    success,
    person_collisions,
    path_length,
    path_length_ratio,
    goal_traversal_ratio,
    path_irregularity,
    path_traversal_time,
    speed,
    energy,
    acceleration,
    jerk,
    closest_person_distance,
    time_to_collision,
)
