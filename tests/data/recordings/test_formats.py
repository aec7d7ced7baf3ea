"""Formats of one's own: by file, by entry point, and the sentences where one fails."""

from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from paseo.cli.main import main
from paseo.data.recordings.formats import FORMATS, guessed_format, recording_format
from paseo.data.recordings.recordings import read_recording, read_sightings
from paseo.errors import BadFile, BadValue, PaseoError, UnknownName

OWN = """
import numpy as np

from paseo.data.recordings.number_table import number_table
from paseo.data.recordings.sightings import Sightings, by_line

class Semicolons:
    '''Rows of id;frame;x;y.'''

    def sign(self, name, lines):
        return "its name ends in .semi" if name.endswith(".semi") else ""

    def sightings(self, lines, path):
        table = number_table(lines, path, columns=4, expected="id;frame;x;y", separator=";")
        return Sightings(path=path, where=by_line(1), frames=table[:, 1], ids=table[:, 0],
                         positions=table[:, 2:])

class Pixels(Semicolons):
    in_pixels = True
    bridges_gaps = True

class Broken(Semicolons):
    def sightings(self, lines, path):
        raise KeyError("x")

class Empty(Semicolons):
    def sightings(self, lines, path):
        return []

class Half:
    def sightings(self, lines, path): pass
"""
TEXT = "7;0;1.0;2.0\n7;10;2.0;2.0\n7;90;3.0;2.0\n"


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own_format.py").write_text(OWN)
    return str(tmp_path / "own_format.py")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "walk.semi").write_text(TEXT)
    return tmp_path / "walk.semi"


def test_a_format_of_ones_own_is_named_by_its_file(own: str, file: Path) -> None:
    recording = read_recording(file, format=f"{own}:Semicolons", fps=10.0)
    (track,) = recording.tracks
    assert (track.id, track.times.tolist()) == (7, [0.0, 1.0, 5.0, 9.0])  # absent in between
    assert read_sightings(file, format=f"{own}:Semicolons").reason == "as told"


def test_a_format_may_say_that_it_is_in_pixels_and_bridges_gaps(own: str, file: Path) -> None:
    reference = f"{own}:Pixels"
    with pytest.raises(BadValue, match="Pixels file is in pixels; give the affine"):
        read_recording(file, format=reference, fps=10.0)
    metres = np.array([[0.1, 0.0, 0.0], [0.0, 0.1, 0.0]])
    (track,) = read_recording(file, format=reference, fps=10.0, affine=metres).tracks
    assert track.times.tolist() == [0.0, 1.0, 9.0]


def test_formats_of_other_packages_are_asked_after_ours(
    own: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(file.parent))
    points = [EntryPoint("semi", "own_format:Semicolons", "paseo.recording_formats")]
    monkeypatch.setattr("paseo.registry.registry.entry_points", lambda group: points)
    assert guessed_format(file, TEXT.splitlines()) == ("semi", "its name ends in .semi")
    assert guessed_format(Path("a.semi"), ["1,2"])[0] == "csv"
    assert read_recording(file, fps=10.0).tracks[0].id == 7
    with pytest.raises(BadFile, match="expected one of csv, obsmat, semi, socnavbench"):
        guessed_format(Path("a"), ["what"])


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Broken", r"walk.semi: recording format '.*:Broken' failed \(KeyError: 'x'\)"),
        ("Empty", r"walk.semi: recording format '.*:Empty' returned \[\], expected Sightings"),
        ("Half", r"Half has no method sign\(\)"),
    ],
)
def test_a_format_that_fails_is_named(own: str, file: Path, name: str, words: str) -> None:
    with pytest.raises(PaseoError, match=words):
        read_recording(file, format=f"{own}:{name}", fps=10.0)


def test_an_unknown_format_gets_a_hint(file: Path) -> None:
    with pytest.raises(UnknownName, match="no recording format is called 'vps'. Did you mean"):
        read_recording(file, format="vps", fps=10.0)


def test_every_shipped_format_is_there() -> None:
    for name in FORMATS.shipped:
        assert recording_format(name).__doc__


def test_a_file_in_a_format_of_ones_own_is_imported_by_the_command_line(
    own: str, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    words = ["data", "import", str(file), "--name", "walk", "--fps", "10"]
    assert main([*words, "--format", f"{own}:Semicolons", "--data", str(data)]) == 0
    assert (data / "crowds" / "walk" / "tracks.csv.gz").is_file()
    assert main([*words, "--format", "semi", "--data", str(data)]) == 2
    assert "no recording format is called 'semi'" in capsys.readouterr().err
