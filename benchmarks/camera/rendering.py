"""CPU-seconds of a picture of 40 people who walk, and what people out of sight add to it.

Usage: python benchmarks/camera/rendering.py    (needs `pip install 'paseo[camera]'`)

The people are those that ship, each drawn as finely as they are seen; everybody walks, so that
footwork, poses and skinning are part of every frame. Times are CPU seconds on one thread, the best
of several frames after a first: who else is at work on the machine only adds to them. Fails where a
limit is not kept. Peers are in `race.py`, the first picture in `first_picture.py`.
"""

import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import stage

from paseo.camera.renderer import Effort
from paseo.camera.view import CameraView

PLAIN = Effort(smooth_edges=False, occlusion=False)
MOST = {  # CPU-s of a frame
    ((640, 480), PLAIN): 0.30,
    ((320, 240), PLAIN): 0.11,
    ((640, 480), Effort()): 0.42,
    ((320, 240), Effort()): 0.16,
}
WORDS = {PLAIN: "soft shadows, textures", Effort(): "and smooth edges, ambient occlusion"}
MORE = 1.15  # times what a frame costs without those out of sight, and
A_LITTLE = 0.00005  # CPU-s for each of them: they take steps even so


def rendering(scene: stage.Scene, size: tuple[int, int], effort: Effort) -> float:
    view = CameraView(stage.PLAN, effort=effort, threads=1)
    lens = stage.camera(size)
    return stage.best(lambda frame: view.render(scene.snapshot(frame), lens, scene.footwork))


def in_view(scene: stage.Scene) -> int:
    """How many people the picture shows."""
    lens = stage.camera((640, 480))
    image = CameraView(stage.PLAN).render(scene.snapshot(0), lens, scene.footwork)
    return len(np.unique(image.ids[image.ids >= 0]))


def five(*, behind: int) -> stage.Scene:
    """Five people some 4 m before the camera, in a row, and others far behind it."""
    rng = np.random.default_rng(5)
    x, y = stage.WHERE.x, stage.WHERE.y
    ahead = np.array([(x + 4 + 0.2 * k, y - 2 + k) for k in range(5)])
    away = rng.uniform((-80, -40), (-45, 40), (behind, 2))
    return stage.walking(np.concatenate([ahead, away]), rng)


def main() -> int:
    kept = []
    crowd = stage.scene(40)
    print(f"40 people on the square, of whom {in_view(crowd)} are seen")
    for (size, effort), most in MOST.items():
        what = f"{size[0]}x{size[1]}, {WORDS[effort]}"
        kept.append(stage.told(what, rendering(crowd, size, effort), most))
    few = rendering(five(behind=0), (320, 240), PLAIN)
    kept.append(stage.told("320x240, 5 people, all in view", few, math.inf))
    for behind in (35, 80, 160):
        most = few * MORE + behind * A_LITTLE
        seconds = rendering(five(behind=behind), (320, 240), PLAIN)
        kept.append(stage.told(f"320x240, 5 in view and {behind} far behind", seconds, most))
    for size in ((160, 120), (640, 480), (1280, 960)):
        pixels = size[0] * size[1] / (320 * 240)
        seconds = rendering(five(behind=0), size, PLAIN)
        print(f"  {size[0]}x{size[1]}: {pixels:g} times the pixels, {seconds / few:.2f} the time")
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
