"""How far away people are, by each cue, and how that changes with whatever may be wrong.

A person whose feet are seen `a` below the horizon stands at `h / tan a` from a camera `h` above the
ground; one whose head is seen `b` above it, at `(H - h) / tan b` for a body `H` tall. Errors go in
to first order. Several cues share some of them (the camera's pitch takes the feet nearer and the
head farther), so cues are weighed with their full covariance.
"""

from dataclasses import dataclass

import numpy as np

from paseo.pipeline.locating.bodies import LEARNT, body_heights
from paseo.pipeline.locating.directions import directions, eye, levelled, slopes
from paseo.pipeline.locating.doubts import CUES, Doubts
from paseo.pipeline.locating.sightings import Sightings
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.cameras import Camera, facing

ERRORS = (
    "across", "bottom", "top", "rocking", "pitch", "focal", "camera_height", "body", "gait", "step",
    "yaw", "breadth", "own",
)  # fmt: skip
# Those that stay the same for a drive: the camera's, then the person's own.
COMMON, OWN_ERRORS = ("pitch", "focal", "camera_height", "yaw"), ("body", "gait")
FEET, HEIGHT, BREADTH, OWN = range(len(CUES))
LEVEL = 0.15  # metres between the eye and the top of a head, below which its height tells nothing
FLATTEST = 1e-3  # radians below the horizon, above which feet are not on the ground
ABSENT = 1e12  # square metres


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranges:
    """Where people are from the camera, and how errors change that."""

    eyes: FloatArray  # (rows, 3), the camera, seen by a robot that is level
    distances: FloatArray  # (rows,), over the ground; NaN: not to be told
    bearings: FloatArray  # (rows,), left of the robot's heading
    slopes: FloatArray  # (rows, 2, errors) of distance and bearing
    variances: FloatArray  # (rows, errors)
    weights: FloatArray  # (rows, cues), which add up to 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Seen:
    """Directions of foot and head, and what changes them."""

    eyes: FloatArray
    foot: FloatArray  # (rows, 2), below the horizon and to the left
    head: FloatArray
    middle: FloatArray  # of the box: a lens bends upright bodies, and there they are on average
    foot_slopes: FloatArray  # (rows, 2, 4) with u, v, pitch, focal
    head_slopes: FloatArray
    middle_slopes: FloatArray
    variances: FloatArray


def ranges(rows: Sightings, camera: Camera, doubts: Doubts) -> Ranges:
    """How far away everybody is; cues that are not there, or not wanted, are left out."""
    seen = _seen(rows, camera, doubts)
    bodies = body_heights(rows, seen.eyes[:, 2], seen, doubts)
    seen.variances[:, ERRORS.index("body")] = bodies.variances
    found = np.full((len(rows), len(CUES)), np.nan)
    height = seen.eyes[:, 2]
    with np.errstate(all="ignore"):
        found[:, FEET] = height / np.tan(seen.foot[:, 0]) + doubts.step
        above = bodies.heights - height
        found[:, HEIGHT] = above / np.tan(-seen.head[:, 0])
    found[~(seen.foot[:, 0] > FLATTEST), FEET] = np.nan
    found[~rows.head | ~(np.abs(above) > LEVEL), HEIGHT] = np.nan
    # Whose feet are hidden has them below the box, and is nearer than its lower edge would say: who
    # seems to be farther by height is not so tall, or the head is hidden too; by breadth, a side.
    found[:, BREADTH] = _by_breadth(rows, camera, doubts)
    by_body = np.where(np.isfinite(found[:, HEIGHT]), found[:, HEIGHT], found[:, BREADTH])
    farther = ~rows.feet & (found[:, FEET] < by_body)
    found[farther, HEIGHT] = np.nan
    found[~rows.feet & ~farther, FEET] = np.nan
    found[:, OWN], own_bearings = _by_own_account(rows, camera, seen.eyes)
    told = np.isfinite(found) & (found > 0) & np.array([cue in doubts.cues for cue in CUES])
    # What a body is broad says little: only where nothing else is known. A source that knows bodies
    # has used their height already.
    told[:, BREADTH] &= ~told[:, [FEET, HEIGHT, OWN]].any(axis=1)
    told[:, HEIGHT] &= ~told[:, OWN]
    weights = np.zeros(told.shape)
    common = np.where(told, found, np.nan)
    for _ in range(2):  # slopes of all cues are taken at one distance, or near ones weigh too much
        by_cue = _slopes(np.where(told, common, 1.0), seen, bodies.heights, bodies.slopes, doubts)
        weights = _weights(by_cue, seen.variances, told)
        distance = np.nansum(np.where(told, found, 0.0) * weights, axis=1)
        common = np.repeat(distance[:, None], len(CUES), axis=1)
    only_own = told[:, OWN] & (told.sum(axis=1) == 1)
    bearings = np.where(only_own, own_bearings, seen.middle[:, 1])
    return Ranges(
        eyes=seen.eyes,
        distances=np.where(told.any(axis=1), distance, np.nan),
        bearings=bearings,
        slopes=np.stack([np.einsum("nc,nck->nk", weights, by_cue), _bearing_slopes(seen)], axis=1),
        variances=seen.variances,
        weights=weights,
    )


