"""The lie detector for crowds: what can be told from tracks, and from a map if there is one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.crowd_check.continuity import (
    Units,
    gap_finding,
    impossible_finding,
    jump_finding,
    shared_id_finding,
    twin_finding,
)
from paseo.crowd_check.findings import Doubt, Finding, Severity
from paseo.crowd_check.frame_rate import pace_finding
from paseo.crowd_check.pace import LEAST_WALKERS, WalkingPace, pace
from paseo.crowd_check.placement import Placement, placement
from paseo.crowd_check.reading import (
    ReadingOptions,
    crowd_file,
    filmed_recording,
    guess_notes,
    placed_recording,
    read_rows,
)
from paseo.crowd_check.samples import TrackSamples, moments
from paseo.data.store.locations import DataFolder, data_folder
from paseo.errors import Spelling, spelled
from paseo.world.space.floorplan import FloorPlan, InferredFrom
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
        return any(each.severity is Severity.WRONG for each in self.findings)

    def spelled_unchecked(self, spelling: Spelling) -> list[str]:
        """What was not looked at, with parameters as somebody else spells them."""
        return [spelled(sentence, ["floorplan"], spelling) for sentence in self.unchecked]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CheckedRecording:
    """An examination of a recording by name or file, and what to know about how it was made."""

    examination: Examination
    notes: tuple[str, ...] = ()  # sentences


def check_recording(
    target: str,
    *,
    reading: ReadingOptions | None = None,
    floorplan: str | None = None,
    data: DataFolder | Path | None = None,
) -> CheckedRecording:
    """Look for lies in a named crowd of the data folder, or in a recording's file.

    The floor plan is a shipped map, a crowd's own, or a file; left out, it is the crowd's.
    """
    reading, folder = reading or ReadingOptions(), data_folder(data)
    plan = _plan(target, floorplan, folder)
    notes: list[str] = []
    known: list[Finding] = []
    if folder.knows(target):
        recording = placed_recording(target, reading, folder)
    else:
        rows = read_rows(crowd_file(target, folder.recordings()), reading)
        recording, known = filmed_recording(rows, reading)
        notes = guess_notes(rows, reading)
    if plan is not None and plan.inferred is InferredFrom.TRACKS:
        notes.append("the map was inferred from tracks and is no witness")
        plan = None
    return CheckedRecording(examination=examine(recording, plan, known), notes=tuple(notes))


def _plan(target: str, floorplan: str | None, data: DataFolder) -> FloorPlan | None:
    """The floor plan asked for, else the crowd's."""
    if floorplan is not None:
        return data.floorplan(floorplan)
    if not data.knows(target):
        return None
    on, _ = data.placement(target)
    return data.own_floorplan(target) if on == target else data.floorplan(on)


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
        findings=tuple(sorted(findings, key=lambda each: -each.sure)),
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
        sentences.append(
            "walls, mirrored and swapped axes: there is no map; name one with floorplan"
        )
    elif laid is None:
        sentences.append("walls, mirrored and swapped axes: put the scale right first")
    elif laid.alike:
        sentences.append(
            f"orientation: moved a little, the crowd fits this map as well {', '.join(laid.alike)}"
        )
    return sentences
