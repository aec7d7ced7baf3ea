"""`paseo draw` and `render`: what is asked for is drawn, what cannot be is told in a sentence."""

import json
import subprocess
import zipfile
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from paseo.camera.lens.presets import PRESETS
from paseo.cli.main import main
from paseo.cli.walk.draw import CAMERAS
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.render.raster.palette import DARK, LIGHT
from paseo.sim.simulate import simulate
from paseo.world.recordfile import load_record, save_record
from runs import PASEO, refused, suite
from worlds import crossing, scenario

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def straight(tmp_path: Path) -> Path:
    save_record(simulate(scenario(crossing()), Straight()), tmp_path / "straight.npz")
    return tmp_path / "straight.npz"


@pytest.fixture
def stop(tmp_path: Path) -> Path:
    save_record(simulate(scenario(crossing(), time_limit=2.0), Stop()), tmp_path / "stop.npz")
    return tmp_path / "stop.npz"


def drawn(capsys: pytest.CaptureFixture[str], *words: object) -> Path:
    """The file that a command wrote, as it was printed."""
    assert main(["draw", *map(str, words)]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return Path(printed.out.strip())


def frames(film: Path) -> list[np.ndarray]:
    with av.open(str(film)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


@pytest.mark.parametrize("ending", ["png", "svg", "mp4", "gif", "mcap"])
def test_a_record_is_drawn_filmed_or_exported(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], ending: str
) -> None:
    out = tmp_path / f"drawn.{ending}"
    faster = ["--speed", 4] if ending in ("mp4", "gif") else []
    assert drawn(capsys, straight, "--out", out, *faster) == out
    assert out.stat().st_size > 1000
    assert sorted(file.name for file in tmp_path.iterdir()) == [out.name, straight.name]


@pytest.mark.slow
@pytest.mark.extra("rerun")
def test_a_record_is_exported_to_rerun(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drawn(capsys, straight, "--out", tmp_path / "x.rrd").stat().st_size > 1000


def test_films_have_the_size_speed_and_theme_that_was_asked_for(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--size", "321x240", "--fps", "10", "--speed", "2", "--theme", "dark"]
    film = frames(drawn(capsys, straight, "--out", tmp_path / "x.mp4", *words))
    assert film[0].shape == (240, 320, 3)
    assert len(film) == pytest.approx(4.8 * 10 / 2 + 11, abs=1)
    assert film[0][1, 160].tolist() == pytest.approx(DARK.page, abs=8)


def test_records_stand_side_by_side_or_are_overlaid(
    straight: Path, stop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--speed", "8", "--size", "600x300", "--out", tmp_path / "x.mp4"]
    apart = frames(drawn(capsys, straight, stop, *words))
    together = frames(drawn(capsys, straight, stop, "--overlay", *words))
    assert apart[0].shape == together[0].shape
    assert len(apart) == len(together)
    middles = [film[0][60:, 300].astype(int) for film in (apart, together)]
    page = [np.abs(middle - LIGHT.page).max() < 12 for middle in middles]
    assert page == [True, False]  # between two scenes, and through the middle of one


def test_a_film_is_seen_as_by_a_view_of_ones_own(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--speed", "8", "--size", "200x160", "--out", tmp_path / "x.mp4"]
    own = frames(drawn(capsys, straight, "--view", f"{EXAMPLES}/own_view.py:Radar", *words))
    above = frames(drawn(capsys, straight, "--view", "topview", *words))
    assert len(own) == len(above) and np.abs(own[0].astype(int) - above[0]).max() > 100
    assert "no view is called 'cinema'" in refused(
        capsys, "draw", straight, "--view", "cinema", *words
    )


def test_pictures_show_a_moment_or_a_strip_of_them(
    straight: Path, stop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    drawn(capsys, straight, "--out", tmp_path / "m.png", "--time-s", "1.5", "--size", "500x400")
    assert Image.open(tmp_path / "m.png").size == (500, 400)
    strip = drawn(capsys, straight, stop, "--out", tmp_path / "s.svg", "--times", "0,1.5,2")
    assert strip.read_text().count("1.5 s") == 2
    drawn(capsys, straight, "--out", tmp_path / "t.svg", "--filmstrip")


def test_records_are_found_in_a_run_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, file = tmp_path / "run", suite(tmp_path)
    assert main(["run", str(file), "--planner", "straight,stop", "--out", str(run)]) == 0
    capsys.readouterr()
    said = refused(capsys, "draw", run, "--out", tmp_path / "x.png")
    assert "holds 3 episodes; choose one, e.g. --episode" in said
    name = said.split("--episode ")[1].strip()
    out = drawn(capsys, run, "--episode", name, "--out", tmp_path / "x.svg", "--time-s", "0")
    assert "straight" in out.read_text() and "stop" in out.read_text()
    words = ["--episode", name, "--planner", "stop", "--time-s", "0"]
    out = drawn(capsys, run, *words, "--out", tmp_path / "x.svg")
    assert "straight" not in out.read_text()
    assert "Did you mean" in refused(capsys, "draw", run, "--episode", name[:-1], "--out", out)
    said = refused(capsys, "draw", run, "--episode", name, "--planner", "stopp", "--out", out)
    assert "Did you mean 'stop'?" in said


@pytest.mark.extra("camera")
def test_a_moment_is_rendered_through_a_camera(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--time", "1.5", "--camera", "socnavbench", "--out", str(tmp_path / "moment")]
    assert main(["render", str(straight), *words]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'moment'}\n"
    assert Image.open(tmp_path / "moment" / "rgb.png").size == (64, 64)
    assert "is not an empty folder" in refused(capsys, "render", straight, *words)


def test_the_cameras_that_help_names_are_those_that_ship() -> None:
    assert set(CAMERAS) == set(PRESETS)


def test_what_cannot_be_rendered_is_told(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", tmp_path / "out"]
    said = refused(capsys, "render", straight, "--time-s", "60", *out)
    assert "--time-s is 60, but all is over after 4.8 s" in said
    said = refused(capsys, "render", straight, "--film", "--time-s", "1", *out)
    assert "not allowed with argument" in said
    assert "one of the arguments --time-s --film" in refused(capsys, "render", straight, *out)
    said = refused(capsys, "render", straight, "--time-s", "1", "--fps", "5", *out)
    assert "--fps is for films" in said
    said = refused(capsys, "render", straight, "--time-s", "1", "--people", "rocketbx", *out)
    assert "--people: there is no folder 'rocketbx'" in said and "'rocketbox'" in said
    run, file = tmp_path / "run", suite(tmp_path)
    assert main(["run", str(file), "--planner", "straight,stop", "--out", str(run)]) == 0
    capsys.readouterr()
    name = refused(capsys, "render", run, "--film", "--out", "x.mp4").split("--episode ")[1]
    chosen = ["--episode", name.strip(), "--film", "--out", tmp_path / "x.mp4"]
    said = refused(capsys, "render", run, *chosen)
    assert "has 2 records of that, and a camera is on one robot; choose one by --planner" in said


def test_maps_and_episodes_are_drawn_by_name_or_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svg = drawn(capsys, "ETH", "--out", tmp_path / "eth.svg", "--theme", "dark").read_text()
    assert "ETH" in svg and "171 m" in svg
    (tmp_path / "room.txt").write_text("0 0\n10 0\n10 10\n0 10\n")
    assert "room" in drawn(capsys, tmp_path / "room.txt", "--out", tmp_path / "r.svg").read_text()
    svg = drawn(capsys, "against_eth_1", "--out", tmp_path / "e.svg").read_text()
    assert "against_eth_1" in svg and " people" in svg


@pytest.mark.recordings
def test_an_episode_with_real_people_is_drawn(
    tmp_path: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--data", data_dir, "--out", tmp_path / "x.svg"]
    assert "152 people" in drawn(capsys, "t_univ1", *words).read_text()


def test_what_can_be_drawn_only_otherwise_is_told(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "draw", straight, "--out", tmp_path / "x.webm")
    assert "nothing can be drawn as '.webm', expected .png, .svg, .mp4" in said
    said = refused(capsys, "draw", "ETH", "--out", tmp_path / "x.mp4")
    assert "'ETH' is no record: it can be drawn as .png or .svg" in said
    said = refused(capsys, "draw", "ETH", straight, "--out", tmp_path / "x.png")
    assert "'ETH' is no record, and only records are drawn together" in said
    for word, value, ending in (
        ("--time-s", "1", "mp4"), ("--fps", "20", "png"), ("--speed", "2", "svg"),
        ("--size", "800x600", "mcap"), ("--times-s", "0,1", "gif"),
    ):  # fmt: skip
        said = refused(capsys, "draw", straight, "--out", tmp_path / f"x.{ending}", word, value)
        assert f"{word} is for " in said
    out = ["--out", tmp_path / "x.png"]
    assert "omit one of them" in refused(
        capsys, "draw", straight, *out, "--filmstrip", "--time-s", "1"
    )
    assert "omit --overlay" in refused(capsys, "draw", straight, *out, "--filmstrip", "--overlay")
    assert "all is over after 4.8 s" in refused(capsys, "draw", straight, *out, "--time-s", "60")
    assert [file.name for file in tmp_path.iterdir()] == ["straight.npz"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--size", "big"], "expected width and height in pixels such as 800x600, not 'big'"),
        (["--size", "10x10"], "cannot be made, expected sides of 120 to 8192"),
        (["--time-s", "soon"], "expected seconds from 0 on, not 'soon'"),
        (["--time-s", "-1"], "expected seconds from 0 on, not '-1'"),
        (["--times-s", "0,,2"], "expected seconds from 0 on, not ''"),
        (["--theme", "pink"], "invalid choice: 'pink'"),
    ],
)
def test_values_that_make_no_sense_are_refused(
    straight: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    sentence: str,
) -> None:
    assert sentence in refused(capsys, "draw", straight, "--out", tmp_path / "x.png", *words)


def test_paces_that_make_no_sense_are_refused(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", tmp_path / "x.mp4"]
    assert "expected 1 to 120" in refused(capsys, "draw", straight, *out, "--fps", "1000")
    assert "expected 0.01 to 1000" in refused(capsys, "draw", straight, *out, "--speed", "-1")


def test_names_that_mean_nothing_are_told_with_the_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", tmp_path / "x.png"]
    assert "Did you mean 'ETH'?" in refused(capsys, "draw", "ETX", *out)
    assert "no such file" in refused(capsys, "draw", tmp_path / "no.npz", *out)
    (tmp_path / "empty").mkdir()
    assert "holds no run" in refused(capsys, "draw", tmp_path / "empty", *out)


def test_records_that_cannot_be_read_are_told(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", tmp_path / "x.png"]
    (tmp_path / "nothing.npz").write_bytes(b"")
    assert "not a readable Paseo record" in refused(capsys, "draw", tmp_path / "nothing.npz", *out)
    newer = changed(straight, tmp_path / "newer.npz", version=99)
    said = refused(capsys, "draw", newer, *out)
    assert "(its version is 99, this Paseo reads 1); install a newer Paseo" in said
    stateless = changed(straight, tmp_path / "stateless.npz", states=0)
    assert "it has no states, expected at least" in refused(capsys, "draw", stateless, *out)
    assert not (tmp_path / "x.png").exists()


def test_nothing_is_not_taken_for_what_is_usual(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", tmp_path / "x.mp4"]
    said = refused(capsys, "draw", straight, "--fps", "0", *out)
    assert "a film of 0 frames per second" in said
    said = refused(capsys, "draw", straight, "--speed", "0", *out)
    assert "a film at 0 times real speed" in said
    assert "--time-s is for .png" in refused(capsys, "draw", straight, "--time-s", "0", *out)


def test_a_hostile_name_breaks_no_picture(straight: Path, tmp_path: Path) -> None:
    record = load_record(straight)
    name = "<b>$\\frac{1}$ \u202e\u65e5\n\x07" * 9
    hostile = tmp_path / "hostile.npz"
    save_record(replace(record, scenario=replace(record.scenario, name=name)), hostile)
    for ending in ("png", "svg", "gif"):
        assert main(["draw", str(hostile), "--out", str(tmp_path / f"x.{ending}")]) == 0


def test_places_that_cannot_be_written_are_told(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for ending in ("png", "svg", "mp4", "gif", "mcap"):
        (tmp_path / f"folder.{ending}").mkdir()
        for out in (straight / f"x.{ending}", tmp_path / f"folder.{ending}"):
            said = refused(capsys, "draw", straight, "--out", out, code=1)
            assert str(out) in said
    assert not list(tmp_path.rglob("*.part"))


def test_different_episodes_are_not_overlaid(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.npz"
    save_record(simulate(scenario(name="elsewhere"), Stop()), other)
    for ending in ("png", "mp4"):
        out = ["--out", tmp_path / f"x.{ending}", "--overlay"]
        said = refused(capsys, "draw", straight, other, *out)
        assert "'test' and 'elsewhere' are not the same place" in said
    said = refused(capsys, "draw", straight, other, "--out", tmp_path / "x.mcap")
    assert "not the same place" in said


def test_too_many_records_for_one_picture_are_told(
    straight: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = refused(capsys, "draw", *[straight] * 13, "--out", tmp_path / "x.png")
    assert "13 records do not fit into one picture, expected at most 12" in said


@pytest.mark.slow
@pytest.mark.usefixtures("interruptible")
def test_an_interrupted_command_leaves_nothing(straight: Path, tmp_path: Path) -> None:
    out = tmp_path / "x.mp4"
    words = [PASEO, "draw", straight, "--out", out, "--fps", "120", "--speed", "0.01"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as command:
        while not list(tmp_path.glob(".*.part")) and command.poll() is None:
            pass
        command.send_signal(2)
        assert command.wait() == 130
        assert command.stderr is not None
        assert "paseo: interrupted" in command.stderr.read()
    assert [file.name for file in tmp_path.iterdir()] == ["straight.npz"]


def changed(source: Path, target: Path, *, version: int = 1, states: int | None = None) -> Path:
    """A copy of a record's file with another version, or with fewer states."""
    with np.load(source) as members:
        arrays = {name: members[name] for name in members.files}
    header = json.loads(arrays["header"].tobytes())
    if states is not None:
        header["contacts"] = []
        for name in ("robot", "people", "commands"):
            arrays[name] = arrays[name][:states]
    arrays["header"] = np.frombuffer(json.dumps({**header, "version": version}).encode(), np.uint8)
    np.savez(target, **arrays)
    assert zipfile.is_zipfile(target)
    return target


def test_a_record_of_a_single_state_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = simulate(scenario(crossing(), time_limit=1.0), Stop())
    single = replace(record, robot=record.robot[:1], commands=record.commands[:0],
                     people=record.people[:1], contacts=())  # fmt: skip
    save_record(single, tmp_path / "single.npz")
    for ending in ("png", "mp4", "gif", "mcap"):
        drawn(capsys, tmp_path / "single.npz", "--out", tmp_path / f"x.{ending}")
    assert len(frames(tmp_path / "x.mp4")) == 21
