"""Where somebody was between the samples of a track."""

import numpy as np
import pytest

from handmade_drive import HandmadeDrive, Walker, reconstructed, straight
from paseo.pipeline.walks import positions_at


def test_a_track_is_a_line_through_short_gaps_and_unknown_in_long_ones() -> None:
    hidden = Walker(
        person=3, start=(9.0, 1.0), velocity=(-0.2, 0.0), unseen=((1.0, 1.6), (3.0, 5.0))
    )
    drive = HandmadeDrive(walkers=[hidden], seconds=8.0, way=straight(0.0))
    (track,) = reconstructed(drive).tracks
    times = np.array([99.0, 101.3, 104.0, 105.0, 109.0])
    found = positions_at(track, times)
    assert np.isnan(found[:, 0]).tolist() == [True, False, True, False, True]
    assert found[1] == pytest.approx(hidden.places(np.array([1.3]))[0])
