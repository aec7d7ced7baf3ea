"""Recorded people who walk as people do: smooth through their annotations, and swaying.

Files hold annotations and, between them, straight lines at constant speed; nobody walks so.
"""

import math

import numpy as np

from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Track

ANNOTATION_ERROR = 0.1  # metres; half a head, which is what annotators click on
ROUNDING = 0.002  # metres by which samples may miss the line between two annotations
LONGEST_CURVE = 1.5  # seconds; longer straight lines are curved only at their ends
STEEPEST = 3.0  # times the slower neighbour's speed; beyond it a cubic overshoots
# Sideways motion of the centre of mass, peak to peak: Orendurff et al. 2004, The effect of walking
# speed on center of mass displacement, J. Rehabil. Res. Dev. 41(6): 6.99 cm at 0.7 m/s, 3.85 cm at
# 1.6 m/s, and a standard deviation of a fifth between people.
SWAY_SPEEDS, SWAY = (0.7, 1.6), (0.035, 0.019)  # m/s, and metres to each side
BETWEEN_PEOPLE, LEAST, MOST = 0.2, 0.4, 1.6  # factors of one's sway
STRIDES = 0.83  # Hz at 1 m/s, with the root of speed: 0.95 Hz, some 114 steps a minute, at 1.3 m/s
STANDING, WALKING = 0.1, 0.4  # m/s between which swaying sets in
BODY = 0.2  # metres; who keeps farther from walls has room to sway
RELAXED = 1.0  # seconds from a place without room until the gait is natural again


def natural_walk(track: Track, times: FloatArray, *, plan: FloorPlan, seed: int) -> Track:
    """The track with a natural gait at these times; elsewhere it is known only at annotations.

    Nobody is ever farther than `ANNOTATION_ERROR` from where the recording has them at that time,
    nor nearer to a wall than recorded where that is less than a body.
    """
    rng = np.random.default_rng((seed, track.id % 2**64))
    much = float(np.clip(rng.normal(1.0, BETWEEN_PEOPLE), LEAST, MOST))
    phase = float(rng.uniform(0.0, math.tau))
    absent = np.isnan(track.positions[:, 0])
    edges = np.flatnonzero(np.diff(absent.astype(np.int64))) + 1
    clocks, places = [], []
    for samples in np.split(np.arange(len(absent)), edges):
        clock, walked = track.times[samples], track.positions[samples]
        if len(samples) > 1 and not absent[samples[0]]:
            clock, walked = _walked(clock, walked, times, plan, much, phase)
        clocks.append(clock)
        places.append(walked)
    return Track(track.id, np.concatenate(clocks), np.concatenate(places))


def annotations(times: FloatArray, positions: FloatArray) -> IntArray:
    """The samples between which all others lie on straight lines, as far as rounding tells."""
    kept, pieces = {0, len(times) - 1}, [(0, len(times) - 1)]
    while pieces:
        first, last = pieces.pop()
        share = (times[first : last + 1] - times[first]) / (times[last] - times[first])
        line = positions[first] + share[:, None] * (positions[last] - positions[first])
        off = np.hypot(*(positions[first : last + 1] - line).T)
        farthest = first + int(off.argmax())
        if off[farthest - first] > ROUNDING:
            kept.add(farthest)
            pieces += [(first, farthest), (farthest, last)]
    return np.array(sorted(kept), np.int64)


def _walked(
    clock: FloatArray,
    positions: FloatArray,
    times: FloatArray,
    plan: FloorPlan,
    much: float,
    phase: float,
) -> tuple[FloatArray, FloatArray]:
    """When and where one was, from one's appearing to one's disappearing."""
    known = annotations(clock, positions)
    outside = clock[known][(clock[known] < times[0]) | (clock[known] > times[-1])]
    inside = times[(times > clock[0]) & (times < clock[-1])]
    at = np.unique(np.concatenate([outside, inside, clock[[0, -1]]]))
    smooth, velocities = _smooth(clock[known], positions[known], at)
    natural = smooth + _sway(at, velocities, much, phase)
    recorded = np.column_stack([np.interp(at, clock, positions[:, axis]) for axis in (0, 1)])
    off = _within_error(natural - recorded)
    room = _room(at, _cramped(recorded + off, recorded, plan))
    return at, recorded + room[:, None] * off


