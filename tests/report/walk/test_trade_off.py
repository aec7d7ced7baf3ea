"""The trade-off plot names the right points: read from the figure as it was drawn."""

from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from comparisons import compared, episode, row
from paseo.metrics.comparison.rows import Row
from paseo.planners.names import PLANNERS
from paseo.render.figures.saving import drawing
from paseo.render.raster.palette import LIGHT
from paseo.report.walk.figures.labels import DOT
from paseo.report.walk.figures.series import Series, series_of
from paseo.report.walk.figures.trade_off import COMPLIANCE
from paseo.report.walk.plots import Plot, drawn_plot, plots
from thinning import mostly_slow

NINE = [row(name, name=name) for name in PLANNERS.shipped if name not in ("human", "stop", "vlm")]
DIAL = [replace(row(name), reactivity=k / 4) for name in ("orca", "dwa", "mppi") for k in range(5)]
SWEEP = [row(f"straight:speed={0.5 + 0.05 * k:.2f}") for k in range(15)]
TWINS = [row(f"my_planners/another.py:TheSame:number={k}") for k in range(6)]
NEAR = {"nine": NINE, "dial": DIAL, "sweep": SWEEP, "twins": TWINS}


@dataclass(frozen=True)
class Named:
    """A name as it was drawn, in pixels: its words, where its leader ends, in which colour."""

    words: str
    box: Bbox
    end: np.ndarray
    colour: str


def measured(rows: list[Row], *, spread: float) -> list[Series]:
    """Rows whose means lie about each other, the nearer the smaller the spread."""
    rng = np.random.default_rng(len(rows))
    drives = []
    for each in rows:
        time, compliance = rng.normal(20.0, 8 * spread), rng.normal(0.7, 0.2 * spread)
        for k in range(4):
            values = {COMPLIANCE: float(np.clip(compliance + rng.normal(0, 0.03), 0, 1))}
            seconds = float(np.clip(time + rng.normal(0, 1), 1, 59))
            drives.append(episode(f"e{k}", each, values=values, time_s=seconds))
    return drives


@cache
def drawn(case: str, spread: float) -> tuple[list[Series], list[Named], list[np.ndarray]]:
    """The series of a trade-off plot, its names and its points, in pixels."""
    drives = measured(NEAR[case], spread=spread)
    comparison = compared(*drives, draws=100)
    chosen: Plot = next(
        each for each in plots(drives, comparison) if each.name == "efficiency_disruption"
    )
    figure: Figure = drawn_plot(chosen, LIGHT)
    FigureCanvasAgg(figure).draw()
    (axes,) = figure.axes
    names = [
        Named(
            each.get_text(),
            Text.get_window_extent(each),
            axes.transData.transform(each.xy),
            to_hex(each.arrow_patch.get_edgecolor()),
        )
        for each in axes.findobj(Annotation)
    ]
    marks = [each for each in axes.get_lines() if each.get_marker() == "o"]
    points = [axes.transData.transform(np.ravel(each.get_data())) for each in marks]
    return series_of(drives, comparison, LIGHT), names, points


@pytest.mark.slow
@pytest.mark.parametrize("spread", mostly_slow([1.0, 0.1]))
@pytest.mark.parametrize("case", mostly_slow(NEAR))
def test_every_leader_ends_at_the_point_of_its_own_row(case: str, spread: float) -> None:
    with drawing(LIGHT):
        series, names, points = drawn(case, spread)
    assert len(names) == len(points) == len(series)
    for each, name, point in zip(series, names, points, strict=True):
        assert name.words.replace("\n", "").replace(" ", "") == each.name.replace(" ", "")
        assert name.colour == each.colour.lower()
        assert name.end == pytest.approx(point, abs=0.5)


@pytest.mark.parametrize("spread", [1.0, 0.1])
@pytest.mark.parametrize("case", mostly_slow(NEAR))
def test_names_lie_neither_on_points_nor_on_names(case: str, spread: float) -> None:
    with drawing(LIGHT):
        _, names, points = drawn(case, spread)
    reach = (DOT - 1.0) * 160 / 72
    for name in names:
        corners = np.array([[name.box.x0, name.box.y0], [name.box.x1, name.box.y1]])
        for point in points:
            nearest = np.clip(point, *corners)
            assert np.hypot(*(nearest - point)) > reach, name.words
    for one, other in combinations(names, 2):
        assert not one.box.overlaps(other.box), (one.words, other.words)
