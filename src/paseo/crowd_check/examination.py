"""The lie detector for crowds: what can be told from tracks, and from a map if there is one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.crowd_check.continuity import (
    Units,
    gap_finding,
    impossible_finding,
    jump_finding,
    shared_id_finding,
    twin_finding,
)
from paseo.crowd_check.findings import Doubt, Finding
from paseo.crowd_check.frame_rate import pace_finding
from paseo.crowd_check.pace import LEAST_WALKERS, WalkingPace, pace
from paseo.crowd_check.placement import Placement, placement
from paseo.crowd_check.samples import TrackSamples, moments
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Examination:
    """A crowd, what was found about it, and what could not be looked at."""

    recording: Recording
    plan: FloorPlan | None
    moments: TrackSamples
    pace: WalkingPace
    findings: tuple[Finding, ...]  # what is wrong first, the surest first
    unchecked: tuple[str, ...]  # sentences

    @property
    def wrong(self) -> bool:
        """Whether anything is wrong."""
        return any(finding.wrong for finding in self.findings)


def examine(
    recording: Recording, plan: FloorPlan | None, known: Sequence[Finding] = ()
) -> Examination:
    """Look for lies in a crowd; `known` is what was found while its file was read."""
    at = moments(recording.tracks)
    rhythm = pace(recording.tracks, at)
    off_beat = pace_finding(rhythm, recording.fps, _extent(at))
    units = _units(rhythm, off_beat)
    tracks = recording.tracks
    laid = placement(at, plan) if plan and len(at) and units.metre == 1.0 else None
    found = [
        *known,
        off_beat,
        impossible_finding(at) if rhythm.top_speed is None else None,
        jump_finding(tracks, at, units),
        gap_finding(tracks),
        shared_id_finding(tracks, units),
        twin_finding(at, len(tracks), units),
        laid.finding if laid else None,
    ]
    findings = [finding for finding in found if finding]
    return Examination(
        recording=recording,
        plan=plan,
        moments=at,
        pace=rhythm,
        findings=tuple(sorted(findings, key=lambda each: (not each.wrong, -each.sure))),
        unchecked=tuple(_unchecked(rhythm, plan, laid)),
    )


def _extent(at: TrackSamples) -> tuple[float, float]:
    if not len(at):
        return 0.0, 0.0
    x, y = np.ptp(at.positions, axis=0).tolist()
    return x, y


def _units(rhythm: WalkingPace, off_beat: Finding | None) -> Units:
    """Other faults are looked for in the units that would be right."""
    if off_beat is None or not rhythm.speed_ratio:
        return Units()
    scaled = off_beat.doubt in (Doubt.SCALE, Doubt.PIXELS)
    return Units(metre=rhythm.speed_ratio if scaled else 1.0, speed=rhythm.speed_ratio)


def _unchecked(rhythm: WalkingPace, plan: FloorPlan | None, laid: Placement | None) -> list[str]:
    sentences = []
    if rhythm.top_speed is None:
        sentences.append(
            f"frame rate and scale: {LEAST_WALKERS} people who cross the scene are needed, and "
            f"there are {rhythm.walkers}"
        )
    elif rhythm.spacing is None:
        sentences.append("spacing: too few people walk together, so scale counts by speed alone")
    if plan is None:
        sentences.append("walls, mirrored and swapped axes: there is no map; name one with --map")
    elif laid is None:
        sentences.append("walls, mirrored and swapped axes: put the scale right first")
    elif laid.alike:
        sentences.append(
            f"orientation: moved a little, the crowd fits this map as well {', '.join(laid.alike)}"
        )
    return sentences
