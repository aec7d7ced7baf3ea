"""What a person corrects of who is who: two are one, one is two, one is nobody."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from msgspec import Struct

from paseo.errors import InputError
from paseo.pipeline.locating.seen import Seen, SeenFrame

SeenFrames = Mapping[int, SeenFrame]  # by number of the frame


class Merge(Struct, frozen=True, tag="merge", tag_field="kind", forbid_unknown_fields=True):
    """The second person is the first."""

    person: int
    other: int


class Split(Struct, frozen=True, tag="split", tag_field="kind", forbid_unknown_fields=True):
    """From this frame on, the person is somebody new."""

    person: int
    frame: int


class Delete(Struct, frozen=True, tag="delete", tag_field="kind", forbid_unknown_fields=True):
    """The person is nobody: a shadow, a poster."""

    person: int


Correction = Merge | Split | Delete


def corrected(seen: SeenFrames, corrections: Iterable[Correction]) -> SeenFrames:
    """Who is seen in each frame after all corrections, one after the other.

    Somebody new has the number after the highest that there ever was, so that the same
    corrections of the same frames always give the same people.
    """
    highest = max((each.person for each in _everybody(seen)), default=0)
    for correction in corrections:
        match correction:
            case Merge(person, other):
                _check_merge(seen, person, other)
                seen = _renamed(seen, other, person)
            case Split(person, frame):
                _check_split(seen, person, frame)
                highest += 1
                seen = _renamed(seen, person, highest, since=frame)
            case Delete(person):
                _check_known(seen, person)
                seen = _renamed(seen, person, None)
    return seen


def in_words(correction: Correction) -> str:
    """What was corrected, for a person to read."""
    match correction:
        case Merge(person, other):
            return f"{other} is {person}"
        case Split(person, frame):
            return f"{person} is somebody else from frame {frame} on"
        case Delete(person):
            return f"{person} is nobody"


def frames_of(seen: SeenFrames, person: int) -> Sequence[int]:
    """The frames in which somebody is seen, in order."""
    return sorted(
        number
        for number, frame in seen.items()
        if any(each.person == person for each in frame.people)
    )


def _renamed(seen: SeenFrames, old: int, new: int | None, *, since: int = 0) -> SeenFrames:
    """The same frames where one is called otherwise, or left out, from a frame on."""

    def renamed(people: Sequence[Seen]) -> Iterator[Seen]:
        for each in people:
            if each.person != old:
                yield each
            elif new is not None:
                yield replace(each, person=new)

    return {
        number: SeenFrame(number, tuple(renamed(frame.people))) if number >= since else frame
        for number, frame in seen.items()
    }


def _check_merge(seen: SeenFrames, person: int, other: int) -> None:
    if person == other:
        raise InputError(f"person {person} is one person already; choose two")
    for each in (person, other):
        _check_known(seen, each)
    both = sorted({*frames_of(seen, person)} & {*frames_of(seen, other)})
    if both:
        raise InputError(
            f"people {person} and {other} are both seen in {len(both)} frames, the first being "
            f"{both[0]}, so they are two; split one of them there first"
        )


def _check_split(seen: SeenFrames, person: int, frame: int) -> None:
    _check_known(seen, person)
    frames = frames_of(seen, person)
    if not frames[0] < frame <= frames[-1]:
        raise InputError(
            f"person {person} is seen from frame {frames[0]} to {frames[-1]}, so frame {frame} "
            "leaves nothing on one side; choose one between"
        )


def _check_known(seen: SeenFrames, person: int) -> None:
    if not any(each.person == person for each in _everybody(seen)):
        raise InputError(f"nobody is called {person} here; choose somebody who is seen")


def _everybody(seen: SeenFrames) -> Iterator[Seen]:
    return (each for frame in seen.values() for each in frame.people)
