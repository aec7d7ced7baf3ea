"""Answers of single people, in the forms a data set may have them."""

import json
import re
from pathlib import Path

import pytest

from ballots import AFFECTED, GOAL, MOVING, label_file, write_labels
from paseo.vqa.questions.questions import kinds
from paseo.vqa.questions.raw_answers import option_of
from paseo.vqa.questions.votes import read_labels


def test_who_said_what_is_read_where_it_is_told(tmp_path: Path) -> None:
    folder = write_labels(tmp_path, {"a": label_file("a"), "b": label_file("b")})
    raw = {"ann": {GOAL: "ahead", "age": 40}, "bo": {GOAL: "to the left", AFFECTED: "yes"}}
    (folder / "human_labels/a/raw_answers.json").write_text(json.dumps(raw))
    (folder / "human_labels/b/raw_answers.json").write_text(json.dumps([{"ann": {GOAL: "ahead"}}]))
    found = read_labels(folder)
    assert found.annotators["ann"] == {("a", GOAL): ("ahead",), ("b", GOAL): ("ahead",)}
    assert len(found.annotators["bo"]) == 2
    assert found.notes == ()


def test_people_without_names_are_told_apart_within_a_scene(tmp_path: Path) -> None:
    folder = write_labels(tmp_path, {"a": label_file("a")})
    raw = [{GOAL: "ahead"}, {GOAL: "to the left", MOVING: ["turning left", "moving ahead"]}]
    (folder / "human_labels/a/raw_answers.json").write_text(json.dumps(raw))
    found = read_labels(folder).annotators
    assert set(found) == {"a#1", "a#2"}
    assert found["a#2"]["a", MOVING] == ("moving ahead", "turning left")


@pytest.mark.parametrize("text", ["3", "{", '{"ann": 3}', '[{"ann": {"q_x": "no"}}]', "[" * 9999])
def test_raw_answers_of_another_kind_are_told_once_and_ignored(tmp_path: Path, text: str) -> None:
    folder = write_labels(tmp_path, {"a": label_file("a"), "b": label_file("b")})
    for scene in "ab":
        (folder / f"human_labels/{scene}/raw_answers.json").write_text(text)
    found = read_labels(folder)
    assert found.annotators == {}
    assert len(found.notes) == 1
    assert re.search(r"raw_answers.json: is not understood \(2 such files\)", found.notes[0])


@pytest.mark.parametrize(
    ("answer", "option"),
    [
        (["turning right", "moving ahead"], ("moving ahead", "turning right")),
        ("turning left", ("turning left",)),
        (["moving ahead", "flying"], None),
        (["moving ahead", "moving ahead"], None),
        ([], None),
        ([1], None),
        (None, None),
    ],
)
def test_a_label_is_an_option_or_nothing(answer: object, option: tuple[str, ...] | None) -> None:
    assert option_of(answer, kinds()[MOVING]) == option


def test_a_name_from_a_file_cannot_break_a_table(tmp_path: Path) -> None:
    folder = write_labels(tmp_path, {"a": label_file("a")})
    raw = {"x\n| forged | row |\x1b[2J" + "y" * 500: {GOAL: "ahead"}}
    (folder / "human_labels/a/raw_answers.json").write_text(json.dumps(raw))
    (name,) = read_labels(folder).annotators
    assert name.isprintable()
    assert len(name) <= 80