def _seen(rows: Sightings, camera: Camera, doubts: Doubts) -> _Seen:
    left, top, right, bottom = rows.boxes.T
    # At the side of the picture a part of the body is cut off, which is a third as broad as tall;
    # a flat picture shows what is aside broader than it is, and no taller.
    slant = np.hypot(1.0, ((left + right) / 2 - camera.cx) / camera.fx)
    breadth = slant * (bottom - top) / 3
    hidden = np.where(rows.sides, 0.0, np.maximum(breadth - (right - left), 0.0))
    outward = np.where(left < camera.width_px - right, -1.0, 1.0)
    middle = (left + right) / 2
    low, high = np.column_stack([middle, bottom]), np.column_stack([middle, top])
    centre = np.column_stack([middle + outward * hidden / 2, (top + bottom) / 2])
    box_px = doubts.box_px * np.sqrt(rows.alike(doubts.slipping))
    deviation = {
        "across": box_px / np.sqrt(2),
        "bottom": box_px,
        "top": box_px,
        "rocking": doubts.rocking,
        "pitch": doubts.pitch,
        "focal": doubts.focal,
        "camera_height": doubts.camera_height,
        "body": doubts.body_height_sd,
        "gait": doubts.gait,
        "step": doubts.step_sd,
        "yaw": doubts.yaw,
        "breadth": np.hypot(
            doubts.breadth_sd / doubts.breadth, box_px * np.sqrt(2) / (right - left)
        ),
        "own": doubts.own_depth,
    }
    variances = np.empty((len(rows), len(ERRORS)))
    for place, name in enumerate(ERRORS):
        variances[:, place] = np.square(deviation[name])
    unsure = doubts.breadth_sd / doubts.breadth * breadth / 2
    variances[:, 0] += np.where(rows.sides, 0.0, np.square(unsure))
    return _Seen(
        eyes=eye(camera, rows.tilts),
        foot=directions(low, camera, rows.tilts),
        head=directions(high, camera, rows.tilts),
        middle=directions(centre, camera, rows.tilts),
        foot_slopes=slopes(low, camera, rows.tilts),
        head_slopes=slopes(high, camera, rows.tilts),
        middle_slopes=slopes(centre, camera, rows.tilts),
        variances=variances,
    )


def _by_breadth(rows: Sightings, camera: Camera, doubts: Doubts) -> FloatArray:
    middle = (rows.boxes[:, 1] + rows.boxes[:, 3]) / 2
    edges = [
        directions(np.column_stack([rows.boxes[:, side], middle]), camera, rows.tilts)[:, 1]
        for side in (0, 2)
    ]
    across = np.angle(np.exp(1j * (edges[0] - edges[1])))
    whole = rows.sides & (across > 0)
    return np.where(whole, doubts.breadth / (2 * np.tan(np.where(whole, across, 1.0) / 2)), np.nan)


