"""The camera's renderer: people in their poses at a place, as a camera sees them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paseo.camera.keeping import Arrays
from paseo.camera.kernels import occlusion, raster, shading, skinning, smoothing, sunlight, wp
from paseo.camera.kernels.daylight import LIGHT, NOWHERE, light_of, sun_direction, sun_map
from paseo.camera.kernels.frame import Frame, cast_of, frame_of, may_matter, people_of
from paseo.camera.kernels.layout import Instance
from paseo.camera.kernels.optics import optics_of, standing
from paseo.camera.kernels.stock import Stock
from paseo.camera.kernels.workers import Workers, best_device, load
from paseo.camera.lens.image import Image
from paseo.camera.meshes import Body
from paseo.camera.scene import Figure, Place
from paseo.errors import BadValue
from paseo.progress import Progress, silent
from paseo.world.cameras import Camera, View

NOTHING = np.int64(raster.NOTHING)  # at a pixel
MARGIN = 0.5  # of a pixel, in which samples of edges lie
PLACE_TEXELS = 2048  # along a side of the sun's map of the place
PEOPLE_TEXELS = 3.2  # for each column of the picture; 2048 at most
CELL = int(sunlight.CELL)
REACH = 2.0  # metres around somebody's middle that hold all of them, in any pose
MOST_LENSES = 8  # whose tables are kept
BLOCK = int(occlusion.BLOCK)
WORTH_KEEPING = 2000  # triangles of a place whose shadows take longer to draw than to read
GROUND = 0.05  # metres above the lowest point of a place that shade nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """What is worth its time; depth, ids and normals are the same with all of it and none."""

    shadows: bool = True
    smooth_edges: bool = True
    occlusion: bool = True


class SceneRenderer:
    """Renders one place and those bodies; on a graphics card where warp sees one.

    It keeps nothing of one picture for the next: the same input gives the same bytes, with any
    number of threads; and several threads may render at once.
    """

    def __init__(
        self,
        place: Place,
        bodies: Sequence[Body] = (),
        *,
        effort: Effort | None = None,
        threads: int = 1,
        device: str | None = None,
        progress: Progress = silent,
    ) -> None:
        if threads < 1:
            raise BadValue(f"{threads} threads cannot work, expected 1 or more")
        self.device = device or best_device()
        load(self.device, progress)
        self._effort = effort or Effort()
        self._workers = Workers(self.device, threads)
        self._stock = Stock(place, self.device)
        self._stock.welcome(bodies)
        self._light = light_of(place, self.device)
        self.exposure = float(self._light.exposure)  # by which light becomes colours
        self._towards = sun_direction(place.sun)
        self._mesh = self._place_mesh(place) if self._effort.occlusion else None
        self._optics: dict[Camera, Any] = {}
        self._leaves = _leaves(place)
        self._leaf_places = place.mesh.points[place.mesh.triangles[self._leaves, 0]]
        self._place_map = self._shadows_of_place(place)

    def welcome(self, bodies: Sequence[Body]) -> None:
        """Have these bodies from now on too."""
        self._stock.welcome(bodies)

    def may_show(self, x: float, y: float, camera: Camera, view: View) -> bool:
        """Whether somebody who stands there, or their shadow, may be in the picture."""
        middle = np.array([x, y, REACH / 2])
        return may_matter(middle, REACH, camera, view, self._towards)

    def render(self, figures: Sequence[Figure], camera: Camera, view: View) -> Image:
        """What the camera sees from there."""
        optics = standing(self._optics_of(camera), view)
        cast = cast_of(figures, self._stock, camera, view, self._towards)
        frame = frame_of(cast, self._stock.place)
        geometry, paint = self._geometry(frame), self._stock.paint()
        self._skin(frame, geometry, optics)
        boxes, loose = self._boxes(frame, geometry, optics)
        kept = self._kept(boxes, optics)
        nearest = self._filled(camera.width_px * camera.height_px, NOTHING, wp.int64)
        inputs = [geometry, paint, optics, kept, boxes, nearest]
        self._workers.rows(raster.cover, camera.height_px, len(kept), inputs)
        shades = self._shades(frame, geometry, paint, optics, nearest)
        image = self._shaded(geometry, paint, optics, shades, nearest)
        if self._effort.smooth_edges:
            self._smooth(image.rgb, geometry, paint, optics, loose, nearest)
        return image

    def _optics_of(self, camera: Camera) -> Any:
        lens = replace(camera, at=None, height=1.0, pitch=0.0, yaw=0.0, forward=0.0)
        found = self._optics.get(lens)
        if found is None:
            if len(self._optics) >= MOST_LENSES:
                self._optics.clear()
            found = self._optics[lens] = optics_of(lens, self.device)
        return found

    def _geometry(self, frame: Frame) -> Any:
        """The frame's tables, with room for the points of people."""
        table, rest = self._stock.geometry(), self._stock.rest()
        table.owners = self._array(frame.triangle_owners, int)
        table.instances = self._array(frame.instances, Instance)
        count = frame.still_points + len(frame.point_owners)
        for name in ("points", "normals", "seen"):
            setattr(table, name, wp.empty(count, dtype=wp.vec3, device=self.device))
        wp.copy(table.points, rest.points, count=frame.still_points)
        wp.copy(table.normals, rest.normals, count=frame.still_points)
        return table

    def _skin(self, frame: Frame, geometry: Any, optics: Any) -> None:
        rest = self._stock.rest()
        rest.poses = self._array(frame.poses, wp.vec4)
        owners = self._array(frame.point_owners, int)
        inputs = [frame.still_points, owners, rest, geometry, optics]
        self._workers.each(skinning.skin, len(frame.point_owners), inputs)
        self._workers.each(skinning.view, frame.still_points, [geometry, optics])

    def _boxes(self, frame: Frame, geometry: Any, optics: Any) -> tuple[Any, Any]:
        """Which pixels each triangle may cover by their middles, and which it may touch."""
        margin = MARGIN if self._effort.smooth_edges else 0.0
        count = frame.seen_triangles
        boxes, loose = (wp.empty(count, dtype=wp.vec4s, device=self.device) for _ in range(2))
        inputs = [margin, geometry, optics, boxes, loose]
        self._workers.each(raster.find_boxes, count, inputs)
        return boxes, loose

    def _kept(self, boxes: Any, optics: Any) -> Any:
        """The triangles that may cover anything; those of leaves last, the nearest of them first.

        The picture does not depend on the order, but to look for a hole takes time.
        """
        kept = boxes.numpy()[:, 0] >= 0
        shown = kept[self._leaves]
        kept[self._leaves] = False
        ahead = np.array(optics.rotation, np.float32).reshape(3, 3)[:, 2]
        order = np.argsort(self._leaf_places[shown] @ ahead)
        leaves = self._leaves[shown][order]
        return self._array(np.concatenate([np.flatnonzero(kept), leaves], dtype=np.int32), int)

    def _shades(self, frame: Frame, geometry: Any, paint: Any, optics: Any, nearest: Any) -> Any:
        table: Any = shading.Shades()
        table.sunny, table.open_sky = int(self._effort.shadows), int(not self._effort.occlusion)
        table.place = self._place_map
        table.people = self._shadows_of_people(frame, geometry, paint, optics.width)
        table.columns, table.rows = -(-optics.width // BLOCK), -(-optics.height // BLOCK)
        count = table.columns * table.rows if self._mesh else 1
        table.samples = wp.empty(count, dtype=wp.vec4, device=self.device)
        if self._mesh:
            people = people_of(frame, self.device)
            inputs = [table.columns, self._mesh.id, people, geometry, optics, nearest]
            raw = wp.empty(count, dtype=wp.vec4, device=self.device)
            sides = wp.empty(count, dtype=wp.vec3, device=self.device)
            self._workers.each(occlusion.occlude, count, [*inputs, raw, sides])
            inputs = [table.columns, table.rows, optics, raw, sides, table.samples]
            self._workers.each(occlusion.calm, count, inputs)
        return table

    def _shaded(self, geometry: Any, paint: Any, optics: Any, shades: Any, nearest: Any) -> Image:
        count = optics.width * optics.height
        rgb, depth, ids, normals = (
            wp.empty(count, dtype=kind, device=self.device)
            for kind in (wp.vec3ub, float, int, wp.vec3)
        )
        inputs = [geometry, paint, optics, self._light, shades, nearest]
        self._workers.each(shading.shade, count, [*inputs, rgb, depth, ids, normals])
        shape = (optics.height, optics.width)
        return Image(
            rgb=rgb.numpy().reshape(*shape, 3),
            depth=depth.numpy().reshape(shape),
            ids=ids.numpy().reshape(shape),
            normals=normals.numpy().reshape(*shape, 3),
        )

    def _smooth(
        self,
        rgb: NDArray[np.uint8],
        geometry: Any,
        paint: Any,
        optics: Any,
        boxes: Any,
        nearest: Any,
    ) -> None:
        """Give pixels at edges the mean colour of several samples."""
        height, width, _ = rgb.shape
        found = wp.empty(height * width, dtype=wp.int8, device=self.device)
        inputs = [geometry, paint, optics, nearest, found]
        self._workers.each(smoothing.find_edges, height * width, inputs)
        marked = found.numpy()
        pixels = np.flatnonzero(marked).astype(np.int32)
        slots = np.cumsum(marked, dtype=np.int32) - marked  # edges before each pixel
        count = int(smoothing.SAMPLES)
        samples = self._filled(max(len(pixels), 1) * count, NOTHING, wp.int64)
        kept, deepest = (
            self._kept(boxes, optics),
            wp.empty(len(pixels), dtype=float, device=self.device),
        )
        places = self._array(np.append(pixels, np.int32(height * width)), int)
        self._workers.each(smoothing.look_around, len(pixels), [optics, places, nearest, deepest])
        inputs = [geometry, paint, optics, kept, boxes, self._array(slots, int), places]
        self._workers.rows(smoothing.cover_samples, height, len(kept), [*inputs, deepest, samples])
        colours = self._array(rgb.reshape(-1, 3), wp.vec3ub)
        smooth = wp.empty(len(pixels), dtype=wp.vec3ub, device=self.device)
        inputs = [geometry, optics, places, nearest, samples, colours, smooth]
        self._workers.each(smoothing.resolve, len(pixels), inputs)
        rgb.reshape(-1, 3)[pixels] = smooth.numpy()

    def _shadows_of_people(self, frame: Frame, geometry: Any, paint: Any, columns: int) -> Any:
        """What the sun sees of people."""
        around = [
            each.middle + each.radius * np.array(way)
            for each in frame.cast
            for way in np.concatenate([np.eye(3), -np.eye(3)])
        ]
        if not self._effort.shadows or not around:
            around = [np.zeros(3)]
        most = min(int(columns * PEOPLE_TEXELS) + 64, 2048)
        table = sun_map(self._towards, np.array(around), finest=0.008, most=most)
        rest = np.arange(frame.still_triangles, len(frame.triangle_owners), dtype=np.int32)
        chosen = rest[: len(rest) * self._effort.shadows]
        return self._thrown(table, geometry, paint, chosen, sides=1)

    def _shadows_of_place(self, place: Place) -> Any:
        points = _shaded_points(place) if self._effort.shadows else np.zeros((1, 3))
        table = sun_map(self._towards, points.astype(np.float64), finest=0.01, most=PLACE_TEXELS)
        raised = _raised(place)[: len(place.mesh.triangles) * self._effort.shadows]
        if len(raised) < WORTH_KEEPING:
            return self._thrown_by_place(table, raised)
        made = self._shadow_key(place)
        found = LIGHT.kept(made, lambda: _as_arrays(self._thrown_by_place(table, raised)))
        table.coarse_width = -(-table.width // CELL)
        for name in ("reach", "coarse"):
            setattr(table, name, self._array(found[name], float))
        return table

    def _thrown_by_place(self, table: Any, raised: NDArray[np.int32]) -> Any:
        geometry = self._geometry(frame_of((), self._stock.place))
        # Walls may have one side only, people are closed.
        return self._thrown(table, geometry, self._stock.paint(), raised, sides=2)

    def _shadow_key(self, place: Place) -> str:
        """All that decides what shadows a place throws."""
        digest = hashlib.blake2b(digest_size=16)
        holed = [each.texture for each in place.materials if each.alpha_tested]
        mesh = place.mesh
        for array in (mesh.points, mesh.triangles, mesh.uv, mesh.material, *holed):
            if array is not None:
                digest.update(repr(array.shape).encode() + array.tobytes())
        where = [each.alpha_tested for each in place.materials], place.shaded
        digest.update(repr((where, place.sun, self.device, wp.__version__)).encode())
        return f"shadows {digest.hexdigest()}"

    def _thrown(
        self, table: Any, geometry: Any, paint: Any, chosen: NDArray[np.int32], *, sides: int
    ) -> Any:
        table.reach = self._filled(table.width * table.height, NOWHERE, float)
        triangles, count = self._array(chosen, int), len(chosen)
        table.coarse_width = -(-table.width // CELL)
        cells = table.coarse_width * -(-table.height // CELL)
        table.coarse = self._filled(cells, NOWHERE, float)
        inputs = [self._light.towards, int(sides == 2), triangles, geometry, paint, table]
        self._workers.rows(sunlight.throw, table.height, count, inputs, step=CELL)
        return table

    def _place_mesh(self, place: Place) -> Any:
        """What keeps the sky's light away; leaves let it through."""
        points = wp.array(place.mesh.points, dtype=wp.vec3, device=self.device)
        dense = np.array([not each.alpha_tested for each in place.materials])
        solid = place.mesh.triangles[dense[place.mesh.material]]
        if place.shaded is not None:
            low, high = np.array(place.shaded).reshape(2, 2)
            corners = place.mesh.points[solid, :2]
            far = (corners.max(axis=1) < low) | (corners.min(axis=1) > high)
            solid = solid[~far.any(axis=1)]
        indices = wp.array(solid.ravel(), dtype=int, device=self.device)
        return wp.Mesh(points=points, indices=indices)

    def _array(self, rows: NDArray[Any], kind: Any) -> Any:
        return wp.array(rows, dtype=kind, device=self.device)

    def _filled(self, count: int, value: Any, kind: Any) -> Any:
        return wp.full(count, value, dtype=kind, device=self.device)


def _as_arrays(table: Any) -> Arrays:
    """What was drawn into a map."""
    return {name: getattr(table, name).numpy() for name in ("reach", "coarse")}


def _leaves(place: Place) -> NDArray[np.int64]:
    """The triangles of a place that have holes."""
    holed = np.array([each.alpha_tested for each in place.materials])
    return np.flatnonzero(holed[place.mesh.material])


def _raised(place: Place) -> NDArray[np.int32]:
    """The triangles of a place that may shade others: not those of the ground."""
    high = place.mesh.points[place.mesh.triangles, 2].max(axis=1)
    found = np.flatnonzero(high > place.mesh.points[:, 2].min() + GROUND)
    return found.astype(np.int32)


def _shaded_points(place: Place) -> NDArray[np.float32]:
    """Points that bound all on which shadows are drawn, (points, 3)."""
    points = place.mesh.points
    if place.shaded is None:
        return points
    x0, y0, x1, y1 = place.shaded
    inside = (points[:, :2] >= (x0, y0)).all(axis=1) & (points[:, :2] <= (x1, y1)).all(axis=1)
    low, high = points[inside, 2].min(initial=0.0), points[inside, 2].max(initial=1.0)
    corners = [(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (low, high)]
    return np.array(corners, np.float32)
