"""`paseo ask --probe` and `paseo exam probes`."""

import json
from pathlib import Path

import pytest

from exams import replies, small_scene
from paseo.cli.ask_paper import default_folder
from paseo.cli.main import main
from paseo.data.scenes.scene_file import write_scene
from paseo.vqa.exam.plan import ExamFolder
from paseo.vqa.exam.results import exam_sheet
from tiny_scenes import SETTINGS, TRACKS, picture, write_json, write_scene_files

Out = pytest.CaptureFixture[str]
ALL = "mirror,renumber,shuffle"
QUESTIONS = 3 * 15 + 4 * 27  # a scene with one person is not renumbered


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    for number, id in enumerate(("yard-1", "yard-2"), 1):
        write_scene(small_scene(id, people=number, shade=20 * number), tmp_path / "scenes")
    return tmp_path / "scenes"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "exam"


def ask(scenes: Path, out: Path, *words: str, model: str = "scripted/first") -> int:
    fixed = ["--scenes", str(scenes), "--images", "grid", "--out", str(out)]
    return main(["ask", model, *fixed, *words])


def test_probes_are_asked_and_told_at_the_end(scenes: Path, out: Path, capsys: Out) -> None:
    assert ask(scenes, out, "--probe", ALL) == 0
    said = capsys.readouterr().out
    assert f"{QUESTIONS} of {QUESTIONS} questions answered" in said
    assert "| mirror | all | 42 | 100.0 ± 0.0 % |" in said
    assert "| renumber | all | 27 | 100.0 % |" in said
    assert "| shuffle | all | 0 | 0.0 ± 0.0 % |" in said
    assert "| all | 42 | 100.0 ± 0.0 % | 0.0 ± 0.0 % | 100.0 ± 0.0 % |" in said
    assert len(exam_sheet(out).answers) == 42  # what is scored are the plain answers
    page = out.with_name("exam.html")
    assert main(["exam", "show", str(out), "--out", str(page), "--no-pictures"]) == 0
    for words in ("<summary>Symmetry probes</summary>", "mirror, renumber, shuffle", "100.0 %"):
        assert words in page.read_text()


def test_a_second_run_asks_nothing_and_tells_the_same(scenes: Path, out: Path, capsys: Out) -> None:
    ask(scenes, out, "--probe", ALL, "--concurrency", "1")
    first = capsys.readouterr().out
    assert ask(scenes, out, "--probe", "shuffle,renumber,mirror") == 0
    second = capsys.readouterr().out
    assert "requests sent: 0" in second
    assert first[first.index("Symmetry") :] == second[second.index("Symmetry") :]


def test_an_unfinished_exam_tells_what_there_is_and_is_resumed(
    scenes: Path, out: Path, capsys: Out
) -> None:
    words = ("--probe", "shuffle", "--concurrency", "1")
    assert ask(scenes, out, *words, "--max-tokens-total", "40000") == 1
    said = capsys.readouterr().out
    assert "| shuffle | all |" in said and "answers lack the one before or after" in said
    assert 0 < len(replies(out)) < 84
    assert ask(scenes, out, *words, "--resume") == 0
    assert "| shuffle | all | 0 | 0.0 ± 0.0 % | 33.4 % | 42 | 0 |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--probe", "mirror,shuffel"], "no probe is called 'shuffel'. Did you mean 'shuffle'?"),
        (["--probe", ""], "no probe is called ''. Known: mirror, renumber, shuffle"),
        (["--probe", "mirror", "--drawing", "dataset"], "use --drawing paseo"),
    ],
)
def test_probes_that_make_no_sense_are_told(
    scenes: Path, out: Path, capsys: Out, words: list[str], told: str
) -> None:
    assert ask(scenes, out, *words) == 2
    assert told in capsys.readouterr().err
    assert not out.exists()


def test_other_probes_in_the_same_folder_are_refused(scenes: Path, out: Path, capsys: Out) -> None:
    ask(scenes, out)
    assert ask(scenes, out, "--resume", "--probe", "mirror") == 2
    assert "holds another exam: --probe was given otherwise" in capsys.readouterr().err


def test_an_exam_tells_its_probes_in_every_format(scenes: Path, out: Path, capsys: Out) -> None:
    ask(scenes, out, "--probe", "shuffle", "--repeats", "2")
    capsys.readouterr()
    for form, word in (("markdown", "| asked again | all |"), ("csv", "shuffle,all,0"),
                       ("latex", "\\begin{table}")):  # fmt: skip
        assert main(["exam", "probes", str(out), "--format", form]) == 0
        assert word in capsys.readouterr().out
    assert main(["exam", "probes", str(out), "--format", "json"]) == 0
    again, shuffle = json.loads(capsys.readouterr().out)
    assert again["categories"]["all"]["consistent"] == 42
    assert shuffle["categories"]["all"]["changed_wrongly"] == 84


def test_an_exam_without_probes_is_told_so(scenes: Path, out: Path, capsys: Out) -> None:
    ask(scenes, out)
    assert main(["exam", "probes", str(out)]) == 2
    assert "was asked without probes; ask with --probe" in capsys.readouterr().err


def test_pictures_with_marks_of_others_are_drawn_anew_and_that_is_said(
    tmp_path: Path, out: Path, capsys: Out
) -> None:
    root = tmp_path / "set"
    write_scene_files(root, "74_Spot_2_0", {"1": TRACKS["7"]}, first=0)
    (root / "dataset_cfg.yaml").write_text(SETTINGS)
    write_json(root / "prompts/sample_info.json", {"samples": [{"folderpath": "74_Spot_2_0"}]})
    write_json(root / "goal_info.json", {"74_Spot_2/0.jpg": ["", [4000.0, 0]]})
    for k in range(10):
        drawn = root / f"prompts/74_Spot_2_0/sample_with_bev_{k}.png"
        drawn.write_bytes(picture(size=(64, 100), form="PNG"))
    words = ("--wording", "paseo")
    assert ask(root, out, *words, "--probe", "mirror") == 0
    assert "with --probe the drawing is 'paseo'" in capsys.readouterr().err
    plan = ExamFolder(out).plan()
    assert (plan.drawing, plan.variants) == ("paseo", ("", "mirror"))
    assert default_folder(plan).name == "scripted-first-chain-grid-probes"
    assert ask(root, tmp_path / "plain", *words) == 0
    assert ExamFolder(tmp_path / "plain").plan().drawing == "dataset"
