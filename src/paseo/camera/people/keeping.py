"""What of people is kept in the user's cache: bodies put together, and their paint."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paseo.camera import balls
from paseo.camera.keeping import Keeping

PEOPLE = Keeping(name="people", sources=(Path(__file__).parent, Path(balls.__file__)))


def kept_texture(key: str, make: Callable[[], NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """A picture, made if it is not kept."""
    return PEOPLE.kept(key, lambda: {"texture": make()})["texture"]
