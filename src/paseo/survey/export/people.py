"""Who took part in a study: counted, and, where it is asked for, named."""

import io
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from paseo.files import write_whole
from paseo.survey.export.card import Census
from paseo.survey.screening.screening import Screening
from paseo.survey.store.content import StudyContent
from paseo.survey.store.people import Stage
from paseo.survey.study.folder import Study
from paseo.text import write_csv

PRIVATE = "private"


def study_census(
    study: Study, content: StudyContent, found: Screening, left_out: frozenset[str]
) -> Census:
    """The people of a study, in numbers; `left_out` are the names of who is left out."""
    stages = Counter(each.stage for each in content.people)
    done = [each for each in content.people if each.stage is Stage.DONE]
    kept = [each for each in done if each.name not in left_out]
    told = [content.endings.get(each.number, ("", {}))[1] for each in kept]
    keys = [trait.key for trait in study.texts.ending.traits]
    failed = {each.conduct.name: each.conduct.failed for each in found.people}
    return Census(
        began=len(content.people),
        done=len(done),
        kept=len(kept),
        judged=len(found.people),
        found=found.by_rule,
        found_out=len(found.left_out),
        everybody=not left_out and bool(found.left_out),
        failed=stages[Stage.FAILED],
        screened=stages[Stage.SCREENED],
        withdrew=stages[Stage.WITHDRAWN],
        one_check=sum(failed.get(each.name, 0) == 1 for each in kept),
        minutes=tuple((each.ended_s - each.arrived_s) / 60 for each in done if each.ended_s),
        traits={key: tuple(each[key] for each in told if key in each) for key in keys},
    )


def write_private(folder: Path, content: StudyContent) -> None:
    """Who people are and what they remarked; for the eyes of who asked them only."""
    folder.mkdir(mode=0o700)
    names = {each.number: each.name for each in content.people}
    stages = {each.number: each.stage.value for each in content.people}
    ids = [
        (names[number], stages[number], who.id, who.study, who.submission)
        for number, who in content.identities.items()
    ]
    header = ("person", "stage", "id", "study", "submission")
    write_whole(folder / "identities.csv", csv_bytes([header, *ids]))
    remarks = [(names[number], remark) for number, (remark, _) in content.endings.items() if remark]
    write_whole(folder / "remarks.csv", csv_bytes([("person", "remark"), *remarks]))


def csv_bytes(rows: Iterable[Iterable[object]]) -> bytes:
    """Rows as the bytes of a file."""
    stream = io.StringIO()
    write_csv(stream, rows)
    return stream.getvalue().encode("utf-8", "replace")
