"""`paseo survey screen`."""

import argparse
import shlex
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

from paseo.cli.arguments import Commands, add_command
from paseo.cli.screen import json_text, output, say

if TYPE_CHECKING:
    from paseo.survey.export.exporting import ExportedStudy
    from paseo.survey.screening.screening import Screening

MODULE = "vqa.screening"
NAMES = {  # of columns, by the rule
    "checks": "checks failed", "speed": "s/question", "position": "same position",
    "agreement": "agreement", "twice": "alike", "consistency": "consistency",
}  # fmt: skip
LIMITS = {
    "checks": "{rules.checks_failed} or more checks failed",
    "speed": "below {rules.seconds_per_question:g} s per question",
    "position": "same position above {rules.same_position:g} (0 as the others, 1 always)",
    "agreement": "agreement below {rules.agreement:g} (1 as everybody, 0 by chance)",
    "twice": "alike above {rules.alike:g} with somebody before",
    "consistency": "consistency below {rules.consistency:g} (of what was shown twice: 1 the same, "
    "0 by chance)",
}
WIDTH = 100  # letters in a line of words


def add_screen(words: Commands) -> None:
    """`paseo survey screen`."""
    screen = add_command(words, "screen", "tell whose answers are kept, and why", MODULE, "screen")
    screen.add_argument("study", type=Path, metavar="STUDY", help="the folder of a study")
    screen.add_argument("--json", action="store_true", help="for a program")
    screen.add_argument(
        "--csv", dest="table", type=Path, metavar="FILE", help="also write the table as CSV"
    )
    screen.add_argument(
        "--reasons",
        type=Path,
        metavar="FILE",
        help="also write what to tell who is left out, in the length Prolific asks for, as CSV",
    )
    screen.add_argument(
        "--with-ids", action="store_true", help="also who they are, in the file of reasons"
    )


def screen(options: argparse.Namespace) -> int:
    """Print everybody with what the rules say of them."""
    from paseo.survey.screening.screening import screen_study

    found = screen_study(
        options.study, table=options.table, reasons=options.reasons, with_ids=options.with_ids
    )
    if options.json:
        output(json_text(_content(found)))
        return 0
    _print(found, options.study)
    if options.reasons:
        say("these reasons follow stored copies of Prolific's rules; check the current ones")
    return 0


def say_left_out(done: "ExportedStudy") -> None:
    """Tell how many are not in the labels, and by which rule."""
    if done.screened:
        by = ", ".join(f"{count} {rule.value}" for rule, count in done.by_rule.items())
        say(f"left out {done.screened} people who are screened out, by: {by}")
    elif done.failed:
        say(f"left out {done.failed} people who failed both attention checks")


def _print(found: "Screening", study: Path) -> None:
    from paseo.report.table import Cell, text_table

    rows: list[list[Cell]] = []
    for each in found.people:
        checks, *others = (each.findings.get(rule) for rule in found.by)
        row: list[Cell] = [each.conduct.name, each.conduct.stage.value, _yes(each.kept)]
        row.append(", ".join(rule.value for rule in each.out_by) or None)
        row.append(f"{each.conduct.failed} of {checks.rests_on}" if checks else None)
        row += [finding.value if finding else None for finding in others]
        rows.append([*row, len(each.conduct.replies)])
    if rows:
        names = [NAMES[rule.value] for rule in found.by]
        output(text_table(("person", "stage", "kept", "left out by", *names, "questions"), rows))
    else:
        output("nobody has answered anything yet")
    output("\n" + _limits(found))
    out = len(found.left_out)
    output(f"{len(rows) - out} of {len(rows)} people are kept; nothing is deleted")
    if found.silent:
        output(f"{found.silent} more have given no answer, or have withdrawn")
    say(f"change the rules in {shlex.quote(str(study / 'study.toml'))}, section [screening]")


def _limits(found: "Screening") -> str:
    told = [LIMITS[rule.value].format(rules=found.rules) for rule in found.by]
    return fill(f"left out: {', '.join(told)}; - is too little to go on", WIDTH)


def _yes(kept: bool) -> str:
    return "yes" if kept else "no"


def _content(found: "Screening") -> dict[str, Any]:
    people = [
        {
            "person": each.conduct.name,
            "stage": each.conduct.stage.value,
            "kept": each.kept,
            "left_out_by": [rule.value for rule in each.out_by],
            "findings": {
                rule.value: {
                    "value": finding.value,
                    "limit": finding.limit,
                    "rests_on": finding.rests_on,
                    "out": finding.out,
                    **({"like": finding.whom} if finding.whom else {}),
                }
                for rule, finding in each.findings.items()
            },
        }
        for each in found.people
    ]
    rules = {name: getattr(found.rules, name) for name in found.rules.__struct_fields__}
    counts = {rule.value: count for rule, count in found.by_rule.items()}
    return {"rules": rules, "people": people, "left_out_by": counts, "silent": found.silent}
