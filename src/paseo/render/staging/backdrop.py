"""What stands still in a picture: the map, start and goal, names; drawn once for all frames."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from paseo.errors import BadValue
from paseo.render.raster.colours import Wearer, colour_numbers, variant_words
from paseo.render.raster.palette import LIGHT, Rgb, Theme
from paseo.render.raster.viewport import Box, shown_box
from paseo.render.staging.playthrough import last_news
from paseo.text import in_a_line
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from paseo.world.records import Record
from paseo.world.scenarios import Missing, Scenario
from paseo.world.space.floorplan import FloorPlan

LEAST_SIDE, MOST_SIDE = 120, 8192  # pixels
USUAL_AREA = 800 * 600  # pixels of a frame whose size was not given
IN_A_ROW = 2  # names of planners
TEXT, ROW = 66, 26  # pixels of such a frame that text takes, and each row of names, about

Size = tuple[int, int]  # width and height in pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """One planner's robot in a picture."""

    name: str
    colour: Rgb
    news: str = ""  # the most there will be to say about it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Backdrop:
    """Everything a picture needs besides what happens."""

    floorplan: FloorPlan | None  # None where it is not known
    start: Pose | None
    goal: Pose | None
    goal_radius: float
    title: str  # empty: no line for it
    actors: tuple[Actor, ...]  # in the order in which moments are given
    box: Box  # the piece of the map that is shown
    theme: Theme = LIGHT
    note: str = ""  # at the lower right
    beside: tuple[Actor, ...] = ()  # in pictures beside it, which need room for their names


def backdrop_of(
    records: Sequence[Record], *, theme: Theme = LIGHT, title: str | None = None, note: str = ""
) -> Backdrop:
    """The backdrop of records of one episode, all robots in one picture."""
    check_same_place(records)
    first = records[0].scenario
    names = planner_names(records)
    return Backdrop(
        floorplan=_known_floorplan(first),
        start=first.start,
        goal=None if Missing.GOAL in first.missing else first.goal,
        goal_radius=first.goal_radius,
        title=in_a_line(first.name if title is None else title),
        actors=tuple(
            Actor(name=name, colour=colour, news=last_news(record))
            for record, name, colour in zip(
                records, names, actor_colours(records, theme), strict=True
            )
        ),
        box=shown_box(_known_floorplan(first), ways(records)),
        theme=theme,
        note=note,
    )


def ways(records: Sequence[Record]) -> FloatArray:
    """Everywhere the robots were, (points, 2), with start and goal."""
    places = [record.robot[:, :2] for record in records]
    for scenario in (record.scenario for record in records):
        if Missing.GOAL not in scenario.missing:
            places.append(np.array([[scenario.goal.x, scenario.goal.y]]))
    return np.concatenate(places)


def check_same_place(records: Sequence[Record]) -> None:
    """Raise `BadValue` where records do not show one episode."""
    first = records[0].scenario
    for record in records[1:]:
        other = record.scenario
        same_walls = np.array_equal(first.floorplan.walls, other.floorplan.walls)
        if other.name != first.name or not same_walls:
            raise BadValue(
                f"episodes '{first.name}' and '{other.name}' are not the same place, expected "
                "records of one episode in one picture; draw them apart or side by side"
            )


def planner_names(records: Sequence[Record]) -> list[str]:
    """The planner of each record; with what tells them apart where two have the same name."""
    names = [_short(in_a_line(record.provenance.planner)) for record in records]
    for tell_apart in (
        _parameters,
        _each(_control),
        _each(_seed),
        _each(_reactivity),
        _each(_latency),
        _each(_sensing),
    ):
        for name in [name for name, count in Counter(names).items() if count > 1]:
            rows = [row for row, other in enumerate(names) if other == name]
            words = tell_apart([records[row] for row in rows])
            if len(set(words)) > 1:
                for row, word in zip(rows, words, strict=True):
                    names[row] = f"{name} {word}".strip()
    return names


def actor_colours(records: Sequence[Record], theme: Theme) -> list[Rgb]:
    """The colour of each record's planner among the others."""
    wearers = [Wearer(record.provenance.planner, _variant(record)) for record in records]
    return [theme.planner(number) for number in colour_numbers(wearers, len(theme.planners))]


