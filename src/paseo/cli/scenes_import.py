"""`paseo scenes import`."""

import argparse
import sys

from paseo.data.scenes.clips import cut_scene
from paseo.data.scenes.scene_file import write_scene


def bring(options: argparse.Namespace) -> int:
    """Make a clip and its tracks a scene."""
    cut = cut_scene(options.clip, options.tracks)
    place = write_scene(cut.scene, options.out)
    if cut.left_out:
        numbers = ", ".join(str(number) for number in cut.left_out)
        _say(f"not in these 2.5 s and left out: person {numbers}")
    who = f"{len(cut.scene.people)} of {len(cut.scene.people) + len(cut.left_out)} people are in it"
    look = f"paseo scenes show {cut.scene.id} --scenes {options.out} --out FILE.png"
    _say(f"{who}; look with `{look}`")
    print(place)
    return 0


def _say(message: str) -> None:
    print(f"paseo: {message}", file=sys.stderr)
