"""Records and episodes through a camera: one moment as pictures and arrays, or all as a film."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from math import degrees
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture

from paseo.camera.lens.camerafile import camera_entry, find_camera
from paseo.camera.lens.image import Image
from paseo.camera.lens.sensor import Shutter, sensed, watched
from paseo.camera.lens.sensorfile import read_sensor, sensor_entry
from paseo.camera.people.library import People, rocketbox
from paseo.camera.places.meshfile import check_mesh
from paseo.camera.places.settings import Setting, set_place
from paseo.camera.view import CameraView
from paseo.data.store.locations import data_folder
from paseo.data.store.packs import AVATARS, rocketbox_pack
from paseo.errors import InputError, MissingData
from paseo.files import draft_folder, make_folder_of
from paseo.planners.stop import Stop
from paseo.progress import Progress, silent
from paseo.render.films.footage import Footage, Playback
from paseo.render.raster.film import require_av, write_film
from paseo.render.raster.strokes import Frame
from paseo.render.staging.playthrough import Playthrough
from paseo.report.pictures.targets import Selection, Target, check_time, find_subject, name_of
from paseo.sim.simulate import simulate
from paseo.version import paseo_version
from paseo.world.cameras import CameraSensor
from paseo.world.records import Record
from paseo.world.scenarios import Missing

FILM = ".mp4"
FILES = (".png", ".jpg", ".jpeg", FILM)  # which no folder is called
USUAL_FPS = 10.0
MILLIMETRES, MICROSECONDS = 1000, 1_000_000
FARTHEST = 65.535  # metres in a picture of 16 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """What is rendered, and by which camera."""

    camera: str = "level"  # one that ships by name, or a file (.toml)
    people: Path | str | None = None  # 'rocketbox', or a folder of such; None: those that ship
    setting: Setting = field(default_factory=Setting)  # the hour, the sky, a mesh of your own
    sensor: Path | None = None  # a file (.toml); None: a perfect one
    seed: int = 0  # of the sensor's chance
    episode: str | None = None  # of a run directory; None: the only one
    planners: Sequence[str] = ()  # of a run directory; empty: the only one
    fps: float | None = None  # of a film; None: 10
    speed: float | None = None  # of a film; None: real time
    threads: int | None = None  # None: one for each core
    data: Path | None = None  # the folder of recordings; None: as everywhere


USUAL = RenderOptions()


class Shot:
    """A record through a camera, at any time."""

    def __init__(
        self, record: Record, options: RenderOptions = USUAL, *, progress: Progress = silent
    ) -> None:
        start, setting = record.scenario.start, options.setting
        plan = None if Missing.MAP in record.scenario.missing else record.scenario.floorplan
        self.camera = find_camera(options.camera)
        self.sensor, self.shutter = _sensor(options.sensor)
        people = None if options.people is None else people_of(options.people, options.data)
        self.place = set_place(plan, setting, near=(start.x, start.y))
        self.played = Playthrough(record)
        self.end = self.played.end
        self._seed = options.seed
        self._view = CameraView(
            self.place,
            plan=None if setting.mesh_only else plan,
            people=people,
            threads=options.threads or os.cpu_count() or 1,
            progress=progress,
        )
        self.device = self._view.device  # that renders, as warp calls it
        self.exposure = self._view.exposure  # which adapts to the light of the place
        self._footwork = self._view.footwork_of(record)

    def image(self, time: float) -> Image:
        """What the sensor tells of what the camera sees; the same whatever was asked before."""
        rng = np.random.default_rng([self._seed, round(time * MICROSECONDS)])
        return sensed(watched(self._take, time, self.shutter), self.sensor, rng)

    def frame(self, time: float) -> Frame:
        """The colours of it."""
        return self.image(time).rgb

    @property
    def dressed(self) -> tuple[int, int]:
        """How many bodies were made so far, and how many of them lack pictures and are plain."""
        return self._view.dressed

    def _take(self, time: float) -> Image:
        return self._view.render(self.played.at(time).snapshot, self.camera, self._footwork)


def render_moment(
    target: Target,
    out: Path | str,
    *,
    time_s: float,
    options: RenderOptions = USUAL,
    progress: Progress = silent,
) -> Path:
    """Write what the camera sees at a time into a folder that is empty or not there.

    `rgb.png`, `depth.png` (16 bits, millimetres, 0 where nothing is seen within 65.5 m),
    `arrays.npz` (rgb, depth, ids and normals, exactly) and `view.json`, which says whence it came.
    An episode is seen by a robot that stays at its start.
    """
    for name in ("fps", "speed"):
        if getattr(options, name) is not None:
            raise InputError(f"{name} is for films; omit it", parameters=(name,))
    if Path(out).suffix.lower() in FILES:
        raise InputError(f"{out}: a moment is a folder; name one without {Path(out).suffix}")
    _check(options)
    record = _record(target, options)
    check_time([record], time_s)
    with draft_folder(Path(out)) as folder:
        shot = Shot(record, options, progress=progress)
        image = shot.image(time_s)
        Picture.fromarray(image.rgb).save(folder / "rgb.png")
        Picture.fromarray(millimetres(image.depth)).save(folder / "depth.png")
        (folder / "arrays.npz").write_bytes(_arrays(image))
        facts = _facts(shot, time_s) | _choices(shot, options)
        (folder / "view.json").write_text(json.dumps(facts, indent=1) + "\n")
    _tell_plain(shot, progress)
    return Path(out)


def render_film(
    target: Target,
    out: Path | str,
    *,
    options: RenderOptions = USUAL,
    progress: Progress = silent,
) -> Path:
    """Film what the camera sees from beginning to end, as .mp4."""
    out = Path(out)
    if out.suffix.lower() != FILM:
        raise InputError(f"{out}: a film through a camera ends in {FILM}; rename it")
    require_av()
    fps = USUAL_FPS if options.fps is None else options.fps
    playback = Playback(fps=fps, speed=1.0 if options.speed is None else options.speed)
    _check(options)
    record = _record(target, options)
    make_folder_of(out)
    # Each thread draws frames of its own: none waits for what cannot be shared.
    shot = Shot(record, replace(options, threads=1), progress=progress)
    drawers = options.threads or os.cpu_count() or 1
    footage = Footage(shot, playback, threads=drawers if shot.device == "cpu" else 1)
    write_film(out, footage, fps, progress=progress)
    _tell_plain(shot, progress)
    return out


def millimetres(depth: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Metres as whole millimetres, 0 where there are none or more than fit."""
    told = np.where(depth <= FARTHEST, depth, 0.0)  # NaN is not below
    return np.round(told * MILLIMETRES).astype(np.uint16)


