"""Clips of one's own into scenes: pictures and tracks at the same moments."""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.data.scenes.clip_file import ClipFile, read_clip_file
from paseo.data.scenes.clip_pictures import JUST, clip_pictures
from paseo.data.scenes.images import Size, check_box, check_size, image_size
from paseo.data.scenes.robot_frame import from_the_first, seen_from
from paseo.data.scenes.scene_file import write_scene
from paseo.errors import BadFile
from paseo.world.arrays import FloatArray
from paseo.world.scenes import NumberedPerson, Scene

LONGEST_GAP = 0.5  # seconds between two samples that a line may be drawn through


@dataclass(frozen=True, slots=True)
class Cut:
    """A scene cut out of a clip."""

    scene: Scene
    left_out: tuple[int, ...]  # numbers of people who are in none of its frames


def import_clip(clip: Path, tracks: Path, scenes: Path) -> Cut:
    """Make a clip and its tracks a scene in a folder of scenes, where it must be new."""
    cut = cut_scene(clip, tracks)
    write_scene(cut.scene, scenes)
    return cut


def cut_scene(clip: Path, tracks: Path) -> Cut:
    """The scene that a track file describes, out of a film or a folder of pictures."""
    file = read_clip_file(tracks)
    poses = _robot(file, tracks)
    per_second = file.pictures_per_s or file.timing.rate
    pictures = clip_pictures(clip, file.times, near=file.near, per_second=per_second)
    sizes = [image_size(picture, path) for path, picture in pictures]
    camera = file.camera.camera() if file.camera else None
    size = (camera.width_px, camera.height_px) if camera else sizes[0]
    for (path, _), each in zip(pictures, sizes, strict=True):
        check_size(each, size, path)
    people = _people(file, poses[0], size, tracks)
    goal = seen_from(poses[0], np.array(file.goal_m))
    scene = Scene(
        id=file.id,
        frames=tuple(picture for _, picture in pictures),
        period=file.period_s,
        robot=from_the_first(poses),
        goal=(float(goal[0]), float(goal[1])),
        people=people,
        camera=camera,
    )
    seen = {person.number for person in people}
    return Cut(scene, tuple(sorted({each.number for each in file.people} - seen)))


def _robot(file: ClipFile, where: Path) -> FloatArray:
    """The robot's poses (frames, 3) in the file's own frame; it must be known in every frame."""
    headings = np.unwrap([math.radians(sample.heading_deg) for sample in file.robot])
    rows = [
        [sample.x_m, sample.y_m, heading]
        for sample, heading in zip(file.robot, headings, strict=True)
    ]
    poses = _sampled([sample.time_s for sample in file.robot], rows, file)
    unknown = np.isnan(poses[:, 0])
    if unknown.any():
        raise BadFile(
            f"{where}: robot: is not told at {file.times[unknown][0]:g} s, expected a sample at "
            f"least every {LONGEST_GAP:g} s from {file.times[0]:g} to {file.times[-1]:g} s; add "
            "some, or change start_s"
        )
    return poses


def _people(
    file: ClipFile, pose: FloatArray, size: Size, where: Path
) -> tuple[NumberedPerson, ...]:
    """Who is seen in the scene's frames, by number, from the robot's first `pose`."""
    people = []
    for person in sorted(file.people, key=lambda each: each.number):
        rows = [[s.x_m, s.y_m, *(s.box_px or [math.nan] * 4)] for s in person.track]
        seen = _sampled([sample.time_s for sample in person.track], rows, file)
        if np.isnan(seen[:, 0]).all():
            continue
        for time, box in zip(file.times, seen[:, 2:], strict=True):
            if not np.isnan(box).any():
                check_box(box, size, f"{where}: person {person.number}, at {time:g} s")
        positions = seen_from(pose, seen[:, :2])
        people.append(NumberedPerson(number=person.number, positions=positions, boxes=seen[:, 2:]))
    return tuple(people)


def _sampled(given: list[float], samples: list[list[float]], file: ClipFile) -> FloatArray:
    """Rows at the scene's times: on a line between samples, or those of one near by, else NaN."""
    at = file.times
    times, rows = np.array(given), np.array(samples, np.float64)
    found = np.full((len(at), rows.shape[1]), np.nan)
    for frame, time in enumerate(at):
        after = int(np.searchsorted(times, time))
        nearest = int(np.argmin(np.abs(times - time)))
        off = abs(times[nearest] - time)
        between = 0 < after < len(times) and off > JUST
        if between and (gap := times[after] - times[after - 1]) <= LONGEST_GAP + JUST:
            share = (time - times[after - 1]) / gap
            found[frame] = (1 - share) * rows[after - 1] + share * rows[after]
        elif off <= file.near + JUST:
            found[frame] = rows[nearest]
    return found
