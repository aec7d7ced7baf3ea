"""The folder of a task: samples, pictures and a program that finds both."""

import json
from pathlib import Path

import pytest

from editions import GOAL, edition, votes
from paseo.errors import BadValue, MissingData
from paseo.vqa.export.edition import Exhibit, ExportTally
from paseo.vqa.export.inspect_folder import export_inspect
from paseo.vqa.pictures.pictures import Drawing, Layout


def test_every_question_is_a_sample_with_the_pictures_of_its_scene(tmp_path: Path) -> None:
    chosen, out = edition(tmp_path, labels=votes(tmp_path), layout=Layout.FRONT), tmp_path / "out"
    export_inspect(chosen, out, ExportTally())
    samples = [json.loads(line) for line in (out / "samples.jsonl").open()]
    assert len(samples) == len({each["id"] for each in samples}) == 30
    sample = next(each for each in samples if each["id"] == f"yard-2/{GOAL}")
    assert sample["votes"] == [1, 6, 3] and sample["reasoning"] == "spatial"
    _, exhibit = chosen.exhibits()
    assert isinstance(exhibit, Exhibit)
    written = [(out / name).read_bytes() for name in sample["images"]]
    assert written == [each.content for each in exhibit.pictures] and len(written) == 10
    assert sample["prompt"] in {item.prompt for item in exhibit.items}


def test_what_tells_rows_of_a_table_apart_lies_beside_the_samples(tmp_path: Path) -> None:
    chosen = edition(tmp_path)
    export_inspect(chosen, tmp_path / "out", ExportTally())
    assert json.loads((tmp_path / "out/edition.json").read_text()) == {
        "method": "independent",
        "images": "grid",
        "drawing": "paseo",
        "wording": f"paseo {chosen.presentation.wording.hash[:8]}",
    }


def test_a_film_is_refused_with_what_to_choose_instead(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match=r"no films; choose front\+bev"):
        export_inspect(edition(tmp_path, layout=Layout.VIDEO), tmp_path / "out", ExportTally())


def test_the_same_edition_gives_the_same_bytes(tmp_path: Path) -> None:
    chosen = edition(tmp_path, labels=votes(tmp_path))
    for out in ("a", "b"):
        export_inspect(chosen, tmp_path / out, ExportTally())
    names = [path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*.*")]
    assert {name.name for name in names} >= {"task.py", "samples.jsonl", "README.md", "0.jpg"}
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_failed_export_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(MissingData):
        export_inspect(edition(tmp_path, drawing=Drawing.DATASET), tmp_path / "out", ExportTally())
    assert [path.name for path in tmp_path.iterdir()] == ["scenes"]
