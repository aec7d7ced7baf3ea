"""`paseo score`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from paseo.cli.arguments import Commands, Parser, add_command, natural
from paseo.cli.screen import bar, json_text, output, say

if TYPE_CHECKING:
    from paseo.vqa.scores.scorecard import Scorecard


def add_score_command(commands: Commands) -> None:
    """`paseo score`."""
    score = add_command(
        commands, "score", "hold models' answers against people's", "vqa.score", "score"
    )
    score.add_argument(
        "sheets",
        type=Path,
        nargs="*",
        metavar="DIR",
        help="exams, folders of <scene>.json or <scene>/question_answers.json, logs of inspect_ai",
    )
    _add_truth_options(score)
    score.add_argument(
        "--scenes", type=Path, metavar="DIR", help="score rule-based answers to these scenes, too"
    )
    score.add_argument(
        "--ocr",
        choices=["rapidocr", "tesseract", "none"],
        default="rapidocr",
        help="what reads the pictures of --scenes for the rules (default: rapidocr)",
    )
    _add_how(score)


def _add_how(score: Parser) -> None:
    """What scores are computed by, and how they are told."""
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
        "--common",
        action="store_true",
        help="every row over the questions that all models answered",
    )
    score.add_argument(
        "--margin",
        type=_margin,
        default=0.05,
        metavar="PA",
        help="how far from one more person counts as equally good (default: 0.05)",
    )
    score.add_argument("--seed", type=natural, default=0, metavar="N", help="of the bootstrap")


def _add_truth_options(score: Parser) -> None:
    score.add_argument(
        "--labels",
        type=Path,
        metavar="DIR",
        help="people's answers: a data set, or its human_labels (default: --scenes, else those of "
        "the exam's scenes, else socialnav-sub as fetched)",
    )
    score.add_argument(
        "--truth",
        choices=["people", "geometry"],
        help="what answers are held against (default: people, where anybody was asked)",
    )


def score(options: argparse.Namespace) -> int:
    """Print models beside the baselines; without models, the baselines alone."""
    from paseo.report.exam.score_notes import careful, careful_of_rules
    from paseo.vqa.questions.votes import Truth
    from paseo.vqa.scores.marking import Variant
    from paseo.vqa.scores.rows import Over
    from paseo.vqa.scoring import Ocr, ScoreOptions
    from paseo.vqa.scoring import score as scored

    how = ScoreOptions(
        variant=Variant(options.variant),
        margin=options.margin,
        seed=options.seed,
        questions=Over.COMMON if options.common else Over.OWN,
        scenes=options.scenes,
        ocr=None if options.ocr == "none" else Ocr(options.ocr),
        truth=Truth(options.truth) if options.truth else None,
    )
    with bar("scene") as progress:
        card = scored(options.sheets, labels=options.labels, options=how, progress=progress)
    for sentence in (*careful_of_rules(card), *careful(card)):
        say(f"careful: {sentence}")
    models = [each.row.agreement for each in card.rows if each.spending]
    if not options.common and any(bool((row != row).any()) for row in models):  # NaN: no answer
        say("rows are over different questions; --common holds them over the same")
    output(_text(card, options))
    return 0


def _text(card: "Scorecard", options: argparse.Namespace) -> str:
    from paseo.report.exam.score_export import as_json, rows_csv
    from paseo.report.exam.score_notes import notes
    from paseo.report.exam.scores import further_tables, main_table
    from paseo.report.formats import SENTENCES, latex, markdown

    if options.format == "json":
        return json_text(as_json(card) | {"seed": options.seed})
    if options.format == "csv":
        return rows_csv(card, sections=("category",) if options.brief else ()).rstrip()
    layout = {"markdown": markdown, "latex": latex}[options.format]
    sentence, point = SENTENCES[options.format], "- " * (options.format == "markdown")
    words = "\n".join(f"{point}{sentence(line)}" for line in notes(card))
    parts = [layout([main_table(card)]).rstrip(), words]
    if not options.brief:
        parts.append(layout(further_tables(card)))
    return "\n\n".join(parts)


def _margin(text: str) -> float:
    try:
        margin = float(text)
    except ValueError:
        margin = 0.0
    if not 0 < margin < 1:
        raise argparse.ArgumentTypeError(f"expected a number between 0 and 1, not '{text[:40]}'")
    return margin
