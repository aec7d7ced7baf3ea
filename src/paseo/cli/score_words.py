"""The words after `paseo score`."""

import argparse
from pathlib import Path

from paseo.cli.arguments import Commands, add_command, natural


def add_score_command(commands: Commands) -> None:
    """`paseo score`."""
    score = add_command(
        commands, "score", "hold models' answers against people's", "scoring", "score"
    )
    score.add_argument(
        "sheets",
        type=Path,
        nargs="*",
        metavar="DIR",
        help="exams, folders of <scene>.json, or logs of inspect_ai",
    )
    score.add_argument(
        "--labels",
        type=Path,
        metavar="DIR",
        help="people's answers: a data set, or its human_labels (default: --scenes, else those of "
        "the exam's scenes, else socialnav-sub as fetched)",
    )
    score.add_argument(
        "--scenes", type=Path, metavar="DIR", help="score rule-based answers to these scenes, too"
    )
    score.add_argument(
        "--ocr",
        choices=["rapidocr", "tesseract", "none"],
        default="rapidocr",
        help="what reads the pictures of --scenes for the rules (default: rapidocr)",
    )
    score.add_argument(
        "--variant",
        choices=["definition", "published"],
        default="definition",
        help="by the paper's equation, or as its program computes (default: definition)",
    )
    score.add_argument("--format", choices=["markdown", "csv", "latex", "json"], default="markdown")
    score.add_argument(
        "--brief", action="store_true", help="only the layout of the paper's Table I"
    )
    score.add_argument(
        "--margin",
        type=_margin,
        default=0.05,
        metavar="PA",
        help="how far from one more person counts as equally good (default: 0.05)",
    )
    score.add_argument("--seed", type=natural, default=0, metavar="N", help="of the bootstrap")


def _margin(text: str) -> float:
    try:
        margin = float(text)
    except ValueError:
        margin = 0.0
    if not 0 < margin < 1:
        raise argparse.ArgumentTypeError(f"expected a number between 0 and 1, not '{text[:40]}'")
    return margin
