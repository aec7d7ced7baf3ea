"""All drives over a map: a picture for each map, a panel for each planner, every way in it."""

import numpy as np
from matplotlib.figure import Figure

from comparisons import compared, episode
from drives import line, record
from paseo.render.figures.saving import drawing
from paseo.render.raster.palette import LIGHT
from paseo.report.walk.figures.drives import draw_drives, drive_of, places_of
from paseo.report.walk.figures.series import series_of
from paseo.world.records import Contact, Outcome, Record
from worlds import plan

TOUCH = Contact(person=1, first_step=20, last_step=24, x=3.0, y=5.0, counted=True)


def driven(**records: list[Record]) -> Figure:
    """The first map's picture of records by planner."""
    pairs = [
        (episode(f"e{k}", name), made)
        for name, several in records.items()
        for k, made in enumerate(several)
    ]
    measured = [each for each, _ in pairs]
    series = series_of(measured, compared(*measured, draws=20), LIGHT)
    place = places_of(series, [(each.row, drive_of(made)) for each, made in pairs])[0]
    figure = Figure(figsize=(6.5, place.height(6.5)), layout="constrained")
    with drawing(LIGHT):
        draw_drives(figure, place, LIGHT)
    return figure


def test_every_way_is_in_the_panel_of_its_planner() -> None:
    way, still = record(line()), record(line(speed=0.0), outcome=Outcome.OUT_OF_TIME)
    figure = driven(a=[way, record(line(speed=0.5))], b=[still])
    first, second = figure.axes[:2]
    assert first.get_title(loc="left") == "a\n2 of 2 arrived"
    assert second.get_title(loc="left") == "b\n0 of 1 arrived"
    ways = [each for each in first.get_lines() if len(each.get_xdata()) > 1]
    ends = [(float(each.get_xdata()[0]), float(each.get_xdata()[-1])) for each in ways]
    assert ends == [
        (way.robot[0, 0], way.robot[-1, 0]),
        (2.0, record(line(speed=0.5)).robot[-1, 0]),
    ]
    assert [each.get_marker() for each in second.get_lines()].count("s") == 1


def test_contacts_are_marked_by_cause_and_the_key_says_which() -> None:
    met = record(line(), [np.array([3.2, 5.0])], contacts=[TOUCH])
    figure = driven(a=[met])
    shapes = [each.get_marker() for each in figure.axes[0].get_lines()]
    assert shapes.count("x") == 1
    said = [text.get_text() for text in figure.legends[0].get_texts()]
    assert said == ["start", "goal", "ended elsewhere", "contact: caused"]


def test_maps_are_kept_apart() -> None:
    other = record(line(), floorplan=plan("other", (0, 0, 12, 10)))
    pairs = [(episode("e0", "a"), record(line())), (episode("e1", "a"), other)]
    measured = [each for each, _ in pairs]
    series = series_of(measured, compared(*measured, draws=20), LIGHT)
    places = places_of(series, [(each.row, drive_of(made)) for each, made in pairs])
    assert [len(drives) for place in places for _, drives in place.drives] == [1, 1]
    assert places[1].plan.name == "other"
