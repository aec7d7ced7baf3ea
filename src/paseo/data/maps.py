"""Floor plans by name or file: shipped maps, vector files, ROS maps and polygon files."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from paseo.data.polygon_map import polygon_floorplan
from paseo.data.ros_map import ros_floorplan
from paseo.data.vector_map import vector_floorplan
from paseo.errors import BadFile, BadValue, UnknownName
from paseo.world.floorplan import FloorPlan

SHIPPED = files("paseo.data").joinpath("shipped", "maps")


def read_floorplan(path: Path) -> FloorPlan:
    """The floor plan in a .json, .yaml/.yml (ROS map_server) or .txt/.poly (polygon) file."""
    suffix = path.suffix.lower()
    if suffix not in {".json", ".yaml", ".yml", ".txt", ".poly"}:
        raise BadFile(
            f"{path}: '{path.suffix}' is no floor plan format, expected .json (Paseo's vector "
            "format), .yaml or .yml (ROS map_server), or .txt or .poly (polygon file); convert it"
        )
    try:
        text = _text(path)
        if suffix == ".json":
            return vector_floorplan(text)
        if suffix in {".yaml", ".yml"}:
            return ros_floorplan(text, path.parent, path.stem)
        return polygon_floorplan(text, path.stem)
    except BadValue as error:
        raise BadFile(f"{path}: {error}") from error


def shipped_maps() -> list[str]:
    """Names of the floor plans that come with Paseo, sorted."""
    return sorted(
        entry.name.removesuffix(".json")
        for entry in SHIPPED.iterdir()
        if entry.name.endswith(".json")
    )


@cache
def shipped_floorplan(name: str) -> FloorPlan:
    """A floor plan that comes with Paseo; the same instance each time, with its distances."""
    if name not in shipped_maps():
        raise UnknownName("map", name, shipped_maps())
    return vector_floorplan(SHIPPED.joinpath(f"{name}.json").read_text(encoding="utf-8"))


def find_floorplan(name_or_path: str, folder: Path) -> FloorPlan:
    """A shipped floor plan by name, or else the file at a path relative to `folder`."""
    if name_or_path in shipped_maps():
        return shipped_floorplan(name_or_path)
    path = folder / name_or_path
    if not path.suffix and not path.exists():
        raise UnknownName("map", name_or_path, shipped_maps())
    return read_floorplan(path)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadValue(
            f"byte {error.start} is not UTF-8, expected a UTF-8 text file; save it as UTF-8"
        ) from error
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or error
        raise BadValue(
            f"cannot be read ({problem}), expected a readable file; check the path"
        ) from error
