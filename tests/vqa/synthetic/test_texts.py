"""The survey's texts: in the form the wording is read from, with the data set's choices."""

import json
from pathlib import Path

import pytest

from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.prompts.survey_file import GRID_LINE, dependencies, wording_entries
from paseo.vqa.prompts.wording import WordingSource, read_wording
from paseo.vqa.questions.questions import kinds
from paseo.vqa.synthetic.dataset import STAGED


@pytest.mark.extra("camera")
def test_both_texts_are_read_as_the_data_sets_wording(made: Path) -> None:
    for place in (made, made / "prompts"):
        wording = read_wording(place / "survey_prompt.json")
        assert wording.source is WordingSource.DATASET and set(wording.texts) == set(kinds())


@pytest.mark.extra("camera")
def test_only_the_copy_beside_the_prompts_speaks_of_a_grid(made: Path) -> None:
    plain, other = (read_wording(p / "survey_prompt.json") for p in (made, made / "prompts"))
    assert not plain.pictures and plain.hash != other.hash
    assert plain.introduction == other.introduction
    assert other.pictures[Layout.GRID.value] == GRID_LINE


def test_choices_and_types_are_those_of_the_kinds() -> None:
    texts = wording_entries(STAGED)
    for kind in kinds().values():
        entry = texts[kind.key]
        assert isinstance(entry, dict)
        assert entry["choices"] == list(kind.choices)
        assert (entry["type"] == "multiple_select") == kind.select_many


def test_dependencies_are_those_of_the_kinds_and_instructions_have_none() -> None:
    graph = dependencies()
    assert {key: graph[key] for key in kinds()} == {k: list(v.needs) for k, v in kinds().items()}
    assert all(not needs for key, needs in graph.items() if key not in kinds())


@pytest.mark.recordings
def test_keys_are_the_data_sets_and_no_sentence_is(data_dir: Path) -> None:
    folder = data_dir / "socialnavsub"
    theirs = json.loads((folder / "survey_prompt.json").read_bytes())
    graph = json.loads((folder / "relevant_prev_questions.json").read_bytes())
    assert set(wording_entries(STAGED)) == set(theirs) and dependencies() == graph
    sentences = {line for value in theirs.values() if isinstance(value, list) for line in value}
    sentences |= {value["question"] for value in theirs.values() if isinstance(value, dict)}
    ours = {
        line
        for value in wording_entries(STAGED).values()
        if isinstance(value, list)
        for line in value
    }
    ours |= {
        value["question"] for value in wording_entries(STAGED).values() if isinstance(value, dict)
    }
    assert not sentences & ours
