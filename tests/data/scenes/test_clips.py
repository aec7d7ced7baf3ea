"""Clips of one's own: moments cut out of pictures and tracks, or a sentence."""

import io
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from paseo.cli.main import main
from paseo.data.scenes.clips import cut_scene
from paseo.data.scenes.dataset import open_scenes
from paseo.errors import BadFile, InputError, PaseoError
from paseo.world.scenes import ClipTiming, Scene
from runs import refused
from tiny_scenes import clip_content, picture, write_json


def cut(folder: Path, **changes: Any) -> Scene:
    write_json(folder / "tracks.json", clip_content(**changes))
    return cut_scene(folder / "pictures", folder / "tracks.json").scene


def person(*samples: tuple[Any, ...], number: int = 1) -> dict[str, Any]:
    """A track of (time, x, y) or (time, x, y, box)."""
    keys = ("time_s", "x_m", "y_m", "box_px")
    return {"number": number, "track": [dict(zip(keys, each, strict=False)) for each in samples]}


def robot(*samples: tuple[float, float, float, float]) -> list[dict[str, float]]:
    keys = ("time_s", "x_m", "y_m", "heading_deg")
    return [dict(zip(keys, each, strict=True)) for each in samples]


def test_a_clip_may_be_cut_into_another_number_of_frames_at_another_rate(clip: Path) -> None:
    scene = cut(clip, frames=4, period_s=0.5, pictures_per_s=4.0)
    assert scene.timing == ClipTiming(frames=4, period=0.5)
    assert scene.frames == cut(clip).frames[:8:2]
    assert scene.robot[:, 0].tolist() == pytest.approx([0.0, 0.5, 1.0, 1.5])
    with pytest.raises(BadFile, match="pictures_per_s: expected `float` >= 10"):
        cut(clip, period_s=0.1, pictures_per_s=4.0)
    with pytest.raises(BadFile, match="frames: expected `int` >= 2"):
        cut(clip, frames=1)


def test_all_is_turned_into_the_robots_first_frame(clip: Path) -> None:
    scene = cut(clip)
    np.testing.assert_allclose(scene.robot[:, 0], 0.25 * np.arange(10))
    np.testing.assert_allclose(scene.robot[:, 1:], 0, atol=1e-12)
    np.testing.assert_allclose(scene.goal, (6, 0), atol=1e-12)
    (walker,) = scene.people
    assert (walker.number, walker.seen) == (2, (2, 3, 4))
    np.testing.assert_allclose(walker.positions[2], (0.5, 1))  # one metre to the left
    assert walker.boxes[2].tolist() == [20, 5, 30, 30]


def test_moving_and_turning_the_world_changes_nothing(clip: Path) -> None:
    def elsewhere(x: float, y: float) -> tuple[float, float]:
        return 50 - y, -8 + x  # a quarter turn to the left

    changes = clip_content()
    for sample in changes["robot"]:
        sample["x_m"], sample["y_m"] = elsewhere(sample["x_m"], sample["y_m"])
        sample["heading_deg"] += 90 + 360
    for sample in changes["people"][0]["track"]:
        sample["x_m"], sample["y_m"] = elsewhere(sample["x_m"], sample["y_m"])
    changes["goal_m"] = elsewhere(*changes["goal_m"])
    here, there = cut(clip), cut(clip, **changes)
    np.testing.assert_allclose(there.robot, here.robot, atol=1e-9)
    np.testing.assert_allclose(there.people[0].positions, here.people[0].positions, atol=1e-9)
    np.testing.assert_allclose(there.goal, here.goal, atol=1e-9)


def test_headings_turn_the_short_way(clip: Path) -> None:
    turning = robot((0, 0, 0, 170), (0.5, 0, 0, -170), (1, 0, 0, 0), (1.5, 0, 0, 0), (2.3, 0, 0, 0))
    with pytest.raises(BadFile, match="robot: is not told at 1.75 s"):
        cut(clip, robot=turning)
    scene = cut(clip, robot=[*turning[:4], *robot((2, 0, 0, 0), (2.5, 0, 0, 0))])
    np.testing.assert_allclose(scene.robot[1, 2], np.radians(10))


