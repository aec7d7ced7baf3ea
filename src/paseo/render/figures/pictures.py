"""Pictures of records, episodes and maps: one moment, or everything that happened."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from paseo.render.figures.figure import Panel, sheet
from paseo.render.figures.saving import drawing, picture_format
from paseo.render.figures.sketch import Sketch
from paseo.render.raster.palette import LIGHT, Theme
from paseo.render.raster.viewport import whole_map
from paseo.render.staging.backdrop import Backdrop, Size, backdrop_of, common_title, panel_backdrops
from paseo.render.staging.marks import key_to_marks
from paseo.render.staging.playthrough import Playthrough, WhoseDoing, nobody_knows
from paseo.world.records import Record
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Track


def draw_records(
    path: Path,
    records: Sequence[Record],
    *,
    time: float | None = None,
    overlay: bool = False,
    theme: Theme = LIGHT,
    size: Size | None = None,
    whose: WhoseDoing = nobody_knows,
) -> None:
    """Records at one time or, without one, from beginning to end; overlaid or side by side."""
    picture_format(path)
    if overlay or len(records) == 1:
        groups, backdrops = [list(records)], [backdrop_of(records, theme=theme)]
    else:
        groups, backdrops = [[record] for record in records], panel_backdrops(records, theme)
    played = [[Playthrough(record, whose=whose) for record in group] for group in groups]
    key = key_to_marks(each for group in played for each in group)
    with drawing(theme):
        panels = [
            _panel(replace(backdrop, note=key), group, time)
            for backdrop, group in zip(backdrops, played, strict=True)
        ]
        clock = "" if time is None else f"{time:.1f} s"
        sheet(panels, title=common_title(records), clock=clock, size=size).save(path)


def draw_map(
    path: Path, plan: FloorPlan, *, theme: Theme = LIGHT, size: Size | None = None
) -> None:
    """A floor plan alone, with the names of its places."""
    place = _place(plan.name, plan, (), theme)
    _draw_alone(path, place, Sketch.names, size)


def draw_episode(
    path: Path, scenario: Scenario, *, theme: Theme = LIGHT, size: Size | None = None
) -> None:
    """An episode before anybody drives: the map, all recorded tracks, start and goal."""
    place = _place(scenario.name, scenario.floorplan, scenario.tracks, theme, scenario)
    _draw_alone(path, place, lambda sketch: sketch.tracks(scenario.tracks), size)


def _panel(backdrop: Backdrop, playthroughs: list[Playthrough], time: float | None) -> Panel:
    moments = [each.at(each.end if time is None else time) for each in playthroughs]

    def draw(sketch: Sketch) -> None:
        if time is None:
            sketch.story(playthroughs)
        else:
            sketch.moments(moments)

    return Panel(backdrop=backdrop, news=tuple(moment.news for moment in moments), draw=draw)


def _draw_alone(
    path: Path, place: Backdrop, draw: Callable[[Sketch], None], size: Size | None
) -> None:
    picture_format(path)
    with drawing(place.theme):
        panel = Panel(backdrop=place, news=(), draw=draw)
        sheet([panel], title=place.title, size=size).save(path)


def _place(
    title: str,
    plan: FloorPlan,
    tracks: Sequence[Track],
    theme: Theme,
    scenario: Scenario | None = None,
) -> Backdrop:
    people = f"{len(tracks)} people" if tracks else ""
    return Backdrop(
        floorplan=plan,
        start=None if scenario is None else scenario.start,
        goal=None if scenario is None else scenario.goal,
        goal_radius=0.3 if scenario is None else scenario.goal_radius,
        title=title,
        actors=(),
        box=whole_map(plan),
        theme=theme,
        note=people or f"{plan.area:.0f} m\N{SUPERSCRIPT TWO} free",
    )
