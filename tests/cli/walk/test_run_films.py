"""`paseo run --video`: a film beside every record, made while episodes run."""

from pathlib import Path

import av
import pytest

from paseo.cli.main import main
from runs import suite


def run(tmp_path: Path, *words: object) -> int:
    return main([str(word) for word in ("run", *words, "--out", tmp_path / "run")])


def seconds(film: Path) -> float:
    with av.open(str(film)) as container:
        stream = container.streams.video[0]
        return stream.frames / float(stream.average_rate or 1)


@pytest.fixture
def filmed(tmp_path: Path) -> Path:
    assert run(tmp_path, suite(tmp_path), "--planner", "straight", "--limit", 2, "--video") == 0
    return tmp_path / "run"


def test_every_record_has_its_film(filmed: Path) -> None:
    records = sorted(path.stem for path in (filmed / "records").glob("*.npz"))
    assert sorted(path.stem for path in (filmed / "films").iterdir()) == records
    assert all(seconds(film) > 1 for film in (filmed / "films").iterdir())


@pytest.mark.slow
def test_resuming_films_only_what_is_missing(filmed: Path, tmp_path: Path) -> None:
    first, second = sorted((filmed / "films").iterdir())
    first.unlink()
    before = second.stat().st_mtime_ns
    assert run(tmp_path, "--resume", "--video") == 0
    assert seconds(first) > 1
    assert second.stat().st_mtime_ns == before


def test_without_the_word_nothing_is_filmed(tmp_path: Path) -> None:
    assert run(tmp_path, suite(tmp_path), "--planner", "straight", "--limit", 1) == 0
    assert not (tmp_path / "run/films").exists()
