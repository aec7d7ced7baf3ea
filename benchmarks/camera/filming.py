"""Seconds that a film of 30 s takes, 10 frames a second of 640x480 pixels, through `render_film`.

Usage: python benchmarks/camera/filming.py    (needs `pip install 'paseo[camera,video]'`)

The episode is the densest of paseo-33 in which a robot that waits has 30 s: the film shows all of
it, with all effort, encoded as .mp4. Kernels are compiled before. Wall clock and CPU seconds are
told; where other work keeps the cores busy, half the CPU seconds on two cores is the fairer number.
Fails where both miss the limit.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from paseo.camera.view import prepare
from paseo.data.suites.episodes import episode
from paseo.planners.stop import Stop
from paseo.report.pictures.rendering import RenderOptions, render_film
from paseo.sim.simulate import simulate

EPISODE, CORES, MOST = "dense_univ", 2, 60.0
FRAMES = 300


def main() -> int:
    prepare()
    record = simulate(episode(EPISODE), Stop())
    lasting, present = record.times[-1], np.isfinite(record.people[..., 0]).sum(axis=1)
    before, start = sum(os.times()[:2]), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        speed = lasting / (FRAMES / 10)  # so that any episode makes as many frames
        options = RenderOptions(threads=CORES, fps=10, speed=float(speed))
        film = render_film(record, Path(folder) / "film.mp4", options=options)
        size = film.stat().st_size
    wall, cpu = time.perf_counter() - start, sum(os.times()[:2]) - before
    print(
        f"{EPISODE}, {lasting:.0f} s, {present.mean():.0f} people at once: {FRAMES} frames in "
        f"{wall:.1f} s (at most {MOST:g}), {cpu:.1f} CPU-s on {CORES} threads; {size / 1e6:.1f} MB"
    )
    return 0 if min(wall, cpu / CORES) <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
