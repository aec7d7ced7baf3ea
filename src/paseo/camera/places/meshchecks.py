"""What is looked at in a mesh of the user's own before a reader makes anything of it."""

import base64
import re
import struct
import warnings
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn
from urllib.parse import unquote

from PIL import Image as Picture

from paseo.errors import BadFile
from paseo.files import bounded
from paseo.parsing.json import json_value

LARGEST_FILE = 256 << 20  # bytes, of the mesh and of each file beside it
MOST_FILES = 256  # beside it
MOST_TRIANGLES = 2_000_000
MOST_NODES = 50_000
MOST_MATERIALS = 1_000
MOST_PIXELS, MOST_PIXELS_IN_ALL = 1 << 26, 1 << 28  # of a picture, and of all
PICTURES = ("PNG", "JPEG", "BMP", "TGA", "GIF", "TIFF", "WEBP")  # no kind that runs programs
BROKEN = (OSError, ValueError, SyntaxError, IndexError, OverflowError, struct.error)
NO_TREE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
NO_CORNER = re.compile(rb"^[ \t]*f[ \t](?:[^\n]*[ \t])?[+-]?0+(?=[/ \t\r\n]|$)", re.MULTILINE)
COUNTED = ("nodes", "materials", "textures", "images")
COMPRESSED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_basisu")


