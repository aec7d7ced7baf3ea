"""Pictures on avatars: read within bounds, made smaller, and made up where none was fetched."""

import struct
import warnings
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

from paseo.camera.meshes import ByteArray, Colour, Material, Surface
from paseo.camera.people.fabrics import painted_fabric
from paseo.camera.people.looks import Fabric, Weave
from paseo.errors import BadFile
from paseo.files import bounded

WIDEST = 8192  # pixels of a side of a file
LARGEST = 2**28  # bytes of a file
KEPT = 1024  # pixels of a side in memory, where a texture takes 5.6 MB with its smaller copies
ENDS = (".tga", ".png")
OPACITY = "opacity"
SURFACES: dict[str, tuple[Surface, Colour]] = {
    "head": (Surface.SKIN, (0.72, 0.54, 0.44)),
    OPACITY: (Surface.HAIR, (0.20, 0.14, 0.10)),
    "body": (Surface.CLOTH, (0.32, 0.36, 0.44)),
}
BROKEN = (OSError, ValueError, SyntaxError, IndexError, OverflowError, struct.error)


def textured(name: str, pictures: tuple[str, ...], folder: Path) -> Material:
    """A material by its name, with the first of these pictures that the folder holds.

    One that was not fetched is made up, plain; hair and lashes then are what they cover.
    """
    part = next((each for each in SURFACES if name.endswith(each)), "body")
    surface, colour = SURFACES[part]
    stems = [*pictures, f"{name}_color"]
    files = (folder / f"{stem}{end}" for stem in stems for end in ENDS)
    file = next((each for each in files if each.is_file()), None)
    plain = Fabric(Weave.JERSEY, colour)
    picture = painted_fabric(plain)[0] if file is None else read_texture(file)
    cut = part == OPACITY
    if not cut:  # elsewhere alpha, if there is any, is no hole
        picture = np.concatenate([picture[..., :3], np.full_like(picture[..., :1], 255)], axis=2)
    return Material(
        name=name,
        surface=surface,
        texture=picture,
        alpha_tested=cut,
        roughness=0.7,
        plain=file is None,
    )


def read_texture(file: Path, *, kept: int = KEPT) -> ByteArray:
    """A TGA or PNG picture as (height, width, 4), no side longer than `kept`."""
    try:
        content = BytesIO(bounded(file, LARGEST, too_large="expected less; make it smaller"))
        with (
            warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning),
            Image.open(content, formats=("TGA", "PNG")) as picture,  # the header only
        ):
            width, height = picture.size
            if max(width, height) > WIDEST or not width or not height:
                raise BadFile(
                    f"{file}: is {width} x {height} pixels, expected at most {WIDEST} a side; "
                    "make it smaller"
                )
            whole = picture.convert("RGBA")
    except Image.DecompressionBombError as error:
        raise BadFile(
            f"{file}: has too many pixels, expected at most {WIDEST} a side; make it smaller"
        ) from error
    except BROKEN as error:
        raise BadFile(f"{file}: cannot be read as a TGA or PNG picture; fetch it again") from error
    scale = kept / max(width, height)
    if scale < 1.0:
        size = (max(1, round(width * scale)), max(1, round(height * scale)))
        # Each band by itself: colours under what is cut away keep edges of hair from darkening.
        bands = [band.resize(size, Image.Resampling.BOX) for band in whole.split()]
        whole = Image.merge("RGBA", bands)
    return np.asarray(whole)
