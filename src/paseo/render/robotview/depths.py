"""Depth as a picture: near is bright, far is dark, with a scale."""

import numpy as np
from numpy.typing import NDArray

from paseo.render.raster.lettering import Lettering, blend
from paseo.render.raster.palette import Theme
from paseo.render.raster.strokes import Frame

NEAREST, FARTHEST = 0.8, 30.0  # metres; what is nearer or farther looks the same
MARKS = (1, 2, 5, 10, 20)  # metres
# Viridis (by N. Smith and S. van der Walt, CC0), whose steps look equal, at every eighth.
VIRIDIS = np.array(
    [
        (68, 1, 84), (71, 44, 122), (59, 81, 139), (44, 113, 142), (33, 144, 141),
        (39, 173, 129), (92, 200, 99), (170, 220, 50), (253, 231, 37),
    ]
)  # fmt: skip
SHADES = 256
OPAQUE = 0.88  # of the plate that the scale stands on


def depth_picture(depth: NDArray[np.floating], theme: Theme) -> Frame:
    """Colours for metres (height, width), a step for each factor; where nothing is seen, walls'."""
    seen = np.isfinite(depth)
    share = _share(np.where(seen, depth, FARTHEST))
    picture = _table()[np.round(share * (SHADES - 1)).astype(np.int64)]
    picture[~seen] = theme.solid
    return picture


def draw_scale(picture: Frame, theme: Theme) -> None:
    """Say in the lower right corner which colour is how far."""
    height, width = picture.shape[:2]
    text = Lettering(max(9.0, height / 30))
    room, bar = text.width("20 m"), max(6, round(text.height * 0.6))
    long = min(round(height * 0.4), 10 * text.height)
    pad = round(text.height * 0.5)
    plate_width, plate_height = bar + room + 3 * pad, long + 2 * pad
    if plate_width + pad > width / 2 or plate_height + pad > height:
        return
    plate = picture[-plate_height - pad : -pad, -plate_width - pad : -pad]
    blend(plate, np.full(plate.shape[:2], OPAQUE), (0, 0), theme.page)
    top = pad
    metres = NEAREST * (FARTHEST / NEAREST) ** (1 - (np.arange(long) + 0.5) / long)
    plate[top : top + long, pad : pad + bar] = depth_picture(metres[:, None], theme)
    rows = [top + round((1 - float(_share(np.array(mark)))) * long) for mark in MARKS]
    free = plate_height
    for mark, row in zip(MARKS, rows, strict=True):
        upper = row - text.height // 2
        if upper + text.height <= free:  # not over the words for another mark
            text.write(plate, f"{mark} m", (2 * pad + bar, upper), theme.ink)
            free = upper


def _share(metres: NDArray[np.floating]) -> NDArray[np.floating]:
    """0 nearest to 1 farthest, by the logarithm."""
    near = np.log(np.clip(metres, NEAREST, FARTHEST) / NEAREST)
    return np.asarray(near / np.log(FARTHEST / NEAREST))


def _table() -> Frame:
    """A colour for each shade, the bright ones first, (shades, 3)."""
    places = np.linspace(1, 0, SHADES)
    knots = np.linspace(0, 1, len(VIRIDIS))
    columns = [np.interp(places, knots, channel) for channel in VIRIDIS.T]
    return np.round(np.stack(columns, axis=1)).astype(np.uint8)
