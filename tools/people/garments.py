"""Tops, trousers and shoes cut from the base mesh's tights, and skirts that hang around legs."""

from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from basis import Basis, Figure, Floats, Ints
from cutting import Cut, clipped, loops, point_normals, subdivided
from drape import (
    Axis,
    Fit,
    creased,
    hung,
    limb_folds,
    pushed_out,
    smoothed,
    trunk_folds,
    tube_radii,
)
from shapes import FINGERS, SKIN, Shape, shape

ARM = (
    "upperarm",
    "lowerarm",
    "hand",
    *(f"{finger}_0{k}" for finger in (*FINGERS, "thumb") for k in (1, 2, 3)),
)
CRUMPLES = {"arm": (0.5, 0.93), "leg": (0.06, 0.52, 0.97)}  # shares of a limb's length
LEG = ("calf", "foot", "ball", "thigh")


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A piece of a person: what is the same for everyone who has it, and where its points are."""

    name: str
    points: Floats  # (points, 3)
    triangles: Ints  # (triangles, 3)
    uv: Floats  # (points, 2) metres for cloth, 0 to 1 else
    weights: Floats  # (points, bones)
    slots: Ints  # (triangles,), places in `slot_names`
    slot_names: tuple[str, ...]
    weld: Ints = field(default_factory=lambda: np.zeros(0, dtype=int))  # same place, other uv


@dataclass(frozen=True, slots=True, kw_only=True)
class Top:
    """A garment of the trunk. Sleeves: 0 none, 1 to the elbow, 2 to the wrist."""

    sleeve: float
    hem: float  # metres above the crotch, on the reference body
    neck: float  # metres above the base of the neck
    vee: float = 0.0  # depth of the neckline's V, metres
    opening: float = 0.0  # half width of an open front at the hem, metres
    collar: str = "band"  # band, fold, hood, lapel or none
    fit: Fit
    sleeve_ease: float = 0.012


@dataclass(frozen=True, slots=True, kw_only=True)
class Bottom:
    """Trousers. Legs: 1 to the knee, 2 to the ankle."""

    leg: float
    fit: Fit


@dataclass(frozen=True, slots=True, kw_only=True)
class Skirt:
    """A tube around both legs from the waist down. Length: 1 to the knee, 2 to the ankle."""

    length: float
    fit: Fit
    opening: float = 0.0
    follow: float = 0.97  # how much it goes with the legs; what is wide needs less
    waist: float = 0.17  # metres above the crotch where it begins


@cache
def reference(basis: Basis) -> Shape:
    """The body on which lengths of garments are measured."""
    figure = Figure(
        male=0.5, age=0.5, muscle=0.5, weight=0.5, height=0.5, cup=0.4, race={"caucasian": 1.0}
    )
    return shape(basis, figure, 1.7, seed=0, face=0.0)


def bone(basis: Basis, name: str) -> int:
    """The number of a bone."""
    return basis.bones[0].index(name)


def carried(basis: Basis, weights: Floats, names: tuple[str, ...], side: str) -> Floats:
    """How much of each point hangs on these bones of a side."""
    total: Floats = weights[:, [bone(basis, f"{name}_{side}") for name in names]].sum(axis=1)
    return total


def axes(basis: Basis, body: Shape) -> dict[str, tuple[Axis, tuple[float, float]]]:
    """The lines cloth hangs around, each with the span of it that counts."""
    at = dict(zip(basis.bones[0], body.joints, strict=True))
    front = np.array([1.0, 0.0, 0.0])
    found = {}
    for side in "lr":
        arm = [at[f"{name}_{side}"] for name in ("upperarm", "lowerarm", "hand")]
        leg = [at[f"{name}_{side}"] for name in ("thigh", "calf", "foot")]
        length = float(np.linalg.norm(leg[2] - leg[0]))
        reach = float(np.linalg.norm(arm[2] - arm[0]))
        found[f"arm_{side}"] = (Axis(*arm, front), (0.13 * reach, 1.02 * reach))
        found[f"leg_{side}"] = (Axis(*leg, front), (0.12 * length, 1.02 * length))
    top = at["upperarm_l"][2] - 0.07 * np.linalg.norm(at["spine_03"] - at["pelvis"]) / 0.3
    x = (at["spine_02"][0] + at["pelvis"][0]) / 2 + 0.02
    begin, end = np.array([x, 0.0, top]), np.array([x, 0.0, crotch(body) - 0.02])
    found["trunk"] = (Axis(begin, (begin + end) / 2, end, front), (0.0, float(top - end[2])))
    return found


def crotch(body: Shape) -> float:
    """How high the legs begin, metres."""
    skin = body.points[SKIN]
    middle = skin[(abs(skin[:, 1]) < 0.006) & (skin[:, 2] < 0.7 * skin[:, 2].max())]
    return float(middle[:, 2].min())


@cache
def suit(basis: Basis) -> Cut:
    """The tights that cover all but head and hands, subdivided."""
    return subdivided(basis.grids["helper-tights"].quads, len(basis.points))


def limb_places(basis: Basis, cut: Cut, names: tuple[str, ...], tube: str) -> tuple[Floats, Floats]:
    """How far along a limb the points of a cut lie (0 to 2), and how much they belong to it."""
    ref = reference(basis)
    axis, _ = axes(basis, ref)[tube]
    along = axis.polar(cut.mixture @ ref.points)[0]
    length = np.linalg.norm(axis.end - axis.begin)
    return 2 * along / length, carried(basis, cut.mixture @ basis.weights, names, tube[-1])


@cache
def top_cut(basis: Basis, top: Top) -> Cut:
    """The cloth of a top, hemmed along clean lines."""
    cut, ref = suit(basis), reference(basis)
    floor, neck = crotch(ref), ref.joints[bone(basis, "neck_01")]
    for side in "lr":
        along, part = limb_places(basis, cut, ARM, f"arm_{side}")
        out = along - top.sleeve if top.sleeve > 0.1 else part - 0.33
        cut = clipped(cut, np.where(part > 0.25, out, -1.0))
    here = cut.mixture @ ref.points
    arms = sum(carried(basis, cut.mixture @ basis.weights, ARM, side) for side in "lr")
    cut = clipped(cut, np.where(arms > 0.5, -1.0, floor + top.hem - here[:, 2]))
    here = cut.mixture @ ref.points
    round_neck = here[:, 2] + 0.5 * (here[:, 0] - neck[0]) - neck[2] - top.neck
    value = np.where(here[:, 2] > neck[2] - 0.15, round_neck, -1.0)
    if top.vee:
        point = neck[2] + top.neck - 0.03 - top.vee
        wedge = here[:, 2] - point - 1.7 * abs(here[:, 1])
        value = np.maximum(value, np.where(here[:, 0] > neck[0] + 0.02, wedge, -1.0))
    cut = clipped(cut, value)
    if top.opening:
        here = cut.mixture @ ref.points
        up = (here[:, 2] - floor - top.hem) / (neck[2] - floor - top.hem)
        half = top.opening * (1 - 0.25 * up)
        cut = clipped(cut, np.where(here[:, 0] > neck[0] - 0.01, half - abs(here[:, 1]), -1.0))
    return cut


@cache
def bottom_cut(basis: Basis, bottom: Bottom) -> Cut:
    """The cloth of trousers."""
    cut, ref = suit(basis), reference(basis)
    here = cut.mixture @ ref.points
    arms = sum(carried(basis, cut.mixture @ basis.weights, ARM, side) for side in "lr")
    cut = clipped(cut, np.maximum(here[:, 2] - crotch(ref) - 0.2, arms - 0.3))
    for side in "lr":
        along, part = limb_places(basis, cut, LEG, f"leg_{side}")
        cut = clipped(cut, np.where(part > 0.4, along - bottom.leg, -1.0))
    return cut


def draped(
    basis: Basis, body: Shape, cut: Cut, fits: dict[str, Fit], inner: tuple[Floats, Floats]
) -> Floats:
    """Where a cut's points lie on a body: hung from it, ironed, clear of what is inside."""
    points = cut.mixture @ body.points
    weights = cut.mixture @ basis.weights
    suit_points = suit(basis).mixture @ body.points
    suit_weights = suit(basis).mixture @ basis.weights
    moves = np.zeros_like(points)
    limbs, folds = np.zeros((2, len(points)))
    for name, (axis, span) in axes(basis, body).items():
        if name == "trunk" or name not in fits:
            continue
        bones = ARM if name.startswith("arm") else LEG
        share = np.clip(carried(basis, weights, bones, name[-1]) * 1.6 - 0.4, 0, 1)
        begin, fade = (0.6, 0.8) if name.startswith("leg") else (-0.2, 1.3)
        share *= np.clip((axis.polar(points)[0] - span[0] * begin) / (span[0] * fade), 0, 1)
        of_limb = carried(basis, suit_weights, bones, name[-1]) > 0.5
        radii = tube_radii(axis, suit_points[of_limb], fits[name], span)
        moves += share[:, None] * hung(axis, points, radii, span, fits[name])
        limbs += share
        folds += share * limb_folds(axis, points, CRUMPLES[name[:3]], len(points))
    if "trunk" in fits:
        axis, span = axes(basis, body)["trunk"]
        arms = carried(basis, suit_weights, ARM, "l") + carried(basis, suit_weights, ARM, "r")
        radii = tube_radii(axis, suit_points[arms < 0.3], fits["trunk"], span)
        below = np.clip(axis.polar(points)[0] / 0.06 + 0.5, 0, 1)
        share = below * np.clip(1 - limbs, 0, 1)
        moves += share[:, None] * hung(axis, points, radii, span, fits["trunk"])
        folds += share * trunk_folds(axis, points, len(points))
    fit = next(iter(fits.values()))
    points = smoothed(points + moves, cut.triangles, 3)
    points = pushed_out(points, *inner, fit.gap)
    points = smoothed(points, cut.triangles, 1)
    points = creased(points, cut.triangles, 1.8 * fit.folds * folds)
    return pushed_out(points, *inner, fit.gap * 0.8)


