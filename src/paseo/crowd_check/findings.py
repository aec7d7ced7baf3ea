"""What an examination of a crowd may find, and what belongs to every finding."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from paseo.data.store.catalog import Affine
from paseo.errors import Spelling, spelled
from paseo.world.arrays import FloatArray

SURE = 0.95  # from which on a finding is called wrong


class Doubt(StrEnum):
    """What may be wrong with a recording."""

    FRAME_RATE = "frame rate"
    SCALE = "scale"
    PIXELS = "pixels"
    MIRRORED = "mirrored"
    SWAPPED = "swapped axes"
    TURNED = "turned"
    SHIFTED = "shifted"
    WALLS = "walls"
    JUMPS = "jumps"
    GAPS = "time gaps"
    REPEATED = "repeated rows"
    SHARED_ID = "shared id"
    TWINS = "same person twice"


class Severity(StrEnum):
    """What a finding is called."""

    WRONG = "wrong"
    UNUSUAL = "unusual"  # odd enough to be told; the recording may well be right


def nowhere() -> FloatArray:
    """No spots at all, (0, 2)."""
    return np.empty((0, 2))


@dataclass(frozen=True, slots=True)
class Remedy:
    """A parameter of reading the recording, and values that may put it right, likeliest first."""

    parameter: str  # of ReadingOptions
    values: tuple[float | Affine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finding:
    """One thing about a recording that looks wrong, or odd enough to be told."""

    doubt: Doubt
    sure: float  # from 0 to 1
    what: str  # a sentence with the evidence in numbers
    fix: str  # what to do about it
    remedies: tuple[Remedy, ...] = ()  # the parameters that the fix names
    spots: FloatArray = field(default_factory=nowhere)  # (n, 2), where it shows
    people: tuple[int, ...] = ()  # whose tracks show it

    @property
    def severity(self) -> Severity:
        """Wrong from SURE on, and nothing less sure is."""
        return Severity.WRONG if self.sure >= SURE else Severity.UNUSUAL

    def spelled_fix(self, spelling: Spelling) -> str:
        """What to do about it, with parameters as somebody else spells them."""
        return spelled(self.fix, [each.parameter for each in self.remedies], spelling)
