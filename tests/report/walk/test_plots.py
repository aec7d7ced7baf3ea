"""Plots show what was measured, say what is behind them, and cope with any names and gaps."""

import hashlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from comparisons import compared, episode, row
from paseo.errors import CannotWrite, PaseoError
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.comparison.rows import Row
from paseo.render.raster.palette import DARK, LIGHT, as_text
from paseo.report.walk.figures.distributions import (
    BINS,
    DISTANCE,
    TIME,
    draw_distributions,
    draw_joint,
)
from paseo.report.walk.figures.per_planner import QUANTITIES, draw_quantity
from paseo.report.walk.figures.series import Series, broken, series_of
from paseo.report.walk.figures.trade_off import draw_trade_off
from paseo.report.walk.plots import Plot, inline_svg, plots, save_captions, save_plot
from paseo.world.records import Verdict

pytestmark = pytest.mark.filterwarnings("error")

NEAR = {DISTANCE: np.array([0.5, 1.5, 10.0, 10.0]), TIME: np.array([0.25, 3.0, 10.0])}
HUMAN = row("human", is_reference=True)
HOSTILE = '</text></svg><script>alert(1)</script>--> & $x$ "\U0001f600'


def drives(planner: str | Row, count: int = 6, **values: float | None) -> list[MeasuredEpisode]:
    """Episodes whose energy is 10, 11, 12 ... J."""
    return [
        episode(f"e{k}", planner, samples=NEAR, values={"energy": 10.0 + k, **values})
        for k in range(count)
    ]


def three() -> list[MeasuredEpisode]:
    return [
        *drives("quick", path_length_ratio=0.5),
        *(episode(f"e{k}", "never", verdict=Verdict.TIMEOUT, samples=NEAR) for k in range(6)),
        *drives(HUMAN),
    ]


def series(measured: Sequence[MeasuredEpisode]) -> list[Series]:
    return series_of(measured, compared(*measured), LIGHT)


def all_plots(measured: Sequence[MeasuredEpisode]) -> dict[str, Plot]:
    return {plot.name: plot for plot in plots(measured, compared(*measured))}


def words(figure: Figure) -> list[str]:

    return [each.get_text() for each in figure.findobj(Text) if each.get_text()]


def test_there_is_a_plot_for_each_figure_of_the_paper_and_some_more() -> None:
    assert list(all_plots(three())) == [
        "verdicts", "arrivals", "efficiency_disruption", "people", "people_joint", "energy",
        "planning_time", "path_length_ratio", "path_length", "path_traversal_time",
    ]  # fmt: skip


def test_captions_state_the_data() -> None:
    robot = "robot r, radius 0.24 m, 1.2 m/s, 1.1 rad/s, inf m/s^2"
    data = f"Data: 6 episodes from 6 crowd windows; 1 seed; 54 steps in all; {robot}."
    for plot in all_plots(three()).values():
        assert data in plot.caption
        assert "human is a reference on episodes of its own." in plot.caption
    assert "a dot for each episode that arrived" in all_plots(three())["energy"].caption


def test_ridges_hold_the_share_of_steps_and_means_count_what_is_beyond() -> None:
    figure = Figure()
    draw_distributions(figure, series(drives("quick")), LIGHT)
    from matplotlib.patches import StepPatch

    left, right = (axes.findobj(StepPatch)[0].get_data() for axes in figure.axes)
    for ridge, low, samples in ((left, -0.5, [0.5, 1.5]), (right, 0.0, [0.25, 3.0])):
        filled = np.flatnonzero(ridge.baseline - ridge.values > 1e-9)
        middles = (np.array(samples) - low) / (10.0 - low) * BINS
        assert filled.tolist() == np.floor(middles).tolist()
    assert {"5.50", "4.42", "50%\nbeyond", "33%\nbeyond"} <= set(words(figure))


def test_the_joint_plot_pairs_each_step_with_the_state_it_begins_in() -> None:
    figure = Figure()
    draw_joint(figure, series(three()), LIGHT)
    from matplotlib.collections import PolyCollection

    (hexagons,) = figure.axes[0].findobj(PolyCollection)
    centres, counts = hexagons.get_offsets(), hexagons.get_array()
    assert counts.tolist() == [6.0, 6.0, 6.0]
    expected = np.array([[0.5, 0.25], [1.5, 3.0], [10.0, 10.0]])
    gaps = np.linalg.norm(np.asarray(centres)[:, None] - expected, axis=2).min(axis=0)
    assert (gaps < 0.6).all()


def test_means_and_intervals_are_those_of_the_comparison() -> None:
    measured = three()
    energy = QUANTITIES[0]
    figure = Figure()
    draw_quantity(figure, energy, series(measured), LIGHT)
    (axes,) = figure.axes
    estimate = compared(*measured).summaries[0].estimates["energy"]
    lines = {tuple(np.asarray(each.get_xdata(), float)) for each in axes.get_lines()}
    assert (estimate.low, estimate.high) in lines
    assert (estimate.mean,) in lines
    assert tuple(10.0 + k for k in range(6)) in lines
    assert "none completed" in words(figure)


def test_planning_times_are_in_milliseconds_and_may_be_missing() -> None:
    measured = [*drives("slow", planning_time=0.02), *drives("log", planning_time=None)]
    figure = Figure()
    draw_quantity(figure, QUANTITIES[1], series(measured), LIGHT)
    assert {"20", "not measured", "planning time per step (ms)"} <= set(words(figure))


