"""People followed from picture to picture: where they are between pictures, and how fast."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from paseo.world.arrays import FloatArray
from paseo.world.people import Crowd

Covariance = tuple[float, float, float]  # of place, of place and velocity, of velocity; each axis


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How people are followed."""

    deviation: float = 0.08  # metres, of a place that was found
    acceleration: float = 1.5  # m/s2, how people change their pace, as a deviation
    top_speed: float = 1.5  # m/s, as a deviation, of somebody seen once
    gate: float = 0.6  # metres from where somebody is expected within which they are found again
    needed: int = 2  # pictures that show somebody before they are told of
    patience: float = 1.5  # seconds for which somebody out of sight is still believed in
    blink: float = 0.25  # seconds for which they are, though nobody is seen where they should be


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Followed:
    """One person, as believed at one time: a Kalman filter of constant velocity."""

    id: int
    time: float
    place: FloatArray  # (2,)
    velocity: FloatArray  # (2,)
    spread: Covariance
    last_seen: float
    sightings: int = 1

    def expected(self, time: float) -> FloatArray:
        """Where they are by then, (2,)."""
        return self.place + self.velocity * (time - self.time)


class Tracker:
    """Follows people by what each picture shows of them, in order of time.

    What was found is joined with who is nearest to it, unless it has names.
    """

    def __init__(self, manner: Manner, *, radius: float) -> None:
        self._manner, self._radius = manner, radius
        self._people: list[Followed] = []
        self._next = 1

    def update(
        self,
        time: float,
        found: FloatArray,
        *,
        names: Sequence[int] | None = None,
        is_gone: Callable[[FloatArray], bool] = lambda place: False,
    ) -> None:
        """Take in where people are found in a picture, (people, 2), with their names if known.

        `is_gone` says of a place whether the picture shows that nobody is there.
        """
        ahead = [predicted(each, time, self._manner) for each in self._people]
        pairs = (
            named_pairs(ahead, names)
            if names is not None
            else nearest_pairs(ahead, found, self._manner.gate)
        )
        people = []
        for k, each in enumerate(ahead):
            if k in pairs:
                people.append(corrected(each, found[pairs[k]], self._manner))
            elif self._is_believed(each, is_gone):
                people.append(each)
        taken = set(pairs.values())
        for n in (n for n in range(len(found)) if n not in taken):
            people.append(self._new(time, found[n], None if names is None else names[n]))
        self._people = people

    def _is_believed(self, each: Followed, is_gone: Callable[[FloatArray], bool]) -> bool:
        unseen = each.time - each.last_seen
        if unseen > self._manner.patience or each.sightings < self._manner.needed:
            return False
        return unseen <= self._manner.blink or not is_gone(each.place)

    def crowd(self, time: float) -> Crowd:
        """Everybody who is believed to be there at a time, in order of id."""
        told = sorted(
            (each for each in self._people if each.sightings >= self._manner.needed),
            key=lambda each: each.id,
        )
        crowd = Crowd(
            np.array([each.id for each in told], np.int64),
            np.array([each.expected(time) for each in told]).reshape(-1, 2),
            np.array([each.velocity for each in told]).reshape(-1, 2),
            np.full(len(told), self._radius),
        )
        for array in (crowd.ids, crowd.positions, crowd.velocities, crowd.radii):
            array.setflags(write=False)
        return crowd

    def _new(self, time: float, place: FloatArray, name: int | None) -> Followed:
        if name is None:
            name, self._next = self._next, self._next + 1
        return Followed(
            id=name,
            time=time,
            place=place,
            velocity=np.zeros(2),
            spread=(self._manner.deviation**2, 0.0, self._manner.top_speed**2),
            last_seen=time,
        )


def predicted(each: Followed, time: float, manner: Manner) -> Followed:
    """The same person at a later time, less certain."""
    dt = time - each.time
    p, c, v = each.spread
    q = manner.acceleration**2  # white noise of acceleration, constant within a step
    spread = (
        p + 2 * dt * c + dt**2 * v + q * dt**4 / 4,
        c + dt * v + q * dt**3 / 2,
        v + q * dt**2,
    )
    return replace(each, time=time, place=each.expected(time), spread=spread)


def corrected(each: Followed, place: FloatArray, manner: Manner) -> Followed:
    """The same person at the same time, found at a place, (2,)."""
    p, c, v = each.spread
    total = p + manner.deviation**2
    error = place - each.place
    return replace(
        each,
        place=each.place + p / total * error,
        velocity=each.velocity + c / total * error,
        spread=(p - p * p / total, c - p * c / total, v - c * c / total),
        last_seen=each.time,
        sightings=each.sightings + 1,
    )


def named_pairs(people: Sequence[Followed], names: Sequence[int]) -> dict[int, int]:
    """Who of those followed is which of those found, by name."""
    found = {name: n for n, name in enumerate(names)}
    return {k: found[each.id] for k, each in enumerate(people) if each.id in found}


def pairs_within(
    places: FloatArray, found: FloatArray, reach: float | FloatArray
) -> dict[int, int]:
    """Which place, (places, 2), is which of those found: the nearest two first, each once.

    None is further away than its `reach`, (places,).
    """
    gaps = np.hypot(*np.moveaxis(places[:, None] - found[None], 2, 0))  # (places, found)
    near = gaps <= np.broadcast_to(reach, len(places))[:, None]
    pairs: dict[int, int] = {}
    for cell in np.argsort(gaps, axis=None, kind="stable").tolist():
        k, n = divmod(cell, len(found))
        if near[k, n] and k not in pairs and n not in pairs.values():
            pairs[k] = n
    return pairs


def nearest_pairs(people: Sequence[Followed], found: FloatArray, gate: float) -> dict[int, int]:
    """Who of those followed is which of those found, by where they are expected.

    Who was not seen for a while may be further away.
    """
    places = np.array([each.place for each in people]).reshape(-1, 2)
    unsure = np.array([2 * math.sqrt(each.spread[0]) for each in people])
    return pairs_within(places, found, np.clip(unsure, gate, 2 * gate))
