"""One picture of what the lie detector saw in a crowd; needs the extra `plots`."""

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np

from paseo.crowd_check.examination import Examination
from paseo.crowd_check.findings import SURE, Doubt, Finding, Severity
from paseo.crowd_check.pace import (
    LEAST_WALKERS,
    SPACINGS,
    TOP_SPEEDS,
    WalkingPace,
    typical,
    walkers,
)
from paseo.errors import Spelling
from paseo.render.figures.saving import drawing, picture_format, printable, save_figure
from paseo.render.raster.palette import LIGHT
from paseo.report.crowd.examination import WORDS
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording, Track

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_TRACKS, MOST_SAMPLES, MOST_SPOTS = 400, 400, 20_000
MOST_CELLS, MOST_LINES, MOST_LETTERS = 1000, 5, 1000  # along a map's side; of a sentence
DENSE = 5000  # points; a layer of more becomes pixels in an SVG
FAR_OFF = 1.6  # times real walking speed; beyond, the axis of speeds is logarithmic
CROWDED = 0.9  # e-folds per inch; beyond, the names of the real crowds would lie on each other
DPI = {".png": 120, ".svg": 150}

# Inches, from the left and from the top of the sheet; boxes also have a width and a height.
WIDTH, MARGIN, TITLE_AT, SENTENCE_AT, TEXT_AT = 11.0, 0.3, 0.28, 3.1, 6.12
MAP_BOX, SPEED_BOX, PACE_BOX = (0.75, 0.72, 5.8, 4.3), (7.3, 0.72, 3.4, 1.3), (7.3, 2.72, 3.4, 2.3)
SENTENCE_ROOM, TITLE_ROOM = WIDTH - MARGIN - SENTENCE_AT, 5.2  # the title is larger and bold
LINE, BETWEEN, LETTERS = 0.155, 0.07, 8.5  # the last in points