def off_legs(basis: Basis, weights: Floats) -> Floats:
    """Weights of a top: its hem hangs from the pelvis and goes with the legs by half."""
    legs = [bone(basis, f"{name}_{side}") for name in LEG for side in "lr"]
    weights = weights.copy()
    weights[:, bone(basis, "pelvis")] += 0.55 * weights[:, legs].sum(axis=1)
    weights[:, legs] *= 0.45
    return weights


def rings_added(
    points: Floats, triangles: Ints, ring: Ints, profile: list[Floats]
) -> tuple[Floats, Ints, Ints]:
    """A strip of rings sewn to a boundary: points, triangles, and which point each grew from."""
    origin = np.arange(len(points))
    last = ring
    for offsets in profile:
        fresh = np.arange(len(ring)) + len(points)
        points = np.concatenate([points, points[ring] + offsets])
        origin = np.concatenate([origin, ring])
        after, fresh_after = np.roll(last, -1), np.roll(fresh, -1)
        strip = np.concatenate(
            [np.stack([after, last, fresh], 1), np.stack([after, fresh, fresh_after], 1)]
        )
        triangles = np.concatenate([triangles, strip])
        last = fresh
    return points, triangles, origin


def collar_profile(points: Floats, ring: Ints, style: str, size: float) -> list[Floats]:
    """How a collar's rings stand off the neckline; `size` is the body's height by 1.7 m."""
    centre = points[ring].mean(axis=0)
    out = points[ring] - centre
    out[:, 2] = 0
    out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9)
    up = np.array([0.0, 0.0, 1.0])
    front = out[:, :1].clip(0, 1)  # 1 where the neckline faces forward
    back = (-out[:, :1]).clip(0, 1)
    if style == "band":
        rise, lean = [0.006, 0.014, 0.010], [0.002, -0.004, -0.010]
        steps = [r * up - [0, 0, 0] + k * out for r, k in zip(rise, lean, strict=True)]
    elif style == "hood":
        steps = [
            (0.012 + 0.012 * back) * up + (0.018 + 0.03 * back) * out,
            (0.030 + 0.030 * back) * up + (0.022 + 0.05 * back) * out,
            (0.045 + 0.045 * back) * up + (0.004 + 0.012 * back) * out,
            (0.028 + 0.015 * back) * up - (0.014 - 0.004 * back) * out,
            (0.000 - 0.010 * back) * up - 0.012 * out,
        ]
    else:
        tall = 1.0 if style == "fold" else 1.35
        steps = [
            0.012 * up * tall - 0.001 * out,
            (0.026 - 0.012 * front) * up * tall + 0.001 * out,
            (0.027 - 0.014 * front) * up * tall + 0.006 * out,
            (0.010 - 0.014 * front) * up * tall + (0.012 + 0.006 * front) * out,
            (-0.008 - 0.028 * front) * up + (0.017 + 0.010 * front) * out,
        ]
    high = points[ring, 2].max()
    near = np.clip((points[ring, 2] - high + 0.16 * size) / (0.06 * size), 0, 1)[:, None]
    return [step * size * near for step in steps]


