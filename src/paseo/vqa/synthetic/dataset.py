"""The synthetic data set as a whole: everything staged, filmed, voted on and written."""

import io
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from paseo.camera.people.library import Library, People
from paseo.data.scenes.socialnavsub import TIMING
from paseo.data.scenes.writing import Files, json_bytes, settings_bytes, write_all
from paseo.files import draft_folder
from paseo.progress import Progress, silent
from paseo.vqa.pictures.photos import png_bytes
from paseo.vqa.pictures.pictures import Drawing, Layout, drawn
from paseo.vqa.prompts.survey_file import GRID_LINE, dependencies, wording_entries
from paseo.vqa.synthetic import files
from paseo.vqa.synthetic.casting import CAMERA, Staging
from paseo.vqa.synthetic.expectation import expected
from paseo.vqa.synthetic.filming import Extras, Studio
from paseo.vqa.synthetic.scenery import plans_for
from paseo.vqa.synthetic.stagings import stagings
from paseo.vqa.synthetic.truth import truth
from paseo.vqa.synthetic.voting import Ballots, ballots, common_answers, raw_answers
from paseo.world.scenes import Camera, NumberedPerson, Scene

if TYPE_CHECKING:
    from paseo.camera.renderer import Effort

QUALITY = 90
README = """\
# A synthetic data set

Made by `paseo scenes make --synthetic --seed {seed}` in the layout of SocialNav-SUB. Nothing here
was recorded: robots and people move along formulas, the pictures are computed, and the votes are
drawn at random around the truth. No real scene has these ids.
`expected.json` holds what the votes must score, as exact fractions.
"""
STAGED = "These are staged scenes: a robot drives, people walk around it, all of it is computed."
COUNTER = '"""Stands where the original has a script that counts who answered."""\n'


@dataclass(frozen=True, slots=True)
class Look:
    """How pictures are made."""

    camera: Camera  # of the front views
    people: People
    plans: int | None = None  # how many floor plans at most; None: all


class Profile(Enum):
    """How large the pictures are, and what goes into them."""

    FULL = Look(CAMERA, Library())
    # For tests: a single place, and few bodies.
    TINY = Look(
        Camera(width_px=128, height_px=72, fx=62.33087, fy=62.491863, cx=64.0, cy=36.0),
        people=Extras(4),
        plans=1,
    )

    @property
    def camera(self) -> Camera:
        """Of the front views."""
        return self.value.camera


def make_dataset(
    out: Path, *, seed: int = 0, profile: Profile = Profile.FULL, progress: Progress = silent
) -> None:
    """Write the data set to a folder that is empty or not there; needs the extra `camera`."""
    scenes = stagings(seed)
    with draft_folder(out) as draft:
        for staging, views in _filmed(scenes, profile, seed=seed, progress=progress):
            write_all(draft, _recorded(staging, views, profile.camera))
        truths = {staging.id: truth(staging) for staging in scenes}
        cast = {each.id: ballots(each, truths[each.id], seed=seed) for each in scenes}
        for staging in scenes:
            write_all(draft, _labelled(staging, cast[staging.id], seed=seed))
        write_all(draft, _shared(scenes, profile, seed=seed))
        write_all(draft, {"expected.json": json_bytes(expected(cast, truths))})


View = NDArray[np.uint8]  # (rows, columns, 3)


def _filmed(
    scenes: tuple[Staging, ...], profile: Profile, *, seed: int, progress: Progress
) -> Iterator[tuple[Staging, list[View]]]:
    """Each scene with its front views; those at one place come one after the other."""
    total, done = TIMING.frames * len(scenes), 0
    progress("picture", 0, total)
    plans = plans_for(seed, len(scenes), profile.value.plans)
    for plan in dict.fromkeys(plans):
        studio = Studio(
            plan,
            seed=seed,
            people=profile.value.people,
            effort=_effort(profile),
            progress=progress,
        )
        for staging in (each for each, its in zip(scenes, plans, strict=True) if its == plan):
            views = []
            for image in studio.film(staging, profile.camera):
                views.append(image.rgb)
                done += 1
                progress("picture", done, total)
            yield staging, views


