"""The page of an exam: whole, harmless, the same every time. A browser opens it elsewhere."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from elements import Reader
from exams import Answering
from paseo.report.exam.page import SCRIPTS, exam_page
from paseo.report.pages.template import bundled
from paseo.vlm.failures import ModelError
from paseo.vlm.models import Prompt
from paseo.vqa.exam.transcript import Transcript, transcript
from paseo.vqa.scores.scorecard import scorecard
from shown_exams import BAD, change_plan, put


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory) -> Transcript:
    return transcript(put(tmp_path_factory.mktemp("exam")))


@pytest.fixture(scope="module")
def page(exam: Transcript) -> str:
    return exam_page(exam).decode()


def text_of(page: str) -> str:
    return " ".join(data for tag, data in Reader(page).texts if tag not in ("script", "style"))


def test_nothing_is_loaded_from_elsewhere(page: str) -> None:
    for tag, attributes in Reader(page).elements:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base")
        for key in ("src", "href", "action", "data"):
            assert (attributes.get(key) or "#").startswith("#")
    assert not re.search(r"\bfetch\(|XMLHttpRequest|\beval\(|innerHTML|new Function|@import", page)
    assert "default-src 'none'" in page
    assert "img-src data:" in page


def test_ids_are_unique_and_what_is_referred_to_is_there(page: str) -> None:
    elements = Reader(page).elements
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in elements:
        for key in ("href", "for", "aria-labelledby"):
            if key in attributes:
                assert (attributes[key] or "").lstrip("#") in ids, attributes


def test_the_summary_says_how_the_exam_was_put_and_what_it_earned(page: str) -> None:
    text = text_of(page)
    for words in ("3 scenes", "6 people in them", "81 questions", "test/answering", "exact-1",
                  "temperature=0.5", "chain", "$0.78", "7,800 tokens in, 780 out",
                  "3.8% of 78 answers", "Table I"):  # fmt: skip
        assert words in text
    # 69 agree with everybody, three with 4 of 10, three with nobody, and three cannot be read.
    assert f"{(69 + 3 * 0.4) / 78:.3f}" in text


def test_baselines_are_over_the_questions_that_were_answered(tmp_path: Path) -> None:
    exam = transcript(put(tmp_path, Answering(only_the_goal)))
    assert exam.card
    rows = {each.row.name: each.scores["category"]["all"] for each in exam.card.rows}
    assert {each.questions for each in rows.values()} == {3}
    # Over all 81 questions the oracle has less: on three of them people disagree.
    assert (rows["human oracle"].mean, rows["test/answering"].mean) == (1.0, 0.0)
    page = exam_page(exam, pictures=False).decode()
    text = text_of(page)
    assert "the 3 of 81 with people's answers that the model answered; baselines, too" in text
    assert text.count("over 3 questions") == 2  # all, and the only category
    assert text.count("no such question was answered") == 2
    kinds = [each.get("data-kind") for _, each in Reader(page).elements if each.get("data-kind")]
    assert kinds == ["q_goal_position_begin"]


def only_the_goal(prompt: Prompt) -> str:
    if "q_goal_position_begin" not in prompt.id:
        raise ModelError("no")
    return json.dumps({"answer": prompt.questions[0].choices[1]})


def test_kinds_of_questions_are_held_against_people_and_the_constant_answer(page: str) -> None:
    kinds = [each.get("data-kind") for _, each in Reader(page).elements if each.get("data-kind")]
    assert len(kinds) == 15
    assert page.count('<i class="constant-answer" style="left:') == 15


def test_pictures_are_there_once_for_each_scene(page: str) -> None:
    films = [each["id"] for _, each in Reader(page).elements if each.get("type") == "text/plain"]
    assert films == ["film-0", "film-1", "film-2"]
    (first,) = re.findall(r'id="film-0"[^>]*>([^<]*)<', page)
    assert len(first.split("\n")) == 10


def test_a_page_without_pictures_is_small(exam: Transcript, page: str) -> None:
    small = exam_page(exam, pictures=False).decode()
    assert "film-0" not in small
    assert len(small) < len(page) - 10_000


def test_scenes_that_cannot_be_shown_are_named_and_the_others_are_shown(exam: Transcript) -> None:
    first, *others = exam.plan.scenes
    plan = replace(exam.plan, scenes=(replace(first, hash="0"), *others))
    page = exam_page(replace(exam, plan=plan)).decode()
    assert "No pictures of yard-1: the scene has changed since it was asked about." in page
    assert 'id="film-0"' not in page
    assert 'id="film-1"' in page
    many = replace(exam.plan, scenes=(*[replace(first, hash="0")] * 9, *others))
    text = text_of(exam_page(replace(exam, plan=many)).decode())
    assert text.count("No pictures of yard-1") == 5
    assert "No pictures of 4 more scenes." in text


def test_without_votes_the_page_holds_answers_alone(exam: Transcript) -> None:
    entries = tuple(replace(each, votes={}) for each in exam.entries)
    text = text_of(
        exam_page(replace(exam, labels=None, card=None, entries=entries), pictures=False).decode()
    )
    assert "Agreement with people" not in text
    assert "3.8% of 78 answers" in text


def test_a_model_is_called_as_it_calls_itself(tmp_path: Path) -> None:
    folder = put(tmp_path, ids=())
    change_plan(folder, model="/home/me/my.py:Mine", name="mine/1")
    page = exam_page(transcript(folder), pictures=False).decode()
    assert '<h1 id="title">mine/1</h1>' in page and "/home/me" not in page


def test_names_cannot_break_out(exam: Transcript, page: str) -> None:
    settings = {"extra": {BAD: BAD}, BAD: 1}
    sheet = replace(exam.sheet, model=BAD)
    assert exam.labels
    card = scorecard(exam.labels, [sheet], np.random.default_rng(0))
    plan = replace(exam.plan, model=BAD, settings=settings)
    bad = replace(exam, plan=plan, sheet=sheet, card=card)
    reader, usual = Reader(exam_page(bad).decode()), Reader(page)
    assert [tag for tag, _ in reader.elements] == [tag for tag, _ in usual.elements]
    assert BAD in "".join(data for tag, data in reader.texts if tag == "h1")


def test_the_same_exam_gives_the_same_bytes(exam: Transcript, page: str) -> None:
    assert exam_page(exam).decode() == page


def test_modules_become_one_script(page: str) -> None:
    script = bundled(SCRIPTS)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    names = re.findall(r"^(?:function|class|const|let) (\w+)", script, re.MULTILINE)
    assert len(names) == len(set(names))


def test_an_exam_that_was_begun_a_moment_ago_has_a_page(tmp_path: Path) -> None:
    exam = transcript(put(tmp_path, ids=()))
    text = text_of(exam_page(exam, pictures=False).decode())
    assert "81 of 81 answers have not been given yet" in text
    assert "no answers yet" in text
