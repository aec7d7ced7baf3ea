"""Results of other programs: PHALP, MOT Challenge and COCO."""

import json
import os
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

from paseo.camera.lens.projection import project
from paseo.errors import BadFile, BadValue, PaseoError, UnknownName
from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.locating.names import PEOPLE_SOURCES, make_source
from paseo.pipeline.locating.placing import places
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.locating.sources.phalp import Phalp
from paseo.world.motion import Pose
from staged_boxes import CAMERA, Cast, Staged, staged


@pytest.fixture(scope="module")
def drive() -> Staged:
    return staged(Cast(seconds=4, people=6))


def phalp_frame(number: int, tids: list[int], **changes: Any) -> dict[str, Any]:
    """A frame as PHALP leaves it, with arrays that nobody needs."""
    count = len(tids)
    return {
        "time": number,
        "shot": 0,
        "frame_path": f"frames/{number:06d}.jpg",
        "tid": tids,
        "bbox": [np.array([100.0 + 10 * k, 200, 50, 150]) for k in range(count)],
        "tracked_time": [0] * count,
        "tracked_ids": tids,
        "size": [np.array([720, 1280]) for _ in range(count)],
        "conf": [np.float32(0.9)] * count,
        "camera": [np.array([0.5, 0.2, 200.0 + k], np.float32) for k in range(count)],
        "smpl": [
            {"betas": np.zeros(10, np.float32), "body_pose": np.zeros((23, 3, 3), np.float32)}
            for _ in range(count)
        ],
        "3d_joints": [np.zeros((45, 3), np.float32) for _ in range(count)],
        "mask": [[{"size": [720, 1280], "counts": b"abc"}]] * count,
        **changes,
    }


def saved(folder: Path, content: Any, **options: Any) -> str:
    joblib.dump(content, folder / "results.pkl", **{"compress": 3, **options})
    return str(folder / "results.pkl")


@pytest.mark.parametrize("compress", [0, 3, ("gzip", 3)])
def test_results_of_phalp_become_people(drive: Staged, tmp_path: Path, compress: Any) -> None:
    content = {f"frames/{k}.jpg": phalp_frame(k, [3, 9], tracked_time=[0, k % 2]) for k in range(3)}
    frames = list(make_source(f"phalp={saved(tmp_path, content, compress=compress)}").frames(drive))
    assert [[each.person for each in frame.people] for frame in frames] == [[3, 9], [3], [3, 9]]
    first = frames[0].people[0]
    assert first.box == (100, 200, 150, 350)  # left, top, width, height in the file
    assert first.confidence == pytest.approx(0.9)


def test_depths_of_phalp_become_metres_as_its_camera_makes_them(
    drive: Staged, tmp_path: Path
) -> None:
    # Somebody at a known place is seen at a pixel; PHALP's own camera shows them there, too.
    place = np.array([[6.0, -1.0, 0.9]])
    view = CAMERA.view(Pose(0.0, 0.0, 0.0))
    u, v, depth = project(place, CAMERA, view)[0]
    tz = depth * 1280 * 5000 / (CAMERA.fx * 256)
    translation = np.array([(u - 640) * 256 / 1280 * tz / 5000, (v - 360) / 5 * tz / 5000, tz])
    content = {"x": phalp_frame(0, [1], camera=[translation])}
    (frame,) = Phalp(saved(tmp_path, content)).frames(drive)
    position = frame.people[0].position
    assert position is not None
    expected = (place[0] - view.position) @ view.rotation
    np.testing.assert_allclose(position, expected, rtol=1e-6)
    assert pytest.approx(623.3 * 256 / (1280 * 5000), rel=2e-3) == 0.0249  # as in the spec


def test_the_authors_dict_by_track_is_read_from_a_pickle_and_from_json(
    drive: Staged, tmp_path: Path
) -> None:
    person = {"bbox": [10.0, 20.0, 30.0, 90.0], "avg_joint_coordinates": [0.5, 0.1, 4.0]}
    pickled = Phalp(saved(tmp_path, {0: {7: person}, 4: {7: person}}))
    (tmp_path / "r.json").write_text(json.dumps({"0": {"7": person}, "4": {"7": person}}))
    for source in (pickled, Phalp(str(tmp_path / "r.json"))):
        frames = list(source.frames(drive))
        assert [frame.number for frame in frames] == [0, 4]
        assert frames[0].people == (
            Seen(person=7, box=(10, 20, 40, 110), position=(0.5, 0.1, 4.0)),
        )


