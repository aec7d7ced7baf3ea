"""What the script of an exam's page is given: whole, harmless, and the words that were asked."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ballots import label_file, write_labels
from exams import Answering, small_scene
from paseo.cli.main import main
from paseo.data.scenes.scene_file import write_scene
from paseo.report.exam.data import LONGEST_REPLY, exam_data
from paseo.vlm.models import Reply
from paseo.vqa.exam.transcript import Transcript, transcript
from paseo.vqa.questions.questions import kinds
from shown_exams import BAD, IDS, moody, put


@pytest.fixture(scope="module")
def model() -> Answering:
    return Answering(moody)


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory, model: Answering) -> Transcript:
    return transcript(put(tmp_path_factory.mktemp("exam"), model))


@pytest.fixture(scope="module")
def data(exam: Transcript) -> Any:
    return json.loads(exam_data(exam))


def prompts(data: Any) -> list[str]:
    return ["\n".join(data["lines"][n] for n in each["prompt"]) for each in data["requests"]]


def found(data: Any, scene: str, key: str) -> Any:
    ids = [each["id"] for each in data["scenes"]]
    (question,) = [
        each for each in data["questions"] if (ids[each["scene"]], each["key"]) == (scene, key)
    ]
    return question


def test_prompts_are_those_that_the_model_was_asked(data: Any, model: Answering) -> None:
    assert sorted(prompts(data)) == sorted(prompt.text for prompt in model.asked)
    assert any("These questions about the same clip" in each for each in prompts(data))


def test_every_text_stands_there_once(data: Any) -> None:
    assert len(data["lines"]) == len(set(data["lines"]))


def test_a_question_has_its_words_its_votes_and_its_answer(data: Any) -> None:
    question = found(data, "yard-1", "q_robot_affected_p1")
    assert data["lines"][question["text"]] == "Does person 1 influence how the robot moves?"
    assert question["votes"] == [[[0], 4], [[1], 6]]
    assert question["states"] == ["differs"]
    assert question["agreement"] == 0.4
    assert found(data, "yard-1", "q_human_future_action_prediction_p2")["agreement"] is None
    (said,) = question["said"]
    assert said["option"] == [0]
    request = data["requests"][said["request"]]
    assert (request["latency_s"], request["tokens"], request["cost_usd"]) == (0.5, [100, 10], 0.01)


def test_what_went_wrong_is_there_in_words(data: Any) -> None:
    (invalid,) = found(data, "yard-1", "q_person_action_p1")["said"]
    assert "is not clearly one of avoiding" in invalid["problem"]
    assert data["requests"][invalid["request"]]["reply"] == BAD
    (failed,) = found(data, "yard-1", "q_human_future_action_prediction_p2")["said"]
    assert "option" not in failed
    assert data["requests"][failed["request"]]["failure"] == f"no: {BAD}"


def test_kinds_and_people_are_named_as_in_the_pictures(data: Any) -> None:
    assert [each["key"] for each in data["kinds"]] == list(kinds())
    assert data["scenes"][0]["people"] == [[1, "#0072B2", "#FFFFFF"], [2, "#FFAABB", "#14181F"]]


def test_nothing_ends_the_element_it_stands_in(exam: Transcript) -> None:
    assert "<" not in exam_data(exam)


def test_long_replies_are_cut_and_odd_numbers_left_out(exam: Transcript) -> None:
    long = Reply(text="x" * (LONGEST_REPLY + 7), latency_s=float("inf"))
    odd = replace(exam, requests=(replace(exam.requests[0], reply=long), *exam.requests[1:]))
    first = json.loads(exam_data(odd))["requests"][0]
    assert (len(first["reply"]), first["more"], first["latency_s"]) == (LONGEST_REPLY, 7, None)


def test_without_the_words_of_the_exam_there_are_no_prompts(exam: Transcript) -> None:
    data = json.loads(exam_data(replace(exam, as_asked=False)))
    assert all(each["prompt"] == [] for each in data["requests"])


def test_people_who_were_quoted_are_quoted_only_while_they_say_the_same(tmp_path: Path) -> None:
    scenes = tmp_path / "scenes"
    write_scene(small_scene("yard-1"), scenes)
    write_labels(scenes, {"yard-1": label_file("yard-1")})
    words = ["ask", "scripted/first", "--scenes", str(scenes), "--out", str(tmp_path / "exam")]
    assert main([*words, "--method", "chain-human", "--images", "grid"]) == 0
    quoted = prompts(json.loads(exam_data(transcript(tmp_path / "exam"))))
    assert any('{"answer": "ahead of"}' in each for each in quoted)
    other = {"q_person_spatial_position_end_p1": {"behind": 3}}
    write_labels(tmp_path / "other", {"yard-1": label_file("yard-1", **other)})
    unknown = transcript(tmp_path / "exam", labels=tmp_path / "other")
    assert not any(prompts(json.loads(exam_data(unknown))))


def test_several_questions_of_one_request_share_its_reply(tmp_path: Path) -> None:
    model = Answering()
    exam = transcript(put(tmp_path, model, ids=IDS[:1], together=9))
    data = json.loads(exam_data(exam))
    used = [said["request"] for each in data["questions"] for said in each["said"]]
    assert (len(used), len(set(used))) == (27, len(data["requests"]))
    assert len(model.asked) < 27
    assert sorted(prompts(data)) == sorted(prompt.text for prompt in model.asked)
