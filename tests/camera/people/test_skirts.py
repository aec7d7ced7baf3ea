"""Legs stay inside skirts while they stride."""

import numpy as np
import pytest

from paseo.camera.gait.bones.clips import free_walk
from paseo.camera.people.library import SHIPPED, checked_bytes
from paseo.camera.people.packing import Archive, Person

SKIRTS = {"skirt-skirt", "skirt-mini", "skirt-long", "skirt-pencil"}  # coats are open in front
ARCHIVE = Archive(checked_bytes(SHIPPED))
WEARERS = [
    person
    for person in ARCHIVE.contents.people
    if any(each.template in SKIRTS for each in person.pieces)
]
THIGH = free_walk().hip - free_walk().tilt  # against the vertical when walking
FORWARD, BACK = THIGH.max(), -THIGH.min()


def strode(person: Person, template: str, forward: float, back: float) -> np.ndarray:
    """The points of a part when the left leg has swung forward and the right one back."""
    names, points = ARCHIVE.contents.bones, ARCHIVE.points(person, template).astype(float)
    shape = ARCHIVE.template(template)
    moved = np.zeros_like(points)
    for bone, name in enumerate(names):
        weight = (shape.weights * (shape.bones == bone)).sum(axis=1)[:, None]
        side = name[-1] if name.startswith(("thigh", "calf", "foot", "ball")) else ""
        angle = {"l": -forward, "r": back, "": 0.0}[side]
        hip = np.array(person.joints[names.index(f"thigh_{side or 'l'}")])
        turn = np.array(
            [[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]]
        )
        moved += weight * ((points - hip) @ turn.T + hip)
    return moved


def met(starts: np.ndarray, ways: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Which rays meet one of the triangles, (triangles, 3, 3)."""
    a, first, second = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    found = np.zeros(len(starts), dtype=bool)
    for ray, (start, way) in enumerate(zip(starts, ways, strict=True)):
        cross = np.cross(way, second)
        size = (first * cross).sum(axis=1)
        size = np.where(np.abs(size) < 1e-12, 1e-12, size)
        u = ((start - a) * cross).sum(axis=1) / size
        around = np.cross(start - a, first)
        v = around @ way / size
        far = (second * around).sum(axis=1) / size
        found[ray] = ((u >= 0) & (v >= 0) & (u + v <= 1) & (far > -0.004)).any()
    return found


def share_inside(person: Person, forward: float, back: float) -> float:
    """Of the leg's points that are drawn and above the hem, how many are inside the skirt."""
    name = next(each.template for each in person.pieces if each.template in SKIRTS)
    shape, skin = ARCHIVE.template(name), ARCHIVE.template("skin")
    skirt = strode(person, name, forward, back)
    legs = strode(person, "skin", forward, back)
    thigh = [ARCHIVE.contents.bones.index(f"thigh_{side}") for side in "lr"]
    carried = (skin.weights * np.isin(skin.bones, thigh)).sum(axis=1) > 0.6
    rest = ARCHIVE.points(person, "skin")
    above = rest[:, 2] > ARCHIVE.points(person, name)[:, 2].min() + 0.04
    legs = legs[carried & above & ~ARCHIVE.hidden(person, "skin")][::3]
    pelvis = np.array(person.joints[ARCHIVE.contents.bones.index("pelvis")])
    ways = (legs - pelvis) * [1, 1, 0]
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    return float(met(legs, ways, skirt[shape.triangles[1]]).mean())


@pytest.mark.parametrize("person", WEARERS, ids=lambda person: person.name)
def test_legs_stay_inside_skirts(person: Person) -> None:
    assert share_inside(person, 0.0, 0.0) > 0.99
    assert share_inside(person, FORWARD, BACK) > 0.97


def test_the_measure_tells_a_leg_that_pokes_out() -> None:
    person = next(each for each in WEARERS if each.name == "xenia")
    assert share_inside(person, np.radians(100), np.radians(80)) < 0.97
