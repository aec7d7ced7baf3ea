"""The two tables, read back with pyarrow alone."""

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from PIL import Image

from editions import GOAL, edition, votes
from paseo.errors import BadValue, MissingData, PaseoError
from paseo.vqa.export.edition import Edition, ExportTally
from paseo.vqa.export.parquet import QUESTIONS, SCENES, export_parquet
from paseo.vqa.pictures.pictures import Drawing, Layout

Rows = list[dict[str, Any]]


def exported(chosen: Edition, out: Path) -> tuple[Rows, Rows]:
    export_parquet(chosen, out, ExportTally())
    tables = [pyarrow.parquet.read_table(out / name) for name in (SCENES, QUESTIONS)]
    scenes, questions = (table.to_pylist() for table in tables)
    return scenes, questions


def test_a_harness_can_put_every_question_from_the_two_tables(tmp_path: Path) -> None:
    chosen = edition(tmp_path, labels=votes(tmp_path))
    scenes, questions = exported(chosen, tmp_path / "out")
    assert [row["scene"] for row in scenes] == ["yard-1", "yard-2"]
    assert len({row["id"] for row in questions}) == len(questions) == 30
    by_id = {row["id"]: row for row in questions}
    row = by_id[f"yard-2/{GOAL}"]
    assert row["choices"] == ["ahead", "to the left", "to the right"]
    assert row["options"] == [["ahead"], ["to the left"], ["to the right"]]
    assert row["votes"] == [1, 6, 3] and row["person"] is None and not row["select_many"]
    assert row["reasoning"] == "spatial" and '"to the left"' in row["prompt"]
    moving = by_id["yard-1/q_robot_moving_direction"]
    assert moving["select_many"] and len(moving["options"]) == len(moving["votes"]) == 7
    action = by_id["yard-1/q_robot_action_p1"]
    assert action["person"] == 1 and set(action["needs"]) <= {each["key"] for each in questions}


def test_pictures_stand_once_for_each_scene_as_hugging_face_has_them(tmp_path: Path) -> None:
    (row, _), _ = exported(edition(tmp_path, layout=Layout.FRONT), tmp_path / "out")
    assert [image["path"] for image in row["images"]] == [f"yard-1_{k}.jpg" for k in range(10)]
    sizes = {Image.open(io.BytesIO(image["bytes"])).size for image in row["images"]}
    assert sizes == {(64, 36)} and (row["fps"], row["people"]) == (4.0, [1])
    schema = pyarrow.parquet.read_schema(tmp_path / "out" / SCENES)
    features = json.loads(schema.metadata[b"huggingface"])["info"]["features"]
    assert features["images"]["feature"] == {"_type": "Image"}
    image = pyarrow.struct({"bytes": pyarrow.binary(), "path": pyarrow.string()})
    assert schema.field("images").type == pyarrow.list_(image)


def test_without_labels_there_are_no_votes_in_any_file(tmp_path: Path) -> None:
    _, questions = exported(edition(tmp_path), tmp_path / "out")
    assert {row["votes"] for row in questions} == {None}
    assert "none were given" in (tmp_path / "out/README.md").read_text()


def test_each_scene_is_a_group_of_rows(tmp_path: Path) -> None:
    exported(edition(tmp_path), tmp_path / "out")
    assert pyarrow.parquet.ParquetFile(tmp_path / "out" / SCENES).num_row_groups == 2
    assert pyarrow.parquet.ParquetFile(tmp_path / "out" / QUESTIONS).num_row_groups == 2


def test_the_same_edition_gives_the_same_bytes(tmp_path: Path) -> None:
    chosen = edition(tmp_path, labels=votes(tmp_path))
    for out in ("a", "b"):
        exported(chosen, tmp_path / out)
    names = [path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.*")]
    assert len(names) == 3
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_failed_export_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(MissingData):
        export_parquet(edition(tmp_path, drawing=Drawing.DATASET), tmp_path / "out", ExportTally())
    assert [path.name for path in tmp_path.iterdir()] == ["scenes"]


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    chosen = edition(tmp_path)
    with pytest.raises(BadValue, match="is not an empty folder"):
        export_parquet(chosen, tmp_path / "scenes", ExportTally())


def test_a_missing_pyarrow_is_told_with_the_line_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PaseoError, match=r"pip install 'paseo\[parquet\]'"):
        export_parquet(edition(tmp_path), tmp_path / "out", ExportTally())


def test_the_example_of_the_guide_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exported(edition(tmp_path, labels=votes(tmp_path)), tmp_path / "OUT")
    guide = (Path(__file__).parents[3] / "docs/guides/harnesses.md").read_text()
    (code,) = re.findall(r"```python\n(import pyarrow.*?)```", guide, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102
    assert names["agreement"] == 0.6
    assert names["images"][0].startswith(b"\xff\xd8")
