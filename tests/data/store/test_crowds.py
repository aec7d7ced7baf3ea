import json
import multiprocessing
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.data.store.crowds import (
    CrowdFile,
    check_crowd_name,
    crowd_floorplan,
    crowd_folder,
    read_crowd,
    save_crowd,
    stored_crowds,
)
from paseo.data.store.locations import DataFolder
from paseo.errors import BadFile, BadValue, CannotWrite, MissingData, UnknownName
from paseo.world.tracks import Track, absent_in_gaps
from walkers import corridor_crowd, corridor_plan

ABOUT = CrowdFile(
    name="plaza", fps=10.0, longest_gap_s=2.0, source="plaza.csv", source_sha256="00",
    source_format="csv",
)  # fmt: skip
CROWD = corridor_crowd(10)


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_a_crowd_comes_back_as_it_went(tmp_path: Path) -> None:
    crowd = replace(CROWD, groups=((1, 2), (3, 4)))
    save_crowd(ABOUT, crowd, corridor_plan(), tmp_path)
    back = DataFolder(tmp_path).recording("plaza")
    assert (back.name, back.fps, back.groups) == ("plaza", 10.0, ((1, 2), (3, 4)))
    for before, after in zip(crowd.tracks, back.tracks, strict=True):
        np.testing.assert_allclose(after.times, before.times)
        np.testing.assert_allclose(after.positions, before.positions, atol=5.1e-5)
    assert read_crowd("plaza", tmp_path) == ABOUT


def test_a_gap_stays_a_gap(tmp_path: Path) -> None:
    times = np.array([0.0, 1.0, 5.0, 6.0])
    torn = absent_in_gaps(Track(1, times, np.zeros((4, 2))), 2.0)
    save_crowd(ABOUT, replace(CROWD, tracks=(torn,)), None, tmp_path)
    (back,) = DataFolder(tmp_path).recording("plaza").tracks
    assert np.isnan(back.positions_at(np.array([3.0]))).all()


def test_the_same_crowd_gives_the_same_bytes(tmp_path: Path) -> None:
    first = files(save_crowd(ABOUT, CROWD, corridor_plan(), tmp_path / "a"))
    assert files(save_crowd(ABOUT, CROWD, corridor_plan(), tmp_path / "b")) == first
    assert first.keys() == {"crowd.json", "map.json", "tracks.csv.gz"}


def test_its_map_is_found_by_its_name(tmp_path: Path) -> None:
    save_crowd(ABOUT, CROWD, corridor_plan(), tmp_path)
    assert DataFolder(tmp_path).floorplan("plaza").area == pytest.approx(120)
    assert DataFolder(tmp_path).placement("plaza") == ("plaza", ((1, 0, 0), (0, 1, 0)))
    assert DataFolder(tmp_path).floorplan("ETH").name == "ETH"
    with pytest.raises(UnknownName, match="Did you mean"):
        DataFolder(tmp_path).floorplan("Zar")


def test_a_crowd_without_a_map_says_so(tmp_path: Path) -> None:
    save_crowd(ABOUT, CROWD, None, tmp_path)
    assert crowd_floorplan("plaza", tmp_path) is None
    with pytest.raises(MissingData, match="no map of its own"):
        DataFolder(tmp_path).floorplan("plaza")


def test_a_known_recording_lies_on_its_shipped_map(tmp_path: Path) -> None:
    assert DataFolder(tmp_path).placement("eth")[0] == "ETH"
    assert DataFolder(tmp_path).knows("eth")
    assert not DataFolder(tmp_path).knows("plaza")


def test_a_new_crowd_takes_the_place_of_the_old_one_whole(tmp_path: Path) -> None:
    save_crowd(ABOUT, replace(CROWD, groups=((1, 2),)), corridor_plan(), tmp_path)
    folder = save_crowd(ABOUT, CROWD, None, tmp_path)
    assert files(folder).keys() == {"crowd.json", "tracks.csv.gz"}
    assert {entry.name for entry in folder.parent.iterdir()} == {"plaza", ".plaza.lock"}


def test_what_an_interrupted_import_left_is_no_crowd(tmp_path: Path) -> None:
    leftover = tmp_path / "crowds" / ".plaza.part"
    leftover.mkdir(parents=True)
    (leftover / "tracks.csv.gz").write_bytes(b"half")
    assert stored_crowds(tmp_path) == []
    save_crowd(ABOUT, CROWD, None, tmp_path)
    assert stored_crowds(tmp_path) == ["plaza"]
    assert not leftover.exists()


