"""Bodies as balls on their bones: around all that a bone carries, or about as large as it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SMALLEST = 0.03  # metres; fingers keep no light away
MOST_BONES = 256


@dataclass(frozen=True, slots=True, eq=False)
class Balls:
    """A body at rest as balls, each on a bone."""

    bones: NDArray[np.int64]  # (balls,)
    middles: NDArray[np.float32]  # (balls, 3)
    radii: NDArray[np.float32]  # (balls,)

    def posed(self, pose: NDArray[np.float32]) -> NDArray[np.float32]:
        """The middles in a pose, (balls, 3)."""
        bones = pose[self.bones]
        moved: NDArray[np.float32] = np.einsum("bij,bj->bi", bones[:, :, :3], self.middles)
        return moved + bones[:, :, 3]


def hull_of(
    points: NDArray[np.float32], bones: NDArray[np.uint8], weights: NDArray[np.float32]
) -> Balls:
    """For each bone a ball around all points, (points, 3), that it has a part in.

    Bones and weights are (points, 4). A point is where its bones would take it, on average, so it
    never leaves the hull of the balls.
    """
    point, slot = np.nonzero(weights > 0)
    carrier = bones[point, slot]
    order = np.argsort(carrier, kind="stable")
    carried, starts = np.unique(carrier[order], return_index=True)
    parts = points[point[order]]
    low, high = np.minimum.reduceat(parts, starts), np.maximum.reduceat(parts, starts)
    middles: NDArray[np.float32] = ((low + high) / 2).astype(np.float32)
    radii = np.linalg.norm(high - low, axis=1) / 2
    return Balls(carried.astype(np.int64), middles, radii.astype(np.float32))


def bulk_of(
    points: NDArray[np.float32], bones: NDArray[np.uint8], weights: NDArray[np.float32]
) -> Balls:
    """For each bone that carries much, a ball about as large as what it carries."""
    carrier = bones[np.arange(len(bones)), weights.argmax(1)]
    count = np.bincount(carrier, minlength=MOST_BONES)
    share = np.maximum(count, 1)[:, None]
    middles = np.stack([np.bincount(carrier, p, MOST_BONES) for p in points.T], axis=1) / share
    away = ((points - middles[carrier]) ** 2).sum(axis=1)
    radii = np.sqrt(np.bincount(carrier, away, MOST_BONES) / share[:, 0])
    chosen = np.flatnonzero((count > 0) & (radii > SMALLEST))
    return Balls(chosen, middles[chosen].astype(np.float32), radii[chosen].astype(np.float32))
