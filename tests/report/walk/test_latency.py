"""The latency curve in tables, words, CSV, JSON and figures."""

import csv
import io
import json
from functools import cache

import numpy as np
import pytest
from matplotlib.figure import Figure

from comparisons import compared, episode, row
from paseo.metrics.comparison.asking import EVERYTHING, Asked
from paseo.metrics.comparison.comparison import Comparison
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.comparison.sweeps.latency import Opponent
from paseo.render.raster.palette import LIGHT
from paseo.report.walk.compared.latency import latency_tables, latency_words
from paseo.report.walk.compared.output import as_json, text
from paseo.report.walk.compared.words import statement
from paseo.report.walk.figures.endurance import draw_endurances
from paseo.report.walk.figures.series import series_of
from paseo.report.walk.figures.sweeps import draw_sweep, sweeps
from paseo.report.walk.plots import plots
from paseo.world.clocks import ClockName, Timekeeping
from paseo.world.records import Verdict

HOLD = Timekeeping(clock=ClockName.CHARGED)
# Of 16 episodes so many succeed at 0, 0.1, 1 and 5 s.
SUCCESSES = {"slow": (16, 14, 6, 0), "quick": (16, 16, 16, 16), "dwa": (8, 8, 4, 0)}
LATENCIES = (0.0, 0.1, 1.0, 5.0)


def drives(*planners: str) -> tuple[MeasuredEpisode, ...]:
    return tuple(
        episode(
            f"e{k}",
            row(planner, name=planner, clock=HOLD, latency_s=latency),
            verdict=Verdict.SUCCESS if k < many else Verdict.TIMEOUT,
            time_s=10.0 + latency,
            samples={},
        )
        for planner in planners
        for latency, many in zip(LATENCIES, SUCCESSES[planner], strict=True)
        for k in range(16)
    )


@cache
def shown(*planners: str, asked: Asked = EVERYTHING) -> Comparison:
    return compared(*drives(*planners), asked=asked, draws=20)


def test_every_planner_has_a_line_for_each_latency_with_intervals_and_causes() -> None:
    curve, _ = latency_tables(shown("slow", "dwa"))
    assert curve.header == [
        "planner", "latency s", "success", "contacts per min", "to goal s",
        "caused/shared/walked into",
    ]  # fmt: skip
    assert [line[:2] for line in curve.rows] == [
        [planner, latency] for planner in ("slow", "dwa") for latency in ("0", "0.1", "1", "5")
    ]
    assert curve.rows[2][2].startswith("0.38 [0.1")
    assert curve.rows[2][5].count("/") == 2


def test_the_end_of_a_lead_is_told_with_its_interval_and_what_is_shown() -> None:
    _, ends = latency_tables(shown("slow", "quick", "dwa"))
    lines = {(line[0], line[2]): line[3:] for line in ends.rows}
    stops, ahead, behind = lines["slow", Opponent.SHORTEST]
    assert stops.startswith("0.78 s [0.")
    assert (ahead, behind) == ("0 s", "5 s")
    assert lines["quick", Opponent.SHORTEST] == [
        "beyond 5 s [beyond 5 s, beyond 5 s]", "5 s", "not shown",
    ]  # fmt: skip
    words = latency_words(shown("slow", "quick", "dwa"))
    assert words[0].startswith("success: slow stops beating dwa (latency 0 s) at a latency of 0.78")
    assert words[0].endswith("shown to be ahead at 0 s, shown to be behind from 5 s.")
    assert "quick is ahead of dwa (latency 0 s) at every latency up to 5 s" in words[1]
    assert words[1].endswith("shown to be ahead up to 5 s.")
    assert words[0] in statement(shown("slow", "quick", "dwa"))


def test_a_baseline_of_ones_own_takes_the_place_of_the_simple_planners() -> None:
    words = latency_words(shown("slow", "quick", asked=Asked(baseline="quick")))
    assert words == [
        "success: slow is not ahead of quick (latency 0 s), not even at 0 s [0 s, 0.36 s]; not "
        "shown to be ahead at any latency, shown to be behind from 1 s."
    ]


