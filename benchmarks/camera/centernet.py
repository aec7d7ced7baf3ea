"""The CenterNet of npm's `@vladmandic/human`: a detector that nobody here trained, run by node."""

import json
import math
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from PIL import Image as Picture

PACKAGES = (
    "@vladmandic/human@3.3.6",
    "@tensorflow/tfjs-core@4.22.0",
    "@tensorflow/tfjs-converter@4.22.0",
    "@tensorflow/tfjs-backend-wasm@4.22.0",
)
SIDE, PERSON = 512, 0  # pixels of what it takes; its class
SCORE, SAME = 0.3, 0.4  # the last: boxes of one person, as the package has it
Box = np.ndarray  # left, top, right, bottom
Found = list[tuple[float, Box]]  # scores and boxes of one picture, best first


def install(folder: Path) -> str | None:
    """Have the packages in a folder; a sentence where that cannot be."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        return "node and npm are not here: install them to try the detector"
    if (folder / "node_modules" / "@vladmandic" / "human" / "models" / "centernet.bin").is_file():
        return None
    command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", *PACKAGES]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        return "npm cannot fetch the detector here (@vladmandic/human): it was not tried"
    return None


def detected(
    folder: Path,
    pictures: Sequence[np.ndarray],
    cut: Callable[[int, int], list[tuple[int, int, int, int]]],
) -> tuple[list[Found], float]:
    """What the detector finds in each picture, and its seconds a tile."""
    cuts = [cut(rgb.shape[1], rgb.shape[0]) for rgb in pictures]
    tiles, out = folder / "tiles.bin", folder / "found.json"
    with tiles.open("wb") as file:
        for rgb, boxes in zip(pictures, cuts, strict=True):
            for box in boxes:
                tile = Picture.fromarray(rgb).crop(box)
                file.write(tile.resize((SIDE, SIDE), Picture.Resampling.BILINEAR).tobytes())
    before = time.perf_counter()
    script = Path(__file__).with_name("centernet.cjs")
    subprocess.run(["node", str(script), str(tiles), str(out)], cwd=folder, check=True)
    seconds = time.perf_counter() - before
    rows = iter(json.loads(out.read_text()))
    found = [
        merged(rgb.shape[1::-1], boxes, [next(rows) for _ in boxes])
        for rgb, boxes in zip(pictures, cuts, strict=True)
    ]
    return found, seconds / sum(map(len, cuts))


def tiles_of(width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Squares that overlap by half or more, and cover the picture at one or two scales."""
    found = []
    for side in sorted({min(SIDE, height), height}):
        across, down = (starts(length, side) for length in (width, height))
        found += [(x, y, x + side, y + side) for y in down for x in across]
    return found


def starts(length: int, side: int) -> list[int]:
    parts = max(1, math.ceil((length - side) / (side / 2)))
    return sorted({round((length - side) * k / parts) for k in range(parts + 1)})


def squares_of(width: int, height: int) -> list[tuple[int, int, int, int]]:
    """Squares as high as the picture: for people who are large in it, and a quarter of the time."""
    return [(x, 0, x + height, height) for x in starts(width, height)]


def whole_of(width: int, height: int) -> list[tuple[int, int, int, int]]:
    return [(0, 0, width, height)]


def merged(
    size: tuple[int, int], tiles: Sequence[tuple[int, int, int, int]], rows: Iterable[list]
) -> Found:
    """The boxes of all tiles in the picture; people cut by a tile's edge are in the next one."""
    boxes = []
    for (x0, y0, x1, y1), found in zip(tiles, rows, strict=True):
        scale = np.array([x1 - x0, y1 - y0, x1 - x0, y1 - y0]) / SIDE
        for *box, score, kind in found:
            if kind != PERSON or score < SCORE:
                continue
            cut = (
                (box[0] < 2 and x0 > 0)
                or (box[1] < 2 and y0 > 0)
                or (box[2] > SIDE - 2 and x1 < size[0])
                or (box[3] > SIDE - 2 and y1 < size[1])
            )
            if not cut:
                boxes.append((score, np.array(box) * scale + [x0, y0, x0, y0]))
    return without_doubles(boxes)


def without_doubles(boxes: Found) -> Found:
    kept: Found = []
    for score, box in sorted(boxes, key=lambda each: -each[0]):
        if all(overlap(box, other) < SAME for _, other in kept):
            kept.append((score, box))
    return kept


def overlap(one: Box, other: Box) -> float:
    """Intersection over union."""
    low, high = np.maximum(one[:2], other[:2]), np.minimum(one[2:], other[2:])
    both = float(np.prod(np.maximum(high - low, 0)))
    areas = [float(np.prod(each[2:] - each[:2])) for each in (one, other)]
    return both / (sum(areas) - both)
