"""Which disc of a clip is whose, from the letters read on discs and from their colours."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from paseo.vqa.baselines.reading.discs import Disc, Marks
from paseo.vqa.baselines.reading.engines import Reading
from paseo.world.arrays import FloatArray

_SURE = 0.3  # an engine less confident than this has not read anything
_WELL = 0.35  # the share of a disc that is surely no arrow
_STEP = 1.5  # radii that anybody walks from frame to frame, at most
_ENOUGH = 5  # readings of a colour that only one name can have


def worth_reading(marks: Marks) -> list[Disc]:
    """The discs whose letters decide: of a colour never seen twice at once, those seen best."""
    chosen: list[Disc] = []
    for colour in range(len(marks.palette)):
        discs = [disc for disc in marks.discs if disc.colour == colour]
        if len({disc.frame for disc in discs}) == len(discs):
            discs = sorted(discs, key=lambda disc: -disc.shown)[:_ENOUGH]
        chosen += discs
    return chosen


def places(
    marks: Marks, readings: Iterable[tuple[Disc, Reading]], names: Sequence[str], *, frames: int
) -> dict[str, FloatArray]:
    """Where each name is seen, (frames, 2) column and row, NaN where it is not.

    A colour belongs to the name that was read on it most often, so that a disc whose letters are
    covered is known too. Names that share a colour (robot and goal) are told apart by what is read,
    and where nothing is read by which was nearest before or after.
    """
    read = {id(disc): reading.text for disc, reading in readings
            if reading.text in names and reading.confidence >= _SURE}  # fmt: skip
    colours = _colours(marks, read, names)
    found = {name: np.full((frames, 2), np.nan) for name in names}
    for colour in sorted(set(colours.values())):
        sharing = [name for name in names if colours.get(name) == colour]
        discs = [disc for disc in marks.discs if disc.colour == colour]
        if len(sharing) == 1:
            shown = _place_one(found[sharing[0]], discs, read, sharing[0])
            _mend(found[sharing[0]], shown, marks.radius)
        else:
            _place_several({name: found[name] for name in sharing}, discs, read)
    return found


def _colours(marks: Marks, read: dict[int, str], names: Sequence[str]) -> dict[str, int]:
    """The colour of each name; of the last one never read it is the last colour left over."""
    votes: dict[str, Counter[int]] = defaultdict(Counter)
    for disc in marks.discs:
        if id(disc) in read:
            votes[read[id(disc)]][disc.colour] += 1
    colours = {name: votes[name].most_common(1)[0][0] for name in names if votes[name]}
    unread = [name for name in names if name not in colours]
    unnamed = set(range(len(marks.palette))) - set(colours.values())
    if len(unread) == 1 and len(unnamed) == 1:
        colours[unread[0]] = unnamed.pop()
    return colours


def _place_one(place: FloatArray, discs: list[Disc], read: dict[int, str], name: str) -> FloatArray:
    """Of several discs in a frame, the one that says so, else the one that is seen best.

    Returns how much is seen of it in each frame.
    """
    shown = np.zeros(len(place))
    for disc in sorted(discs, key=lambda each: (read.get(id(each)) == name, each.shown)):
        place[disc.frame], shown[disc.frame] = disc.at, disc.shown
    return shown


def _mend(place: FloatArray, shown: FloatArray, radius: int) -> None:
    """Of a disc all but covered, its arrow may have been taken for it: it cannot jump that far."""
    good = np.nonzero(shown >= _WELL)[0]
    if len(good) == 0:
        return
    for frame in np.nonzero((shown > 0) & (shown < _WELL))[0]:
        expected = [np.interp(frame, good, place[good, axis]) for axis in (0, 1)]
        gap = np.abs(good - frame).min()
        if np.hypot(*(place[frame] - expected)) > _STEP * radius * gap:
            place[frame] = expected if good[0] < frame < good[-1] else np.nan


def _place_several(found: dict[str, FloatArray], discs: list[Disc], read: dict[int, str]) -> None:
    named = [disc for disc in discs if read.get(id(disc)) in found]
    for disc in sorted(named, key=lambda each: each.shown):
        found[read[id(disc)]][disc.frame] = disc.at
    known = {name: place.copy() for name, place in found.items()}
    for disc in sorted(discs, key=lambda each: -each.shown):
        if read.get(id(disc)) in found:
            continue
        free = [name for name, place in found.items()
                if np.isnan(place[disc.frame, 0]) and not np.isnan(known[name]).all()]  # fmt: skip
        if free:
            nearest = min(free, key=lambda name: _away(known[name], disc))
            found[nearest][disc.frame] = disc.at


def _away(place: FloatArray, disc: Disc) -> float:
    """How far a disc is from where a name was seen in the frame next in time."""
    seen = np.nonzero(~np.isnan(place[:, 0]))[0]
    frame = seen[np.abs(seen - disc.frame).argmin()]
    return float(np.hypot(*(place[frame] - disc.at)))
