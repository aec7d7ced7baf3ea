"""Drawing from Python: what may be drawn, as what, and how far it is."""

from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from paseo.checks import check_renderer
from paseo.errors import BadValue, InputError, UnknownName
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.render.staging.renderers import RENDERERS
from paseo.report.pictures.drawing import DrawOptions, draw
from paseo.report.pictures.targets import MOST_RECORDS
from paseo.sim.simulate import simulate
from paseo.world.recordfile import record_bytes, save_record
from paseo.world.records import Record
from worlds import ROOM, crossing, scenario

OWN = f"{Path(__file__).parents[3] / 'examples' / 'own_view.py'}:Radar"
QUICK = DrawOptions(speed=8, size=(200, 160))


@pytest.fixture(scope="module")
def straight() -> Record:
    return simulate(scenario(crossing()), Straight())


def frames(film: Path) -> list[np.ndarray]:
    with av.open(str(film)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


@pytest.mark.parametrize("ending", ["png", "svg", "mp4", "gif", "mcap"])
def test_a_record_is_drawn_as_its_file_would_be(
    straight: Record, tmp_path: Path, ending: str
) -> None:
    save_record(straight, tmp_path / "straight.npz")
    before = record_bytes(straight)
    options = QUICK if ending in ("mp4", "gif") else DrawOptions()
    out = draw(straight, tmp_path / f"value.{ending}", options=options)
    assert out == tmp_path / f"value.{ending}" and out.stat().st_size > 1000
    other = draw([tmp_path / "straight.npz"], str(tmp_path / f"file.{ending}"), options=options)
    if ending != "mp4":  # whose encoder is not quite so strict
        assert other.read_bytes() == out.read_bytes()
    assert record_bytes(straight) == before


def test_records_from_anywhere_are_drawn_together(straight: Record, tmp_path: Path) -> None:
    save_record(simulate(scenario(crossing()), Stop()), tmp_path / "stop.npz")
    svg = draw([straight, str(tmp_path / "stop.npz")], tmp_path / "x.svg").read_text()
    assert "goal in 4.8 s" in svg and "out of time at 10.0 s" in svg


def test_episodes_and_maps_are_drawn_as_values(tmp_path: Path) -> None:
    svg = draw(scenario(crossing()), tmp_path / "e.svg").read_text()
    assert "test" in svg and "1 people" in svg
    assert "100 m" in draw(ROOM, tmp_path / "m.svg").read_text()
    with pytest.raises(InputError, match="'room' is no record: it can be drawn as .png or .svg"):
        draw(ROOM, tmp_path / "m.mp4")


def test_progress_counts_the_frames_of_a_film(straight: Record, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    film = draw(
        straight, tmp_path / "x.mp4", options=QUICK, progress=lambda *each: told.append(each)
    )
    count = len(frames(film))
    assert told == [("frame", done, count) for done in range(count + 1)]


def test_errors_name_parameters_and_not_flags(straight: Record, tmp_path: Path) -> None:
    for options, ending, sentence in (
        (DrawOptions(time_s=60), "png", "^time_s is 60, but all is over after 4.8 s"),
        (DrawOptions(time_s=1, filmstrip=True), "png", "^time_s is for one moment, filmstrip for"),
        (DrawOptions(overlay=True, times_s=(0, 1)), "png", "; omit overlay$"),
        (DrawOptions(fps=0), "png", "^fps is for .mp4 and .gif files"),
        (DrawOptions(view=OWN), "svg", "^view is for .png and .mp4 and .gif files"),
        (DrawOptions(view=OWN), "png", "Radar' shows moments; choose one by time_s, or make"),
        (DrawOptions(size=(9, 9)), "png", "; choose another size$"),
        (DrawOptions(fps=60), "gif", "; lower fps or make an .mp4$"),
    ):
        with pytest.raises(InputError, match=sentence):
            draw(straight, tmp_path / f"x.{ending}", options=options)
    with pytest.raises(InputError, match="or choose by planners$"):
        draw([straight] * (MOST_RECORDS + 1), tmp_path / "x.png")
    with pytest.raises(InputError, match="nothing is named to be drawn"):
        draw([], tmp_path / "x.png")
    with pytest.raises(BadValue, match="no theme is called 'pink', expected light or dark"):
        DrawOptions(theme="pink")
    assert list(tmp_path.iterdir()) == []


def test_a_view_of_ones_own_keeps_the_contract_and_films(straight: Record, tmp_path: Path) -> None:
    check_renderer(RENDERERS.find(OWN))
    film = frames(draw(straight, tmp_path / "x.mp4", options=replace(QUICK, view=OWN)))
    above = frames(draw(straight, tmp_path / "y.mp4", options=QUICK))
    assert len(film) == len(above) and film[0].shape == above[0].shape
    assert np.abs(film[0].astype(int) - above[0]).max() > 100


def test_views_that_there_are_not_are_told(straight: Record, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    pass\n")
    for view, sentence in (
        ("topveiw", "no view is called 'topveiw'. Did you mean 'topview'?"),
        (f"{tmp_path}/mine.py:Mine", "Mine has no method render()"),
        (f"{tmp_path}/mine.py", "which class?"),
        (f"{tmp_path}/yours.py:Mine", "no such file"),
    ):
        with pytest.raises((BadValue, UnknownName)) as caught:
            draw(straight, tmp_path / "x.mp4", options=DrawOptions(view=view))
        assert sentence in str(caught.value)
