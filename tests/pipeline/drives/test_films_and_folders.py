"""Drives as a film with a CSV file of odometry, or as a folder of pictures."""

import io
import pickle
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from bags import picture
from paseo.errors import BadFile, MissingData
from paseo.pipeline.drives.odometry_files import read_odometry
from paseo.pipeline.drives.opening import open_drive
from paseo.pipeline.drives.settling import Opening

WAY = "time_s,x_m,y_m,heading_deg\n" + "".join(f"{k / 10},{k / 10},1,{k * 18}\n" for k in range(21))


def film(path: Path, count: int = 20) -> Path:
    import av

    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for k in range(count):
            shade = np.full((48, 64, 3), 12 * k, np.uint8)
            for packet in stream.encode(av.VideoFrame.from_ndarray(shade, format="rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)
    return path


def shades(drive_frames: object) -> list[float]:
    found = []
    for frame in drive_frames:  # type: ignore[attr-defined]
        with Image.open(io.BytesIO(frame.picture)) as shown:
            found.append(float(np.asarray(shown).mean()))
    return found


@pytest.mark.extra("video")
def test_a_film_and_its_odometry_are_a_drive(tmp_path: Path) -> None:
    (tmp_path / "way.csv").write_text(WAY)
    drive = open_drive(film(tmp_path / "a.mp4"), odometry_csv=tmp_path / "way.csv")
    assert drive.frame_times == pytest.approx(np.arange(20) / 10, abs=1e-3)
    assert shades(drive.frames()) == pytest.approx(12 * np.arange(20), abs=6)
    assert drive.odometry.at(np.array([1.0]))[0] == pytest.approx([1.0, 1.0, np.pi])


@pytest.mark.extra("video")
def test_a_film_is_sampled_and_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "way.csv").write_text(WAY)
    path, way = film(tmp_path / "a.mp4"), tmp_path / "way.csv"
    drive = open_drive(path, Opening(fps=2), odometry_csv=way)
    assert shades(drive.frames()) == pytest.approx([0, 60, 120, 180], abs=6)
    assert shades(drive.frames(first=2)) == pytest.approx([120, 180], abs=6)


@pytest.mark.extra("video")
def test_a_film_on_another_clock_than_its_odometry_is_refused(tmp_path: Path) -> None:
    (tmp_path / "way.csv").write_text(WAY.replace("\n0.", "\n5000.").replace("\n1.", "\n5001."))
    lines = [f"{5000 + k / 10},{k / 10},1,0\n" for k in range(21)]
    (tmp_path / "way.csv").write_text("time_s,x_m,y_m,heading_deg\n" + "".join(lines))
    path = film(tmp_path / "a.mp4")
    with pytest.raises(BadFile, match="no time in common, expected one clock"):
        open_drive(path, odometry_csv=tmp_path / "way.csv")
    drive = open_drive(path, odometry_csv=tmp_path / "way.csv", film_start=5000.0)
    assert drive.odometry.times[0] == pytest.approx(0)
    with pytest.raises(MissingData, match="a film tells no odometry"):
        open_drive(path)


@pytest.mark.extra("video")
def test_what_is_no_film_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.mp4").write_bytes(b"no film" * 100)
    (tmp_path / "way.csv").write_text(WAY)
    with pytest.raises(BadFile, match="cannot be read as a film"):
        open_drive(tmp_path / "a.mp4", odometry_csv=tmp_path / "way.csv")


def folder(tmp_path: Path, count: int = 12) -> Path:
    held = tmp_path / "walk"
    held.mkdir()
    for k in range(count):
        (held / f"{k}.jpg").write_bytes(picture(10 * k))
    return held


def test_a_folder_with_times_and_odometry_is_a_drive(tmp_path: Path) -> None:
    held = folder(tmp_path)
    times = "".join(f"{k}.jpg,{1e9 + k / 5}\n" for k in range(12))
    (held / "timestamps.csv").write_text("file,time_s\n" + times)
    way = "".join(f"{1e9 + k / 10},{k},0,0\n" for k in range(30))
    (held / "odometry.csv").write_text("time_s,x_m,y_m,heading_deg\n" + way)
    drive = open_drive(held)
    assert drive.frame_times == pytest.approx(np.arange(12) / 5)
    assert drive.start == 1e9
    assert [each.picture for each in drive.frames()] == [picture(10 * k) for k in range(12)]


def test_a_folder_of_vint_brings_its_odometry(tmp_path: Path) -> None:
    held = folder(tmp_path)
    arrays = {"position": np.column_stack([np.arange(12.0), np.zeros(12)]), "yaw": np.zeros(12)}
    (held / "traj_data.pkl").write_bytes(pickle.dumps(arrays))
    drive = open_drive(held)
    assert drive.frame_times == pytest.approx(np.arange(12) / 4)
    assert drive.odometry.at(np.array([1.0]))[0] == pytest.approx([4, 0, 0])
    assert any("4 pictures are taken to make a second" in each for each in drive.notes)


def test_a_pickle_that_runs_something_is_refused(tmp_path: Path) -> None:
    held = folder(tmp_path)
    (held / "traj_data.pkl").write_bytes(b"cos\nsystem\n(S'echo hi'\ntR.")
    with pytest.raises(BadFile, match="is refused and nothing of it was run"):
        open_drive(held)


def test_a_folder_without_times_or_odometry_says_what_is_missing(tmp_path: Path) -> None:
    held = folder(tmp_path)
    with pytest.raises(MissingData, match="say how many pictures make a second"):
        open_drive(held)
    with pytest.raises(MissingData, match="has no odometry, expected odometry.csv or traj_data"):
        open_drive(held, recorded_fps=4)
    (tmp_path / "way.csv").write_text(WAY)
    assert len(open_drive(held, recorded_fps=10, odometry_csv=tmp_path / "way.csv").places) == 12


def test_odometry_may_be_told_by_quaternions(tmp_path: Path) -> None:
    path = tmp_path / "way.csv"
    half = np.sqrt(0.5)
    path.write_text(f"time_s,x_m,y_m,qx,qy,qz,qw\n0,0,0,0,0,0,1\n1,1,0,0,0,{half},{half}\n")
    assert read_odometry(path).poses[1] == pytest.approx([1, 0, np.pi / 2])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n1,2\n3,4", "line 1 is 'a,b', expected the columns time_s, x_m"),
        ("time_s,x_m,y_m,heading_deg\n0,0,0,0", "line 3 is missing"),
        ("time_s,x_m,y_m,heading_deg\n0,0,0,0\n1,x,0,0", "line 3 has 'x' in column 2"),
        ("time_s,x_m,y_m,heading_deg\n0,0,0,0\n1,nan,0,0", "line 3 has numbers that are no pose"),
        ("time_s,x_m,y_m,heading_deg\n5,0,0,0\n1,0,0,0", "its times do not increase"),
    ],
)
def test_odometry_that_is_none_is_refused_by_its_line(
    tmp_path: Path, text: str, words: str
) -> None:
    (tmp_path / "way.csv").write_text(text)
    with pytest.raises(BadFile, match=words):
        read_odometry(tmp_path / "way.csv")
