"""From a drive to tracks, and detections that survive a kill."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from paseo.errors import BadFile, BadValue
from paseo.pipeline.drives.drive import Drive, Frame, Odometry
from paseo.pipeline.keeping import FILE, KeptDetections
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.places import Places
from paseo.pipeline.reconstructing import Method, reconstruct
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, level_camera

CAMERA = level_camera(640, 480, across=1.2)
TIMES = np.arange(20) / 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Short:
    """A drive of twenty frames, in which the robot stands."""

    name: str = "short"
    camera: Camera | None = CAMERA
    frame_times: FloatArray = field(default_factory=lambda: TIMES)
    scan_points: FloatArray | None = None

    @property
    def odometry(self) -> Odometry:
        return Odometry(times=self.frame_times, poses=np.zeros((len(self.frame_times), 3)))

    def frames(self, first: int = 0) -> Iterator[Frame]:
        for number in range(first, len(self.frame_times)):
            yield Frame(number, float(self.frame_times[number]), b"")


class Walker:
    """Finds one person who walks to the right, and notes at which frames it looked."""

    def __init__(self, *, dies_at: int | None = None) -> None:
        self.looked, self._dies_at = list[int](), dies_at

    def detections(self, frame: Frame) -> Sequence[Seen]:
        if frame.number == self._dies_at:
            raise KeyboardInterrupt
        self.looked.append(frame.number)
        left = 10.0 * frame.number
        return () if frame.number == 4 else (Seen(person=-1, box=(left, 0.0, left + 9, 90.0)),)


class Counting:
    """Gives everybody the number of the frames in which somebody was seen before."""

    def __init__(self, drive: Drive) -> None:
        self._count = 0

    def known(self, people: Sequence[Seen], time: float) -> Sequence[Seen]:
        self._count += len(people)
        return [replace(each, person=1, confidence=self._count / 100) for each in people]


def on_the_ground(
    odometry: Odometry, frame_times: FloatArray, seen: Iterable[SeenFrame], camera: Camera, /
) -> Sequence[Places]:
    """Ten pixels are a decimetre."""
    rows = [(each.number, each.people[0].box[0] / 100) for each in seen]
    numbers = [number for number, _ in rows]
    of = np.tile(0.01 * np.eye(2), (len(rows), 1, 1))
    positions = np.array([(x, 0.0) for _, x in rows])
    return [Places(person=1, times=frame_times[numbers], positions=positions, covariances=of)]


def kept(folder: Path, detector: Walker, label: str = "walker") -> KeptDetections:
    return KeptDetections(detector, Counting, folder, label=label)


def test_drive_becomes_tracks_at_all_frames(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    found = reconstruct(
        Short(),
        kept(tmp_path, Walker()),
        Method(on_the_ground),
        progress=lambda *each: told.append(each),
    )
    (track,) = found.tracks
    assert track.times.tolist() == TIMES.tolist()  # frame 4 too, where nobody was seen
    np.testing.assert_allclose(track.states[:, 0], 0.4 * TIMES, atol=0.05)
    assert len(found.seen) == 19 and found.camera == CAMERA
    assert told[-1] == ("smoothing tracks", 1, 1)


def test_drive_without_a_camera_asks_for_one(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="does not tell of its camera"):
        reconstruct(Short(camera=None), kept(tmp_path, Walker()), Method(on_the_ground))


def frames_of(source: KeptDetections, drive: Drive) -> list[SeenFrame]:
    return list(source.frames(drive))


@pytest.mark.parametrize("torn", [b"", b'{"number":7,"peo'])
def test_killed_detector_goes_on_and_finds_the_same(tmp_path: Path, torn: bytes) -> None:
    whole = frames_of(kept(tmp_path / "whole", Walker()), Short())
    with pytest.raises(KeyboardInterrupt):
        frames_of(kept(tmp_path / "killed", Walker(dies_at=7)), Short())
    with (tmp_path / "killed" / FILE).open("ab") as log:
        log.write(torn)
    again = Walker()
    assert frames_of(kept(tmp_path / "killed", again), Short()) == whole
    assert again.looked == list(range(7, 20))
    third = Walker()
    assert frames_of(kept(tmp_path / "killed", third), Short()) == whole
    assert third.looked == []


def test_detector_killed_before_its_first_frame_begins(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        frames_of(kept(tmp_path, Walker(dies_at=0)), Short())
    assert len(frames_of(kept(tmp_path, Walker()), Short())) == 19
    assert (tmp_path / FILE).read_text().count("paseo-detections") == 1


@pytest.mark.parametrize(
    ("drive", "label", "words"),
    [
        (Short(name="long"), "walker", "drive is 'short', not 'long'"),
        (Short(frame_times=TIMES[:9]), "walker", "frames is 20, not 9"),
        (Short(), "other", "detector is 'walker', not 'other'"),
    ],
)
def test_detections_of_something_else_are_refused(
    tmp_path: Path, drive: Short, label: str, words: str
) -> None:
    frames_of(kept(tmp_path, Walker()), Short())
    with pytest.raises(BadFile, match=words):
        frames_of(kept(tmp_path, Walker(), label), drive)


@pytest.mark.parametrize(
    "line", [b"{}\n", b'{"number":3,"people":[]}\n', b"[" * 5000 + b"\n", b"x" * (2 << 20)]
)
def test_damaged_detections_are_a_sentence(tmp_path: Path, line: bytes) -> None:
    frames_of(kept(tmp_path, Walker()), Short())
    with (tmp_path / FILE).open("ab") as log:
        log.write(line)
    with pytest.raises(BadFile, match="is damaged .* remove it to begin anew"):
        frames_of(kept(tmp_path, Walker()), Short())
