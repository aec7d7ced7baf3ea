import csv
import io
import json
import re
from dataclasses import astuple, replace
from functools import cache

import numpy as np
import pytest

from comparisons import NAMES, compared, episode, moments, row, two_planners
from paseo.metrics.comparison.asking import EVERYTHING, Asked, By
from paseo.metrics.comparison.comparison import Comparison
from paseo.metrics.comparison.priorities import Limit, ranking
from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.metric import Better
from paseo.report.formats import Table, csv_text, latex, markdown
from paseo.report.walk.compared.output import as_json, text
from paseo.report.walk.compared.tables import tables
from paseo.report.walk.compared.words import careful, power, statement
from paseo.world.records import Verdict

T, EC = Verdict.TIMEOUT, Verdict.WALL_COLLISION


def shown() -> list[Table]:
    """Two planners on three episodes, of which both complete one."""
    return tables(
        compared(
            episode("e0", "a", moments={"speed": moments([1.0, 3.0])}),
            episode("e1", "a", verdict=T, values={"goal_traversal_ratio": 0.25}),
            episode("e2", "a", verdict=EC, values={"goal_traversal_ratio": 0.75}),
            episode("e0", "b_2", values={"person_collisions": 2.0, "planning_time": 0.125}),
            episode("e1", "b_2"),
            episode("e2", "b_2", verdict=Verdict.PLANNER_FAILED),
        )
    )


def test_table_2_counts_over_all_and_sums_over_what_all_completed() -> None:
    caption, header, (a, b) = astuple(shown()[0])
    assert "Success and failures over all episodes and seeds" in caption
    assert "the 1 episodes that every planner completed" in caption
    assert header[2:4] == ["success rate", "failures (T/PC/EC)"]
    assert a[:5] == ["a", "position", "1/3", "(1/0/1)", "0"]
    assert b[:5] == ["b_2", "position", "2/3", "(0/0/0)", "1"]
    assert (a[5], b[5]) == ("1 (1/1/1)", "2 (1/1/1)")
    assert b[6] == "0.125 (1)"  # median and 95th percentile


def test_the_table_says_how_planning_was_timed_and_who_else_was_at_work() -> None:
    def caption(load: str) -> str:
        return tables(compared(episode(load=load), episode(planner="b", load=load)))[0].caption

    assert "plan(), median (95th percentile) over steps; 2 workers shared 2 cores." in caption(
        "2 workers shared 2 cores"
    )
    assert "Planning time" not in caption("")


def test_tables_3_and_4_say_over_what_they_are() -> None:
    (path, header, (a, b)), (motion, _, rows) = map(astuple, shown()[1:3])
    assert path.startswith("Table 3. Path quality. Over the 1 episodes that every planner")
    assert "goal traversal ratio over each planner's incomplete ones (2, 1)" in path
    assert header[1] == "path_length (m)"
    assert header[2:4] == ["path_length_ratio", "goal_traversal_ratio"]
    assert (a[3], b[3]) == ("0.50 ± 0.25", "1.00 ± 0.00")
    assert motion.startswith("Table 4. Motion quality.")
    assert "speed pooled over steps" in motion
    assert rows[0][1] == "2.00 ± 1.00"


def test_intervals_say_what_was_drawn_and_how_many_have_a_value() -> None:
    caption, header, rows = astuple(tables(two_planners())[3])
    assert "over the 12 clusters of crowd windows" in caption
    assert "counts in time_to_goal with its whole time limit" in caption
    assert header == ["metric", "a", "b_2"]
    found = {line[0]: line[1:] for line in rows}
    assert re.fullmatch(r"\S+ \[\S+, \S+\] \(12\)", found["speed (m/s)"][0])
    assert found["time_to_goal (s)"] == ["10 (12)"] * 2


def test_without_a_second_window_a_mean_stands_alone() -> None:
    rows = tables(compared(episode("e0")))[3].rows
    assert {line[0]: line[1] for line in rows}["speed (m/s)"] == "1 (1)"