def hem_profile(points: Floats, triangles: Ints, ring: Ints) -> list[Floats]:
    """Cloth turned in at a hem, so that it shows its thickness."""
    normals = point_normals(points, triangles)[ring]
    inward = points[ring].mean(axis=0) - points[ring]
    inward /= np.maximum(np.linalg.norm(inward, axis=1, keepdims=True), 1e-9)
    return [-0.0045 * normals, -0.0045 * normals + 0.012 * inward]


def sewn(basis: Basis, name: str, points: Floats, cut: Cut, *, collar: str, size: float) -> Part:
    """A garment's part: hems turned in, a collar on the ring around the neck, no uv yet."""
    triangles, weights = cut.triangles, cut.mixture @ basis.weights
    if name.startswith("top"):
        weights = off_legs(basis, weights)
    slots = np.zeros(len(triangles), dtype=int)
    rings = [ring for ring in loops(triangles) if len(ring) > 8]
    highest = max(rings, key=lambda ring: float(points[ring, 2].mean()))
    for ring in rings:
        trim = ring is highest and collar != "none"
        profile = (
            collar_profile(points, ring, collar, size)
            if trim
            else hem_profile(points, triangles, ring)
        )
        points, triangles, origin = rings_added(points, triangles, ring, profile)
        weights = weights[origin[: len(points)]] if len(origin) > len(weights) else weights
        fresh = len(triangles) - len(slots)
        slots = np.concatenate([slots, np.full(fresh, int(trim))])
    uv = np.zeros((len(points), 2))
    return Part(name, points, triangles, uv, weights, slots, ("main", "trim"))


