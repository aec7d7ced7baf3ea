"""A card for each episode: its picture from above, and how every planner fared in it."""

from collections.abc import Sequence
from html import escape

import numpy as np
import shapely

from paseo.render.figures.outline import free_rings
from paseo.report.walk.episodes import DriveView, EpisodeView, Places, corner_of
from paseo.world.arrays import FloatArray
from paseo.world.records import Record, Verdict
from paseo.world.space.floorplan import FloorPlan

ROUGHLY = 0.06, 0.15  # metres by which a way may differ from the true one: robots', people's
STROLL = 0.4  # seconds between points of people's ways
MOST_PEOPLE = 150  # whose ways are drawn
MARGIN = 25  # centimetres around a picture
LEAST_RADIUS = 20  # centimetres, of start and goal
CROSS = 22  # centimetres: half of a cross where somebody was touched
WORDS = {
    Verdict.SUCCESS: "reached goal",
    Verdict.TIMEOUT: "out of time",
    Verdict.PERSON_COLLISION: "touched people",
    Verdict.WALL_COLLISION: "hit wall",
    Verdict.PLANNER_FAILED: "planner failed",
}


def style_of(verdict: Verdict) -> str:
    """The class of the style sheet that has the colour of a verdict."""
    return "failed" if verdict is Verdict.PLANNER_FAILED else verdict.value


def places_markup(places: Places) -> str:
    """Every floor plan once, to be used by the cards and read by the player."""
    paths = [
        f'<path id="place-{number}" vector-effect="non-scaling-stroke" d="{_floor(plan)}"/>'
        for number, plan in enumerate(places.plans)
    ]
    return f'<svg class="places" aria-hidden="true"><defs>{"".join(paths)}</defs></svg>'


def card(
    scene: EpisodeView, records: Sequence[Record], names: Sequence[str], looks: Sequence[str]
) -> str:
    """The card of one scene; names and looks are those of all planners."""
    facts = [scene.map, f"{scene.crowds[0].people} people"]
    facts += ["reference, an episode of its own"] * scene.reference
    title, said = escape(scene.title), escape(" \N{MIDDLE DOT} ".join(facts))
    drawn = picture(scene, records, looks)
    return (
        '<article class="card panel">'
        f'<button type="button" aria-label="Watch {title}">{drawn}</button>'
        f'<h3>{title}</h3><p class="facts">{said}</p>'
        f"<ul>{''.join(_outcome(drive, names, looks) for drive in scene.drives)}</ul></article>"
    )


def _outcome(drive: DriveView, names: Sequence[str], looks: Sequence[str]) -> str:
    words = WORDS[drive.verdict]
    if drive.verdict is Verdict.PERSON_COLLISION:
        words = f"touched {drive.touches}" if drive.touches else words
    elif drive.touches:
        words += f", touched {drive.touches}"
    name, note = escape(names[drive.planner]), escape(f"{drive.reason} ({drive.record})")
    return (
        f'<li title="{note}"><span class="dot {looks[drive.planner]}"></span>'
        f'<span class="name">{name}</span><span class="verdict {style_of(drive.verdict)}">{words}'
        f'</span><span class="time">{drive.end:.1f} s</span></li>'
    )


def picture(scene: EpisodeView, records: Sequence[Record], looks: Sequence[str]) -> str:
    """Floor, everybody's ways, the robots' ways and contacts; in centimetres, y upwards."""
    plan = records[0].scenario.floorplan
    corner = corner_of(plan)
    x0, y0, x1, y1 = (round(100 * each) for each in scene.box)
    view = f"{x0 - MARGIN} {-y1 - MARGIN} {x1 - x0 + 2 * MARGIN} {y1 - y0 + 2 * MARGIN}"
    start, goal = ([round(100 * each) for each in at] for at in (scene.start, scene.goal))
    ways = [
        f'<path class="way {looks[drive.planner]}" d="{_way(record.robot[:, :2] - corner, 0)}"/>'
        for drive, record in zip(scene.drives, records, strict=True)
    ]
    contacts = [contact for drive in scene.drives for contact in drive.contacts]
    touches = "".join(_cross(x, y) for *_, x, y, counted in contacts if counted)
    reach = max(LEAST_RADIUS, round(100 * scene.goal_radius))
    return (
        f'<svg class="picture" viewBox="{view}" aria-hidden="true"><g transform="scale(1 -1)">'
        f'<use class="floor" href="#place-{scene.place}"/>'
        f'<path class="people" d="{_strolls(records, corner)}"/>'
        f'<circle class="start" cx="{start[0]}" cy="{start[1]}" r="{LEAST_RADIUS}"/>'
        f'<circle class="goal" cx="{goal[0]}" cy="{goal[1]}" r="{reach}"/>'
        f'{"".join(ways)}<path class="touches" d="{touches}"/></g></svg>'
    )


def _floor(plan: FloorPlan) -> str:
    corner = corner_of(plan)
    return "".join(f"{_path(ring[:-1] - corner)}z" for ring in free_rings(plan))


def _strolls(records: Sequence[Record], corner: FloatArray) -> str:
    """Everybody's ways, from the record that lasted longest."""
    longest = max(records, key=lambda record: len(record.robot))
    stride = max(1, round(STROLL / longest.scenario.dt))
    places = np.swapaxes(longest.people[::stride] - corner, 0, 1)  # (people, points, 2)
    kept = np.linspace(0, len(places) - 1, min(len(places), MOST_PEOPLE)).round().astype(int)
    return "".join(_way(way[~np.isnan(way[:, 0])], 1) for way in places[np.unique(kept)])


def _way(points: FloatArray, kind: int) -> str:
    if len(points) < 2:
        return ""
    simple = shapely.simplify(shapely.linestrings(points), ROUGHLY[kind])
    return _path(shapely.get_coordinates(simple))


def _path(points: FloatArray) -> str:
    """A line through points (points, 2) in whole centimetres, each from the one before."""
    whole = np.round(points * 100).astype(np.int64)
    first, steps = whole[0], np.diff(whole, axis=0)
    return f"M{_pair(*first.tolist())}l" + " ".join(_pair(*step) for step in steps.tolist())


def _pair(x: int, y: int) -> str:
    return f"{x} {y}" if y >= 0 else f"{x}{y}"


def _cross(x: float, y: float) -> str:
    left, low, across = round(100 * x) - CROSS, round(100 * y) - CROSS, 2 * CROSS
    return f"M{left} {low}l{across} {across}m0-{across}l-{across} {across}"
