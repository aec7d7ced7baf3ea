"""Who was kept and why, as rows of a table."""

import io
from collections.abc import Iterable, Sequence
from pathlib import Path

from paseo.files import draft, make_folder_of
from paseo.survey.screening.findings import Finding, Rule, Screened
from paseo.text import write_csv

Row = tuple[object, ...]
HEADER = (
    "person", "stage", "kept", "left_out_by", "like",
    "checks_failed", "checks", "seconds_per_question", "pages",
    "same_position", "questions_with_others", "agreement", "agreement_questions",
    "alike", "alike_questions", "consistency", "shown_twice",
)  # fmt: skip


def csv_rows(people: Iterable[Screened]) -> list[Row]:
    """Everybody with all numbers, empty where there was too little to go on, under a header."""
    return [HEADER, *(_row(each) for each in people)]


def _row(each: Screened) -> Row:
    numbers: list[object] = []
    for rule in Rule:
        numbers += _cells(each.findings.get(rule))
    like = "; ".join(finding.whom for finding in each.findings.values() if finding.whom)
    by = "; ".join(rule.value for rule in each.out_by)
    conduct = each.conduct
    return (conduct.name, conduct.stage.value, "yes" if each.kept else "no", by, like, *numbers)


def _cells(finding: Finding | None) -> Sequence[object]:
    if finding is None:
        return ("", "")
    return ("" if finding.value is None else f"{finding.value:.4g}", finding.rests_on)


def written(path: Path, rows: Iterable[Row]) -> None:
    """Write rows as a CSV file that only its owner may read: it may tell who people are."""
    stream = io.StringIO()
    write_csv(stream, rows)
    make_folder_of(path)
    with draft(path) as beside:
        beside.chmod(0o600)
        beside.write_bytes(stream.getvalue().encode("utf-8", "replace"))