class Folder:
    """Files beside a mesh, by the names that it has for them; none from elsewhere."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._refused: list[str] = []
        self._read: set[str] = set()
        self._pixels = 0
        self.known: set[str] = set()  # what need not be looked at as a picture

    def get(self, name: str) -> bytes:
        """What a file holds; `BadFile` where it is not in the folder."""
        wanted = PurePosixPath(unquote(name.strip()).replace("\\", "/"))
        path = (self._folder / wanted).resolve()
        self._read.add(name)
        if "://" in name:
            self._refuse(f"names '{name[:80]}' on another machine, which is not fetched")
        if not path.is_relative_to(self._folder):
            self._refuse(f"names '{name[:80]}' outside its own folder, which is not read")
        if len(self._read) > MOST_FILES:
            self._refuse(f"names more than {MOST_FILES} files")
        if not path.is_file():
            self._refuse(f"names '{name[:80]}', which is not there")
        content = bounded(path, LARGEST_FILE)
        if name not in self.known and path.suffix.lower() != ".mtl":
            self.known.add(name)
            self.look_at(content, f"the picture '{name[:80]}'")
        return content

    def look_at(self, picture: bytes, what: str) -> None:
        """`BadFile` for a picture that is none, or too large together with the others."""
        try:
            with (
                warnings.catch_warnings(action="ignore", category=Picture.DecompressionBombWarning),
                Picture.open(BytesIO(picture), formats=PICTURES) as opened,  # the header only
            ):
                pixels = opened.width * opened.height
        except (*BROKEN, Picture.DecompressionBombError) as error:
            self._refuse(f"has {what}, which cannot be read ({str(error)[:80]})")
        self._pixels += pixels
        if pixels > MOST_PIXELS or self._pixels > MOST_PIXELS_IN_ALL:
            self._refuse(
                f"has {what} of {pixels} pixels, expected at most {MOST_PIXELS} and "
                f"{MOST_PIXELS_IN_ALL} in all pictures"
            )

    def __getitem__(self, name: str) -> bytes:
        return self.get(name)

    def tell(self, path: Path) -> None:
        """`BadFile` if a file was asked for that is not given: a reader may have gone on."""
        if self._refused:
            raise BadFile(f"{path}: {self._refused[0]}; put it right beside the mesh")

    def _refuse(self, why: str) -> NoReturn:
        self._refused.append(why)
        raise BadFile(why)


def check_gltf(path: Path, content: bytes, folder: Folder) -> None:
    """That a glTF is not larger than it says, before anything is made of it."""
    try:
        tree = json_value(_json_of(content) if path.suffix.lower() == ".glb" else content)
        used = set(tree.get("extensionsRequired", [])) & set(COMPRESSED)
        counts = {what: len(tree.get(what, [])) for what in COUNTED}
        accessors, nodes = tree.get("accessors", []), counts.pop("nodes")
        entries = _entries(tree, [int(each["count"]) for each in accessors])
        wrong = _wrong_texture(tree)
        holes = [each for each in accessors if "bufferView" not in each and "sparse" not in each]
    except (*NO_TREE, struct.error) as error:
        raise BadFile(f"{path}: is no glTF ({error}); export it again") from error
    if used:
        raise BadFile(f"{path}: is compressed ({', '.join(used)}); export it without compression")
    if entries > 12 * MOST_TRIANGLES or nodes > MOST_NODES:
        raise BadFile(
            f"{path}: has {entries} entries and {nodes} nodes, expected at most "
            f"{12 * MOST_TRIANGLES} and {MOST_NODES}; make it simpler"
        )
    if holes:
        raise BadFile(f"{path}: has points without data; export it again")
    if wrong:
        raise BadFile(f"{path}: {wrong}")
    for what, count in counts.items():
        _check_count(path, what, count)
    try:
        for buffer in tree.get("buffers", []):
            folder.known.add(buffer.get("uri", ""))
        for place, image in enumerate(tree.get("images", [])):
            folder.known.add(image.get("uri", ""))
            folder.look_at(_picture(tree, image, content, folder), f"picture {place}")
    except BadFile:
        folder.tell(path)
    except NO_TREE as error:
        raise BadFile(f"{path}: has a picture that is not there ({error}); export it") from error


def check_obj(path: Path, content: bytes) -> None:
    """That an OBJ does not ask for more than it holds, before anything is made of it."""
    _check_count(path, "changes of material", content.count(b"usemtl"))
    _check_count(path, "libraries of materials", content.count(b"mtllib"))
    if found := NO_CORNER.search(content):
        line = content.count(b"\n", 0, found.start()) + 1
        raise BadFile(f"{path}: line {line} names corner 0, but they count from 1; export it again")


def _check_count(path: Path, what: str, count: int) -> None:
    if count > MOST_MATERIALS:
        raise BadFile(
            f"{path}: has {count} {what}, expected at most {MOST_MATERIALS}; join some of them"
        )


def _wrong_texture(tree: Any) -> str:
    """What is wrong with how materials name textures and pictures; empty if nothing is."""
    textures, images = tree.get("textures", []), tree.get("images", [])
    for place, material in enumerate(tree.get("materials", [])):
        glossy = material.get("extensions", {}).get("KHR_materials_pbrSpecularGlossiness", {})
        if any(key.endswith("Texture") for key in glossy):
            return (
                f"material {place} has textures of the old kind specular-glossiness, expected "
                "metallic-roughness; convert it"
            )
        for part in (material, material.get("pbrMetallicRoughness", {})):
            for key, value in part.items():
                index = value["index"] if key.endswith("Texture") else 0
                if key.endswith("Texture") and not 0 <= index < len(textures):
                    return f"material {place} names texture {index} of {len(textures)}; repair it"
    for place, texture in enumerate(textures):
        if not 0 <= texture.get("source", 0) < max(len(images), 1):
            return f"texture {place} names picture {texture['source']} of {len(images)}; repair it"
    return ""


def _picture(tree: Any, image: Any, content: bytes, folder: Folder) -> bytes:
    """The bytes of a picture of a glTF: beside it, in its text, or in its buffers."""
    if "uri" in image:
        return _resource(image["uri"], folder)
    view = tree["bufferViews"][image["bufferView"]]
    buffer = tree["buffers"][view["buffer"]]
    held = _resource(buffer["uri"], folder) if "uri" in buffer else _binary_of(content)
    first = view.get("byteOffset", 0)
    return held[first : first + view["byteLength"]]


def _resource(uri: str, folder: Folder) -> bytes:
    if uri.startswith("data:"):
        return base64.b64decode(uri.partition(",")[2])
    return folder.get(uri)


def _binary_of(content: bytes) -> bytes:
    """The second chunk of a binary glTF."""
    text = len(_json_of(content))
    return content[20 + text + 8 :]


def _entries(tree: Any, counts: list[int]) -> int:
    """How many are stored, or are made where surfaces share what is stored: whichever is more."""
    if min(counts, default=0) < 0:
        raise ValueError("it counts less than nothing")
    surfaces = [each for mesh in tree.get("meshes", []) for each in mesh["primitives"]]
    used = [place for each in surfaces for place in each["attributes"].values()]
    used += [each["indices"] for each in surfaces if "indices" in each]
    return max(sum(counts), sum(counts[place] for place in used if place < len(counts)))


def _json_of(content: bytes) -> bytes:
    """The first chunk of a binary glTF."""
    magic, _, whole, length, kind = struct.unpack("<4sIII4s", content[:20])
    if magic != b"glTF" or kind != b"JSON":
        raise ValueError("it does not begin as one")
    if whole > len(content) or 20 + length > len(content):
        raise ValueError(f"it is cut off: {len(content)} of {whole} bytes")
    return content[20 : 20 + length]
