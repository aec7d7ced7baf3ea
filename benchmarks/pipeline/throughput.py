"""How long it takes to place, smooth and mine a long drive, the detector apart.

    python benchmarks/pipeline/throughput.py [--frames 10000] [--most-s 60]

A staged drive at 30 frames a second with eight people in a frame on average, boxes without
pictures. Prints seconds of the processor for each part, with code that is compiled already. Fails
above the limit, or with fewer boxes than that.
"""

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support" / "pipeline"))

from paseo.pipeline.locating.placing import located
from paseo.pipeline.mining.cutting import CuttingOptions, mined_scenes
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.smoother import smooth
from paseo.report.table import text_table
from staged_boxes import Cast, Staged, staged

FPS, IN_FRAME = 30.0, 8
PER_SECOND = 2.4  # people who come: each is there for 8 s, and seen for somewhat over half of it


def measured(stage: Staged) -> tuple[dict[str, float], str]:
    """Seconds of the processor by part, and what came out."""
    begin = time.process_time()
    found = located(stage.odometry, stage.frame_times, stage.seen, stage.camera)
    placed = time.process_time()
    tracks = smooth(found.places, times=stage.frame_times)
    smoothed = time.process_time()
    whole = Reconstruction(
        name=stage.name,
        camera=stage.camera,
        odometry=stage.odometry,
        frame_times=stage.frame_times,
        seen={frame.number: frame for frame in stage.seen},
        tracks=tracks,
    )
    scenes = mined_scenes(whole, CuttingOptions())
    spent = {
        "location": placed - begin,
        "smoothing": smoothed - placed,
        "mining": time.process_time() - smoothed,
    }
    return spent, f"{len(tracks)} tracks, {len(scenes)} scenes"


def main() -> int:
    """Print the table; 1 if it took too long."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--frames", type=int, default=10_000)
    parser.add_argument("--most-s", type=float, default=60.0)
    options = parser.parse_args()
    seconds = options.frames / FPS
    stage = staged(Cast(seconds=seconds, people=round(PER_SECOND * seconds), fps=FPS))
    boxes = sum(len(frame.people) for frame in stage.seen)
    few = staged(Cast(seconds=4, people=6))
    smooth(located(few.odometry, few.frame_times, few.seen, few.camera).places)  # compiled before
    spent, made = measured(stage)
    total = sum(spent.values())
    print(f"{len(stage.frame_times):,} frames, {boxes:,} boxes, {made}; seconds of the processor:")
    rows = [[name, f"{each:.1f}"] for name, each in spent.items()]
    print(
        text_table(
            ["", "s"], [*rows, ["together", f"{total:.1f}"], ["at most", f"{options.most_s:g}"]]
        )
    )
    return int(total > options.most_s or boxes < IN_FRAME * options.frames)


if __name__ == "__main__":
    sys.exit(main())
