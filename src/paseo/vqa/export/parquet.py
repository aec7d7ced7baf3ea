"""Scenes and questions as two tables that any harness reads; needs the extra `parquet`."""

import json
from pathlib import Path
from typing import Any

from paseo.errors import require
from paseo.files import draft_folder
from paseo.vqa.export.card import parquet_card
from paseo.vqa.export.edition import Edition, Exhibit, ExportTally, Item

SCENES, QUESTIONS = "data/scenes.parquet", "data/questions.parquet"
# Hugging Face's `datasets` reads this from the file and decodes the pictures.
IMAGES = {"images": {"feature": {"_type": "Image"}, "_type": "Sequence"}}
ENDING = {"image/jpeg": "jpg", "image/png": "png"}


def export_parquet(edition: Edition, out: Path, tally: ExportTally) -> None:
    """Write `data/*.parquet` and a card into a new folder, a group of rows for each scene."""
    arrow, parquet = _arrow()
    scenes, questions = _schemas(arrow)
    with draft_folder(out) as draft:
        (draft / "data").mkdir()
        # JPEGs are packed already; the other columns are not worth a slower codec.
        with (
            parquet.ParquetWriter(
                draft / SCENES, scenes, compression="none", use_dictionary=False
            ) as shown,
            parquet.ParquetWriter(draft / QUESTIONS, questions, compression="snappy") as asked,
        ):
            for each in tally.kept(edition.exhibits()):
                shown.write_table(arrow.Table.from_pylist([_scene_row(each)], schema=scenes))
                rows = [_question_row(item) for item in each.items]
                asked.write_table(arrow.Table.from_pylist(rows, schema=questions))
        files = [draft / QUESTIONS, draft / SCENES]
        card = parquet_card(edition, tally, files=files, made_with=f"pyarrow {arrow.__version__}")
        (draft / "README.md").write_text(card, encoding="utf-8", newline="\n")


def _arrow() -> tuple[Any, Any]:
    names = ("pyarrow", "pyarrow.parquet")
    arrow, parquet = (
        require(name, "parquet", "writes Parquet files", package="pyarrow") for name in names
    )
    return arrow, parquet


def _schemas(arrow: Any) -> tuple[Any, Any]:
    """Of the scenes and of the questions."""
    text, texts = arrow.string(), arrow.list_(arrow.string())
    image = arrow.struct({"bytes": arrow.binary(), "path": text})
    scenes = {
        "scene": text,
        "people": arrow.list_(arrow.int32()),
        "fps": arrow.float64(),
        "images": arrow.list_(image),
        "sha256": text,
    }
    questions = {
        "id": text,
        "scene": text,
        "person": arrow.int32(),
        "key": text,
        "reasoning": text,
        "prompt": text,
        "choices": texts,
        "select_many": arrow.bool_(),
        "needs": texts,
        "options": arrow.list_(texts),
        "votes": arrow.list_(arrow.int32()),
    }
    features = json.dumps({"info": {"features": IMAGES}})
    return (
        arrow.schema(scenes.items(), metadata={"huggingface": features}),
        arrow.schema(questions.items()),
    )


def _scene_row(exhibit: Exhibit) -> dict[str, object]:
    images = [
        {"bytes": each.content, "path": f"{exhibit.scene}_{k}.{ENDING[each.media_type]}"}
        for k, each in enumerate(exhibit.pictures)
    ]
    return {
        "scene": exhibit.scene,
        "people": exhibit.people,
        "fps": exhibit.timing.rate,
        "images": images,
        "sha256": exhibit.hash,
    }


def _question_row(item: Item) -> dict[str, object]:
    question, kind = item.question, item.question.kind
    return {
        "id": item.id,
        "scene": question.scene,
        "person": question.person,
        "key": question.key,
        "reasoning": kind.category,
        "prompt": item.prompt,
        "choices": kind.choices,
        "select_many": kind.select_many,
        "needs": question.needs,
        "options": kind.options,
        "votes": item.votes,
    }
