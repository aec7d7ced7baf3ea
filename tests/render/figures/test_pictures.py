"""Figures: true to the map, the same each time, readable as PNG and SVG."""

import builtins
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

import worlds
from paseo.errors import BadValue, CannotWrite, PaseoError
from paseo.planners.stop import Stop
from paseo.render.figures.outline import free_rings
from paseo.render.figures.pictures import draw_episode, draw_map, draw_records
from paseo.render.figures.saving import drawing
from paseo.render.figures.sketch import Sketch
from paseo.render.raster.palette import DARK, LIGHT, Rgb
from paseo.render.staging.backdrop import backdrop_of
from paseo.render.staging.playthrough import Playthrough
from paseo.sim.simulate import simulate
from paseo.world.records import Record
from paseo.world.space.floorplan import FloorPlan, Place, PlaceKind, traced_walls


def words(svg: Path) -> list[str]:
    """Lines of text in a figure, from the comments that matplotlib puts before their outlines."""
    tree = ET.parse(svg, ET.XMLParser(target=ET.TreeBuilder(insert_comments=True)))
    return [each.text.strip() for each in tree.iter() if each.tag is ET.Comment and each.text]


def count(png: Path, colour: Rgb) -> int:
    return int((np.asarray(Image.open(png).convert("RGB")) == colour).all(axis=2).sum())


def area(ring: np.ndarray) -> float:
    x, y = ring.T
    return float((x[:-1] * y[1:] - x[1:] * y[:-1]).sum() / 2)


def test_rings_of_the_floor_are_its_area_and_holes_run_the_other_way() -> None:
    plan = worlds.plan("hall", (0, 0, 10, 10), (6, 6, 8, 8))
    assert sorted(area(ring) for ring in free_rings(plan)) == pytest.approx([-4, 100])


def test_rings_of_a_traced_map_are_its_cells() -> None:
    free = np.random.default_rng(0).random((12, 15)) < 0.6
    walls = traced_walls(free, 0.5, (2.0, 3.0))
    plan = FloorPlan(name="noise", walls=walls, free=free, cell_size=0.5, origin=(2.0, 3.0))
    assert sum(map(area, free_rings(plan))) == pytest.approx(free.sum() * 0.25)


def test_a_picture_of_a_moment_shows_everybody_in_their_colours(
    tmp_path: Path, bump: Record
) -> None:
    (contact,) = bump.contacts
    png = tmp_path / "moment.png"
    draw_records(png, [bump], time=contact.first_step * 0.05)
    for colour in (LIGHT.planner(0), LIGHT.person, LIGHT.contact, LIGHT.floor, LIGHT.solid):
        assert count(png, colour) > 20
    draw_records(png, [bump], time=0.5, theme=DARK)
    assert count(png, DARK.contact) == 0 < count(png, DARK.planner(0))


def test_people_and_robot_have_their_true_size(bump: Record) -> None:
    with drawing(LIGHT):
        axes = Figure(figsize=(4, 4), dpi=100).add_axes((0, 0, 1, 1), xlim=(0, 10), ylim=(0, 10))
        Sketch(axes, backdrop_of([bump]), 4.0).moments([Playthrough(bump).at(1.0)])
        axes.figure.canvas.draw()
        blue = (0, 114 / 255, 178 / 255, 1)
        circles = [each for each in axes.patches if each.get_facecolor() == blue]
        assert [circle.get_radius() for circle in circles] == [0.24]
        assert [circle.center for circle in circles] == [tuple(bump.robot[20, :2])]
        people = axes.collections[1]
        assert people.get_offsets().tolist() == bump.people[20].tolist()
        assert people._widths.tolist() == [0.2]  # half of 0.4 m


def test_an_svg_parses_and_says_what_it_shows(tmp_path: Path, bump: Record) -> None:
    svg = tmp_path / "story.svg"
    draw_records(svg, [bump])
    text = words(svg)
    for line in ("test", "Straight", "2 m"):
        assert line in text
    assert f"goal in {bump.times[-1]:.1f} s, 1 contact" in text


def test_a_story_has_the_time_along_the_path(bump: Record) -> None:
    with drawing(LIGHT):
        axes = Figure().add_axes((0, 0, 1, 1), xlim=(0, 10), ylim=(0, 10))
        Sketch(axes, backdrop_of([bump]), 4.0).story([Playthrough(bump)])
        assert [text.get_text() for text in axes.texts] == [
            "start", "goal", "1 s", "2 s", "3 s", "4 s",
        ]  # fmt: skip


def test_labels_of_times_do_not_lie_on_each_other(bump: Record) -> None:
    with drawing(LIGHT):
        axes = Figure().add_axes((0, 0, 1, 1), xlim=(0, 10), ylim=(0, 10))
        Sketch(axes, backdrop_of([bump, bump]), 4.0).story([Playthrough(bump), Playthrough(bump)])
        texts = [text.get_text() for text in axes.texts]
        assert len(texts) == len(set(texts))


