"""Which bag a path is: one file, or a folder of files of one ROS 2 bag."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from paseo.data.scenes.clip_pictures import natural
from paseo.files import opened
from paseo.pipeline.drives.bags import mcap, ros1, sqlite
from paseo.pipeline.drives.bags.bag import Bag, Message, Topic, not_a_bag
from paseo.pipeline.drives.bags.chunked import ChunkedBag
from paseo.progress import Progress
from paseo.world.arrays import IntArray

FILES = {".bag", ".active", ".mcap", ".db3"}  # .bag.active: a recording that was not ended
PACKED = {".zstd", ".zst", ".gz"}
MOST_FILES = 1000
UNPACK = "unpack it first (zstd -d, gunzip); packed chunks and messages are read as they are"


def is_bag(path: Path) -> bool:
    """Whether a path is called like a bag."""
    if path.is_dir():
        return any(each.suffix in FILES | PACKED for each in _files(path))
    return path.suffix in FILES or (path.suffix in PACKED and Path(path.stem).suffix in FILES)


def open_bag(path: Path) -> Bag:
    """A bag by what it holds, whatever it is called; `BadFile` if it is none."""
    if not path.is_dir():
        return _file(path)
    files = [each for each in _files(path) if each.suffix in FILES | PACKED]
    if not files or len(files) > MOST_FILES:
        raise not_a_bag(path, f"holds {len(files)} files of bags")
    bags = [_file(each) for each in files]
    return bags[0] if len(bags) == 1 else JoinedBag(path, bags)


class JoinedBag:
    """A bag that was split into files, in their order."""

    def __init__(self, path: Path, bags: Sequence[Bag]) -> None:
        self.path = path
        self._bags = bags

    @property
    def notes(self) -> Collection[str]:
        """What was found to be damaged in any of them."""
        return [note for bag in self._bags for note in bag.notes]

    def times(self, progress: Progress) -> Mapping[Topic, IntArray]:
        """When messages of each topic were recorded, one file after the other."""
        found: dict[Topic, list[IntArray]] = {}
        for bag in self._bags:
            for topic, times in bag.times(progress).items():
                found.setdefault(topic, []).append(times)
        return {topic: np.concatenate(times) for topic, times in found.items()}

    def messages(self, names: Collection[str], progress: Progress) -> Iterator[Message]:
        """The messages of these topics, one file after the other."""
        for bag in self._bags:
            yield from bag.messages(names, progress)


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(
            (each for each in folder.iterdir() if each.is_file()),
            key=lambda each: natural(each.name),
        )
    except OSError as error:
        raise not_a_bag(folder, f"cannot be read ({error.strerror or error})") from error


def _file(path: Path) -> Bag:
    try:
        with opened(path) as stream:
            begin = stream.read(32)
    except OSError as error:
        raise not_a_bag(path, f"cannot be read ({error.strerror or error})") from error
    if begin.startswith(ros1.MAGIC):
        return ChunkedBag(path, ros1.Ros1Framing())
    if begin.startswith(mcap.MAGIC):
        return ChunkedBag(path, mcap.McapFraming())
    if begin.startswith(sqlite.MAGIC):
        return sqlite.SqliteBag(path)
    if begin.startswith((b"\x28\xb5\x2f\xfd", b"\x1f\x8b")):
        raise not_a_bag(path, f"is packed as a whole; {UNPACK}")
    if begin.startswith(b"#ROSBAG V1"):
        raise not_a_bag(path, "is a bag of the version before 2.0; convert it by rosbag fix")
    raise not_a_bag(path, "does not begin like a bag" if begin else "is empty")
