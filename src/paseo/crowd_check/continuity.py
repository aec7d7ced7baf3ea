"""Jumps, gaps and ids that stand for more or less than one person, as findings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.crowd_check.findings import Doubt, Finding, Remedy
from paseo.crowd_check.samples import CLOCK, TrackSamples, evenly
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.tracks import Track

RUNNING = 4.0  # m/s
FASTEST = 12.5  # m/s, faster than anybody ever ran
LONG_STEP = 0.5  # metres; shorter jumps are the noise of a tracker
LONG_ABSENCE = 60.0  # seconds after which an id is rather another person's
FAR = 2.0  # metres
HOLE = 3  # people gone at once
SAME_SPOT = 0.05  # metres
TWIN_SHARE, TWIN_TICKS = 0.8, 5
MOST_TICKS, MOST_AT_ONCE, MOST_PAIRS = 1500, 300, 300  # that are looked at
NAMED = 5  # ids told in a sentence


@dataclass(frozen=True, slots=True)
class Units:
    """What a metre and a metre per second are in a recording whose scale or clock is wrong."""

    metre: float = 1.0
    speed: float = 1.0


def jump_finding(tracks: Sequence[Track], at: TrackSamples, units: Units) -> Finding | None:
    """Steps nobody could have made."""
    usual = _usual_speeds(at, units)
    people, spots, fastest = [], [], 0.0
    for track in tracks:
        steps = np.hypot(*np.diff(track.positions, axis=0).T)
        speeds = steps / np.diff(track.times) / units.speed
        jumps = _long_runs(speeds > RUNNING, track.positions, LONG_STEP * units.metre)
        if jumps.any() and usual.get(track.id, 0.0) < RUNNING / 2:
            people.append(track.id)
            spots.append(track.positions[1:][jumps])
            fastest = max(fastest, float(speeds[jumps].max()))
    if not people:
        return None
    return Finding(
        doubt=Doubt.JUMPS,
        sure=0.99 if fastest > FASTEST else 0.8,
        what=f"{_count(len(people), len(tracks))} jump, at up to {fastest:.3g} m/s: {_ids(people)}",
        fix="look whether two people were given one id there, and give the rest of the track a "
        "new id or remove it",
        spots=np.concatenate(spots),
        people=tuple(people),
    )


def gap_finding(tracks: Sequence[Track]) -> Finding | None:
    """Times in which people who were seen before and after are missing."""
    gaps = [(track, gap) for track in tracks for gap in _absences(track)]
    if not gaps:
        return None
    people = sorted({track.id for track, _ in gaps})
    hole = _hole(np.array([gap for _, gap in gaps]), tracks)
    worst = max(end - start for _, (start, end) in gaps)
    what = (
        f"{_count(len(people), len(tracks))} are unseen in mid-track, for up to {worst:.3g} s: "
        f"{_ids(people)}"
    )
    if hole is not None:
        start, end, gone = hole
        what += f"; {gone} of them together from {start:.4g} s to {end:.4g} s: frames are missing"
    spots = [track.positions_at(np.array(gap)) for track, gap in gaps]
    return Finding(
        doubt=Doubt.GAPS,
        sure=0.95 if hole is not None else 0.8,
        what=what,
        fix="look for lost frames at the source; people are absent meanwhile, or walk on in a "
        "straight line with a larger longest_gap",
        remedies=(Remedy("longest_gap"),),
        spots=np.concatenate(spots),
        people=tuple(people),
    )


def shared_id_finding(tracks: Sequence[Track], units: Units) -> Finding | None:
    """Ids that were used again for somebody else after a while."""
    people, spots, fastest = [], [], 0.0
    for track in tracks:
        for start, end in _absences(track):
            ends = track.positions_at(np.array([start, end]))
            apart = float(np.hypot(*(ends[1] - ends[0])))
            speed = apart / (end - start) / units.speed
            fastest = max(fastest, speed)
            if speed > RUNNING or (end - start > LONG_ABSENCE and apart > FAR * units.metre):
                people.append(track.id)
                spots.append(ends)
    if not people:
        return None
    return Finding(
        doubt=Doubt.SHARED_ID,
        sure=0.99 if fastest > FASTEST else 0.9,
        what=f"{_count(len(set(people)), len(tracks))} vanish and come back elsewhere, or after "
        f"more than {LONG_ABSENCE:g} s: {_ids(sorted(set(people)))}; two rather share the id",
        fix="give the later person an id of their own",
        spots=np.concatenate(spots),
        people=tuple(sorted(set(people))),
    )


def impossible_finding(at: TrackSamples) -> Finding | None:
    """Few people who are all faster than anybody ever ran."""
    speeds = list(_usual_speeds(at, Units()).values())
    if not speeds or np.median(speeds) < FASTEST:
        return None
    return Finding(
        doubt=Doubt.SCALE,
        sure=0.95,
        what=f"half of the {len(speeds)} people move at {np.median(speeds):.3g} m/s or more, which "
        "nobody ever ran",
        fix="check the units, pixels or centimetres taken for metres, and the frame rate",
    )


def repeated_finding(
    people: Sequence[int], apart: FloatArray, units_of_file: str
) -> Finding | None:
    """Rows that show a person in one frame again, `apart` from where the first row has them."""
    if len(people) == 0:
        return None
    ids, elsewhere = sorted(set(people)), int((apart > 0).sum())
    if elsewhere:
        what = f"at up to {apart.max():.3g} {units_of_file} from the first: two people share an id"
        fix = "give one of them another id; here only the first row of each frame was used"
    else:
        what, fix = "always in the same spot: rows were written twice", "remove the second rows"
    return Finding(
        doubt=Doubt.SHARED_ID if elsewhere else Doubt.REPEATED,
        sure=0.99,
        what=f"{len(people)} rows show a person in a frame for a second time, {what} ({_ids(ids)})",
        fix=fix,
        people=tuple(ids),
    )


def twin_finding(at: TrackSamples, people: int, units: Units) -> Finding | None:
    """Two ids that walk in the same spot: one person recorded twice."""
    stride = at.stride(MOST_TICKS)
    shared: Counter[tuple[int, int]] = Counter()
    seen: Counter[int] = Counter()
    where: dict[tuple[int, int], FloatArray] = {}
    for here in at.by_tick(MOST_TICKS):
        here = evenly(here, MOST_AT_ONCE)
        seen.update(at.people[here].tolist())
        for a, b in _pairs_within(at.positions[here], SAME_SPOT * units.metre)[:MOST_PAIRS]:
            pair = (int(at.people[here[a]]), int(at.people[here[b]]))
            shared[pair] += 1
            where[pair] = at.positions[here[a]]
    twins = [
        pair
        for pair, ticks in sorted(shared.items())
        if ticks > 1
        and ticks * stride >= TWIN_TICKS
        and ticks >= TWIN_SHARE * min(seen[pair[0]], seen[pair[1]])
    ]
    if not twins:
        return None
    told = ", ".join(f"{a} and {b}" for a, b in twins[:NAMED])
    return Finding(
        doubt=Doubt.TWINS,
        sure=0.95,
        what=f"{len(twins)} pairs of {people} people walk in the same spot for "
        f"{TWIN_TICKS * CLOCK:g} s or more: {told}{', ...' * (len(twins) > NAMED)}",
        fix="remove one of each pair",
        spots=np.array([where[pair] for pair in twins]),
        people=tuple(sorted({person for pair in twins for person in pair})),
    )


def _absences(track: Track) -> list[tuple[float, float]]:
    """When the person was away between two sightings: NaN samples mark it."""
    absent = _absent(track)
    if not absent.any():
        return []
    known = np.nonzero(~absent)[0]
    wide = np.nonzero(np.diff(known) > 1)[0]
    return [(float(track.times[known[k]]), float(track.times[known[k + 1]])) for k in wide]


def _usual_speeds(at: TrackSamples, units: Units) -> dict[int, float]:
    """The median speed of everybody from tick to tick, where noise hardly counts."""
    begins = np.nonzero(np.diff(at.people, prepend=-(2**62)))[0]
    parts = np.split(at.speeds / units.speed, begins[1:]) if len(at) else []
    known = [part[~np.isnan(part)] for part in parts]
    ids = at.people[begins].tolist()
    return {k: float(np.median(part)) for k, part in zip(ids, known, strict=True) if len(part)}


def _long_runs(fast: BoolArray, positions: FloatArray, least: float) -> BoolArray:
    """Those fast steps that lead on together for at least so far: a jump may be interpolated."""
    changes = np.nonzero(np.diff(fast, prepend=False))[0]
    result = np.zeros_like(fast)
    for start, end in zip(changes[::2], [*changes[1::2], len(fast)], strict=False):
        away = positions[start + 1 : end + 1] - positions[start]
        result[start:end] = np.hypot(away[:, 0], away[:, 1]).max() >= least
    return result


def _hole(gaps: FloatArray, tracks: Sequence[Track]) -> tuple[float, float, int] | None:
    """The span in which most people are away at once, and how many, if hardly anybody is seen."""
    edges = np.concatenate([gaps[:, 0], gaps[:, 1]])
    steps = np.repeat([1, -1], len(gaps))
    order = np.lexsort((steps, edges))
    away = np.cumsum(steps[order])
    most = int(np.argmax(away))
    start, end, gone = edges[order][most], edges[order][most + 1], int(away[most])
    seen = sum(bool(((t.times > start) & (t.times < end) & ~_absent(t)).any()) for t in tracks)
    if gone < HOLE or seen > gone / 5:
        return None
    return float(start), float(end), gone


def _absent(track: Track) -> BoolArray:
    return np.isnan(track.positions[:, 0])


def _pairs_within(points: FloatArray, distance: float) -> list[tuple[int, int]]:
    """Pairs of indices, the smaller first; sorted by x so that few need to be compared."""
    order = np.argsort(points[:, 0], kind="stable")
    xs = points[order, 0]
    pairs = []
    for step in range(1, len(points)):
        near = np.nonzero(xs[step:] - xs[:-step] <= distance)[0]
        if len(near) == 0:
            break
        a, b = order[near], order[near + step]
        close = np.hypot(*(points[a] - points[b]).T) <= distance
        pairs += [(int(min(p)), int(max(p))) for p in zip(a[close], b[close], strict=True)]
    return pairs


def _count(some: int, everybody: int) -> str:
    return f"{some} of {everybody} people"


def _ids(people: Sequence[int]) -> str:
    told = ", ".join(map(str, people[:NAMED]))
    return f"id {told}{', ...' if len(people) > NAMED else ''}"
