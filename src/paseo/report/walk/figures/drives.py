"""All drives over one map: where each planner goes, where it touches people and where it ends."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely

from paseo.metrics.comparison.rows import Row
from paseo.metrics.record.contacts.causes import causes_of
from paseo.render.figures.outline import free_rings
from paseo.render.figures.sketch import SHAPES
from paseo.render.raster.palette import Theme, as_text
from paseo.render.raster.viewport import Box, whole_map
from paseo.report.walk.figures.series import Series, broken
from paseo.world.arrays import FloatArray
from paseo.world.records import Cause, Outcome, Record
from paseo.world.space.floorplan import FloorPlan

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROUGHLY = 0.05  # metres by which a drawn way may differ from the true one
LETTERS_IN_A_LINE = 96  # of the whole width
SHARE_OF_LINE = 0.14  # inches, of a line of text
IN_A_ROW = ((2.0, 2), (1.0, 3), (0.0, 5))  # how many panels, by the width over the height of a map


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drive:
    """What the picture of a map shows of one record."""

    plan: FloorPlan  # its walls, on a grid of a single cell
    way: FloatArray  # (points, 2)
    goal: tuple[float, float]
    arrived: bool
    contacts: tuple[tuple[float, float, Cause], ...]  # those that are counted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """One map, and the drives of each row there."""

    plan: FloorPlan
    drives: tuple[tuple[Series, tuple[Drive, ...]], ...]

    @property
    def columns(self) -> int:
        """How many panels stand in a row."""
        box = whole_map(self.plan)
        shape = box.width / box.height
        return min(next(count for least, count in IN_A_ROW if shape > least), len(self.drives))

    @property
    def letters(self) -> int:
        """How many letters fit into a line above a panel."""
        return LETTERS_IN_A_LINE // self.columns

    def height(self, width: float) -> float:
        """The inches that a figure of this width needs."""
        box = whole_map(self.plan)
        lines = max(broken(each.name, self.letters).count("\n") + 2 for each, _ in self.drives)
        panel = width / self.columns * box.height / box.width + SHARE_OF_LINE * lines
        return 0.35 + panel * -(-len(self.drives) // self.columns)


def drive_of(record: Record) -> Drive:
    """What is shown of a record, whatever others there are."""
    scenario = record.scenario
    way = shapely.simplify(shapely.linestrings(_two(record.robot[:, :2])), ROUGHLY)
    return Drive(
        plan=replace(scenario.floorplan, free=np.ones((1, 1), np.bool_), places=(), source=""),
        way=shapely.get_coordinates(way),
        goal=(scenario.goal.x, scenario.goal.y),
        arrived=record.outcome is Outcome.REACHED_GOAL,
        contacts=tuple((each.x, each.y, cause) for each, cause in causes_of(record).items()),
    )


def _two(points: FloatArray) -> FloatArray:
    """The points, of which there are two at least."""
    return points if len(points) > 1 else np.repeat(points, 2, axis=0)


def places_of(series: Sequence[Series], driven: Sequence[tuple[Row, Drive]]) -> list[Place]:
    """Every map with all drives over it, in order of appearance; references are left out."""
    plans: list[FloorPlan] = []
    for _, drive in driven:
        if not any(_is_same(drive.plan, plan) for plan in plans):
            plans.append(drive.plan)
    found = []
    for plan in plans:
        there = [(row, drive) for row, drive in driven if _is_same(drive.plan, plan)]
        rows = [
            (each, tuple(drive for row, drive in there if row == each.row))
            for each in series
            if not each.is_reference and any(row == each.row for row, _ in there)
        ]
        if rows:
            found.append(Place(plan=plan, drives=tuple(rows)))
    return found


def _is_same(one: FloorPlan, other: FloorPlan) -> bool:
    return one.name == other.name and np.array_equal(one.walls, other.walls)


def draw_drives(figure: "Figure", place: Place, theme: Theme) -> None:
    """A panel for each row: every way there, contacts by their cause, and where others ended."""
    columns = place.columns
    rows = -(-len(place.drives) // columns)
    panels = figure.subplots(rows, columns, squeeze=False)
    rings, box = free_rings(place.plan), whole_map(place.plan)
    for axes in panels.flat[len(place.drives) :]:
        axes.set_visible(False)
    for axes, (each, drives) in zip(panels.flat, place.drives, strict=False):
        _draw_floor(axes, rings, box, theme)
        for drive in drives:
            _draw_drive(axes, drive, each.colour, theme)
        arrived = sum(drive.arrived for drive in drives)
        name = broken(each.name, place.letters)
        axes.set_title(f"{name}\n{arrived} of {len(drives)} arrived", fontsize=7, loc="left",
                       weight="normal", color=as_text(theme.ink))  # fmt: skip
    _draw_key(figure, [drive for _, drives in place.drives for drive in drives], theme)


def _draw_floor(axes: "Axes", rings: Sequence[FloatArray], box: Box, theme: Theme) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    outline = Path.make_compound_path(*(Path(ring, closed=True) for ring in rings))
    axes.add_patch(PathPatch(outline, facecolor=as_text(theme.floor),
                             edgecolor=as_text(theme.edge), linewidth=0.5))  # fmt: skip
    axes.set(xlim=(box.x0, box.x1), ylim=(box.y0, box.y1), xticks=[], yticks=[], aspect="equal")
    axes.set_facecolor(as_text(theme.solid))
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)


def _draw_drive(axes: "Axes", drive: Drive, colour: str, theme: Theme) -> None:
    ink, contact = as_text(theme.ink), as_text(theme.contact)
    axes.plot(*drive.way.T, color=colour, linewidth=0.9, alpha=0.85, zorder=2)
    axes.plot(*drive.way[0], "o", color=as_text(theme.floor), mec=ink, mew=0.5, ms=2.2, zorder=3)
    axes.plot(*drive.goal, "o", color=ink, mew=0, ms=2.2, zorder=3)
    if not drive.arrived:
        axes.plot(*drive.way[-1], "s", color=colour, mec=ink, mew=0.6, ms=3.4, zorder=4)
    for x, y, cause in drive.contacts:
        axes.plot(x, y, SHAPES[cause], mfc="none", mec=contact, mew=0.9, ms=3.8, zorder=5)


def _draw_key(figure: "Figure", drives: Sequence[Drive], theme: Theme) -> None:
    from matplotlib.lines import Line2D

    ink, contact = as_text(theme.ink), as_text(theme.contact)
    small: dict[str, Any] = {"linestyle": "none", "markersize": 4}
    keys = [
        Line2D([], [], marker="o", mfc="none", mec=ink, mew=0.6, label="start", **small),
        Line2D([], [], marker="o", color=ink, mew=0, label="goal", **small),
        Line2D([], [], marker="s", mfc="none", mec=ink, label="ended elsewhere", **small),
    ]
    found = {cause for drive in drives for _, _, cause in drive.contacts}
    keys += [
        Line2D([], [], marker=SHAPES[cause], mfc="none", mec=contact,
               label=f"contact: {cause.value}", **small)
        for cause in Cause
        if cause in found
    ]  # fmt: skip
    figure.legend(handles=keys, loc="outside lower left", ncols=len(keys), frameon=False,
                  handletextpad=0.2, columnspacing=0.9, fontsize=7)  # fmt: skip