def _effort(profile: Profile) -> "Effort | None":
    """What goes into colours; None: everything."""
    from paseo.camera.renderer import Effort  # which needs warp

    return None if profile is Profile.FULL else Effort(smooth_edges=False, occlusion=False)


def staged_scene(staging: Staging, frames: Iterable[bytes], camera: Camera) -> Scene:
    """The scene as it should be read, from the analytic world instead of from files."""
    people = []
    for number, walker in staging.numbered().items():
        positions, boxes = np.full((TIMING.frames, 2), np.nan), np.full((TIMING.frames, 4), np.nan)
        for frame, box in staging.boxes(walker, camera).items():
            positions[frame] = walker.walk.position(frame * TIMING.period)
            boxes[frame] = box or np.nan
        people.append(NumberedPerson(number=number, positions=positions, boxes=boxes))
    return Scene(
        id=staging.id,
        frames=tuple(frames),
        period=TIMING.period,
        robot=np.array(
            [staging.drive.pose(frame * TIMING.period) for frame in range(TIMING.frames)]
        ),
        goal=staging.goal,
        people=tuple(people),
        camera=camera,
    )


def _recorded(staging: Staging, views: list[View], camera: Camera) -> Files:
    """What a recording gives: views, odometry, tracks, and the pictures that people saw."""
    id, first = staging.id, staging.first_frame
    found = _pictured(staging, views, camera)
    found[f"front_view/{id}/traj_data.pkl"] = files.odometry_bytes(staging)
    if staging.given_numbers:
        name = f"front_view/{id}/{first}_tracking_id_to_obj_label.json"
        found[name] = json_bytes(staging.given_numbers)
    name = f"prompts/{id}/{id}_localized_obj_coords.json"
    found[name] = files.tracks_bytes(staging, camera)
    count = len(staging.walkers)
    people: object = count if staging.bare_count else {"n_people": count}
    found[f"prompts/{id}/n_people.json"] = json_bytes(people)
    return found


def _pictured(staging: Staging, views: list[View], camera: Camera) -> Files:
    id, first = staging.id, staging.first_frame
    with ThreadPoolExecutor() as pool:  # Pillow and zlib let others run while they work
        jpegs = list(pool.map(_jpeg, views))
        scene = staged_scene(staging, jpegs, camera)
        pngs = pool.map(png_bytes, drawn(scene, Layout.FRONT_BEV, Drawing.PASEO_BRG))
        found = {f"front_view/{id}/{first + k}.jpg": jpeg for k, jpeg in enumerate(jpegs)}
        found |= {f"prompts/{id}/sample_with_bev_{k}.png": png for k, png in enumerate(pngs)}
    return found


def _labelled(staging: Staging, cast: Ballots, *, seed: int) -> Files:
    folder = f"human_labels/{staging.id}"
    common = common_answers(cast, staging, seed=seed)
    return {
        f"{folder}/common_answers.json": json_bytes(common),
        f"{folder}/raw_answers.json": json_bytes(raw_answers(cast, staging)),
    }


def _shared(scenes: tuple[Staging, ...], profile: Profile, *, seed: int) -> Files:
    """The files above the scenes; the survey's text twice, as the original has it."""
    listed, graph = json_bytes(files.scene_list(scenes)), json_bytes(dependencies())
    return {
        "README.md": README.format(seed=seed).encode(),
        ".gitattributes": b"*.jpg filter=lfs diff=lfs merge=lfs -text\n",
        "dataset_cfg.yaml": settings_bytes("paseo_synthetic", profile.camera),
        "goal_info.json": json_bytes(files.goals(scenes)),
        "test.csv": files.table_bytes(scenes),
        "sample_info.json": listed,
        "human_labels/sample_info.json": listed,
        "prompts/sample_info.json": listed,
        "survey_prompt.json": json_bytes(wording_entries(STAGED)),
        "prompts/survey_prompt.json": json_bytes(wording_entries(STAGED, lines=(GRID_LINE,))),
        "relevant_prev_questions.json": graph,
        "prompts/relevant_prev_questions.json": graph,
        "human_labels/count_n_humans.py": COUNTER.encode(),
    }


def _jpeg(view: View) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(view).save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()