def with_fabric_uv(basis: Basis, part: Part, on_reference: Floats) -> Part:
    """The part with uv in metres around and along its tubes, split where these meet or wrap."""
    tubes = axes(basis, reference(basis))
    regions = np.zeros(len(part.triangles), dtype=int)
    names = ["trunk", *[name for name in tubes if name != "trunk"]]
    for place, name in enumerate(names[1:], 1):
        bones = ARM if name.startswith("arm") else LEG
        share = carried(basis, part.weights, bones, name[-1])[part.triangles].mean(axis=1)
        regions[share > 0.5] = place
    corner_uv = np.zeros((len(part.triangles), 3, 2))
    for place, name in enumerate(names):
        axis, _ = tubes[name]
        along, angle, _, _ = axis.polar(on_reference)
        mine = regions == place
        turn = angle[part.triangles[mine]]
        wraps = turn.max(axis=1) - turn.min(axis=1) > np.pi
        turn = np.where(wraps[:, None] & (turn < 0), turn + 2 * np.pi, turn)
        around = {"t": 0.16, "a": 0.05, "l": 0.08}[name[0]]
        corner_uv[mine] = np.stack([turn * around, -along[part.triangles[mine]]], axis=-1)
    key = np.concatenate(
        [part.triangles.reshape(-1, 1), np.round(corner_uv.reshape(-1, 2) * 1e4)], axis=1
    ).astype(int)
    rows, first, place = np.unique(key, axis=0, return_index=True, return_inverse=True)
    origin = rows[:, 0]
    _, same = np.unique(origin, return_index=True)
    weld = same[np.searchsorted(np.unique(origin), origin)]
    return replace(
        part,
        points=part.points[origin],
        triangles=place.reshape(-1, 3),
        uv=corner_uv.reshape(-1, 2)[first],
        weights=part.weights[origin],
        weld=weld,
    )
