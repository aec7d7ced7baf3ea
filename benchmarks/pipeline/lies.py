"""How often a wrong calibration is found by how people look, and a right one accused.

    python benchmarks/pipeline/lies.py [--drives 12]

Staged drives of 40 s with 20 people, boxes off by 2 pixels: each under its right calibration, and
with one thing wrong. Every finding counts, of speeds and of the horizon too.
"""

import argparse
import math
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support" / "pipeline"))

from paseo.pipeline.locating.lies.findings import plausibility
from paseo.report.table import text_table
from paseo.world.cameras import Camera
from staged_boxes import CAMERA, Cast, Staged, staged

RIGHT, LATE = "nothing", 0.5  # seconds
FIRST_SEED = 300


def wrong_cameras() -> dict[str, tuple[str, Camera]]:
    """What is wrong, the finding that would tell so, and the camera."""
    found = {}
    for by in (-3, 3):
        tilted = replace(CAMERA, pitch=CAMERA.pitch + math.radians(by))
        found[f"pitch by {by} degrees"] = "pitch", tilted
    for by in (0.8, 1.2):
        found[f"height times {by}"] = "height", replace(CAMERA, height=CAMERA.height * by)
    for by in (0.85, 1.15):
        longer = replace(CAMERA, fx=CAMERA.fx * by, fy=CAMERA.fy * by)
        found[f"focal length times {by}"] = "focal", longer
    return found


def findings(stage: Staged, camera: Camera, late: float = 0.0) -> set[str]:
    """The kinds of all findings."""
    odometry = replace(stage.odometry, times=stage.odometry.times + late)
    told = plausibility(odometry, stage.frame_times, stage.seen, camera, tilts=stage.tilts)
    return {each.kind for each in told.findings}


def main() -> None:
    """Print what was found in how many drives."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--drives", type=int, default=12)
    options = parser.parse_args()
    found, others = Counter[str](), dict[str, Counter[str]]()
    for seed in range(FIRST_SEED, FIRST_SEED + options.drives):
        stage = staged(Cast(seed=seed, people=20, seconds=40, body_height_sd=0.09, gait=0.0))
        told = {RIGHT: ("", findings(stage, CAMERA))}
        for name, (kind, camera) in wrong_cameras().items():
            told[name] = kind, findings(stage, camera)
        told[f"clock by {LATE} s"] = "clock", findings(stage, CAMERA, LATE)
        for name, (kind, kinds) in told.items():
            found[name] += kind in kinds
            others.setdefault(name, Counter()).update(kinds - {kind})
    rows = [
        [name, "" if name == RIGHT else f"{found[name]} of {options.drives}",
         ", ".join(f"{kind} in {count}" for kind, count in beside.items())]
        for name, beside in others.items()
    ]  # fmt: skip
    print(text_table(["wrong", "found", "also told"], rows))


if __name__ == "__main__":
    main()
