"""Clothes by name, and how a person is dressed in them from the inside out."""

from dataclasses import replace
from functools import cache

import numpy as np

from basis import Basis, Floats
from cutting import point_normals
from drape import Fit
from garments import (
    ARM,
    Bottom,
    Part,
    Skirt,
    Top,
    bottom_cut,
    carried,
    draped,
    reference,
    sewn,
    top_cut,
    with_fabric_uv,
)
from heads import triangulated
from legwear import shoes, skirt_part
from shapes import SKIN, Shape

TOPS = {
    "under": Top(
        sleeve=0.3,
        hem=0.05,
        neck=0.0,
        fit=Fit(gap=0.006, ease=0.005, taper=0.3, hang=0.8),
        sleeve_ease=0.003,
    ),
    "under_shirt": Top(
        sleeve=0.3,
        hem=0.05,
        neck=-0.004,
        collar="fold",
        fit=Fit(gap=0.006, ease=0.006, taper=0.3, hang=0.8),
        sleeve_ease=0.003,
    ),
    "tee": Top(
        sleeve=0.72,
        hem=0.02,
        neck=0.0,
        fit=Fit(gap=0.009, ease=0.014, taper=0.10, hang=0.92, flare=0.014),
        sleeve_ease=0.018,
    ),
    "slim_tee": Top(
        sleeve=0.5,
        hem=0.06,
        neck=-0.012,
        fit=Fit(gap=0.007, ease=0.006, taper=0.35, hang=0.8, flare=0.014),
        sleeve_ease=0.010,
    ),
    "tank": Top(
        sleeve=0.0,
        hem=0.05,
        neck=-0.035,
        collar="none",
        fit=Fit(gap=0.007, ease=0.008, taper=0.25, hang=0.85),
    ),
    "vneck": Top(
        sleeve=1.95,
        hem=0.03,
        neck=0.0,
        vee=0.07,
        collar="none",
        fit=Fit(gap=0.010, ease=0.014, taper=0.15, hang=0.9, flare=0.014),
    ),
    "jumper": Top(
        sleeve=1.97,
        hem=0.035,
        neck=0.004,
        fit=Fit(gap=0.013, ease=0.022, taper=0.16, hang=0.95, flare=0.014, folds=0.004),
        sleeve_ease=0.016,
    ),
    "shirt": Top(
        sleeve=1.95,
        hem=0.0,
        neck=-0.004,
        collar="fold",
        fit=Fit(gap=0.009, ease=0.016, taper=0.08, hang=0.95, flare=0.014, folds=0.003),
        sleeve_ease=0.015,
    ),
    "polo": Top(
        sleeve=0.72,
        hem=0.02,
        neck=-0.004,
        collar="fold",
        fit=Fit(gap=0.009, ease=0.013, taper=0.10, hang=0.92, flare=0.014),
        sleeve_ease=0.016,
    ),
    "blouse": Top(
        sleeve=1.6,
        hem=0.05,
        neck=-0.006,
        vee=0.05,
        collar="none",
        fit=Fit(gap=0.009, ease=0.020, taper=0.06, hang=0.95, flare=0.01, folds=0.003),
        sleeve_ease=0.022,
    ),
    "hoodie": Top(
        sleeve=2.0,
        hem=0.03,
        neck=-0.006,
        collar="hood",
        fit=Fit(gap=0.014, ease=0.030, taper=0.20, hang=0.97, flare=0.014, folds=0.005),
        sleeve_ease=0.015,
    ),
    "jacket": Top(
        sleeve=1.98,
        hem=-0.01,
        neck=-0.004,
        opening=0.045,
        collar="lapel",
        fit=Fit(gap=0.011, ease=0.022, taper=0.05, hang=0.97, folds=0.003),
        sleeve_ease=0.009,
    ),
    "zip": Top(
        sleeve=1.98,
        hem=0.02,
        neck=0.0,
        collar="lapel",
        fit=Fit(gap=0.011, ease=0.026, taper=0.12, hang=0.97, flare=0.014, folds=0.005),
        sleeve_ease=0.013,
    ),
    "cardigan": Top(
        sleeve=1.95,
        hem=-0.02,
        neck=-0.006,
        opening=0.060,
        collar="none",
        fit=Fit(gap=0.010, ease=0.022, taper=0.04, hang=0.97, folds=0.004),
        sleeve_ease=0.010,
    ),
    "coat": Top(
        sleeve=2.0,
        hem=0.13,
        neck=0.0,
        opening=0.022,
        collar="lapel",
        fit=Fit(gap=0.013, ease=0.030, taper=0.10, hang=0.97, folds=0.003),
        sleeve_ease=0.010,
    ),
    "bodice": Top(
        sleeve=0.0,
        hem=0.12,
        neck=-0.03,
        collar="none",
        fit=Fit(gap=0.007, ease=0.005, taper=0.4, hang=0.75),
    ),
    "bodice_sleeves": Top(
        sleeve=0.6,
        hem=0.12,
        neck=-0.01,
        collar="none",
        fit=Fit(gap=0.008, ease=0.008, taper=0.35, hang=0.8),
        sleeve_ease=0.016,
    ),
    "tucked": Top(
        sleeve=0.62,
        hem=0.12,
        neck=-0.004,
        fit=Fit(gap=0.008, ease=0.014, taper=0.12, hang=0.9),
        sleeve_ease=0.016,
    ),
}
BOTTOMS = {
    "jeans": Bottom(leg=1.97, fit=Fit(gap=0.007, ease=0.010, taper=0.13, hang=0.85, folds=0.004)),
    "slim": Bottom(leg=1.93, fit=Fit(gap=0.005, ease=0.004, taper=0.35, hang=0.7, folds=0.003)),
    "chinos": Bottom(leg=1.95, fit=Fit(gap=0.008, ease=0.016, taper=0.10, hang=0.95, folds=0.003)),
    "wide": Bottom(
        leg=1.99, fit=Fit(gap=0.008, ease=0.018, taper=0.05, hang=1.0, flare=0.012, folds=0.003)
    ),
    "leggings": Bottom(leg=1.90, fit=Fit(gap=0.004, ease=0.001, taper=1.0, hang=0.3, folds=0.0006)),
    "shorts": Bottom(leg=0.92, fit=Fit(gap=0.009, ease=0.022, taper=0.0, hang=0.95, folds=0.004)),
    "short_shorts": Bottom(
        leg=0.55, fit=Fit(gap=0.008, ease=0.016, taper=0.0, hang=0.95, folds=0.003)
    ),
}
SKIRTS = {
    "skirt": Skirt(
        length=0.96,
        follow=0.62,
        fit=Fit(gap=0.01, ease=0.012, taper=-0.10, hang=1, flare=0.06, folds=0.009),
    ),
    "pencil": Skirt(
        length=0.98, fit=Fit(gap=0.01, ease=0.012, taper=0.0, hang=1, flare=0.012, folds=0.002)
    ),
    "mini": Skirt(
        length=0.70,
        follow=0.55,
        fit=Fit(gap=0.01, ease=0.012, taper=-0.16, hang=1, flare=0.04, folds=0.008),
    ),
    "long": Skirt(
        length=1.55,
        follow=0.6,
        fit=Fit(gap=0.01, ease=0.014, taper=-0.08, hang=1, flare=0.075, folds=0.014),
    ),
    "coat_tails": Skirt(
        length=0.78,
        follow=0.5,
        waist=0.19,
        opening=0.16,
        fit=Fit(gap=0.012, ease=0.022, taper=-0.05, hang=1, flare=0.03, folds=0.004),
    ),
}
SHOES = {"low": 0.075, "trainers": 0.095, "boots": 0.15}
Surface = tuple[Floats, Floats]


