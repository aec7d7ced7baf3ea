"""Who is in a frame, how finely, and the tables that say so."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paseo.camera.kernels import wp
from paseo.camera.kernels.layout import Instance
from paseo.camera.kernels.occlusion import People
from paseo.camera.kernels.shelves import row_type
from paseo.camera.kernels.stock import Balled, Stock, Template
from paseo.camera.meshes import Body
from paseo.camera.scene import Figure
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, View

COARSER = (420.0, 190.0, 80.0)  # pixels of height below which the next level does
LONGEST_SHADOW = 25.0  # metres
NOBODY, LARGEST = -1, 2**31 - 1  # of ids


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """Somebody who is seen, or whose shadow may be."""

    template: Template
    figure: Figure
    balled: Balled
    middle: FloatArray  # (3,)
    radius: float
    is_seen: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """The tables of one frame."""

    cast: tuple[Cast, ...]  # those who are seen come first
    instances: NDArray[np.void]  # the place, then the cast
    triangle_owners: NDArray[np.int32]
    point_owners: NDArray[np.int32]  # of people's points
    poses: NDArray[np.float32]  # (3 times bones, 4)
    still_points: int  # of the place
    still_triangles: int
    seen_triangles: int  # of the place and of those who are seen


def cast_of(
    figures: Sequence[Figure], stock: Stock, camera: Camera, view: View, towards: FloatArray
) -> tuple[Cast, ...]:
    """Those who matter to this picture."""
    found = []
    sides = _sides(camera)
    for figure in figures:
        balled = _checked(figure, stock)
        at, around = balled.hull.posed(figure.pose), balled.hull.radii[:, None]
        low, high = (at - around).min(axis=0), (at + around).max(axis=0)
        middle, radius = (low + high) / 2, float(np.linalg.norm(high - low)) / 2
        seen = _touches(middle, radius, view, sides, camera)
        if seen or _shadow_touches(middle, radius, view, sides, camera, towards):
            level = _level(balled.body, middle, camera, view, is_seen=seen)
            found.append((level, figure, balled, middle, radius, seen))
    templates = stock.templates([(figure.body, level) for level, figure, *_ in found])
    cast = [Cast(template, *rest) for template, (_, *rest) in zip(templates, found, strict=True)]
    return tuple(sorted(cast, key=lambda each: not each.is_seen))


def _checked(figure: Figure, stock: Stock) -> Balled:
    """The body of somebody whose id and pose can be drawn."""
    balled = stock.balled(figure.body)
    if not NOBODY <= figure.person <= LARGEST:
        raise BadValue(
            f"person {figure.person} does not fit into a picture of ids, expected 0 to "
            f"{LARGEST}; number people anew"
        )
    bones = len(balled.body.skeleton.names)
    if figure.pose.shape != (bones, 3, 4):
        raise BadValue(
            f"person {figure.person} has a pose of shape {figure.pose.shape}, expected "
            f"({bones}, 3, 4) for body '{figure.body}'"
        )
    return balled


def may_matter(
    middle: FloatArray, radius: float, camera: Camera, view: View, towards: FloatArray
) -> bool:
    """Whether anything within a ball, or its shadow, may be in the picture."""
    sides = _sides(camera)
    return _touches(middle, radius, view, sides, camera) or _shadow_touches(
        middle, radius, view, sides, camera, towards
    )


def _sides(camera: Camera) -> FloatArray:
    """Inward normals of the planes that bound the view, (4, 3), in the camera's own axes."""
    # Distorted pictures may see a little further at their corners.
    wider = 1.0 if not any(camera.distortion) else 1.5
    left, right = -camera.cx / camera.fx * wider, (camera.width_px - camera.cx) / camera.fx * wider
    top, bottom = -camera.cy / camera.fy * wider, (camera.height_px - camera.cy) / camera.fy * wider
    planes = np.array([[1, 0, -left], [-1, 0, right], [0, 1, -top], [0, -1, bottom]])
    return planes / np.linalg.norm(planes, axis=1, keepdims=True)


