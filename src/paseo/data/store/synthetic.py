"""Synthetic crowds that come with Paseo: generated, not recorded, and named so."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from paseo.errors import BadFile

FOLDER = files("paseo.data") / "shipped" / "crowds"
FPS = 10.0  # of the frame numbers; people are sampled every fourth frame


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticCrowd:
    """How a shipped crowd was made, so that it can be made again."""

    name: str  # begins with 'synthetic-'
    map: str
    recipe: str
    seed: int
    duration_s: float
    groups: tuple[tuple[int, ...], ...]
    is_current: bool = True  # False: the generator of an earlier Paseo made it

    @property
    def file(self) -> Path:
        """Its tracks."""
        return Path(str(FOLDER)) / f"{self.name}.csv.gz"


class Index(msgspec.Struct):
    """The file that lists them."""

    format: str
    version: int
    crowds: list[SyntheticCrowd]


@cache
def synthetic_crowds() -> dict[str, SyntheticCrowd]:
    """The synthetic crowds in the package, by name; not to be modified."""
    file = FOLDER / "index.json"
    index = msgspec.json.decode(file.read_bytes(), type=Index)
    if (index.format, index.version) != ("paseo-synthetic-crowds", 1):
        raise BadFile(
            f"{file}: is {index.format} version {index.version}, expected paseo-synthetic-crowds "
            "version 1; install Paseo again"
        )
    return {crowd.name: crowd for crowd in index.crowds}
