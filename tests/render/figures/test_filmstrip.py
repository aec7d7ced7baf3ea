"""The film on paper."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image

import worlds
from paseo.errors import BadValue
from paseo.planners.stop import Stop
from paseo.render.figures.filmstrip import draw_filmstrip, usual_times
from paseo.sim.simulate import simulate
from paseo.world.records import Record


def words(svg: Path) -> list[str]:
    tree = ET.parse(svg, ET.XMLParser(target=ET.TreeBuilder(insert_comments=True)))
    return [each.text.strip() for each in tree.iter() if each.tag is ET.Comment and each.text]


@pytest.mark.extra("plots")
def test_times_run_from_left_to_right_in_a_row_for_each_planner(
    tmp_path: Path, bump: Record, standing: Record
) -> None:
    strip = tmp_path / "strip.svg"
    draw_filmstrip(strip, [bump, standing], times=[2.0, 0.0, 1.0])
    text = words(strip)
    times = [line for line in text if line.endswith(" s") and line[0].isdigit()]
    assert times == ["0.0 s", "1.0 s", "2.0 s"] * 2
    assert {"Straight", "Stop", "test"} <= set(text)


@pytest.mark.extra("plots")
def test_a_robot_that_has_ended_is_shown_once_where_it_ended(
    tmp_path: Path, bump: Record, standing: Record
) -> None:
    draw_filmstrip(tmp_path / "x.svg", [bump, standing], times=[0, 6, 8, 10])
    times = [line for line in words(tmp_path / "x.svg") if line[0].isdigit() and line[-1] == "s"]
    end = f"{bump.times[-1]:.1f} s"
    assert times == ["0.0 s", end, "0.0 s", "6.0 s", "8.0 s", "10.0 s"]


def test_usual_times_go_to_the_end() -> None:
    assert usual_times(12.0) == [0, 3, 6, 9, 12]


@pytest.mark.parametrize("times", [[-1.0], [float("nan")], list(range(40))])
def test_times_that_make_no_strip_are_refused(
    tmp_path: Path, bump: Record, times: list[float]
) -> None:
    with pytest.raises(BadValue, match="expected 1 to 12 times from 0 on"):
        draw_filmstrip(tmp_path / "x.png", [bump], times=times)


def test_rows_show_one_episode(tmp_path: Path, bump: Record) -> None:
    other = simulate(worlds.scenario(name="other"), Stop())
    with pytest.raises(BadValue, match="not the same place"):
        draw_filmstrip(tmp_path / "x.png", [bump, other])


@pytest.mark.extra("plots")
def test_a_strip_has_the_size_that_was_asked_for(tmp_path: Path, bump: Record) -> None:
    draw_filmstrip(tmp_path / "x.png", [bump], size=(900, 300))
    assert Image.open(tmp_path / "x.png").size == (900, 300)