def test_without_a_simple_planner_it_is_said_what_to_add_and_without_a_sweep_nothing() -> None:
    alone = shown("slow", "quick")
    assert latency_words(alone) == [
        "How slow planners may be is told where dwa and straight ran at the same latencies too."
    ]
    assert len(latency_tables(alone)) == 1
    plain = compared(episode("e0", "a"), episode("e0", "b"))
    assert (latency_tables(plain), latency_words(plain)) == ([], [])
    assert "latency" not in text(plain, "csv")
    assert "latenc" not in text(plain, whole=True)


def test_programs_get_ends_leads_and_latencies_as_numbers() -> None:
    found = shown("slow", "dwa")
    lines = list(csv.DictReader(io.StringIO(text(found, "csv"))))
    (end, _) = [line for line in lines if line["kind"] == "stops beating"]
    assert (end["first"], end["second"], end["unit"], end["family"]) == (
        "slow", "dwa", "s", "primary",
    )  # fmt: skip
    assert float(end["low"]) < float(end["mean"]) < float(end["high"])
    leads = [line for line in lines if line["kind"] == "lead" and line["family"] == "primary"]
    assert [(float(line["latency_s"]), float(line["second_latency_s"])) for line in leads] == [
        (latency, 0.0) for latency in LATENCIES
    ]
    means = [line for line in lines if line["kind"] == "mean" and line["metric"] == "success"]
    assert {line["latency_s"] for line in means} == {"0.0", "0.1", "1.0", "5.0"}
    told = json.loads(json.dumps(as_json(found)))["endurances"][0]
    assert told["row"]["planner"] == "slow"
    assert told["row"]["clock"]["thinking"] == "hold"
    assert told["ahead_up_to_s"] == 0.1
    assert len(told["leads"]) == 4


def test_curves_are_drawn_over_latency_with_contacts_by_cause() -> None:
    measured, found = drives("slow", "dwa"), shown("slow", "dwa")
    (sweep,) = sweeps(series_of(measured, found, LIGHT))
    assert sweep.name == "along_latency_s"
    figure = Figure(figsize=(6.5, 4))
    draw_sweep(figure, sweep, LIGHT)
    panels = {axes.get_title(loc="left"): axes for axes in figure.axes}
    assert {"caused by it, per minute", "shared, per minute", "walked into, per minute"} <= {
        *panels
    }
    (slow, *_) = panels["success (%)"].get_lines()
    assert list(slow.get_xdata()) == list(LATENCIES)
    assert list(slow.get_ydata()) == pytest.approx([100 * n / 16 for n in SUCCESSES["slow"]])
    assert [tick.get_text() for tick in figure.axes[-1].get_xticklabels()] == ["0", "0.1", "1", "5"]


def test_ends_of_leads_are_drawn_where_they_are_and_beyond_with_an_arrow() -> None:
    found = shown("slow", "quick", "dwa")
    claims = [each for each in found.endurances if each.opponent is Opponent.SHORTEST]
    figure = Figure(figsize=(6.5, 2))
    draw_endurances(figure, claims, LIGHT)
    (axes,) = figure.axes
    marks = {line.get_marker(): line for line in axes.get_lines() if len(line.get_xdata()) == 1}
    assert marks["D"].get_xdata()[0] == pytest.approx(claims[0].stops_s)
    assert marks[">"].get_xdata()[0] > 5.0
    assert [tick.get_text() for tick in axes.get_yticklabels()] == ["slow", "quick"]


def test_a_report_has_the_figure_only_where_there_is_something_to_tell() -> None:
    def names(*planners: str) -> list[str]:
        return [each.name for each in plots(drives(*planners), shown(*planners))]

    assert {"along_latency_s", "endurance"} <= {*names("slow", "dwa")}
    assert "endurance" not in names("slow")


def test_rows_of_other_latencies_are_never_pooled() -> None:
    found = shown("slow", "dwa")
    assert [each.row.latency_s for each in found.summaries] == [*LATENCIES, *LATENCIES]
    assert all(each.episodes == 16 for each in found.summaries)
    means = [each.estimates["success"].mean for each in found.summaries[:4]]
    assert means == pytest.approx(np.array(SUCCESSES["slow"]) / 16)
