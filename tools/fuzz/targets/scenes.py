"""Scenes: data sets in the original's layout, folders of our own, clips and exports."""

import io
import json
from pathlib import Path
from typing import Any

from fuzz import oracles
from fuzz.target import Example, Target

WIDTH, HEIGHT = 64, 36
PEOPLE = 2  # at most, in the scenes that are taken


def picture(shade: int, form: str = "JPEG") -> bytes:
    """A small picture."""
    from PIL import Image

    made = Image.linear_gradient("L").resize((WIDTH, HEIGHT)).convert("RGB")
    made.paste((shade, 80, 120), (4, 4, 20, 20))
    buffer = io.BytesIO()
    made.save(buffer, form)
    return buffer.getvalue()


def staged() -> list[Any]:
    """Two of the scenes that are staged, those with the fewest people."""
    from paseo.vqa.synthetic.stagings import stagings

    return sorted(stagings(1), key=lambda each: (len(each.walkers), each.id))[1:3]


def camera() -> Any:
    """The camera of small pictures."""
    from paseo.world.scenes import Camera

    return Camera(width_px=WIDTH, height_px=HEIGHT, fx=31.2, fy=31.2, cx=32.0, cy=18.0)


def make_dataset(folder: Path) -> None:
    """A data set of two scenes in the layout of SocialNav-SUB, with people's answers."""
    from paseo.data.scenes.writing import json_bytes, settings_bytes
    from paseo.vqa.pictures.photos import png_bytes
    from paseo.vqa.pictures.pictures import Drawing, Layout, drawn
    from paseo.vqa.prompts.survey_file import GRID_LINE, wording_entries
    from paseo.vqa.synthetic import files
    from paseo.vqa.synthetic.dataset import STAGED, staged_scene
    from paseo.vqa.synthetic.truth import truth
    from paseo.vqa.synthetic.voting import ballots, common_answers, raw_answers

    scenes = staged()
    found = {
        "dataset_cfg.yaml": settings_bytes("paseo_synthetic", camera()),
        "goal_info.json": json_bytes(files.goals(scenes)),
        "prompts/sample_info.json": json_bytes(files.scene_list(scenes)),
        "prompts/survey_prompt.json": json_bytes(wording_entries(STAGED, lines=(GRID_LINE,))),
    }
    for each in scenes:
        id, first = each.id, each.first_frame
        found[f"front_view/{id}/traj_data.pkl"] = files.odometry_bytes(each)
        numbers = {track: k for k, track in enumerate(sorted(_tracks(each)), start=1)}
        label = f"front_view/{id}/{first}_tracking_id_to_obj_label.json"
        found[label] = json_bytes(each.given_numbers or numbers)
        found[f"prompts/{id}/{id}_localized_obj_coords.json"] = files.tracks_bytes(each, camera())
        views = [picture(20 * k) for k in range(10)]
        shown = drawn(staged_scene(each, views, camera()), Layout.FRONT_BEV, Drawing.PASEO_BRG)
        for k, (view, both) in enumerate(zip(views, shown, strict=True)):
            found[f"front_view/{id}/{first + k}.jpg"] = view
            found[f"prompts/{id}/sample_with_bev_{k}.png"] = png_bytes(both)
        cast = ballots(each, truth(each), seed=1)
        votes = common_answers(cast, each, seed=1)
        found[f"human_labels/{id}/common_answers.json"] = json_bytes(votes)
        found[f"human_labels/{id}/raw_answers.json"] = json_bytes(raw_answers(cast, each))
    for name, content in found.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)


def make_moments(folder: Path) -> None:
    """The same data set with what followed its scenes, and right answers by geometry."""
    from paseo.data.scenes.dataset import open_scenes
    from paseo.data.scenes.writing import write_all
    from paseo.vqa.geometry.aftermath import FOLDER, Aftermath, aftermath_bytes
    from paseo.vqa.geometry.course import course_of
    from paseo.vqa.geometry.labels import label_bytes, label_file
    from paseo.vqa.geometry.rules import geometry_answers
    from paseo.vqa.questions.questions import shipped

    make_dataset(folder)
    scenes = open_scenes(folder)
    for id in scenes.ids:
        scene = scenes.read(id)
        people = {each.number: each.positions for each in scene.people}
        after = Aftermath(period=scene.period, robot=scene.robot, people=people)
        answers = geometry_answers(course_of(scene, after))
        told = {f"{FOLDER}/{id}.json": aftermath_bytes(after)}
        write_all(folder, told | {label_file(id): label_bytes(id, answers, shipped())})


def _aftermath(here: Path, aside: Path) -> None:
    """What followed: written and read again, it is the same."""
    from paseo.vqa.geometry.aftermath import FOLDER, aftermath_bytes, read_aftermath

    first = read_aftermath(here, first_scene())
    if first is None:
        return
    (aside / FOLDER).mkdir()
    (aside / FOLDER / f"{first_scene()}.json").write_bytes(aftermath_bytes(first))
    second = read_aftermath(aside, first_scene())
    assert second is not None
    oracles.same(first.robot.round(6).tolist(), second.robot.tolist(), "the robot's way")
    oracles.same(sorted(first.people), sorted(second.people), "people")


