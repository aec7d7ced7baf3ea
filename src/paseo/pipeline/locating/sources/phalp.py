"""People by PHALP, 4D-Humans or LART: joblib's pickles of their results, of which nothing is run.

PHALP's own files have a dict for each frame, with lists that run in parallel by track: `tid`,
`bbox` (left, top, width, height), `tracked_time` (0: seen in this frame), `camera` (tx, ty, tz) and
`size` (height, width). SocialNav-SUB's authors made of them a dict by track for each frame: `bbox`
as above and `avg_joint_coordinates`, which are right, down and forward of the camera.
"""

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from paseo.camera.lens.projection import undistorted
from paseo.data.textfile import read_json
from paseo.errors import BadFile, BadValue
from paseo.files import opened
from paseo.lasting import uncollected
from paseo.parsing.pickles import PickledArray, PickleLimits, unpickled
from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.locating.seen import Box, Seen, SeenFrame
from paseo.pipeline.locating.sources.packed import Unpacked
from paseo.world.cameras import Camera

LARGEST = 4 << 30  # bytes of a file, unpacked
LARGEST_JSON = 256 << 20
FEW_NUMBERS = 16  # of a larger array nothing is needed
# An array takes some thirty steps, which are packed to more bytes than that by any packer.
MOST_STEPS, ANY_STEPS = 60_000_000, 500_000
# What PHALP takes pictures with: a focal length of so many pixels, in a square of so many.
FOCAL, SIDE = 5000.0, 256.0
MOST_METRES = 1e4
Position = tuple[float, float, float]


class Taken(NamedTuple):
    """Somebody as PHALP's own camera takes them."""

    translation: list[float]  # tx, ty, tz
    sides: list[float] | None  # height and width of the picture; None: those of the drive's


class Phalp:
    """The people of a file of results; PHALP's depths become metres by the drive's camera."""

    def __init__(self, file: str) -> None:
        self._path = Path(file)

    def frames(self, drive: Drive) -> Iterator[SeenFrame]:
        """Who is in each frame, in order."""
        content = self._content()
        if not isinstance(content, dict) or not content:
            raise self._unlike(f"holds a {type(content).__name__}")
        found: dict[int, list[tuple[Seen, Taken | None]]] = {}
        for place, (name, frame) in enumerate(content.items()):
            if not isinstance(frame, dict):
                raise self._unlike(f"has a {type(frame).__name__} for frame {place}")
            number = _number(name, frame, place)
            if number in found:
                raise self._unlike(f"has frame {number} twice")
            found[number] = self._people(frame, number)
        order = sorted(found)
        # The lens is undone for the whole file at once: it takes as long for one as for a thousand.
        taken = [each for number in order for _, each in found[number] if each is not None]
        positions = iter(_metres(taken, drive.camera) if taken else ())
        for number in order:
            people = (
                seen if each is None else replace(seen, position=next(positions))
                for seen, each in found[number]
            )
            yield SeenFrame(number, tuple(people))

    def _people(self, frame: Mapping[Any, Any], number: int) -> list[tuple[Seen, Taken | None]]:
        try:
            if "tid" in frame:
                return list(_tracked(frame))
            return [(seen, None) for seen in _by_track(frame)]
        except (ValueError, TypeError, LookupError, OverflowError) as error:
            raise self._unlike(f"has a frame {number} that cannot be read ({error})") from error

    def _content(self) -> Any:
        if self._path.suffix == ".json":
            return read_json(self._path, largest=LARGEST_JSON)
        try:
            with opened(self._path) as file, uncollected():
                return unpickled(Unpacked(file, self._path, LARGEST), _limits(file))
        except BadFile:
            raise
        except OSError as error:
            raise BadFile(
                f"{self._path}: cannot be read ({error.strerror or error}); check the name"
            ) from error
        except Exception as error:  # a broken pickle raises whatever comes to mind
            raise BadFile(
                f"{self._path}: is refused and nothing of it was run ({str(error)[:120]}), "
                "expected results of PHALP as joblib writes them; make them again"
            ) from error

    def _unlike(self, problem: str) -> BadFile:
        return BadFile(
            f"{self._path}: {problem}, expected a dict of frames, each with tid, bbox, "
            "tracked_time and camera by PHALP, or with bbox and avg_joint_coordinates for each "
            "track; make it again"
        )


