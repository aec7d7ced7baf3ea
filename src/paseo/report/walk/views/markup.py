"""Where the robot's view stands in the page: beside the map, and on the time line."""

import json
import math
from collections.abc import Sequence

import msgspec
import numpy as np

from paseo.render.raster.palette import DARK, as_text
from paseo.render.robotview.depths import FARTHEST, MARKS, NEAREST, depth_picture
from paseo.report.pages.template import asset, filled, harmless
from paseo.report.walk.views.pictures import Album, Picture
from paseo.text import html_text

SCRIPT, STYLE = "walk/robotview", "walk/robotview.css"
STEPS = 17  # colours of the scale
NOWHERE = {"robot_view": "", "view_marks": "", "view_keys": "", "views": ""}


def view_parts(album: Album, scenes: Sequence[Sequence[Sequence[Picture]]]) -> dict[str, str]:
    """What a page with pictures has more than others: of each scene those of each drive."""
    camera = album.camera
    shape = {"width": str(camera.width_px), "height": str(camera.height_px)}
    panel = filled(
        asset("walk/robotview.html"),
        {**shape, "scale": _scale(), "note": html_text(album.note)},
    )
    data = harmless(json.dumps(msgspec.to_builtins(scenes), separators=(",", ":")))
    return {
        "robot_view": panel,
        "view_marks": '<div class="sights" id="sights"></div>',
        "view_keys": " · <kbd>V</kbd> next robot's view, with <kbd>Shift</kbd> the one before",
        "views": f'<script type="application/json" id="views">{data}</script>\n',
    }


def _scale() -> str:
    """Which colour is how far, from left to right."""
    metres = NEAREST * (FARTHEST / NEAREST) ** np.linspace(0.0, 1.0, STEPS)
    colours = depth_picture(metres[None], DARK)[0].tolist()
    stops = ",".join(as_text((red, green, blue)) for red, green, blue in colours)
    marks = "".join(f'<span style="left:{_place(each):.1f}%">{each} m</span>' for each in MARKS)
    return f'<i style="background:linear-gradient(90deg,{stops})"></i>{marks}'


def _place(metres: float) -> float:
    return 100 * math.log(metres / NEAREST) / math.log(FARTHEST / NEAREST)
