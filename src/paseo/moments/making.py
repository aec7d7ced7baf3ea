"""Scenes made of what Paseo has: recorded, generated and driven episodes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from paseo.camera.lens.camerafile import find_camera
from paseo.data.scenes.scene_file import write_scene
from paseo.data.scenes.socialnavsub import TIMING
from paseo.data.scenes.writing import write_all
from paseo.errors import BadValue
from paseo.files import draft_folder
from paseo.moments.candidates import Moment, moments_of, sighted
from paseo.moments.choosing import chosen_moments
from paseo.moments.filming import Filmed, filmed
from paseo.moments.scenes import MomentScene, about_files, scene_of
from paseo.moments.sources import Source, source_of
from paseo.pipeline.mining.fitness import DATASET, make_fitness
from paseo.pipeline.mining.goals import GoalRule
from paseo.pipeline.mining.layout import About, dataset_files, recorded_files
from paseo.progress import Progress, silent
from paseo.registry.trust import Consent, only_known
from paseo.text import storable
from paseo.version import paseo_version
from paseo.vqa.geometry.own_rules import own_rules
from paseo.vqa.geometry.rules import Rulebook
from paseo.vqa.questions.own import OWN, questions_bytes, read_questions
from paseo.vqa.questions.questions import catalogue_of
from paseo.world.cameras import Camera
from paseo.world.scenes import ClipTiming

CAMERA = "socialnavsub"
MOST_SCENES = 10_000
MOST_FRAMES, LONGEST = 200, 30.0  # frames and seconds of one scene
README = """\
# Scenes made by Paseo