def test_the_same_records_give_the_same_bytes(tmp_path: Path, bump: Record) -> None:
    for name in ("a.png", "b.png", "a.svg", "b.svg"):
        draw_records(tmp_path / name, [bump], time=2.0)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_settings_of_the_user_do_not_change_figures(tmp_path: Path, bump: Record) -> None:
    draw_records(tmp_path / "a.png", [bump], time=2.0)
    strange = {"lines.linewidth": 9.0, "font.size": 30.0, "axes.facecolor": "red"}
    with matplotlib.rc_context(strange):
        draw_records(tmp_path / "b.png", [bump], time=2.0)
        assert matplotlib.rcParams["font.size"] == 30
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_overlaid_robots_are_in_one_scene_and_others_side_by_side(
    tmp_path: Path, bump: Record, standing: Record
) -> None:
    draw_records(tmp_path / "one.svg", [bump, standing], overlay=True)
    draw_records(tmp_path / "two.svg", [bump, standing])
    clips = [(tmp_path / name).read_text().count("<clipPath") for name in ("one.svg", "two.svg")]
    assert clips == [1, 2]  # one for each scene
    for name in ("one.svg", "two.svg"):
        assert {"Straight", "Stop", "test"} <= set(words(tmp_path / name))


def test_records_of_two_episodes_cannot_be_overlaid(tmp_path: Path, bump: Record) -> None:
    other = simulate(worlds.scenario(name="other"), Stop())
    with pytest.raises(BadValue, match="not the same place"):
        draw_records(tmp_path / "x.png", [bump, other], overlay=True)
    draw_records(tmp_path / "x.png", [bump, other])


def test_nobody_and_one_state_are_drawn(tmp_path: Path, lonely: Record) -> None:
    single = replace(
        lonely, robot=lonely.robot[:1], commands=lonely.commands[:0], people=lonely.people[:1]
    )
    draw_records(tmp_path / "x.png", [single], time=0.0)
    draw_records(tmp_path / "y.png", [single])
    assert count(tmp_path / "y.png", LIGHT.planner(0)) > 20


def test_a_picture_has_the_size_that_was_asked_for(tmp_path: Path, bump: Record) -> None:
    draw_records(tmp_path / "x.png", [bump], size=(640, 360))
    assert Image.open(tmp_path / "x.png").size == (640, 360)


def test_a_map_is_drawn_with_its_places(tmp_path: Path) -> None:
    draw_map(tmp_path / "room.svg", worlds.DIVIDED)
    assert "divided" in words(tmp_path / "room.svg")
    draw_map(tmp_path / "room.png", worlds.DIVIDED, theme=DARK)
    assert count(tmp_path / "room.png", DARK.floor) > 10_000


def test_an_episode_is_drawn_with_tracks_start_and_goal(tmp_path: Path) -> None:
    gap = worlds.walk(2, (0, 1, 1), (1, np.nan, np.nan), (2, 3, 1))
    draw_episode(tmp_path / "x.svg", worlds.scenario(worlds.crossing(), gap))
    assert {"test", "2 people"} <= set(words(tmp_path / "x.svg"))
    draw_episode(tmp_path / "x.png", worlds.scenario(worlds.crossing(), gap))
    assert count(tmp_path / "x.png", LIGHT.ink) > 50  # the goal


def test_unknown_endings_and_places_are_told(tmp_path: Path, bump: Record) -> None:
    with pytest.raises(BadValue, match="no picture can be saved as '.jpg', expected .png or .svg"):
        draw_records(tmp_path / "x.jpg", [bump])
    with pytest.raises(CannotWrite, match="cannot be written"):
        draw_records(tmp_path / "no" / "x.png", [bump], time=0.0)


def test_names_of_places_do_not_lie_on_each_other() -> None:
    places = tuple(Place(f"exit {k}", PlaceKind.EXIT, 4.0 + 0.6 * k, 5.0) for k in range(4))
    plan = replace(worlds.ROOM, places=places)
    with drawing(LIGHT):
        axes = Figure(figsize=(4, 4)).add_axes((0, 0, 1, 1), xlim=(-0.6, 10.6), ylim=(-0.6, 10.6))
        backdrop = replace(backdrop_of([simulate(worlds.scenario(), Stop())]), floorplan=plan)
        sketch = Sketch(axes, replace(backdrop, start=None, goal=None), 4.0)
        sketch.names()
        canvas = FigureCanvasAgg(axes.get_figure(root=True))
        canvas.draw()
        boxes = [text.get_window_extent(canvas.get_renderer()) for text in axes.texts]
    assert len(boxes) == 4
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_dollars_in_names_are_no_formulas(tmp_path: Path, bump: Record) -> None:
    rich = replace(bump, provenance=replace(bump.provenance, planner="$x_1$"))
    draw_records(tmp_path / "x.svg", [rich], time=1.0)
    assert "$x_1$" in words(tmp_path / "x.svg")


def test_without_the_extra_the_line_to_type_is_told(
    tmp_path: Path, bump: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = builtins.__import__

    def without_matplotlib(name: str, *rest: Any) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return usual(name, *rest)

    for name in [each for each in sys.modules if each.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without_matplotlib)
    with pytest.raises(PaseoError, match=r"pip install 'paseo\[plots\]'"):
        draw_records(tmp_path / "x.png", [bump])
