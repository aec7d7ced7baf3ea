"""What a camera sees, from Python: files of a moment, films, and what cannot be shown."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from paseo.camera.places.settings import Setting
from paseo.errors import BadFile, BadValue, InputError, MissingData, UnknownName
from paseo.planners.stop import Stop
from paseo.report.pictures.drawing import DrawOptions, draw
from paseo.report.pictures.rendering import (
    RenderOptions,
    millimetres,
    people_of,
    render_film,
    render_moment,
)
from paseo.sim.simulate import simulate
from paseo.world.records import Record
from worlds import ROOM, crossing, scenario

SMALL = """
width_px = 64
height_px = 48
fx_px = 40
fy_px = 40
cx_px = 32
cy_px = 24
"""


@pytest.fixture(scope="module")
def short() -> Record:
    return simulate(scenario(crossing(), time_limit=1.0), Stop())


@pytest.fixture
def options(tmp_path: Path) -> RenderOptions:
    file = tmp_path / "small.toml"
    file.write_text(SMALL)
    return RenderOptions(camera=str(file), threads=1)


@pytest.mark.extra("camera")
def test_a_moment_becomes_pictures_arrays_and_where_they_came_from(
    short: Record, options: RenderOptions, tmp_path: Path
) -> None:
    out = render_moment(short, tmp_path / "one", time_s=0.5, options=options)
    arrays = np.load(out / "arrays.npz")
    assert {name: arrays[name].shape for name in arrays} == {
        "rgb": (48, 64, 3),
        "depth": (48, 64),
        "ids": (48, 64),
        "normals": (48, 64, 3),
    }
    assert (np.asarray(Image.open(out / "rgb.png")) == arrays["rgb"]).all()
    told = np.asarray(Image.open(out / "depth.png"))
    assert np.abs(told / 1000 - np.nan_to_num(arrays["depth"])).max() < 0.001
    assert (arrays["ids"] == 1).any()
    facts = json.loads((out / "view.json").read_text())
    assert facts["position_m"] == [2.0, 5.0, 1.0] and facts["camera"]["fx_px"] == 40
    assert facts["people"] == "shipped" and facts["episode"] == "test"
    assert facts["bodies"] == {"made": 1, "plain": 0}
    # An episode is seen by a robot that stays, which this record is of.
    again = render_moment(short.scenario, tmp_path / "two", time_s=0.5, options=options)
    for file in sorted(out.iterdir()):
        assert file.read_bytes() == (again / file.name).read_bytes()


@pytest.mark.extra("camera")
def test_an_hour_and_a_sensor_are_chosen_and_told(
    short: Record, options: RenderOptions, tmp_path: Path
) -> None:
    file = tmp_path / "sensor.toml"
    file.write_text("depth_noise_m = 0.01\nmax_range_m = 4\nshutter_s = 0.1\nreadout_s = 0.1\n")
    evening = replace(options, setting=Setting(hour=18.5, clouds=0.2), sensor=file)
    one, again, other = (
        render_moment(short, tmp_path / name, time_s=0.5, options=replace(evening, seed=seed))
        for name, seed in (("one", 7), ("again", 7), ("other", 8))
    )
    assert (one / "depth.png").read_bytes() == (again / "depth.png").read_bytes()
    assert (one / "depth.png").read_bytes() != (other / "depth.png").read_bytes()
    assert np.nanmax(np.load(one / "arrays.npz")["depth"]) <= 4
    facts = json.loads((one / "view.json").read_text())
    assert facts["hour"] == 18.5 and facts["clouds"] == 0.2 and facts["sensor_seed"] == 7
    assert facts["sensor"]["shutter_s"] == 0.1 and facts["sensor"]["max_range_m"] == 4
    assert 10 < facts["sun"]["elevation_deg"] < 14
    usual = render_moment(short, tmp_path / "usual", time_s=0.5, options=options)
    assert facts["exposure"] > 1.2 * json.loads((usual / "view.json").read_text())["exposure"]
    late = replace(options, setting=Setting(hour=22.0))
    with pytest.raises(BadValue, match="dusk and night are not drawn"):
        render_moment(short, tmp_path / "late", time_s=0.5, options=late)


@pytest.mark.extra("camera", "mesh")
def test_a_mesh_of_ones_own_stands_for_the_place_or_in_it(
    short: Record, options: RenderOptions, tmp_path: Path
) -> None:
    wall = tmp_path / "wall.obj"
    wall.write_text("v -50 -1 9\nv 50 -1 9\nv 50 9 9\nv -50 9 9\nf 1 2 3 4\n")
    depths = []
    for name, only in (("joined", False), ("alone", True)):
        chosen = replace(options, setting=Setting(mesh=wall, mesh_only=only))
        out = render_moment(short, tmp_path / name, time_s=0.5, options=chosen)
        facts = json.loads((out / "view.json").read_text())
        assert facts["mesh"] == "wall.obj" and facts["mesh_only"] is only
        depths.append(np.load(out / "arrays.npz")["depth"])
    assert np.isfinite(depths[0]).sum() > np.isfinite(depths[1]).sum()


@pytest.mark.extra("camera", "video")
def test_a_film_tells_how_far_it_is(short: Record, options: RenderOptions, tmp_path: Path) -> None:
    import av

    told: list[tuple[str, int, int]] = []
    film = render_film(
        short,
        tmp_path / "x.mp4",
        options=replace(options, fps=2),
        progress=lambda *words: told.append(words),
    )
    with av.open(str(film)) as container:
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert frames[0].shape == (48, 64, 3)
    assert told[-1] == ("frame", len(frames), len(frames))


@pytest.mark.extra("camera", "video")
def test_a_moment_is_drawn_in_any_view(short: Record, tmp_path: Path) -> None:
    chosen = DrawOptions(view="camera", time_s=0.5, size=(120, 120))
    file = draw(short, tmp_path / "in/a folder/x.png", options=chosen)
    assert np.asarray(Image.open(file)).shape == (120, 120, 3)


def test_millimetres_are_told_where_they_fit() -> None:
    depth = np.array([0.0014, 2.5, 65.535, 65.6, np.nan], np.float32)
    assert millimetres(depth).tolist() == [1, 2500, 65535, 0, 0]


def meshed(options: RenderOptions, name: str) -> RenderOptions:
    return replace(options, setting=Setting(mesh=Path(name)))


def test_what_cannot_be_shown_is_told(
    short: Record, options: RenderOptions, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    (tmp_path / "zero.toml").write_text(SMALL.replace("fx_px = 40", "fx_px = 0"))
    for chosen, time, error, sentence in (
        (options, 60.0, InputError, "^time_s is 60, but all is over after 1 s"),
        (replace(options, camera="levle"), 0.5, UnknownName, "Did you mean 'level'"),
        (replace(options, camera=f"{tmp_path}/zero.toml"), 0.5, BadFile, "fx is 0 pixels"),
        (replace(options, camera=f"{tmp_path}/none.toml"), 0.5, InputError, "No such file"),
        (replace(options, fps=5), 0.5, InputError, "^fps is for films"),
        (
            replace(options, people="rocketbx"),
            0.5,
            MissingData,
            "'rocketbx'.*'rocketbox'",
        ),
        (meshed(options, "nix.glb"), 0.5, BadFile, "nix.glb: .*there is no such file"),
        (meshed(options, "a.stl"), 0.5, BadFile, "a.stl: .*expected .glb, .gltf, .obj"),
        (replace(options, planners=("x",)), 0.5, InputError, "^planners is for run directories"),
        (replace(options, episode="y"), 0.5, InputError, "^episode is for run directories"),
    ):
        with pytest.raises(error, match=sentence):
            render_moment(short, out, time_s=time, options=chosen)
    with pytest.raises(InputError, match="'room' is a map, where nobody is"):
        render_moment(ROOM, out, time_s=0.5, options=options)
    with pytest.raises(InputError, match="a moment is a folder; name one without .PNG"):
        render_moment(short, tmp_path / "out.PNG", time_s=0.5, options=options)
    with pytest.raises(InputError, match=r"ends in \.mp4; rename it"):
        render_film(short, out, options=options)
    assert not out.exists()


@pytest.mark.extra("camera")
def test_people_of_a_pack_that_is_not_there_are_told(
    short: Record, options: RenderOptions, tmp_path: Path
) -> None:
    elsewhere = replace(options, people=tmp_path)
    with pytest.raises(BadFile, match="holds no Rocketbox avatars"):
        render_moment(short, tmp_path / "out", time_s=0.5, options=elsewhere)
    by_name = replace(options, people="rocketbox", data=tmp_path)
    with pytest.raises(MissingData, match="get them with `paseo data fetch rocketbox`"):
        render_moment(short, tmp_path / "out", time_s=0.5, options=by_name)
    assert not (tmp_path / "out").exists()


def test_a_pack_is_found_by_its_name_in_the_data_folder(tmp_path: Path) -> None:
    avatar = tmp_path / "rocketbox/Assets/Avatars/Adults/Ada/Export/Ada.fbx"
    avatar.parent.mkdir(parents=True)
    avatar.write_bytes(b"")
    assert len(people_of("rocketbox", tmp_path)) == len(people_of(tmp_path / "rocketbox")) == 1


@pytest.mark.extra("camera")
def test_avatars_without_pictures_are_told(
    short: Record, options: RenderOptions, tmp_path: Path, data_dir: Path
) -> None:
    if not (data_dir / "rocketbox").is_dir():
        pytest.skip("the Rocketbox avatars are not there")
    told: list[str] = []
    chosen = replace(options, people=bare_copy(data_dir / "rocketbox", tmp_path / "pack"))
    out = render_moment(
        short,
        tmp_path / "out",
        time_s=0.5,
        options=chosen,
        progress=lambda what, *_: told.append(what),
    )
    assert told[-1] == (
        "1 of 1 avatars lack pictures and are plain there; `paseo data fetch rocketbox` gets them"
    )
    assert json.loads((out / "view.json").read_text())["bodies"] == {"made": 1, "plain": 1}


def bare_copy(pack: Path, folder: Path) -> Path:
    """An avatar of the pack without its pictures."""
    avatar = next(pack.rglob("*_Adult_*/Export/*.fbx")).relative_to(pack)
    (folder / avatar).parent.mkdir(parents=True)
    (folder / avatar).symlink_to(pack / avatar)
    return folder


@pytest.mark.extra("camera")
def test_a_camera_in_a_wall_leaves_nothing(
    short: Record, options: RenderOptions, tmp_path: Path
) -> None:
    Path(options.camera).write_text(f"{SMALL}[at]\nx_m = -3\ny_m = 5\n")
    with pytest.raises(BadValue, match="stands in a wall of 'room'"):
        render_moment(short, tmp_path / "out", time_s=0.5, options=options)
    assert not (tmp_path / "out").exists()
