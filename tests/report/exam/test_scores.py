"""Scores as tables, in words and for programs."""

import csv
import io
import json
import re
from dataclasses import astuple, replace

import numpy as np
import pytest

from ballots import AFFECTED, GOAL, MOVING, labels, sheet
from paseo.report.exam.score_export import as_csv, as_json
from paseo.report.exam.score_notes import careful, notes
from paseo.report.exam.scores import further_tables, main_table
from paseo.report.formats import Table, latex, markdown
from paseo.vlm.models import Usage
from paseo.vqa.pictures.pictures import Drawing
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.marking import Variant
from paseo.vqa.scores.scorecard import Scorecard, ScorePlan, scorecard
from paseo.vqa.scores.sheets import Asking, Sheet
from paseo.world.scenes import Unreadable

SCENES = "abcd"
VOTES = labels(
    {(scene, GOAL): {"ahead": 3, "to the left": 1} for scene in SCENES}
    | {(scene, AFFECTED): {"yes": k + 1, "no": 4 - k} for k, scene in enumerate(SCENES)}
    | {("a", MOVING): {"moving ahead": 9}}
)
ANSWERS = {(scene, GOAL): "to the left" for scene in SCENES} | {
    ("a", AFFECTED): "?",
    ("b", AFFECTED): "no",
    ("z", GOAL): "ahead",
    ("a", MOVING): "moving ahead",
}
USED = Asking(latency_s=1.5, usage=Usage(input_tokens=10, output_tokens=2), cost_usd=0.25)
MODEL = replace(
    sheet(ANSWERS, model="m_1", method=Method.CHAIN, drawing=Drawing.PASEO, askings=(USED, USED)),
    failed=2,
)


def card(*sheets: Sheet, votes: Labels = VOTES, variant: Variant = Variant.DEFINITION) -> Scorecard:
    return scorecard(votes, sheets, np.random.default_rng(0), plan=ScorePlan(variant=variant))


def by_caption(found: Scorecard, words: str) -> Table:
    return next(each for each in further_tables(found) if words in each.caption)


def test_the_first_table_has_the_layout_of_table_i() -> None:
    caption, header, rows = astuple(main_table(card(MODEL)))
    assert caption.startswith("Table I.")
    assert header[:6] == ["Category", "Model", "All", "Spatial reasoning",
                          "Spatiotemporal reasoning", "Social reasoning"]  # fmt: skip
    assert [row[0] for row in rows] == ["Baseline"] * 5 + ["VLM"]
    oracle = rows[0]
    assert oracle[3] == "0.750 ± 0.000 (0.000)"
    assert re.fullmatch(r"0\.\d{3} ± 0\.\d{3} \(0\.\d{3}\)", oracle[2])


def test_a_row_over_fewer_questions_says_so() -> None:
    *_, model = main_table(card(MODEL)).rows
    assert model[-2:] == ["7 of 9", "14.3 %"]
    assert main_table(card()).rows[0][-2:] == ["9", "-"]


def test_every_table_of_scores_has_the_constant_answer() -> None:
    for caption, header, rows in map(astuple, further_tables(card(MODEL))):
        if not caption.startswith("Answers"):
            cells = [*header, *(cell for row in rows for cell in row)]
            assert "constant answer" in cells, caption


def test_answers_on_which_two_rules_differ_are_listed() -> None:
    rules = [sheet({("a", GOAL): "ahead", ("b", GOAL): said}, model=name)
             for name, said in (("one", "ahead"), ("two", "?"))]  # fmt: skip
    found = scorecard(VOTES, [], np.random.default_rng(0), rules=rules)
    table = by_caption(found, "Where one and two give different answers (1 of 1)")
    header, rows = table.header, table.rows
    assert header == ["Scene", "Question", "one", "two", "People"]
    assert rows == [["b", GOAL, "ahead", "cannot be read", "ahead"]]
    assert "one and two give the same answer to 1 of 2 questions." in notes(found)
    assert as_json(found)["partings"][0]["apart"][0]["scene"] == "b"


