"""A card for each episode: its picture from above, and how every planner fared in it."""

from collections.abc import Sequence

from paseo.render.figures.outline import free_rings
from paseo.report.walk.episodes import DriveView, EpisodeView, Places, RecordView, corner_of
from paseo.report.walk.figures.endings import WORDS
from paseo.report.walk.packing import path
from paseo.text import html_text
from paseo.world.records import Cause, Verdict
from paseo.world.space.floorplan import FloorPlan

MARGIN = 25  # centimetres around a picture
LEAST_RADIUS = 20  # centimetres, of start and goal
ARM = 22  # centimetres: half of a mark where somebody was touched


def style_of(verdict: Verdict) -> str:
    """The class of the style sheet that has the colour of a verdict."""
    return "failed" if verdict is Verdict.PLANNER_FAILED else verdict.value


def places_markup(places: Places) -> str:
    """Every floor plan once, to be used by the cards and read by the player."""
    paths = [
        f'<path id="place-{number}" vector-effect="non-scaling-stroke" d="{floor_path(plan)}"/>'
        for number, plan in enumerate(places.plans)
    ]
    return f'<svg class="places" aria-hidden="true"><defs>{"".join(paths)}</defs></svg>'


def card(
    scene: EpisodeView, views: Sequence[RecordView], names: Sequence[str], looks: Sequence[str]
) -> str:
    """The card of one scene; names and looks are those of all planners."""
    facts = [scene.map, f"{scene.crowds[0].people} people"]
    facts += ["reference, an episode of its own"] * scene.reference
    title, said = html_text(scene.title), html_text(" \N{MIDDLE DOT} ".join(facts))
    drawn = picture(scene, views, looks)
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
    name, note = html_text(names[drive.planner]), html_text(f"{drive.reason} ({drive.record})")
    return (
        f'<li title="{note}"><span class="dot {looks[drive.planner]}"></span>'
        f'<span class="name">{name}</span><span class="verdict {style_of(drive.verdict)}">{words}'
        f'</span><span class="time">{drive.end:.1f} s</span></li>'
    )


def picture(scene: EpisodeView, views: Sequence[RecordView], looks: Sequence[str]) -> str:
    """Floor, everybody's ways, the robots' ways and contacts; in centimetres, y upwards."""
    x0, y0, x1, y1 = (round(100 * each) for each in scene.box)
    view = f"{x0 - MARGIN} {-y1 - MARGIN} {x1 - x0 + 2 * MARGIN} {y1 - y0 + 2 * MARGIN}"
    start, goal = ([round(100 * each) for each in at] for at in (scene.start, scene.goal))
    ways = [
        f'<path class="way {looks[drive.planner]}" d="{view.way}"/>'
        for drive, view in zip(scene.drives, views, strict=True)
    ]
    contacts = [contact for drive in scene.drives for contact in drive.contacts]
    touches = "".join(_mark(x, y, cause) for *_, x, y, cause in contacts if cause)
    longest = max(views, key=lambda view: view.states)  # shows most of what people did
    reach = max(LEAST_RADIUS, round(100 * scene.goal_radius))
    return (
        f'<svg class="picture" viewBox="{view}" aria-hidden="true"><g transform="scale(1 -1)">'
        f'<use class="floor" href="#place-{scene.place}"/>'
        f'<path class="people" d="{longest.strolls}"/>'
        f'<circle class="start" cx="{start[0]}" cy="{start[1]}" r="{LEAST_RADIUS}"/>'
        f'<circle class="goal" cx="{goal[0]}" cy="{goal[1]}" r="{reach}"/>'
        f'{"".join(ways)}<path class="touches" d="{touches}"/></g></svg>'
    )


def floor_path(plan: FloorPlan) -> str:
    """The free floor of a plan, in centimetres from its corner."""
    corner = corner_of(plan)
    return "".join(f"{path(ring[:-1] - corner)}z" for ring in free_rings(plan))


def _mark(x: float, y: float, cause: str) -> str:
    """The shape of a contact, by whose doing it was: a cross, a triangle or a circle."""
    middle, low, arm = round(100 * x), round(100 * y) - ARM, ARM
    if cause == Cause.SHARED:
        return f"M{middle - arm} {low}h{2 * arm}l-{arm} {2 * arm}z"
    if cause == Cause.WALKED_INTO:
        half = f"a{arm} {arm} 0 1 0"
        return f"M{middle - arm} {low + arm}{half} {2 * arm} 0{half}-{2 * arm} 0"
    return f"M{middle - arm} {low}l{2 * arm} {2 * arm}m0-{2 * arm}l-{2 * arm} {2 * arm}"
