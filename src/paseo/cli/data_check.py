"""`paseo data check`."""

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from paseo.crowd_check.continuity import repeated_finding
from paseo.crowd_check.examination import Examination, examine
from paseo.crowd_check.findings import Finding
from paseo.crowd_check.frame_rate import likely_rates
from paseo.crowd_check.pace import pace
from paseo.crowd_check.samples import moments
from paseo.data.maps.inferred import is_inferred
from paseo.data.recordings.recordings import ReadRecording, read_sightings, recording_of
from paseo.data.recordings.sightings import without_repeats
from paseo.data.store.catalog import Affine, known_recordings
from paseo.data.store.crowds import crowd_floorplan, stored_crowds
from paseo.data.store.importing import only_member
from paseo.data.store.locations import (
    UNMOVED,
    data_dir,
    find_recording,
    is_named,
    named_floorplan,
    placement,
    recording_names,
)
from paseo.data.store.synthetic import synthetic_crowds
from paseo.errors import BadValue, InputError, PaseoError, UnknownName
from paseo.report.crowd.check_figure import draw_evidence
from paseo.report.crowd.examination import examination_text
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording, at_rate, transformed

ANY_RATE = 25.0  # to look at the people of a file whose rate is not known yet


def check(options: argparse.Namespace) -> int:
    """Examine a crowd; 0 if nothing is wrong with it, 1 if something is."""
    folder = data_dir(options.data)
    plan, notes = _plan(options, folder), []
    known: list[Finding] = []
    if is_named(options.target, folder):
        recording = _named(options, folder)
    else:
        reading = _read(options, folder)
        recording, known = _crowd(reading, options)
        if options.format is None:
            notes.append(f"{reading.path.name} is taken for {reading.format}: {reading.reason}")
    if plan is not None and is_inferred(plan):
        notes.append("the map was inferred from tracks and is no witness")
        plan = None
    result = examine(recording, plan, known)
    for note in notes:
        print(f"paseo: {note}", file=sys.stderr)
    print(json.dumps(_as_json(result), indent=1) if options.json else examination_text(result))
    return _drawn(result, options.picture)


def missing_rate(reading: ReadRecording, transform: Affine | None) -> BadValue:
    """The error for a file that does not tell its frame rate, with the likely ones."""
    first, _, _ = without_repeats(reading.sightings)
    tracks = recording_of(
        replace(reading, sightings=first), fps=ANY_RATE, affine=np.array(transform or UNMOVED)
    ).tracks
    rates = likely_rates(pace(tracks, moments(tracks)), ANY_RATE)
    hint = f"; these people would walk like people at --fps {' or '.join(f'{r:g}' for r in rates)}"
    return BadValue(
        f"{reading.path}: this {reading.format} file does not tell its frame rate; give --fps"
        f"{hint if rates else ''}"
    )


def _named(options: argparse.Namespace, folder: Path) -> Recording:
    """A crowd by name, on its map."""
    given = {"format": options.format, "member": options.member}
    if options.longest_gap_s is not ...:
        given["longest-gap-s"] = options.longest_gap_s
    for word, value in given.items():
        if value is not None or word == "longest-gap-s":
            raise InputError(f"--{word} is for files; '{options.target}' is a named crowd")
    recording = find_recording(options.target, folder)
    if options.fps is not None:
        recording = at_rate(recording, options.fps)
    _, onto_map = placement(options.target, folder)
    return _moved(_moved(recording, onto_map), options.transform)


def _read(options: argparse.Namespace, folder: Path) -> ReadRecording:
    path = Path(options.target)
    if not path.suffix and not path.exists():
        raise UnknownName("crowd or file", options.target, recording_names(folder))
    member = options.member or only_member(path)
    return read_sightings(path, format=options.format, member=member)


def _crowd(reading: ReadRecording, options: argparse.Namespace) -> tuple[Recording, list[Finding]]:
    """The people of a file, and what is wrong with its rows."""
    if options.fps is None and reading.sightings.fps is None:
        raise missing_rate(reading, options.transform)
    first, people, apart = without_repeats(reading.sightings)
    recording = recording_of(
        replace(reading, sightings=first),
        fps=options.fps,
        affine=np.array(options.transform or UNMOVED),
        longest_gap=options.longest_gap_s,
    )
    repeated = repeated_finding(people, apart, "of the file's units")
    return recording, [repeated] if repeated else []


def _moved(recording: Recording, affine: Affine | None) -> Recording:
    if affine is None or affine == UNMOVED:
        return recording
    matrix = np.array(affine)
    return replace(recording, tracks=tuple(transformed(each, matrix) for each in recording.tracks))


def _plan(options: argparse.Namespace, folder: Path) -> FloorPlan | None:
    """The map asked for, else the crowd's."""
    if options.map is not None:
        return named_floorplan(options.map, folder)
    if options.target in (*known_recordings(), *synthetic_crowds()):
        return named_floorplan(placement(options.target, folder)[0], folder)
    if options.target in stored_crowds(folder):
        return crowd_floorplan(options.target, folder)
    return None


def _as_json(result: Examination) -> dict[str, Any]:
    return {
        "name": result.recording.name,
        "people": len(result.recording.tracks),
        "fps": result.recording.fps,
        "wrong": result.wrong,
        "walkers": result.pace.walkers,
        "top_speed_mps": result.pace.top_speed,
        "spacing_m": result.pace.spacing,
        "findings": [
            {
                "doubt": each.doubt.value,
                "wrong": each.wrong,
                "sure": round(each.sure, 3),
                "what": each.what,
                "fix": each.fix,
                "people": list(each.people),
            }
            for each in result.findings
        ],
        "unchecked": list(result.unchecked),
    }


def _drawn(result: Examination, wanted: Path | None) -> int:
    """Draw what was asked for, or by itself when something is wrong; the exit code."""
    path = wanted or Path(f"check-{result.recording.name}.png")
    if wanted is not None or result.wrong:
        try:
            draw_evidence(result, path)
            print(f"paseo: evidence drawn in {path}", file=sys.stderr)
        except PaseoError as error:
            print(f"paseo: no picture of the evidence: {error}", file=sys.stderr)
            if wanted is not None:
                return 2
    return 1 if result.wrong else 0
