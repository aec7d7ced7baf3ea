"""Who comes: parties of one or more people, drawn from a recipe, with all they are going to do."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.crowd.generator.arrivals import Spells, arrival_times, spells
from paseo.crowd.generator.itineraries import Leg, staying, way_out, with_stop
from paseo.crowd.generator.spots import Doorway, inside, placed_abreast, walking_places
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.recipes import Gate, Habit, Recipe, Stay
from paseo.world.space.floorplan import FloorPlan

WAVES = 4  # that make up how a person's heading and speed vary
SHORTEST, SLOWEST = 1.6, 10.0  # seconds, periods of these waves
LIKE_MINDED = 0.04  # spread of mates among the shares of slower people
QUICKEST = 2.0  # seconds; nobody stays for less
LONGEST_MEMORY = 6.0  # mean durations before the beginning from which somebody may still be there


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Party:
    """People who come together; the first of them at `time`."""

    time: float
    delays: FloatArray  # (members,), seconds until each enters
    entries: FloatArray  # (members, 2)
    speeds: FloatArray  # (members,), as each likes to walk
    places: FloatArray  # (members, 2), metres ahead and to the left in their formation
    waves: FloatArray  # (members, 3, WAVES): 2 pi / periods, phases of heading and of speed
    wander: float  # rad
    legs: tuple[Leg, ...]
    is_resident: bool = False  # there from the beginning, in the places of the first leg


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Casting:
    """What parties are drawn from."""

    recipe: Recipe
    plan: FloorPlan
    doorways: dict[str, Doorway]
    spells: Spells
    start: float
    end: float
    seed: int

    def rng(self, stream: int, number: int) -> np.random.Generator:
        """Randomness of one party's own: others do not change it."""
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(stream, number)))


def parties(recipe: Recipe, plan: FloorPlan, *, start: float, end: float, seed: int) -> list[Party]:
    """Everybody who comes from `start` to `end`, or is there at the start, in order of time."""
    for gate in recipe.gates:
        _check_free(plan, f"gate '{gate.name}'", gate)
    for stay in recipe.stays:
        _check_free(plan, f"the stay to {stay.habit.value}", stay)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, 0)))
    casting = Casting(
        recipe=recipe,
        plan=plan,
        doorways=doorways(recipe),
        spells=spells(recipe.arrivals, start, end, rng),
        start=start,
        end=end,
        seed=seed,
    )
    found = [party for k in range(len(recipe.flows)) for party in _walkers(casting, k)]
    found += [party for k in range(len(recipe.stays)) for party in _visitors(casting, k)]
    return sorted(found, key=lambda party: party.time)


def doorways(recipe: Recipe) -> dict[str, Doorway]:
    """The gates by name, each with the number of its target in the routes."""
    middle = np.mean([(gate.x, gate.y) for gate in recipe.gates], axis=0)
    found = {}
    for number, gate in enumerate(recipe.gates):
        facing = gate.facing
        if facing is None:
            facing = math.atan2(middle[1] - gate.y, middle[0] - gate.x)
        found[gate.name] = Doorway(number, gate.x, gate.y, gate.width, facing)
    return found


def targets(recipe: Recipe) -> FloatArray:
    """Where people go, (targets, 2): the gates, then the spots of stays."""
    gates = [(gate.x, gate.y) for gate in recipe.gates]
    return np.array(gates + [(stay.x, stay.y) for stay in recipe.stays])


def _walkers(casting: Casting, number: int) -> list[Party]:
    """The parties of one flow."""
    recipe, flow = casting.recipe, casting.recipe.flows[number]
    stream = 1 + 2 * number
    rate = flow.rate / _mean_size(recipe.groups.sizes)
    times = arrival_times(
        rate, casting.spells, start=casting.start, end=casting.end, rng=casting.rng(stream, 0)
    )
    found = []
    for k, time in enumerate(times.tolist()):
        rng = casting.rng(stream, k + 1)
        size = _size(recipe.groups.sizes, rng)
        spacing = _spacing(recipe, rng)
        origin, goal = casting.doorways[flow.origin], casting.doorways[flow.destination]
        way = way_out(casting.plan, goal, size, spacing, rng)
        legs = [way]
        if rng.random() < recipe.manners.stop_share:
            legs = with_stop(way, origin, goal, recipe, rng)
        found.append(_party(casting, time, origin, legs, size=size, spacing=spacing, rng=rng))
    return found


