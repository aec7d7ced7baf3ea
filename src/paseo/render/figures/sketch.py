"""Maps, moments and whole records drawn on matplotlib's axes, in metres."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from paseo.render.figures.outline import free_rings
from paseo.render.figures.saving import printable
from paseo.render.figures.wording import length
from paseo.render.raster.palette import Rgb, as_text, mixed
from paseo.render.raster.viewport import MARGIN, Box, grown, overlaps
from paseo.render.staging.backdrop import Actor, Backdrop
from paseo.render.staging.playthrough import Moment, Playthrough, people_to_show
from paseo.render.topview.topview import QUICK
from paseo.text import in_short
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.people import Crowd
from paseo.world.records import Cause, Contact
from paseo.world.space.floorplan import Place
from paseo.world.tracks import Track

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WALLS, TRAILS, PLACES, PATHS, PEOPLE, ROBOTS, MARKS, LABELS = range(1, 9)  # what covers what
MOST_TIMES = 8  # labels along a path
MOST_LETTERS = 40  # of a place's name
STROLL = 0.2  # seconds between points of people's whole ways
LETTERS, SMALLEST_LETTERS = 7.0, 5.0  # points
SHAPES = {None: "x", Cause.CAUSED: "x", Cause.SHARED: "^", Cause.WALKED_INTO: "o"}
ORDINARY, THINNEST = 3.5, 0.5  # inches of axes on which lines have their ordinary width; share


class Sketch:
    """A map on axes that already show the right piece of it; more can be drawn over it."""

    def __init__(self, axes: "Axes", backdrop: Backdrop, inches: float) -> None:
        self._axes, self._backdrop = axes, backdrop
        self._pen = min(max(inches / ORDINARY, THINNEST), 1.0)  # lines are thinner on small axes
        self._letters = max(LETTERS * self._pen, SMALLEST_LETTERS)
        self._metres = max(backdrop.box.width, backdrop.box.height) / inches  # per inch, at least
        theme = backdrop.theme
        self._trail = as_text(mixed(theme.person, theme.rim, 0.3))
        self._floor, self._faint = as_text(theme.floor), as_text(theme.faint)
        self._draw_floor()
        self._draw_start_and_goal()

    def moments(self, moments: Sequence[Moment]) -> None:
        """The scene at one time: fading trails, people, every robot and its path so far."""
        for moment in people_to_show(moments):
            self._draw_trails(moment)
            self._draw_people(moment, moments)
        self._draw_robots(moments)

    def story(self, playthroughs: Sequence[Playthrough]) -> None:
        """Whole records: everybody's whole way, the robots' with the time along it, the end."""
        moments = [playthrough.at(playthrough.end) for playthrough in playthroughs]
        for moment in people_to_show(moments):
            record = playthroughs[moments.index(moment)].record
            stride = max(1, round(STROLL / record.scenario.dt))
            self._draw_ways(np.swapaxes(record.people[::stride], 0, 1))
            self._draw_people(moment, moments)
        self._draw_robots(moments)
        step = _round_up(max(playthrough.end for playthrough in playthroughs) / MOST_TIMES)
        labels: list[FloatArray] = []
        for playthrough, actor in zip(playthroughs, self._backdrop.actors, strict=True):
            self._draw_times(playthrough, actor, step, labels)

    def tracks(self, tracks: Sequence[Track]) -> None:
        """All recorded tracks."""
        for track in tracks:
            clock = np.arange(track.times[0], track.times[-1] + STROLL / 2, STROLL)
            self._draw_ways(track.positions_at(np.minimum(clock, track.times[-1]))[None])

    def names(self) -> None:
        """The named places of the map, each name where it lies on no other."""
        plan = self._backdrop.floorplan
        taken: list[Box] = []
        for place in plan.places if plan else ():
            self._mark(place.x, place.y, "o", 3.0, color=self._faint, zorder=PLACES)
            boxes = self._beside(place)
            free = [where for where, box in boxes.items() if not overlaps(box, taken)]
            where = free[0] if free else next(iter(boxes))
            taken.append(boxes[where])
            x, y = where
            self._label(
                place.name, (place.x, place.y), (4 * x, 4 * y),
                ha={-1: "right", 0: "center", 1: "left"}[x],
                va={-1: "top", 0: "center", 1: "bottom"}[y],
            )  # fmt: skip

    def _beside(self, place: Place) -> dict[tuple[int, int], Box]:
        """Where a name may stand, best first, as the box it would take; best if on the map."""
        box = self._backdrop.box
        width = length(place.name, self._letters) * self._metres
        height, gap = 1.4 * self._letters / 72 * self._metres, 4 * self._pen / 72 * self._metres
        boxes = {}
        for x, y in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)):
            left = place.x - width / 2 + x * (width / 2 + gap)
            lower = place.y - height / 2 + y * (height / 2 + gap)
            boxes[x, y] = Box(left, lower, left + width, lower + height)
        return dict(
            sorted(boxes.items(), key=lambda each: not _is_inside(each[1], grown(box, -MARGIN)))
        )

    def _draw_floor(self) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        theme, plan = self._backdrop.theme, self._backdrop.floorplan
        self._axes.set_facecolor(as_text(theme.floor if plan is None else theme.solid))
        if plan is None:
            return
        rings = [Path(ring, closed=True) for ring in free_rings(plan)]
        floor = PathPatch(
            Path.make_compound_path(*rings), facecolor=self._floor, zorder=WALLS,
            edgecolor=as_text(theme.edge), linewidth=0.9 * self._pen, joinstyle="miter",
        )  # fmt: skip
        self._axes.add_patch(floor)

    def _draw_start_and_goal(self) -> None:
        backdrop, ink = self._backdrop, self._backdrop.theme.ink
        below = {"ha": "center", "va": "top", "zorder": PLACES}
        if backdrop.start is not None:
            x, y = backdrop.start.x, backdrop.start.y
            self._mark(x, y, "o", 4.5, color=self._floor, zorder=PLACES,
                       markeredgecolor=self._faint, markeredgewidth=self._pen)  # fmt: skip
            self._label("start", (x, y), (0, -4.5), **below)
        if backdrop.goal is not None:
            x, y, radius = backdrop.goal.x, backdrop.goal.y, backdrop.goal_radius
            fill = as_text(mixed(backdrop.theme.floor, ink, 0.12))
            self._disc(x, y, radius, facecolor=fill, edgecolor=as_text(ink),
                       linewidth=1.1 * self._pen, zorder=PLACES)  # fmt: skip
            self._disc(x, y, 0.22 * radius, color=as_text(ink), zorder=PLACES)
            self._label("goal", (x, y - radius), (0, -1.5), **below)

    def _draw_ways(self, ways: FloatArray) -> None:
        """Thin lines along (people, points, 2); NaN interrupts them."""
        gap = np.full((len(ways), 1, 2), np.nan)
        points = np.concatenate([ways, gap], axis=1).reshape(-1, 2)
        self._line(points, 0.7, color=self._trail, alpha=0.55, zorder=TRAILS)

    def _draw_trails(self, moment: Moment) -> None:
        from matplotlib.collections import LineCollection

        trails = moment.trails  # (points, people, 2)
        pieces = np.stack([trails[:-1], trails[1:]], axis=2).reshape(-1, 2, 2)
        theme = self._backdrop.theme
        colours = np.empty((len(pieces), 4))
        colours[:, :3] = np.array(mixed(theme.person, theme.rim, 0.3)) / 255
        colours[:, 3] = np.repeat(np.linspace(0.0, 0.85, len(trails))[1:], trails.shape[1])
        whole = ~np.isnan(pieces).any(axis=(1, 2))
        lines = LineCollection(
            list(pieces[whole]), colors=colours[whole], linewidths=1.1 * self._pen,
            zorder=TRAILS, capstyle="butt",
        )  # fmt: skip
        self._axes.add_collection(lines, autolim=False)

    def _draw_people(self, moment: Moment, moments: Sequence[Moment]) -> None:
        from matplotlib.collections import LineCollection

        crowd, theme = moment.snapshot.crowd, self._backdrop.theme
        everybody = np.ones(len(crowd), np.bool_)
        rim = as_text(theme.rim)
        self._draw_discs(crowd, everybody, theme.person, rim, 0.7)
        speeds = np.hypot(*crowd.velocities.T)
        ahead = crowd.velocities / np.maximum(speeds, 1e-9)[:, None] * 1.4 * crowd.radii[:, None]
        ticks = np.stack([crowd.positions, crowd.positions + ahead], axis=1)[speeds > QUICK / 3]
        lines = LineCollection(list(ticks), colors=rim, linewidths=self._pen, zorder=PEOPLE)
        self._axes.add_collection(lines, autolim=False)
        touched = np.isin(crowd.ids, list(set[int]().union(*(m.touched for m in moments))))
        self._draw_discs(crowd, touched, None, as_text(theme.contact), 1.4)

    def _draw_discs(
        self, crowd: Crowd, rows: BoolArray, fill: Rgb | None, edge: str, width: float
    ) -> None:
        from matplotlib.collections import EllipseCollection

        across = 2 * crowd.radii[rows]
        discs = EllipseCollection(
            across, across, np.zeros_like(across), units="xy", offsets=crowd.positions[rows],
            offset_transform=self._axes.transData, edgecolors=edge, zorder=PEOPLE,
            facecolors="none" if fill is None else as_text(fill), linewidths=width * self._pen,
        )  # fmt: skip
        self._axes.add_collection(discs, autolim=False)

    def _draw_robots(self, moments: Sequence[Moment]) -> None:
        for moment, actor in zip(moments, self._backdrop.actors, strict=True):
            robot, colour = moment.snapshot.robot, as_text(actor.colour)
            x, y, heading = robot.pose.x, robot.pose.y, robot.pose.heading
            self._line(moment.path, 1.5, color=colour, zorder=PATHS)
            self._disc(x, y, robot.radius, facecolor=colour, edgecolor=self._floor,
                       linewidth=0.6 * self._pen, zorder=ROBOTS)  # fmt: skip
            reach = 0.72 * robot.radius
            nose = [(x, y), (x + reach * math.cos(heading), y + reach * math.sin(heading))]
            page = as_text(self._backdrop.theme.page)
            width = min(
                1.2, 0.3 * robot.radius / self._metres * 72
            )  # points; thin on a small robot
            self._line(np.array(nose), width, color=page, zorder=ROBOTS)
            for contact in moment.contacts:
                self._draw_contact(contact, moment.causes.get(contact))

    def _draw_contact(self, contact: Contact, cause: Cause | None) -> None:
        theme = self._backdrop.theme
        size, shape = 6.0 if contact.counted else 4.0, SHAPES[cause]
        for width, colour in ((3.0, theme.floor), (1.5, theme.contact)):
            self._mark(contact.x, contact.y, shape, size, mfc="none", zorder=MARKS,
                       mec=as_text(colour), markeredgewidth=width * self._pen)  # fmt: skip

    def _draw_times(
        self, playthrough: Playthrough, actor: Actor, step: float, labels: list[FloatArray]
    ) -> None:
        """Dots on the robot's path at round times, beside them the time where there is room."""
        colour, room = as_text(actor.colour), 0.055 * self._backdrop.box.width
        last, end = (playthrough.at(time).snapshot.robot.pose for time in (0.0, playthrough.end))
        for time in np.arange(step, playthrough.end, step).tolist():
            pose = playthrough.at(time).snapshot.robot.pose
            if min(pose.distance_to(last), pose.distance_to(end)) < room / 2:
                continue  # it stands: one dot is enough, and none where it ended
            last = pose
            self._mark(pose.x, pose.y, "o", 3.2, color=self._floor, markeredgecolor=colour,
                       markeredgewidth=self._pen, zorder=PATHS)  # fmt: skip
            left = np.array([-math.sin(pose.heading), math.cos(pose.heading)])
            place = np.array([pose.x, pose.y]) + left * room / 2
            if all(np.hypot(*(place - other)) > room for other in labels):
                labels.append(place)
                self._label(f"{time:g} s", (pose.x, pose.y), (5 * left[0], 5 * left[1]),
                            ha=_towards(left[0], "right", "left"),
                            va=_towards(left[1], "top", "bottom"), color=colour)  # fmt: skip

    def _line(self, points: FloatArray, width: float, **how: Any) -> None:
        self._axes.plot(*points.T, linewidth=width * self._pen, **how)

    def _mark(self, x: float, y: float, shape: str, size: float, **how: Any) -> None:
        self._axes.plot(x, y, shape, markersize=size * self._pen, **how)

    def _disc(self, x: float, y: float, radius: float, **how: Any) -> None:
        from matplotlib.patches import Circle

        self._axes.add_patch(Circle((x, y), radius, **how))

    def _label(
        self, text: str, at: tuple[float, float], beside: tuple[float, float], **how: Any
    ) -> None:
        """Words so many points beside a place, readable on lines."""
        from matplotlib.patheffects import withStroke

        offset = (beside[0] * self._pen, beside[1] * self._pen)
        self._axes.annotate(
            printable(in_short(text, MOST_LETTERS)), at, offset, textcoords="offset points",
            fontsize=self._letters,
            path_effects=[withStroke(linewidth=2.0, foreground=self._floor)],
            **{"color": self._faint, "zorder": LABELS, "annotation_clip": True, **how},
        )  # fmt: skip


def _towards(direction: float, low: str, high: str) -> str:
    """How to align words that stand in a direction from -1 to 1 from their place."""
    return low if direction < -0.4 else high if direction > 0.4 else "center"


def _is_inside(box: Box, other: Box) -> bool:
    return other.x0 <= box.x0 and box.x1 <= other.x1 and other.y0 <= box.y0 and box.y1 <= other.y1


def _round_up(least: float) -> float:
    """The smallest of 1, 2, 5, 10, ... seconds that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(max(least, 1.0)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)
