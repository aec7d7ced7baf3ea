"""What a made-up crowd is made of: gates, flows between them, stays, speeds, groups, manners."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import pairwise

from paseo.errors import BadValue, UnknownName

LARGEST_GROUP = 6
FASTEST = 2.5  # m/s; nobody in a made-up crowd is faster
GATE_CAPACITY = 1.0  # people/s per metre; beyond it more wait at a gate than get in


def _check(holds: bool, sentence: str) -> None:
    if not holds:
        raise BadValue(f"{sentence}; correct it in the recipe")


def _check_finite(what: str, value: object) -> None:
    for each in fields(value):  # type: ignore[arg-type]
        number = getattr(value, each.name)
        if isinstance(number, float):
            _check(math.isfinite(number), f"{what}: {each.name} must be finite, not {number}")


def _check_shares(what: str, shares: tuple[float, ...]) -> None:
    _check(
        1 <= len(shares) <= LARGEST_GROUP
        and all(0.0 <= share <= 1.0 for share in shares)
        and math.isclose(sum(shares), 1.0, abs_tol=1e-6),
        f"{what}: expected shares of up to {LARGEST_GROUP} group sizes that add up to 1",
    )


def _rising(values: Iterable[float]) -> bool:
    return all(a <= b for a, b in pairwise(values))


class Habit(StrEnum):
    """What people do who stay for a while."""

    TALK = "talk"  # in a circle
    WAIT = "wait"  # side by side, then go on
    LOOK = "look"  # side by side along the window behind the spot
    PACE = "pace"  # up and down
    QUEUE = "queue"  # in a line, the first at the spot


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A line where people enter and leave: a door, or the edge of what is watched."""

    name: str
    x: float
    y: float
    width: float = 1.0
    facing: float | None = None  # rad, into the scene; None: towards the middle of all gates

    def __post_init__(self) -> None:
        _check_finite(f"gate '{self.name}'", self)
        _check(self.width >= 0.0, f"gate '{self.name}': a width of {self.width:g} m is negative")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """People who walk from one gate to another."""

    origin: str
    destination: str
    rate: float  # people per second

    def __post_init__(self) -> None:
        way = f"flow from '{self.origin}' to '{self.destination}'"
        _check_finite(way, self)
        _check(0.0 <= self.rate <= 100.0, f"{way}: expected 0 to 100 people/s, not {self.rate:g}")
        _check(self.origin != self.destination, f"{way}: nobody walks there, expected two gates")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """A spot that people come to, where they do something for a while before they leave."""

    habit: Habit
    x: float
    y: float
    spread: float = 0.0  # metres around the spot, standard deviation
    rate: float  # visits per second, of people who come alone or in a group
    duration: float = 30.0  # seconds, mean; of a queue: until the first in line is served
    sizes: tuple[float, ...] = (1.0,)  # shares of visits by 1, 2, 3, ... people
    spacing: float = 0.8  # metres between neighbours
    direction: float = 0.0  # rad, of the way up and down, the line abreast or back along the queue
    length: float = 4.0  # metres, of the way up and down
    gates: tuple[str, ...] = ()  # where they come from and go to; none: any gate

    def __post_init__(self) -> None:
        spot = f"stay to {self.habit.value} at ({self.x:g}, {self.y:g})"
        _check_finite(spot, self)
        _check(0.0 <= self.rate <= 10.0, f"{spot}: expected 0 to 10 visits/s, not {self.rate:g}")
        _check(self.duration > 0.0, f"{spot}: expected a duration above 0 s, not {self.duration:g}")
        _check(self.spread >= 0.0, f"{spot}: a spread of {self.spread:g} m is negative")
        _check(self.spacing >= 0.4, f"{spot}: {self.spacing:g} m apart is under 0.4 m")
        _check(self.length > 0.0, f"{spot}: expected a length above 0 m, not {self.length:g}")
        _check_shares(spot, self.sizes)
        _check(
            self.habit is not Habit.QUEUE or len(self.sizes) == 1,
            f"{spot}: people queue one by one, expected sizes of [1]",
        )

    @property
    def people_rate(self) -> float:
        """People per second who come, alone and in groups."""
        return self.rate * sum(size * share for size, share in enumerate(self.sizes, start=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrivals:
    """How evenly people come: in spells that are busier or quieter than the mean."""

    burst_length: float = 20.0  # seconds of one spell
    burst_spread: float = 0.0  # standard deviation of a spell's rate, in means; 0: Poisson
    stagger: float = 0.5  # seconds between mates who enter together, at most

    def __post_init__(self) -> None:
        _check_finite("arrivals", self)
        _check(self.burst_length > 0.0, f"arrivals: spells of {self.burst_length:g} s, not above 0")
        _check(self.burst_spread >= 0.0, f"arrivals: a spread of {self.burst_spread:g} is negative")
        _check(self.stagger >= 0.0, f"arrivals: a stagger of {self.stagger:g} s is negative")


@dataclass(frozen=True, slots=True, kw_only=True)
class Speeds:
    """How fast people like to walk: quantiles, straight between them."""

    shares: tuple[float, ...] = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
    values: tuple[float, ...] = (0.8, 0.91, 1.16, 1.34, 1.52, 1.77, 1.9)  # m/s

    def __post_init__(self) -> None:
        _check(
            len(self.shares) == len(self.values) >= 2,
            f"speeds: {len(self.shares)} shares and {len(self.values)} values, expected as many",
        )
        _check(
            all(0.0 <= share <= 1.0 for share in self.shares) and _rising(self.shares),
            "speeds: expected shares from 0 to 1 in rising order",
        )
        _check(
            all(0.1 <= value <= 2.2 for value in self.values) and _rising(self.values),
            "speeds: expected values from 0.1 to 2.2 m/s in rising order",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Who walks with whom, and how."""

    sizes: tuple[float, ...] = (0.7, 0.22, 0.06, 0.02)  # shares of parties of 1, 2, 3, ... people
    spacing: float = 0.7  # metres between neighbours, mean
    spacing_spread: float = 0.1  # metres, standard deviation
    v_share: float = 0.5  # of groups of three and more: in a V, the middle behind; others abreast

    def __post_init__(self) -> None:
        _check_finite("groups", self)
        _check_shares("groups", self.sizes)
        _check(
            0.3 <= self.spacing <= 1.5,
            f"groups: expected 0.3 to 1.5 m between neighbours, not {self.spacing:g}",
        )
        _check(0.0 <= self.v_share <= 1.0, f"groups: a share of {self.v_share:g} in a V")
        _check(self.spacing_spread >= 0.0, "groups: the spread of the spacing is negative")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manners:
    """How straight and how evenly people walk, and whether they stop on the way."""

    wander: float = 0.08  # rad, standard deviation of the heading around the way
    wander_spread: float = 0.5  # of its logarithm between people
    unevenness: float = 0.08  # standard deviation of a person's speed, in means
    stop_share: float = 0.0  # of parties that stop once on their way
    stop_duration: float = 5.0  # seconds, mean
    caution: float = 0.3  # how much people slow down for others close ahead, 0 to 1
    space: float = 0.7  # metres that strangers keep where they enter and follow each other
    avoidance: float = 1.0  # how strongly people turn and brake for others, 1: as published

    def __post_init__(self) -> None:
        _check_finite("manners", self)
        for name in ("wander", "wander_spread", "unevenness", "stop_share", "caution"):
            value = getattr(self, name)
            _check(0.0 <= value <= 1.0, f"manners: expected 0 to 1 of {name}, not {value:g}")
        _check(
            0.4 <= self.space <= 2.0,
            f"manners: expected 0.4 to 2 m of space between strangers, not {self.space:g}",
        )
        _check(
            0.0 <= self.avoidance <= 3.0,
            f"manners: expected 0 to 3 times the avoidance published, not {self.avoidance:g}",
        )
        _check(self.stop_duration > 0.0, "manners: expected stops longer than 0 s")


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """All that a crowd is generated from, beside the floor plan, the seed and the steering."""

    name: str
    gates: tuple[Gate, ...]
    flows: tuple[Flow, ...] = ()
    stays: tuple[Stay, ...] = ()
    arrivals: Arrivals = Arrivals()
    speeds: Speeds = Speeds()
    groups: Groups = Groups()
    manners: Manners = Manners()
    radius: float = 0.2  # metres, of a person

    def __post_init__(self) -> None:
        names = [gate.name for gate in self.gates]
        _check(bool(names), f"recipe '{self.name}': there is no gate, so that nobody can enter")
        _check(len(set(names)) == len(names), f"recipe '{self.name}': two gates have one name")
        used = [name for flow in self.flows for name in (flow.origin, flow.destination)]
        used += [name for stay in self.stays for name in stay.gates]
        for name in used:
            if name not in names:
                raise UnknownName("gate", name, names)
        _check(bool(self.flows or self.stays), f"recipe '{self.name}': there is no flow or stay")
        _check(
            0.1 <= self.radius <= 0.4,
            f"recipe '{self.name}': expected a radius of 0.1 to 0.4 m, not {self.radius:g}",
        )
        for gate in self.gates:
            self._check_capacity(gate)

    def _check_capacity(self, gate: Gate) -> None:
        """Who cannot get in waits, and with too many the crowd would never be finished."""
        most = GATE_CAPACITY * (gate.width + self.manners.space)
        people = self._people_through(gate.name)
        _check(
            people <= most * (1.0 + 1e-9),
            f"gate '{gate.name}': {60 * people:.6g} people a minute come and go, expected at most "
            f"{60 * most:.6g} where it is {gate.width:g} m wide",
        )

    def _people_through(self, gate: str) -> float:
        """People per second who come or leave by a gate; visitors use all of theirs alike."""
        walking = sum(flow.rate for flow in self.flows if gate in (flow.origin, flow.destination))
        everywhere = tuple(each.name for each in self.gates)
        doors = [(stay.gates or everywhere, 2.0 * stay.people_rate) for stay in self.stays]
        return walking + sum(rate * own.count(gate) / len(own) for own, rate in doors)