def test_the_account_shows_what_answers_took() -> None:
    _, header, (row,) = astuple(by_caption(card(MODEL), "what they took"))
    found = dict(zip(header, row, strict=True))
    assert found["Method"] == "chain"
    assert found["Wording"] == "-"
    assert (found["Answers"], found["Invalid"], found["Failed"]) == ("7", "1 (14.3 %)", "2")
    assert (found["Median s"], found["Tokens in"], found["USD"]) == ("1.50", "20", "0.5000")


def test_missed_questions_are_listed_with_what_was_said() -> None:
    caption, _, rows = astuple(by_caption(card(MODEL), "Missed by m_1"))
    assert "(5 of 5)" in caption
    assert rows[0] == ["a", AFFECTED, "no (4 of 5)", "cannot be read", "-", "yes"]
    assert rows[1] == ["a", GOAL, "ahead (3 of 4)", "to the left", "1", "ahead"]


def test_notes_name_what_a_reader_must_know() -> None:
    words = "\n".join(notes(card(MODEL)))
    assert "4 scenes, 4 people in them, 9 questions; 4 to 9 people answered" in words
    assert "five in the paper" in words
    assert "m_1: 1 of 7 answers cannot be read and earn nothing." in words
    assert "m_1: 2 of 9 questions have no answer" in words
    assert "m_1: 1 answered questions have no labels and are left out (the first: " in words
    assert f"{GOAL} of scene z)" in words
    assert "would not answer 2 questions" in words
    assert "Below the constant answer, on the same questions: m_1." in words
    assert "With 4 scenes the intervals are rough." in words
    assert "As published" not in words


def test_answers_that_fit_no_label_are_told_and_not_called_a_row_over_others() -> None:
    found = card(sheet({("z", GOAL): "ahead"}, model="lost"))
    assert any("are all it has, so nothing is scored" in line for line in careful(found))
    assert "its row is over" not in "\n".join(notes(found))


def test_a_row_without_whole_categories_names_those_it_has() -> None:
    social = sheet({(scene, AFFECTED): "yes" for scene in SCENES})
    assert "over the others (social ones only)" in "\n".join(notes(card(social)))
    assert "ones only" not in "\n".join(notes(card(MODEL)))


def test_only_who_earns_less_is_called_below_the_constant_answer() -> None:
    best = {(scene, GOAL): "ahead" for scene in SCENES} | {("a", AFFECTED): "no"}
    words = "\n".join(notes(card(MODEL, sheet(best, model="good"))))
    assert "Below the constant answer, on the same questions: m_1." in words


def test_the_published_variant_names_its_faults() -> None:
    found = card(MODEL, variant=Variant.PUBLISHED)
    assert "as the released program computes it" in main_table(found).caption
    words = "\n".join(notes(found))
    assert "As published: " in words
    assert "cannot be read and count as the first choice" in words


def test_questions_with_one_voter_are_named() -> None:
    votes = labels({(scene, GOAL): {"ahead": 1 if scene == "a" else 4} for scene in SCENES})
    assert "Questions that only one person answered: 1; the average human leaves" in "\n".join(
        notes(card(votes=votes))
    )
    assert main_table(card(votes=votes)).rows[1][-2] == "3 of 4"


def test_one_scene_is_scored_without_a_constant_answer_or_intervals() -> None:
    votes = labels({("a", GOAL): {"ahead": 4, "to the left": 1}})
    found = card(sheet({("a", GOAL): "ahead"}), votes=votes)
    rows = {row[1]: row for row in main_table(found).rows}
    assert rows["constant answer"][2] == "-"
    assert rows["model"][2] == "0.800 ± 0.000 (-)"
    words = "\n".join(notes(found))
    assert "Labels: 1 scene, " in words
    assert "There is no constant answer" in words
    assert "With 1 scene there are no intervals; 3 are needed." in words
    assert json.dumps(as_json(found), allow_nan=False)


