"""`paseo report`."""

import argparse
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from tqdm import tqdm

from paseo.cli.measuring import chosen_metrics
from paseo.errors import InputError
from paseo.files import draft
from paseo.metrics.comparison.comparison import compare
from paseo.render.figures.saving import drawing
from paseo.render.raster.palette import LIGHT
from paseo.report.walk.plots import SAMPLED
from paseo.report.walk.webpage import webpage
from paseo.suite.measuring import measured_runs
from paseo.suite.runs.rundir import RunDirectory

ENDINGS = (".html", ".htm")


def report(options: argparse.Namespace) -> int:
    """Write the page, and print where."""
    if options.out.suffix.lower() not in ENDINGS:
        raise InputError(f"{options.out}: a report is a web page, expected .html; rename it")
    with drawing(LIGHT):  # whether that is possible at all
        titles = dict.fromkeys(RunDirectory(folder).plan().name for folder in options.runs)
    with draft(options.out) as unfinished:
        unfinished.write_bytes(_page(options, title=", ".join(titles)))
    print(options.out)
    return 0


def _page(options: argparse.Namespace, title: str) -> bytes:
    metrics = chosen_metrics(options)
    with tqdm(unit="part", disable=None, file=sys.stderr, desc="measuring") as bar:
        measured = measured_runs(options.runs, metrics, keep=SAMPLED)
        comparison = compare(measured, np.random.default_rng(0))
        return webpage(measured, comparison, metrics, title=title, progress=_on(bar))


def _on(bar: "tqdm[Any]") -> Callable[[str, int], None]:
    def show(what: str, total: int) -> None:
        bar.total = total
        bar.set_description(what[:24], refresh=False)
        bar.update()

    return show
