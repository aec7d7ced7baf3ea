"""`paseo data`, from the file a user has to the run of an episode sampled from it."""

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pytest
from PIL import Image

from paseo.cli.main import main
from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import DataFolder
from paseo.data.store.synthetic import synthetic_crowds
from paseo.world.tracks import Recording
from runs import refused
from servers import Site, served
from walkers import corridor_crowd

HEADER = "frame,ped_id,x_m,y_m\n"
PLAN = "0 0\n20 0\n20 6\n0 6\n"


def csv_text(crowd: Recording) -> str:
    rows = [
        f"{round(t * crowd.fps)},{track.id},{x:.4f},{y:.4f}\n"
        for track in crowd.tracks
        for t, (x, y) in zip(track.times, track.positions, strict=True)
    ]
    return HEADER + "".join(rows)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty data folder beside a recording and its map, from within which commands are run."""
    (tmp_path / "walk.csv").write_text(csv_text(corridor_crowd(60)))
    (tmp_path / "walk.poly").write_text(PLAN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PASEO_DATA", str(tmp_path / "data"))
    return tmp_path


def imported(*words: str) -> None:
    assert main(["data", "import", "walk.csv", "--name", "walk", "--fps", "10", *words]) == 0


def test_an_imported_crowd_can_be_checked_sampled_and_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imported("--map", "walk.poly")
    said = capsys.readouterr().err
    assert "walk.csv is taken for csv: its name ends in .csv" in said
    assert main(["data", "check", "walk"]) == 0
    assert "nothing wrong found" in capsys.readouterr().out
    words = ["data", "sample", "walk", "--count", "2", "--seed", "3", "--time-limit-s", "20"]
    assert main([*words, "--out", "two.toml"]) == 0
    assert main([*words, "--out", "again.toml"]) == 0
    assert Path("two.toml").read_bytes() == Path("again.toml").read_bytes()
    capsys.readouterr()
    run = ["run", "two.toml", "--planner", "straight", "--jobs", "1", "--out", "run", "--json"]
    assert main(run) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert len(results) == 2
    assert all(result["verdict"] != "failed" for result in results)


def test_without_a_map_one_is_inferred_and_labelled_so(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imported()
    assert "no map was given. Inferred from 60 tracks" in capsys.readouterr().err
    assert main(["data", "list", "--json"]) == 0
    (row,) = [r for r in json.loads(capsys.readouterr().out) if r["name"] == "walk"]
    assert (row["map"], row["kind"], row["fps"]) == ("inferred", "imported", 10.0)
    assert main(["data", "check", "walk"]) == 0
    assert "is no witness" in capsys.readouterr().err
    assert main(["list", "maps"]) == 0
    assert "Inferred from 60 tracks" in capsys.readouterr().out
    assert main(["data", "sample", "walk", "--count", "1", "--out", "one.yaml"]) == 0
    assert "inferred" in Path("one.yaml").read_text()


def test_a_map_may_be_an_image_with_a_scale(folder: Path) -> None:
    Image.new("L", (200, 60), 255).save("walk.png")
    imported("--map", "walk.png@0.1")
    assert main(["data", "sample", "walk", "--count", "1", "--map", "walk.png@0.1",
                 "--out", str(folder / "deeper.toml")]) == 0  # fmt: skip
    assert 'map = "walk.png@0.1"' in Path("deeper.toml").read_text()


def test_a_recording_in_an_archive_is_read_in_place(folder: Path) -> None:
    content = Path("walk.csv").read_bytes()
    with tarfile.open("walks.tgz", "w:gz") as archive:
        for name in ("a/walk.csv", "a/notes.txt"):
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    words = ["data", "import", "walks.tgz", "--name", "walk", "--fps", "10"]
    assert main(words) == 2  # which of the two?
    assert main([*words, "--member", "a/walk.csv"]) == 0
    about = json.loads(Path("data/crowds/walk/crowd.json").read_text())
    assert about["source"] == "walks.tgz/a/walk.csv"
    assert len(DataFolder(folder / "data").recording("walk").tracks) == 60


def test_an_import_tells_its_doubts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "import", "walk.csv", "--name", "walk", "--fps", "3"]) == 0
    assert "wrong (9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--name", "walk"], "give --fps; these people would walk like people at --fps 12.5 or 10"),
        (["--name", "eth", "--fps", "10"], "belongs to Paseo's own catalog"),
        (["--name", "../x", "--fps", "10"], "cannot name a crowd"),
        (["--name", "walk", "--fps", "0"], "0 frames per second make no sense"),
        (["--name", "walk", "--fps", "10", "--map", "gone.yaml"], "gone.yaml"),
        (["--name", "walk", "--fps", "10", "--groups", "gone.txt"], "gone.txt"),
        (["--name", "walk", "--fps", "10", "--format", "vsp"], "number of splines"),
    ],
)
def test_an_import_that_cannot_be_leaves_nothing(
    folder: Path, words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert problem in refused(capsys, "data", "import", "walk.csv", *words)
    assert not (folder / "data").exists()


@pytest.mark.parametrize(
    "words",
    [["--transform=1,2,3"], ["--transform=1,0,0,2,0,0"], ["--transform=a,b,c,d,e,f"],
     ["--longest-gap-s", "soon"]],
)  # fmt: skip
def test_words_that_make_no_sense_are_refused(
    folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["data", "import", "walk.csv", "--name", "walk", "--fps", "10", *words])
    assert capsys.readouterr().err.count("\n") == 1


def test_a_crowd_is_replaced_only_when_asked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imported()
    capsys.readouterr()
    words = ("data", "import", "walk.csv", "--name", "walk", "--fps", "10")
    assert "add --replace" in refused(capsys, *words)
    imported("--replace")


BAD_FILES: dict[str, tuple[str, bytes]] = {
    "truncated gzip": ("walk.csv.gz", gzip.compress(HEADER.encode() * 99)[:-20]),
    "wrong columns": ("walk.csv", b"t,id,x,y\n1,2,3,4\n"),
    "a column too many": ("walk.csv", HEADER.encode() + b"1,2,3,4,5\n"),
    "mixed separators": ("walk.csv", HEADER.encode() + b"1,1,0,0\n2;1;0;0\n"),
    "not UTF-8": ("walk.csv", HEADER.encode() + b"1,1,0,\xff\n"),
    "NaN": ("walk.csv", HEADER.encode() + b"1,1,nan,0\n"),
    "negative frame": ("walk.csv", HEADER.encode() + b"-1,1,0,0\n"),
    "empty": ("walk.csv", b""),
    "no archive": ("walk.zip", b"PK\x03\x04 nothing"),
}


@pytest.mark.parametrize("name", BAD_FILES)
@pytest.mark.parametrize("command", ["import", "check"])
def test_bad_files_get_one_sentence_and_leave_nothing(
    folder: Path, name: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file, content = BAD_FILES[name]
    Path(file).write_bytes(content)
    words = ["--name", "x"] if command == "import" else []
    assert file in refused(capsys, "data", command, file, "--fps", "10", *words)
    assert not (folder / "data").exists()


def test_a_path_that_climbs_out_of_an_archive_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with tarfile.open("evil.tar", "w") as archive:
        archive.addfile(tarfile.TarInfo("../../walk.csv"))
    words = ("data", "import", "evil.tar", "--name", "x", "--fps", "10")
    assert "stay within the archive" in refused(capsys, *words)


@pytest.mark.extra("plots")
def test_slow_motion_is_caught_with_a_picture(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "check", "walk.csv", "--fps", "3"]) == 1
    printed = capsys.readouterr()
    assert "WRONG frame rate" in printed.out
    assert "evidence drawn in check-walk.png" in printed.err
    assert Image.open("check-walk.png").size[0] > 800


@pytest.mark.extra("plots")
def test_a_check_can_be_read_by_a_program(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["data", "check", "walk.csv", "--fps", "10", "--json", "--picture", "p.svg"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["wrong"], told["findings"], told["people"]) == (False, [], 60)
    assert Path("p.svg").read_bytes().startswith(b"<?xml")


def test_rows_that_are_there_twice_are_found_not_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("walk.csv").open("a") as file:
        file.write("0,1,3.0,3.0\n")
    assert main(["data", "check", "walk.csv", "--fps", "10", "--json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["doubt"], finding["people"]) == ("shared id", [1])


def test_a_mirrored_crowd_is_caught_on_its_map(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["data", "check", "walk.csv", "--fps", "10", "--map", "walk.poly"]
    assert main(words) == 0
    assert main([*words, "--transform=-1,0,0,0,1,0"]) == 1
    assert "WRONG" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["nobody"], "no crowd or file is called 'nobody'"),
        (["gone.csv"], "gone.csv"),
        (["walk.csv", "--fps", "10", "--map", "Zar"], "Did you mean 'Zara'?"),
        (["walk.csv"], "give --fps; these people would walk like people at --fps 12.5 or 10"),
    ],
)
def test_a_check_that_cannot_be_made_says_why(
    folder: Path, words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert problem in refused(capsys, "data", "check", *words)


def test_a_picture_that_cannot_be_drawn_does_not_hide_the_findings(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "check", "walk.csv", "--fps", "3", "--picture", "p.bmp"]) == 2
    printed = capsys.readouterr()
    assert "WRONG frame rate" in printed.out
    assert "p.bmp" in printed.err


def test_files_have_formats_and_crowds_do_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    imported()
    capsys.readouterr()
    assert "is a named crowd" in refused(capsys, "data", "check", "walk", "--format", "csv")


def test_a_data_set_is_fetched_only_with_its_licence_accepted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "fetch", "zara01"]) == 2
    said = capsys.readouterr().err
    for words in ("--accept-licence", "free for use", "Lerner, Chrysanthou, Lischinski"):
        assert words in said
    assert not (folder / "data").exists()


def test_an_unknown_data_set_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Did you mean 'zara01'?" in refused(capsys, "data", "fetch", "zara1")


def test_the_catalog_tells_licence_citation_source_and_sum(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["data", "list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    for name, crowd in synthetic_crowds().items():
        row = rows.pop(name)
        assert row["kind"] == "synthetic, not recorded"
        assert bool(row["sources"]) == crowd.is_current  # earlier ones cannot be made again
    recordings = {"eth", "hotel", "univ", "zara01", "zara02"}
    assert rows.keys() == {*recordings, "socialnav-sub", "rocketbox"}
    for row in rows.values():
        assert row["licence"] and row["citation"] and row["sources"] and row["file"] is None
    assert len(rows["eth"]["files"][0]["sha256"]) == 64
    assert len(rows["socialnav-sub"]["files"][0]["revision"]) == 40


@pytest.mark.recordings
def test_fetched_recordings_run_the_curated_episodes(
    folder: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known, raw = known_recordings()["zara02"], data_dir / "ethucy" / "raw"
    annotation = gzip.decompress((raw / "zara02_annotation.vsp.gz").read_bytes())
    groups = (raw / "zara02_groups.txt").read_bytes()
    site = Site(files={urlsplit(known.annotation.url).path: annotation,
                       urlsplit(known.groups.url).path: groups})  # fmt: skip
    with served(site) as address:
        words = ["data", "fetch", "zara02", "--accept-licence", "--mirror", address]
        assert main(words) == 0
        assert main(words) == 0  # is here already
    assert "is here already" in capsys.readouterr().err
    run = ["run", "t_zara2", "--planner", "stop", "--jobs", "1", "--out", "run", "--json"]
    assert main(run) == 0
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert result["outcome"] == "out of time"


def test_offline_says_what_to_do(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["data", "fetch", "eth", "--accept-licence", "--mirror", "http://127.0.0.1:9"]
    assert main(words) == 1
    said = capsys.readouterr().err
    assert "--from DIR" in said
    assert "Traceback" not in said


def read_rows(path: str) -> Any:
    return np.loadtxt(path, delimiter=",", skiprows=1)


def test_a_transform_is_applied_before_the_crowd_is_kept(folder: Path) -> None:
    imported("--transform=0,1,5,1,0,-2")
    before, after = read_rows("walk.csv"), read_rows("data/crowds/walk/tracks.csv.gz")
    before = before[np.lexsort((before[:, 1], before[:, 0]))]
    np.testing.assert_allclose(after[:, 2], before[:, 3] + 5, atol=1e-3)
    np.testing.assert_allclose(after[:, 3], before[:, 2] - 2, atol=1e-3)
