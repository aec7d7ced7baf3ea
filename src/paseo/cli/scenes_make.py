"""`paseo scenes make`."""

import argparse
import sys

from tqdm import tqdm

from paseo.vqa.synthetic import Profile, make_dataset


def make(options: argparse.Namespace) -> int:
    """Write a synthetic data set in the original's layout and print its folder."""
    make_dataset(
        options.out,
        seed=options.seed,
        profile=Profile.FULL,
        shown=lambda scenes: tqdm(scenes, unit="scene", leave=False, disable=None, file=sys.stderr),
    )
    print(
        "paseo: staged and painted, not recorded; try: "
        f"paseo scenes show 33_Spot_45_228 --scenes {options.out} --out scene.png",
        file=sys.stderr,
    )
    print(options.out)
    return 0