def _tracks(staging: Any) -> list[str]:
    return [walker.track for walker in staging.walkers]


def make_clip(folder: Path) -> None:
    """Pictures and tracks of a clip of one's own, the scene they make, and a film of it."""
    from paseo.data.scenes.clips import import_clip

    (folder / "frames").mkdir()
    for k in range(6):
        (folder / "frames" / f"{k}.png").write_bytes(picture(30 * k, "PNG"))
        (folder / "frames" / f"{k + 6}.jpg").write_bytes(picture(30 * k))
    (folder / "tracks.json").write_text(json.dumps(_clip("yard-1"), indent=1))
    import_clip(folder / "frames", folder / "tracks.json", folder / "scenes")
    _write_film(folder / "film.mp4")


def _clip(id: str) -> dict[str, Any]:
    times = [k / 4 for k in range(12)]
    robot = [{"time_s": t, "x_m": 2.0, "y_m": 3.0 + t, "heading_deg": 90.0} for t in times]
    seen = [
        {"time_s": t, "x_m": 1.0, "y_m": 5.0 + t, "box_px": [20, 5, 30, 30]} for t in times[2:8]
    ]
    return {
        "format": "paseo-clip",
        "version": 1,
        "id": id,
        "goal_m": [2.0, 9.0],
        "robot": robot,
        "people": [{"number": 2, "track": seen}, {"number": 5, "track": seen[:1]}],
        "camera": {"width_px": WIDTH, "height_px": HEIGHT, "fx_px": 31.2, "fy_px": 31.2,
                   "cx_px": 32.0, "cy_px": 18.0},
    }  # fmt: skip


def _write_film(path: Path) -> None:
    import av
    import numpy as np

    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=8)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for k in range(26):
            pixels = np.full((HEIGHT, WIDTH, 3), 9 * k, np.uint8)
            for packet in stream.encode(av.VideoFrame.from_ndarray(pixels, format="rgb24")):
                container.mux(packet)
        for packet in stream.encode():
            container.mux(packet)


DATASET = Example(name="dataset", make=make_dataset)
MOMENTS = Example(name="moments", make=make_moments)
CLIP = Example(name="clip", make=make_clip)


def first_scene() -> str:
    """The id of the scene that commands are asked for."""
    return str(staged()[0].id)


def _sample(here: Path) -> Any:
    from paseo.data.scenes.dataset import open_scenes

    return open_scenes(here).read(first_scene())


def _own(here: Path) -> Any:
    from paseo.data.scenes.dataset import open_scenes

    return open_scenes(here / "scenes").read("yard-1")


def _imported(clip: str) -> Any:
    """The scene that was made of the clip: cut again, it is the same."""

    def cut(here: Path) -> Any:
        from paseo.data.scenes.clips import cut_scene

        return cut_scene(here / clip, here / "tracks.json").scene

    return oracles.scene(cut)


SAME = "as a folder of Paseo's own and read again, it is the same scene, picture by picture"
# What a show of the scene reads; people's answers and the wording are other kinds of file.
READ = ("dataset_cfg.yaml", "goal_info.json", "prompts/*.json", f"front_view/{first_scene()}/*",
        f"prompts/{first_scene()}/*")  # fmt: skip
TARGETS = (
    Target(
        name="SocialNav-SUB folder: show",
        example=DATASET,
        damaged=READ,
        command=f"scenes show {first_scene()} --scenes . --out OUT/scene.png",
        oracle=oracles.scene(_sample),
        told=SAME,
    ),
    Target(
        name="SocialNav-SUB folder: export",
        example=DATASET,
        damaged=("*", "prompts/*", "front_view/*/*", "prompts/*/*.json", "human_labels/*/*"),
        command="scenes export . --to inspect --out OUT/task --labels . --limit 1 --images front "
        "--wording dataset",
        oracle=oracles.nothing_more,
        told="read to the end; scenes and votes that cannot be read are named and left out",
    ),
    Target(
        name="scene folder: show",
        example=CLIP,
        damaged=("scenes/yard-1/*",),
        command="scenes show yard-1 --scenes scenes --out OUT/scene.png --drawing paseo",
        oracle=oracles.scene(_own),
        told=SAME,
    ),
    Target(
        name="clip: import",
        example=CLIP,
        damaged=("tracks.json", "tracks.json", "frames/*"),
        command="scenes import frames tracks.json --out OUT/scenes",
        oracle=_imported("frames"),
        told=SAME,
    ),
    Target(
        name="clip: film",
        example=CLIP,
        damaged=("film.mp4",),
        command="scenes import film.mp4 tracks.json --out OUT/scenes",
        oracle=_imported("film.mp4"),
        told=SAME,
    ),
    Target(
        name="what followed scenes: score",
        example=MOMENTS,
        damaged=("aftermath/*",),
        command="score --scenes . --ocr none --brief",
        oracle=_aftermath,
        told="written and read again, it is the same",
    ),
    Target(
        name="answers by geometry: score",
        example=MOMENTS,
        damaged=("geometry_labels/*/*",),
        command="score --labels . --truth geometry --brief",
        oracle=oracles.nothing_more,
        told="read to the end; scenes that cannot be read are named and left out",
    ),
)
