"""People in JSON of COCO: results of a detector, or annotations, with or without tracks.

Results are a list of `image_id`, `category_id`, `bbox` (left, top, width, height), `score` and,
where people were followed, `track_id`. Which frame an image is, the file of images says: by
`frame_index` from 0, else by its place in the list. Without such a file `image_id` is the frame.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec

from paseo.data.textfile import whole_text
from paseo.errors import BadFile
from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.locating.sources.tracking import NOBODY, followed

LARGEST = 512 << 20  # bytes
MOST_PIXELS = 1e6
PEOPLE = ("person", "pedestrian")
PERSON = 1  # COCO's own number of the category
T = TypeVar("T")
Number = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class _Detection(msgspec.Struct, frozen=True):
    image_id: int | str
    bbox: tuple[float, float, float, float]
    category_id: int = PERSON
    score: float = 1.0
    track_id: Number | None = None
    instance_id: Number | None = None
    iscrowd: int = 0


class _Image(msgspec.Struct, frozen=True):
    id: int | str
    frame_index: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] | None = None


class _Category(msgspec.Struct, frozen=True):
    id: int
    name: str = ""


class _Dataset(msgspec.Struct, frozen=True):
    images: list[_Image]
    annotations: list[_Detection] = []
    categories: list[_Category] = []


class Coco:
    """The people of a file, or of `RESULTS,IMAGES`; without tracks they are followed by ByteTrack.

    A single file with `images` and `annotations` is both.
    """

    def __init__(self, file: str) -> None:
        results, comma, images = file.rpartition(",")
        two = bool(comma) and not Path(file).exists()
        self._path = Path(results if two else file)
        self._images = Path(images) if two else None

    def frames(self, drive: Drive) -> Iterator[SeenFrame]:
        """Who is in each frame, in order."""
        detections, dataset = self._read()
        frames = _frames(dataset, self._images or self._path) if dataset else None
        people = _people(dataset)
        found: dict[int, list[Seen]] = {}
        for place, each in enumerate(detections):
            if each.category_id in people and not each.iscrowd:
                number = self._frame(each, frames, place)
                found.setdefault(number, []).append(self._seen(each, place))
        seen = [SeenFrame(number, tuple(found[number])) for number in sorted(found)]
        known = {each.person != NOBODY for frame in seen for each in frame.people}
        if known == {True, False}:
            raise BadFile(
                f"{self._path}: some people have a track_id and some have none, expected all or "
                "none; correct it"
            )
        yield from followed(seen, drive) if False in known else seen

    def _read(self) -> tuple[list[_Detection], _Dataset | None]:
        text = whole_text(self._path, largest=LARGEST)
        if text.lstrip().startswith("{"):
            dataset = _decoded(text, _Dataset, self._path)
            return dataset.annotations, dataset
        detections = _decoded(text, list[_Detection], self._path)
        if self._images is None:
            return detections, None
        images = whole_text(self._images, largest=LARGEST)
        return detections, _decoded(images, _Dataset, self._images)

    def _frame(
        self, detection: _Detection, frames: Mapping[int | str, int] | None, place: int
    ) -> int:
        name = detection.image_id
        number = name if frames is None else frames.get(name)
        if not isinstance(number, int) or number < 0:
            raise BadFile(
                f"{self._path}: detection {place} is of the image {name!r:.40}, which is no frame; "
                "give the file of images as well, or number images by their frames from 0"
            )
        return number

    def _seen(self, detection: _Detection, place: int) -> Seen:
        left, top, width, height = detection.bbox
        box = (left, top, left + width, top + height)
        possible = all(map(math.isfinite, (*box, detection.score))) and width > 0 and height > 0
        if not possible or max(map(abs, box)) > MOST_PIXELS:
            raise BadFile(
                f"{self._path}: detection {place} has a box or a score that cannot be, expected "
                "left, top, width and height in pixels; correct or remove it"
            )
        track = detection.instance_id if detection.track_id is None else detection.track_id
        return Seen(
            person=NOBODY if track is None else track,
            box=box,
            confidence=min(max(detection.score, 0.0), 1.0),
        )


def _frames(dataset: _Dataset, path: Path) -> dict[int | str, int]:
    """The frame of each image."""
    told = {each.frame_index is not None for each in dataset.images}
    if told == {True, False}:
        raise BadFile(
            f"{path}: some images have a frame_index and some have none; give all or none"
        )
    frames = {
        each.id: place if each.frame_index is None else each.frame_index
        for place, each in enumerate(dataset.images)
    }
    if len(frames) < len(dataset.images) or len(set(frames.values())) < len(frames):
        raise BadFile(f"{path}: an image is there twice, expected each id and each frame once")
    return frames


def _people(dataset: _Dataset | None) -> set[int]:
    """The categories that are people."""
    named = dataset.categories if dataset else []
    return {each.id for each in named if each.name.lower() in PEOPLE} or {PERSON}


def _decoded(text: str, kind: type[T], path: Path) -> T:
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadFile(
            f"{path}: is no JSON of COCO ({error}), expected a list of results, or images and "
            "annotations; correct it"
        ) from error
