"""What a camera sees, as arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Image:
    """One picture; where nothing is seen, depth and normals are NaN."""

    rgb: NDArray[np.uint8]  # (height, width, 3)
    depth: NDArray[np.float32]  # (height, width), metres along the line of sight of the middle
    ids: NDArray[np.int32]  # (height, width), whom a pixel shows; -1: nobody
    normals: NDArray[np.float32]  # (height, width, 3), in the world, towards the camera
