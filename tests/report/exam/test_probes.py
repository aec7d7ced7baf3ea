"""What probes found, as tables and for programs."""

import csv
import io
import json
import math

import numpy as np
import pytest

from paseo.report.exam.probes import COLUMNS, as_csv, as_json, tables
from paseo.vqa.probes.consistency import ProbeResult, outcomes
from paseo.vqa.probes.pairs import Answers
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import shipped

GOAL, AFFECTED = "q_goal_position_begin", "q_robot_affected_p1"
PEOPLE = dict.fromkeys("abcd", (1,))
PLAIN = {"a": "to the left", "b": "ahead", "c": "to the left", "d": "ahead"}
RNG = np.random.default_rng(0)
MIRRORED = {"a": "to the right", "b": "ahead", "c": "to the left", "d": ""}


def goals(words: dict[str, str]) -> Answers:
    return {
        (scene, GOAL): {0: Answer(option=(word,) if word else None)}
        for scene, word in words.items()
    }


@pytest.fixture(scope="module")
def found() -> tuple[ProbeResult, ...]:
    lone: Answers = {("a", AFFECTED): {0: Answer(option=("yes",))}}
    variants = {"": {**goals(PLAIN), **lone}, "mirror": goals(MIRRORED), "shuffle": goals(PLAIN)}
    return outcomes(variants, PEOPLE, RNG, shipped())


def test_each_probe_has_a_row_for_every_category(found: tuple[ProbeResult, ...]) -> None:
    table = tables(found)[0]
    caption, header, rows = table.caption, table.header, table.rows
    assert header[:3] == ["Probe", "Category", "Consistent"]
    assert rows[0] == ["mirror", "all", "2", "50.0 ± 28.9 %", "33.3 %", "1", "1"]
    assert rows[3] == ["mirror", "social", "0", "-", "-", "0", "0"]
    assert rows[4] == ["mirror", "answers with a side", "1", "50.0 ± 50.0 %", "33.3 %", "1", "0"]
    assert rows[5] == ["shuffle", "all", "4", "100.0 ± 0.0 %", "33.3 %", "0", "0"]
    assert "2 answers lack the one before or after" in caption


def test_each_question_has_a_row_with_the_probes_side_by_side(
    found: tuple[ProbeResult, ...],
) -> None:
    header, rows = tables(found)[1].header, tables(found)[1].rows
    assert header == ["Question", "Category", "By chance", "mirror", "shuffle"]
    assert rows == [
        [GOAL, "spatial", "33.3 %", "50.0 ± 28.9 % (2 / 1 / 1)", "100.0 ± 0.0 % (4 / 0 / 0)"]
    ]


def test_the_place_of_a_choice_is_told_where_choices_were_shuffled(
    found: tuple[ProbeResult, ...],
) -> None:
    assert len(tables(found)) == 3
    assert len(tables(found[:1])) == 2
    header, rows = tables(found)[2].header, tables(found)[2].rows
    row = dict(zip(header, rows[0], strict=True))
    assert (row["Category"], row["Pairs"], row["By chance"]) == ("all", "4", "33.3 %")
    assert row["Taken when first"] == row["Taken elsewhere"]
    assert row["Difference"] == "0.0 ± 0.0 %"


def test_with_one_scene_there_is_no_error_to_tell() -> None:
    alone = outcomes({"": goals(PLAIN), "shuffle": goals(PLAIN)}, {"a": (1,)}, RNG, shipped())
    assert tables(alone)[0].rows[0][3] == "100.0 %"


def test_programs_get_the_same_numbers_unrounded(found: tuple[ProbeResult, ...]) -> None:
    mirror, shuffle = json.loads(json.dumps(as_json(found), allow_nan=False))
    assert mirror["probe"] == "mirror" and not mirror["position"]
    whole = mirror["categories"]["all"]
    assert (whole["consistent"], whole["changed_wrongly"], whole["invalid"]) == (2, 1, 1)
    assert whole["share"]["mean"] == 0.5
    assert whole["share"]["clustered_se"] == pytest.approx(np.sqrt(1 / 12))
    assert shuffle["position"]["all"]["difference"]["mean"] == 0.0
    assert mirror["unpaired_answers"] == 1


def test_csv_is_one_table_of_numbers(found: tuple[ProbeResult, ...]) -> None:
    rows = list(csv.DictReader(io.StringIO(as_csv(found))))
    assert {tuple(row) for row in rows} == {COLUMNS}
    for row in rows:
        for name in COLUMNS[3:]:
            assert row[name] == "" or math.isfinite(float(row[name]))
    mirror = rows[0]
    assert (mirror["probe"], mirror["by"], mirror["part"]) == ("mirror", "category", "all")
    counts = [mirror[name] for name in ("pairs", "consistent", "changed_wrongly", "invalid")]
    assert counts == ["4", "2", "1", "1"]
    assert float(mirror["share"]) == 0.5
    assert float(mirror["chance"]) == pytest.approx(1 / 3)
    assert mirror["taken_first"] == ""
    (shuffled,) = [r for r in rows if r["probe"] == "shuffle" and r["part"] == "all"]
    assert shuffled["taken_first"] != ""
    assert {row["part"] for row in rows if row["by"] == "question"} == {GOAL}
