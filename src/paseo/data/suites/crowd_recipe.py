"""Recipe files: what a generated crowd is made of, for one floor plan."""

import math
from functools import cache
from importlib.resources import as_file, files
from pathlib import Path
from statistics import NormalDist
from typing import Annotated, Literal

from msgspec import Meta, field

from paseo.data.settings_file import Entry, Finite, NotNegative, Positive, Share, read_settings
from paseo.errors import BadFile, InputError, UnknownName
from paseo.world.recipes import (
    Arrivals,
    Flow,
    Gate,
    Groups,
    Habit,
    Manners,
    Recipe,
    Speeds,
    Stay,
)
from paseo.world.space.floorplan import FloorPlan

SHIPPED = files("paseo.data").joinpath("shipped", "recipes")
MINUTE = 60.0
Shares = Annotated[list[Share], Meta(min_length=1)]


class Spot(Entry, frozen=True, kw_only=True):
    """A named place of the floor plan, or a point."""

    place: str | None = None
    x_m: Finite | None = None
    y_m: Finite | None = None

    def point(self, plan: FloorPlan) -> tuple[float, float]:
        """Where it is."""
        if self.place is None and self.x_m is not None and self.y_m is not None:
            return self.x_m, self.y_m
        if self.place is None or self.x_m is not None or self.y_m is not None:
            raise BadFile("a gate or stay needs either a place or both x_m and y_m; give one")
        places = {each.name: (each.x, each.y) for each in plan.places}
        if self.place not in places:
            raise UnknownName(f"place of the floor plan '{plan.name}'", self.place, places)
        return places[self.place]


class GateEntry(Spot, frozen=True, kw_only=True):
    """A line where people enter and leave."""

    name: str
    width_m: NotNegative = 1.0
    facing_deg: Finite | None = None

    def gate(self, plan: FloorPlan) -> Gate:
        """The value it stands for."""
        x, y = self.point(plan)
        facing = None if self.facing_deg is None else math.radians(self.facing_deg)
        return Gate(name=self.name, x=x, y=y, width=self.width_m, facing=facing)


class FlowEntry(Entry, frozen=True):
    """People who walk from gate to gate."""

    origin: str
    destination: str
    people_per_minute: NotNegative

    def flow(self) -> Flow:
        """The value it stands for."""
        rate = self.people_per_minute / MINUTE
        return Flow(origin=self.origin, destination=self.destination, rate=rate)


class StayEntry(Spot, frozen=True, kw_only=True):
    """A spot where people do something for a while."""

    habit: Habit
    visits_per_minute: NotNegative
    spread_m: NotNegative = 0.0
    duration_s: Positive = 30.0
    sizes: Shares = field(default_factory=lambda: [1.0])
    spacing_m: Positive = 0.8
    direction_deg: Finite = 0.0
    length_m: Positive = 4.0
    gates: list[str] = field(default_factory=list)

    def stay(self, plan: FloorPlan) -> Stay:
        """The value it stands for."""
        x, y = self.point(plan)
        return Stay(
            habit=self.habit,
            x=x,
            y=y,
            spread=self.spread_m,
            rate=self.visits_per_minute / MINUTE,
            duration=self.duration_s,
            sizes=tuple(self.sizes),
            spacing=self.spacing_m,
            direction=math.radians(self.direction_deg),
            length=self.length_m,
            gates=tuple(self.gates),
        )


class ArrivalsEntry(Entry, frozen=True):
    """How evenly people come."""

    burst_length_s: Positive = 20.0
    burst_spread: NotNegative = 0.0
    stagger_s: NotNegative = 0.5

    def arrivals(self) -> Arrivals:
        """The value it stands for."""
        return Arrivals(
            burst_length=self.burst_length_s,
            burst_spread=self.burst_spread,
            stagger=self.stagger_s,
        )


class SpeedsEntry(Entry, frozen=True):
    """How fast people like to walk: quantiles, or else a normal distribution cut at both ends."""

    percent: list[Annotated[float, Meta(ge=0, le=100)]] = field(default_factory=list)
    mps: list[Positive] = field(default_factory=list)
    mean_mps: Positive = 1.34
    sd_mps: NotNegative = 0.26
    min_mps: Positive = 0.6
    max_mps: Positive = 2.0

    def __post_init__(self) -> None:
        if self.min_mps > self.max_mps:
            raise ValueError(
                f"min_mps of {self.min_mps:g} is above max_mps of {self.max_mps:g}, expected at "
                "most as much; exchange or correct them"
            )

    def speeds(self) -> Speeds:
        """The value it stands for."""
        if self.percent or self.mps:
            shares = tuple(each / 100.0 for each in self.percent)
            return Speeds(shares=shares, values=tuple(self.mps))
        shares = tuple(k / 20.0 for k in range(21))
        normal = NormalDist(self.mean_mps, max(self.sd_mps, 1e-9))
        drawn = (normal.inv_cdf(min(max(share, 0.01), 0.99)) for share in shares)
        values = (min(max(value, self.min_mps), self.max_mps) for value in drawn)
        return Speeds(shares=shares, values=tuple(values))


