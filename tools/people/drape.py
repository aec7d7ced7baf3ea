"""How cloth hangs on a body: tubes around trunk, arms and legs, wider than what is inside."""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.ndimage import gaussian_filter1d, map_coordinates
from scipy.spatial import cKDTree

from basis import Floats, Ints
from cutting import point_normals, smoothing

ALONG, AROUND = 44, 48  # cells of a tube


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How a garment sits; lengths in metres."""

    gap: float  # least distance to what is inside
    ease: float  # room all around, as the cloth hangs
    taper: float  # how fast it falls in again below its widest, metres by metre; 0 hangs straight
    hang: float  # 0 clings to the body, 1 hangs freely
    flare: float = 0.0  # more room at the lower end
    folds: float = 0.002


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """A line through a limb or the trunk, bent once, with the direction that is its front."""

    begin: Floats
    middle: Floats
    end: Floats
    front: Floats

    def polar(self, points: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Metres along, angle, radius and the outward unit vector of each point."""
        line = self.end - self.begin
        length = float(np.linalg.norm(line))
        line = line / length
        front = self.front - (self.front @ line) * line
        front = front / np.linalg.norm(front)
        side = np.cross(line, front)
        offset = points - self.begin
        along = offset @ line
        bend = self.middle - self.begin
        half = float(bend @ line)
        bend = bend - half * line
        bent = np.interp(along, [-0.1 * length, 0, half, length, 1.1 * length], [0, 0, 1, 0, 0])
        out = offset - along[:, None] * line - bent[:, None] * bend
        radius = np.linalg.norm(out, axis=1)
        angle = np.arctan2(out @ side, out @ front)
        return along, angle, radius, out / np.maximum(radius, 1e-9)[:, None]


def hull_radii(radii: Floats) -> Floats:
    """Each row's polar outline pulled taut, (rows, angles)."""
    angles = np.arange(AROUND) * 2 * np.pi / AROUND
    cosine = np.cos(angles[:, None] - angles[None])
    reach = (radii[:, :, None] * cosine[None]).max(axis=1)  # support by direction
    ahead = np.where(cosine > 0.15, cosine, np.nan)
    taut: Floats = np.nanmin(reach[:, None, :] / ahead[None], axis=2)
    return taut


def tube_radii(axis: Axis, points: Floats, fit: Fit, span: tuple[float, float]) -> Floats:
    """How far out the cloth hangs over a tube of points, (ALONG, AROUND)."""
    along, angle, radius, _ = axis.polar(points)
    row = np.clip((along - span[0]) / (span[1] - span[0]) * (ALONG - 1), 0, ALONG - 1)
    column = np.round(angle / (2 * np.pi) * AROUND).astype(int) % AROUND
    inside = (along > span[0] - 0.03) & (along < span[1] + 0.03)
    radii = np.zeros((ALONG, AROUND))
    np.maximum.at(radii, (np.round(row[inside]).astype(int), column[inside]), radius[inside])
    for each in radii:
        seen = np.nonzero(each)[0]
        if len(seen):
            each[:] = np.interp(np.arange(AROUND), seen, each[seen], period=AROUND)
    seen = np.nonzero(radii[:, 0])[0]
    for k in range(AROUND):
        radii[:, k] = np.interp(np.arange(ALONG), seen, radii[seen, k])
    radii = hull_radii(radii)
    step = (span[1] - span[0]) / (ALONG - 1)
    for k in range(1, ALONG):
        radii[k] = np.maximum(radii[k], radii[k - 1] - fit.taper * step)
    radii = gaussian_filter1d(gaussian_filter1d(radii, 1.5, axis=0), 1.2, axis=1, mode="wrap")
    down = np.linspace(0, 1, ALONG)[:, None]
    hung: Floats = radii + fit.ease + fit.flare * down**1.5
    return hung


