"""How long it takes to cut scenes with pictures out of the original episodes.

    PASEO_DATA=DIR python benchmarks/vqa/moments.py [--count 24] [--wanted 300] [--most-s 600]

Finds the moments of socnavbench-33 (without recordings: paseo-33) and chooses as many as wanted,
which takes the same time however many are filmed; films some of them with SocialNav-SUB's camera
on all cores; and says how long all that are wanted would take. Fails above the limit.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from paseo.camera.lens.presets import preset
from paseo.camera.view import prepare
from paseo.data.scenes.socialnavsub import TIMING
from paseo.data.scenes.writing import write_all
from paseo.data.store.locations import DataFolder, data_dir
from paseo.moments.candidates import moments_of, sighted
from paseo.moments.choosing import chosen_moments
from paseo.moments.filming import filmed
from paseo.moments.scenes import scene_of
from paseo.moments.sources import source_of
from paseo.pipeline.mining.fitness import DATASET, make_fitness
from paseo.pipeline.mining.goals import GoalRule
from paseo.pipeline.mining.layout import recorded_files
from paseo.vqa.geometry.rules import Rulebook


def main() -> int:
    """Print seconds by part, and the ratio to the limit."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=24)
    options.add_argument("--wanted", type=int, default=300)
    options.add_argument("--most-s", type=float, default=600.0)
    given = options.parse_args()
    has_recordings = DataFolder(data_dir()).knows("eth") and (data_dir() / "ethucy").is_dir()
    suite = "socnavbench-33" if has_recordings else "paseo-33"
    camera, fitness = preset("socialnavsub"), make_fitness(DATASET)
    begin = time.monotonic()
    ridden, offered = set(), []
    for stage in source_of(suite, TIMING.period).found:
        for rider in stage.riders:
            if (rider.identity, stage.floorplan.name) not in ridden:
                ridden.add((rider.identity, stage.floorplan.name))
                offered += moments_of(sighted(stage, rider, camera), TIMING, fitness, GoalRule())
    chosen = chosen_moments(offered, given.wanted, seed=0, rules=Rulebook())
    found = time.monotonic()
    prepare()
    some = chosen[:: max(1, len(chosen) // given.count)][: given.count]
    filming = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for each in filmed(some, camera):
            scene = scene_of(each, Rulebook())
            if scene is not None:
                write_all(Path(folder), recorded_files(scene.mined, each.pictures))
                write_all(Path(folder), scene.truth_files())
    per_scene = (time.monotonic() - filming) / len(some)
    whole = found - begin + per_scene * given.wanted
    print(
        f"{suite}: {len(chosen)} scenes chosen of {len(offered)} moments in {found - begin:.0f} s"
    )
    print(f"filmed and written: {per_scene:.2f} s a scene ({len(some)} scenes)")
    print(f"{given.wanted} scenes: {whole:.0f} s, {whole / given.most_s:.2f} of the limit of "
          f"{given.most_s:g} s")  # fmt: skip
    return int(whole > given.most_s or len(chosen) < given.wanted)


if __name__ == "__main__":
    sys.exit(main())
