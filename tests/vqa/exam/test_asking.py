"""Exams as functions: asked, estimated and resumed from Python."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from exams import Answering, first_choice, replies, scene_folder, small_scene
from paseo.data.scenes.scene_file import write_scene
from paseo.errors import BadValue, InputError, MissingData, UnknownName
from paseo.vlm.models import ModelSettings, Prompt
from paseo.vqa.exam.asking import (
    AskOptions,
    Stopper,
    ask,
    conduct,
    default_folder,
    estimate,
    prepare,
)
from paseo.vqa.exam.budget import Ending
from paseo.vqa.exam.plan import ExamFolder, ExamPlan
from paseo.vqa.exam.results import exam_sheet
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.probes.probe import Probe
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method
from tiny_scenes import picture

GRID = AskOptions(images=Layout.GRID)


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    return scene_folder(tmp_path / "scenes", "yard-1", "yard-2")


def test_a_model_is_asked_by_its_name_or_as_it_is(scenes: Path, tmp_path: Path) -> None:
    named = ask("scripted/first", scenes, out=tmp_path / "named", options=GRID)
    assert (named.tally.answered, named.questions, named.folder) == (30, 30, tmp_path / "named")
    made = ask(Answering(), scenes, out=tmp_path / "made", options=GRID)
    assert (made.plan.model, made.plan.name) == ("test/answering", "test/answering")
    sheets = [exam_sheet(each.folder) for each in (named, made)]
    first, second = ([answer[0].option for answer in sheet.answers.values()] for sheet in sheets)
    assert first == second


def test_progress_goes_from_looking_through_to_the_last_answer(
    scenes: Path, tmp_path: Path
) -> None:
    told: list[tuple[str, int, int]] = []
    ask(
        "scripted/first", scenes, out=tmp_path / "exam", options=GRID,
        progress=lambda *now: told.append(now),
    )  # fmt: skip
    assert told[0] == ("looking through", 0, 2)
    assert told[-1] == ("asking", 30, 30)


def test_an_estimate_sends_nothing_and_needs_no_key(
    scenes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    expected = estimate("openai/gpt-4o", scenes, options=replace(GRID, together=5))
    assert (expected.questions, expected.requests, expected.images) == (30, 14, 14)
    assert expected.usd is not None


def test_an_exam_that_is_begun_is_gone_on_with_only_on_request(
    scenes: Path, tmp_path: Path
) -> None:
    out = tmp_path / "exam"
    with pytest.raises(InputError, match="holds no exam to go on with; to begin one, omit resume"):
        ask("scripted/first", scenes, out=out, options=GRID, resume=True)
    ask("scripted/first", scenes, out=out, options=replace(GRID, limit=1))
    with pytest.raises(InputError, match="not finished; finish it with resume or choose") as told:
        ask("scripted/first", scenes, out=out, options=GRID)
    assert "finish it with --resume or" in told.value.spelled(lambda name: f"--{name}")
    done = ask("scripted/first", scenes, out=out, options=GRID, resume=True)
    assert (done.tally.answered, done.tally.stored) == (30, 15)
    again = ask("scripted/first", scenes, out=out, options=GRID)
    assert (again.tally.stored, again.tally.requests) == (30, 0)


def test_a_stopper_ends_an_exam_even_before_it_begins(scenes: Path, tmp_path: Path) -> None:
    stopper = Stopper()
    stopper.stop()
    assert not stopper.begun
    paper = prepare("scripted/first", scenes, options=GRID)
    done = conduct(paper, out=tmp_path / "exam", stopper=stopper)
    assert stopper.begun and done.tally.ending is Ending.STOPPED


def test_a_stopper_ends_an_exam_under_way(scenes: Path, tmp_path: Path) -> None:
    stopper, answered = Stopper(), threading.Event()

    def answer(prompt: Prompt) -> str:
        if len(replies(tmp_path / "exam")) >= 5 and not answered.is_set():
            answered.set()
            stopper.stop()
        return first_choice(prompt)

    paper = prepare(Answering(answer), scenes, options=replace(GRID, concurrency=1))
    done = conduct(paper, out=tmp_path / "exam", stopper=stopper)
    assert done.tally.ending is Ending.STOPPED
    assert 5 <= done.tally.answered < 30


def test_what_makes_no_sense_is_told_before_scenes_are_read(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="scripted"):
        prepare("scriptet/first", tmp_path / "none")
    with pytest.raises(BadValue, match="expected 1 to 512"):
        prepare("scripted/first", tmp_path / "none", options=AskOptions(concurrency=9999))
    with pytest.raises(BadValue, match="extra api_key: looks like a secret"):
        AskOptions(settings=ModelSettings(extra={"api_key": "x"}))
    with pytest.raises(MissingData, match="is no folder"):
        prepare("scripted/first", tmp_path / "none")


def test_who_draws_depends_on_what_came_with_all_scenes_and_on_probes(tmp_path: Path) -> None:
    drawn = tuple(picture(size=(64, 100), form="PNG") for _ in range(10))
    write_scene(replace(small_scene("a"), composites=drawn), tmp_path)
    paper = prepare("scripted/first", tmp_path)
    assert (paper.plan.drawing, paper.redrawn) == (Drawing.DATASET, False)
    probed = prepare("scripted/first", tmp_path, options=AskOptions(probes=(Probe.MIRROR,)))
    assert (probed.plan.drawing, probed.redrawn) == (Drawing.PASEO, True)
    with pytest.raises(BadValue, match="use drawing paseo"):
        theirs = AskOptions(probes=(Probe.MIRROR,), drawing=Drawing.DATASET)
        prepare("scripted/first", tmp_path, options=theirs)
    write_scene(small_scene("b"), tmp_path)
    assert prepare("scripted/first", tmp_path).plan.drawing is Drawing.PASEO


def test_an_exam_of_an_earlier_version_is_gone_on_with_and_nothing_is_asked_again(
    scenes: Path, tmp_path: Path
) -> None:
    out, model = tmp_path / "exam", Answering()
    ask(Answering(), scenes, out=out, options=GRID)
    file = out / "exam.json"
    file.write_text(file.read_text().replace("\n", ""))  # as anybody may write it
    assert ask(model, scenes, out=out, options=GRID).tally.answered == 30
    assert not model.asked
    plan = ExamFolder(out).plan()
    assert (plan.method, plan.images, plan.wording) == (
        Method.CHAIN, Layout.GRID, WordingSource.PASEO,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("model", "folder"),
    [
        ("openai/gpt-4o", "openai-gpt-4o-chain-front"),
        ("../../my model.py:Mine", "my-model.py-Mine-chain-front"),
        ("..", "model-chain-front"),
    ],
)
def test_the_folder_is_named_after_the_model_whatever_it_is_called(model: str, folder: str) -> None:
    plan = ExamPlan(
        model=model,
        settings={},
        method=Method.CHAIN,
        images=Layout.FRONT,
        drawing=Drawing.PASEO,
        wording=WordingSource.PASEO,
        wording_hash="",
    )
    assert default_folder(plan) == Path("exams") / folder
