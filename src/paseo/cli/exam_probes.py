"""`paseo exam probes`, and what `paseo ask --probe` prints at its end."""

import argparse
import json
from pathlib import Path

import numpy as np

from paseo.errors import InputError
from paseo.report.exam.probes import as_json, tables
from paseo.report.formats import csv_text, latex, markdown
from paseo.vqa.exam.results import probe_outcomes

LAYOUTS = {"markdown": markdown, "csv": csv_text, "latex": latex}
SEED = 0  # of the draws of scenes


def probes(options: argparse.Namespace) -> int:
    """Print how often answers changed exactly as they must."""
    print(probes_text(options.exam, options.format))
    return 0


def probes_text(exam: Path, form: str = "markdown") -> str:
    """What the probes of an exam found."""
    found = probe_outcomes(exam, np.random.default_rng(SEED))
    if not found:
        raise InputError(f"{exam}: was asked without probes; ask with --probe into another --out")
    if form == "json":
        return json.dumps(as_json(found), indent=1, allow_nan=False)
    return LAYOUTS[form](tables(found)).rstrip()