class Runs:
    """What an attacker would pickle."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (self.command,)


def test_a_hostile_pickle_is_refused_and_not_run(drive: Staged, tmp_path: Path) -> None:
    content = {"x": phalp_frame(0, [1], extra=Runs(f"touch {tmp_path}/ran"))}
    with pytest.raises(BadFile, match="nothing of it was run .it asks for posix.system"):
        list(Phalp(saved(tmp_path, content)).frames(drive))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "nothing of it was run"),
        (zlib.compress(b"\x80\x04" + b"]" * 100_000_000), "nothing of it was run|unfolds to more"),
        (zlib.compress(b"\x80\x04N.")[:-6], "nothing of it was run"),
        (zlib.compress(b"\x80\x04N."), "holds a NoneType"),
        (b"BZh9", "is packed by bzip2"),
        (b"ZF0x10", "is packed by joblib 0.9"),
    ],
)
def test_files_that_are_no_results_are_told_at_once(
    drive: Staged, tmp_path: Path, content: bytes, sentence: str
) -> None:
    file = tmp_path / "bad.pkl"
    file.write_bytes(content)
    begun = time.process_time()
    with pytest.raises(BadFile, match=sentence):
        list(Phalp(str(file)).frames(drive))
    assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"bbox": []}, "its lists differ in length"),
        ({"bbox": [np.zeros(4)]}, "a box without a width"),
        ({"camera": [np.array([0.0, 0.0, -1.0])]}, "a depth that is not over 0"),
        ({"camera": [np.array([0.0, np.nan, 1.0])]}, "numbers that cannot be"),
        ({"camera": [np.zeros((5, 5))]}, "expected 3 numbers"),
    ],
)
def test_frames_that_cannot_be_are_told(
    drive: Staged, tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadFile, match=f"a frame 0 that cannot be read .{sentence}"):
        list(Phalp(saved(tmp_path, {"x": phalp_frame(0, [1], **change)})).frames(drive))


def test_phalp_without_a_camera_is_told(drive: Staged, tmp_path: Path) -> None:
    class Blind(Staged):
        camera = None  # type: ignore[assignment]

    values = {name: getattr(drive, name) for name in drive.__dataclass_fields__}
    blind = Blind(**values)
    object.__setattr__(blind, "camera", None)
    with pytest.raises(BadValue, match="does not tell its camera"):
        list(Phalp(saved(tmp_path, {"x": phalp_frame(0, [1])})).frames(blind))


def test_mot_counts_frames_and_pixels_from_1(drive: Staged, tmp_path: Path) -> None:
    file = tmp_path / "tracks.txt"
    file.write_text("2,5,11,21,30,90,0.8,-1,-1,-1\n1,4,1,1,10,20,1,-1,-1,-1\n")
    assert list(make_source(f"mot={file}").frames(drive)) == [
        SeenFrame(0, (Seen(person=4, box=(0, 0, 10, 20)),)),
        SeenFrame(1, (Seen(person=5, box=(10, 20, 40, 110), confidence=0.8),)),
    ]


def test_motchallenge_ground_truth_leaves_out_what_is_to_be_ignored(
    drive: Staged, tmp_path: Path
) -> None:
    file = tmp_path / "gt.txt"
    file.write_text("1,1,1,1,9,9,1,1,1\n1,2,1,1,9,9,0,1,1\n1,3,1,1,9,9,1,3,1\n1,4,1,1,9,9,1,7,.5\n")
    (frame,) = make_source(f"mot={file}").frames(drive)
    assert [each.person for each in frame.people] == [1, 4]  # not ignored, no car


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("1,2,3", "has 3 columns"),
        ("1,2,3,4,5,x,1", "no number"),
        ("0,2,3,4,5,6,1", "cannot be"),
        ("1,2,3,4,-5,6,1", "cannot be"),
        ("1,2,nan,4,5,6,1", "cannot be"),
        ("1.5,2,3,4,5,6,1", "cannot be"),
        ("1,2,1e9,4,5,6,1", "far outside"),
    ],
)
def test_lines_of_mot_that_cannot_be_are_told(
    drive: Staged, tmp_path: Path, line: str, sentence: str
) -> None:
    (tmp_path / "t.txt").write_text(f"1,1,1,1,9,9,1\n{line}\n")
    with pytest.raises(BadFile, match=f"line 2 .*{sentence}"):
        list(make_source(f"mot={tmp_path / 't.txt'}").frames(drive))


def test_coco_finds_frames_by_its_images(drive: Staged, tmp_path: Path) -> None:
    results, images = tmp_path / "r.json", tmp_path / "i.json"
    row = {"category_id": 4, "bbox": [1, 2, 3, 4], "score": 0.5, "track_id": 8}
    car = {**row, "category_id": 3, "image_id": "b"}
    results.write_text(json.dumps([{**row, "image_id": "b"}, {**row, "image_id": "a"}, car]))
    named = {"images": [{"id": "a"}, {"id": "b"}], "categories": [{"id": 4, "name": "Person"}]}
    images.write_text(json.dumps(named))
    person = Seen(person=8, box=(1, 2, 4, 6), confidence=0.5)
    frames = list(make_source(f"coco={results},{images}").frames(drive))
    assert frames == [SeenFrame(0, (person,)), SeenFrame(1, (person,))]
    named["images"] = [{"id": "a", "frame_index": 12}, {"id": "b", "frame_index": 3}]  # type: ignore[list-item]
    images.write_text(json.dumps(named))
    frames = list(make_source(f"coco={results},{images}").frames(drive))
    assert [frame.number for frame in frames] == [3, 12]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("[", "is no JSON of COCO"),
        ('[{"image_id": 1}]', "is no JSON of COCO .*bbox"),
        ('[{"image_id": "a", "bbox": [1, 2, 3, 4]}]', "which is no frame; give the file of images"),
        ('[{"image_id": 1, "bbox": [1, 2, -3, 4], "track_id": 1}]', "detection 0 has a box"),
        (
            '[{"image_id": 1, "bbox": [1, 2, 3, 4], "track_id": 1},'
            ' {"image_id": 1, "bbox": [1, 2, 3, 4]}]',
            "some people have a track_id",
        ),
        ('{"images": [{"id": 1}, {"id": 1}]}', "an image is there twice"),
    ],
)
def test_coco_that_cannot_be_is_told(
    drive: Staged, tmp_path: Path, content: str, sentence: str
) -> None:
    (tmp_path / "r.json").write_text(content)
    with pytest.raises(BadFile, match=sentence):
        list(make_source(f"coco={tmp_path / 'r.json'}").frames(drive))


class Wrong:
    """A source that is wrong."""

    def __init__(self, what: str) -> None:
        self.what = what

    def frames(self, drive: Drive) -> Iterator[SeenFrame]:
        if self.what == "raises":
            raise ZeroDivisionError("no")
        yield SeenFrame(1, ())
        yield SeenFrame(0, ())


def test_sources_are_found_by_name_and_their_faults_are_theirs(drive: Staged) -> None:
    assert list(PEOPLE_SOURCES.shipped) == ["coco", "detector", "mot", "phalp"]
    with pytest.raises(BadValue, match="expected a source and what it reads, such as mot="):
        make_source("tracks.txt")
    with pytest.raises(
        UnknownName, match="no source of people is called 'mott'. Did you mean 'mot'"
    ):
        make_source("mott=x")
    own = f"{__file__}:Wrong"
    with pytest.raises(PaseoError, match="frame 0 comes after frame 1"):
        list(make_source(f"{own}=x").frames(drive))
    with pytest.raises(PaseoError, match="failed .*ZeroDivisionError|failed .*no"):
        list(make_source(f"{own}=raises").frames(drive))


def test_a_tracker_that_has_somebody_twice_is_believed_where_it_is_surer(
    drive: Staged, tmp_path: Path
) -> None:
    file = tmp_path / "tracks.txt"
    file.write_text("1,5,11,21,30,90,0.4\n1,5,1,1,10,20,0.8\n1,6,1,1,9,9,1\n2,5,1,1,9,9,1\n")
    source = make_source(f"mot={file}")
    first, second = source.frames(drive)
    surer = Seen(person=5, box=(0, 0, 10, 20), confidence=0.8)
    assert first.people == (surer, Seen(person=6, box=(0, 0, 9, 9)))
    assert len(second.people) == 1 and source.twice == 1
    assert list(source.frames(drive)) == [first, second] and source.twice == 1


@pytest.mark.slow
def test_results_of_phalp_of_thousands_of_frames_take_seconds(
    drive: Staged, tmp_path: Path
) -> None:
    rng = np.random.default_rng(0)  # of arrays of nothing a file of many would be too small
    people = list(range(8))
    content = {
        k: phalp_frame(k, people, embedding=[rng.normal(size=60) for _ in people])
        for k in range(1000)
    }
    source = Phalp(saved(tmp_path, content))
    begun = time.process_time()
    assert sum(len(frame.people) for frame in source.frames(drive)) == 8000
    assert time.process_time() - begun < 5


def test_a_file_of_mot_and_the_boxes_themselves_give_the_same_places(
    drive: Staged, tmp_path: Path
) -> None:
    rows = [
        f"{frame.number + 1},{each.person},{each.box[0] + 1!r},{each.box[1] + 1!r},"
        f"{each.box[2] - each.box[0]!r},{each.box[3] - each.box[1]!r},1,-1,-1,-1"
        for frame in drive.seen
        for each in frame.people
    ]
    (tmp_path / "t.txt").write_text("\n".join(rows))
    read = make_source(f"mot={tmp_path / 't.txt'}").frames(drive)
    found = places(drive.odometry, drive.frame_times, read, CAMERA)
    expected = places(drive.odometry, drive.frame_times, drive.seen, CAMERA)
    for one, other in zip(found, expected, strict=True):
        assert one.person == other.person
        np.testing.assert_allclose(one.positions, other.positions, atol=1e-6)