def test_people_are_on_a_line_between_samples_that_are_close_in_time(clip: Path) -> None:
    box, other = [0, 0, 10, 10], [10, 0, 20, 10]
    track = person((0.0, 2, 4, box), (0.5, 2, 6, other), (1.3, 2, 8), (2.0, 2, 9, box))
    (walker,) = cut(clip, people=[track]).people
    # 0.8 s and 0.7 s are too long to guess, but a sample 0.05 s away tells.
    assert walker.seen == (0, 1, 2, 5, 8)
    np.testing.assert_allclose(walker.positions[1], (2, 0), atol=1e-12)
    assert walker.boxes[1].tolist() == [5, 0, 15, 10]
    assert np.isnan(walker.boxes[5]).all()


def test_a_scene_starts_where_it_is_told(clip: Path) -> None:
    for step in range(10, 20):
        (clip / "pictures" / f"{step}.jpg").write_bytes(picture(10 * step))
    drive = robot(*((0.25 * step, 0, step, 90) for step in range(20)))
    scene = cut(clip, start_s=2.5, robot=drive, people=[])
    assert scene.frames[0] == picture(100) and scene.frames[9] == picture(190)
    assert scene.robot[1].tolist() == pytest.approx([1, 0, 0])


def test_a_folder_may_hold_more_pictures_a_second(clip: Path) -> None:
    for step in range(19):
        (clip / "pictures" / f"{step}.jpg").write_bytes(picture(10 * step))
    assert cut(clip, pictures_per_s=8).frames[9] == picture(180)


def test_the_command_writes_a_scene_that_can_be_read(
    clip: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    away = person((90.0, 0, 0), number=7)
    write_json(clip / "tracks.json", clip_content(people=[away, *clip_content()["people"]]))
    words = ["scenes", "import", str(clip / "pictures"), str(clip / "tracks.json"), "--out"]
    assert main([*words, str(tmp_path / "scenes")]) == 0
    told = capsys.readouterr()
    assert told.out == f"{tmp_path}/scenes/yard-1\n"
    assert "left out: person 7" in told.err
    assert [each.number for each in open_scenes(tmp_path / "scenes").read("yard-1").people] == [2]
    assert "is there already" in refused(capsys, *words, tmp_path / "scenes")


def test_without_out_a_scene_goes_into_the_folder_scenes(
    clip: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(clip)
    assert main(["scenes", "import", "pictures", "tracks.json"]) == 0
    assert capsys.readouterr().out == "scenes/yard-1\n"
    assert open_scenes(clip / "scenes").ids == ("yard-1",)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"format": "x"}, "format: invalid enum value 'x', expected \"paseo-clip\""),
        ({"id": "../up"}, "id: is '../up', expected at most 100 letters"),
        ({"start": 3}, "unknown key 'start'; did you mean 'start_s'?"),
        ({"start_s": -1}, "start_s: expected `float` >= 0"),
        (
            {"start_s": 3},
            "robot: is not told at 3 s, expected a sample at least every 0.5 s from 3",
        ),
        ({"pictures_per_s": 2}, "pictures_per_s: expected `float` >= 4"),
        ({"pictures_per_s": 30}, "has 10 pictures .* at 30 a second end before 2.25 s"),
        ({"goal_m": [1, float("inf")]}, r"goal_m\[1\]: expected `float` <= 10000"),
        ({"robot": []}, "robot: expected `array` of length >= 1"),
        ({"robot": robot((1, 0, 0, 0), (0, 0, 0, 0))}, "robot: time_s must grow"),
        ({"people": [person((0, 0, 0)), person((0, 1, 1))]}, "number 1 is given twice"),
        ({"people": [person((0, 0, 0), number=0)]}, r"people\[0\].number: expected `int` >= 1"),
        ({"people": [person((0, 0, 0), (0, 1, 1))]}, "person 1: time_s must grow"),
        ({"people": [person((0, 0, "1"))]}, r"people\[0\].track\[0\].y_m: expected `float`"),
        ({"people": [person((0, 0, 0, [1, 2, 3]))]}, "box_px: expected `array` of length 4"),
        ({"people": [person((0, 0, 0, [70, 0, 80, 9]))]}, "person 1, at 0 s: the box 70, .* outsi"),
        ({"camera": {"width_px": 64}}, "camera: object missing required field `height_px`"),
    ],
)
def test_a_bad_track_file_is_told(changes: dict[str, Any], sentence: str, clip: Path) -> None:
    with pytest.raises(InputError, match=sentence):
        cut(clip, **changes)


