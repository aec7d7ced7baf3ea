"""How sure tracks rightly are when a calibration is always wrong, and boxes for some frames.

    python benchmarks/pipeline/lasting.py [--drives 10]

Staged drives of 20 s with 14 people. In each the camera's pitch, yaw, height and focal length and
the clock are off by what `Doubts` says of them. Tracks are made from places that tell of lasting
errors and of where the camera was, and from the same places with all errors taken for new.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support" / "pipeline"))

from paseo.pipeline.locating.doubts import Doubts
from paseo.pipeline.locating.placing import places
from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.smoother import smooth
from paseo.report.table import text_table
from paseo.world.arrays import FloatArray
from staged_boxes import Cast, Staged, miscalibrated, staged

WITHIN = 5.991  # chi square of two degrees of freedom, 95 %
FIRST_SEED = 500
SETTINGS = (  # pixels, frames a second, seconds
    (2.0, 5.0, 0.0), (5.0, 5.0, 0.0), (5.0, 10.0, 0.0), (10.0, 5.0, 0.0), (10.0, 10.0, 0.0),
    (5.0, 30.0, 0.1),
)  # fmt: skip


def located_wrongly(stage: Staged, doubts: Doubts, rng: np.random.Generator) -> tuple[Places, ...]:
    """Places under a calibration that is off by what is doubtful of it."""
    camera = miscalibrated(doubts, rng)
    odometry = replace(stage.odometry, times=stage.odometry.times + rng.normal(0, doubts.clock))
    return places(odometry, stage.frame_times, stage.seen, camera, doubts)


def errors(stage: Staged, found: Sequence[Places]) -> tuple[FloatArray, FloatArray]:
    """Of all tracks: metres from the truth, and that squared by the covariance."""
    off, squares = [], []
    for track in smooth(found):
        person = track.person if track.seen_as is None else track.seen_as
        frames = np.searchsorted(stage.frame_times, track.times).tolist()
        away = track.states[:, :2] - [stage.truth[frame, person] for frame in frames]
        inverse = np.linalg.inv(track.covariances[:, :2, :2])
        off.append(np.hypot(*away.T))
        squares.append(np.einsum("ki,kij,kj->k", away, inverse, away))
    return np.concatenate(off), np.concatenate(squares)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--drives", type=int, default=10)
    options = parser.parse_args()
    rows = []
    for pixels, fps, slipping in SETTINGS:
        rng = np.random.default_rng(6)
        doubts = Doubts(box_px=pixels, rocking=0.0, slipping=slipping)
        told, untold = [], []
        for seed in range(FIRST_SEED, FIRST_SEED + options.drives):
            cast = Cast(seconds=20, people=14, box_px=pixels, fps=fps, slipping=slipping)
            stage = staged(replace(cast, seed=seed))
            found = located_wrongly(stage, doubts, rng)
            plain = [replace(each, lasting=None, common=0, origins=None) for each in found]
            told.append(errors(stage, found))
            untold.append(errors(stage, plain))
        row = [f"{pixels:g} px, {fps:g} Hz" + ", slipping" * (slipping > 0)]
        for each in (told, untold):
            off, squares = (np.concatenate(part) for part in zip(*each, strict=True))
            inside = 100 * (squares < WITHIN).mean()
            row += [f"{off.mean():.3f}", f"{squares.mean():.1f}", f"{inside:.0f} %"]
        rows.append(row)
    lasting, new = ["error m", "squared", "in 95 %"], ["all new: m", "squared", "in 95 %"]
    print(text_table(["", *lasting, *new], rows))


if __name__ == "__main__":
    main()
