"""A crowd as a CSV file that can be imported, with who walks together beside it."""

import gzip
from pathlib import Path

import msgspec

from paseo.data.recordings.csv_tracks import csv_bytes
from paseo.errors import BadValue
from paseo.files import write_whole
from paseo.world.tracks import Recording


def check_crowd_file(out: Path) -> None:
    """Raise `BadValue` where no crowd can be written, before any work is done for it."""
    if not out.name.endswith((".csv", ".csv.gz")):
        raise BadValue(f"{out}: a crowd is written as .csv or .csv.gz; rename it")
    if not out.parent.is_dir():
        raise BadValue(f"{out}: there is no folder {out.parent}; make it or choose another")


def write_crowd(crowd: Recording, out: Path) -> Path:
    """Write the tracks, and beside them the groups; the path of the latter."""
    check_crowd_file(out)
    content = csv_bytes(crowd)
    groups = out.with_name(f"{out.name.removesuffix('.gz').removesuffix('.csv')}_groups.json")
    write_whole(groups, msgspec.json.encode({"groups": crowd.groups}))
    write_whole(out, gzip.compress(content, mtime=0) if out.suffix == ".gz" else content)
    return groups
