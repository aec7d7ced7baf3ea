"""Commands that make something of a reconstructed drive."""

from pathlib import Path

import pytest

from handmade_drive import HandmadeDrive, Walker, mot_lines, reconstructed
from paseo.cli.main import main
from paseo.pipeline.drives.bags.writing import BagContent, BagFormat, write_bag
from paseo.pipeline.reconstruction_file import load_reconstruction, save_reconstruction

DRIVE = HandmadeDrive(
    walkers=[Walker(person=1, start=(4.5, 0.8)), Walker(person=2, start=(14.0, 2.0))],
    seconds=22.0,
    starts=0.0,
    deviation=0.3,
)


@pytest.fixture
def known(tmp_path: Path) -> Path:
    save_reconstruction(reconstructed(DRIVE), tmp_path / "drive.npz")
    return tmp_path / "drive.npz"


def test_a_drive_becomes_a_crowd_episodes_and_verdicts_with_their_doubt(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, suite = ["--data", str(tmp_path)], str(tmp_path / "yard.toml")
    assert main(["data", "import", str(known), "--as", "crowd", "--name", "yard", *data]) == 0
    assert main(["data", "sample", "yard", "--driven", "--out", suite, *data]) == 0
    capsys.readouterr()
    out = ["--out", str(tmp_path / "run"), "--jobs", "1"]
    assert main(["run", suite, "--planner", "straight", "--draws", "20", *out, *data]) == 0
    told = capsys.readouterr()
    assert "yard_driven_01  straight  success (uncertain: " in told.out
    assert "of 20 draws say otherwise" in told.out


def test_what_reads_recordings_is_refused_for_a_drive(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["data", "import", str(known), "--as", "crowd", "--name", "yard", "--fps", "3"]
    assert main([*words, "--data", str(tmp_path)]) == 2
    assert "--fps is for files" in capsys.readouterr().err


def test_draws_of_a_crowd_that_was_no_drive_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "walk.csv").write_text(
        "frame,ped_id,x_m,y_m\n" + "".join(f"{k},1,{k / 10},0\n" for k in range(60))
    )
    data = ["--data", str(tmp_path)]
    words = ["data", "import", str(tmp_path / "walk.csv"), "--name", "walk", "--fps", "10"]
    assert main([*words, *data]) == 0
    out = ["--out", str(tmp_path / "s.toml")]
    assert main(["data", "sample", "walk", "--driven", *out, *data]) == 2
    assert "was made of no drive" in capsys.readouterr().err


def test_scenes_are_cut_out_of_a_folder_of_pictures(
    known: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "drive"
    folder.mkdir()
    lines, way = ["file,time_s"], ["time_s,x_m,y_m,heading_deg"]
    for frame in DRIVE.frames():
        (folder / f"{frame.number:04d}.jpg").write_bytes(frame.picture)
        lines.append(f"{frame.number:04d}.jpg,{frame.time}")
        way.append(f"{frame.time},{frame.time - DRIVE.starts},0,0")
    (folder / "timestamps.csv").write_text("\n".join(lines))
    (folder / "odometry.csv").write_text("\n".join(way))
    out = tmp_path / "scenes"
    code = main(
        ["scenes", "cut", str(folder), "--tracks", str(known), "--count", "1", "--out", str(out)]
    )
    assert (code, capsys.readouterr().out) == (0, f"{out}\n")
    (scene,) = (out / "front_view").iterdir()
    show = ["scenes", "show", scene.name, "--scenes", str(out)]
    assert main([*show, "--out", str(tmp_path / "scene.png")]) == 0


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    content = BagContent(frames=list(DRIVE.frames()), odometry=DRIVE.odometry, camera=DRIVE.camera)
    write_bag(tmp_path / "drive.bag", content, BagFormat.ROS1)
    (tmp_path / "tracks.txt").write_text(mot_lines(reconstructed(DRIVE)))
    return tmp_path / "drive.bag"


@pytest.mark.extra("bags")
def test_a_bag_and_its_boxes_become_tracks_scenes_and_a_crowd(
    bag: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people = ["--people", f"mot={tmp_path / 'tracks.txt'}"]
    known, scenes = tmp_path / "known.npz", tmp_path / "scenes"
    assert main(["bag", "tracks", str(bag), *people, "--out", str(known)]) == 0
    found = load_reconstruction(known)
    assert {each.person for each in found.tracks} == {1, 2}
    assert main(["scenes", "cut", str(bag), *people, "--count", "1", "--out", str(scenes)]) == 0
    assert len(list((scenes / "front_view").iterdir())) == 1
    crowd = ["--as", "crowd", "--name", "yard", "--data", str(tmp_path / "data")]
    assert main(["data", "import", str(bag), *people, *crowd]) == 0
    assert "2 people" in capsys.readouterr().err


@pytest.mark.extra("bags")
def test_boxes_of_somebody_who_is_twice_in_a_frame_are_counted(
    bag: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = (tmp_path / "tracks.txt").read_text()
    (tmp_path / "tracks.txt").write_text(lines + "9,1,5,5,50,90,0.3\n10,1,5,5,50,90,0.3\n")
    people = ["--people", f"mot={tmp_path / 'tracks.txt'}"]
    assert main(["bag", "tracks", str(bag), *people, "--out", str(tmp_path / "known.npz")]) == 0
    assert "2 boxes that are less sure are left out" in capsys.readouterr().err


@pytest.mark.extra("bags")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "nothing tells who is in the drive; name a source with --people"),
        (["--people", "mot"], "expected a source and what it reads"),
        (["--people", "mot=nowhere.txt"], "nowhere.txt"),
        (["--people", "clairvoyance=now"], "no source of people is called"),
        (["--people", "mot=tracks.txt", "--smoother", "butter"], "no smoother is called"),
        (["--people", "mot=tracks.txt", "--camera", "scand_spot"], "--height-m and --pitch-down"),
        (["--people", "mot=tracks.txt", "--camera", "nowhere.toml"], "nowhere.toml"),
        (["--people", "mot=tracks.txt", "--topic", "image=/none"], "/none"),
    ],
)
def test_what_is_missing_for_tracks_is_told(
    bag: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["bag", "tracks", str(bag), *words, "--out", "known.npz"]) == 2
    error = capsys.readouterr().err
    assert told in error and "Traceback" not in error
    assert not (tmp_path / "known.npz").exists()