def test_differences_are_first_minus_second_with_p() -> None:
    _, header, rows = astuple(tables(two_planners())[4])
    assert header == ["metric", "first", "second", "difference", "p", "family"]
    speed = next(line for line in rows if line[0] == "speed (m/s)")
    assert speed[1:3] == ["a", "b_2"]
    assert float(speed[3].split()[0]) == pytest.approx(0.5, abs=0.05)
    assert float(speed[4]) < 0.05


def test_the_statement_tells_differences_beyond_chance_from_others() -> None:
    title, clear, rest, unknown = statement(two_planners()).splitlines()
    assert unknown == "- cannot be compared: goal_traversal_ratio"  # of none that arrived
    assert title == "a and b_2:"
    assert re.fullmatch(
        r"- beyond chance \(exploratory\), a is better in speed by 0\.\d+ m/s", clear
    )
    assert rest.startswith("- not beyond chance: ")
    assert "energy" in rest
    assert "speed" not in rest.removeprefix("- not beyond chance: ").split(", ")


def test_the_winner_is_who_is_better_in_the_metrics_direction() -> None:
    def words(metric: str, a: float, b: float) -> str:
        found = compared(
            *(episode(f"e{k}", planner, values={metric: value})
              for k in range(12) for planner, value in (("a", a), ("b", b)))
        )  # fmt: skip
        return statement(found).splitlines()[1]

    beyond = "- beyond chance (exploratory), "
    assert words("energy", 1, 3) == f"{beyond}a is better in energy by 2 J"
    assert words("energy", 3, 1) == f"{beyond}b is better in energy by 2 J"
    assert words("spl", 0.9, 0.4) == f"{beyond}a is better in spl by 0.5"
    assert words("planning_time", 3, 1) == f"{beyond}b is better in planning_time by 2 s"
    assert words("pass_side", 1, -1) == f"{beyond}they differ in pass_side by 2"
    assert words("success", 1, 0) == "- beyond chance, a is better in success by 1"
    assert words("spl", 0.4, 0.4).startswith("- not beyond chance: ")


def said(comparison: Comparison) -> str:
    return "\n".join(careful(comparison))


def test_few_windows_and_a_single_planner_are_said() -> None:
    assert "with 3 clusters of crowd windows the intervals are rough" in said(two_planners(3))
    assert "no p can be below 0.75, so that no difference" in said(two_planners(3))
    assert "rough" not in said(two_planners(12))
    assert "nothing to tell apart" in statement(compared(episode("e0")))


def test_the_statement_says_what_is_compared_by_reactivity() -> None:
    def words(*stops: tuple[str, float | None]) -> str:
        rows = [row(planner, reactivity=stop) for planner, stop in stops]
        found = compared(*(episode(f"e{k}", each) for each in rows for k in range(3)))
        return statement(found)

    said = "Compared are planners at the same reactivity, and each planner with itself at another"
    turned = words(("a", 0.0), ("a", 1.0), ("b", 0.0), ("b", 1.0))
    assert said in turned
    assert "a (reactivity 0) and b (reactivity 0):" in turned
    assert "a (reactivity 0) and b (reactivity 1):" not in turned
    assert said not in words(("a", 1.0), ("b", 1.0))
    apart = words(("a", 0.0), ("b", 1.0))
    assert said not in apart
    assert "No two planners were run at the same reactivity" in apart


def test_markdown_has_as_many_cells_in_every_line() -> None:
    blocks = markdown(shown()).split("\n\n")
    assert len(blocks) == 10
    for block in blocks[1::2]:
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
        assert len(counts) == 1
        assert re.fullmatch(r"\|( --- \|)+", block.splitlines()[1])
    assert "| a\\|b |" in markdown([Table("c", ["h"], [["a|b"]])])


def test_csv_can_be_read_back() -> None:
    expected = shown()
    lines = list(csv.reader(io.StringIO(csv_text(expected))))
    for caption, header, rows in map(astuple, expected):
        assert lines.pop(0) == [f"# {caption}"]
        assert lines.pop(0) == header
        assert [lines.pop(0) for _ in rows] == rows
        assert lines.pop(0) == []
    assert lines == []


