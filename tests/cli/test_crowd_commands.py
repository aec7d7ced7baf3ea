"""`paseo crowd`, from the words typed to the table printed."""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from paseo.cli.crowd import PLACES
from paseo.cli.main import main
from paseo.crowd_check.real_crowds import PLACES as REAL_PLACES
from paseo.crowd_check.real_crowds import RECORDED
from runs import refused, suite
from walkers import corridor_crowd


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder beside the file of a crowd, from within which commands are run."""
    rows = [
        f"{round(10 * t)},{track.id},{x:.4f},{y:.4f}\n"
        for track in corridor_crowd(60).tracks
        for t, (x, y) in zip(track.times, track.positions, strict=True)
    ]
    (tmp_path / "walk.csv").write_text("frame,ped_id,x_m,y_m\n" + "".join(rows))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PASEO_DATA", str(tmp_path / "data"))
    return tmp_path


def crowds(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, Any]]:
    """What `paseo crowd realism` tells a program."""
    assert main(["crowd", "realism", *map(str, words), "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["crowds"]
    return found


def test_the_places_that_can_be_named_are_those_of_real_crowds() -> None:
    assert list(REAL_PLACES) == PLACES


def test_without_recordings_a_file_is_compared_with_all_five_approximately(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["crowd", "realism", "walk.csv", "--fps", "10"]) == 0
    printed = capsys.readouterr()
    assert "walk: 60 people" in printed.out
    assert "nearest to " in printed.out
    assert "approximate, by shipped percentiles" in printed.out
    assert "eth hotel univ zara01 zara02" in " ".join(printed.out.split())
    assert "walk.csv is taken for csv: its name ends in .csv" in printed.err
    assert "off by up to 0.02; for exact distances: paseo data fetch eth hotel" in printed.err
    (crowd,) = crowds(capsys, "walk.csv", "--fps", 10, "--format", "csv")
    assert list(crowd["places"]) == list(RECORDED)
    assert crowd["nearest"] in RECORDED
    assert not any(place["exact"] for place in crowd["places"].values())


def test_a_place_may_be_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (crowd,) = crowds(capsys, "walk.csv", "--fps", 10, "--place", "univ")
    assert list(crowd["places"]) == ["univ"]
    # A corridor in which nobody stands and everybody walks in pairs is not univ.
    judged = crowd["places"]["univ"]["statistics"]
    assert judged["people_in_groups"]["verdict"] == "beyond"
    assert judged["walking_speed_mps"]["verdict"] == "beyond"


def test_an_imported_crowd_is_measured_by_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "import", "walk.csv", "--name", "walk", "--fps", "10"]) == 0
    capsys.readouterr()
    (by_name,) = crowds(capsys, "walk")
    (by_file,) = crowds(capsys, "walk.csv", "--fps", 10)
    assert by_name == by_file
    assert "--fps is 0, expected frames" in refused(capsys, "crowd", "realism", "walk", "--fps", 0)
    (faster,) = crowds(capsys, "walk", "--fps", 20)
    assert faster["duration_s"] == pytest.approx(by_name["duration_s"] / 2)


def test_a_suite_is_measured_map_by_map(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = crowds(capsys, "scripted-10")
    assert [each["name"] for each in found] == [
        f"scripted-10 on {name}" for name in ("ETH", "Univ", "Zara", "HotelSmall", "DoubleHotel")
    ]
    assert [list(each["places"]) for each in found] == [
        ["eth"], ["univ"], ["zara"], ["hotel"], ["hotel"],
    ]  # fmt: skip
    assert all(each["episodes"] == 2 for each in found)
    standing = found[0]["places"]["eth"]["statistics"]["time_standing"]
    assert (standing["inside_windows"], standing["short_parts"]) == (2, 2)


def test_a_suite_on_a_map_of_its_own_is_compared_with_all_five(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (crowd,) = crowds(capsys, suite(folder))
    assert crowd["name"] == "room on room"
    assert (crowd["people"], crowd["duration_s"]) == (3, 6.0)  # three episodes of 2 s
    assert list(crowd["places"]) == list(RECORDED)
    (crowd,) = crowds(capsys, suite(folder), "--place", "zara")
    assert list(crowd["places"]) == ["zara"]


def test_an_episode_is_a_short_crowd(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["crowd", "realism", "scripted_zara_along"]) == 0
    printed = capsys.readouterr()
    assert "scripted_zara_along: 10 people, 40.0 s\nbeside zara" in printed.out
    assert "60 s of zara" in printed.out


@pytest.mark.recordings
def test_a_recording_is_exactly_itself(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (crowd,) = crowds(capsys, "zara01", "--data", data_dir)
    assert crowd["nearest"] == "zara01"
    itself = crowd["places"]["zara01"]
    assert itself["exact"]
    assert itself["mean_distance_in_bars"] == 0.0
    assert main(["crowd", "realism", "zara01", "--data", str(data_dir), "--place", "zara"]) == 0
    printed = capsys.readouterr()
    assert "exact, by the recordings" in printed.out
    assert printed.err == ""


@pytest.mark.recordings
def test_the_misses_of_the_curated_recordings_are_those_of_the_docs(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    misses = [
        (crowd["name"].split()[-1], name, float(f"{judged['distance']:.2g}"))
        for crowd in crowds(capsys, "socnavbench-33", "--data", data_dir)
        for place in crowd["places"].values()
        for name, judged in place["statistics"].items()
        if judged["verdict"] == "beyond"
    ]
    assert misses == [
        ("ETH", "walking_speed_mps", 0.19),
        ("ETH", "imminent_conflicts", 0.0051),
        ("ETH", "path_efficiency", 0.25),
        ("ETH", "speed_variation", 0.38),
        ("Zara", "time_standing", 0.16),
        ("HotelSmall", "people_in_groups", 0.21),
        ("HotelSmall", "speed_variation", 0.22),
        ("DoubleHotel", "people_at_once", 0.58),
        ("DoubleHotel", "path_efficiency", 0.24),
        ("DoubleHotel", "speed_variation", 0.2),
    ]


@pytest.mark.recordings
def test_places_with_and_without_recordings_can_be_mixed(
    folder: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "data").mkdir()
    shutil.copy(data_dir / "ethucy/zara01.csv.gz", folder / "data")
    (crowd,) = crowds(capsys, "walk.csv", "--fps", 10)
    exact = [name for name, place in crowd["places"].items() if place["exact"]]
    assert exact == ["zara01"]
    (crowd,) = crowds(capsys, "walk.csv", "--fps", 10, "--place", "zara")
    assert not crowd["places"]["zara"]["exact"]  # the other one lacks


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["scripted-11"], "no crowd, suite or file is called 'scripted-11'. Did you mean"),
        (["nowhere.csv"], "nowhere.csv"),
        (["nowhere.toml"], "nowhere.toml: no such file"),
        (["walk.csv"], "does not tell its frame rate; give --fps"),
        (["walk.csv", "--fps", "0"], "0 frames per second make no sense"),
        (["walk.csv", "--fps", "10", "--place", "zara03"], "invalid choice"),
        (["scripted-10", "--fps", "10"], "--fps is for files; 'scripted-10' is a suite"),
        (["scripted_zara_along", "--member", "x"], "'scripted_zara_along' is an episode"),
        (["eth", "--format", "csv"], "--format is for files; 'eth' is a named crowd"),
        (["eth"], "the recording 'eth' is not in"),
        (["socnavbench-33"], "is not in"),
        (["walk.csv", "--format", "vsp", "--fps", "10"], "walk.csv"),
        ([], "the following arguments are required"),
    ],
)
def test_bad_input_is_told_in_one_sentence(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    assert problem in refused(capsys, "crowd", "realism", *words)


def test_a_file_in_pixels_is_to_be_imported_first(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spline = "1 - the number of splines\n2 - Num of control points\n"
    points = "1.0 2.0 0 0.0 - (2D point, m_id)\n3.0 4.0 50 0.0 - (2D point, m_id)\n"
    Path("walk.vsp").write_text(spline + points)
    said = refused(capsys, "crowd", "realism", "walk.vsp", "--fps", "25")
    assert "import it first (`paseo data import` with --transform)" in said


def test_people_seen_between_two_ticks_cannot_be_measured(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("brief.csv").write_text("frame,ped_id,x_m,y_m\n2,1,0.0,0.0\n3,1,0.1,0.0\n")
    assert main(["crowd", "realism", "brief.csv", "--fps", "10"]) == 2
    assert "nobody is there at any tick of the 0.4 s clock" in capsys.readouterr().err


LOBBY = """
format = "paseo-recipe"
version = 1
name = "lobby"
map = "Zara"
gates = [{name = "door", place = "main door"}, {name = "north", x_m = 6.9, y_m = 17.2}]
flows = [{origin = "north", destination = "door", people_per_minute = RATE}]
"""


def generate(*words: object) -> int:
    """Make a crowd of 20 s on ETH."""
    return main(["crowd", "generate", "ETH", "--duration-s", "20", *map(str, words)])


@pytest.mark.slow
def test_a_generated_crowd_can_be_made_again_measured_and_imported(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert generate("--seed", 1, "--out", "one.csv") == 0
    said = capsys.readouterr()
    assert said.out == "one.csv\n" and "synthetic people" in said.err
    assert generate("--seed", 1, "--out", "again.csv.gz") == 0
    assert gzip.decompress(Path("again.csv.gz").read_bytes()) == Path("one.csv").read_bytes()
    assert Path("one_groups.json").read_bytes() == Path("again_groups.json").read_bytes()
    capsys.readouterr()
    (crowd,) = crowds(capsys, "one.csv", "--fps", 10, "--place", "eth")
    assert crowd["name"] == "one"
    words = "data import one.csv --fps 10 --name one --map ETH --groups one_groups.json"
    assert main(words.split()) == 0


def test_a_crowd_without_anybody_is_told_and_not_written(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("lobby.toml").write_text(LOBBY.replace("RATE", "0"))
    assert generate("--recipe", "lobby.toml", "--out", "a.csv") == 2
    said = capsys.readouterr().err
    assert "this recipe was written for 'Zara'" in said
    assert "nobody comes in 20 s with seed 0; make it longer" in said
    assert not Path("a.csv").exists() and not Path("a_groups.json").exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("ETH --out a.txt", "a.txt: a crowd is written as .csv or .csv.gz"),
        ("ETH --out none/a.csv", "none/a.csv: there is no folder none; make it"),
        ("Eth --out a.csv", "no map is called 'Eth'. Did you mean 'ETH'?"),
        ("ETH --out a.csv --duration-s nan", "a crowd of nan s cannot be generated"),
        ("ETH --out a.csv --recipe none.toml", "none.toml: no such file"),
    ],
)
def test_crowds_that_cannot_be_made_are_told_before_they_are(
    folder: Path, capsys: pytest.CaptureFixture[str], words: str, problem: str
) -> None:
    assert problem in refused(capsys, "crowd", "generate", *words.split())