def _by_own_account(
    rows: Sightings, camera: Camera, eyes: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Distance over the ground and bearing of a source's own positions."""
    ahead = levelled(rows.own @ facing(camera.yaw, camera.pitch).T, rows.tilts)
    return np.hypot(ahead[:, 0], ahead[:, 1]), np.arctan2(ahead[:, 1], ahead[:, 0])


def _slopes(
    distances: FloatArray,
    seen: _Seen,
    bodies: FloatArray,
    body_slopes: FloatArray,
    doubts: Doubts,
) -> FloatArray:
    """How each cue's distance changes with each error, (rows, cues, errors), at these distances."""
    found = np.zeros((len(bodies), len(CUES), len(ERRORS)))
    place = {name: k for k, name in enumerate(ERRORS)}
    height, above = seen.eyes[:, 2], bodies - seen.eyes[:, 2]
    above = np.where(np.abs(above) > LEVEL, above, LEVEL)
    near = np.maximum(distances[:, FEET] - doubts.step, 0.0)
    per_angle = -(near**2 + height**2) / height
    by_height = distances[:, HEIGHT]
    for k, angle in enumerate(("across", "bottom", "pitch", "focal")):
        found[:, FEET, place[angle]] = per_angle * seen.foot_slopes[:, 0, k]
    found[:, FEET, place["rocking"]] = found[:, FEET, place["pitch"]]
    found[:, FEET, place["camera_height"]] = near / height
    found[:, FEET, place["step"]] = found[:, FEET, place["gait"]] = 1.0
    # The head's direction is measured downwards, as the feet's is.
    per_angle = (by_height**2 + above**2) / above
    for k, angle in enumerate(("across", "top", "pitch", "focal")):
        found[:, HEIGHT, place[angle]] = per_angle * seen.head_slopes[:, 0, k]
    found[:, HEIGHT, place["rocking"]] = found[:, HEIGHT, place["pitch"]]
    found[:, HEIGHT, place["camera_height"]] = -by_height / above
    per_body = by_height / above
    found[:, HEIGHT, place["body"]] = per_body
    for k, name in enumerate(LEARNT):
        found[:, HEIGHT, place[name]] += per_body * body_slopes[:, k]
    found[:, BREADTH, place["breadth"]] = distances[:, BREADTH]
    found[:, BREADTH, place["focal"]] = distances[:, BREADTH]
    found[:, OWN, place["own"]] = distances[:, OWN]
    found[:, OWN, place["focal"]] = distances[:, OWN]
    return found


def _bearing_slopes(seen: _Seen) -> FloatArray:
    found = np.zeros((len(seen.middle), len(ERRORS)))
    place = {name: k for k, name in enumerate(ERRORS)}
    across, down, pitch, focal = seen.middle_slopes[:, 1].T
    found[:, place["across"]] = across
    found[:, place["bottom"]] = found[:, place["top"]] = down / 2
    found[:, place["pitch"]] = found[:, place["rocking"]] = pitch
    found[:, place["focal"]] = focal
    found[:, place["yaw"]] = 1.0
    return found


def _weights(by_cue: FloatArray, variances: FloatArray, told: BoolArray) -> FloatArray:
    """The weights, (rows, cues), of the sum with the least variance; none is negative.

    With errors in common the best sum may take one cue with a negative weight, which would make
    much of small differences between cues: then it is left out.
    """
    covariance = np.einsum("nck,nk,ndk->ncd", by_cue, variances, by_cue)
    both = told[:, :, None] & told[:, None, :]
    covariance = np.where(both, covariance, 0.0)
    cues = np.arange(len(CUES))
    covariance[:, cues, cues] = np.where(told, covariance[:, cues, cues] + 1e-9, ABSENT)
    free = np.linalg.solve(covariance, np.ones((len(told), len(CUES), 1)))[:, :, 0]
    positive = np.where(told, np.maximum(free, 0.0), 0.0)
    total = positive.sum(axis=1, keepdims=True)
    return positive / np.where(total > 0, total, 1.0)
