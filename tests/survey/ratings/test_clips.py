"""Drives of runs as clips: which are shown, what is seen of them, and that nobody is named."""

import json
import math
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import paseo
from comparisons import row
from drives import record
from paseo.cli.main import main
from paseo.errors import BadValue, InputError, PaseoError, UnknownName
from paseo.files import sha256
from paseo.metrics.record.metric import metric
from paseo.suite.running import RunOptions
from paseo.survey.filming.choosing import Wish, chosen_drives, row_labels
from paseo.survey.filming.clipfilm import ClipOptions, Stage, encounter
from paseo.survey.filming.making import new_ratings
from paseo.survey.study.folder import Study, open_study
from paseo.survey.study.ratings.asking import Asking, aspects_called, new_asking
from paseo.world.motion import Control
from paseo.world.recordfile import load_record
from paseo.world.records import Contact, Outcome, Record
from runs import suite

pytestmark = pytest.mark.extra("video")
FAST = ClipOptions(speed=10.0)
SERIAL = RunOptions(runner="serial")
ASKING: Asking = new_asking(aspects=aspects_called(["comfort", "politeness"]))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two planners in three episodes of two seconds."""
    folder = tmp_path_factory.mktemp("run")
    return paseo.run(suite(folder), ["straight", "stop"], out=folder / "run", options=SERIAL).folder


@pytest.fixture(scope="module")
def made(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("made") / "study"
    new_ratings(folder, [run], ASKING, wish=Wish(episodes=["one", "two"]), scenes_each=3, seed=5)
    return open_study(folder)


def test_every_planner_of_every_episode_is_a_clip(made: Study) -> None:
    about = made.about_clips
    assert {(each.episode, each.planner) for each in about.origin.clips} == {
        (episode, planner) for episode in ("one", "two") for planner in ("straight", "stop")
    }
    for each in about.origin.clips:
        media = about.media(f"/clips/{each.name}.mp4")
        assert media is not None
        assert sha256(media.file) == each.sha256
        assert each.metrics["path_length"] is not None
        assert each.metrics["time_to_goal"] == 2.0
        assert each.whole
        assert [stretch.recording for stretch in each.window]


def test_of_a_drive_that_is_cut_only_the_piece_is_measured(run: Path, tmp_path: Path) -> None:
    short = ClipOptions(longest_s=1.0)
    new_ratings(tmp_path / "study", [run], ASKING, wish=Wish(episodes=["two"]), clips=short)
    for each in open_study(tmp_path / "study").about_clips.origin.clips:
        assert (each.whole, each.to_s - each.from_s) == (False, 1.0)
        assert each.metrics["time_to_goal"] is None
        assert each.metrics["success"] is None
        assert each.metrics["speed"] is not None


def test_only_what_is_chosen_is_measured(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[str] = []

    @metric(unit="1", better="higher")
    def told(record: Record) -> float:
        """Which records were measured."""
        measured.append(record.scenario.name)
        return 1.0

    monkeypatch.setattr("paseo.suite.measuring.installed_metrics", lambda: (told,))
    new_ratings(tmp_path / "study", [run], ASKING, wish=Wish(limit=1), clips=FAST)
    assert len(measured) == 2
    assert len(set(measured)) == 1


def test_a_clip_is_a_film_that_browsers_play_and_lasts_as_long_as_the_drive(made: Study) -> None:
    import av

    clip = made.about_clips.origin.clips[0]
    with av.open(str(made.folder / "clips" / f"{clip.name}.mp4")) as film:
        stream = film.streams.video[0]
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == (clip.width_px, clip.height_px)
        assert not film.streams.audio
        seconds = float(stream.duration * stream.time_base)
    assert math.isclose(seconds, 2.0 + 1.0 + 0.05, abs_tol=0.1)  # the last frame is held


def test_no_file_that_a_browser_gets_names_a_planner_or_an_episode(made: Study) -> None:
    for file in (made.folder / "clips").iterdir():
        content = file.read_bytes()
        for word in (b"straight", b"stop", b"room", b"one.", b"two."):
            assert word not in content, (file.name, word)


def test_films_begin_alike_whoever_drives(run: Path) -> None:
    """The same colour, name and piece of the map: only the way tells planners apart."""
    records = [load_record(file) for file in (run / "records").glob("*two*.npz")]
    stage = Stage(records, ClipOptions())
    one, other = (stage.piece(each) for each in records)
    assert np.array_equal(one.frame(0.0), other.frame(0.0))
    assert not np.array_equal(one.frame(2.0), other.frame(2.0))


def test_neither_ending_nor_contacts_are_told(run: Path) -> None:
    """The last moment looks as it would if the drive went on."""
    (file,) = (run / "records").glob("*two*straight*.npz")
    record = load_record(file)
    touch = Contact(person=1, first_step=1, last_step=9, x=2.0, y=5.0, counted=True)
    touched = replace(record, contacts=(touch,), outcome=Outcome.HIT_PERSON)
    stage = Stage([record], ClipOptions())
    for time in (0.2, 2.0):
        shown = stage.piece(record).frame(time)
        assert np.array_equal(shown, stage.piece(touched).frame(time))


def test_names_are_drawn_from_the_key_of_each_study(made: Study, run: Path, tmp_path: Path) -> None:
    new_ratings(tmp_path / "again", [run], ASKING, wish=Wish(episodes=["one"]), clips=FAST)
    other = open_study(tmp_path / "again")
    assert not {*other.content.units} & {*made.content.units}


def test_as_many_episodes_as_wanted_are_drawn_by_the_seed(run: Path) -> None:
    drawn = [list(chosen_drives([run], Wish(limit=1), seed=k).drives) for k in range(4)]
    assert all(len(each) == 1 for each in drawn)
    assert len({each[0] for each in drawn}) > 1
    assert drawn[3] == list(chosen_drives([run], Wish(limit=1), seed=3).drives)


def test_runs_that_cannot_be_compared_are_refused(run: Path, tmp_path: Path) -> None:
    study = tmp_path / "study"
    with pytest.raises(InputError, match="all drives are by 'stop'"):
        new_ratings(study, [run], ASKING, wish=Wish(planners=["stop"]))
    with pytest.raises(UnknownName, match="Did you mean 'two'"):
        new_ratings(study, [run], ASKING, wish=Wish(episodes=["twoo"]))
    with pytest.raises(UnknownName, match="planner"):
        new_ratings(study, [run], ASKING, wish=Wish(planners=["nobody"]))
    with pytest.raises(InputError, match="holds no run"):
        new_ratings(study, [tmp_path / "nowhere"], ASKING)
    with pytest.raises(BadValue, match="longest_s"):
        ClipOptions(longest_s=0.0)
    assert list(tmp_path.iterdir()) == []


def test_planners_that_share_no_episode_are_told(run: Path, tmp_path: Path) -> None:
    suite(tmp_path)
    for planner, episode in (("straight", "one"), ("stop", "three")):
        paseo.run(only(tmp_path, episode), planner, out=tmp_path / episode, options=SERIAL)
    with pytest.raises(InputError, match="no episode was driven by two planners of stop, straight"):
        new_ratings(tmp_path / "study", [tmp_path / "one", tmp_path / "three"], ASKING)


def only(folder: Path, name: str) -> Path:
    """The suite with one of its episodes."""
    content = json.loads((folder / "suite.json").read_text())
    content["episodes"] = [each for each in content["episodes"] if each["name"] == name]
    file = folder / f"only_{name}.json"
    file.write_text(json.dumps(content))
    return file


def test_a_record_that_is_missing_is_told(run: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(run, copy)
    next((copy / "records").glob("*.npz")).unlink()
    with pytest.raises(InputError, match="1 of 6 episodes are missing"):
        new_ratings(tmp_path / "study", [copy], ASKING)


def test_without_the_encoder_the_line_to_type_is_told(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(PaseoError, match=r"pip install 'paseo\[video\]'"):
        new_ratings(tmp_path / "study", [run], ASKING)
    assert not (tmp_path / "study").exists()


def test_nothing_is_left_behind_where_it_is_interrupted(run: Path, tmp_path: Path) -> None:
    def interrupt(what: str, done: int, total: int) -> None:
        if what == "filming" and done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        new_ratings(tmp_path / "study", [run], ASKING, clips=FAST, progress=interrupt)
    assert list(tmp_path.iterdir()) == []


def test_the_command_makes_a_study_and_says_what_to_do_next(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = str(tmp_path / "study")
    words = ["survey", "new", study, "--runs", str(run), "--ask", "comfort", "--limit", "1"]
    assert main([*words, "--context", "It is late.", "--scale", "5", "--speed", "10"]) == 0
    said = capsys.readouterr()
    assert said.out == f"{study}\n"
    assert "2 clips of 1 episodes by 2 planners" in said.err
    about = open_study(tmp_path / "study").about_clips
    assert (about.asking.points, about.asking.context) == (5, "It is late.")
    assert main(["survey", "new", "x", "--scenes", "y", "--ask", "comfort"]) == 2
    assert "--ask is for studies made from --runs" in capsys.readouterr().err
    assert main([*words[:-2], "--scale", "0", "--pairs", "none"]) == 2
    assert "nothing is asked" in capsys.readouterr().err


def test_rows_are_told_apart_by_how_they_were_run() -> None:
    rows = [row("a"), row("a", reactivity=0.5), row("b")]
    assert list(row_labels(dict.fromkeys(rows)).values()) == ["a", "a reactivity 0.5", "b"]
    free = row("a", control=Control.VELOCITY)
    assert list(row_labels({row("a"): None, free: None}).values()) == [
        f"a {Control.POSITION.value}",
        f"a {Control.VELOCITY.value}",
    ]
    with pytest.raises(InputError, match="does not tell apart"):
        row_labels({row("a"): None, row("a", robot=None): None})


def came_by(at: float, *, ends: float = 100.0, near: float = 1.0) -> Record:
    """A robot that stands for so long, and somebody who is beside it at a time, for a moment."""
    states = round(ends / 0.1) + 1
    somebody = np.full((states, 2), (2.0, 9.5))
    somebody[round(at / 0.1)] = 2.0, 5.0 + near
    return record([(2.0, 5.0)] * states, [somebody], dt=0.1)


def test_a_short_drive_is_shown_whole() -> None:
    assert encounter(came_by(15.0, ends=20.0), 20.0) == (0.0, 20.0)


def test_of_a_long_drive_the_piece_is_shown_in_which_somebody_is_met() -> None:
    begin, end = encounter(came_by(60.0), 20.0)
    assert end - begin == 20.0
    assert math.isclose((begin + end) / 2, 60.0, abs_tol=0.2)
    assert encounter(came_by(95.0), 20.0) == (80.0, 100.0)
    assert encounter(came_by(11.0), 20.0)[0] < 2.0


def test_where_nobody_comes_near_it_is_shown_when_somebody_is_nearest() -> None:
    begin, end = encounter(came_by(60.0, near=3.5), 20.0)
    assert math.isclose((begin + end) / 2, 60.0, abs_tol=0.2)


def test_a_long_drive_among_nobody_is_shown_from_its_beginning() -> None:
    alone = record([(2.0, 5.0)] * 501, dt=0.1)
    assert encounter(alone, 20.0) == (0.0, 20.0)
