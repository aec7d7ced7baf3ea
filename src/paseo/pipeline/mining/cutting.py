"""Scenes cut out of a drive: mined, numbered, given a goal, and written."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from pathlib import Path

from paseo.data.scenes.images import check_size, image_size
from paseo.data.scenes.origin import SYNTHETIC
from paseo.data.scenes.scene_file import write_scene
from paseo.data.scenes.socialnavsub import TIMING
from paseo.data.scenes.writing import json_bytes, write_all
from paseo.errors import BadFile, BadValue
from paseo.files import draft_folder
from paseo.pipeline.drives.drive import Drive, Frame
from paseo.pipeline.mining.clips import Found, best_clips
from paseo.pipeline.mining.drawn import DrawnAnswer, drawn_answers
from paseo.pipeline.mining.fitness import DATASET, make_fitness
from paseo.pipeline.mining.goals import GoalRule
from paseo.pipeline.mining.layout import about_drive, dataset_files, scene_files
from paseo.pipeline.mining.mined import MinedScene, mined_scene
from paseo.pipeline.mining.stretches import Stretch, stretches
from paseo.pipeline.reconstruction import Reconstruction
from paseo.progress import Progress, silent
from paseo.version import paseo_version
from paseo.world.scenes import Unreadable

MOST_SCENES, MOST_DRAWS = 10_000, 1000
SAME_TIME = 1e-3  # seconds by which a picture's time may differ between drive and reconstruction
CUT_FILE, ANSWERS_FILE = "cut.json", "answers_by_rule.json"


class SceneLayout(StrEnum):
    """How a folder of scenes is laid out; both are read alike."""

    DATASET = "socialnav-sub"  # as the data set is, for its own code, too
    CLIPS = "clips"  # Paseo's own: a folder with scene.json for each scene


@dataclass(frozen=True, slots=True, kw_only=True)
class CuttingOptions:
    """Which scenes are wanted."""

    count: int = 60  # at most
    fitness: str = DATASET  # by name, or `file.py:Class`
    layout: SceneLayout = SceneLayout.DATASET
    goal: GoalRule = field(default_factory=GoalRule)
    draws: int = 0  # of where people may also have been, to tell how sure answers by rule are
    seed: int = 0  # of the draws

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_SCENES:
            raise BadValue(
                f"count must be between 1 and {MOST_SCENES}, not {self.count}",
                parameters=("count",),
            )
        if not 0 <= self.draws <= MOST_DRAWS:
            raise BadValue(
                f"draws must be between 0 and {MOST_DRAWS}, not {self.draws}",
                parameters=("draws",),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class CutScenes:
    """What was cut."""

    folder: Path
    scenes: tuple[MinedScene, ...]  # in the order of the drive
    left_out: tuple[Unreadable, ...]  # whose pictures cannot be used
    answers: tuple[DrawnAnswer, ...] = ()  # by rule, and how sure they are; none without draws


def cut_scenes(
    reconstruction: Reconstruction,
    drive: Drive,
    out: Path,
    *,
    wishes: CuttingOptions | None = None,
    progress: Progress = silent,
) -> CutScenes:
    """Write the best scenes of a drive to a folder that is empty or not there.

    Pictures are read from the drive once, from its first to the last that is needed. Nobody has
    been asked about these scenes: there are no labels.
    """
    wishes = wishes or CuttingOptions()
    chosen = mined_scenes(reconstruction, wishes, progress=progress)
    kept, left_out = [], []
    with draft_folder(out) as draft:
        for scene, frames in _pictured(chosen, reconstruction, drive, progress):
            try:
                pictures = [_picture(frame, reconstruction, drive.name) for frame in frames]
            except BadFile as error:
                left_out.append(Unreadable(scene.id, (str(error),)))
                continue
            _write_scene(draft, scene, pictures, reconstruction, wishes.layout)
            kept.append(scene)
        if not kept:
            raise BadFile(f"{drive.name}: of {len(chosen)} scenes none can be kept; the first: "
                          f"{left_out[0].reason}")  # fmt: skip
        if wishes.layout is SceneLayout.DATASET:
            about_it = about_drive(reconstruction.name)
            write_all(draft, dataset_files(kept, reconstruction.camera, about_it))
        about = _told(kept, left_out, reconstruction, wishes)
        write_all(draft, {CUT_FILE: json_bytes(about)})
        answers = _drawn(kept, reconstruction, wishes)
        if answers:
            write_all(draft, {ANSWERS_FILE: json_bytes(_answered(answers, wishes))})
    return CutScenes(folder=out, scenes=tuple(kept), left_out=tuple(left_out), answers=answers)


def _drawn(
    scenes: Sequence[MinedScene], reconstruction: Reconstruction, wishes: CuttingOptions
) -> tuple[DrawnAnswer, ...]:
    if not wishes.draws:
        return ()
    return drawn_answers(scenes, reconstruction, count=wishes.draws, seed=wishes.seed)


def _answered(answers: Sequence[DrawnAnswer], wishes: CuttingOptions) -> dict[str, object]:
    """What the rules answer, and in how many draws they answer what else."""
    by_scene: dict[str, dict[str, object]] = {}
    for each in answers:
        others = {" and ".join(option): count for option, count in each.others.items()}
        told = {"answer": list(each.answer), "uncertain": each.is_uncertain, "otherwise": others}
        by_scene.setdefault(each.scene, {})[each.question] = told
    return {
        "format": "paseo-answers-by-rule",
        "version": 1,
        "draws": wishes.draws,
        "seed": wishes.seed,
        "scenes": by_scene,
    }


def mined_scenes(
    reconstruction: Reconstruction, wishes: CuttingOptions, *, progress: Progress = silent
) -> list[MinedScene]:
    """The best scenes of a drive in the order of the drive, without their pictures."""
    parts = stretches(reconstruction, TIMING)
    if not parts:
        raise BadValue(
            f"{reconstruction.name}: nowhere are pictures and odometry known for "
            f"{TIMING.duration:g} s on end at {TIMING.rate:g} a second, expected a longer drive, "
            "or one whose clocks agree"
        )
    found = best_clips(parts, TIMING, make_fitness(wishes.fitness), progress=progress)
    chosen = list(islice(found, wishes.count))
    if not chosen:
        raise BadValue(
            f"{reconstruction.name}: in none of its clips is anybody near the robot (within 10 m "
            "ahead and 5 m aside) whom the fitness takes; look at the tracks, or bring another"
        )
    chosen.sort(key=_place)
    return [_mined(each, reconstruction, wishes) for each in chosen]


def _place(found: Found) -> tuple[int, int]:
    return found.clip.stretch.number, found.clip.first


def _mined(found: Found, reconstruction: Reconstruction, wishes: CuttingOptions) -> MinedScene:
    sequence = sequence_name(reconstruction.name, found.clip.stretch)
    return mined_scene(found, sequence, reconstruction.camera, wishes.goal)


def sequence_name(drive: str, part: Stretch) -> str:
    """The name of a stretch in the form of the data set's: drive, robot and number.

    The original's code splits ids at '_', so that no part may hold one; `33_Spot` has two parts
    already.
    """
    words = [re.sub(r"[^A-Za-z0-9.-]+", "-", word).strip("-.")[:40] for word in drive.split("_")]
    words = [word for word in words if word]
    name = "_".join(words) if len(words) == 2 else f"{'-'.join(words)[:60] or 'drive'}_robot"
    if name.startswith(f"{SYNTHETIC}_"):  # that is what staged scenes are known by
        name = f"drive-{name}"
    return f"{name}_{part.number}"


def _pictured(
    scenes: Sequence[MinedScene],
    reconstruction: Reconstruction,
    drive: Drive,
    progress: Progress,
) -> Iterator[tuple[MinedScene, list[Frame]]]:
    """Each scene with its frames; no two scenes share any, so that one is held at a time."""
    wanted = {int(number): scene for scene in scenes for number in scene.frames}
    last, taken = max(wanted), list[Frame]()
    for frame in drive.frames():
        progress("picture", frame.number, last)
        if frame.number in wanted:
            _check_time(frame, reconstruction, drive.name)
            taken.append(frame)
            scene = wanted[frame.number]
            if len(taken) == len(scene.frames):
                yield scene, taken
                taken = []
        if frame.number >= last:
            return
    raise BadFile(
        f"{drive.name}: has no frame {last}, which its reconstruction tells of; give the drive "
        "that was reconstructed"
    )


def _check_time(frame: Frame, reconstruction: Reconstruction, drive: str) -> None:
    told = float(reconstruction.frame_times[frame.number])
    if abs(frame.time - told) > SAME_TIME:
        raise BadFile(
            f"{drive}: frame {frame.number} was taken at {frame.time:.3f} s, but its "
            f"reconstruction says {told:.3f} s; give the drive that was reconstructed"
        )


def _picture(frame: Frame, reconstruction: Reconstruction, drive: str) -> bytes:
    camera, where = reconstruction.camera, Path(f"{drive}, frame {frame.number}")
    check_size(image_size(frame.picture, where), (camera.width_px, camera.height_px), where)
    return frame.picture


def _write_scene(
    draft: Path,
    scene: MinedScene,
    pictures: list[bytes],
    reconstruction: Reconstruction,
    layout: SceneLayout,
) -> None:
    if layout is SceneLayout.CLIPS:
        write_scene(scene.scene(pictures, reconstruction.camera), draft)
    else:
        write_all(draft, scene_files(scene, pictures, reconstruction.camera))


def _told(
    kept: Sequence[MinedScene],
    left_out: Sequence[Unreadable],
    reconstruction: Reconstruction,
    wishes: CuttingOptions,
) -> dict[str, object]:
    """Where the scenes come from, so that anybody can find them again."""
    return {
        "format": "paseo-cut",
        "version": 1,
        "made_by": f"paseo {paseo_version()}",
        "drive": reconstruction.name,
        "fitness": wishes.fitness,
        "most_scenes": wishes.count,
        "goal": {"after_s": wishes.goal.after, "farthest_m": wishes.goal.farthest},
        "labels": None,  # nobody has been asked
        "scenes": [scene.told() for scene in kept],
        "left_out": {each.scene: each.reason for each in left_out},
    }
