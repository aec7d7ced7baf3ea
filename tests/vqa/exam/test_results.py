"""From stored replies to a sheet that can be scored."""

import math
from pathlib import Path
from typing import Any

import pytest

from exams import Answering, exam, first_choice, scene_folder, session
from paseo.errors import BadValue, InputError
from paseo.vlm.failures import ModelError
from paseo.vlm.models import ModelSettings, Prompt, Reply, Token
from paseo.vqa.exam.asking import AskOptions, ask
from paseo.vqa.exam.plan import ExamFolder, ExamPlan
from paseo.vqa.exam.results import exam_sheet
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method

PLAN = ExamPlan(
    model="test/answering",
    settings={},
    method=Method.CHAIN,
    images=Layout.FRONT,
    drawing=Drawing.PASEO,
    wording=WordingSource.PASEO,
    wording_hash="0123456789",
    repeats=2,
)


def answer(prompt: Prompt) -> str:
    if "q_human" in prompt.id:
        raise ModelError("no")
    return "hm" if "q_person_action" in prompt.id else first_choice(prompt)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with ExamFolder(tmp_path) as holder:
        holder.write(holder.hold(PLAN))
    exam(Answering(answer), tmp_path, repeats=2).run([session("s1"), session("s2")])
    return tmp_path


def test_a_sheet_says_how_the_model_was_asked(folder: Path) -> None:
    sheet = exam_sheet(folder)
    assert (sheet.model, sheet.method, sheet.images) == (
        "test/answering",
        Method.CHAIN,
        Layout.FRONT,
    )
    assert (sheet.drawing, sheet.wording) == (Drawing.PASEO, "paseo 01234567")
    assert sheet.source == str(folder)


def test_a_sheet_holds_every_answer_per_repeat(folder: Path) -> None:
    sheet = exam_sheet(folder)
    assert len(sheet.answers) == 2 * 14
    assert {len(answers) for answers in sheet.answers.values()} == {2}
    first, second = sheet.answers["s2", "q_goal_position_begin"]
    assert first.option == second.option == ("ahead",)
    assert all(
        each.invalid and each.raw == "hm" for each in sheet.answers["s1", "q_person_action_p1"]
    )


def test_failures_are_counted_and_are_no_answers(folder: Path) -> None:
    sheet = exam_sheet(folder)
    assert sheet.failed == 2 * 2
    assert ("s1", "q_human_future_action_prediction_p1") not in sheet.answers


def test_latency_tokens_and_cost_of_every_request_are_there(folder: Path) -> None:
    askings = exam_sheet(folder).askings
    assert len(askings) == 2 * 2 * 14
    assert {(each.latency_s, each.cost_usd) for each in askings} == {(0.5, 0.01)}


def test_other_variants_of_the_scenes_are_kept_apart(folder: Path) -> None:
    assert not exam_sheet(folder, variant="mirror").answers


def test_an_exam_that_was_only_begun_has_no_answers(tmp_path: Path) -> None:
    with ExamFolder(tmp_path) as holder:
        holder.write(holder.hold(PLAN))
    assert not exam_sheet(tmp_path).answers


def test_a_folder_without_an_exam_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no exam"):
        exam_sheet(tmp_path)


class Unsure:
    """Takes the first choice, and the others for half as likely together."""

    name = "test/unsure"

    def ask(self, prompt: Prompt) -> Reply:
        (asked,) = prompt.questions
        first, *others = (f'{each}"}}' for each in asked.choices)
        chances = [(first, 2 / 3), *((each, 1 / 3 / len(others)) for each in others)]
        said = Token(text=first, chances=tuple((t, math.log(p)) for t, p in chances))
        lead = Token(text='{"answer": "', chances=())
        return Reply(text=f"{lead.text}{first}", tokens=(lead, said))


def test_log_probabilities_of_an_exam_become_distributions(tmp_path: Path) -> None:
    options = AskOptions(settings=ModelSettings(logprobs=5))
    scenes = scene_folder(tmp_path / "scenes", "a")
    done = ask(Unsure(), scenes, out=tmp_path / "exam", options=options)
    chances = exam_sheet(done.folder).chances
    assert len(chances) == done.questions == 15
    (told,) = chances["a", "q_goal_position_begin"]
    assert told == pytest.approx(
        {("ahead",): 2 / 3, ("to the left",): 1 / 6, ("to the right",): 1 / 6}
    )
    assert chances["a", "q_robot_moving_direction"] == (None,), "several choices at once"
    plain = ask(Unsure(), scenes, out=tmp_path / "plain")
    assert exam_sheet(plain.folder).chances == {}
    assert "logprobs" not in plain.plan.settings, "exams of before there were any stay the same"


@pytest.mark.parametrize(
    ("how", "words"),
    [({"together": 2}, "leave together"), ({"cache": Path("x")}, "not shared")],
)
def test_log_probabilities_go_with_one_answer_that_is_not_shared(how: Any, words: str) -> None:
    with pytest.raises(BadValue, match=words):
        AskOptions(settings=ModelSettings(logprobs=5), **how)


def test_log_probabilities_are_not_asked_of_who_tells_none(tmp_path: Path) -> None:
    options = AskOptions(settings=ModelSettings(logprobs=5))
    with pytest.raises(BadValue, match="tell no log-probabilities"):
        ask("anthropic/tiny-1", scene_folder(tmp_path, "a"), options=options)
