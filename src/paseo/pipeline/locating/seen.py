"""People in pictures, as detectors and trackers find them: the seam `PeopleSource`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from paseo.pipeline.drives.drive import Drive

Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Somebody in a frame."""

    person: int  # the track
    box: Box
    confidence: float = 1.0
    # Where they are by the source's own account: right, down and forward of the camera, metres.
    position: tuple[float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class SeenFrame:
    """Everybody in a frame."""

    number: int  # of the drive's frame
    people: Sequence[Seen]


def once(frame: SeenFrame) -> SeenFrame:
    """The frame with everybody once: of two boxes of one person, the surer, or the first."""
    best = dict[int, Seen]()
    for each in frame.people:
        known = best.get(each.person)
        if known is None or each.confidence > known.confidence:
            best[each.person] = each
    return frame if len(best) == len(frame.people) else SeenFrame(frame.number, (*best.values(),))


class PeopleSource(Protocol):
    """Finds people in the frames of a drive and knows them again."""

    def frames(self, drive: Drive) -> Iterator[SeenFrame]:
        """Who is in each frame, in order; frames without anybody may be left out."""
