"""Contacts are marked by whose doing they were, in figures and in films, and the key says how."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure

from paseo.render.figures.saving import drawing
from paseo.render.figures.sketch import Sketch
from paseo.render.raster.palette import LIGHT, as_text
from paseo.render.staging.backdrop import backdrop_of, usual_size
from paseo.render.staging.marks import key_to_marks
from paseo.render.staging.playthrough import Causes, Playthrough, WhoseDoing
from paseo.render.topview.topview import TopView
from paseo.world.records import Cause, Record

SHAPES = {Cause.CAUSED: "x", Cause.SHARED: "^", Cause.WALKED_INTO: "o"}


def always(cause: Cause) -> WhoseDoing:
    def whose(record: Record) -> Causes:
        return {each: cause for each in record.contacts if each.counted}

    return whose


@pytest.mark.parametrize("cause", Cause)
def test_figures_have_a_shape_for_each_cause(bump: Record, cause: Cause) -> None:
    axes, backdrop = Figure().subplots(), backdrop_of([bump])
    with drawing(LIGHT):
        Sketch(axes, backdrop, 3.0).story([Playthrough(bump, whose=always(cause))])
    (contact,) = bump.contacts
    there = [
        each
        for each in axes.get_lines()
        if np.allclose(each.get_xydata(), [contact.x, contact.y])
        and each.get_markeredgecolor() == as_text(LIGHT.contact)
    ]
    assert {each.get_marker() for each in there} == {SHAPES[cause]}


def contact_pixels(record: Record, cause: Cause) -> np.ndarray:
    """Where a film shows the red of contacts around the place of the only one, (15, 15)."""
    backdrop = backdrop_of([record])
    view = TopView(backdrop, usual_size(backdrop))
    playthrough = Playthrough(record, whose=always(cause))
    frame = view.render([playthrough.at(playthrough.end)]).rgb
    (contact,) = record.contacts
    x, y = view._view.pixels(np.array([contact.x, contact.y]))
    row, column = int(y) + view._top, int(x)
    around = frame[row - 7 : row + 8, column - 7 : column + 8].astype(int)
    return np.abs(around - LIGHT.contact).sum(axis=2) < 90


def test_films_have_a_shape_for_each_cause(bump: Record) -> None:
    crossed, three, round_ = (contact_pixels(bump, cause) for cause in Cause)
    assert crossed[7, 7]
    assert not three[7, 7] and not round_[7, 7]
    assert three.any() and round_.any()
    rows = three.sum(axis=1)[three.any(axis=1)]
    assert rows[-2:].max() > 2 * rows[:2].max()  # it stands on its base
    assert abs(int(round_[:7].sum()) - int(round_[8:].sum())) <= 6


def test_the_key_names_the_causes_that_occur(bump: Record, lonely: Record) -> None:
    played = [Playthrough(each, whose=always(Cause.SHARED)) for each in (bump, lonely)]
    assert key_to_marks(played) == "\N{WHITE UP-POINTING TRIANGLE} shared"
    assert key_to_marks([Playthrough(bump)]) == ""
    (contact,) = bump.contacts
    appeared = replace(bump, contacts=(replace(contact, counted=False),))
    assert key_to_marks([Playthrough(appeared)]) == "small \N{MULTIPLICATION X} not counted"
