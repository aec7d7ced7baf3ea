"""Recordings checked, imported and compared from Python: values in, values out, nothing printed."""

from pathlib import Path

import numpy as np
import pytest

from paseo.crowd_check.examination import check_recording
from paseo.crowd_check.findings import Doubt, Remedy
from paseo.crowd_check.importing import import_recording
from paseo.crowd_check.likeness import crowd_realism
from paseo.crowd_check.reading import ReadingOptions
from paseo.data.recordings.csv_tracks import csv_bytes
from paseo.data.store.locations import DataFolder
from paseo.errors import BadValue, InputError, UnknownName
from walkers import corridor_crowd

TEN = ReadingOptions(fps=10.0)


@pytest.fixture
def data(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A crowd of 60 filmed at 10 frames per second."""
    path = tmp_path / "walk.csv"
    path.write_bytes(csv_bytes(corridor_crowd(60)))
    return path


def flag(parameter: str) -> str:
    return f"--{parameter}"


def test_a_file_is_checked_without_a_word(
    file: Path, data: DataFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    checked = check_recording(str(file), reading=TEN, data=data)
    assert not checked.examination.wrong
    assert len(checked.examination.recording.tracks) == 60
    assert checked.notes == ("walk.csv is taken for csv: its name ends in .csv",)
    assert capsys.readouterr() == ("", "")


def test_a_wrong_rate_is_a_finding_with_rates_to_try(file: Path, data: DataFolder) -> None:
    (found,) = check_recording(
        str(file), reading=ReadingOptions(fps=40.0, format="csv"), data=data
    ).examination.findings
    assert found.doubt is Doubt.FRAME_RATE
    (remedy,) = found.remedies
    assert remedy.parameter == "fps" and 10.0 in remedy.values
    assert "try fps 1" in found.fix
    assert "try --fps 1" in found.spelled_fix(flag)


def test_a_wrong_scale_is_a_finding_with_a_transform(file: Path, data: DataFolder) -> None:
    centimetres = ReadingOptions(fps=10.0, transform=((100.0, 0.0, 0.0), (0.0, 100.0, 0.0)))
    found = check_recording(str(file), reading=centimetres, data=data).examination.findings[0]
    assert found.remedies == (Remedy("transform", (((0.01, 0.0, 0.0), (0.0, 0.01, 0.0)),)),)
    assert found.spelled_fix(flag) == "--transform=0.01,0,0,0,0.01,0"


def test_what_needs_a_map_names_the_parameter(file: Path, data: DataFolder) -> None:
    examination = check_recording(str(file), reading=TEN, data=data).examination
    assert examination.unchecked[-1].endswith("there is no map; name one with floorplan")
    assert examination.spelled_unchecked(flag)[-1].endswith("name one with --floorplan")


def test_a_file_without_a_rate_is_refused_with_likely_ones(file: Path, data: DataFolder) -> None:
    for read in (
        lambda: check_recording(str(file), data=data),
        lambda: import_recording(file, "walk", data=data),
        lambda: crowd_realism(str(file), data=data),
    ):
        with pytest.raises(BadValue, match="give fps; these people .* at fps 12.5 or 10") as error:
            read()
        assert error.value.parameters == ("fps",)


def test_an_imported_crowd_is_found_by_its_name(file: Path, data: DataFolder) -> None:
    imported = import_recording(file, "walk", reading=TEN, data=data)
    assert imported.folder == data.path / "crowds" / "walk"
    assert not imported.examination.wrong
    assert imported.examination.plan is None
    assert imported.notes[1].startswith("no map was given. Inferred from 60 tracks")
    checked = check_recording("walk", data=data)
    assert checked.notes == ("the map was inferred from tracks and is no witness",)
    assert len(checked.examination.recording.tracks) == 60


def test_a_map_that_was_given_is_a_witness(file: Path, data: DataFolder) -> None:
    (file.parent / "hall.poly").write_text("0 0\n20 0\n20 6\n0 6\n")
    place = str(file.parent / "hall.poly")
    imported = import_recording(file, "walk", reading=TEN, floorplan=place, data=data)
    assert imported.examination.plan is not None
    assert check_recording("walk", data=data).examination.plan is not None
    assert check_recording("walk", floorplan=place, data=data).notes == ()


@pytest.mark.parametrize(
    ("options", "parameter"),
    [
        (ReadingOptions(format="csv"), "format"),
        (ReadingOptions(member="a.csv"), "member"),
        (ReadingOptions(longest_gap=None), "longest_gap"),
    ],
)
def test_options_of_files_are_refused_for_names(
    options: ReadingOptions, parameter: str, data: DataFolder
) -> None:
    with pytest.raises(InputError, match=f"{parameter} is for files; 'synthetic") as error:
        check_recording("synthetic-eth", reading=options, data=data)
    assert error.value.parameters == (parameter,)


def test_a_crowd_is_compared_with_one_place_or_the_five(file: Path, data: DataFolder) -> None:
    realism = crowd_realism(str(file), reading=TEN, data=data)
    (crowd,) = realism.crowds
    assert [each.place.name for each in crowd.likenesses] == list(realism.absent)
    assert len(realism.absent) == 5
    one = crowd_realism(str(file), place="zara", reading=TEN, data=data)
    assert one.absent == ("zara01", "zara02")
    assert np.isfinite(one.crowds[0].likenesses[0].in_bars)


def test_a_suite_is_compared_map_by_map_with_its_own_places(data: DataFolder) -> None:
    realism = crowd_realism("scripted-10", data=data)
    assert len(realism.crowds) == 5
    assert all(len(crowd.likenesses) == 1 for crowd in realism.crowds)
    with pytest.raises(InputError, match="fps is for files; 'scripted-10' is a suite"):
        crowd_realism("scripted-10", reading=TEN, data=data)


def test_what_is_neither_a_name_nor_a_file_is_refused(data: DataFolder) -> None:
    with pytest.raises(UnknownName, match="no crowd or file is called 'zara1'"):
        check_recording("zara1", data=data)
    with pytest.raises(UnknownName, match="no crowd, suite or file is called 'zara1'"):
        crowd_realism("zara1", data=data)
