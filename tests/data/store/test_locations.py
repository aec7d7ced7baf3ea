import gzip
import hashlib
import os
from pathlib import Path

import pytest

from paseo.data.store.locations import DataFolder
from paseo.data.store.locations import data_dir as chosen_data_dir
from paseo.errors import BadFile, MissingData, UnknownName

CSV = b"frame,ped_id,x_m,y_m\n0,1,0,0\n25,1,1,2\n0,2,5,5\n"


def put(file: Path, data: bytes = CSV) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(data, mtime=0) if file.suffix == ".gz" else data)
    return file


def test_the_data_folder_is_the_one_given_or_named_or_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("PASEO_DATA", raising=False)
    assert chosen_data_dir(None) == tmp_path / ".local/share/paseo"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert chosen_data_dir(None) == tmp_path / "xdg/paseo"
    monkeypatch.setenv("PASEO_DATA", "~/crowds")
    assert chosen_data_dir(None) == tmp_path / "crowds"
    assert chosen_data_dir(Path("here")) == Path("here")


@pytest.mark.parametrize(
    "place", ["ethucy/zara01.csv.gz", "ethucy/zara01.csv", "zara01.csv.gz", "zara01.csv"]
)
def test_a_recording_is_found_at_its_filmed_speed(tmp_path: Path, place: str) -> None:
    put(tmp_path / place)
    recording = DataFolder(tmp_path).recording("zara01")
    assert (recording.name, recording.fps, recording.groups) == ("zara01", 25, ())
    assert recording.tracks[0].times.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ("groups/zara01.json", b'{"groups": [[1, 2, 7], [8, 9]]}'),
        ("zara01_groups.json", b'{"groups": [[2, 1]]}'),
        ("zara01_groups.txt", b"2 1\n1 8"),
    ],
)
@pytest.mark.parametrize("folder", ["ethucy", "."])
def test_groups_are_found_beside_it_without_people_who_are_not_there(
    tmp_path: Path, place: str, text: bytes, folder: str
) -> None:
    put(tmp_path / folder / "zara01.csv")
    put(tmp_path / folder / place, text)
    assert DataFolder(tmp_path).recording("zara01").groups == ((1, 2),)


def test_a_recording_is_read_once_until_its_file_changes(tmp_path: Path) -> None:
    file = put(tmp_path / "eth.csv")
    first = DataFolder(tmp_path).recording("eth")
    first_hash = DataFolder(tmp_path).hash("eth")
    assert DataFolder(tmp_path).recording("eth") is first
    put(file, CSV + b"1,2,5,6\n")
    assert len(DataFolder(tmp_path).recording("eth").tracks[1].times) == 2
    assert DataFolder(tmp_path).hash("eth") != first_hash


def test_a_file_that_was_wrong_is_read_again_once_corrected(tmp_path: Path) -> None:
    file = put(tmp_path / "eth.csv", CSV.replace(b"5,5", b"5,x"))
    with pytest.raises(BadFile, match="line 4"):
        DataFolder(tmp_path).recording("eth")
    put(file)
    os.utime(file, ns=(1, 1))
    assert len(DataFolder(tmp_path).recording("eth").tracks) == 2


def test_the_hash_is_that_of_the_file_as_it_lies_there(tmp_path: Path) -> None:
    file = put(tmp_path / "ethucy" / "eth.csv.gz")
    assert DataFolder(tmp_path).hash("eth") == hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.mark.parametrize("find", [DataFolder.recording, DataFolder.hash])
def test_a_missing_recording_is_told_with_what_to_do(tmp_path: Path, find) -> None:
    with pytest.raises(MissingData) as error:
        find(DataFolder(tmp_path), "univ")
    for words in ("'univ'", str(tmp_path), "PASEO_DATA", "pass data", "paseo data fetch univ"):
        assert words in str(error.value)


def test_a_misspelt_recording_is_corrected(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'zara01'"):
        DataFolder(tmp_path).recording("zara1")


def test_a_name_is_looked_up_without_listing_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "crowds" / "plaza").mkdir(parents=True)
    data = DataFolder(tmp_path)
    assert data.crowds() == ["plaza"]
    monkeypatch.setattr(Path, "iterdir", lambda _: pytest.fail("the folder was listed"))
    assert data.knows("plaza") and data.knows("eth") and data.knows("synthetic-eth")
    assert not any(map(data.knows, ("plazas", "plaza/", ".plaza", "../plaza", "plaza.csv", "")))


def test_a_crowd_put_aside_by_a_killed_process_is_still_known(tmp_path: Path) -> None:
    (tmp_path / "crowds" / ".plaza.old").mkdir(parents=True)
    assert DataFolder(tmp_path).knows("plaza")
    assert (tmp_path / "crowds" / "plaza").is_dir()


def test_a_map_is_read_once_until_its_file_changes(tmp_path: Path) -> None:
    file, data = tmp_path / "hall.poly", DataFolder(tmp_path)
    file.write_text("0 0\n20 0\n20 6\n0 6\n")
    first = data.floorplan(str(file))
    assert data.floorplan(str(file)) is first
    file.write_text("0 0\n30 0\n30 6\n0 6\n")
    os.utime(file, ns=(1, 1))
    assert data.floorplan(str(file)).area > first.area


def test_a_misspelt_map_is_corrected(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no map is called 'Zaro'. Did you mean 'Zara'"):
        DataFolder(tmp_path).floorplan("Zaro")
