"""How near a reconstruction comes to a drive of which everything is known."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from filmed import Boxes, Filmed
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.polar import velocities
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.arrays import FloatArray

ALIKE = 0.4  # intersection over union, from which on a track's box is a person's
WALKS = 0.5  # m/s, above which a heading is judged

Whose = Mapping[tuple[int, int], int]  # by frame and person: by which number they are seen


@dataclass(frozen=True, kw_only=True, eq=False)
class Judged:
    """One row for every frame in which somebody is in sight and has a track."""

    people: FloatArray  # (rows,)
    frames: FloatArray  # (rows,)
    distances: FloatArray  # (rows,), from the robot, in truth
    off: FloatArray  # (rows,), metres from the truth, as seen from the robot then
    off_in_world: FloatArray  # (rows,), the same, laid on the map where the drive began
    squares: FloatArray  # (rows,), of the first, by the covariance that is told
    turned: FloatArray  # (rows,), radians between headings; NaN for those who stand
    hurried: FloatArray  # (rows,), m/s between speeds
    switches: int  # times that a person goes on as somebody else
    track_minutes: float
    in_sight: int  # people in sight in four frames or more
    lost: int  # of them, who have no track at all
    unseen: int  # frames in which one of them is in sight and has no track


def truly(filmed: Filmed) -> Whose:
    """Who is who where boxes carry people's own numbers."""
    return {(k, person): person for k, boxes in enumerate(filmed.boxes) for person in boxes}


def by_overlap(filmed: Filmed, found: Reconstruction) -> Whose:
    """Whose box each track's is, frame by frame; the pair that overlaps most chooses first."""
    whose: dict[tuple[int, int], int] = {}
    for number, boxes in enumerate(filmed.boxes):
        people = found.seen[number].people if number in found.seen else ()
        pairs = sorted(
            (
                (overlap(box, np.array(each.box)), person, each.person)
                for person, box in boxes.items()
                for each in people
            ),
            reverse=True,
        )
        taken = set[int]()
        for share, person, seen_as in pairs:
            if share >= ALIKE and (number, person) not in whose and seen_as not in taken:
                whose[number, person] = seen_as
                taken.add(seen_as)
    return whose