def test_defects_of_labels_are_told() -> None:
    spoilt = replace(
        VOTES, unreadable=(Unreadable("bad", ("x.json: is no JSON", "more")),), notes=("odd file",)
    )
    assert careful(card(votes=spoilt)) == [
        "left out: x.json: is no JSON (and 1 more faults)",
        "odd file",
    ]
    many = replace(VOTES, unreadable=tuple(Unreadable(str(k), ("fault",)) for k in range(30)))
    assert careful(card(votes=many))[-1] == "and 20 more scenes"


def test_people_known_by_name_have_a_table() -> None:
    people = {"ann": {("a", GOAL): ("ahead",)}, "bo": {("a", GOAL): ("to the left",)}}
    found = card(MODEL, votes=replace(VOTES, annotators=people))
    rows = by_caption(found, "Each person").rows
    assert rows[0] == ["ann", "1", "0.667", "0.667", "-", "-"]
    assert [row[0] for row in rows] == ["ann", "bo", "constant answer"]
    equivalence = by_caption(found, "one more person").rows
    assert {row[0]: row[-1] for row in equivalence}["m_1"] == "0 of 2"


def test_tables_are_for_reading_and_for_papers() -> None:
    every = [main_table(card(MODEL)), *further_tables(card(MODEL))]
    assert "| VLM | m_1 |" in markdown(every)
    text = latex(every)
    assert "m\\_1" in text
    # LaTeX numbers tables itself; words stand to the left and numbers to the right.
    assert "\\caption{Probability of Agreement" in text
    assert "(As Table I of the paper.)}" in text
    assert "\\begin{tabular}{llrrrrrr}" in text.split("\\end{tabular}")[0]


def test_spreadsheets_get_every_number_in_a_column_of_its_own() -> None:
    table = Table("A caption, with a comma.", ["Model", "All", "Gain", "Text"],
             [["m", "0.500 ± 0.010 (0.020)", "-0.1 [-0.2, 0.0]", "no"],
              ["n", "0.400 ± 0.010 (-)", "0.3", "no"], ["o", "-", "-", "-"]])  # fmt: skip
    assert list(csv.reader(io.StringIO(as_csv([table])))) == [
        ["# A caption, with a comma."],
        ["Model", "All", "All SE", "All clustered SE", "Gain", "Gain low", "Gain high", "Text"],
        ["m", "0.500", "0.010", "0.020", "-0.1", "-0.2", "0.0", "no"],
        ["n", "0.400", "0.010", "-", "0.3", "-", "-", "no"],
        ["o", "-", "-", "-", "-", "-", "-", "-"],
        [],
    ]
    every = [main_table(card(MODEL)), *further_tables(card(MODEL))]
    assert not re.search(r"^[^#]*±", as_csv(every), re.MULTILINE)


def test_a_tiny_p_is_not_printed_as_none_at_all() -> None:
    scenes = [f"s{k}" for k in range(20)]
    votes = labels({(scene, GOAL): {"ahead": 4, "to the left": 1} for scene in scenes})
    bad = sheet({(scene, GOAL): "to the left" for scene in scenes})
    assert by_caption(card(bad, votes=votes), "Paired").rows[0][-1] == "below 0.0001"


def test_programs_get_everything_unrounded() -> None:
    content = json.loads(json.dumps(as_json(card(MODEL)), allow_nan=False))
    assert (content["scenes"], content["questions"], content["variant"]) == (4, 9, "definition")
    assert content["people_per_question"] == {"4": 4, "5": 4, "9": 1}
    model = content["rows"][-1]
    assert model["asked"]["drawing"] == "paseo"
    assert model["agreement"]["category"]["spatial"]["mean"] == pytest.approx(0.25)
    assert model["spending"]["failed"] == 2
    assert len(model["missed"]) == 5
    assert content["pairs"][0]["second"] == "constant answer"
