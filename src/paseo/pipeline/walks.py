"""Where somebody was at any time, between the samples of a track."""

import numpy as np

from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import FloatArray

LONGEST_GAP = 1.0  # seconds between two samples of a track that a line may be drawn through


def positions_at(
    track: SmoothTrack, times: FloatArray, longest_gap: float = LONGEST_GAP
) -> FloatArray:
    """Where somebody was, (times, 2); NaN before, after and in gaps longer than that, in s."""
    found = np.column_stack(
        [np.interp(times, track.times, track.states[:, axis]) for axis in (0, 1)]
    )
    unknown = (times < track.times[0]) | (times > track.times[-1])
    if len(track.times) > 1:
        after = np.clip(np.searchsorted(track.times, times), 1, len(track.times) - 1)
        gaps = track.times[after] - track.times[after - 1]
        unknown |= (gaps > longest_gap) & ~np.isin(times, track.times)
    found[unknown] = np.nan
    return found
