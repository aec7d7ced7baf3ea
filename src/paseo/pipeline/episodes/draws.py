"""The people of a drive as they may also have walked, drawn from how sure their tracks are."""

import numpy as np

from paseo.data.store.locations import DataFolder
from paseo.pipeline.episodes.crowd import kept_reconstruction
from paseo.pipeline.episodes.walking import crowd_start, drive_recording
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.draws import drawn_tracks
from paseo.world.tracks import Recording


def drawn_recordings(
    reconstruction: Reconstruction, name: str, count: int, *, seed: int
) -> list[Recording]:
    """So many crowds that may have been there as well, on the same clock; all of that name."""
    start, rng = crowd_start(reconstruction), np.random.default_rng(seed)
    drawn = drawn_tracks(reconstruction.tracks, rng, count)
    return [drive_recording(name, tracks, start) for tracks in drawn]


def drawn_crowd(crowd: str, count: int, *, seed: int, data: DataFolder) -> list[Recording]:
    """The same of a crowd in the data folder that was made of a drive."""
    return drawn_recordings(kept_reconstruction(crowd, data), crowd, count, seed=seed)
