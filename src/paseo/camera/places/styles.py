"""What each place is built of, and what is at its edges and beyond them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cache

from paseo.camera.meshes import Colour, Material, Surface
from paseo.camera.places.paint.interiors import halls, shops
from paseo.camera.places.paint.leaves import bark, hedge, sprays, woods
from paseo.camera.places.paint.panes import (
    awning,
    house_front,
    posters,
    signs,
    windows,
)
from paseo.camera.places.paint.stones import (
    ashlar,
    asphalt,
    brick,
    cobbles,
    concrete,
    grass,
    plain,
    plaster,
    roof_tiles,
    slabs,
)
from paseo.camera.places.parts.facades import Ground, House
from paseo.camera.places.parts.furniture import Stuff
from paseo.camera.places.parts.trees import Growth


class Edge(Enum):
    """What stands on a wall of the floor plan."""

    HOUSE = "house"
    LOW_WALL = "low wall"
    HEDGE = "hedge"
    RAILING = "railing"
    BOLLARDS = "bollards"


class Beyond(Enum):
    """What one sees over a low edge."""

    LAWN = "lawn"
    STREET = "street"
    TRAM = "tram"
    SQUARE = "square"


class Compass(Enum):
    """The sides of a map; north is +y."""

    NORTH = "north"
    EAST = "east"
    SOUTH = "south"
    WEST = "west"


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a map that is open."""

    edge: Edge
    beyond: Beyond
    vista: bool = False  # the houses leave a gap through which the evening sun comes


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Style:
    """What a place is built of."""

    house: House
    floor: Material
    band: Material  # of the floor, before houses
    ground: Material  # as far as one sees
    lawn: Material
    road: Material
    kerb: Material
    low: Material  # of low walls
    stuff: Stuff
    green: Material  # of hedges
    bark: Material
    growth: Growth
    fronts: tuple[Material, ...]  # of houses far away
    roofs: tuple[Material, ...]
    woods: Material
    rails: Material
    paint: Material  # of lines on roads
    sides: Mapping[Compass, Side] = field(default_factory=dict)  # the others are houses
    beds: bool = False  # blocked areas are lawns, not houses
    shops_beyond: bool = True  # in the houses far away


WHITE, DARK = (0.75, 0.74, 0.70), (0.03, 0.035, 0.04)
LAWN = (0.27, 0.33, 0.15)
STONE, SLATE = (0.62, 0.61, 0.59), (0.36, 0.37, 0.40)
LEAVES = {"lime": (0.30, 0.40, 0.17), "plane": (0.36, 0.42, 0.21), "oak": (0.25, 0.34, 0.15)}
HIGH_STREET = ("Moda", "Cafe", "Books", "Shoes", "Optik", "Florist")
HOTEL = ("Hotel", "Restaurant", "Bar", "Bistro", "Bakery", "Tabac")


@cache
def _stuff(leaves: Colour, seed: int, metal: Colour) -> Stuff:
    return Stuff(
        wood=plain("planks", Surface.WOOD, (0.22, 0.12, 0.06)),
        metal=plain("iron", Surface.METAL, metal, roughness=0.5),
        stone=ashlar(STONE, 40 + seed),
        soil=plain("soil", Surface.FLOOR, (0.05, 0.035, 0.025)),
        lamp=replace(plain("lamp", Surface.GLASS, (0.85, 0.83, 0.76)), glow=(2.6, 2.1, 1.3)),
        glass=plain("frosted glass", Surface.GLASS, (0.42, 0.50, 0.50), roughness=0.2),
        poster=posters(seed),
        leaves=sprays(leaves, seed),
        tyre=plain("tyre", Surface.WALL, (0.02, 0.02, 0.022)),
    )


def _house(wall: Material, base: Material, frame: Colour) -> House:
    """A house without shops and halls; paint takes time, so who has them asks for them."""
    return House(
        wall=wall,
        base=base,
        frame=plain("frame", Surface.WOOD, frame),
        glass=windows(),
        lit=replace(windows(), glow=(1.9, 1.2, 0.6)),
        shop=windows(),
        hall=windows(),
        door=plain("door", Surface.WOOD, (0.10, 0.055, 0.03)),
    )


def _style(house: House, floor: Material, seed: int, *, tree: str, metal: Colour = DARK) -> Style:
    return Style(
        house=house,
        floor=floor,
        band=cobbles((0.50, 0.49, 0.47), seed + 3),
        ground=asphalt((0.52, 0.51, 0.50), seed + 5),
        lawn=grass(LAWN, seed + 1),
        road=asphalt((0.33, 0.33, 0.34), seed + 2),
        kerb=ashlar((0.60, 0.60, 0.58), seed + 4),
        low=ashlar((0.63, 0.60, 0.54), seed + 6),
        stuff=_stuff(LEAVES[tree], seed, metal),
        green=hedge(LEAVES["oak"], seed),
        bark=bark((0.42, 0.37, 0.31), seed),
        growth=Growth(),
        fronts=_fronts(seed),
        roofs=(roof_tiles((0.52, 0.30, 0.22), seed), roof_tiles(SLATE, seed + 1)),
        woods=woods((0.34, 0.43, 0.36), seed),
        rails=plain("rails", Surface.METAL, (0.25, 0.25, 0.26), roughness=0.3),
        paint=plain("lines", Surface.FLOOR, (0.62, 0.62, 0.60)),
    )


def _fronts(seed: int) -> tuple[Material, ...]:
    walls = ((0.86, 0.82, 0.72), (0.80, 0.66, 0.50), (0.74, 0.72, 0.70), (0.66, 0.40, 0.31),
             (0.83, 0.77, 0.60))  # fmt: skip
    frames = ((0.9, 0.89, 0.86), (0.25, 0.2, 0.17))
    chosen = (seed, seed + 1, seed + 3)
    return tuple(house_front(walls[k % 5], frames[k % 2], k) for k in chosen)


