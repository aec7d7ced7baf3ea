"""`paseo ask`, from scenes to an exam that can be scored."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exams import replies, scene_folder
from model_servers import KEY, Act, model_server
from paseo.cli.main import main
from paseo.vqa.exam.results import exam_sheet

Out = pytest.CaptureFixture[str]


@pytest.fixture
def scenes(tmp_path: Path) -> str:
    return str(scene_folder(tmp_path / "scenes", "yard-1", "yard-2"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "exam"


def ask(scenes: str, out: Path, *words: str, model: str = "scripted/first") -> int:
    return main(["ask", model, "--scenes", scenes, "--images", "grid", "--out", str(out), *words])


def test_an_exam_is_put_stored_and_summed_up(scenes: str, out: Path, capsys: Out) -> None:
    assert ask(scenes, out) == 0
    said = capsys.readouterr().out
    assert "scripted/first: 30 of 30 questions answered\ninvalid answers: 0 (0.0%)" in said
    assert f"next: paseo score {out}" in said
    sheet = exam_sheet(out)
    assert (len(sheet.answers), sheet.drawing, sheet.method) == (30, "paseo", "chain")


def test_a_second_run_costs_nothing_and_needs_no_word_more(
    scenes: str, out: Path, capsys: Out
) -> None:
    ask(scenes, out)
    assert ask(scenes, out) == 0
    said = capsys.readouterr().out
    assert "30 of 30 questions answered, 30 of them before" in said
    assert "requests sent: 0" in said


def test_a_smaller_exam_can_be_extended(scenes: str, out: Path, capsys: Out) -> None:
    assert ask(scenes, out, "--limit", "1") == 0
    assert ask(scenes, out) == 2
    assert "not finished; finish it with --resume" in capsys.readouterr().err
    assert len(json.loads((out / "exam.json").read_text())["scenes"]) == 1
    assert ask(scenes, out, "--resume") == 0
    assert "30 of 30 questions answered, 15 of them before" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--temperature", "0.5"], "temperature was null, now 0.5"),
        (["--method", "independent"], "method was 'chain', now 'independent'"),
        (["--repeats", "2"], "repeats was 1, now 2"),
        (["--set", "delay_s=0"], "delay_s was null, now 0"),
    ],
)
def test_another_exam_in_the_same_folder_is_refused(
    scenes: str, out: Path, capsys: Out, words: list[str], told: str
) -> None:
    ask(scenes, out)
    assert ask(scenes, out, "--resume", *words) == 2
    assert f"holds another exam: {told}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--resume"], "holds no exam to resume"),
        (["--set", "api_key=abc"], "looks like a secret"),
        (["--set", "low"], "expected KEY=VALUE"),
        (["--wording", "dataset"], "the data set's own wording"),
        (["--prices", "none.toml"], "cannot be used as prices"),
        (["--concurrency", "9999"], "expected 1 to 512"),
    ],
)
def test_words_that_make_no_sense_are_told(
    scenes: str, out: Path, capsys: Out, words: list[str], told: str
) -> None:
    assert ask(scenes, out, *words) == 2
    assert told in capsys.readouterr().err
    assert not (out / "exam.json").exists()


@pytest.mark.parametrize(
    "words", [["--rate-limit-rpm", "0"], ["--temperature", "nan"], ["--max-usd", "much"]]
)
def test_numbers_that_make_no_sense_are_told(scenes: str, out: Path, words: list[str]) -> None:
    with pytest.raises(SystemExit):
        ask(scenes, out, *words)


def test_unreadable_scenes_are_named_and_the_others_asked(
    scenes: str, out: Path, capsys: Out
) -> None:
    (Path(scenes) / "yard-2" / "frame_0.jpg").write_bytes(b"no picture")
    assert ask(scenes, out) == 0
    said = capsys.readouterr()
    assert "scene yard-2 is left out: " in said.err
    assert "15 of 15 questions answered" in said.out


def test_a_dry_run_needs_no_key_and_leaves_nothing(
    scenes: str, out: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert ask(scenes, out, "--dry-run", "--together", "5", model="openai/gpt-4o") == 0
    said = capsys.readouterr().out
    assert "questions: 30, requests: 14, pictures sent: 14" in said
    assert "cost, about: $" in said and "prices of" in said
    assert not out.exists()
    assert ask(scenes, out, "--dry-run", model="openai/some-unknown-model") == 0
    assert "cost, about: unknown" in capsys.readouterr().out


def test_a_cap_on_tokens_ends_an_exam_and_tells_how_to_go_on(
    scenes: str, out: Path, capsys: Out
) -> None:
    assert ask(scenes, out, "--max-tokens-total", "10000") == 1
    said = capsys.readouterr()
    assert "stopped before spending more than the limit" in said.err
    assert f"--resume --out {out}" in said.err
    assert 0 < len(replies(out)) < 30


def test_a_model_that_says_nothing_useful_pauses_the_exam(
    scenes: str, out: Path, capsys: Out
) -> None:
    words = ("--repeats", "2", "--method", "independent")
    assert ask(scenes, out, *words, model="scripted/empty") == 1
    assert "50 answers in a row were of no use" in capsys.readouterr().err
    assert ask(scenes, out, *words, "--resume", "--keep-going", model="scripted/empty") == 0
    assert "invalid answers: 60 (100.0%)" in capsys.readouterr().out


@pytest.mark.extra("openai")
def test_hosted_models_are_asked_over_the_wire_and_no_key_reaches_the_disk(
    scenes: str, out: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    with model_server(Act(text='{"answer": "yes"}'), delay_s=0.02, most_at_once=5) as server:
        for name, value in server.environment("openai").items():
            monkeypatch.setenv(name, value)
        assert ask(scenes, out, "--concurrency", "8", "--keep-going", model="openai/tiny-1") == 0
        assert server.asked - server.turned_away == 30
    assert "30 of 30 questions answered" in capsys.readouterr().out
    for file in out.rglob("*"):
        assert KEY.encode() not in file.read_bytes()
        assert server.url.encode() not in file.read_bytes()


def test_a_model_of_ones_own_is_scored_under_its_own_name_not_its_path(
    scenes: str, out: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "from paseo.vlm.scripted import Scripted\n"
        "class Mine(Scripted):\n"
        "    def __init__(self, model, settings):\n"
        "        super().__init__('first', settings)\n"
        "        self.name = 'mine/one'\n"
    )
    assert ask(scenes, out, model=f"{own}:Mine") == 0
    assert exam_sheet(out).model == "mine/one"


@pytest.mark.parametrize(
    ("status", "told"), [(401, "does not accept the key"), (404, "Did you mean 'tiny-1'")]
)
@pytest.mark.extra("openai")
def test_a_wrong_key_or_model_stops_at_once_with_a_sentence(
    scenes: str, out: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch, status: int, told: str
) -> None:
    with model_server(Act(status=status, message="no")) as server:
        for name, value in server.environment("openai").items():
            monkeypatch.setenv(name, value)
        assert ask(scenes, out, "--concurrency", "2", model="openai/tiny-11") == 1
        assert server.asked <= 2
    assert told in capsys.readouterr().err


@pytest.mark.usefixtures("interruptible")
def test_ctrl_c_leaves_an_exam_that_can_be_resumed(scenes: str, out: Path, capsys: Out) -> None:
    delayed = ("--set", "delay_s=0.2", "--concurrency", "1")
    words = ["ask", "scripted/first", "--scenes", scenes, "--images", "grid", "--out", str(out)]
    command = [sys.executable, "-c", "import sys, paseo.cli.main as m; sys.exit(m.main())"]
    process = subprocess.Popen(
        [*command, *words, *delayed], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    while len(replies(out)) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, told = process.communicate()
    assert process.returncode == 130
    assert "stopped; go on with the same words and: --resume" in told
    before = len(replies(out))
    assert 2 <= before < 30
    assert ask(scenes, out, "--resume", "--set", "delay_s=0.2", "--concurrency", "30") == 0
    assert f"30 of 30 questions answered, {before} of them before" in capsys.readouterr().out
