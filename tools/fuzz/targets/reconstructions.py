"""Drives that were reconstructed: people's boxes and tracks."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from fuzz.target import Example, Lost, Target


def make_reconstruction(folder: Path) -> None:
    """A short drive with one person who was seen, one of two tracks with errors that last."""
    from paseo.pipeline.drives.drive import Odometry
    from paseo.pipeline.locating.seen import Seen, SeenFrame
    from paseo.pipeline.places import Places
    from paseo.pipeline.reconstruction import Reconstruction
    from paseo.pipeline.reconstruction_file import save_reconstruction
    from paseo.pipeline.smoothing.smoother import smooth
    from paseo.world.cameras import level_camera

    times = np.arange(8) / 4
    of, lasting = np.tile(0.05 * np.eye(2), (8, 1, 1)), np.full((8, 2, 1), 0.1)
    positions = np.column_stack([times, np.ones(8)])
    plain = Places(person=1, times=times, positions=positions, covariances=of)
    shared = Places(
        person=2, times=times, positions=positions, covariances=of, lasting=lasting, common=1
    )
    seen = {k: SeenFrame(k, (Seen(person=1, box=(1.0, 2.0, 3.0, 4.0)),)) for k in range(8)}
    found = Reconstruction(
        name="short",
        camera=level_camera(64, 48, across=1.2),
        odometry=Odometry(times=times, poses=np.zeros((8, 3)), pitches=np.full(8, 0.01)),
        frame_times=times,
        seen=seen,
        tracks=smooth([plain, shared]),
        scan_points=np.ones((3, 2)),
    )
    save_reconstruction(found, folder / "drive.npz")


def read(words: Sequence[str]) -> int:
    """As a command would read it; commands of drives come and go with what is made of them."""
    from paseo.errors import PaseoError
    from paseo.pipeline.reconstruction_file import load_reconstruction

    try:
        load_reconstruction(words[0])
    except PaseoError as error:
        print(f"paseo: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def comes_back(here: Path, aside: Path) -> None:
    """Written and read again its bytes are the same."""
    from paseo.pipeline.reconstruction_file import (
        load_reconstruction,
        reconstruction_bytes,
        reconstruction_from,
    )

    first = reconstruction_bytes(load_reconstruction(here / "drive.npz"))
    if reconstruction_bytes(reconstruction_from(first, "again")) != first:
        raise Lost("the reconstruction is another when written and read again")


TARGETS = (
    Target(
        name="reconstruction",
        example=Example(name="reconstruction", make=make_reconstruction),
        damaged=("drive.npz",),
        command="drive.npz",
        oracle=comes_back,
        told="written and read again, its bytes are the same",
        program=read,
    ),
)
