"""`paseo survey export` as a function: labels, answers by person, and a card."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from paseo.errors import InputError
from paseo.files import draft_folder, write_whole
from paseo.survey.export.card import data_card
from paseo.survey.export.labels import common_answers, raw_answers, sample_list
from paseo.survey.export.people import PRIVATE, csv_bytes, study_census, write_private
from paseo.survey.screening.findings import Rule
from paseo.survey.screening.screening import screened_study
from paseo.survey.screening.table import csv_rows
from paseo.survey.store.content import StudyContent, pages_of, read_content
from paseo.survey.store.people import Stage
from paseo.survey.study.folder import Study, open_study
from paseo.survey.votes import Sheets, sheets_so_far
from paseo.vqa.questions.own import OWN, questions_bytes
from paseo.vqa.questions.votes import FILE, FOLDER, RAW_FILE

COLUMNS = (
    "person", "stage", "scene", "finished", "question", "answer", "wanted", "on_page_s", "time_s",
    "changes",
)  # fmt: skip
SEPARATOR = "; "


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedStudy:
    """What was exported."""

    people: int  # whose answers are in the labels
    scenes: int
    lacking: tuple[str, ...]  # scenes that nobody has finished
    failed: int  # people whom the study sent away, because they failed both checks
    screened: int  # people who were screened out, those among them
    by_rule: Mapping[Rule, int]  # how many of them by which rule


def export_study(
    folder: Path, out: Path, *, with_ids: bool = False, everybody: bool = False
) -> ExportedStudy:
    """Write what people answered into a new folder that `paseo score` reads as labels.

    Who is screened out is in no label, but for `everybody`, which keeps all but those who failed
    both attention checks. Ids of people and their remarks, which may name somebody, are written
    only `with_ids`, into a folder of their own.
    """
    study = open_study(folder)
    content = read_content(study)
    found = screened_study(study, content)
    left_out = frozenset[str]() if everybody else found.left_out
    sheets = sheets_so_far(study, content, left_out=left_out)
    if not sheets:
        others = f" beside the {len(left_out)} screened out" if left_out else ""
        raise InputError(f"{folder}: nobody{others} has finished a scene yet; export it later")
    names = {name for scene in sheets.values() for name in scene}
    with draft_folder(out) as draft:
        _write_labels(draft / FOLDER, study, sheets)
        if (own := study.about_scenes.own) is not None:
            write_whole(draft / OWN, questions_bytes(own))
        write_whole(draft / "answers.csv", csv_bytes([COLUMNS, *_rows(study, content)]))
        write_whole(draft / "screening.csv", csv_bytes(csv_rows(found.people)))
        people = {scene: len(each) for scene, each in sheets.items()}
        card = data_card(study, study_census(study, content, found, left_out), people)
        write_whole(draft / "README.md", card.encode("utf-8", "replace"))
        if with_ids:
            write_private(draft / PRIVATE, content)
    return ExportedStudy(
        people=len(names),
        scenes=len(sheets),
        lacking=tuple(scene for scene in study.scenes if scene not in sheets),
        failed=sum(each.stage is Stage.FAILED for each in content.people),
        screened=len(left_out),
        by_rule={} if everybody else found.by_rule,
    )


def _write_labels(folder: Path, study: Study, sheets: Sheets) -> None:
    for name, scene_sheets in sheets.items():
        asked, place = study.about_scenes.asked(name), folder / name
        place.mkdir(parents=True)
        write_whole(place / FILE, _json(common_answers(asked, scene_sheets)))
        write_whole(place / RAW_FILE, _json(raw_answers(asked, scene_sheets)))
    listed = sample_list(study.scenes[name] for name in sheets)
    if listed is not None:
        write_whole(folder / "sample_info.json", _json(listed))


def _rows(study: Study, content: StudyContent) -> Iterable[tuple[object, ...]]:
    """Every last answer, with who gave it and when."""
    people = {each.number: each for each in content.people}
    wanted = {
        (person.number, step.check.key): step.check.choice
        for person in content.people
        for step in pages_of(study, content, person)
        if step.check
    }
    for each in sorted(content.answers, key=lambda a: (people[a.person].name, a.time_s)):
        person = people[each.person]
        yield (
            person.name,
            person.stage.value,
            each.scene,
            "yes" if content.places.get(each.person, {}).get(each.scene) is not None else "no",
            each.question,
            SEPARATOR.join(each.option),
            wanted.get((each.person, each.question), ""),
            round(each.on_page, 3),
            round(each.time_s - person.arrived_s, 3),
            each.changes,
        )


def _json(content: object) -> bytes:
    return json.dumps(content, indent=1).encode() + b"\n"