def _touches(
    middle: FloatArray, radius: float, view: View, sides: FloatArray, camera: Camera
) -> bool:
    seen = (middle - view.position) @ view.rotation
    inside = camera.near - radius < seen[2] < camera.far + radius
    return bool(inside and (sides @ seen > -radius).all())


def _shadow_touches(
    middle: FloatArray,
    radius: float,
    view: View,
    sides: FloatArray,
    camera: Camera,
    towards: FloatArray,
) -> bool:
    """Whether the shadow that somebody casts down to the ground may be in view."""
    length = min(max(middle[2], radius) / max(towards[2], 1e-3), LONGEST_SHADOW)
    parts = max(1, math.ceil(length / 2))
    return any(
        _touches(middle - towards * (length * (k + 0.5) / parts), radius + 1.0, view, sides, camera)
        for k in range(parts)
    )


def _level(body: Body, middle: FloatArray, camera: Camera, view: View, *, is_seen: bool) -> int:
    coarsest = len(body.levels) - 1
    if not is_seen:
        return coarsest
    away = max(float(np.linalg.norm(middle - view.position)), camera.near)
    pixels = camera.fy * body.height / away
    return min(sum(pixels < limit for limit in COARSER), coarsest)


def frame_of(cast: tuple[Cast, ...], place: Template) -> Frame:
    """The tables of a place with those people in it."""
    instances = np.zeros(len(cast) + 1, row_type(Instance))
    instances["person"] = -1
    points, triangles, bones = place.points, place.triangles, 0
    for row, each in zip(instances[1:], cast, strict=True):
        row["point_start"], row["template_start"] = points, each.template.point_start
        row["triangle_shift"] = triangles - each.template.triangle_start
        row["bone_start"], row["person"] = bones, each.figure.person
        points += each.template.points
        triangles += each.template.triangles
        bones += len(each.figure.pose)
    counts = [place.triangles, *(each.template.triangles for each in cast)]
    seen = [each.template.triangles for each in cast if each.is_seen]
    owners = np.arange(len(counts), dtype=np.int32)
    of_points = [each.template.points for each in cast]
    poses = [each.figure.pose.reshape(-1, 4) for each in cast]
    return Frame(
        cast=cast,
        instances=instances,
        triangle_owners=np.repeat(owners, counts),
        point_owners=np.repeat(owners[1:], of_points),
        poses=np.concatenate([*poses, np.zeros((1, 4))]).astype(np.float32),
        still_points=place.points,
        still_triangles=place.triangles,
        seen_triangles=place.triangles + sum(seen),
    )


def people_of(frame: Frame, device: str) -> Any:
    """Everybody in the frame as balls."""
    balls, starts = [np.zeros((0, 4))], [0]
    for each in frame.cast:
        bulk = each.balled.bulk
        middles = bulk.posed(each.figure.pose)
        balls.append(np.concatenate([middles, bulk.radii[:, None]], axis=1))
        starts.append(starts[-1] + len(middles))
    middles2 = np.array([each.middle[:2] for each in frame.cast]).reshape(-1, 2)
    return _people(np.concatenate(balls), starts, middles2, device)


def _people(balls: FloatArray, starts: list[int], middles: FloatArray, device: str) -> Any:
    table: Any = People()
    kinds: Mapping[str, Any] = {"balls": wp.vec4, "middles": wp.vec2}
    for name, rows in (("balls", balls), ("middles", middles)):
        setattr(table, name, wp.array(rows.astype(np.float32), dtype=kinds[name], device=device))
    table.first_ball = wp.array(np.array(starts, np.int32), dtype=int, device=device)
    owners = np.arange(1, len(starts), dtype=np.int32)
    table.owners = wp.array(owners, dtype=int, device=device)
    table.count = len(starts) - 1
    return table
