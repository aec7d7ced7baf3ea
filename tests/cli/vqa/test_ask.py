"""`paseo ask`, from scenes to an exam that can be scored; `paseo exam probes` and `exam show`."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from exams import replies, scene_folder, small_scene
from model_servers import KEY, Act, model_server
from paseo.cli.main import main
from paseo.cli.vqa.ask import why_unfinished
from paseo.data.scenes.scene_file import write_scene
from paseo.vqa.exam.asking import default_folder
from paseo.vqa.exam.budget import Ending, Tally
from paseo.vqa.exam.plan import ExamFolder
from paseo.vqa.exam.results import exam_sheet
from paseo.vqa.pictures.pictures import Drawing
from paseo.vqa.questions.methods import Method
from shown_exams import IDS, change_plan, put
from tiny_scenes import SETTINGS, TRACKS, picture, write_json, write_scene_files

Out = pytest.CaptureFixture[str]


@pytest.fixture
def scenes(tmp_path: Path) -> str:
    return str(scene_folder(tmp_path / "scenes", "yard-1", "yard-2"))


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "exam"


def ask(scenes: str | Path, out: Path, *words: str, model: str = "scripted/first") -> int:
    return main(
        ["ask", model, "--scenes", str(scenes), "--images", "grid", "--out", str(out), *words]
    )


def test_an_exam_is_put_stored_and_summed_up(scenes: str, out: Path, capsys: Out) -> None:
    assert ask(scenes, out) == 0
    said = capsys.readouterr().out
    assert "scripted/first: 30 of 30 questions answered\ninvalid answers: 0 (0.0%)" in said
    assert f"next: paseo score {out}" in said
    sheet = exam_sheet(out)
    assert (len(sheet.answers), sheet.drawing, sheet.method) == (30, Drawing.PASEO, Method.CHAIN)


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
        (["--resume"], "holds no exam to go on with; to begin one, omit --resume"),
        (["--set", "api_key=abc"], "--set api_key: looks like a secret"),
        (["--set", 'extra_headers={"X-Lab": "abc"}'], "--set extra_headers: looks like a secret"),
        (["--set", 'a=[{"b": {"Authorization": 1}}]'], "--set a: looks like a secret"),
        (["--set", "user=sk-proj-0123456789abcdef"], "--set user: looks like a secret"),
        (["--set", "low"], "expected KEY=VALUE"),
        (["--wording", "dataset"], "the data set's own words"),
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


def test_the_documented_budget_finishes_the_documented_exam(
    tmp_path: Path, out: Path, capsys: Out
) -> None:
    # As large as SocialNav-SUB's: a square bird's-eye view of 1280 pixels below 1280 x 720.
    frames = tuple(picture(size=(1280, 720)) for _ in range(10))
    write_scene(replace(small_scene("a"), frames=frames), tmp_path / "full")
    words = ["--dry-run", "--images", "front+bev"]
    assert ask(str(tmp_path / "full"), out, *words, model="openai/gpt-4o") == 0
    said = capsys.readouterr().out
    assert "pictures sent: 150, of 491 x 767 pixels" in said
    costs = [float(each) for each in re.findall(r"pixels, at most \d+ on a side: \$([\d.]+)", said)]
    assert len(costs) == 5 and costs == sorted(costs)
    assert "491 x 767 pixels, at most 767 on a side: $" in said and said.count("(as chosen)") == 1
    guide = (Path(__file__).parents[3] / "docs/guides/exams.md").read_text()
    budget = float(
        re.findall(r"paseo ask openai/gpt-4o --max-usd (\d+) --out exams/4o\n", guide)[0]
    )
    (chosen,) = re.findall(r": \$([\d.]+) \(as chosen\)", said)
    whole = 4968 / 15 * float(chosen)
    assert 0.5 * budget < whole < 0.9 * budget  # the answers of a chain are not in the estimate
    assert "months old: check them)" in said
    assert (
        ask(str(tmp_path / "full"), out, *words, "--largest-px", "4096", model="openai/gpt-4o") == 0
    )
    assert "of 1280 x 2000 pixels" in capsys.readouterr().out


@pytest.mark.extra("openai")
def test_replies_are_held_to_the_choices_and_thoughts_are_stored_and_shown(
    scenes: str, out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts = Act(text='{"answer": "yes"}', thoughts="He is near me.")
    with model_server(lambda request: acts) as server:
        for name, value in server.environment("openai").items():
            monkeypatch.setenv(name, value)
        words = ["--structured", "--reasoning-effort", "low", "--limit", "1", "--keep-going"]
        assert ask(scenes, out, *words, model="openai/tiny-1") == 0
        bodies = [request.body for request in server.requests]
        assert ask(scenes, out, "--limit", "1", model="openai/tiny-1") == 2  # another exam
    assert server.faults == []
    assert {body["reasoning_effort"] for body in bodies} == {"low"}
    enums = [
        body["response_format"]["json_schema"]["schema"]["properties"]["answer"] for body in bodies
    ]
    assert sum(each.get("enum") == ["yes", "no"] for each in enums) == 5
    settings = json.loads((out / "exam.json").read_text())["settings"]
    assert settings["structured"] == "schema"
    assert {each.reply.thoughts for each in replies(out) if each.reply} == {"He is near me."}
    page = tmp_path / "page.html"
    assert main(["exam", "show", str(out), "--out", str(page), "--no-pictures"]) == 0
    assert "He is near me." in page.read_text()
    assert "of them thoughts" in page.read_text()


@pytest.mark.parametrize(
    ("model", "words", "told"),
    [
        ("recorded/x", ["--structured"], "cannot be held to a form; leave --structured out"),
        ("gemini/x", ["--structured", "choice"], "only servers of vLLM take a list"),
        ("openai/x", ["--structured", "choice", "--together", "2"], "one question without"),
        ("openai/x", ["--structured", "choice", "--method", "reason"], "one question without"),
        ("scripted/first", ["--reasoning-effort", "low"], "cannot be said in a word"),
    ],
)
def test_forms_and_efforts_that_cannot_be_are_told(
    scenes: str, out: Path, capsys: Out, model: str, words: list[str], told: str
) -> None:
    assert ask(scenes, out, *words, "--dry-run", model=model) == 2
    assert told in capsys.readouterr().err


def test_full_size_goes_on_with_exams_that_had_no_limit(scenes: str, out: Path) -> None:
    assert ask(scenes, out, "--largest-px", "4096") == 0
    assert json.loads((out / "exam.json").read_text())["largest_px"] is None
    assert ask(scenes, out) == 2  # the usual size is another exam


def test_after_an_exam_without_answers_it_is_looked_at_and_not_scored(
    scenes: str, out: Path, tmp_path: Path, capsys: Out
) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "z.json").write_text('{"q_goal_position_begin": "ahead"}')
    ask(scenes, out, model=f"recorded/{tmp_path / 'none'}")
    said = capsys.readouterr().out
    assert "next: paseo exam show" in said
    assert "paseo score" not in said


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
@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, pytest.param(signal.SIGHUP, marks=pytest.mark.slow)]
)
def test_an_exam_that_is_stopped_can_be_resumed(
    scenes: str, out: Path, capsys: Out, number: signal.Signals
) -> None:
    delayed = ("--set", "delay_s=0.2", "--concurrency", "1")
    words = ["ask", "scripted/first", "--scenes", scenes, "--images", "grid", "--out", str(out)]
    command = [sys.executable, "-c", "import sys, paseo.cli.main as m; sys.exit(m.main())"]
    process = subprocess.Popen(
        [*command, *words, *delayed], stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    while len(replies(out)) < 2:
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, number)
    _, told = process.communicate()
    assert process.returncode == 128 + number
    assert "waiting up to 10 s for requests under way" in told
    assert "dropped" not in told, "what is under way has been paid for"
    assert "stopped; go on with the same words and: --resume" in told
    before = len(replies(out))
    assert 2 <= before < 30
    assert ask(scenes, out, "--resume", "--set", "delay_s=0.2", "--concurrency", "30") == 0
    assert f"30 of 30 questions answered, {before} of them before" in capsys.readouterr().out


PROBES = "mirror,renumber,shuffle"
PROBED = 3 * 15 + 4 * 27  # a scene with one person is not renumbered


@pytest.fixture
def crowded(tmp_path: Path) -> Path:
    for number, id in enumerate(("yard-1", "yard-2"), 1):
        write_scene(small_scene(id, people=number, shade=20 * number), tmp_path / "scenes")
    return tmp_path / "scenes"


def test_probes_are_asked_and_told_at_the_end(crowded: Path, out: Path, capsys: Out) -> None:
    assert ask(crowded, out, "--probe", PROBES) == 0
    said = capsys.readouterr().out
    assert f"{PROBED} of {PROBED} questions answered" in said
    assert "| mirror | all | 42 | 100.0 ± 0.0 % |" in said
    assert "| renumber | all | 27 | 100.0 % |" in said
    assert "| shuffle | all | 0 | 0.0 ± 0.0 % |" in said
    assert "| all | 42 | 100.0 ± 0.0 % | 0.0 ± 0.0 % | 100.0 ± 0.0 % |" in said
    assert len(exam_sheet(out).answers) == 42  # what is scored are the plain answers
    page = out.with_name("exam.html")
    assert main(["exam", "show", str(out), "--out", str(page), "--no-pictures"]) == 0
    for words in ("<summary>Symmetry probes</summary>", "mirror, renumber, shuffle", "100.0 %"):
        assert words in page.read_text()


def test_a_second_run_of_probes_asks_nothing_and_tells_the_same(
    crowded: Path, out: Path, capsys: Out
) -> None:
    ask(crowded, out, "--probe", PROBES, "--concurrency", "1")
    first = capsys.readouterr().out
    assert ask(crowded, out, "--probe", "shuffle,renumber,mirror") == 0
    second = capsys.readouterr().out
    assert "requests sent: 0" in second
    assert first[first.index("Symmetry") :] == second[second.index("Symmetry") :]


def test_an_unfinished_exam_tells_what_there_is_and_is_resumed(
    crowded: Path, out: Path, capsys: Out
) -> None:
    words = ("--probe", "shuffle", "--concurrency", "1")
    assert ask(crowded, out, *words, "--max-tokens-total", "40000") == 1
    said = capsys.readouterr().out
    assert "| shuffle | all |" in said and "answers lack the one before or after" in said
    assert 0 < len(replies(out)) < 84
    assert ask(crowded, out, *words, "--resume") == 0
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
    crowded: Path, out: Path, capsys: Out, words: list[str], told: str
) -> None:
    assert ask(crowded, out, *words) == 2
    assert told in capsys.readouterr().err
    assert not out.exists()


def test_other_probes_in_the_same_folder_are_refused(crowded: Path, out: Path, capsys: Out) -> None:
    ask(crowded, out)
    assert ask(crowded, out, "--resume", "--probe", "mirror") == 2
    assert "holds another exam: other probes were asked for" in capsys.readouterr().err


def test_an_exam_tells_its_probes_in_every_format(crowded: Path, out: Path, capsys: Out) -> None:
    ask(crowded, out, "--probe", "shuffle", "--repeats", "2")
    capsys.readouterr()
    for form, word in (("markdown", "| asked again | all |"),
                       ("csv", "shuffle,category,all,84,0,84,0,0.0,"),
                       ("latex", "\\begin{table}")):  # fmt: skip
        assert main(["exam", "probes", str(out), "--format", form]) == 0
        assert word in capsys.readouterr().out
    assert main(["exam", "probes", str(out), "--format", "json"]) == 0
    again, shuffle = json.loads(capsys.readouterr().out)
    assert again["categories"]["all"]["consistent"] == 42
    assert shuffle["categories"]["all"]["changed_wrongly"] == 84


def test_an_exam_without_probes_is_told_so(crowded: Path, out: Path, capsys: Out) -> None:
    ask(crowded, out)
    assert main(["exam", "probes", str(out)]) == 2
    assert "was asked without probes; ask with some, into another --out" in capsys.readouterr().err


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
    assert (plan.drawing, plan.variants) == (Drawing.PASEO, ("", "mirror"))
    assert default_folder(plan).name == "scripted-first-chain-grid-probes"
    assert ask(root, tmp_path / "plain", *words) == 0
    assert ExamFolder(tmp_path / "plain").plan().drawing is Drawing.DATASET


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put(tmp_path_factory.mktemp("exam"), ids=IDS[:1])


def test_an_exam_becomes_one_page_and_prints_where(
    asked: Path, tmp_path: Path, capsys: Out
) -> None:
    out = tmp_path / "exam.html"
    assert main(["exam", "show", str(asked), "--out", str(out)]) == 0
    said, page = capsys.readouterr(), out.read_text()
    assert said.out == f"{out}\n"
    unfinished = "54 of 81 answers have not been given yet"
    assert unfinished in page
    assert f"paseo: {unfinished}" in said.err
    assert 'id="film-2"' in page
    assert [path.name for path in tmp_path.iterdir()] == ["exam.html"]


def test_pictures_of_a_page_may_be_left_out(asked: Path, tmp_path: Path) -> None:
    out = tmp_path / "exam.html"
    assert main(["exam", "show", str(asked), "--out", str(out), "--no-pictures"]) == 0
    assert 'id="film-0"' not in out.read_text()


def test_scenes_and_labels_that_moved_can_be_named(tmp_path: Path) -> None:
    exam, out = put(tmp_path, ids=IDS[:1]), tmp_path / "exam.html"
    change_plan(exam, source=str(tmp_path / "gone"))
    words = ["exam", "show", str(exam), "--out", str(out)]
    assert main([*words, "--labels", str(tmp_path / "scenes")]) == 0
    assert "Agreement with people" in out.read_text()
    assert "The scenes are not on this machine" in out.read_text()
    assert main([*words, "--scenes", str(tmp_path / "scenes"), "--no-pictures"]) == 0
    assert "The scenes are not on this machine" not in out.read_text()


def test_a_page_that_cannot_be_is_told_in_a_sentence(
    asked: Path, tmp_path: Path, capsys: Out
) -> None:
    assert main(["exam", "show", str(asked), "--out", str(tmp_path / "exam.pdf")]) == 2
    assert "exam.pdf: this is a web page, expected .html" in capsys.readouterr().err
    assert main(["exam", "show", str(asked), "--out", str(tmp_path / "no" / "exam.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err
    assert main(["exam", "show", str(tmp_path), "--out", str(tmp_path / "exam.html")]) == 2
    assert "holds no exam; expected a folder that paseo ask made" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("tally", "words"),
    [
        (Tally(), ""),
        (Tally(failed=1), "some questions have no answer"),
        (Tally(ending=Ending.SPENT), "raise it to go on"),
        (Tally(ending=Ending.USELESS), "50 answers in a row"),
        (Tally(ending=Ending.STOPPED, dropped=2), "2 requests under way were dropped"),
    ],
)
def test_an_early_end_is_explained(tally: Tally, words: str) -> None:
    assert words in why_unfinished(tally)
    assert bool(why_unfinished(tally)) is bool(words)
