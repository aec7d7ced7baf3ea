"""Bars of verdicts and curves of arrivals show what was counted."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation, Text

from comparisons import compared, episode
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.render.raster.palette import LIGHT
from paseo.report.walk.figures.endings import draw_arrivals, draw_verdicts
from paseo.report.walk.figures.labels import spread
from paseo.report.walk.figures.series import Series, series_of
from paseo.world.records import Verdict


def drives(planner: str, **counts: int) -> list[MeasuredEpisode]:
    """So many episodes of each verdict, that last 1, 2, 3 ... seconds."""
    ended = [Verdict[name] for name, count in counts.items() for _ in range(count)]
    return [
        episode(f"e{k}", planner, verdict=verdict, time_s=k + 1.0)
        for k, verdict in enumerate(ended)
    ]


def series(*measured: MeasuredEpisode) -> list[Series]:
    return series_of(measured, compared(*measured, draws=20), LIGHT)


MIXED = [
    *drives("a", SUCCESS=3, PERSON_COLLISION=1, TIMEOUT=1, PLANNER_FAILED=1),
    *drives("b", WALL_COLLISION=6),
]


def test_bars_are_stacked_to_the_whole_with_their_numbers() -> None:
    figure = Figure(figsize=(6.5, 2))
    draw_verdicts(figure, series(*MIXED), LIGHT)
    (axes,) = figure.axes
    bars = [each for each in axes.findobj(Rectangle) if each in axes.patches]
    first = [bar for bar in bars if round(bar.get_y() + bar.get_height() / 2) == 0]
    assert [bar.get_width() for bar in first] == pytest.approx([50, 100 / 6, 0, 100 / 6, 100 / 6])
    ends = np.cumsum([bar.get_width() for bar in first])
    assert [bar.get_x() for bar in first] == pytest.approx([0, *ends[:-1]])
    assert [text.get_text() for text in axes.texts] == ["3", "1", "1", "1", "6"]


def test_the_number_of_a_sliver_stands_above_it() -> None:
    figure = Figure(figsize=(6.5, 2))
    draw_verdicts(figure, series(*drives("a", SUCCESS=199, TIMEOUT=1)), LIGHT)
    whole, sliver = figure.axes[0].texts
    assert whole.get_position()[1] == 0
    assert sliver.get_text() == "1"
    assert sliver.get_position()[1] < -0.3


def test_curves_rise_with_arrivals_and_stay_below_the_whole_by_those_who_never_arrive() -> None:
    figure = Figure(figsize=(6.5, 3))
    draw_arrivals(figure, series(*MIXED), LIGHT)
    (axes,) = figure.axes
    a, b = axes.get_lines()[:2]
    assert list(a.get_xdata()) == [0, 1, 2, 3, 4, 60]
    assert list(a.get_ydata()) == pytest.approx([0, 100 / 6, 200 / 6, 50, 400 / 6, 400 / 6])
    assert list(b.get_ydata()) == [0, 0]
    assert a.get_drawstyle() == "steps-post"
    named = {each.get_text(): each.xy[1] for each in axes.findobj(Annotation)}
    assert named == {"a": pytest.approx(400 / 6), "b": 0}


def test_the_line_of_each_name_ends_at_its_middle() -> None:
    figure = Figure(figsize=(6.5, 3.2), dpi=160, layout="constrained")
    FigureCanvasAgg(figure)
    nine = [each for k in range(9) for each in drives(f"p{k}", SUCCESS=3)]
    draw_arrivals(figure, series(*nine), LIGHT)
    figure.canvas.draw()
    (axes,) = figure.axes
    names = axes.findobj(Annotation)
    assert len(names) == 9
    for each in names:
        box = Text.get_window_extent(each)
        drawn = each.arrow_patch.get_path().vertices  # in pixels
        assert drawn[0] == pytest.approx((box.x0, (box.y0 + box.y1) / 2), abs=1.0)


def test_labels_find_room_above_each_other_near_where_they_belong() -> None:
    heights = np.full(5, 0.1)
    levels = spread(np.array([0.5, 0.5, 0.5, 0.0, 1.0]), heights)
    assert levels == pytest.approx([0.4, 0.5, 0.6, 0.05, 0.95])
    assert (np.diff(np.sort(levels)) >= 0.1 - 1e-9).all()
