"""`paseo score`, from folders to tables."""

import csv
import io
import json
import math
import sys
from pathlib import Path

import pytest

from ballots import AFFECTED, GOAL, label_file, write_labels
from exams import small_scene
from paseo.cli.main import main
from paseo.data.scenes.scene_file import write_scene
from paseo.vqa.scores.sheets import Sheet
from paseo.vqa.scoring import read_sheet


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    votes = {AFFECTED: {"yes": 2, "no": 3}}
    return write_labels(tmp_path / "data", {s: label_file(s, **votes) for s in ("a", "b", "c")})


def answers(folder: Path, **said: object) -> str:
    folder.mkdir()
    for scene in "abc":
        (folder / f"{scene}.json").write_text(json.dumps(said))
    return str(folder)


def test_without_models_the_baselines_are_scored(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--labels", str(folder)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Table I.")
    assert "| Baseline | constant answer |" in out
    assert "VLM |" not in out
    assert out.index("Labels: 3 scenes") < out.index("Consensus-weighted PA")


def test_brief_is_the_papers_table_and_its_notes(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--labels", str(folder), "--brief"]) == 0
    out = capsys.readouterr().out
    assert "Labels: 3 scenes" in out
    assert out.count("Category") == 1
    assert "Consensus" not in out


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_models_are_scored_in_every_format(
    folder: Path, tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    models = [answers(tmp_path / name, **{GOAL: "ahead", AFFECTED: said})
              for name, said in (("first", "no"), ("second", "perhaps"))]  # fmt: skip
    assert main(["score", *models, "--labels", str(folder), "--format", form]) == 0
    out = capsys.readouterr().out
    assert out.index("first") < out.index("second")
    assert "second: 3 of 6 answers cannot be read" in out


def test_answers_to_scenes_without_labels_are_told(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "typo"
    answers(model, **{GOAL: "ahead"})
    for scene in "abc":
        (model / f"{scene}.json").rename(model / f"{scene}_1.json")
    assert main(["score", str(model), "--labels", str(folder), "--brief"]) == 0
    printed = capsys.readouterr()
    assert "typo: 3 answered questions have no labels and are all it has" in printed.err
    assert "q_goal_position_begin of scene a_1" in printed.err
    assert "| VLM | typo | - |" in printed.out


def test_a_program_gets_json_and_the_same_for_the_same_seed(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["score", answers(tmp_path / "m", **{AFFECTED: "yes"}), "--labels", str(folder)]
    printed = []
    for _ in range(2):
        assert main([*words, "--format", "json", "--margin", "0.1"]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    content = json.loads(printed[0])
    assert (content["margin"], content["seed"]) == (0.1, 0)
    assert content["rows"][-1]["agreement"]["category"]["all"]["mean"] == pytest.approx(0.4)


def test_the_variant_is_chosen(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for variant, oracle in (("definition", 0.6), ("published", 0.7)):
        words = ["--labels", str(folder), "--variant", variant, "--format", "json"]
        assert main(["score", *words]) == 0
        content = json.loads(capsys.readouterr().out)
        row = content["rows"][0]["agreement"]["question"]["q_robot_affected"]
        assert row["mean"] == pytest.approx(oracle)


def test_a_bad_scene_is_told_and_the_others_scored(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "human_labels/b/common_answers.json").write_text("{")
    assert main(["score", "--labels", str(folder)]) == 0
    printed = capsys.readouterr()
    assert "careful: left out: " in printed.err
    assert "Labels: 2 scenes" in printed.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--labels", "nowhere"], "is no folder, expected people's answers"),
        (["nowhere"], "is no folder, expected an exam or a folder of <scene>.json"),
        (["--margin", "2"], "expected a number between 0 and 1"),
        (["--variant", "other"], "invalid choice"),
    ],
)
def test_wrong_words_get_a_sentence(
    folder: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["score", "--labels", str(folder), *words]
    try:
        code = main(given)
    except SystemExit as stop:
        code = int(stop.code or 0)
    assert code == 2
    assert sentence in capsys.readouterr().err


def test_labels_are_looked_for_where_data_sets_are_fetched_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PASEO_DATA", str(folder.parent))
    folder.rename(folder.with_name("socialnav-sub"))
    assert main(["score"]) == 0
    assert "Labels: 3 scenes" in capsys.readouterr().out


@pytest.fixture(scope="module")
def scenes(staged: Path) -> Path:
    return staged


@pytest.mark.extra("camera")
def test_scenes_bring_their_labels_and_rules_from_tracks(
    scenes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", "--scenes", str(scenes), "--ocr", "none", "--format", "json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert rows["rules (tracks)"]["group"] == "Baseline"
    assert rows["rules (tracks)"]["spending"]["unanswered"] == 0
    assert "rules (pictures)" not in rows


@pytest.mark.extra("camera")
def test_without_an_ocr_engine_the_other_rows_are_scored(
    scenes: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr_onnxruntime", None)
    assert main(["score", "--scenes", str(scenes)]) == 0
    printed = capsys.readouterr()
    assert "no rules (pictures): " in printed.err
    assert "paseo[ocr]" in printed.err
    assert "| Baseline | rules (tracks) |" in printed.out


def test_labels_without_scenes_are_scored_without_rules(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = {"samples": [{"folderpath": "a", "n_people": 1}]}
    (folder / "sample_info.json").write_text(json.dumps(listed))
    assert main(["score", "--scenes", str(folder), "--ocr", "none"]) == 0
    printed = capsys.readouterr()
    assert "no rules for scene a: " in printed.err
    assert "rules" not in printed.out


def test_of_many_scenes_without_rules_only_the_first_are_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = {"samples": [{"folderpath": f"{k}_Spot_0_1"} for k in range(9)]}
    (folder / "sample_info.json").write_text(json.dumps(listed))
    assert main(["score", "--scenes", str(folder), "--ocr", "none", "--brief"]) == 0
    err = capsys.readouterr().err
    assert err.count("no rules for scene ") == 5
    assert "no rules for 4 more scenes" in err


@pytest.mark.extra("camera")
def test_an_exam_and_its_answers_as_files_score_alike(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exam, files = tmp_path / "exam", tmp_path / "files"
    asked = ["ask", "scripted/first", "--scenes", str(scenes), "--images", "front"]
    assert main([*asked, "--out", str(exam)]) == 0
    files.mkdir()
    for scene, answers in by_scene(read_sheet(exam)).items():
        (files / f"{scene}.json").write_text(json.dumps(answers))
    capsys.readouterr()
    words = ["score", str(exam), str(files), "--labels", str(scenes), "--format", "json"]
    assert main(words) == 0
    *_, first, from_exam, from_files = json.loads(capsys.readouterr().out)["rows"]
    assert first["name"] == "always first"
    assert from_exam["agreement"] == from_files["agreement"] == first["agreement"]
    assert from_exam["asked"]["images"] == "front"
    assert from_exam["spending"]["requests"] == from_exam["spending"]["answers"]
    assert main(["score", str(exam), "--format", "json"]) == 0  # the exam knows its scenes
    assert json.loads(capsys.readouterr().out)["labels"] == str(scenes)


def test_an_exam_on_scenes_without_labels_is_told_to_have_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PASEO_DATA", str(tmp_path / "none"))
    write_scene(small_scene("yard", 1), tmp_path / "scenes")
    asked = ["ask", "scripted/first", "--scenes", str(tmp_path / "scenes")]
    assert main([*asked, "--out", str(tmp_path / "exam")]) == 0
    assert main(["score", str(tmp_path / "exam")]) == 2
    assert "exam: no answers of people are beside its scenes" in capsys.readouterr().err


def by_scene(sheet: Sheet) -> dict[str, dict[str, object]]:
    """The raw replies, as somebody else's program may have stored them."""
    found: dict[str, dict[str, object]] = {}
    for (scene, key), (answer,) in sheet.answers.items():
        found.setdefault(scene, {})[key] = answer.raw
    return found


def test_common_holds_every_row_over_the_same_questions(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = answers(tmp_path / "first", **{GOAL: "ahead", AFFECTED: "no"})
    second = answers(tmp_path / "second", **{AFFECTED: "yes"})
    assert main(["score", first, second, "--labels", str(folder), "--brief"]) == 0
    assert "over different questions; --common holds" in capsys.readouterr().err
    assert main(["score", first, second, "--labels", str(folder), "--brief", "--common"]) == 0
    out, talk = capsys.readouterr()
    assert "--common" not in talk
    assert "the 3 of 45 with people's answers that all 2 models answered; baselines, too" in out
    assert out.count("| 3 of 45 |") == 7
    assert "| Baseline | human oracle | 0.600 " in out
    assert "paired table" not in out


def test_csv_is_one_table_of_numbers(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = answers(tmp_path / "first", **{GOAL: "ahead", AFFECTED: "no"})
    assert main(["score", model, "--labels", str(folder), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len({tuple(row) for row in rows}) == 1
    assert not any(None in row or None in row.values() for row in rows)
    words = {"model", "group", "method", "images", "drawing", "wording", "by", "part"}
    for row in rows:
        for name, cell in row.items():
            assert name in words or cell == "" or math.isfinite(float(cell))
    (mine,) = [r for r in rows if r["model"] == "first" and r["part"] == "all"]
    assert float(mine["pa_mean"]) == pytest.approx(0.8)
    assert (mine["questions"], mine["answers"], mine["invalid"]) == ("6", "6", "0")
    assert {row["by"] for row in rows} == {"category", "question", "agreement", "people"}
    assert main(["score", model, "--labels", str(folder), "--format", "csv", "--brief"]) == 0
    brief = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert brief == [row for row in rows if row["by"] == "category"]
