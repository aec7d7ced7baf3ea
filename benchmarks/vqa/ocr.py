"""Positions read out of bird's-eye pictures of synthetic scenes, held against the tracks.

Usage: python benchmarks/vqa/ocr.py [--engine rapidocr|tesseract] [--seed N]

For our drawing in both palettes and for matplotlib's, as the original draws: the share of marks
found within 0.2 m of the truth, the share of answers that the rules give alike from pictures and
from tracks, every question on which they differ, and seconds of processor time per scene. Crowded
scenes, where discs cover each other, come on top.
"""

import argparse
import io
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.baselines.reading.engines import ENGINES, Engine, engine
from paseo.vqa.baselines.rule_sheets import Source, pictured_sighting, rules_sheet
from paseo.vqa.baselines.sightings import Sighting
from paseo.vqa.pictures.pictures import Drawing
from paseo.vqa.scores.breakdown import apart
from paseo.vqa.synthetic import make_dataset
from paseo.world.scenes import Scene

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support" / "vqa"))
from original_birdseye import original_birdseye, staged

NEAR, WANTED, LIMIT_S = 0.2, 0.95, 5.0  # metres, shares, seconds per scene
CROWDS = 4
OURS = (Drawing.PASEO, Drawing.PASEO_BRG)


def staged_scenes(folder: Path, seed: int) -> list[Scene]:
    """Synthetic scenes; their pictures are read from the folder when they are looked at."""
    make_dataset(folder / "scenes", seed=seed)
    scenes = open_scenes(folder / "scenes")
    return [scenes.read(id) for id in scenes.ids]


def crowds(seed: int) -> list[Scene]:
    """Thirteen people within 4 m of each other: their discs overlap all the time."""
    rng, times = np.random.default_rng(seed), np.arange(TIMING.frames)[:, None] * TIMING.period
    scenes = []
    for count in range(CROWDS):
        starts, velocities = rng.uniform((1, -2), (5, 2), (13, 2)), rng.normal(0, 0.7, (13, 2))
        people = {number: start + times * velocity for number, (start, velocity)
                  in enumerate(zip(starts, velocities, strict=True), start=1)}  # fmt: skip
        ahead = np.hstack([times * rng.uniform(0.3, 1.4), np.zeros((TIMING.frames, 2))])
        scenes.append(staged(people, robot=ahead, id=f"crowd-{count}"))
    return scenes


def drawn_by_matplotlib(scene: Scene) -> Scene:
    composites = []
    for frame in range(TIMING.frames):
        below = original_birdseye(scene, frame)
        picture, packed = (
            np.concatenate([np.full((720, 1280, 3), 128, np.uint8), below]),
            io.BytesIO(),
        )
        Image.fromarray(picture).save(packed, "PNG", compress_level=1)
        composites.append(packed.getvalue())
    return replace(scene, composites=tuple(composites))


def gaps(scene: Scene, seen: Sighting) -> Iterator[float]:
    """Metres from each mark to where it was read; NaN where it was not."""
    pairs = [(scene.robot[:, :2], seen.robot[:, :2]), (np.array([scene.goal]), seen.goal[None])]
    pairs += [(each.positions, seen.people[each.number]) for each in scene.people]
    for true, found in pairs:
        yield from np.hypot(*(found - true)[~np.isnan(true[:, 0])].T).tolist()


def measured(scenes: list[Scene], drawing: Drawing, reader: Engine) -> bool:
    """Print one drawing's numbers; whether they are as wanted."""
    begin = time.process_time()
    sightings = [pictured_sighting(scene, drawing, reader) for scene in scenes]
    each_s = (time.process_time() - begin) / len(scenes)
    away = [gap for pair in zip(scenes, sightings, strict=True) for gap in gaps(*pair)]
    found = float(np.mean(np.array(away) <= NEAR))
    tracks = rules_sheet(scenes, source=Source.TRACKS)
    pictures = rules_sheet(scenes, source=Source.PICTURES, drawing=drawing, engine=reader.name)
    differing, _ = apart(tracks, pictures)
    alike = 1 - len(differing) / len(tracks.answers)
    name = "matplotlib" if drawing is Drawing.DATASET else drawing.value
    print(f"{name}: {found:.1%} of {len(away)} marks within {NEAR} m (median off by "
          f"{np.nanmedian(away):.3f} m), {alike:.1%} of {len(tracks.answers)} answers alike, "
          f"{each_s:.1f} s per scene")  # fmt: skip
    for one in differing:
        print(f"  {one.scene} {one.key}: tracks {one.first}, pictures {one.second}")
    return found >= WANTED and alike >= WANTED and each_s <= LIMIT_S


def main() -> int:
    parser = argparse.ArgumentParser(description="OCR of bird's-eye pictures against tracks")
    parser.add_argument("--engine", choices=sorted(ENGINES), default="rapidocr")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    reader, good = engine(options.engine), []
    with tempfile.TemporaryDirectory() as folder:
        staged_ones = staged_scenes(Path(folder), options.seed)
        for title, scenes in (("synthetic", staged_ones), ("crowded", crowds(options.seed))):
            print(f"{title} scenes, read by {reader.name}")
            good += [measured(scenes, drawing, reader) for drawing in OURS]
            theirs = [drawn_by_matplotlib(scene) for scene in scenes]
            good.append(measured(theirs, Drawing.DATASET, reader))
    return int(not all(good))


if __name__ == "__main__":
    sys.exit(main())
