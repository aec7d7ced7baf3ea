"""`paseo data list`."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from paseo.data.maps.inferred import is_inferred
from paseo.data.store.catalog import KnownRecording, known_recordings
from paseo.data.store.crowds import crowd_floorplan, read_crowd, stored_crowds
from paseo.data.store.hub import SOCIALNAV_SUB, dataset_is_complete
from paseo.data.store.locations import data_dir, recording_file
from paseo.data.store.synthetic import FPS, SyntheticCrowd, synthetic_crowds
from paseo.errors import InputError, MissingData
from paseo.report.table import text_table

Row = dict[str, Any]


def listing(options: argparse.Namespace) -> int:
    """Print the data sets Paseo knows and the crowds that are here."""
    folder = data_dir(options.data)
    rows = [_known(known, folder) for known in known_recordings().values()]
    rows.append(_socialnav_sub(folder))
    rows += [_synthetic(crowd) for crowd in synthetic_crowds().values()]
    own = [name for name in stored_crowds(folder) if name not in known_recordings()]
    rows += [_own(name, folder) for name in own]
    if options.json:
        print(json.dumps(rows, indent=1))
        return 0
    header = ("name", "kind", "frames/s", "map", "licence", "here")
    keys = ("name", "kind", "fps", "map", "licence", "file")
    lines = [tuple(_short(row[key]) for key in keys) for row in rows]
    print(text_table(header, lines))
    print(f"\ndata folder: {folder}")
    return 0


def _known(known: KnownRecording, folder: Path) -> Row:
    try:
        file = str(recording_file(known.name, folder))
    except MissingData:
        file = None
    return {
        "name": known.name,
        "kind": "recording",
        "fps": known.fps,
        "map": known.map,
        "licence": known.licence,
        "citation": known.citation,
        "files": [asdict(known.annotation), asdict(known.groups)],
        "sources": list(known.sources),
        "file": file,
    }


def _socialnav_sub(folder: Path) -> Row:
    dataset = SOCIALNAV_SUB
    place = folder / dataset.name
    return {
        "name": dataset.name,
        "kind": "scenes with questions",
        "fps": None,
        "map": None,
        "licence": dataset.licence,
        "citation": dataset.citation,
        "files": [{"repo": dataset.repo, "revision": dataset.revision, "bytes": dataset.bytes}],
        "sources": [f"https://huggingface.co/datasets/{dataset.repo}"],
        "file": str(place) if dataset_is_complete(dataset, place) else None,
    }


def _synthetic(crowd: SyntheticCrowd) -> Row:
    return {
        "name": crowd.name,
        "kind": "synthetic, not recorded",
        "fps": FPS,
        "map": crowd.map,
        "licence": "MIT, as Paseo",
        "citation": "Paseo",
        "files": [],
        "sources": [f"paseo crowd generate {crowd.recipe} --seed {crowd.seed} "
                    f"--duration-s {crowd.duration_s:g}"],
        "file": "comes with Paseo",
    }  # fmt: skip


def _own(name: str, folder: Path) -> Row:
    """A crowd that was imported; one that cannot be read is listed with the reason."""
    try:
        about, plan = read_crowd(name, folder), crowd_floorplan(name, folder)
        file = str(recording_file(name, folder))
    except InputError as error:
        empty = dict.fromkeys(("fps", "map", "licence"))
        return {"name": name, "kind": "imported", **empty, "file": f"cannot be used: {error}"}
    return {
        "name": name,
        "kind": "imported",
        "map": None if plan is None else "inferred" if is_inferred(plan) else "its own",
        "file": file,
        **to_builtins(about),
    }


def _short(value: object) -> str:
    """What fits into a column; --json gives the rest."""
    if value is None or value == "":
        return "-"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