def test_bad_pictures_are_told_by_name(clip: Path) -> None:
    camera = dict.fromkeys(("fx_px", "fy_px", "cx_px", "cy_px"), 30.0)
    with pytest.raises(BadFile, match=r"0\.jpg: has 64 x 36 pixels, expected 32 x 18"):
        cut(clip, camera={**camera, "width_px": 32, "height_px": 18})
    (clip / "pictures/4.jpg").write_bytes(b"no picture")
    with pytest.raises(BadFile, match=r"4\.jpg: is no whole picture"):
        cut(clip)
    with pytest.raises(BadFile, match="is not there, expected a film or a folder of pictures"):
        cut_scene(clip / "none", clip / "tracks.json")


def film(path: Path, frames: int, fps: int) -> Path:
    """A film whose picture at t seconds has the grey value 20 t."""
    av = pytest.importorskip("av")
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps), options={"crf": "1"})
        stream.width, stream.height, stream.pix_fmt = 64, 36, "yuv420p"
        for step in range(frames):
            grey = np.full((36, 64, 3), 20 * step / fps, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(grey, format="rgb24")))
        container.mux(stream.encode(None))
    return path


def greys(scene: Scene) -> list[float]:
    return [float(np.asarray(Image.open(io.BytesIO(each))).mean()) for each in scene.frames]


@pytest.mark.parametrize("start", [0.0, 5.5])
def test_a_film_gives_the_pictures_nearest_in_time(start: float, clip: Path) -> None:
    drive = robot(*((0.5 * step, 0, 0, 0) for step in range(20)))
    write_json(clip / "tracks.json", clip_content(start_s=start, robot=drive, people=[]))
    moving = film(clip / "clip.mp4", frames=70, fps=8)
    scene = cut_scene(moving, clip / "tracks.json").scene
    expected = 20 * (start + 0.25 * np.arange(10))
    np.testing.assert_allclose(greys(scene), expected, atol=1.5)
    assert scene.frames == cut_scene(moving, clip / "tracks.json").scene.frames


def test_a_film_that_is_too_short_or_none_is_told(clip: Path) -> None:
    with pytest.raises(BadFile, match="has no picture within 0.125 s of 1.25 s"):
        cut_scene(film(clip / "short.mp4", frames=10, fps=10), clip / "tracks.json")
    (clip / "words.mp4").write_text("no film")
    with pytest.raises(BadFile, match="words.mp4: cannot be read as a film"):
        cut_scene(clip / "words.mp4", clip / "tracks.json")


def test_a_film_in_a_code_that_nobody_knows_is_told(clip: Path) -> None:
    content = film(clip / "clip.mp4", frames=30, fps=10).read_bytes()
    assert content.count(b"avc1") >= 1
    (clip / "clip.mp4").write_bytes(content.replace(b"avc1", b"zzzz"))
    with pytest.raises(BadFile, match=r"clip.mp4: its pictures are in a code that is not known"):
        cut_scene(clip / "clip.mp4", clip / "tracks.json")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("list.mp4", "ffconcat version 1.0\nfile secret.mkv\n"),
        ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:3\n#EXTINF:3,\nsecret.mkv\n#EXT-X-ENDLIST\n"),
    ],
)
def test_a_playlist_cannot_make_other_files_be_read(name: str, content: str, clip: Path) -> None:
    film(clip / "secret.mkv", frames=30, fps=10)
    cut_scene(clip / "secret.mkv", clip / "tracks.json")
    (clip / name).write_text(content)
    with pytest.raises(BadFile, match="cannot be read as a film"):
        cut_scene(clip / name, clip / "tracks.json")


def test_without_pyav_the_line_to_type_is_told(clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (clip / "clip.mp4").touch()
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(PaseoError, match=r"type pip install 'paseo\[video\]', or bring the clip"):
        cut_scene(clip / "clip.mp4", clip / "tracks.json")


def test_the_example_of_the_docs_is_valid(clip: Path) -> None:
    page = Path(__file__).parents[3] / "docs/reference/formats/clips.md"
    block = page.read_text().split("```json\n")[1].split("```")[0]
    assert cut(clip, **json.loads(block)).id == "yard-1"
