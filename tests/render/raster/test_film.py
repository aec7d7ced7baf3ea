"""Films, read back with PyAV."""

import builtins
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from paseo.errors import BadValue, CannotWrite, PaseoError
from paseo.render.films.footage import Footage, Playback
from paseo.render.films.panels import Overlaid
from paseo.render.raster.film import write_film
from paseo.render.raster.strokes import Frame
from paseo.render.raster.yuv import planes
from paseo.world.records import Record

COLOURS = [(215, 25, 28), (0, 114, 178), (250, 251, 252), (18, 22, 28), (230, 159, 0)]


def plain(count: int, width: int = 64, height: int = 48) -> list[Frame]:
    """Frames of one colour each, by turns."""
    return [np.full((height, width, 3), COLOURS[k % len(COLOURS)], np.uint8) for k in range(count)]


def read(path: Path) -> tuple[Any, list[np.ndarray]]:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        facts = (stream.codec.name, float(stream.average_rate), stream.width, stream.height)
        return facts, [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def test_an_mp4_holds_every_frame_at_its_time(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    write_film(film, plain(25), 20)
    facts, frames = read(film)
    assert facts == ("h264", 20.0, 64, 48)
    assert len(frames) == 25
    with av.open(str(film)) as container:
        assert container.duration / 1e6 == pytest.approx(25 / 20, abs=0.01)
        assert container.streams.video[0].codec_context.pix_fmt == "yuv420p"


def test_an_mp4_keeps_colours(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    write_film(film, plain(5), 20)
    with av.open(str(film)) as container:
        frames = [
            frame.reformat(format="rgb24", src_colorspace="ITU709").to_ndarray()
            for frame in container.decode(video=0)
        ]
    for frame, colour in zip(frames, COLOURS, strict=True):
        assert frame[20, 30].tolist() == pytest.approx(colour, abs=6)


def test_an_mp4_can_be_played_before_it_is_all_there(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    write_film(film, plain(25), 20)
    content = film.read_bytes()
    assert content.index(b"moov") < content.index(b"mdat")


def test_odd_sizes_lose_a_line(tmp_path: Path) -> None:
    write_film(tmp_path / "film.mp4", plain(3, 65, 49), 20)
    assert read(tmp_path / "film.mp4")[0][2:] == (64, 48)


def test_a_gif_holds_every_frame_in_its_colours_for_ever(tmp_path: Path) -> None:
    film = tmp_path / "film.gif"
    write_film(film, plain(25), 10)
    facts, frames = read(film)
    assert facts == ("gif", 10.0, 64, 48)
    assert len(frames) == 25
    for frame, colour in zip(frames, COLOURS * 5, strict=True):
        assert frame[20, 30].tolist() == pytest.approx(colour, abs=1)
    assert b"NETSCAPE2.0\x03\x01\x00\x00" in film.read_bytes()


def test_a_film_of_a_record_has_the_length_of_the_record(tmp_path: Path, bump: Record) -> None:
    playback = Playback(fps=10, speed=2)
    frames = Footage(Overlaid([bump], size=(200, 160)), playback)
    write_film(tmp_path / "bump.mp4", frames, playback.fps)
    _, read_back = read(tmp_path / "bump.mp4")
    assert len(read_back) == len(frames)
    assert len(frames) / 10 == pytest.approx(bump.times[-1] / 2 + 1, abs=0.2)


def test_the_same_frames_give_the_same_gif(tmp_path: Path) -> None:
    for name in ("a.gif", "b.gif"):
        write_film(tmp_path / name, plain(12), 20)
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


SAME = """
import sys
from pathlib import Path
import numpy as np
from paseo.render.raster.film import write_film

frames = [np.full((720, 960, 3), 240, np.uint8) for _ in range(40)]
for k, frame in enumerate(frames):  # a square that walks over stripes that change
    frame[20 + k : 60 + k, 30 + 2 * k : 80 + 2 * k] = (30, 90, 200)
    frame[::17] = 3 * k % 255
for name in sys.argv[1:]:
    write_film(Path(name), frames, 20, threads=1)
"""


def test_the_same_frames_give_the_same_mp4_whatever_was_in_memory(tmp_path: Path) -> None:
    for filling in (1, 85, 170):  # what is in memory that nobody has written to
        names = [str(tmp_path / f"{filling}-{number}.mp4") for number in range(2)]
        environment = {**os.environ, "MALLOC_PERTURB_": str(filling)}
        subprocess.run([sys.executable, "-c", SAME, *names], env=environment, check=True)
    films = [each.read_bytes() for each in tmp_path.glob("*.mp4")]
    assert (len(films), len(set(films))) == (6, 1)


@pytest.mark.parametrize("ending", [".mp4", ".gif"])
@pytest.mark.parametrize("stop", [KeyboardInterrupt, RuntimeError])
def test_an_interrupted_film_leaves_nothing(
    tmp_path: Path, ending: str, stop: type[BaseException]
) -> None:
    def interrupted(what: str, done: int, total: int) -> None:
        if done == 30:
            raise stop

    film = tmp_path / f"film{ending}"
    with pytest.raises(stop):
        write_film(film, plain(60), 20, progress=interrupted)
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_film_leaves_the_older_one(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    write_film(film, plain(5), 20)
    before = film.read_bytes()

    def interrupted(what: str, done: int, total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_film(film, plain(60), 20, progress=interrupted)
    assert film.read_bytes() == before


def test_what_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    def never(what: str, done: int, total: int) -> None:
        raise AssertionError("nothing should be drawn")

    with pytest.raises(CannotWrite, match="cannot be written"):
        write_film(tmp_path / "no" / "film.mp4", plain(3), 20, progress=never)
    (tmp_path / "folder.mp4").mkdir()
    with pytest.raises(CannotWrite, match="no file that could be replaced"):
        write_film(tmp_path / "folder.mp4", plain(3), 20, progress=never)


def test_unknown_endings_and_empty_films_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="no film can be saved as '.avi', expected .mp4 or .gif"):
        write_film(tmp_path / "film.avi", plain(3), 20)
    with pytest.raises(BadValue, match="no frames"):
        write_film(tmp_path / "film.mp4", [], 20)


@pytest.mark.parametrize(("fps", "speed"), [(0.5, 1), (500, 1), (20, 0), (20, float("nan"))])
def test_a_playback_that_makes_no_sense_is_refused(fps: float, speed: float) -> None:
    with pytest.raises(BadValue, match="a film"):
        Playback(fps=fps, speed=speed)


def test_a_gif_that_browsers_would_slow_down_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="expected at most 50"):
        write_film(tmp_path / "film.gif", plain(3), 60)
    assert list(tmp_path.iterdir()) == []


def test_without_the_extra_the_line_to_type_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = builtins.__import__

    def without_av(name: str, *rest: Any) -> Any:
        if name == "av":
            raise ImportError(name)
        return usual(name, *rest)

    monkeypatch.delitem(sys.modules, "av")
    monkeypatch.setattr(builtins, "__import__", without_av)
    with pytest.raises(PaseoError, match=r"pip install 'paseo\[video\]'"):
        write_film(tmp_path / "film.mp4", plain(3), 20)


def test_luma_and_chroma_are_those_of_ffmpeg() -> None:
    smooth = np.linspace(0, 255, 64 * 48 * 3).reshape(48, 64, 3).astype(np.uint8)
    for frame in (*plain(5), smooth):
        picture = av.VideoFrame.from_ndarray(frame, format="rgb24")
        theirs = picture.reformat(format="yuv420p", dst_colorspace="ITU709").to_ndarray()
        assert np.abs(planes(frame).astype(int) - theirs.astype(int)).max() <= 3