def test_latex_is_balanced_and_escaped() -> None:
    text = latex(shown())
    assert text.count("\\begin{table}") == text.count("\\end{table}") == 5
    assert text.count("\\begin{tabular}") == text.count("\\end{tabular}") == 5
    assert re.search(r"(?<!\\)[%#_]", text) is None
    assert "95 \\%" in text
    assert "b\\_2" in text
    assert "$\\pm$" in text
    assert "±" not in text
    assert "(m/s\\^{}2)" in text
    for table, part in zip(shown(), text.split("\n\n"), strict=True):
        body = [line for line in part.splitlines() if line.endswith("\\\\")]
        assert len(body) == len(table.rows) + 1
        ampersands = {len(re.findall(r"(?<!\\)&", line)) for line in body}
        assert ampersands == {len(table.header) - 1}


def test_latex_keeps_its_own_signs_apart_from_those_of_the_text() -> None:
    text = latex([Table("c", ["h"], [["a\\b{c}~<$d&e"]])])
    assert "a\\textbackslash{}b\\{c\\}\\~{}$<$\\$d\\&e" in text


def test_latex_of_a_table_without_rows_has_no_empty_line() -> None:
    assert " \\\\\n\\hline\n\\hline\n\\end{tabular}" in latex([Table("c", ["h", "i"], [])])


def ranked(weights: dict[str, float], limits: dict[str, Limit]) -> Comparison:
    found = two_planners()
    return replace(found, ranking=tuple(ranking(found.summaries, found.metrics, weights, limits)))


def test_json_holds_everything_and_nothing_that_is_not_json() -> None:
    found = ranked({"speed": 1.0}, {"energy": Limit(high=1.0)})
    content = json.loads(json.dumps(as_json(found), allow_nan=False))
    assert content["summaries"][0]["row"]["planner"] == "a"
    assert content["summaries"][0]["verdicts"]["success"] == 12
    assert content["summaries"][0]["estimates"]["speed"]["mean"] == pytest.approx(1, abs=0.05)
    assert content["summaries"][0]["cells"]["speed"]["over"] == "episodes"
    assert content["pairs"][0]["p"] is not None
    assert content["pairs"][0]["family"] == "primary"
    assert (content["clusters"], content["asked"]["baseline"]) == (12, None)
    assert content["pairs"][0]["beyond_chance"] in (True, False)
    assert content["statement"][0] == "a and b_2:"
    assert (content["windows"], content["draws"], content["completed_by_all"]) == (12, 500, 12)
    assert [each["on_front"] for each in content["ranking"]] == [True, False]


def test_the_ranking_is_a_table_of_its_own() -> None:
    said = text(ranked({"speed": 1.0}, {"speed": Limit(low=0.8)}), "markdown")
    assert "| place | planner | score | Pareto front | limits |" in said
    assert "| 1 | a | 1.000 | yes | all kept |" in said
    assert re.search(
        r"\| 2 \| b_2 \| 0.000 \| no \| speed is 0\.\d+, wanted at least 0\.8 \|", said
    )


def test_a_users_metric_is_shown_with_its_unit_and_direction() -> None:
    own = replace(METRICS[0], name="comfort", unit="dB", better=Better.LOWER)
    found = compared(
        *(episode(f"e{k}", planner, values={"comfort": value})
          for k in range(12) for planner, value in (("a", 1.0), ("b", 2.0))),
        metrics=(*METRICS, own),
    )  # fmt: skip
    assert "comfort (dB)" in markdown(tables(found))
    assert "a is better in comfort by 1" in statement(found)


def with_reference(*planners: str) -> Comparison:
    human = row("human", is_reference=True)
    measured = [episode(f"e{k}", planner) for planner in planners for k in range(3)]
    walks = [episode(f"e{k}@human-7", human, window=f"e{k}") for k in range(3)]
    return compared(*measured, *walks, draws=20)


