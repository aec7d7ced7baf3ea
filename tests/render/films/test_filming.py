"""Films made in a process of their own."""

from pathlib import Path

import av
import pytest

from paseo.errors import BadValue, CannotWrite
from paseo.render.films.filming import Filming, film_record
from paseo.render.films.footage import FilmOptions, Playback
from paseo.world.recordfile import save_record
from paseo.world.records import Record

SMALL = FilmOptions(size=(160, 120), playback=Playback(fps=10, speed=4))


def frames(film: Path) -> int:
    with av.open(str(film)) as container:
        return sum(1 for _ in container.decode(video=0))


def test_a_record_becomes_a_film(tmp_path: Path, bump: Record) -> None:
    save_record(bump, tmp_path / "bump.npz")
    film_record(tmp_path / "bump.npz", tmp_path / "bump.mp4", SMALL)
    assert frames(tmp_path / "bump.mp4") == pytest.approx(bump.times[-1] * 10 / 4 + 11, abs=1)


def test_films_are_made_elsewhere_and_failures_are_told(tmp_path: Path, bump: Record) -> None:
    records = [tmp_path / f"{name}.npz" for name in ("one", "two")]
    for record in records:
        save_record(bump, record)
    broken = tmp_path / "broken.npz"
    broken.write_bytes(b"")
    with Filming(tmp_path / "films", SMALL) as filming:
        for record in (records[0], broken, records[1]):
            filming.add(record)
    films = sorted(path.name for path in (tmp_path / "films").iterdir())
    assert films == ["one.mp4", "two.mp4"]
    assert filming.film(records[0]) == tmp_path / "films" / "one.mp4"
    (failure,) = filming.failures
    assert "broken.npz: not a readable Paseo record" in failure
    assert frames(tmp_path / "films" / "two.mp4") > 10


@pytest.mark.slow
def test_an_interrupted_run_leaves_no_half_film(tmp_path: Path, bump: Record) -> None:
    save_record(bump, tmp_path / "bump.npz")
    long = FilmOptions(playback=Playback(fps=120, speed=0.01))  # would take minutes
    with pytest.raises(KeyboardInterrupt), Filming(tmp_path / "films", long) as filming:
        filming.add(tmp_path / "bump.npz")
        while not list((tmp_path / "films").glob(".*.part")):
            filming._messenger.join(0.05)
        raise KeyboardInterrupt
    assert list((tmp_path / "films").iterdir()) == []
    assert not filming._process.is_alive()


def test_what_a_killed_run_left_is_swept_away(tmp_path: Path) -> None:
    (tmp_path / ".one.mp4.123.part").write_bytes(b"half")
    (tmp_path / "two.mp4").write_bytes(b"whole")
    with Filming(tmp_path, SMALL):
        assert [path.name for path in tmp_path.iterdir()] == ["two.mp4"]


def test_what_cannot_be_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotWrite, match="cannot be made"):
        Filming(tmp_path / "file" / "films")
    with pytest.raises(BadValue, match="no theme is called 'pink', expected light or dark"):
        FilmOptions(theme="pink")


def test_a_film_says_when_it_is_not_in_real_time() -> None:
    assert Playback().note == ""
    assert Playback(speed=4).note == "4x speed"
