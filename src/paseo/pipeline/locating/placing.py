"""People in pictures as places on the ground, in the frame of the odometry, with covariances."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.doubts import CUES, DOUBTS, Doubts
from paseo.pipeline.locating.ranging import COMMON, ERRORS, OWN_ERRORS, ranges
from paseo.pipeline.locating.seen import SeenFrame, once
from paseo.pipeline.locating.sightings import Sightings, sightings
from paseo.pipeline.places import Places
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.cameras import Camera

LASTING = [ERRORS.index(name) for name in COMMON + OWN_ERRORS]
LEAST_PX = 0.25  # deviation: no box is better, and no covariance may be nothing


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Located:
    """Everybody's places, and what could not be placed."""

    places: tuple[Places, ...]  # by person
    left_out: Mapping[str, int]  # how many sightings, by why
    by_cue: Mapping[str, float]  # how much places rest on each cue, which adds up to 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Spots:
    """Where each row is."""

    positions: FloatArray  # (rows, 2), metres; NaN: not to be told
    covariances: FloatArray  # (rows, 2, 2)
    lasting: FloatArray  # (rows, 2, errors): of the clock, of the camera, of the person's height
    origins: FloatArray  # (rows, 2), of the camera
    deviations: FloatArray  # (rows,), of the distance, as a share of it
    distances: FloatArray  # (rows,), from the camera over the ground
    weights: FloatArray  # (rows, cues)


def places(
    odometry: Odometry,
    frame_times: FloatArray,
    seen: Iterable[SeenFrame],
    camera: Camera,
    doubts: Doubts = DOUBTS,
    *,
    tilts: FloatArray | None = None,
) -> tuple[Places, ...]:
    """Where everybody was; see `located`."""
    return located(odometry, frame_times, seen, camera, doubts, tilts=tilts).places


def located(
    odometry: Odometry,
    frame_times: FloatArray,
    seen: Iterable[SeenFrame],
    camera: Camera,
    doubts: Doubts = DOUBTS,
    *,
    tilts: FloatArray | None = None,
) -> Located:
    """Where everybody was, in the frame of the odometry.

    A person stands where the ray through the middle of their box's lower edge meets the ground, and
    as far away as a body of their height seems; both are weighed by what is doubtful of them.
    `frame_times` are those of all frames of the drive; `tilts`, (frames, 2), are the robot's pitch
    (nose down) and roll (right side down) then, None: as the odometry tells, level where it does
    not. Sightings while the odometry has a gap, those that nothing places, and all but the surest
    box of one person in a frame are left out and counted.
    """
    given = list(seen)
    frames = [once(frame) for frame in given]
    rows = sightings(odometry, frame_times, frames, camera, tilts, box_px=doubts.box_px)
    if not len(rows):
        return Located(places=(), left_out={}, by_cue=dict.fromkeys(CUES, 0.0))
    found = spots(rows, camera, doubts)
    reasons = _reasons(rows, found, doubts)
    kept = np.ones(len(rows), dtype=bool)
    twice = sum(len(frame.people) for frame in given) - len(rows)
    left_out = {"twice in a frame": twice} if twice else {}
    for reason, lost in reasons.items():
        if count := int((kept & lost).sum()):
            left_out[reason] = count
        kept &= ~lost
    shares = found.weights[kept].mean(axis=0) if kept.any() else np.zeros(len(CUES))
    return Located(
        places=tuple(_by_person(rows, found, kept)),
        left_out=left_out,
        by_cue=dict(zip(CUES, shares.tolist(), strict=True)),
    )


def spots(rows: Sightings, camera: Camera, doubts: Doubts = DOUBTS) -> Spots:
    """Where each row is, in the frame of the odometry, and how sure that is to first order."""
    found = ranges(rows, camera, doubts)
    distance, bearing = found.distances, found.bearings
    out = np.column_stack([np.cos(bearing), np.sin(bearing)])  # (rows, 2) along the ray
    aside = np.column_stack([-out[:, 1], out[:, 0]])
    from_robot = found.eyes[:, :2] + distance[:, None] * out
    slopes = (
        out[:, :, None] * found.slopes[:, None, 0]
        + (distance[:, None] * aside)[:, :, None] * found.slopes[:, None, 1]
    )  # (rows, 2, errors), metres
    covariances = np.einsum("nik,nk,njk->nij", slopes, found.variances, slopes)
    covariances += np.einsum("ni,nj->nij", aside, aside) * doubts.aside**2
    along = np.einsum("nk,nk->n", np.square(found.slopes[:, 0]), found.variances)
    turned = _turns(rows.poses[:, 2])
    # Late by a moment, the robot was elsewhere and looked elsewhere.
    late = rows.motion[:, :2] + rows.motion[:, 2:] * np.einsum(
        "nij,nj->ni", turned, np.column_stack([-from_robot[:, 1], from_robot[:, 0]])
    )
    lasting = np.dstack(
        [late * doubts.clock, turned @ (slopes * np.sqrt(found.variances)[:, None])[..., LASTING]]
    )
    covariances = turned @ covariances @ turned.transpose(0, 2, 1)
    covariances += np.einsum("ni,nj->nij", late, late) * doubts.clock**2
    least = np.square(LEAST_PX / camera.fx * distance)
    covariances += least[:, None, None] * np.eye(2)
    return Spots(
        positions=rows.poses[:, :2] + np.einsum("nij,nj->ni", turned, from_robot),
        covariances=covariances,
        lasting=lasting,
        origins=rows.poses[:, :2] + np.einsum("nij,nj->ni", turned, found.eyes[:, :2]),
        deviations=np.sqrt(along) / np.where(distance > 0, distance, np.nan),
        distances=distance,
        weights=found.weights,
    )


def _turns(headings: FloatArray) -> FloatArray:
    cos, sin = np.cos(headings), np.sin(headings)
    return np.stack([np.stack([cos, -sin], axis=1), np.stack([sin, cos], axis=1)], axis=1)


def _reasons(rows: Sightings, found: Spots, doubts: Doubts) -> dict[str, BoolArray]:
    """Why a row is left out; the first that holds counts."""
    with np.errstate(invalid="ignore"):
        return {
            "no odometry": np.isnan(rows.poses.sum(axis=1)),
            "neither feet nor head nor both sides seen": ~np.isfinite(found.distances),
            "outside of what the lens shows": np.isnan(found.positions.sum(axis=1)),
            "too far": found.distances > doubts.farthest,
            "too unsure": ~(found.deviations <= doubts.most_unsure),
        }


def _by_person(rows: Sightings, found: Spots, kept: BoolArray) -> Iterable[Places]:
    order = np.flatnonzero(kept)
    order = order[np.lexsort((rows.times[order], rows.people[order]))]
    ends = np.flatnonzero(np.diff(rows.people[order])) + 1
    for part in np.split(order, ends) if len(order) else []:
        yield Places(
            person=int(rows.people[part[0]]),
            times=rows.times[part],
            positions=found.positions[part],
            covariances=found.covariances[part],
            lasting=found.lasting[part],
            common=1 + len(COMMON),
            origins=found.origins[part],
        )
