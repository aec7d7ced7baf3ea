"""Curves along what alone rows differ in, told by the fields of rows and not by their names."""

from dataclasses import replace

import pytest
from matplotlib.figure import Figure

from comparisons import compared, episode, row
from paseo.metrics.comparison.rows import Row, RowSettings
from paseo.render.raster.colours import OWN
from paseo.render.raster.palette import LIGHT, as_text
from paseo.report.walk.figures.series import series_of
from paseo.report.walk.figures.sweeps import Sweep, draw_sweep, sweeps
from paseo.world.scenarios import Sensor


def found(*rows: Row) -> list[Sweep]:
    drives = [
        episode(f"e{k}", each, time_s=10.0 + place)
        for place, each in enumerate(rows)
        for k in "abc"
    ]
    return sweeps(series_of(drives, compared(*drives, draws=20), LIGHT))


def speed(value: float | None) -> Row:
    return row(f"s {value}", name="straight", parameters=(("careful", True), ("speed", value)))


def noisy(planner: str, noise: float, delay: float = 0.0) -> Row:
    sensor = Sensor(range=6.0, position_noise=noise, velocity_noise=noise, delay=delay)
    return row(planner, name=planner, settings=RowSettings(sensor=sensor))


def values(sweep: Sweep) -> dict[str, list[float]]:
    return {line.name: [value for value, _ in line.points] for line in sweep.lines}


def test_a_parameter_is_a_dial_for_the_rows_that_have_a_number() -> None:
    (sweep,) = found(speed(0.9), speed(0.5), speed(None), row("stop", name="stop"))
    assert sweep.name == "along_speed"
    assert values(sweep) == {"straight": [0.5, 0.9]}


def test_reactivity_has_a_line_for_each_planner() -> None:
    rows = [
        replace(row(name, name=name), reactivity=k / 2)
        for name in ("orca", "dwa")
        for k in (0, 1, 2)
    ]
    (sweep,) = found(*rows)
    assert values(sweep) == {"orca": [0, 0.5, 1], "dwa": [0, 0.5, 1]}
    assert "reactivity" in sweep.words


def test_two_noises_that_are_always_equal_are_one_dial_and_delay_another() -> None:
    rows = [noisy("dwa", noise) for noise in (0.0, 0.1, 0.3)]
    (sweep,) = found(*rows)
    assert values(sweep) == {"dwa": [0.0, 0.1, 0.3]}
    both = found(*rows, *(noisy("dwa", 0.0, delay) for delay in (0.2, 0.4)))
    assert [(each.name, values(each)) for each in both] == [
        ("along_position_noise", {"dwa": [0.0, 0.1, 0.3]}),
        ("along_delay", {"dwa": [0.0, 0.2, 0.4]}),
    ]


def test_rows_that_differ_in_two_numbers_are_on_no_line() -> None:
    assert found(noisy("dwa", 0.1, 0.2), noisy("dwa", 0.3, 0.4)) == []
    assert found(row("a"), row("b")) == []


def test_lines_of_one_planner_say_in_what_else_they_differ() -> None:
    rows = [noisy("dwa", noise, delay) for noise in (0.1, 0.2) for delay in (0.0, 0.5)]
    assert {line.name for sweep in found(*rows) for line in sweep.lines} >= {
        "dwa, delay 0", "dwa, delay 0.5"
    }  # fmt: skip


def test_means_are_drawn_at_their_values_in_the_planners_colour() -> None:
    (sweep,) = found(speed(0.5), speed(0.9))
    figure = Figure(figsize=(6.5, 4))
    draw_sweep(figure, sweep, LIGHT)
    time = next(axes for axes in figure.axes if "time to the goal" in axes.get_title(loc="left"))
    line = time.get_lines()[0]
    assert list(line.get_xdata()) == [0.5, 0.9]
    assert list(line.get_ydata()) == pytest.approx([10.0, 11.0])
    assert line.get_color() == as_text(LIGHT.planner(OWN["straight"]))