def trunk_fit(fit: Fit) -> Fit:
    """How trousers sit above the legs."""
    return replace(fit, ease=0.004, taper=1.0, hang=0.6, flare=0.0)


def top_on(basis: Basis, name: str, body: Shape, inner: Surface) -> Part:
    """A top on a body, its uv not yet laid."""
    top = TOPS[name]
    cut = top_cut(basis, top)
    arm = replace(top.fit, ease=top.sleeve_ease, taper=0.07, flare=0.0)
    points = draped(basis, body, cut, {"trunk": top.fit, "arm_l": arm, "arm_r": arm}, inner)
    return sewn(basis, f"top-{name}", points, cut, collar=top.collar, size=stature(body))


def bottom_on(basis: Basis, name: str, body: Shape, inner: Surface) -> Part:
    """Trousers on a body, their uv not yet laid."""
    bottom = BOTTOMS[name]
    cut = bottom_cut(basis, bottom)
    fits = {"leg_l": bottom.fit, "leg_r": bottom.fit, "trunk": trunk_fit(bottom.fit)}
    points = draped(basis, body, cut, fits, inner)
    return sewn(basis, f"bottom-{name}", points, cut, collar="none", size=stature(body))


def stature(body: Shape) -> float:
    """Height by that of the reference."""
    return float(body.points[SKIN, 2].max()) / 1.7


def skin_surface(basis: Basis, body: Shape) -> Surface:
    """Points and normals of the skin."""
    skin = body.points[SKIN]
    return skin, point_normals(skin, triangulated(basis.grids["body"].quads))


def over(inner: Surface, part: Part) -> Surface:
    """What the next layer must stay out of, with this part put on."""
    normals = point_normals(part.points, part.triangles)
    return np.concatenate([inner[0], part.points]), np.concatenate([inner[1], normals])


@cache
def on_reference(basis: Basis, kind: str, name: str) -> Part:
    """A garment on the reference body: there its fabric is laid out."""
    body = reference(basis)
    put_on = top_on if kind == "top" else bottom_on
    return put_on(basis, name, body, skin_surface(basis, body))


def without_arms(basis: Basis, inner: Surface, weights: Floats) -> Surface:
    """The same surface without arms and hands, which hang beside a skirt."""
    arms = sum(carried(basis, weights, ARM, side) for side in "lr")
    keep = np.asarray(arms) < 0.2
    return inner[0][keep], inner[1][keep]


def dressed(basis: Basis, body: Shape, clothes: dict[str, str]) -> list[tuple[str, Part]]:
    """The garments of a person with their roles, from the inside out.

    Roles are `shoes`, `bottom`, `inner` (a top under a jacket), `top`, `skirt` and `tails`.
    """
    inner = skin_surface(basis, body)
    weights = basis.weights[SKIN]
    worn: list[tuple[str, Part]] = [
        ("shoes", shoes(basis, f"shoes-{clothes['shoes']}", body, SHOES[clothes["shoes"]]))
    ]
    for role in ("bottom", "inner", "top"):
        if role not in clothes:
            continue
        kind = "bottom" if role == "bottom" else "top"
        put_on = bottom_on if role == "bottom" else top_on
        part = put_on(basis, clothes[role], body, inner)
        inner = over(inner, part)
        weights = np.concatenate([weights, part.weights])
        laid = on_reference(basis, kind, clothes[role])
        worn.append((role, with_fabric_uv(basis, part, laid.points)))
    for role in ("skirt", "tails"):
        if role in clothes:
            name = clothes[role]
            around = without_arms(basis, inner, weights)
            worn.append((role, skirt_part(basis, f"skirt-{name}", body, SKIRTS[name], around)))
    return worn
