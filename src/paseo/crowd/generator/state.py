"""The people of a generated crowd while they are about: who is in, and what each is up to."""

import math
from dataclasses import dataclass, field

import numpy as np

from paseo.crowd.generator.itineraries import Deed, Leg
from paseo.crowd.generator.manners import ABSENT, ALONE, STANDING, TOGETHER
from paseo.crowd.generator.population import Party
from paseo.crowd.generator.queues import Line
from paseo.crowd.generator.spots import Doorway
from paseo.world.arrays import FloatArray, IntArray

MATES_ROOM = 0.4  # metres from mates at which people appear
ARRIVED = 0.4  # metres from the point where somebody leaves
NEARBY = 1.8  # metres from their spot, where people stop keeping formation
SETTLED = 0.12  # metres from one's own place
PATIENCE = 8.0  # seconds after which one stands where one is
EASE = 0.45  # seconds of walking in which people come to a halt


@dataclass(slots=True, eq=False)
class Progress:
    """How far a party has got."""

    party: Party
    ids: range  # of the members, in order
    waiting: list[int] = field(default_factory=list)  # ids who have not entered
    leg: int = -1  # none has begun
    since: float = 0.0  # when the leg began
    settling: float = math.inf  # since when they go to their own places
    standing: float = math.inf  # since when somebody stands


class GeneratorState:
    """Everybody's state, in arrays over all people that ever come."""

    def __init__(
        self,
        parties: list[Party],
        space: float,
        doorways: dict[str, Doorway],
        lines: dict[int, Line],
    ) -> None:
        sizes = [len(party.speeds) for party in parties]
        firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(int).tolist()
        people = firsts[-1]
        self.party: IntArray = np.repeat(np.arange(len(parties)), sizes)
        self.about: IntArray = np.full(people, ABSENT)
        self.positions = np.full((people, 2), np.nan)
        self.velocities = np.zeros((people, 2))
        self.points = np.full((people, 2), np.nan)
        self.target: IntArray = np.zeros(people, np.int64)
        self._coming = [
            Progress(party, range(first, first + size), list(range(first, first + size)))
            for party, first, size in zip(parties, firsts, sizes, strict=False)
        ]
        self._present: list[Progress] = []
        self._doorways = {doorway.number: doorway for doorway in doorways.values()}
        self._lines, self._space = lines, space

    @property
    def active(self) -> IntArray:
        """The people who are in, in order of id, (active,)."""
        return np.nonzero(self.about)[0]

    def advance(self, time: float) -> None:
        """Let people in, and let everybody go on to what is next."""
        while self._coming and self._coming[0].party.time <= time:
            self._present.append(self._coming.pop(0))
        for progress in self._present:
            self._admit(progress, time)
            if self._in(progress):
                self._go_on(progress, time)
        for line in self._lines.values():
            line.move_up(self, time)
        self._present = [each for each in self._present if not self._is_over(each)]

    def _is_over(self, progress: Progress) -> bool:
        return not progress.waiting and not self._in(progress)

    def _in(self, progress: Progress) -> list[int]:
        return [person for person in progress.ids if self.about[person] != ABSENT]

    def _admit(self, progress: Progress, time: float) -> None:
        """Let in those of a party whose time has come, if their entries are free."""
        party, first = progress.party, progress.ids[0]
        due = [
            person
            for person in progress.waiting
            if party.is_resident or time >= party.time + party.delays[person - first]
        ]
        spots = party.legs[0].points if party.is_resident else party.entries
        if not all(self._is_free(spots[person - first], progress) for person in due):
            if party.is_resident:  # the spot is taken: nobody may appear there later
                progress.waiting.clear()
            return
        for person in due:
            spot = spots[person - first]
            if not self._is_free(spot, progress):  # a mate has just come in there
                continue
            progress.waiting.remove(person)
            self.positions[person] = spot
            self.about[person] = STANDING if party.is_resident else TOGETHER
            if not party.is_resident:
                ahead = _point(party.legs[0], person - first, self._lines) - spot
                length = max(float(np.hypot(*ahead)), 1e-9)
                self.velocities[person] = ahead / length * party.speeds.min()
            self._aim(person, progress)

    def _is_free(self, spot: FloatArray, progress: Progress) -> bool:
        """Whether nobody is too near: strangers keep more room than mates."""
        active = self.active
        offsets = self.positions[active] - spot
        mates = (active >= progress.ids[0]) & (active <= progress.ids[-1])
        rooms = np.where(mates | progress.party.is_resident, MATES_ROOM, self._space)
        return not (np.hypot(offsets[:, 0], offsets[:, 1]) < rooms).any()

    def _aim(self, person: int, progress: Progress) -> None:
        leg = progress.party.legs[max(progress.leg, 0)]
        self.points[person] = _point(leg, person - progress.ids[0], self._lines)
        if np.isnan(self.points[person]).any():  # here, after the few steps of a halt
            self.points[person] = self.positions[person] + EASE * self.velocities[person]
        self.target[person] = leg.target

    def _go_on(self, progress: Progress, time: float) -> None:
        """What the party does now; it begins the next leg when one is over."""
        if progress.leg < 0:
            self._begin(progress, 0, time)
        members = self._in(progress)
        leg = progress.party.legs[progress.leg]
        if leg.deed is Deed.STAND:
            self._stand(progress, members, time)
        elif leg.deed is Deed.QUEUE:
            if self._lines[leg.target].serve(self, members[0], time):
                self._begin(progress, progress.leg + 1, time)
        elif leg.leaves:
            for person in members:
                if self._has_left(person, leg):
                    self.about[person] = ABSENT
        elif time - progress.since > leg.duration:
            self._begin(progress, progress.leg + 1, time)

    def _begin(self, progress: Progress, number: int, time: float) -> None:
        progress.leg, progress.since = number, time
        progress.settling = progress.standing = math.inf
        leg = progress.party.legs[number]
        if leg.deed is Deed.STAND and np.isnan(leg.points).any():
            progress.settling = time
        for person in self._in(progress):
            self._aim(person, progress)
            resident = progress.party.is_resident and number == 0
            self.about[person] = STANDING if resident else TOGETHER
            if resident:
                progress.settling = progress.standing = time
        if leg.deed is Deed.QUEUE:
            for person in self._in(progress):
                self.about[person] = ALONE

    def _stand(self, progress: Progress, members: list[int], time: float) -> None:
        """Walk up, each to the own place, stand, and go on when the time is over."""
        leg = progress.party.legs[progress.leg]
        if progress.settling == math.inf:
            middle = self.positions[members].mean(axis=0) - self.points[members].mean(axis=0)
            if np.hypot(*middle) < NEARBY:
                progress.settling = time
            return
        for person in members:
            if self.about[person] == STANDING:
                continue
            self.about[person] = ALONE
            off = np.hypot(*(self.positions[person] - self.points[person]))
            if off < SETTLED or time - progress.settling > PATIENCE:
                self.about[person] = STANDING
                progress.standing = min(progress.standing, time)
        if time - progress.standing > leg.duration:
            self._begin(progress, progress.leg + 1, time)

    def _has_left(self, person: int, leg: Leg) -> bool:
        x, y = self.positions[person].tolist()
        near = math.hypot(x - self.points[person, 0], y - self.points[person, 1]) < ARRIVED
        return near or self._doorways[leg.target].passed(x, y)


def _point(leg: Leg, member: int, lines: dict[int, Line]) -> FloatArray:
    """Where a member of a party goes; NaN: nowhere."""
    if leg.deed is Deed.QUEUE:
        return lines[leg.target].tail
    point: FloatArray = leg.points[member]
    return point
