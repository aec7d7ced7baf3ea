"""Floor plans in every format."""

from pathlib import Path

from fuzz import oracles
from fuzz.target import Example, Target
from fuzz.targets.runs import ROOM

ROS = """\
image: plan.pgm
resolution: 0.25
origin: [-1.0, -2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
mode: trinary
"""


def make_maps(folder: Path) -> None:
    """One plan in five formats: a room with a pillar, and a place or two."""
    import numpy as np
    from PIL import Image

    from paseo.data.maps.floorplans import read_floorplan
    from paseo.data.maps.writing import floorplan_text

    (folder / "plan.txt").write_text(ROOM)
    text = floorplan_text(read_floorplan(folder / "plan.txt"))
    places = '"places": [{"name": "door", "kind": "exit", "x_m": 1.0, "y_m": 1.0}]'
    (folder / "plan.json").write_text(text.replace('"places": []', places))
    pixels = np.zeros((24, 32), np.uint8)
    pixels[2:-2, 2:-2] = 254
    pixels[10:14, 14:18] = 0
    pixels[4, 4] = 205
    (folder / "plan.pgm").write_bytes(b"P5\n# a plan\n32 24\n255\n" + pixels.tobytes())
    Image.fromarray(pixels).save(folder / "plan.png")
    (folder / "plan.yaml").write_text(ROS)


MAPS = Example(name="maps", make=make_maps)


def _plan(name: str, file: str, *, given: str = "") -> Target:
    return Target(
        name=f"map: {name}",
        example=MAPS,
        damaged=(file,),
        command=f"draw {given or file} --out OUT/plan.png --size 160x120",
        oracle=oracles.floorplan(given or file),
        told="in the vector format and back, free space, places and names are the same",
    )


TARGETS = (
    _plan("vector", "plan.json"),
    _plan("polygon", "plan.txt"),
    _plan("ROS", "plan.yaml"),
    _plan("pgm", "plan.pgm", given="plan.pgm@0.25,-1,-2"),
    _plan("png", "plan.png", given="plan.png@0.25"),
)