def _shopping_street() -> Style:
    house = replace(
        _house(brick((0.60, 0.30, 0.22), 1), ashlar((0.70, 0.66, 0.58), 6), WHITE),
        ground=Ground.SHOPS,
        shop=shops(HIGH_STREET, 1),
        awning=awning((0.16, 0.32, 0.42), 1),
        signs=signs(HIGH_STREET, 2),
        roof=roof_tiles((0.52, 0.30, 0.22), 1),
    )
    return replace(
        _style(house, slabs((0.60, 0.55, 0.48), 7, rows=8, tile_m=3.2), 1, tree="plane"),
        growth=Growth(height=6.2, crown=2.0),
        sides={
            Compass.SOUTH: Side(Edge.BOLLARDS, Beyond.STREET),
            Compass.EAST: Side(Edge.BOLLARDS, Beyond.STREET),
            Compass.NORTH: Side(Edge.LOW_WALL, Beyond.SQUARE),
            Compass.WEST: Side(Edge.BOLLARDS, Beyond.SQUARE, vista=True),
        },
    )


def _hotel_front() -> Style:
    cream = plaster((0.93, 0.91, 0.86), 4)
    house = replace(
        _house(cream, ashlar((0.76, 0.74, 0.70), 3), DARK),
        ground=Ground.GLASS,
        shop=shops(HOTEL, 4),
        hall=halls(4),
        shutters=plain("shutters", Surface.WOOD, (0.06, 0.13, 0.11)),
        awning=awning((0.55, 0.12, 0.12), 4),
        signs=signs(HOTEL, 5),
        storeys=3,
        roof=roof_tiles(SLATE, 3),
    )
    return replace(
        _style(
            house,
            slabs((0.53, 0.53, 0.53), 9, rows=8, tile_m=4.8, square=True),
            4,
            tree="lime",
            metal=(0.05, 0.09, 0.08),
        ),
        sides={
            Compass.SOUTH: Side(Edge.BOLLARDS, Beyond.TRAM),
            Compass.EAST: Side(Edge.HEDGE, Beyond.LAWN),
            Compass.WEST: Side(Edge.LOW_WALL, Beyond.SQUARE, vista=True),
        },
    )


def _tram_stop() -> Style:
    house = replace(
        _house(plaster((0.86, 0.72, 0.50), 2), ashlar((0.66, 0.62, 0.56), 6), WHITE),
        ground=Ground.SHOPS,
        shop=shops(HOTEL, 2),
        balconies=plain("railing", Surface.METAL, (0.03, 0.03, 0.035)),
        awning=awning((0.20, 0.38, 0.24), 2),
        signs=signs(HOTEL, 3),
        storeys=4,
        roof=roof_tiles((0.50, 0.30, 0.22), 2),
    )
    return replace(
        _style(house, cobbles((0.58, 0.53, 0.47), 8), 2, tree="plane"),
        growth=Growth(height=7.5, crown=2.3, slender=1.15),
        sides={
            Compass.SOUTH: Side(Edge.RAILING, Beyond.TRAM),
            Compass.EAST: Side(Edge.BOLLARDS, Beyond.STREET),
        },
    )


def _campus() -> Style:
    house = _house(brick((0.70, 0.58, 0.43), 5), plaster((0.74, 0.72, 0.68), 3), DARK)
    low = Side(Edge.LOW_WALL, Beyond.LAWN)
    return replace(
        _style(house, slabs((0.50, 0.49, 0.46), 10, rows=6, tile_m=3.6), 3, tree="lime"),
        ground=grass(LAWN, 4),
        low=brick((0.62, 0.44, 0.33), 8),
        growth=Growth(height=8.0, crown=2.7),
        sides={
            Compass.NORTH: Side(Edge.HEDGE, Beyond.LAWN),
            Compass.EAST: low,
            Compass.SOUTH: low,
            Compass.WEST: Side(Edge.HEDGE, Beyond.LAWN, vista=True),
        },
        beds=True,
        shops_beyond=False,
    )


def _entrance() -> Style:
    grey = concrete((0.82, 0.78, 0.70), 3)
    house = replace(
        _house(grey, concrete((0.72, 0.67, 0.60), 6), DARK),
        ground=Ground.GLASS,
        hall=halls(6),
        storeys=3,
        storey=3.3,
        bay=3.0,
        window=(2.5, 1.5),
        door=halls(6),
    )
    return replace(
        _style(
            house, slabs((0.55, 0.51, 0.46), 11, rows=4, tile_m=4.0, square=True), 6, tree="oak"
        ),
        low=grey,
        growth=Growth(height=9.0, crown=3.0),
        sides={
            Compass.NORTH: Side(Edge.LOW_WALL, Beyond.LAWN),
            Compass.EAST: Side(Edge.HEDGE, Beyond.LAWN),
            Compass.WEST: Side(Edge.RAILING, Beyond.SQUARE, vista=True),
        },
        ground=grass(LAWN, 7),
        shops_beyond=False,
    )


# Ways to build; a plan's name decides for one. Paint takes time: only what is used is made.
STYLES: tuple[Callable[[], Style], ...] = (
    cache(_shopping_street),
    cache(_hotel_front),
    cache(_tram_stop),
    cache(_campus),
    cache(_entrance),
)
BUILT = {"Zara": 0, "HotelSmall": 1, "DoubleHotel": 2, "Univ": 3, "ETH": 4}
