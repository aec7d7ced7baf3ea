"""Cameras, sensors and meshes."""

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from fuzz import oracles
from fuzz.target import Example, Lost, Target
from fuzz.targets.runs import make_run

CAMERA = """\
width_px = 32
height_px = 24
fx_px = 20.0
fy_px = 20.0
cx_px = 16.0
cy_px = 12.0
distortion = [0.01, -0.02, 0.0, 0.0]
near_m = 0.1
far_m = 50.0
height_m = 0.9
pitch_down_deg = 5.0

[at]
x_m = 1.0
y_m = 1.5
heading_deg = 10.0
"""
SENSOR = """\
min_range_m = 0.2
max_range_m = 10.0
depth_noise_m = 0.005
depth_holes = 0.01
exposure = 1.1
noise = 0.02
row_noise = 0.01
shutter_s = 0.01
readout_s = 0.02
"""
OBJ = """\
mtllib box.mtl
v -1 0 -1
v 1 0 -1
v 1 1 1
v -1 1 1
vt 0 0
vt 1 0
vt 1 1
vn 0 1 0
usemtl paint
f 1/1/1 2/2/1 3/3/1
f 1 3 4
"""
MTL = "newmtl paint\nKd 0.8 0.2 0.1\nmap_Kd paint.png\n"


def make_camera(folder: Path) -> None:
    """A record, a camera, a sensor and a mesh in three formats."""
    from fuzz.targets.scenes import picture

    make_run(folder)
    (folder / "camera.toml").write_text(CAMERA)
    (folder / "sensor.toml").write_text(SENSOR)
    (folder / "box.obj").write_text(OBJ)
    (folder / "box.mtl").write_text(MTL)
    (folder / "paint.png").write_bytes(picture(90, "PNG"))
    tree, held = _gltf()
    (folder / "box.bin").write_bytes(held)
    beside = {**tree, "buffers": [{"byteLength": len(held), "uri": "box.bin"}]}
    (folder / "box.gltf").write_text(json.dumps(beside, indent=1))
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(held), b"BIN\0") + held
    (folder / "box.glb").write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def _gltf() -> tuple[dict[str, Any], bytes]:
    points = np.array([[-1, 0, -1], [1, 0, -1], [1, 1, 1], [-1, 1, 1]], np.float32)
    faces = np.array([0, 1, 2, 0, 2, 3], np.uint16)
    held = points.tobytes() + faces.tobytes()
    tree = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "translation": [1.0, 0.0, 2.0], "children": [1]}, {"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.2, 0.1, 1.0]}}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3",
             "min": [-1, 0, -1], "max": [1, 1, 1]},
            {"bufferView": 1, "componentType": 5123, "count": 6, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": points.nbytes},
            {"buffer": 0, "byteOffset": points.nbytes, "byteLength": faces.nbytes},
        ],
        "buffers": [{"byteLength": len(held)}],
    }  # fmt: skip
    return tree, held


SIGHTS = Example(name="camera", make=make_camera)


def _camera(here: Path, aside: Path) -> None:
    import tomli_w

    from paseo.camera.lens.camerafile import camera_entry, read_camera

    first = read_camera(here / "camera.toml")
    told = {key: value for key, value in camera_entry(first).items() if value is not None}
    (aside / "again.toml").write_text(tomli_w.dumps(told))
    second = read_camera(aside / "again.toml")
    for key, value in camera_entry(first).items():
        _close(value, camera_entry(second)[key], key)


def _close(before: Any, after: Any, where: str) -> None:
    """The same up to the last digit, which degrees and radians cost."""
    if isinstance(before, dict):
        for key, value in before.items():
            _close(value, after[key], f"{where}.{key}")
    elif isinstance(before, float):
        oracles.near(before, after, where, most=1e-12)
    else:
        oracles.same(before, after, where)


def _sensor(here: Path, aside: Path) -> None:
    import tomli_w

    from paseo.camera.lens.sensorfile import read_sensor, sensor_entry

    first = read_sensor(here / "sensor.toml")
    (aside / "again.toml").write_text(tomli_w.dumps(sensor_entry(*first)))
    oracles.same(first, read_sensor(aside / "again.toml"), "sensor")


def _mesh(name: str) -> Any:
    """Nobody writes meshes here: read twice, it is the same, finite, and its corners are there."""

    def check(here: Path, aside: Path) -> None:
        from paseo.camera.places.meshfile import place_from_file

        first, second = (place_from_file(here / name) for _ in range(2))
        mesh = first.mesh
        oracles.same(mesh, second.mesh, "mesh")
        arrays = (mesh.points, mesh.uv, mesh.normals)
        if not all(np.isfinite(array).all() for array in arrays):
            raise Lost("the mesh has numbers that are not finite")
        if len(mesh.triangles) and mesh.material.max() >= len(first.materials):
            raise Lost("the mesh has materials that are not there")

    return check


# Rendering takes a second: files that are read before it are read before an episode that is not.
NOBODY = "render no-such-episode --time-s 0 --out OUT/view"
UNKNOWN = "no-such-episode"


def _render(name: str, *files: str) -> Target:
    return Target(
        name=f"mesh: {name}",
        example=SIGHTS,
        damaged=(name, *files),
        command="render record.npz --time-s 0 --camera camera.toml --mesh-only --threads 1 "
        f"--mesh {name} --out OUT/view",
        oracle=_mesh(name),
        told="read twice it is the same, finite, and has every corner and material it names",
    )


TARGETS = (
    Target(
        name="camera",
        example=SIGHTS,
        damaged=("camera.toml",),
        command=f"{NOBODY} --camera camera.toml",
        accepted=UNKNOWN,
        oracle=_camera,
        told="written and read again, it is the same camera",
    ),
    Target(
        name="sensor",
        example=SIGHTS,
        damaged=("sensor.toml",),
        command=f"{NOBODY} --sensor sensor.toml",
        accepted=UNKNOWN,
        oracle=_sensor,
        told="written and read again, it is the same sensor",
    ),
    _render("box.glb"),
    _render("box.gltf", "box.bin"),
    _render("box.obj", "box.mtl", "paint.png"),
)
