"""From a drive to people in the world: found in pictures, placed on the ground, smoothed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from paseo.errors import BadValue
from paseo.pipeline.drives.drive import Drive, Odometry
from paseo.pipeline.locating.placing import places
from paseo.pipeline.locating.seen import PeopleSource, SeenFrame
from paseo.pipeline.places import Places
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.smoother import KalmanSmoother, Smoother, smooth
from paseo.progress import Progress, silent
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera


class Placing(Protocol):
    """Puts people on the ground."""

    def __call__(
        self,
        odometry: Odometry,
        frame_times: FloatArray,
        seen: Iterable[SeenFrame],
        camera: Camera,
        /,
    ) -> Sequence[Places]:
        """Where everybody was, in the frame of the odometry."""


@dataclass(frozen=True, slots=True)
class Method:
    """How people are placed and their tracks smoothed."""

    place: Placing = places
    smoother: Smoother = field(default_factory=KalmanSmoother)


def reconstruct(
    drive: Drive,
    source: PeopleSource,
    method: Method | None = None,
    *,
    camera: Camera | None = None,
    progress: Progress = silent,
) -> Reconstruction:
    """Who was where on a drive, at all its frames between the first and the last sight of each.

    Without a camera that of the drive itself is taken. `KeptDetections` is a source that goes on
    where it was interrupted.
    """
    camera = camera or drive.camera
    if camera is None:
        raise BadValue(
            f"{drive.name}: does not tell of its camera, or not where it is on the robot; name a "
            "camera, with its height",
            parameters=("camera", "height"),
        )
    times, seen = drive.frame_times, dict[int, SeenFrame]()
    for frame in source.frames(drive):
        progress("looking for people", frame.number, len(times))
        seen[frame.number] = frame
    progress("looking for people", len(times), len(times))
    alone = Reconstruction(
        name=drive.name,
        camera=camera,
        odometry=drive.odometry,
        frame_times=times,
        seen=seen,
        tracks=(),
        scan_points=drive.scan_points,
    )
    return retraced(alone, seen, method, progress=progress)


def retraced(
    drive: Reconstruction,
    seen: Mapping[int, SeenFrame],
    method: Method | None = None,
    *,
    progress: Progress = silent,
) -> Reconstruction:
    """The same drive with other boxes, or boxes of other names, and the tracks these make."""
    method = method or Method()
    found = method.place(drive.odometry, drive.frame_times, seen.values(), drive.camera)
    tracks = smooth(found, method.smoother, times=drive.frame_times, progress=progress)
    return replace(drive, seen=seen, tracks=tracks)