def test_a_folder_that_cannot_be_written_keeps_the_old_crowd(tmp_path: Path) -> None:
    save_crowd(ABOUT, CROWD, None, tmp_path)
    (tmp_path / "crowds" / ".plaza.lock").unlink()
    (tmp_path / "crowds" / ".plaza.lock").mkdir()  # in the way
    before = files(crowd_folder("plaza", tmp_path))
    with pytest.raises(CannotWrite, match="nothing was changed"):
        save_crowd(ABOUT, corridor_crowd(20), None, tmp_path)
    assert files(crowd_folder("plaza", tmp_path)) == before


def test_a_crowd_put_aside_by_a_killed_process_is_taken_back(tmp_path: Path) -> None:
    folder = save_crowd(ABOUT, CROWD, None, tmp_path)
    before = files(folder)
    folder.rename(folder.with_name(".plaza.old"))  # killed between two renames
    assert stored_crowds(tmp_path) == ["plaza"]
    assert files(folder) == before


def test_an_import_into_a_full_disk_keeps_the_crowd_that_was_put_aside(tmp_path: Path) -> None:
    folder = save_crowd(ABOUT, CROWD, None, tmp_path)
    before = files(folder)
    folder.rename(folder.with_name(".plaza.old"))
    child = f"""
import resource, sys
sys.path.insert(0, {str(Path(__file__).parents[2] / "support" / "walk")!r})
from pathlib import Path
from paseo.data.store.crowds import CrowdFile, save_crowd
from paseo.errors import CannotWrite
from walkers import corridor_crowd
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
about = CrowdFile(name="plaza", fps=10.0, longest_gap_s=2.0, source="", source_sha256="",
                  source_format="csv")
try:
    save_crowd(about, corridor_crowd(20), None, Path({str(tmp_path)!r}))
except CannotWrite:
    sys.exit(3)
"""
    assert subprocess.run([sys.executable, "-c", child], check=False).returncode == 3
    assert files(folder) == before


def test_many_processes_that_store_one_name_leave_a_whole_crowd(tmp_path: Path) -> None:
    fork = multiprocessing.get_context("fork")
    writers = [
        fork.Process(target=save_crowd, args=(ABOUT, corridor_crowd(k), None, tmp_path))
        for k in (10, 20, 30, 40)
    ]
    for writer in writers:
        writer.start()
    seen = set()
    while any(writer.is_alive() for writer in writers):
        if stored_crowds(tmp_path):
            with suppress(MissingData, UnknownName, FileNotFoundError, BadFile):
                seen.add(len(DataFolder(tmp_path).recording("plaza").tracks))
    assert all(writer.exitcode == 0 for writer in writers)
    assert len(DataFolder(tmp_path).recording("plaza").tracks) in (10, 20, 30, 40)
    assert seen <= {10, 20, 30, 40}


@pytest.mark.parametrize("name", ["", ".", "..", "../up", "a/b", "-x", ".hidden", "x" * 101, "ä"])
def test_names_that_are_no_names_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="cannot name a crowd"):
        check_crowd_name(name, tmp_path, replace=True)


@pytest.mark.parametrize("name", ["eth", "ETH", "Zara", "zara01"])
def test_names_of_the_catalog_are_taken(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="belongs to Paseo's own catalog"):
        check_crowd_name(name, tmp_path, replace=True)


def test_a_crowd_is_not_replaced_unasked(tmp_path: Path) -> None:
    save_crowd(ABOUT, CROWD, None, tmp_path)
    with pytest.raises(BadValue, match="add replace"):
        check_crowd_name("plaza", tmp_path, replace=False)
    check_crowd_name("plaza", tmp_path, replace=True)


def test_a_crowd_that_lost_its_tracks_says_so(tmp_path: Path) -> None:
    folder = save_crowd(ABOUT, CROWD, None, tmp_path)
    (folder / "tracks.csv.gz").unlink()
    with pytest.raises(MissingData, match="import it again"):
        DataFolder(tmp_path).recording("plaza")


@pytest.mark.parametrize("change", [{"fps": "fast"}, {"colour": 1}, {"version": 2}])
def test_a_crowd_file_that_was_tampered_with_is_refused(
    tmp_path: Path, change: dict[str, object]
) -> None:
    path = save_crowd(ABOUT, CROWD, None, tmp_path) / "crowd.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(BadFile, match="crowd.json"):
        DataFolder(tmp_path).recording("plaza")


def test_a_changed_rate_is_seen_at_once(tmp_path: Path) -> None:
    path = save_crowd(ABOUT, CROWD, None, tmp_path) / "crowd.json"
    assert DataFolder(tmp_path).recording("plaza").fps == 10
    path.write_text(json.dumps(json.loads(path.read_text()) | {"fps": 20.0}))
    os.utime(path, ns=(1, 1))
    assert DataFolder(tmp_path).recording("plaza").fps == 20