def test_a_reference_is_marked_in_every_table_and_in_no_pair() -> None:
    shown = tables(with_reference("a", "b"))
    marked = "human (reference, own episodes)"
    assert [table.rows[2][0] for table in shown[:3]] == [marked] * 3
    assert marked in shown[3].header
    assert all("A reference" in table.caption for table in shown[:4])
    assert not any(marked in line for line in shown[4].rows)
    without = tables(compared(episode("e0", "a"), episode("e0", "b")))
    assert not any("reference" in table.caption for table in without)


@pytest.mark.parametrize(
    ("planners", "first"),
    [
        (("a", "b"), "a and b:"),
        (("a",), "There is one planner only: nothing to tell apart."),
        ((), "There is no planner: nothing to tell apart."),
    ],
)
def test_the_statement_leaves_a_reference_out_and_says_so(
    planners: tuple[str, ...], first: str
) -> None:
    lines = statement(with_reference(*planners)).splitlines()
    assert lines[0] == first
    assert lines[-1] == "human is a reference on its own episodes and is not compared with others."


@cache
def nine(asked: Asked = EVERYTHING) -> Comparison:
    """Nine planners of which each succeeds a little less often than the one before."""
    rng = np.random.default_rng(0)
    measured = [
        episode(
            f"e{k}",
            f"planner-{p}",
            values={"success": float(rng.random() < 1.0 - p / 9)},
            time_s=10.0 + p + rng.normal(),
        )
        for p in range(9)
        for k in range(33)
    ]
    return compared(*measured, asked=asked)


def test_nine_planners_fit_on_one_screen_with_what_won_by_how_much_and_how_sure() -> None:
    lines = text(nine()).splitlines()
    assert len(lines) <= 40
    assert max(map(len, lines)) <= 130
    first = next(line for line in lines if line.startswith("1  planner-0"))
    assert re.search(r"1\.00 \[0\.\d\d, 1\.00\] +\d-9", first)
    leader = next(line for line in lines if line.startswith("success: planner-0 has the best mean"))
    assert "ahead of" in leader
    assert len(text(nine(), whole=True).splitlines()) > 400


def test_who_shares_the_best_mean_is_not_named_again_as_not_told_apart() -> None:
    wins = {"a": 1.0, "b": 1.0, "c": 0.0}
    measured = [
        episode(f"e{k}", name, values={"success": win if k < 2 else 1.0})
        for name, win in wins.items()
        for k in range(12)
    ]
    said = " ".join(text(compared(*measured)).split())
    assert "success: a and b share the best mean; not told apart from c." in said


def test_against_a_baseline_each_difference_is_shown_with_its_p() -> None:
    said = text(nine(Asked(baseline="planner-4")))
    assert "minus planner-4" in said
    assert re.search(r"planner-0 .*\+0\.\d\d \[\+0\.\d\d, \+0\.\d\d\] +0\.\d{3}\*", said)
    assert "corrected for 8 planners and 3 metrics" in said


def test_power_is_said_in_words() -> None:
    (success, *_) = power(nine())
    assert re.fullmatch(
        r"With 33 clusters of crowd windows a difference in success under 0\.\d+ would be missed "
        r"four times of five; one over 0\.\d+ would be found four times of five\.",
        success,
    )


def test_kinds_of_episodes_have_tables_of_their_own() -> None:
    measured = [
        replace(episode(f"e{k}", planner), map="ABC"[k % 3]) for k in range(12) for planner in "ab"
    ]
    said = text(compared(*measured, asked=Asked(by=By.MAP)))
    assert "map: A. 4 episodes, 4 crowd windows." in said


def test_csv_is_one_table_of_means_and_differences() -> None:
    rows = list(csv.DictReader(io.StringIO(text(nine(), "csv"))))
    means = [row for row in rows if row["kind"] == "mean"]
    differences = [row for row in rows if row["kind"] == "difference"]
    assert len(means) == 9 * (len(NAMES) + 1)
    assert len(differences) == 36 * (len(NAMES) + 1)
    assert (differences[0]["family"], differences[0]["first"]) == ("primary", "planner-0")
    assert float(differences[0]["p"]) <= 1
    assert means[0]["second"] == ""
