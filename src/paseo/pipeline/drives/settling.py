"""How a drive is to be opened, and which camera it has in the end."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from paseo.pipeline.drives.cameras import Mount, fitted, mounted
from paseo.progress import Progress, silent
from paseo.world.cameras import Camera


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How a drive is to be opened; what is None or empty, the drive itself tells."""

    camera: Camera | None = None  # wins over what the drive tells
    mount: Mount | None = None
    fps: float | None = None  # at most so many pictures a second are taken
    topics: Mapping[str, str] = field(default_factory=dict)  # by role: image, odometry, ...
    progress: Progress = silent


def settled_camera(
    opening: Opening, size: tuple[int, int] | None, notes: list[str]
) -> Camera | None:
    """The camera that was given, as it fits pictures of a size; None: none was."""
    if opening.camera is None:
        return None
    camera = mounted(opening.camera, opening.mount) if opening.mount else opening.camera
    camera, done = fitted(camera, size)
    notes += [done] if done else []
    return camera