def _variant(record: Record) -> str:
    by, to = record.provenance, record.scenario.reaction
    reactivity = None if to is None else to.reactivity
    return variant_words(by.parameters, reactivity, by.timekeeping.latency_s, record.scenario.sight)


def _short(planner: str) -> str:
    """Without the folders of a file and without the package of a module."""
    place, colon, name = planner.rpartition(":")
    if colon and not place.endswith(".py"):
        return name
    return planner.rpartition("/")[2]


def _parameters(records: Sequence[Record]) -> list[str]:
    """Of each record the parameters that not all of them share; None goes without saying."""
    given = [dict(record.provenance.parameters) for record in records]
    keys = dict.fromkeys(key for each in given for key in each)
    telling = [key for key in keys if any(each.get(key) != given[0].get(key) for each in given)]
    return [
        " ".join(f"{key}={each[key]}" for key in telling if each.get(key) is not None)
        for each in given
    ]


def _each(word: Callable[[Record], str]) -> Callable[[Sequence[Record]], list[str]]:
    return lambda records: [word(record) for record in records]


def _control(record: Record) -> str:
    return record.provenance.control.value


def _seed(record: Record) -> str:
    return f"seed {record.scenario.seed}"


def _reactivity(record: Record) -> str:
    reaction = record.scenario.reaction
    return "" if reaction is None else f"reactivity {reaction.reactivity:g}"


def _latency(record: Record) -> str:
    latency = record.provenance.timekeeping.latency_s
    return "" if latency is None else f"latency {latency:g} s"


def _sensing(record: Record) -> str:
    sight = record.scenario.sight
    return "" if sight is None else f"seeing by {sight.label}"


def panel_backdrops(records: Sequence[Record], theme: Theme) -> list[Backdrop]:
    """A backdrop for each record alone, in the colour and by the name it has among them all."""
    names = planner_names(records)
    titles = _titles(records)
    if len(set(titles)) > 1:  # then the name alone does not tell which is which
        usual, count = Counter(titles).most_common(1)[0]
        unsaid = usual if 2 * count > len(titles) else None
        names = [
            name if title == unsaid else f"{name}, {title}"
            for name, title in zip(names, titles, strict=True)
        ]
    actors = [
        Actor(name=name, colour=colour, news=last_news(record))
        for record, name, colour in zip(records, names, actor_colours(records, theme), strict=True)
    ]
    backdrops = [backdrop_of([record], theme=theme, title="") for record in records]
    return [
        replace(alone, actors=(actor,), beside=tuple(actors))
        for alone, actor in zip(backdrops, actors, strict=True)
    ]


def common_title(records: Sequence[Record]) -> str:
    """What is written above records of one or several episodes."""
    return ", ".join(dict.fromkeys(_titles(records)))


def _titles(records: Sequence[Record]) -> list[str]:
    return [in_a_line(record.scenario.name) for record in records]


def _known_floorplan(scenario: Scenario) -> FloorPlan | None:
    return None if Missing.MAP in scenario.missing else scenario.floorplan


def usual_size(backdrop: Backdrop) -> Size:
    """Width and height in pixels of a frame that suits the piece of map, about 800 by 600."""
    aspect = min(max(backdrop.box.width / backdrop.box.height, 0.5), 2.4)
    height = round((USUAL_AREA / aspect) ** 0.5)
    rows = rows_of_names(len(backdrop.actors))
    return _even(round(height * aspect)), _even(height + TEXT + ROW * rows)


def rows_of_names(actors: int) -> int:
    """How many lines the names of so many planners take."""
    return -(-actors // IN_A_ROW)


def checked_size(size: Size) -> Size:
    """The size, made even as films need it; `BadValue` where no picture can be so large."""
    for side in size:
        if not LEAST_SIDE <= side <= MOST_SIDE:
            raise BadValue(
                f"a picture of {size[0]}x{size[1]} pixels cannot be made, expected sides of "
                f"{LEAST_SIDE} to {MOST_SIDE}; choose another size",
                parameters=("size",),
            )
    return _even(size[0]), _even(size[1])


def _even(side: int) -> int:
    return side - side % 2
