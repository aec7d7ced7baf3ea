"""Metrics along a number in which rows differ: a parameter, reactivity, noise or delay."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.sweeps.dials import Dial
from paseo.render.raster.colours import Wearer, colour_numbers
from paseo.render.raster.palette import Theme, as_text
from paseo.report.walk.figures.series import Series, broken
from paseo.report.walk.rows import clock_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

IN_A_ROW = 3  # panels
MARKS = "osD^vP*X"
NARROW = 34  # letters in a line of the legend
LOGARITHMIC = 30.0  # times the least value, from which on values are better apart so
PERCENT = 100.0
PANELS = (
    ("success", "success (%)", PERCENT),
    ("person_collisions", "contacts per minute", 1.0),
    (TIME_TO_GOAL.name, "time to the goal (s)", 1.0),
    ("personal_space_compliance", "time with room for all (%)", PERCENT),
    ("path_length_ratio", "path length ratio", 1.0),
    ("jerk", "jerk (m/s\N{SUPERSCRIPT THREE})", 1.0),
)
# The same along a latency, where contacts are told by whose doing they were.
PANELS_BY_CAUSE = (
    *PANELS[:3],
    ("caused_contacts", "caused by it, per minute", 1.0),
    ("shared_contacts", "shared, per minute", 1.0),
    ("walked_into_contacts", "walked into, per minute", 1.0),
)
WORDS = {
    "reactivity": "reactivity of people (0: as recorded)",
    "latency_s": "latency of planning (s)",
    "delay": "delay of sensing (s)",
    "position_noise": "noise of positions (m)",
    "velocity_noise": "noise of velocities (m/s)",
    "miss_rate": "chance to overlook a person in a step",
    "swap_rate": "chance in a step that two people are mistaken for each other",
    "range": "range of sensing (m)",
    "field_of_view": "field of view (rad)",
    "foresight": "foresight of people (s)",
    "dt": "step (s)",
}

Fact = tuple[str, str]  # what it is a fact of, and its name


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Line:
    """One planner, run at several values of a dial; everything else is the same."""

    name: str
    planner: str
    points: tuple[tuple[float, Series], ...]  # by value, ascending


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sweep:
    """A number at whose values planners were run, and what came of it."""

    name: str
    words: str
    lines: tuple[Line, ...]

    @property
    def panels(self) -> tuple[tuple[str, str, float], ...]:
        """What is drawn: metric, words, how many of the axis's units one of the metric's has."""
        return PANELS_BY_CAUSE if self.name == f"along_{Dial.LATENCY}" else PANELS


def sweeps(series: Sequence[Series]) -> list[Sweep]:
    """Every number in which alone some rows of a planner differ."""
    told = {each.row: facts(each.row) for each in series if not each.is_reference}
    among = [each for each in series if each.row in told]
    found = []
    for key in _varying(list(told.values())):
        lines = _lines(key, among, told)
        if lines:
            of_planner = key[0] == "planner"
            words = f"{key[1]}, a parameter" if of_planner else WORDS.get(key[1], _spaced(key[1]))
            found.append(Sweep(name=f"along_{key[1]}", words=words, lines=lines))
    return found


def facts(row: Row) -> dict[Fact, Any]:
    """Everything that is known of how a row was run, each for itself."""
    settings = {each.name: getattr(row.settings, each.name) for each in fields(row.settings)}
    sensor = settings.pop("sensor")
    known: dict[Fact, Any] = {
        ("row", "planner"): row.name or row.planner,
        ("row", "control"): row.control.value,
        ("row", "rule"): row.rule,
        ("people", "reactivity"): row.reactivity,
        ("row", "clock"): clock_words(row.clock),
        ("clock", "latency_s"): row.latency_s,
        ("row", "sight"): row.sight,
        **{("planner", key): value for key, value in row.parameters},
        **{("settings", key): value for key, value in settings.items()},
        **{("sensor", each.name): getattr(sensor, each.name) for each in fields(sensor)},
    }
    if row.robot is not None:
        known |= {("robot", e.name): getattr(row.robot, e.name) for e in fields(row.robot)}
    return known


def _varying(told: Sequence[Mapping[Fact, Any]]) -> list[Fact]:
    """Numbers in which rows differ; of those that are always equal, such as two noises, one."""
    columns: dict[tuple[Any, ...], Fact] = {}
    for key in dict.fromkeys(key for each in told for key in each):
        column = tuple(each.get(key) for each in told)
        if len({value for value in column if _is_number(value)}) > 1:
            columns.setdefault(column, key)
    return list(columns.values())


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _lines(
    key: Fact, series: Sequence[Series], told: Mapping[Row, Mapping[Fact, Any]]
) -> tuple[Line, ...]:
    groups: dict[frozenset[Any], list[Series]] = {}
    alike = _moving_with(key, list(told.values()))
    for each in series:
        known = told[each.row]
        if _is_number(known.get(key)):
            rest = frozenset((name, value) for name, value in known.items() if name not in alike)
            groups.setdefault(rest, []).append(each)
    several = [group for group in groups.values() if len({told[s.row][key] for s in group}) > 1]
    firsts = [told[group[0].row] for group in several]
    return tuple(
        Line(
            name=_name(told[group[0].row], firsts, key),
            planner=group[0].row.name or group[0].row.planner,
            points=tuple(sorted(((told[s.row][key], s) for s in group), key=lambda one: one[0])),
        )
        for group in several
    )


def _moving_with(key: Fact, told: Sequence[Mapping[Fact, Any]]) -> set[Fact]:
    """The number itself, and all that have the same value in every row."""
    column = [each.get(key) for each in told]
    return {name for name in told[0] if [each.get(name) for each in told] == column} | {key}


def _name(mine: Mapping[Fact, Any], others: Sequence[Mapping[Fact, Any]], dial: Fact) -> str:
    """The planner, and in what else its line differs from others of the same planner."""
    planner = ("row", "planner")
    twins = [each for each in others if each[planner] == mine[planner]]
    apart = [
        f"{_spaced(key[1])} {value:g}" if _is_number(value) else f"{_spaced(key[1])} {value}"
        for key, value in mine.items()
        if key != dial and any(each.get(key) != value for each in twins)
    ]
    return ", ".join([str(mine[planner]), *apart])


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def draw_sweep(figure: "Figure", sweep: Sweep, theme: Theme) -> None:
    """A panel for each metric: means with their intervals, a line for each planner."""
    wearers = [Wearer(line.planner, line.name.removeprefix(line.planner)) for line in sweep.lines]
    numbers = colour_numbers(wearers, len(theme.planners))
    panels = figure.subplots(-(-len(sweep.panels) // IN_A_ROW), IN_A_ROW, sharex=True)
    for axes, (metric, words, per_unit) in zip(panels.flat, sweep.panels, strict=True):
        for line, number in zip(sweep.lines, numbers, strict=True):
            _draw_line(axes, line, metric, per_unit, as_text(theme.planner(number)))
        axes.set_title(words, weight="normal", loc="left", color=as_text(theme.ink))
        top = 103.0 if per_unit == PERCENT else 1.05 * axes.get_ylim()[1]
        axes.set_ylim(0.0, top or 1.0)
    spread_values(panels.flat[0], [value for line in sweep.lines for value, _ in line.points])
    figure.supxlabel(sweep.words, size=8)
    handles, _ = panels.flat[0].get_legend_handles_labels()
    figure.legend(handles=handles, loc="outside upper left", ncols=3, frameon=False)


def spread_values(axes: "Axes", values: Iterable[float]) -> None:
    """Scale an axis so that values of different size are apart; from 0 to the next, evenly."""
    ordered = sorted(set(values))
    least = next((value for value in ordered if value > 0), math.inf)
    if ordered[0] < 0 or ordered[-1] / least <= LOGARITHMIC:
        return
    if ordered[0] > 0:
        axes.set_xscale("log")
        return
    axes.set_xscale("symlog", linthresh=least, linscale=0.5)
    axes.set_xlim(-0.2 * least, 1.2 * ordered[-1])
    axes.set_xticks(ordered, [f"{value:g}" for value in ordered])
    axes.minorticks_off()


def _draw_line(axes: "Axes", line: Line, metric: str, per_unit: float, colour: str) -> None:
    known = [
        (value, each.summary.estimates[metric])
        for value, each in line.points
        if each.summary.estimates[metric].mean is not None
    ]
    means = [per_unit * (estimate.mean or 0.0) for _, estimate in known]
    mark = MARKS[sum(map(ord, line.planner)) % len(MARKS)]
    axes.plot([value for value, _ in known], means, marker=mark, color=colour, markersize=4,
              linewidth=1.4, label=broken(line.name, NARROW))  # fmt: skip
    for value, estimate in known:
        if estimate.low is not None and estimate.high is not None:
            ends = [per_unit * estimate.low, per_unit * estimate.high]
            axes.plot([value] * 2, ends, color=colour, linewidth=1.0, alpha=0.55)