def overlap(one: FloatArray, other: FloatArray) -> float:
    """Intersection over union."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    both = float(np.prod(np.maximum(high - low, 0)))
    areas = [float(np.prod(each[2:] - each[:2])) for each in (one, other)]
    return both / (sum(areas) - both)


def judged(filmed: Filmed, found: Reconstruction, whose: Whose) -> Judged:
    """Every track held against the person whose it is, in the frames in which they are in sight."""
    rows, tracks = list[list[float]](), _by_number(found.tracks)
    told, start = found.odometry.at(found.frame_times), filmed.way.poses[0]
    for (number, person), seen_as in sorted(whose.items()):
        state = _state(tracks.get(seen_as, ()), float(found.frame_times[number]))
        truth = filmed.people[number].get(person)
        if state is None or truth is None or np.isnan(told[number]).any():
            continue
        values, covariance = state
        here, robot = told[number], filmed.robots[number]
        near, moved = _carried(values, here, robot)
        laid, _ = _carried(values, np.zeros(3), start)
        turn = _turn(robot[2] - here[2])
        off = near - truth[:2]
        spread = turn @ covariance @ turn.T
        speeds = np.hypot(*moved), np.hypot(*truth[2:])
        angle = np.arctan2(moved[1], moved[0]) - np.arctan2(truth[3], truth[2])
        rows.append([
            person, number, np.hypot(*(truth[:2] - robot[:2])), np.hypot(*off),
            np.hypot(*(laid - truth[:2])), off @ np.linalg.solve(spread, off),
            abs(np.angle(np.exp(1j * angle))) if speeds[1] > WALKS else np.nan,
            abs(speeds[0] - speeds[1]),
        ])  # fmt: skip
    table = np.array(rows).reshape(-1, 8)
    in_sight = _in_sight(filmed.boxes)
    placed = {(int(n), int(p)) for p, n in table[:, :2]}
    period = float(np.median(np.diff(filmed.times)))
    return Judged(
        people=table[:, 0],
        frames=table[:, 1],
        distances=table[:, 2],
        off=table[:, 3],
        off_in_world=table[:, 4],
        squares=table[:, 5],
        turned=table[:, 6],
        hurried=table[:, 7],
        switches=_switches(whose),
        track_minutes=len(table) * period / 60,
        in_sight=len(in_sight),
        lost=len(in_sight - {p for _, p in placed}),
        unseen=sum(
            (k, person) not in placed
            for k, boxes in enumerate(filmed.boxes)
            for person in boxes
            if person in in_sight
        ),
    )


def laid(filmed: Filmed, found: Reconstruction) -> Reconstruction:
    """The reconstruction on the map, laid on where the drive began."""
    x, y, heading = filmed.way.poses[0].tolist()
    turn = _turn(heading)

    def moved(rows: FloatArray) -> FloatArray:
        places = [x, y] + rows[:, :2] @ turn.T
        return np.column_stack([places, rows[:, 2] + heading, rows[:, 3:]])

    odometry = replace(found.odometry, poses=moved(found.odometry.poses))
    tracks = tuple(replace(track, states=moved(track.states)) for track in found.tracks)
    return replace(found, odometry=odometry, tracks=tracks)


def true_twin(filmed: Filmed, found: Reconstruction, whose: Whose) -> Reconstruction:
    """What it would be, on the map, had it been right: the same people, seen as long."""
    counts: dict[int, Counter[int]] = {}
    for (_, person), seen_as in whose.items():
        counts.setdefault(seen_as, Counter())[person] += 1
    tracks = []
    for track in found.tracks:
        seen_as = track.person if track.seen_as is None else track.seen_as
        if seen_as in counts:
            (person, _), *_ = counts[seen_as].most_common(1)
            states = _true_states(filmed, found, track, person)
            if not np.isnan(states).any():
                tracks.append(replace(track, states=states))
    return replace(found, odometry=filmed.way, tracks=tuple(tracks))


def _true_states(
    filmed: Filmed, found: Reconstruction, track: SmoothTrack, person: int
) -> FloatArray:
    numbers = np.searchsorted(found.frame_times, track.times - 1e-6)
    absent = np.full(4, np.nan)
    rows = np.array([filmed.people[number].get(person, absent) for number in numbers.tolist()])
    heading = np.unwrap(np.arctan2(rows[:, 3], rows[:, 2]))
    return np.column_stack([rows[:, :2], heading, np.hypot(rows[:, 2], rows[:, 3])])


def _by_number(tracks: Iterable[SmoothTrack]) -> dict[int, list[SmoothTrack]]:
    found: dict[int, list[SmoothTrack]] = {}
    for track in tracks:
        number = track.person if track.seen_as is None else track.seen_as
        found.setdefault(number, []).append(track)
    return found


def _state(tracks: Sequence[SmoothTrack], time: float) -> tuple[FloatArray, FloatArray] | None:
    """Place and velocity, (4,), and the covariance of the place, of whichever track is then."""
    for track in tracks:
        at = int(np.searchsorted(track.times, time - 1e-6))
        if at < len(track.times) and abs(track.times[at] - time) < 1e-6:
            values = velocities(track.states[at : at + 1])[0]
            return values, track.covariances[at, :2, :2]
    return None


def _carried(
    values: FloatArray, here: FloatArray, there: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Place and velocity as seen from one pose, put before another."""
    turn = _turn(there[2] - here[2])
    return there[:2] + turn @ (values[:2] - here[:2]), turn @ values[2:]


def _turn(angle: float) -> FloatArray:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _in_sight(boxes: Sequence[Boxes]) -> set[int]:
    counts: dict[int, int] = {}
    for each in boxes:
        for person in each:
            counts[person] = counts.get(person, 0) + 1
    return {person for person, count in counts.items() if count >= 4}


def _switches(whose: Whose) -> int:
    """How often a person's track is not the one they had when last they had one (CLEAR MOT)."""
    last: dict[int, int] = {}
    count = 0
    for (_, person), number in sorted(whose.items()):
        count += last.get(person, number) != number
        last[person] = number
    return count
