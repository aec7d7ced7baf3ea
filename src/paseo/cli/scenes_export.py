"""`paseo scenes export`."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tqdm import tqdm

from paseo.data.scenes.dataset import open_scenes, survey_file
from paseo.errors import MissingData
from paseo.vqa.exam.preparing import survey
from paseo.vqa.export.edition import Edition, Tally
from paseo.vqa.export.inspect_folder import export_inspect
from paseo.vqa.export.parquet import export_parquet
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import Wording, paseo_wording, read_wording
from paseo.vqa.questions.votes import read_labels

EXPORTS = {"parquet": export_parquet, "inspect": export_inspect}


def export(options: argparse.Namespace) -> int:
    """Write scenes and questions for another harness, and print the folder."""
    with _bar("looking through") as bar:
        edition = _edition(options, bar.update)
    with _bar("drawing", total=len(edition.found.scenes)) as bar:
        tally = Tally(bar.update)
        EXPORTS[options.to](edition, options.out, tally)
    for each in tally.unreadable:
        print(f"paseo: left out {each.scene}: {each.reason}", file=sys.stderr)
    for scene, sentences in (edition.labels.defects if edition.labels else {}).items():
        print(f"paseo: no votes on {scene}: {sentences[0]}", file=sys.stderr)
    print(
        f"paseo: {tally.scenes} scenes, {tally.questions} questions, "
        f"{tally.with_votes} of them with votes",
        file=sys.stderr,
    )
    print(options.out)
    return 0


def _bar(doing: str, total: int | None = None) -> "tqdm[Any]":
    return tqdm(desc=doing, total=total, unit="scene", disable=None, leave=False, file=sys.stderr)


def _edition(options: argparse.Namespace, progress: Callable[[], object]) -> Edition:
    folder = open_scenes(options.scenes)
    wording = _wording(options.wording, folder.folder)
    labels = None if options.labels is None else read_labels(options.labels)
    found = survey(folder, limit=options.limit, progress=progress)
    default = Drawing.DATASET if found.all_drawn else Drawing.PASEO
    return Edition(
        folder=folder,
        found=found,
        layout=Layout(options.images),
        drawing=Drawing(options.drawing) if options.drawing else default,
        wording=wording,
        largest_px=options.largest_px,
        labels=labels,
    )


def _wording(wanted: str, folder: Path) -> Wording:
    if wanted == "paseo":
        return paseo_wording()
    file = survey_file(folder)
    if file is None:
        raise MissingData(
            f"{folder}: the data set's own wording, prompts/survey_prompt.json, is not there; "
            "fetch the data set again or use --wording paseo"
        )
    return read_wording(file)
