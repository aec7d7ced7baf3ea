"""`paseo exam show` and `paseo exam probes`."""

import argparse
from pathlib import Path
from typing import Any

from paseo.cli.arguments import Commands, add_command
from paseo.cli.screen import bar, json_text, output, say


def add_exam_commands(commands: Commands) -> None:
    """`paseo exam show` and `paseo exam probes`."""
    text = "look at exams"
    exam = commands.add_parser("exam", help=text, description=text[0].upper() + text[1:] + ".")
    words: Commands = exam.add_subparsers(title="commands", metavar="COMMAND", required=True)
    show = add_command(
        words, "show", "make a web page of all questions and answers", "vqa.exams", "show"
    )
    show.add_argument("exams", type=Path, nargs="+", metavar="DIR", help="one exam, or several")
    show.add_argument("--out", type=Path, required=True, metavar="FILE.html")
    show.add_argument(
        "--scenes", type=Path, metavar="DIR", help="where scenes are now (default: where they were)"
    )
    show.add_argument(
        "--labels", type=Path, metavar="DIR", help="people's answers (default: beside the scenes)"
    )
    show.add_argument(
        "--no-pictures", dest="pictures", action="store_false", help="a small page without scenes"
    )
    probes = add_command(
        words, "probes", "tell how often answers changed as they must", "vqa.exams", "probes"
    )
    probes.add_argument("exam", type=Path, metavar="DIR", help="asked with --probe")
    probes.add_argument(
        "--format", choices=["markdown", "csv", "latex", "json"], default="markdown"
    )


def show(options: argparse.Namespace) -> int:
    """Write the page of an exam, or of several side by side, and print where."""
    from paseo.report.exam.page import write_exam_page
    from paseo.report.exam.several.page import write_exams_page

    with bar("scene") as progress:
        how: dict[str, Any] = {
            "scenes": options.scenes,
            "labels": options.labels,
            "pictures": options.pictures,
            "progress": progress,
        }
        if len(options.exams) == 1:
            notes = write_exam_page(options.exams[0], options.out, **how).notes
        else:
            notes = write_exams_page(options.exams, options.out, **how).notes
    for note in notes:
        say(note)
    output(options.out)
    return 0


def probes(options: argparse.Namespace) -> int:
    """Print how often answers changed exactly as they must."""
    output(probes_text(options.exam, options.format))
    return 0


def probes_text(exam: Path, form: str = "markdown") -> str:
    """What the probes of an exam found."""
    from paseo.report.exam.probes import as_csv, as_json, tables
    from paseo.report.formats import latex, markdown
    from paseo.vqa.exam.results import probe_results

    found = probe_results(exam)
    if form == "json":
        return json_text(as_json(found))
    if form == "csv":
        return as_csv(found).rstrip()
    return {"markdown": markdown, "latex": latex}[form](tables(found)).rstrip()
