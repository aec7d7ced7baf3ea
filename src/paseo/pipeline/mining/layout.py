"""Mined scenes as files in the layout of SocialNav-SUB."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from paseo.data.scenes.writing import (
    Files,
    goal_text,
    json_bytes,
    odometry_bytes,
    scene_list,
    settings_bytes,
    tracks_bytes,
)
from paseo.pipeline.mining.mined import MinedScene, pinhole
from paseo.text import storable
from paseo.vqa.pictures.photos import jpeg, photo, png_bytes
from paseo.vqa.pictures.pictures import Drawing, Layout, drawn
from paseo.vqa.prompts.survey_file import dependencies, wording_entries
from paseo.world.cameras import Camera

JPEG = b"\xff\xd8"
QUALITY = 95  # of the JPEGs made of pictures that are none
COEFFICIENTS = ("k1", "k2", "p1", "p2", "k3")
RECORDED = "These scenes were recorded: a robot was driven, people walked around it."
README = """\
# Scenes cut out of a drive

Cut out of the drive `{drive}` by Paseo, in the layout of SocialNav-SUB; they are none of its
scenes. People were found in the pictures and located by a program, the robot by its odometry:
positions are estimates. Goals are where the robot drove afterwards. Nobody has been asked about
these scenes: there are no labels, and no `human_labels` folder.
`cut.json` tells which frames of the drive each scene has, and why it was taken.
"""


def scene_files(scene: MinedScene, pictures: Sequence[bytes], camera: Camera) -> Files:
    """What the data set has of one scene: views, odometry, tracks, numbers, and drawn pictures."""
    found = recorded_files(scene, pictures)
    views = [
        found[f"front_view/{scene.id}/{scene.clip.first + k}.jpg"] for k in range(len(pictures))
    ]
    whole = scene.scene(views, camera)
    with ThreadPoolExecutor() as pool:  # Pillow and zlib let others run while they work
        pngs = pool.map(png_bytes, drawn(whole, Layout.FRONT_BEV, Drawing.PASEO_BRG))
        found |= {f"prompts/{scene.id}/sample_with_bev_{k}.png": png for k, png in enumerate(pngs)}
    return found


def recorded_files(scene: MinedScene, pictures: Sequence[bytes]) -> Files:
    """The same without drawn pictures, which are made when they are asked for."""
    id, first, stretch = scene.id, scene.clip.first, scene.clip.stretch
    views = [_jpeg(picture, f"{id}, frame {k}") for k, picture in enumerate(pictures)]
    found = {f"front_view/{id}/{first + k}.jpg": view for k, view in enumerate(views)}
    found[f"front_view/{id}/traj_data.pkl"] = odometry_bytes(
        stretch.robot[:, :2], stretch.robot[:, 2]
    )
    numbers = f"front_view/{id}/{first}_tracking_id_to_obj_label.json"
    found[numbers] = json_bytes(dict(scene.numbers))
    found[f"prompts/{id}/{id}_localized_obj_coords.json"] = tracks_bytes(scene.tracks)
    found[f"prompts/{id}/n_people.json"] = json_bytes({"n_people": len(scene.people)})
    return found


@dataclass(frozen=True, slots=True)
class About:
    """What a data set says of itself."""

    name: str
    readme: str
    recorded: str  # the sentence that the survey's text begins with


def about_drive(drive: str) -> About:
    """Of scenes that were cut out of a drive."""
    return About("paseo_cut", README.format(drive=storable(drive)), RECORDED)


def dataset_files(scenes: Sequence[MinedScene], camera: Camera, about: About) -> Files:
    """The files above the scenes."""
    listed = json_bytes(scene_list({scene.id: len(scene.people) for scene in scenes}))
    wording, graph = json_bytes(wording_entries(about.recorded)), json_bytes(dependencies())
    return {
        "README.md": about.readme.encode(),
        "dataset_cfg.yaml": settings_bytes(about.name, pinhole(camera), further=_further(camera)),
        "goal_info.json": json_bytes(_goals(scenes)),
        "sample_info.json": listed,
        "prompts/sample_info.json": listed,
        "prompts/survey_prompt.json": wording,
        "prompts/relevant_prev_questions.json": graph,
    }


def _goals(scenes: Sequence[MinedScene]) -> dict[str, list[str]]:
    """goal_info.json: the picture that was taken when the robot was there, and the place."""
    entries = {}
    for scene in scenes:
        stretch = scene.clip.stretch
        there = int(stretch.times.searchsorted(scene.goal_time - 1e-9))
        place, ahead = (f"{scene.sequence}/{k}.jpg" for k in (scene.clip.first, there))
        entries[place] = [ahead, goal_text(scene.goal)]
    return entries


def _further(camera: Camera) -> str:
    """What the original's code asks for and its own file does not tell."""
    lines = [f"camera_height: {camera.height}", f"camera_x_offset: {camera.forward}"]
    if camera.distortion:
        given = dict(zip(COEFFICIENTS, camera.distortion, strict=False))
        lines += ["dist_coeffs:", *(f"    {key}: {value}" for key, value in given.items())]
    return "\n" + "\n".join(lines) + "\n"


def _jpeg(picture: bytes, where: str) -> bytes:
    return picture if picture.startswith(JPEG) else jpeg(photo(picture, where), QUALITY)