def _visitors(casting: Casting, number: int) -> list[Party]:
    """The parties that come to one spot to stay; also those who are there already."""
    recipe, stay = casting.recipe, casting.recipe.stays[number]
    stream = 2 + 2 * number
    before = LONGEST_MEMORY * stay.duration if stay.habit is not Habit.QUEUE else 0.0
    even = Spells(casting.start - before, casting.end - casting.start + before, np.ones(1))
    times = arrival_times(
        stay.rate, even, start=even.start, end=casting.end, rng=casting.rng(stream, 0)
    )
    found = []
    for k, time in enumerate(times.tolist()):
        rng = casting.rng(stream, k + 1)
        size = _size(stay.sizes, rng)
        names = stay.gates or tuple(casting.doorways)
        origin, goal = (casting.doorways[names[rng.integers(len(names))]] for _ in range(2))
        duration = max(float(rng.gamma(2.0, stay.duration / 2.0)), QUICKEST)
        left = duration if time >= casting.start else time + duration - casting.start
        stop = len(recipe.gates) + number
        legs = staying(stay, casting.plan, stop, duration=left, size=size, rng=rng)
        spacing = _spacing(recipe, rng)
        legs.append(way_out(casting.plan, goal, size, spacing, rng))
        if left > 0.0:
            party = _party(casting, time, origin, legs, size=size, spacing=spacing, rng=rng)
            found.append(party)
    return found


def _party(
    casting: Casting,
    time: float,
    origin: Doorway,
    legs: list[Leg],
    *,
    size: int,
    spacing: float,
    rng: np.random.Generator,
) -> Party:
    recipe = casting.recipe
    x, y = origin.spot(rng)
    line = placed_abreast(x, y, size, spacing, origin.facing + math.pi / 2)
    rates = 2.0 * np.pi / np.exp(rng.uniform(math.log(SHORTEST), math.log(SLOWEST), (1, WAVES)))
    phases = rng.uniform(0.0, 2.0 * np.pi, (2, WAVES))
    shared = np.concatenate([rates, phases])
    own = rng.normal(0.0, 0.7, (size, 3, WAVES)) * np.array([0.0, 1.0, 1.0])[:, None]
    return Party(
        time=max(time, casting.start),
        delays=np.concatenate([[0.0], rng.uniform(0.0, recipe.arrivals.stagger, size - 1)]),
        entries=inside(casting.plan, line, (origin.x, origin.y)),
        speeds=_speeds(recipe, size, rng),
        places=walking_places(size, spacing, rng.random() < recipe.groups.v_share, rng),
        waves=shared + own,
        wander=recipe.manners.wander * math.exp(recipe.manners.wander_spread * rng.normal()),
        legs=tuple(legs),
        is_resident=time < casting.start,
    )


def _speeds(recipe: Recipe, size: int, rng: np.random.Generator) -> FloatArray:
    """Desired speeds, (size,); of people who walk together they differ little."""
    shares = rng.random() + LIKE_MINDED * rng.normal(size=size) * (size > 1)
    return np.interp(shares, recipe.speeds.shares, recipe.speeds.values)


def _size(shares: tuple[float, ...], rng: np.random.Generator) -> int:
    return int(np.searchsorted(np.cumsum(shares)[:-1], rng.random(), side="right")) + 1


def _mean_size(shares: tuple[float, ...]) -> float:
    return sum(size * share for size, share in enumerate(shares, start=1))


def _spacing(recipe: Recipe, rng: np.random.Generator) -> float:
    drawn = rng.normal(recipe.groups.spacing, recipe.groups.spacing_spread)
    return float(np.clip(drawn, 0.3, 1.5))


def _check_free(plan: FloorPlan, what: str, spot: Gate | Stay) -> None:
    if plan.clearance(spot.x, spot.y) < 0.3:
        raise BadValue(
            f"{what} at ({spot.x:g}, {spot.y:g}) is within 0.3 m of a wall of '{plan.name}' or "
            "outside it; move it into free space"
        )