def _check(options: RenderOptions) -> None:
    """Raise for names and files that cannot be used, before anything is simulated or built."""
    find_camera(options.camera)
    _sensor(options.sensor)
    if options.people is not None:
        len(people_of(options.people, options.data))  # which looks for avatars
    if options.setting.mesh is not None:
        check_mesh(options.setting.mesh)


def _tell_plain(shot: Shot, progress: Progress) -> None:
    count, plain = shot.dressed
    if plain:
        name = rocketbox_pack().name
        progress(
            f"{plain} of {count} avatars lack pictures and are plain there; `paseo data fetch "
            f"{name}` gets them",
            0,
            0,
        )


def _record(target: Target, options: RenderOptions) -> Record:
    selection = Selection(episode=options.episode, planners=options.planners)
    subject = find_subject([target], selection, data=options.data)
    if subject.episode is not None:
        return simulate(subject.episode, Stop())
    if not subject.records:
        raise InputError(
            f"'{name_of(target)}' is a map, where nobody is; name a record or an episode there"
        )
    if len(subject.records) > 1:
        raise InputError(
            f"{name_of(target)} has {len(subject.records)} records of that, and a camera is on one "
            "robot; choose one by planners",
            parameters=("planners",),
        )
    return subject.records[0]


def people_of(name_or_folder: Path | str, data: Path | None = None) -> People:
    """The avatars of a pack by its name, as `paseo data fetch` left it, or those in a folder."""
    pack = rocketbox_pack()
    if str(name_or_folder) != pack.name:
        return rocketbox(_people_folder(Path(name_or_folder), pack.name))
    folder = data_folder(data).path / pack.name
    if not (folder / AVATARS).is_dir():
        raise MissingData(
            f"the avatars of {pack.name} are not in {folder.parent}; get them with `paseo data "
            f"fetch {pack.name}`, or pass data to name the folder that holds them",
            parameters=["data"],
        )
    return rocketbox(folder)


def _people_folder(folder: Path, pack: str) -> Path:
    if not folder.is_dir():
        raise MissingData(
            f"people: there is no folder '{folder}'; name one that holds avatars, or '{pack}' for "
            f"those that `paseo data fetch {pack}` got",
            parameters=["people"],
        )
    return folder


def _sensor(file: Path | None) -> tuple[CameraSensor, Shutter]:
    return (CameraSensor(), Shutter()) if file is None else read_sensor(file)


def _arrays(image: Image) -> bytes:
    buffer = BytesIO()
    np.savez_compressed(
        buffer, rgb=image.rgb, depth=image.depth, ids=image.ids, normals=image.normals
    )
    return buffer.getvalue()


def _facts(shot: Shot, time: float) -> dict[str, object]:
    """Where a picture came from, and where the camera was."""
    record, snapshot = shot.played.record, shot.played.at(time).snapshot
    view, pose = shot.camera.view(snapshot.robot.pose), snapshot.robot.pose
    return {
        "paseo_version": paseo_version(),
        "episode": record.scenario.name,
        "seed": record.scenario.seed,
        "planner": record.provenance.planner,
        "time_s": time,
        "device": shot.device,
        "robot": {"x_m": pose.x, "y_m": pose.y, "heading_deg": degrees(pose.heading)},
        "camera": camera_entry(shot.camera),
        "position_m": view.position.tolist(),
        "right_down_forward": view.rotation.T.tolist(),
    }


def _choices(shot: Shot, options: RenderOptions) -> dict[str, object]:
    """What else decided how a picture looks."""
    sun, setting = shot.place.sun, options.setting
    return {
        "people": "rocketbox" if options.people else "shipped",
        "bodies": dict(zip(("made", "plain"), shot.dressed, strict=True)),
        "exposure": shot.exposure,
        "sensor": sensor_entry(shot.sensor, shot.shutter),
        "sensor_seed": options.seed,
        "hour": setting.hour,
        "sun": {"azimuth_deg": degrees(sun.azimuth), "elevation_deg": degrees(sun.elevation)},
        "clouds": shot.place.clouds,
        "mesh": None if setting.mesh is None else setting.mesh.name,
        "mesh_only": setting.mesh_only,
    }
