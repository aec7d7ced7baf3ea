"""`paseo plot`."""

import argparse
import sys
from pathlib import Path

import numpy as np
from tqdm import tqdm

from paseo.errors import CannotWrite
from paseo.metrics.comparison.comparison import compare
from paseo.metrics.record.catalog import METRICS
from paseo.render.figures.saving import drawing
from paseo.render.raster.palette import THEMES
from paseo.report.walk.plots import SAMPLED, plots, save_captions, save_plot
from paseo.suite.measuring import measured_runs


def plot(options: argparse.Namespace) -> int:
    """Save every plot, and print where."""
    theme = THEMES[options.theme]
    with drawing(theme):  # whether that is possible at all
        measured = measured_runs(options.runs, METRICS, keep=SAMPLED)
    _make_folder(options.out)
    comparison = compare(measured, np.random.default_rng(0))
    chosen = plots(measured, comparison, theme=theme)
    with tqdm(chosen, unit="plot", disable=None, file=sys.stderr) as bar:
        saved = [path for each in bar for path in save_plot(each, options.out, theme=theme)]
    saved.append(save_captions(chosen, options.out))
    print("\n".join(map(str, saved)))
    return 0


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(
            f"{folder}: no folder can be made there ({error.strerror}); choose another --out"
        ) from error