def _limits(file: BufferedReader) -> PickleLimits:
    """What a file of this size may ask for."""
    steps = min(MOST_STEPS, ANY_STEPS + 4 * os.fstat(file.fileno()).st_size)
    return PickleLimits(
        steps=steps, objects=steps // 4, bytes_made=LARGEST, largest_array=FEW_NUMBERS
    )


def _number(name: object, frame: Mapping[Any, Any], place: int) -> int:
    """Which frame of the drive it is: by its time in PHALP, by its key, or by its place."""
    time = frame.get("time")
    if type(time) is int and time >= 0:
        return time
    if isinstance(name, int):
        return name
    return int(name) if isinstance(name, str) and name.isdecimal() and len(name) < 10 else place


def _tracked(frame: Mapping[Any, Any]) -> Iterator[tuple[Seen, Taken]]:
    """The people whom PHALP saw in a frame; those whom it only expects there are left out."""
    count = len(frame["tid"])
    columns = {key: frame[key] for key in ("tid", "bbox", "tracked_time", "camera")}
    sizes = frame.get("size") or [None] * count
    sure = frame.get("conf") or [1.0] * count
    if any(len(each) != count for each in (*columns.values(), sizes, sure)):
        raise ValueError("its lists differ in length")
    for place in range(count):
        if int(columns["tracked_time"][place]) == 0:
            seen = Seen(
                person=int(columns["tid"][place]),
                box=_box(columns["bbox"][place]),
                confidence=_share(sure[place]),
            )
            yield seen, _taken(columns["camera"][place], sizes[place])


def _taken(translation: object, size: object) -> Taken:
    moved, sides = _numbers(translation, 3), None if size is None else _numbers(size, 2)
    if not (moved[2] > 0 and (sides is None or max(sides) > 0)):
        raise ValueError("a depth that is not over 0")
    return Taken(moved, sides)


def _by_track(frame: Mapping[Any, Any]) -> Iterator[Seen]:
    for track, person in frame.items():
        right, down, forward = _numbers(person["avg_joint_coordinates"], 3)
        yield Seen(person=int(track), box=_box(person["bbox"]), position=(right, down, forward))


def _metres(taken: Sequence[Taken], camera: Camera | None) -> list[Position]:
    """Where people are, from PHALP's camera: z = tz f 256 / (max(h, w) 5000).

    Its picture is a square of 256 pixels with the larger side of ours across, padded around the
    middle: there a person is seen at 5000 tx / tz from the middle.
    """
    if camera is None:
        raise BadValue(
            "the drive does not tell its camera, without which depths of PHALP are no metres; "
            "give a camera",
            parameters=("camera",),
        )
    own = [camera.height_px, camera.width_px]
    sides = np.array([own if each.sides is None else each.sides for each in taken], dtype=float)
    moved = np.array([each.translation for each in taken])
    scale = sides.max(axis=1) / SIDE  # our pixels in one of PHALP's
    from_middle = FOCAL * moved[:, :2] / moved[:, 2:] * scale[:, None]
    pixels = sides[:, ::-1] / 2 + from_middle
    flat = (pixels - [camera.cx, camera.cy]) / [camera.fx, camera.fy]
    depth = moved[:, 2] * camera.fx / (FOCAL * scale)
    rays = np.column_stack([undistorted(flat, camera.distortion), np.ones(len(flat))])
    return [(x, y, z) for x, y, z in (rays * depth[:, None]).tolist()]


def _box(value: object) -> Box:
    left, top, width, height = _numbers(value, 4)
    if not (width > 0 and height > 0):
        raise ValueError("a box without a width or a height")
    return left, top, left + width, top + height


def _share(value: object) -> float:
    return min(max(_numbers(value, 1)[0], 0.0), 1.0)


def _numbers(value: object, count: int) -> list[float]:
    """So many finite numbers, out of an array, a list or a single number."""
    if isinstance(value, PickledArray):
        value = [] if value.array is None else value.array.ravel().tolist()
    given: Any = value if isinstance(value, list | tuple) else [value]
    if len(given) != count or not all(isinstance(each, int | float) for each in given):
        raise ValueError(f"expected {count} numbers")
    numbers = [float(each) for each in given]
    if not all(math.isfinite(each) and abs(each) <= MOST_METRES * 100 for each in numbers):
        raise ValueError("numbers that cannot be")
    return numbers
