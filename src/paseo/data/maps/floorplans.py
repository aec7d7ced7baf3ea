"""Floor plans by name or file: shipped maps, vector files, ROS maps, images and polygon files."""

from functools import cache
from importlib.resources import files
from pathlib import Path

from paseo.data.maps.image import image_floorplan
from paseo.data.maps.polygon import polygon_floorplan
from paseo.data.maps.ros import ros_floorplan
from paseo.data.maps.vector import vector_floorplan
from paseo.errors import BadFile, BadValue, UnknownName
from paseo.files import bounded
from paseo.text import storable
from paseo.world.space.floorplan import FloorPlan

SHIPPED = files("paseo.data").joinpath("shipped", "maps")
TEXTS, IMAGES = (".json", ".yaml", ".yml", ".txt", ".poly"), (".png", ".pgm")
LOSSY = (".jpg", ".jpeg")
LARGEST_TEXT = 64 * 2**20  # bytes


def read_floorplan(path: Path | str) -> FloorPlan:
    """The floor plan in a .json, .yaml/.yml (ROS map_server) or .txt/.poly (polygon) file.

    Also in a .png or .pgm image; its scale stands after the name, as in hall.png@0.05 (metres
    per pixel) or hall.png@0.05,-10,-5 (and x and y of the lower left corner).
    """
    file, scale = _file_and_scale(Path(path))
    try:
        return _floorplan(file, scale)
    except BadValue as error:
        raise BadFile(f"{path}: {error}") from error


def map_file(name_or_path: str) -> str:
    """The name of a floor plan's file without the scale of an image, as in hall.png@0.05."""
    file, scale = _file_and_scale(Path(name_or_path))
    return name_or_path if scale is None else str(file)


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


def _file_and_scale(path: Path) -> tuple[Path, str | None]:
    """The file and what stands after its @, None if nothing does.

    The @ of a@0.05.png or b.png@home.json belongs to the file's name.
    """
    name, at, scale = path.name.rpartition("@")
    known = (*TEXTS, *IMAGES, *LOSSY)
    if at and Path(name).suffix and not scale.lower().endswith(known):
        return path.with_name(name), scale
    return path, None


def _floorplan(file: Path, scale: str | None) -> FloorPlan:
    suffix = file.suffix.lower()
    if suffix in IMAGES:
        return image_floorplan(file, scale)
    if suffix in LOSSY:
        raise BadValue(
            "JPEG blurs the edges of walls, expected .png or .pgm; save the image as PNG, from "
            "what the JPEG was made of"
        )
    if suffix not in TEXTS:
        raise BadValue(
            f"'{file.suffix}' is no floor plan format, expected .json (Paseo's vector format), "
            ".yaml or .yml (ROS map_server), .png or .pgm (image, with its scale as in "
            "hall.png@0.05), or .txt or .poly (polygon file); convert it"
        )
    if scale is not None:
        raise BadValue(f"a {suffix} file is in metres, expected no @ after its name; leave it out")
    text = _text(file)
    if suffix == ".json":
        return vector_floorplan(text)
    if suffix in {".yaml", ".yml"}:
        return ros_floorplan(text, file.parent, storable(file.stem))
    return polygon_floorplan(text, storable(file.stem))


def _text(path: Path) -> str:
    there, smaller = "expected a readable file; check the path", "expected less; simplify the map"
    data = bounded(path, LARGEST_TEXT, remedy=there, too_large=smaller)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadValue(
            f"byte {error.start} is not UTF-8, expected a UTF-8 text file; save it as UTF-8"
        ) from error