class GroupsEntry(Entry, frozen=True):
    """Who walks with whom."""

    sizes: Shares = field(default_factory=lambda: [0.7, 0.22, 0.06, 0.02])
    spacing_m: Positive = 0.7
    spacing_sd_m: NotNegative = 0.1
    v_share: Share = 0.5

    def groups(self) -> Groups:
        """The value it stands for."""
        return Groups(
            sizes=tuple(self.sizes),
            spacing=self.spacing_m,
            spacing_spread=self.spacing_sd_m,
            v_share=self.v_share,
        )


class MannersEntry(Entry, frozen=True):
    """How straight and evenly people walk."""

    wander_deg: NotNegative = 4.5
    wander_spread: Share = 0.5
    unevenness: Share = 0.08
    stop_share: Share = 0.0
    stop_duration_s: Positive = 5.0
    caution: Share = 0.3
    space_m: Positive = 0.7
    avoidance: NotNegative = 1.0

    def manners(self) -> Manners:
        """The value it stands for."""
        return Manners(
            wander=math.radians(self.wander_deg),
            wander_spread=self.wander_spread,
            unevenness=self.unevenness,
            stop_share=self.stop_share,
            stop_duration=self.stop_duration_s,
            caution=self.caution,
            space=self.space_m,
            avoidance=self.avoidance,
        )


class RecipeFile(Entry, frozen=True, kw_only=True):
    """What a crowd on one floor plan is made of."""

    format: Literal["paseo-recipe"]
    version: Literal[1]
    name: str
    map: str  # the floor plan that gates and places are on: a shipped one, or a file
    about: str = ""
    gates: list[GateEntry]
    flows: list[FlowEntry] = field(default_factory=list)
    stays: list[StayEntry] = field(default_factory=list)
    arrivals: ArrivalsEntry = ArrivalsEntry()
    speeds: SpeedsEntry = SpeedsEntry()
    groups: GroupsEntry = GroupsEntry()
    manners: MannersEntry = MannersEntry()
    radius_m: Positive = 0.2

    def recipe(self, plan: FloorPlan) -> Recipe:
        """The value it stands for, its places found on a floor plan."""
        return Recipe(
            name=self.name,
            gates=tuple(gate.gate(plan) for gate in self.gates),
            flows=tuple(flow.flow() for flow in self.flows),
            stays=tuple(stay.stay(plan) for stay in self.stays),
            arrivals=self.arrivals.arrivals(),
            speeds=self.speeds.speeds(),
            groups=self.groups.groups(),
            manners=self.manners.manners(),
            radius=self.radius_m,
        )


def read_recipe(path: Path) -> RecipeFile:
    """A recipe file, or `BadFile` naming the key that is wrong."""
    return read_settings(path, RecipeFile)


def find_recipe(map: str, recipe_file: Path | None = None) -> RecipeFile:
    """The recipe in a file, or else the one that comes with Paseo for a map."""
    if recipe_file is not None:
        return read_recipe(recipe_file)
    if map not in shipped_recipes():
        raise InputError(
            f"no recipe comes with Paseo for '{map}'; name one with recipe_file (known: "
            f"{', '.join(shipped_recipes())})",
            parameters=["recipe_file"],
        )
    return shipped_recipe(map)


def shipped_recipes() -> list[str]:
    """Names of the recipes that come with Paseo, one for each shipped map, sorted."""
    return sorted(
        entry.name.removesuffix(".toml")
        for entry in SHIPPED.iterdir()
        if entry.name.endswith(".toml")
    )


@cache
def shipped_recipe(name: str) -> RecipeFile:
    """A recipe that comes with Paseo."""
    if name not in shipped_recipes():
        raise UnknownName("recipe", name, shipped_recipes())
    with as_file(SHIPPED.joinpath(f"{name}.toml")) as path:
        return read_recipe(path)