# Of Okabe and Ito, told apart by colour-blind people as well; greys, and a green fit for letters.
BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
BLUE, VERMILLION, PURPLE = "#0072B2", "#D55E00", "#CC79A7"
FLOOR, PALE, GREY, LEAF = (236, 237, 239, 255), "#8A939B", "#666666", "#00664B"
BLANK = {"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 1}
MARKS: dict[Doubt, tuple[str, str]] = {
    Doubt.FRAME_RATE: (BLUE, "X"), Doubt.SCALE: (BLUE, "d"), Doubt.PIXELS: (BLUE, "8"),
    Doubt.MIRRORED: (VERMILLION, "<"), Doubt.SWAPPED: (VERMILLION, "D"),
    Doubt.TURNED: (VERMILLION, "p"), Doubt.SHIFTED: (VERMILLION, ">"),
    Doubt.WALLS: (VERMILLION, "s"), Doubt.JUMPS: (ORANGE, "^"), Doubt.GAPS: (BLACK, "o"),
    Doubt.REPEATED: (SKY, "v"), Doubt.SHARED_ID: (PURPLE, "h"), Doubt.TWINS: (GREEN, "P"),
}  # fmt: skip
# In points from their dots, so that no name lies on another.
NAMES_AT = {"eth": (5, 0), "hotel": (-3, 5), "univ": (-5, 0), "zara01": (2, -5), "zara02": (-5, 0)}
SETTINGS = {
    "text.color": BLACK,
    "axes.titlesize": 9, "axes.titleweight": "bold", "axes.titlelocation": "left",
    "axes.linewidth": 0.6, "axes.edgecolor": GREY, "xtick.color": GREY, "ytick.color": GREY,
    "legend.frameon": False, "legend.borderpad": 0, "legend.handlelength": 1.4,
}  # fmt: skip

Span = tuple[float, float]
Paragraph = tuple[str, str, list[str], str]  # heading, its colour, lines beside it, their colour


def draw_evidence(examination: Examination, path: Path, spelling: Spelling = str) -> None:
    """Save the picture as .png or .svg; the same examination gives the same bytes."""
    picture_format(path)
    with drawing(LIGHT, SETTINGS):
        save_figure(_sheet(examination, spelling), path, dpi=DPI[path.suffix.lower()])


def _sheet(examination: Examination, spelling: Spelling) -> "Figure":
    from matplotlib.figure import Figure

    text = _paragraphs(examination, spelling)
    tops = np.cumsum([TEXT_AT] + [max(1, len(each[2])) * LINE + BETWEEN for each in text])
    figure = Figure(figsize=(WIDTH, tops[-1] + 0.05))
    name = "".join(_wrapped(examination.recording.name, TITLE_ROOM, 1))
    _write(figure, (MARGIN, TITLE_AT), name, size=10, weight="bold")
    _write(figure, (WIDTH - MARGIN, TITLE_AT), _facts(examination.recording), size=9, ha="right")
    _top_view(_axes(figure, MAP_BOX), examination)
    _speeds(_axes(figure, SPEED_BOX), examination)
    _pace_plane(_axes(figure, PACE_BOX), examination.pace)
    for (heading, colour, lines, line_colour), top in zip(text, tops, strict=False):
        _write(figure, (MARGIN, top), heading, color=colour, weight="bold")
        for k, line in enumerate(lines):
            _write(figure, (SENTENCE_AT, top + k * LINE), line, color=line_colour)
    return figure


def _axes(figure: "Figure", box: tuple[float, float, float, float]) -> "Axes":
    (left, top, width, height), tall = box, figure.get_figheight()
    return figure.add_axes((left / WIDTH, 1 - (top + height) / tall, width / WIDTH, height / tall))


def _write(figure: "Figure", at: Span, text: str, **looks: Any) -> None:
    x, y = at[0] / WIDTH, 1 - at[1] / figure.get_figheight()
    figure.text(x, y, text, **{"size": LETTERS, "va": "baseline", **looks})


def _facts(recording: Recording) -> str:
    times = [time for track in recording.tracks for time in (track.times[0], track.times[-1])]
    seconds = max(times) - min(times) if times else 0.0
    lasts = f"{seconds:.3g} s" if seconds < 120 else f"{seconds / 60:.3g} min"
    people = "1 person" if len(recording.tracks) == 1 else f"{len(recording.tracks)} people"
    return f"{people},  {lasts},  {recording.fps:g} frames/s"


def _top_view(axes: "Axes", examination: Examination) -> None:
    from matplotlib.collections import PathCollection
    from matplotlib.ticker import MultipleLocator

    plan, tracks = examination.plan, examination.recording.tracks
    crowd = _corners([track.positions for track in tracks])
    ground = _corners([plan.walls.reshape(-1, 2)] if plan else [])
    view = _view(np.concatenate([crowd, ground]), MAP_BOX[2] / MAP_BOX[3])
    if plan:
        _draw_plan(axes, plan)
    named = {person for finding in examination.findings for person in finding.people}
    doubted = [track for track in tracks if track.id in named]
    doubted = [doubted[k] for k in _evenly(len(doubted), MOST_TRACKS // 2)]
    others = [track for track in tracks if track.id not in named]
    others = [others[k] for k in _evenly(len(others), MOST_TRACKS - len(doubted))]
    _draw_tracks(axes, others, colors=PALE, linewidths=0.5, alpha=0.6, label="people")
    _draw_tracks(axes, doubted, colors=BLUE, linewidths=0.8, alpha=0.7, label="people in doubt")
    _draw_spots(axes, examination.findings)
    for name, corners in (("map", ground), ("crowd", crowd)):
        if len(corners) and (np.ptp(corners, axis=0) < 0.2 * np.ptp(view, axis=0)).all():
            _label(axes, name, (corners[:, 0].mean(), corners[1, 1]), (0, 5))
    axes.set(title="Seen from above", xlim=view[:, 0], ylim=view[:, 1], aspect="equal")
    axes.yaxis.set_major_locator(MultipleLocator(axes.get_xticks()[1] - axes.get_xticks()[0]))
    _name_axis(axes.xaxis, "x in m")
    _name_axis(axes.yaxis, "y in m")
    if plan or tracks:
        legend = axes.legend(loc="upper left", bbox_to_anchor=(-0.01, -0.1), ncols=5)
        for mark in legend.findobj(PathCollection):
            mark.set_sizes([30])  # as many are small on the map


def _corners(points: Sequence[FloatArray]) -> FloatArray:
    """The smallest and the largest x and y, (2, 2), or (0, 2) without points."""
    everywhere = np.concatenate([np.empty((0, 2)), *points])
    if not len(everywhere):
        return everywhere
    return np.stack([np.nanmin(everywhere, axis=0), np.nanmax(everywhere, axis=0)])


def _view(corners: FloatArray, ratio: float) -> FloatArray:
    """Limits around all corners, (2, 2), whose width is `ratio` times their height."""
    corners = corners if len(corners) else np.zeros((1, 2))
    low, high = corners.min(axis=0), corners.max(axis=0)
    least = max(1e-9 * np.abs(corners).max(), 0.0 if (high > low).any() else 1.0)
    width, height = 1.08 * np.maximum(high - low, least)  # they may all stand in one spot
    height = max(height, width / ratio)
    half, middle = np.array([height * ratio, height]) / 2, low + (high - low) / 2
    return np.stack([middle - half, middle + half])


def _draw_plan(axes: "Axes", plan: FloorPlan) -> None:
    step = math.ceil(max(plan.free.shape) / MOST_CELLS)
    free = plan.free[step // 2 :: step, step // 2 :: step]
    ground = np.where(free[:, :, None], FLOOR, (0, 0, 0, 0)).astype(np.uint8)
    x0, y0, x1, y1 = plan.bounds
    axes.imshow(ground, extent=(x0, x1, y0, y1), origin="lower", interpolation="nearest")
    _draw_lines(axes, list(plan.walls), colors=BLACK, linewidths=1.2, label="map")


def _draw_tracks(axes: "Axes", tracks: Sequence[Track], **looks: Any) -> None:
    """Lines with a dot where they begin: of who never moves, the dot is all there is to see."""
    if tracks:
        _draw_lines(axes, [_thinned(track.positions) for track in tracks], **looks)
        x, y = np.array([track.positions[0] for track in tracks]).T
        axes.scatter(x, y, s=4, color=looks["colors"], linewidths=0)


def _draw_lines(axes: "Axes", lines: Sequence[FloatArray], **looks: Any) -> None:
    from matplotlib.collections import LineCollection

    dense = sum(len(line) for line in lines) > DENSE
    axes.add_collection(LineCollection(lines, rasterized=dense, **looks), autolim=False)


def _thinned(positions: FloatArray) -> FloatArray:
    """At most some samples, evenly chosen, and those around a gap: it must not be closed."""
    gaps = np.nonzero(np.isnan(positions[:, 0]))[0]
    gaps = gaps[_evenly(len(gaps), MOST_SAMPLES)]
    kept = [*_evenly(len(positions), MOST_SAMPLES), *gaps - 1, *gaps, *gaps + 1]
    return positions[np.unique(kept)]


def _draw_spots(axes: "Axes", findings: Sequence[Finding]) -> None:
    """A full mark where something is wrong, a hollow one where it is only unusual."""
    shown = [finding for finding in findings if len(finding.spots)]
    for finding in sorted(shown, key=lambda finding: -len(finding.spots)):  # few on top of many
        x, y = finding.spots[_evenly(len(finding.spots), MOST_SPOTS // len(shown))].T
        colour, marker = MARKS[finding.doubt]
        looks: dict[str, Any] = {"facecolors": "none", "edgecolors": colour, "linewidths": 0.7}
        if finding.severity is Severity.WRONG:
            looks = {"facecolors": colour, "edgecolors": "white", "linewidths": 40 / (80 + len(x))}
        looks |= {"marker": marker, "s": min(36, 4 + 1200 / len(x)), "rasterized": len(x) > 300}
        axes.scatter(x, y, zorder=3, label=finding.doubt.value, **looks)


def _evenly(count: int, most: int) -> list[int]:
    """Indices of at most so many of `count` things, the first and the last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int)).tolist()


def _name_axis(axis: Any, name: str) -> None:
    """Name an axis; what all its numbers have in common, as in +1e9, stands behind the name."""
    formatter = axis.get_major_formatter()
    formatter.format_ticks(list(axis.get_majorticklocs()))
    common = formatter.get_offset()
    axis.set_label_text(f"{name}  ({common})" if common else name)
    axis.get_offset_text().set_visible(False)


def _speeds(axes: "Axes", examination: Examination) -> None:
    axes.set(title="Speed of those who walk through", yticks=[])
    pace, at = examination.pace, examination.moments
    if not pace.top_speed:
        too_few = f"people who cross the scene: {pace.walkers}\nneeded: at least {LEAST_WALKERS}"
        text = "nobody moves" if pace.top_speed is not None else too_few
        axes.set(xticks=[])
        axes.text(0.5, 0.5, text, ha="center", va="center", color=GREY, transform=axes.transAxes)
        return
    speeds = at.speeds[at.of_people(walkers(examination.recording.tracks, examination.moments))]
    far = abs(math.log(pace.top_speed / typical(TOP_SPEEDS))) > math.log(FAR_OFF)
    low, high = _far_limits(pace.top_speed) if far else (0.0, max(3.6, 1.5 * pace.top_speed))
    edges = (np.geomspace if far else np.linspace)(low, high, 61)
    counts = np.histogram(speeds[~np.isnan(speeds)], edges)[0]
    axes.stairs(counts, edges, fill=True, color=SKY)
    axes.set(xlabel="m/s", ylabel="moments", xlim=(low, high), ylim=(0, 1.6 * max(1, max(counts))))
    if far:
        _log_axis(axes, "x", (low, high))
    _mark_top_speeds(axes, pace.top_speed)


def _far_limits(top: float) -> Span:
    """Around this crowd's speeds and real ones, with room for words on both sides."""
    low, high = min(top, *TOP_SPEEDS.values()), max(top, *TOP_SPEEDS.values())
    before = max(8.0, (high / low) ** 0.8)
    return low / before, high * max(3.0, (high / low * before) ** 0.45)


def _mark_top_speeds(axes: "Axes", top: float) -> None:
    slowest, fastest = min(TOP_SPEEDS.values()), max(TOP_SPEEDS.values())
    axes.axvspan(slowest, fastest, color=GREEN, alpha=0.3, linewidth=0)
    axes.axvline(top, color=VERMILLION, linewidth=1.2)
    edge, sign = (fastest, 1) if top < slowest else (slowest, -1)  # away from this crowd's line
    this = f"99 % are below\n{top:.3g} m/s"
    real = f"in real crowds:\n{slowest:.2f} to {fastest:.2f}"
    looks: dict[str, Any] = {"xycoords": ("data", "axes fraction"), "va": "top"}
    _label(axes, this, (top, 0.95), (-4 * sign, 0), color=VERMILLION, **looks)
    _label(axes, real, (edge, 0.95), (4 * sign, 0), color=LEAF, **looks)


def _pace_plane(axes: "Axes", pace: WalkingPace) -> None:
    """Spacing and top speed, both logarithmic and to one scale."""
    axes.set(title="Top speed and spacing, with real crowds", ylabel="top speed (99 %) in m/s")
    axes.set(xlabel="spacing of those who walk together in m")
    centre = np.array([typical(SPACINGS), typical(TOP_SPEEDS)])
    here = np.array([pace.spacing or centre[0], pace.top_speed or centre[1]])
    size, inches = np.abs(np.log(here / centre)), np.array(PACE_BOX[2:])
    per_inch = float(((size + 1.2 + 0.5 * size.max()) / inches).max())
    middle, half = np.sqrt(here * centre), np.exp(per_inch * inches / 2)
    for which, low, high in zip("xy", middle / half, middle * half, strict=True):
        _log_axis(axes, which, (low, high))
    axes.axhspan(*_plausible_speeds(pace), color=GREEN, alpha=0.18, linewidth=0)
    _draw_guides(axes, centre, here, per_inch)
    _draw_real_crowds(axes, per_inch)
    if pace.top_speed:
        _draw_this_crowd(axes, pace.spacing, pace.top_speed)
    caption = (
        "A pace within the green band passes. A wrong frame rate\n"
        "moves a crowd up or down, a wrong scale along the diagonal."
    )
    _label(axes, caption, (0, 0), (0, -36), xycoords="axes fraction", ha="left", linespacing=1.3)


def _plausible_speeds(pace: WalkingPace) -> Span:
    """Between which top speeds this crowd would pass."""
    usual, off = typical(TOP_SPEEDS), np.linspace(0, 3, 301)  # the latter as a logarithm
    sure = [replace(pace, top_speed=usual * math.exp(each)).implausibility for each in off]
    most = math.exp(np.interp(SURE, sure, off))
    return usual / most, usual * most


def _draw_guides(axes: "Axes", centre: FloatArray, here: FloatArray, per_inch: float) -> None:
    """Where a wrong frame rate and a wrong scale take a crowd from among the real ones."""
    down, up = 0.94 * np.log(np.array([axes.get_xlim(), axes.get_ylim()]).T / centre)
    guides = (
        ("frame rate", np.array([0.0, 1.0]), (down[1], up[1]), 90, (6, 0)),
        ("scale", np.array([1.0, 1.0]), (max(down), min(up)), 45, (5, -5)),
    )
    for name, way, (start, end), angle, offset in guides:
        a, b = centre * np.exp(start * way), centre * np.exp(end * way)
        axes.annotate("", a, b, arrowprops={"arrowstyle": "<->", "color": GREY, "lw": 0.7})
        away, same = (start, end) if here[1] > centre[1] else (end, start)
        from_tip = 0.37 * per_inch  # to the middle of the name
        far = abs(away) - from_tip if abs(away) > 2 * from_tip else -abs(same) / 2
        spot = centre * np.exp(way * math.copysign(far, away * far))
        _label(axes, name, spot, offset, rotation=angle, ha="center", va="center")


def _draw_real_crowds(axes: "Axes", per_inch: float) -> None:
    spots = {name: (SPACINGS[name], TOP_SPEEDS[name]) for name in NAMES_AT}
    for name, spot in spots.items():
        axes.plot(*spot, "o", color=GREEN, ms=5, mec="white", mew=0.4, zorder=4)
        if per_inch < CROWDED:
            _label(axes, name, spot, NAMES_AT[name], color=LEAF)
    if per_inch >= CROWDED:
        _label(axes, "real crowds", spots["eth"], (6, -5), color=LEAF)


def _draw_this_crowd(axes: "Axes", x: float | None, y: float) -> None:
    looks: dict[str, Any] = {"color": VERMILLION, "weight": "bold", "bbox": BLANK}
    if not x:
        axes.axhline(y, color=VERMILLION, linewidth=1.2, linestyle="--")
        looks |= {"xycoords": ("axes fraction", "data"), "ha": "right"}
        _label(axes, "this crowd", (0.98, y), (0, 4), **looks)
        return
    axes.scatter(x, y, s=60, marker="D", color=VERMILLION, edgecolors="white", zorder=5)
    across = axes.transAxes.inverted().transform(axes.transData.transform((x, y)))[0]
    to_left = across > (0.3 if x < typical(SPACINGS) else 0.7)  # where there is room
    up = y > typical(TOP_SPEEDS)
    _label(axes, "this crowd", (x, y), (-20 if to_left else 20, 6 if up else -6), **looks)


def _log_axis(axes: "Axes", which: str, limits: Span) -> None:
    from matplotlib.ticker import LogLocator, NullLocator

    apart = limits[1] / limits[0]
    digits = (1, 1.5, 2, 3, 5, 7) if apart < 12 else (1, 2, 5) if apart < 400 else (1,)
    axes.set(**{f"{which}scale": "log", f"{which}lim": limits})
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set(major_locator=LogLocator(subs=digits, numticks=8), minor_locator=NullLocator())
    axis.set_major_formatter("{x:g}")


def _label(axes: "Axes", text: str, spot: Any, offset: tuple[int, int], **looks: Any) -> None:
    """Words beside a spot, on the side to which they are offset, in points."""
    looks = {"color": GREY, "textcoords": "offset points", **looks}
    looks.setdefault("ha", ("center", "left", "right")[np.sign(offset[0])])
    looks.setdefault("va", ("center", "bottom", "top")[np.sign(offset[1])])
    axes.annotate(text, spot, offset, **looks)


def _paragraphs(examination: Examination, spelling: Spelling) -> list[Paragraph]:
    text: list[Paragraph] = [("nothing wrong found", LEAF, [], BLACK)] * (not examination.wrong)
    for finding in examination.findings:
        word, advice = WORDS[finding.severity]
        heading = f"{word}: {finding.doubt}, {100 * min(finding.sure, 0.99):.0f} % sure"
        fix = f"{advice.capitalize()}: {finding.spelled_fix(spelling)}"
        colour = VERMILLION if finding.severity is Severity.WRONG else BLACK
        text.append((heading, colour, [*_wrapped(finding.what), *_wrapped(fix)], BLACK))
    sentences = examination.spelled_unchecked(spelling)
    unchecked = [line for each in sentences for line in _wrapped(each)]
    return [*text, ("not checked", GREY, unchecked, GREY)] if unchecked else text


def _wrapped(text: str, room: float = SENTENCE_ROOM, most: int = MOST_LINES) -> list[str]:
    """The text in at most so many lines of `room` inches; three dots stand for what is cut."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    plain, font = printable(text[:MOST_LETTERS]), FontProperties(size=LETTERS)
    for letters in range(200, 10, -5):
        lines = wrap(plain, letters, break_on_hyphens=False)
        if len(lines) > most:
            lines[most - 1 :] = [f"{lines[most - 1][:-3]}..."]
        sizes = [text_to_path.get_text_width_height_descent(each, font, False) for each in lines]
        if all(width <= 72 * room for width, _, _ in sizes):
            break
    return lines
