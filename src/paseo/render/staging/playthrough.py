"""A record played back: the scene at any time, with the trails and contacts up to then."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from paseo.world.arrays import FloatArray, IntArray
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd, Snapshot
from paseo.world.records import Cause, Contact, Outcome, Record

TRAIL = 4.0  # seconds that a person's trail is seen
TRAIL_STEP, PATH_STEP = 0.2, 0.1  # seconds between its points, and between those of a path
AVERAGED = 0.2  # seconds before and after, over which people's velocities are taken
INSTANT = 1e-6  # of a step

Causes = Mapping[Contact, Cause]  # of counted contacts
WhoseDoing = Callable[[Record], Causes]  # who can tell, which pictures themselves cannot


def nobody_knows(record: Record) -> Causes:
    """No contact's cause is known: all are marked alike."""
    return {}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moment:
    """One instant of a record: the scene, how it came about, and whom the robot has touched."""

    record: Record  # that it is an instant of
    snapshot: Snapshot
    path: FloatArray  # (points, 2), the robot's whole way so far
    trails: FloatArray  # (points, people, 2), the last seconds of everybody; NaN while absent
    contacts: tuple[Contact, ...]  # that have begun
    step: int  # the last state of the record that is not after this
    ending: str = ""  # how it ended, once it has
    causes: Causes = field(default_factory=dict)  # whose doing contacts were, where it is known

    @property
    def touching(self) -> set[int]:
        """Ids of the people whom the robot touches now."""
        return {each.person for each in self.contacts if each.last_step >= self.step}

    @property
    def touched(self) -> set[int]:
        """Ids of the people whom the robot has touched so far, and is to blame for it."""
        return {each.person for each in self.contacts if each.counted}

    @property
    def news(self) -> str:
        """What there is to say about the robot: how it ended and when, whom it has touched."""
        return _news(self.ending, self.snapshot.time, self.contacts)


def last_news(record: Record) -> str:
    """What there is to say about a robot when all is over, which is the most."""
    return _news(record.outcome.value, float(record.times[-1]), record.contacts)


def _news(ending: str, time: float, contacts: Sequence[Contact]) -> str:
    count = sum(contact.counted for contact in contacts)
    touched = f"{count} contact{'s' * (count != 1)}" if count else ""
    how = "goal in" if ending == Outcome.REACHED_GOAL else f"{ending} at"
    return ", ".join(word for word in (f"{how} {time:.1f} s" if ending else "", touched) if word)


class Playthrough:
    """A record that can be asked for any of its moments."""

    def __init__(self, record: Record, *, whose: WhoseDoing = nobody_knows) -> None:
        self.record = record
        self.causes = whose(record) if record.contacts else {}
        self.end = float(record.times[-1])
        self._ids = record.ids
        self._velocities = people_velocities(record)
        dt = record.scenario.dt
        self._path_stride = max(1, round(PATH_STEP / dt))
        self._trail_stride = max(1, round(TRAIL_STEP / dt))

    def at(self, time: float) -> Moment:
        """The scene at `time`, between two states where it falls between them."""
        record = self.record
        time = min(max(time, 0.0), self.end)
        place = time / record.scenario.dt
        step = min(math.floor(place + INSTANT), len(record.robot) - 1)
        share = max(place - step, 0.0) if step + 1 < len(record.robot) else 0.0
        pose = self._pose(step, share)
        people = _between(record.people, step, share)
        return Moment(
            record=record,
            snapshot=Snapshot(time, self._robot(step, pose), self._crowd(people, step)),
            path=self._path(step, pose),
            trails=self._trails(step, people),
            contacts=tuple(each for each in record.contacts if each.first_step <= step),
            step=step,
            ending=record.outcome.value if step == len(record.robot) - 1 else "",
            causes=self.causes,
        )

    def _pose(self, step: int, share: float) -> Pose:
        x, y, heading = self.record.robot[step].tolist()
        if share > INSTANT:
            x1, y1, heading1 = self.record.robot[step + 1].tolist()
            x, y = x + (x1 - x) * share, y + (y1 - y) * share
            heading += math.remainder(heading1 - heading, math.tau) * share
        return Pose(x, y, heading)

    def _robot(self, step: int, pose: Pose) -> RobotState:
        robot, scenario = self.record.robot, self.record.scenario
        last = min(step + 1, len(robot) - 1)
        x, y, turned = (robot[last] - robot[max(last - 1, 0)]).tolist()
        forward = x * math.cos(pose.heading) + y * math.sin(pose.heading)
        turn = math.remainder(turned, math.tau)
        twist = Twist(forward / scenario.dt, turn / scenario.dt)
        return RobotState(pose, twist, scenario.robot.radius)

    def _crowd(self, people: FloatArray, step: int) -> Crowd:
        present = ~np.isnan(people[:, 0])
        radii = np.full(int(present.sum()), self.record.scenario.person_radius)
        velocities = self._velocities[step, present]
        return Crowd(self._ids[present], people[present], velocities, radii)

    def _path(self, step: int, pose: Pose) -> FloatArray:
        # At the same states in every frame: points that wander along the path would shimmer.
        places = self.record.robot[: step + 1 : self._path_stride, :2]
        return np.concatenate([places, [[pose.x, pose.y]]])

    def _trails(self, step: int, people: FloatArray) -> FloatArray:
        stride = self._trail_stride
        reach = max(1, round(TRAIL / self.record.scenario.dt / stride))
        newest = step // stride
        steps: IntArray = np.arange(max(newest - reach, 0), newest + 1, dtype=np.int64) * stride
        return np.concatenate([self.record.people[steps], people[None]])


def _between(people: FloatArray, step: int, share: float) -> FloatArray:
    """Everybody's place, (people, 2), at a share of the way to the next state."""
    now = people[step]
    if share <= INSTANT:
        return now
    after = people[step + 1]
    # Who is about to leave stays until the next state.
    moved: FloatArray = np.where(np.isnan(after), now, now + (after - now) * share)
    return moved


def people_velocities(record: Record) -> FloatArray:
    """Everybody's velocity at each state, (states, people, 2), over a moment before and after.

    Zero for a person who is there in a single state only, NaN for one who is absent.
    """
    people, dt = record.people, record.scenario.dt
    states = len(people)
    reach = max(1, round(AVERAGED / dt))
    velocities = np.where(np.isnan(people), np.nan, 0.0)
    # From the roughest to the finest: where a wider look is possible it overwrites.
    for before, after in ((1, 0), (0, 1), (1, 1), (reach, 0), (0, reach), (reach, reach)):
        if states > before + after:
            span = slice(before, states - after)
            change = people[before + after :] - people[: states - before - after]
            found = change / ((before + after) * dt)
            keep = np.isnan(found) | np.isnan(velocities[span])
            velocities[span] = np.where(keep, velocities[span], found)
    return velocities


def people_to_show(moments: Sequence[Moment]) -> list[Moment]:
    """The moments whose people are drawn: of robots still on their way, each crowd once."""
    running = [moment for moment in moments if not moment.ending]
    if not running:
        running = [max(moments, key=lambda moment: moment.snapshot.time)]
    shown: list[Moment] = []
    for moment in running:
        places = moment.snapshot.crowd.positions
        if not any(np.array_equal(places, other.snapshot.crowd.positions) for other in shown):
            shown.append(moment)
    return shown