def _smooth(
    times: FloatArray, positions: FloatArray, at: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Places on the curve through annotations, and velocities there, each (at, 2).

    A cubic from one to the next, whose velocity at each lies between those before and after it.
    """
    shares = [np.arange(n) / n for n in np.ceil(np.diff(times) / LONGEST_CURVE).astype(np.int64)]
    finer = [times[k] + share * (times[k + 1] - times[k]) for k, share in enumerate(shares)]
    clock = np.append(np.concatenate(finer), times[-1])
    through = np.column_stack([np.interp(clock, times, positions[:, axis]) for axis in (0, 1)])
    lasts = np.diff(clock)[:, None]
    speeds = np.diff(through, axis=0) / lasts
    inner = (lasts[1:] * speeds[:-1] + lasts[:-1] * speeds[1:]) / (lasts[1:] + lasts[:-1])
    norms = np.hypot(*speeds.T)
    most, here = STEEPEST * np.minimum(norms[:-1], norms[1:]), np.hypot(*inner.T)
    inner *= np.divide(most, here, out=np.ones_like(here), where=here > most)[:, None]
    slopes = np.concatenate([speeds[:1], inner, speeds[-1:]])
    piece = np.clip(np.searchsorted(clock, at, side="right") - 1, 0, len(lasts) - 1)
    share = ((at - clock[piece]) / lasts[piece, 0])[:, None]
    # By how much the curve leaves the straight line, at its two ends faster or slower than it.
    before, after = slopes[piece] - speeds[piece], slopes[piece + 1] - speeds[piece]
    rest = 1.0 - share
    off = lasts[piece] * share * rest * (rest * before - share * after)
    faster = rest * (1.0 - 3.0 * share) * before + share * (3.0 * share - 2.0) * after
    return through[piece] + share * lasts[piece] * speeds[piece] + off, speeds[piece] + faster


def _sway(times: FloatArray, velocities: FloatArray, much: float, phase: float) -> FloatArray:
    """Displacement to the side, once to and fro in a stride, (times, 2); none while standing."""
    speed = np.hypot(*velocities.T)
    walking = np.clip((speed - STANDING) / (WALKING - STANDING), 0.0, 1.0)
    wide = much * walking * np.interp(speed, SWAY_SPEEDS, SWAY)
    rate = STRIDES * np.sqrt(speed)
    strides = np.append(0.0, np.cumsum(0.5 * (rate[1:] + rate[:-1]) * np.diff(times)))
    aside = np.column_stack([-velocities[:, 1], velocities[:, 0]])
    unit = np.divide(aside, speed[:, None], out=np.zeros_like(aside), where=speed[:, None] > 0)
    return (wide * np.sin(phase + math.tau * strides))[:, None] * unit


def _within_error(off: FloatArray) -> FloatArray:
    """The deviations, those near the error shortened to less than it, smoothly."""
    share = np.hypot(*off.T) / ANNOTATION_ERROR
    return off / ((1.0 + share**4) ** 0.25)[:, None]  # half the error loses 1.5 % of it


def _cramped(natural: FloatArray, recorded: FloatArray, plan: FloorPlan) -> BoolArray:
    """Where one would come nearer to a wall than recorded, and nearer than a body."""
    before = plan.grid_clearances(recorded)
    return np.asarray(plan.grid_clearances(natural) < np.minimum(before, BODY))


def _room(times: FloatArray, cramped: BoolArray) -> FloatArray:
    """How much of the natural gait is left at each time, 0 where it is cramped."""
    if not cramped.any():
        return np.ones(len(times))
    tight = times[cramped]
    after = np.searchsorted(tight, times)
    to_next = tight[np.minimum(after, len(tight) - 1)] - times
    from_last = times - tight[np.maximum(after - 1, 0)]
    return np.clip(np.minimum(np.abs(to_next), np.abs(from_last)) / RELAXED, 0.0, 1.0)