def test_the_front_leaves_out_who_is_beaten_and_who_is_a_reference() -> None:
    measured = [
        *drives("good", personal_space_compliance=0.9),
        *drives("late", personal_space_compliance=0.8),
        *drives(HUMAN, personal_space_compliance=1.0),
    ]
    figure = Figure()
    draw_trade_off(figure, series(measured), LIGHT)
    lines = figure.axes[0].get_lines()
    stairs = next(each for each in lines if each.get_drawstyle() == "steps-post")
    ys = np.asarray(stairs.get_ydata(), float)
    assert ys[1:] == pytest.approx([10.0, 10.0])
    assert "human (reference, own\nepisodes)" in words(figure)


def test_long_names_are_broken_and_never_cut() -> None:
    rows = [f"dwa (sees by range 6, occlusion, position noise 0.{k})" for k in range(3)]
    figure = Figure()
    draw_quantity(figure, QUANTITIES[0], series([e for name in rows for e in drives(name)]), LIGHT)
    names = [tick.get_text().replace("\n", " ") for tick in figure.axes[0].get_yticklabels()]
    assert names == rows
    whole = broken("x" * 300)
    assert whole.replace("\n", "") == "x" * 300
    assert whole.count("\n") < 8


def test_every_plot_is_saved_twice_with_its_caption(tmp_path: Path) -> None:
    chosen = all_plots(three())
    for plot in chosen.values():
        png, svg = save_plot(plot, tmp_path)
        with Image.open(png) as image:
            assert image.text["Description"] == plot.caption
        assert plot.caption in "".join(ElementTree.parse(svg).getroot().itertext())
    page = save_captions(list(chosen.values()), tmp_path).read_text()
    assert all(plot.caption in page for plot in chosen.values())


def test_references_stand_below_a_line_in_grey() -> None:
    figure = Figure()
    draw_quantity(figure, QUANTITIES[0], series(three()), LIGHT)
    (axes,) = figure.axes
    names = [tick.get_text() for tick in axes.get_yticklabels()]
    assert names == ["quick", "never", "human (reference, own\nepisodes)"]
    assert any(list(each.get_ydata()) == [1.5, 1.5] for each in axes.get_lines())
    assert series(three())[2].colour == as_text(LIGHT.faint)


SUPPORT = Path(__file__).parents[2] / "support" / "walk"
ELSEWHERE = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from test_plots import all_plots, three
from paseo.report.walk.plots import save_plot
save_plot(all_plots(three())["people_joint"], Path(sys.argv[1]))
"""


@pytest.mark.slow
def test_another_process_draws_the_same_bytes(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir(), there.mkdir()
    save_plot(all_plots(three())["people_joint"], here)
    tests = Path(__file__).parent
    environment = {"PYTHONHASHSEED": "7", "HOME": str(tmp_path), "PYTHONPATH": str(SUPPORT)}
    subprocess.run([sys.executable, "-c", ELSEWHERE, there, tests], check=True, env=environment)
    for name in ("people_joint.png", "people_joint.svg"):
        digests = [hashlib.sha256((each / name).read_bytes()).hexdigest() for each in (here, there)]
        assert digests[0] == digests[1]


def test_dark_plots_have_dark_paper(tmp_path: Path) -> None:
    chosen = {each.name: each for each in plots(three(), compared(*three()), theme=DARK)}
    save_plot(chosen["energy"], tmp_path, theme=DARK)
    with Image.open(tmp_path / "energy.png") as image:
        assert image.convert("RGB").getpixel((2, 2)) == DARK.page


@pytest.mark.parametrize("name", ["people", "people_joint", "efficiency_disruption", "energy"])
def test_any_name_can_be_drawn(tmp_path: Path, name: str) -> None:
    plot = all_plots([*drives(HOSTILE), *drives("x" * 300)])[name]
    save_plot(plot, tmp_path)
    inline = ElementTree.fromstring(inline_svg(plot))
    assert not [each for each in inline.iter() if each.tag.endswith("script")]


def test_on_a_page_a_plot_takes_the_colours_of_the_page() -> None:
    plot = all_plots(three())["energy"]
    text = inline_svg(plot)
    assert f"var(--planner-{series(three())[0].number})" in text
    assert "var(--ink)" in text
    assert as_text(LIGHT.ink).lower() not in text
    ids = [each.get("id") for each in ElementTree.fromstring(text).iter() if each.get("id")]
    assert all(each.startswith("energy-") for each in ids)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(
    "measured",
    [
        [episode("e0", "failed", verdict=Verdict.PLANNER_FAILED)],
        [episode("e0", "short", samples={DISTANCE: np.ones(1), TIME: np.empty(0)})],
        drives(HUMAN),
        pytest.param([e for k in range(11) for e in drives(f"p{k}", 2)], marks=pytest.mark.slow),
    ],
    ids=["nothing known", "one state", "a reference alone", "eleven planners"],
)
def test_whatever_was_run_can_be_drawn(measured: list[MeasuredEpisode]) -> None:
    for plot in list(all_plots(measured).values())[:6]:
        ElementTree.fromstring(inline_svg(plot))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="nowhere"):
        save_plot(all_plots(three())["energy"], tmp_path / "nowhere")


def test_without_matplotlib_the_line_to_type_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: Any = all_plots(three())["energy"]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PaseoError, match=r"pip install 'paseo\[plots\]'"):
        save_plot(chosen, tmp_path)
    assert not list(tmp_path.iterdir())
