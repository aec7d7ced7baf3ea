"""What one sees beyond the low edges of a map: lawns, streets, tracks, houses, trees, woods."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from paseo.camera.meshes import Material
from paseo.camera.places.paint.interiors import SHOPS
from paseo.camera.places.paint.panes import cell
from paseo.camera.places.parts.furniture import (
    bench,
    bicycle_stand,
    bin_,
    lamp,
    planter,
    shelter,
)
from paseo.camera.places.parts.lines import UP, Wall
from paseo.camera.places.parts.quads import Part, Quads
from paseo.camera.places.parts.trees import Growth, grown, limb, plant
from paseo.camera.places.parts.vehicles import LENGTH, WIDTH, car
from paseo.camera.places.styles import Beyond, Style
from paseo.world.arrays import FloatArray

FAR = 140.0  # metres of ground around a place
RING = 105.0  # metres to the woods at the horizon
SUNK = -0.03  # metres: the ground far away lies under what is laid on it
GATE = 2.4  # metres to both sides of a way out that stay empty
SUNSET = np.array([np.cos(np.radians(158)), np.sin(np.radians(158))])  # 40 minutes before it
PARK = 55.0  # metres of lawn at its end
VISTA = 10.0  # metres to both sides of the way to it that stay open
OPEN_END = 34.0  # metres that a street goes on at an open end


@dataclass(frozen=True, slots=True, eq=False)
class Margin:
    """The strip behind an open side: its line, what goes on at its ends, and the ways out."""

    line: Wall
    ends: tuple[float, float]  # metres that it goes on to the left and to the right
    gates: tuple[float, ...]  # metres along the line
    vista: bool = False  # whether houses leave a gap for the evening sun

    def to_sun(self, depth: float) -> float:
        """Where along it, so deep, one sees the evening sun from its middle."""
        behind = -float(SUNSET @ self.line.front[:2])
        return self.line.length / 2 + depth * float(SUNSET @ self.line.along[:2]) / behind

    def is_before_sun(self, left: float, right: float, depth: float) -> bool:
        """Whether what stands there would keep the evening sun away."""
        if not self.vista:
            return False
        middle = self.to_sun(depth)
        return left < middle + VISTA and right > middle - VISTA

    def is_free(self, across: float, wide: float = 0.0) -> bool:
        """Whether nobody comes through there."""
        return all(abs(across - gate) > GATE + wide / 2 for gate in self.gates)

    def places(self, step: float, first: float, *, wide: float = 0.0) -> list[float]:
        """Places along it, `step` apart, where something so wide can stand."""
        left, right = -min(self.ends[0], 8.0), self.line.length + min(self.ends[1], 8.0)
        spots = np.arange(left + first, right - wide, step).tolist()
        return [each for each in spots if self.is_free(each + wide / 2, wide)]


@dataclass(frozen=True, slots=True, eq=False)
class Wood:
    """Trees that were grown once, to be put in many places."""

    near: Sequence[list[Part]]
    far: Sequence[list[Part]]

    def plant(self, quads: Quads, at: FloatArray, rng: np.random.Generator) -> None:
        """Put one that is seen closely."""
        self._plant(self.near, quads, at, rng)

    def plant_far(self, quads: Quads, at: FloatArray, rng: np.random.Generator) -> None:
        """Put one that is seen from far."""
        self._plant(self.far, quads, at, rng)

    @staticmethod
    def _plant(
        kinds: Sequence[list[Part]], quads: Quads, at: FloatArray, rng: np.random.Generator
    ) -> None:
        kind = kinds[int(rng.integers(len(kinds)))]
        plant(quads, kind, at, turn=rng.uniform(0, 6.28), scale=rng.uniform(0.82, 1.15))


def wood_of(style: Style, rng: np.random.Generator) -> Wood:
    """A few trees of a style."""
    shape = style.growth
    coarse = Growth(
        height=shape.height, crown=shape.crown, trunk=shape.trunk, slender=shape.slender, cards=80
    )
    outer, middle, _ = style.stuff.leaves
    few = outer, middle, middle  # shades of leaves: each makes edges, which cost time
    near = [grown(shape, style.stuff.leaves, style.bark, rng) for _ in range(3)]
    far = [grown(coarse, few, style.bark, rng) for _ in range(2)]
    return Wood(near, far)


def lay_horizon(quads: Quads, style: Style, middle: FloatArray) -> None:
    """Ground as far as one sees, and woods where it ends."""
    corner = np.array([middle[0] - FAR, middle[1] - FAR, SUNK])
    east, north = np.array([2 * FAR, 0.0, 0.0]), np.array([0.0, 2 * FAR, 0.0])
    quads.add(corner, east, north, style.ground)
    angles = np.linspace(0, -2 * np.pi, 25)  # clockwise, so that fronts are inside
    rim = np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1) * RING
    rim[:, :2] += middle
    for start, end in pairwise(rim):
        quads.show(start, end - start, UP * 15.0, style.woods, (0.0, 0.0, 0.5, 1.0))


def build_beyond(
    quads: Quads,
    margin: Margin,
    beyond: Beyond,
    style: Style,
    wood: Wood,
    rng: np.random.Generator,
) -> None:
    """All that is behind an open side."""
    if beyond is Beyond.LAWN:
        _lawn(quads, margin, style, wood, rng)
    elif beyond is Beyond.STREET:
        _street(quads, margin, style, wood, rng)
    elif beyond is Beyond.TRAM:
        _tram(quads, margin, style, wood, rng)
    else:
        _square(quads, margin, style, wood, rng)


def _strip(
    quads: Quads, margin: Margin, deep: tuple[float, float], up: float, material: Material
) -> None:
    """A strip of ground along a side, out to its open ends."""
    left, right = margin.ends
    line = margin.line
    corner = line.at(-left, up, deep[0])
    across = line.along * (line.length + left + right)
    quads.add(corner, across, -line.front * (deep[1] - deep[0]), material)


def _lawn(quads: Quads, margin: Margin, style: Style, wood: Wood, rng: np.random.Generator) -> None:
    line = margin.line
    _strip(quads, margin, (0.0, 26.0), 0.003, style.lawn)
    for gate in margin.gates:
        corner = line.at(gate - 1.2, 0.006, 0.0)
        quads.add(corner, line.along * 2.4, -line.front * 24.0, style.floor)
    for across in margin.places(7.5, 2.0, wide=1.7):
        bench(quads, line.at_line(across, 1.15), style.stuff)
        if rng.random() < 0.6:
            bin_(quads, line.at(across + 2.2, 0.0, 1.4), style.stuff)
    for across in margin.places(9.0, 5.6):
        lamp(quads, line.at(across, 0.0, 1.3), style.stuff)
    for depth, step in ((3.6, 6.0), (9.0, 7.0)):
        for across in margin.places(step, float(rng.uniform(0, 3))):
            spot = line.at(across + rng.uniform(-1, 1), 0.0, depth + rng.uniform(-1, 1.5))
            wood.plant(quads, spot, rng)
    for across in margin.places(6.0, 2.0):
        if not margin.is_before_sun(across, across, 17):
            wood.plant_far(quads, line.at(across, 0.0, 17 + rng.uniform(-2, 4)), rng)
    _houses(quads, margin, 27.0, style, wood, rng)


def _street(
    quads: Quads, margin: Margin, style: Style, wood: Wood, rng: np.random.Generator
) -> None:
    line, (left, right) = margin.line, margin.ends
    _strip(quads, margin, (0.0, 2.3), 0.002, style.band)
    _strip(quads, margin, (2.3, 9.2), 0.004, style.road)
    _strip(quads, margin, (9.2, 12.5), 0.006, style.floor)
    for depth in (2.2, 9.2):
        kerbstones = line.at(-left, 0.0, depth)
        quads.box(kerbstones, line.edges(line.length + left + right, 0.18, 0.11), style.kerb)
    for across in np.arange(-left, line.length + right, 4.5).tolist():
        dash = line.at(across, 0.008, 6.7)
        quads.add(dash, line.along * 2.2, -line.front * 0.12, style.paint)
    for across in margin.places(6.8, 1.4):
        spot = line.at(across, 0.0, 1.25)
        wood.plant(quads, spot, rng)
        grate = line.at(across - 0.6, 0.006, 0.65)
        quads.add(grate, line.along * 1.2, -line.front * 1.2, style.stuff.soil)
    for across in margin.places(6.8, 4.8):
        lamp(quads, line.at(across, 0.0, 1.5), style.stuff, height=4.6)
        if rng.random() < 0.5:
            bin_(quads, line.at(across + 0.6, 0.0, 1.5), style.stuff)
    for across in margin.places(LENGTH + 1.0, 0.4, wide=LENGTH):
        if rng.random() < 0.72:
            number = int(rng.integers(100))
            car(quads, line.at_line(across + rng.uniform(0, 0.5), 2.75), number)
    for across in np.arange(-min(left, 15.0), line.length, 9.0).tolist():
        far = line.at_line(float(across), 9.1 - WIDTH - 0.3)
        car(quads, far, int(rng.integers(100)))
    _houses(quads, margin, 12.5, style, wood, rng)


def _tram(quads: Quads, margin: Margin, style: Style, wood: Wood, rng: np.random.Generator) -> None:
    line, (left, right) = margin.line, margin.ends
    long = line.length + left + right
    _strip(quads, margin, (0.0, 2.6), 0.002, style.floor)
    _strip(quads, margin, (2.6, 9.4), 0.004, style.band)
    _strip(quads, margin, (9.4, 13.0), 0.006, style.floor)
    quads.box(line.at(-left, 0.0, 2.45), line.edges(long, 0.2, 0.16), style.kerb)
    for depth in (3.6, 5.04, 6.6, 8.04):
        quads.box(line.at(-left, 0.0, depth), line.edges(long, 0.07, 0.03), style.rails)
    for depth in (4.35, 7.35):
        wire = line.at(-left, 5.4, depth)
        quads.put(limb(wire, wire + line.along * long, 0.02, 0.02, 4, style.stuff.metal))
    shelter_at = line.length * 0.55
    if margin.is_free(shelter_at + 2.1, 4.2):
        shelter(quads, line.at_line(shelter_at, 0.55), style.stuff, rng=rng)
    for across in margin.places(8.5, 2.2):
        if abs(across - shelter_at - 2.1) > 3.5:
            lamp(quads, line.at(across, 0.0, 0.9), style.stuff, height=4.6)
            bin_(quads, line.at(across + 0.7, 0.0, 0.9), style.stuff)
            bench(quads, line.at_line(across + 1.3, 0.7), style.stuff)
    for across in margin.places(14.0, 6.0):
        foot = line.at(across, 0.0, 5.8)
        quads.put(limb(foot, foot + UP * 5.9, 0.09, 0.06, 8, style.stuff.metal))
        arm = foot + UP * 5.6
        quads.put(
            limb(arm + line.front * 1.7, arm - line.front * 1.7, 0.03, 0.03, 6, style.stuff.metal)
        )
    for across in margin.places(9.0, 3.0):
        wood.plant(quads, line.at(across, 0.0, 10.6), rng)
    _houses(quads, margin, 13.0, style, wood, rng)


def _square(
    quads: Quads, margin: Margin, style: Style, wood: Wood, rng: np.random.Generator
) -> None:
    line = margin.line
    _strip(quads, margin, (0.0, 16.0), 0.002, style.floor)
    stand = line.length * 0.3
    if margin.is_free(stand + 1.5, 3.5):
        bicycle_stand(quads, line.at_line(stand, 0.9), style.stuff, count=5, rng=rng)
    for across in margin.places(5.5, 0.8, wide=1.3):
        if abs(across - stand) > 4.2:
            planter(quads, line.at_line(across, 0.8), style.stuff, rng=rng)
    for across in margin.places(8.0, 3.4, wide=1.7):
        bench(quads, line.at_line(across, 3.0), style.stuff)
    for across in margin.places(7.0, 1.5):
        wood.plant(quads, line.at(across, 0.0, 5.0 + rng.uniform(-0.6, 0.6)), rng)
        lamp(quads, line.at(across + 3.0, 0.0, 4.4), style.stuff, height=4.4)
    _houses(quads, margin, 16.0, style, wood, rng)


def _houses(
    quads: Quads,
    margin: Margin,
    depth: float,
    style: Style,
    wood: Wood,
    rng: np.random.Generator,
) -> None:
    """A row of houses of many heights, as one sees them from afar."""
    line, (left, right) = margin.line, margin.ends
    across = -left
    while across < line.length + right:
        wide = float(rng.uniform(8.5, 14.0))
        spot = line.at_line(across, depth + rng.uniform(0, 0.3))
        if not margin.is_before_sun(across, across + wide, depth):
            _house(quads, spot, wide, style, rng)
        across += wide + (0.0 if rng.random() < 0.65 else float(rng.uniform(3, 7)))
    if margin.vista:
        _park(quads, margin, depth + 10.0, style, wood, rng)


def _park(
    quads: Quads,
    margin: Margin,
    depth: float,
    style: Style,
    wood: Wood,
    rng: np.random.Generator,
) -> None:
    """A lawn with trees to both sides of the way to the evening sun, behind the houses."""
    line = margin.line
    corner = line.at(-PARK, SUNK / 2, depth)
    quads.add(corner, line.along * (line.length + 2 * PARK), -line.front * PARK, style.lawn)
    for away in np.arange(depth + 3, depth + 45, 6.0).tolist():
        for side in (-1, 1):
            across = margin.to_sun(away) + side * (0.5 * VISTA + float(rng.uniform(0, 14)))
            wood.plant_far(quads, line.at(across, 0.0, away), rng)


def _house(quads: Quads, front: Wall, wide: float, style: Style, rng: np.random.Generator) -> None:
    storeys = int(rng.integers(1, 4))
    material = style.fronts[int(rng.integers(len(style.fronts)))]
    low = 3.1 if style.shops_beyond else 0.0
    high, deep = 3.1 * (storeys + 1), 9.0
    across, back = front.along * wide, -front.front * deep
    bays = max(2, round(wide / 2.7))
    spread = (0.0, 0.0, bays / 4, (high - low) / 9.3)
    quads.show(front.at(0, low), across, UP * (high - low), material, spread)
    if style.shops_beyond:
        _shops(quads, front, wide, style, rng)
    else:
        quads.box(front.at(0, 0, -0.06), front.edges(wide, 0.06, 0.6), style.house.base)
    quads.closed_box(front.at(-0.05, 3.0, -0.15), front.edges(wide + 0.1, 0.2, 0.2),
                     style.house.base)  # fmt: skip
    quads.closed_box(front.at(-0.1, high, -0.35), front.edges(wide + 0.2, 0.5, 0.25),
                     style.house.base)  # fmt: skip
    blank = (0.02, 0.70, 0.05, 0.72)  # wall without a window
    quads.show(front.at(0, 0, deep), -back, UP * high, material, blank)
    quads.show(front.at(wide, 0), back, UP * high, material, blank)
    roof = style.roofs[int(rng.integers(len(style.roofs)))]
    slope = -front.front * (deep / 2 + 0.3) + UP * 3.2
    quads.add(front.at(-0.15, high + 0.2, -0.3), across + 0.3 * front.along, slope, roof)
    for across_to, along in ((0.0, 1.0), (wide, -1.0)):
        gable = np.array([front.at(across_to, high, 0.0), front.at(across_to, high, deep),
                          front.at(across_to, high + 3.1, deep / 2)])  # fmt: skip
        order = np.array([[0, 2, 1]] if along > 0 else [[0, 1, 2]])
        outward = np.tile(-along * front.along, (3, 1))
        quads.put(Part(gable, order, np.full((3, 2), 0.03), outward, style.house.base))
    stack = front.at(float(rng.uniform(1, wide - 2)), high + 1.6, 2.4)
    quads.box(stack, front.edges(0.9, 0.6, 2.2), style.low)


def _shops(quads: Quads, front: Wall, wide: float, style: Style, rng: np.random.Generator) -> None:
    """The ground floor of a house far away."""
    bay = wide / 3
    quads.add(front.at(0, 0), front.along * wide, UP * 3.1, style.house.base)
    for k in range(3):
        pane = front.at(k * bay + 0.35, 0.5, -0.02)
        shop = cell(int(rng.integers(16)), *SHOPS)
        quads.show(pane, front.along * (bay - 0.7), UP * 2.0, style.house.shop, shop)