Made of `{source}` by `paseo scenes make`, in the layout of SocialNav-SUB; they are none of its
scenes. {truth} The pictures are computed. `geometry_labels` holds the
right answers by geometry, which are nobody's votes: no person has been asked. What is too close to
call has no label. `aftermath` holds what followed each scene. `moments.json` tells where each comes
from.
"""
WALKED = "People walked as they do here, and one of them is in the robot's place."
DRIVEN = "A planner drove the robot, in a simulation; people moved as its episodes say."


@dataclass(frozen=True, slots=True, kw_only=True)
class MakingOptions:
    """Which scenes are wanted."""

    count: int = 60  # at most
    seed: int = 0  # decides between moments that are equally good
    camera: str = CAMERA  # a preset, or a file
    timing: ClipTiming = TIMING
    fitness: str = DATASET  # by name, or `file.py:Class`
    goal: GoalRule = field(default_factory=GoalRule)
    data: Path | None = None  # where recordings are
    questions: Path | None = None  # a file of one's own; None: the fifteen

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_SCENES:
            raise BadValue(
                f"count must be between 1 and {MOST_SCENES}, not {self.count}",
                parameters=("count",),
            )
        frames, period = self.timing.frames, self.timing.period
        if not (2 <= frames <= MOST_FRAMES and 0.05 <= period <= 2.0):
            raise BadValue(
                f"a scene of {frames} pictures, {period:g} s apart, cannot be made, expected 2 to "
                f"{MOST_FRAMES}, 0.05 to 2 s apart",
                parameters=("frames", "rate_hz"),
            )
        if self.timing.duration > LONGEST:
            raise BadValue(
                f"a scene of {self.timing.duration:g} s cannot be made, expected at most "
                f"{LONGEST:g} s",
                parameters=("frames", "rate_hz"),
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeScenes:
    """What was made."""

    folder: Path
    scenes: tuple[MomentScene, ...]
    offered: int  # moments that could have been taken, most of them in place of each other

    @property
    def labels(self) -> tuple[int, int]:
        """How many questions have a clear answer, and how many are too close to call."""
        clear = sum(each.clear for scene in self.scenes for each in scene.answers.values())
        return clear, sum(len(scene.answers) for scene in self.scenes) - clear


def make_scenes(
    target: str,
    out: Path,
    *,
    wishes: MakingOptions | None = None,
    trust: Consent = only_known,
    progress: Progress = silent,
) -> MadeScenes:
    """Write scenes of a suite, an episode, a crowd or a run to a folder that is empty or not there.

    Needs the extra `camera`. The same target, wishes and data give the same files. `trust` is asked
    before the rules are imported that a file of one's own questions names.
    """
    wishes = wishes or MakingOptions()
    own = None if wishes.questions is None else read_questions(wishes.questions)
    rules = Rulebook()
    if own is not None and wishes.questions is not None:
        rules = Rulebook(catalogue_of(own), own_rules(own, wishes.questions, trust))
    camera = _carried(wishes.camera)
    source = source_of(target, wishes.timing.period, wishes.data)
    offered = list(_moments(source, camera, wishes, progress))
    chosen = chosen_moments(offered, wishes.count, wishes.seed, rules)
    if not chosen:
        raise BadValue(
            f"{target}: at no moment of it is anybody near whoever could carry the camera, for "
            f"{wishes.timing.duration:g} s and what follows; take another, or shorter scenes"
        )
    with draft_folder(out) as draft:
        kept = []
        for each in filmed(chosen, camera, progress):
            scene = scene_of(each, rules)
            if scene is not None:
                _write(draft, scene, each, camera, wishes)
                kept.append(scene)
        kept.sort(key=lambda scene: scene.id)
        if wishes.timing == TIMING:
            about = _about(source)
            write_all(draft, dataset_files([scene.mined for scene in kept], camera, about))
        write_all(draft, about_files(kept, _told(source, wishes, rules)))
        if own is not None:
            write_all(draft, {OWN: questions_bytes(own)})
    return MadeScenes(folder=out, scenes=tuple(kept), offered=len(offered))


def _carried(name: str) -> Camera:
    camera = find_camera(name)
    if camera.at is not None:
        raise BadValue(
            f"camera {name} stands at a place of its own, expected one on the robot; omit at",
            parameters=("camera",),
        )
    return camera


def _moments(
    source: Source, camera: Camera, wishes: MakingOptions, progress: Progress
) -> Iterator[Moment]:
    """All moments of a source; who is recorded carries the camera once, whatever shows them."""
    fitness, ridden = make_fitness(wishes.fitness), set()
    for done, stage in enumerate(source.found, start=1):
        for rider in stage.riders:
            ride = rider.identity, stage.floorplan.name
            if ride not in ridden:
                ridden.add(ride)
                seen = sighted(stage, rider, camera)
                yield from moments_of(seen, wishes.timing, fitness, wishes.goal)
        progress("episode", done, source.stages)


def _write(
    draft: Path, scene: MomentScene, shot: Filmed, camera: Camera, wishes: MakingOptions
) -> None:
    if wishes.timing == TIMING:
        write_all(draft, recorded_files(scene.mined, shot.pictures))
    else:  # the data set's own layout has ten frames, and no place to say otherwise
        write_scene(scene.mined.scene(shot.pictures, camera), draft)
    write_all(draft, scene.truth_files())


def _about(source: Source) -> About:
    truth = DRIVEN if source.is_driven else WALKED
    readme = README.format(source=storable(source.name), truth=truth)
    return About("paseo_moments", readme, truth)


def _told(source: Source, wishes: MakingOptions, rules: Rulebook) -> dict[str, object]:
    """How the scenes were made, so that anybody can make them again."""
    own = {key: each.provenance for key, each in rules.own.items()}
    return {
        "format": "paseo-moments",
        "version": 1,
        "made_by": f"paseo {paseo_version()}",
        "source": source.name,
        "driven": source.is_driven,
        "most_scenes": wishes.count,
        "seed": wishes.seed,
        "camera": wishes.camera,
        "frames": wishes.timing.frames,
        "period_s": wishes.timing.period,
        "fitness": wishes.fitness,
        "goal": {"after_s": wishes.goal.after, "farthest_m": wishes.goal.farthest},
        "truth": "geometry",
        **({"own_rules": own} if own else {}),
    }