def hung(axis: Axis, points: Floats, radii: Floats, span: tuple[float, float], fit: Fit) -> Floats:
    """How points of the cloth move when it hangs as `tube_radii` says, (points, 3)."""
    along, angle, radius, out = axis.polar(points)
    row = np.clip((along - span[0]) / (span[1] - span[0]) * (ALONG - 1), 0, ALONG - 1)
    column = (angle / (2 * np.pi) * AROUND) % AROUND
    wide = np.concatenate([radii, radii[:, :1]], axis=1)
    there = map_coordinates(wide, [row, column], order=1, mode="nearest")
    wanted = radius + np.maximum(fit.hang * (there - radius), 0.0)
    moves: Floats = (np.maximum(wanted, radius) - radius)[:, None] * out
    return moves


def pushed_out(points: Floats, inner: Floats, normals: Floats, gap: float) -> Floats:
    """The points at least a gap away from the surface of what is inside."""
    tree = cKDTree(inner)
    for _ in range(2):
        distance, near = tree.query(points, k=4)
        depth = np.einsum("pki,pki->pk", points[:, None] - inner[near], normals[near])
        weight = 1.0 / (distance + 1e-4)
        weight = weight / weight.sum(axis=1, keepdims=True)
        height = (depth * weight).sum(axis=1)
        normal = (normals[near] * weight[..., None]).sum(axis=1)
        normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9)
        close = distance[:, 0] < 0.09
        points = points + np.where(close, np.maximum(gap - height, 0), 0)[:, None] * normal
    return points


def smoothed(points: Floats, triangles: Ints, times: int) -> Floats:
    """The points with bumps ironed out."""
    matrix: sp.csr_matrix = smoothing(triangles, len(points))
    for _ in range(times):
        points = matrix @ points
    return points


def limb_folds(axis: Axis, points: Floats, joints: tuple[float, ...], seed: int) -> Floats:
    """Folds around a limb, -1 to 1: cloth crumples at joints, given as shares of its length."""
    rng = np.random.default_rng([seed, 61])
    along, angle, _, _ = axis.polar(points)
    length = float(np.linalg.norm(axis.end - axis.begin))
    heights = np.zeros(len(points))
    for joint in joints:
        near = np.exp(-(((along / length - joint) / 0.13) ** 2))
        for turns in (1, -1, 0):
            wave = rng.uniform(0.038, 0.060)
            sway = 0.7 * np.sin(2 * angle + rng.uniform(0, 6)) + turns * angle
            side = 0.55 + 0.45 * np.cos(angle - rng.uniform(-np.pi, np.pi))
            heights += near * side * ridge(2 * np.pi * along / wave + sway + rng.uniform(0, 6))
    length_wise = ridge(3 * angle + 5 * along / length + rng.uniform(0, 6))
    return 0.55 * heights + 0.35 * length_wise


def trunk_folds(axis: Axis, points: Floats, seed: int) -> Floats:
    """Folds of a top, -1 to 1: drawn from the armpits to the waist, upright at the hem."""
    rng = np.random.default_rng([seed, 62])
    along, angle, _, _ = axis.polar(points)
    length = float(np.linalg.norm(axis.end - axis.begin))
    down = along / length
    side = np.sin(angle)
    lean = np.where(np.cos(angle) > 0, 1.0, -1.0) * angle
    heights = np.zeros(len(points))
    for wave in (0.055, 0.075):
        slant = along / wave + 1.6 * abs(lean) + 0.4 * np.sin(3 * angle + rng.uniform(0, 6))
        heights += ridge(2 * np.pi * slant + rng.uniform(0, 6)) * (0.25 + 0.75 * side**2)
    heights *= np.exp(-(((down - rng.uniform(0.45, 0.65)) / 0.32) ** 2))
    hem = ridge(7 * angle + np.sin(2 * angle + rng.uniform(0, 6)) + rng.uniform(0, 6))
    return 0.5 * heights + 0.6 * hem * np.clip(down - 0.55, 0, 1) * 2


def ridge(phase: Floats) -> Floats:
    """A wave with sharp crests and broad valleys, -0.5 to 0.6."""
    crest: Floats = (0.5 + 0.5 * np.sin(phase)) ** 2 - 0.4
    return crest


def creased(points: Floats, triangles: Ints, heights: Floats) -> Floats:
    """The points moved along their normals by these heights, (points,) metres."""
    return points + point_normals(points, triangles) * heights[:, None]
