"""The people of a drive as a named crowd, on a floor plan guessed from where everybody went."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from paseo.crowd_check.examination import Examination, examine
from paseo.data.maps.inferred import inferred_floorplan, scanned_floorplan
from paseo.data.store.crowds import CrowdFile, check_crowd_name, crowd_folder, save_crowd
from paseo.data.store.locations import DataFolder, data_folder
from paseo.errors import BadValue
from paseo.pipeline.episodes.walking import FPS, crowd_start, drive_recording, known_walks
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.reconstruction_file import load_reconstruction, reconstruction_bytes
from paseo.pipeline.walks import LONGEST_GAP
from paseo.text import storable
from paseo.world.space.floorplan import FloorPlan, InferredFrom
from paseo.world.tracks import Recording, Track, absent_in_gaps

FORMAT = "drive"
KEPT = "reconstruction.npz"  # beside the crowd: what it was made of, with covariances
ROBOT = -1  # the id of the robot's way among those of people


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ImportedDrive:
    """A crowd that was stored, and what is to be known about it."""

    folder: Path
    recording: Recording
    floorplan: FloorPlan
    examination: Examination  # an inferred floor plan is no witness
    too_short: tuple[int, ...]  # people who were not known for two frames of the crowd


def import_drive_as_crowd(
    reconstruction: Reconstruction,
    name: str,
    *,
    floorplan: str | None = None,
    replacing: bool = False,
    data: DataFolder | Path | None = None,
) -> ImportedDrive:
    """Keep the people of a drive as a crowd for suites, in the frame of the drive's odometry.

    The robot is not among them. The floor plan is a shipped map, a crowd's own or a file in that
    frame, or else guessed from where people and the robot went and from what its laser met.
    """
    folder = data_folder(data)
    check_crowd_name(name, folder.path, replace=replacing)
    start = crowd_start(reconstruction)
    recording = drive_recording(name, reconstruction.tracks, start)
    given = folder.floorplan(floorplan) if floorplan else None
    plan = given or drive_floorplan(name, known_walks(reconstruction.tracks, start), reconstruction)
    about = CrowdFile(
        name=name,
        fps=FPS,
        longest_gap_s=LONGEST_GAP,
        source=storable(reconstruction.name),
        source_sha256="",
        source_format=FORMAT,
    )
    beside = {KEPT: reconstruction_bytes(reconstruction)}
    place = save_crowd(about, recording, plan, folder.path, new=not replacing, beside=beside)
    witness = given if given and given.inferred is not InferredFrom.TRACKS else None
    kept = {track.id for track in recording.tracks}
    return ImportedDrive(
        folder=place,
        recording=recording,
        floorplan=plan,
        examination=examine(recording, witness),
        too_short=tuple(t.person for t in reconstruction.tracks if t.person not in kept),
    )


def kept_reconstruction(crowd: str, data: DataFolder) -> Reconstruction:
    """What a crowd of the data folder was made of; `BadValue` where that was no drive."""
    data.about(crowd)
    file = crowd_folder(crowd, data.path) / KEPT
    if not file.is_file():
        raise BadValue(
            f"the crowd '{crowd}' was made of no drive, so that nobody knows how sure its tracks "
            "are, or how the robot was driven; import a drive as a crowd"
        )
    return load_reconstruction(file)


def drive_floorplan(
    name: str, people: Sequence[Track], reconstruction: Reconstruction
) -> FloorPlan:
    """A floor plan guessed from where people and the robot went, and from what a laser met."""
    odometry, points = reconstruction.odometry, reconstruction.scan_points
    way = absent_in_gaps(Track(ROBOT, odometry.times, odometry.poses[:, :2]), odometry.longest_gap)
    if points is None or not len(points):
        plan = inferred_floorplan(name, [*people, way])
        told = (
            f"Inferred from {len(people)} tracks and the robot's way, grown by 0.6 m. Not measured."
        )
        return replace(plan, source=told)
    return scanned_floorplan(name, people, way, points)
