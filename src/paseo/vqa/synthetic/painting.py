"""Front views of staged scenes: tiles that pass under the robot, houses far off, people walking."""

import math
import random
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from paseo.vqa.synthetic.motion import EYE, NEAREST, Point, from_robot, onto_image
from paseo.vqa.synthetic.stagings import Staging, Walker
from paseo.world.scenes import Camera

Colour = tuple[int, int, int]

TILE = 1.0  # metres
HAZE = 10.0  # metres over which the tiles fade
HOUSES = 40  # around the horizon
FAR = 30.0  # metres to the houses
FINEST = 500  # pixels; smaller people are drawn twice as large and shrunk
STEP = 1.4  # metres of a left and a right step
SKY, ZENITH = (226, 236, 244), (152, 190, 226)
DARK_TILE, LIGHT_TILE, FOG = (150, 143, 132), (190, 184, 172), (178, 174, 166)
WALLS = ((178, 150, 128), (196, 176, 148), (150, 146, 150), (204, 192, 176), (164, 132, 116))
SHIRTS = ((176, 58, 46), (44, 98, 160), (230, 180, 60), (70, 130, 90), (120, 80, 140), (60, 60, 66))
TROUSERS = ((44, 52, 84), (70, 66, 60), (120, 104, 84), (38, 38, 42))
SKINS = ((236, 198, 168), (198, 150, 116), (142, 98, 70))
HAIRS = ((50, 36, 28), (110, 76, 44), (28, 26, 26), (176, 150, 110))


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The colours a person wears."""

    shirt: Colour
    trousers: Colour
    skin: Colour
    hair: Colour


def front_view(staging: Staging, time: float, camera: Camera, *, seed: int) -> Image.Image:
    """What the robot's camera sees at a time of the scene."""
    pose = staging.drive.pose(time)
    place = random.Random(f"houses {seed} {staging.sequence}")
    picture = Image.fromarray(_surroundings(camera, pose, place))
    seen = [(from_robot(w.walk.position(time), pose), w) for w in staging.walkers]
    for point, walker in sorted(seen, key=lambda each: -each[0][0]):
        if point[0] >= NEAREST:
            _paint_person(picture, camera, point, _figure(walker, time, pose[2], seed=seed))
    return picture


def _surroundings(
    camera: Camera, pose: tuple[float, float, float], rng: random.Random
) -> NDArray[np.uint8]:
    horizon = round(camera.cy)
    canvas = np.empty((camera.height_px, camera.width_px, 3), np.uint8)
    rows = np.arange(horizon)[:, None, None] / horizon
    canvas[:horizon] = np.array(ZENITH) * (1 - rows) + np.array(SKY) * rows
    _build_houses(canvas[:horizon], camera, pose[2], rng)
    _lay_tiles(canvas[horizon:], camera, pose)
    return canvas


def _lay_tiles(ground: NDArray[np.uint8], camera: Camera, pose: tuple[float, float, float]) -> None:
    top = camera.height_px - len(ground)
    v = np.arange(top, camera.height_px, dtype=np.float32)[:, None] + 0.5
    u = np.arange(camera.width_px, dtype=np.float32)[None, :] + 0.5
    ahead = camera.fy * EYE / np.maximum(v - camera.cy, 0.1)  # (rows, 1)
    left = (camera.cx - u) / camera.fx * ahead  # (rows, columns)
    cos, sin = math.cos(pose[2]), math.sin(pose[2])
    x, y = pose[0] + cos * ahead - sin * left, pose[1] + sin * ahead + cos * left
    odd = [np.floor(each / TILE).astype(np.int32) & 1 for each in (x, y)]
    light = odd[0] != odd[1]  # (rows, columns)
    clear = np.exp(-ahead / HAZE)  # (rows, 1)
    dark, bright, fog = (np.array(each) for each in (DARK_TILE, LIGHT_TILE, FOG))
    for k in range(3):
        shades = [(fog[k] + clear * (each[k] - fog[k])).astype(np.uint8) for each in (dark, bright)]
        ground[..., k] = np.where(light, shades[1], shades[0])


def _build_houses(
    sky: NDArray[np.uint8], camera: Camera, heading: float, rng: random.Random
) -> None:
    """Houses all around, too far to come nearer; they pass sideways when the robot turns."""
    heights = np.array([rng.uniform(4, 11) for _ in range(HOUSES)])
    walls = np.array([rng.choice(WALLS) for _ in range(HOUSES)], np.uint8)
    u = np.arange(camera.width_px) + 0.5
    turns = (heading + np.arctan((camera.cx - u) / camera.fx)) / math.tau % 1.0
    house = (turns * HOUSES).astype(int)  # (columns,)
    up = (camera.cy - np.arange(len(sky)) - 0.5)[:, None] * FAR / camera.fy + EYE  # metres
    walled = up <= heights[house][None, :]  # (rows, columns)
    across = (turns * HOUSES % 1.0) * 4 % 1.0  # four windows a storey
    window = ((up % 2.6) > 1.0) & ((up % 2.6) < 2.0) & ((across > 0.3) & (across < 0.7))[None, :]
    for k in range(3):
        wall = walls[house, k]  # (columns,)
        shade = np.where(window, (wall * 0.72).astype(np.uint8), wall)
        sky[..., k] = np.where(walled, shade, sky[..., k])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Figure:
    look: Look
    height: float  # metres
    swing: float  # -1 to 1, of legs and arms
    sideways: float  # 0 to 1, how much the person walks across the picture
    facing: bool  # whether the face is seen


def _figure(walker: Walker, time: float, heading: float, *, seed: int) -> _Figure:
    rng = random.Random(f"look {seed} {walker.track} {walker.height}")
    vx, vy = walker.walk.velocity
    speed = math.hypot(vx, vy)
    course = math.atan2(vy, vx) - heading
    stride = speed * min(time, walker.walk.stops_at) / STEP
    moves = speed > 0 and time < walker.walk.stops_at
    return _Figure(
        look=Look(
            shirt=rng.choice(SHIRTS),
            trousers=rng.choice(TROUSERS),
            skin=rng.choice(SKINS),
            hair=rng.choice(HAIRS),
        ),
        height=walker.height,
        swing=math.sin(math.tau * stride + rng.uniform(0, math.tau)) if moves else 0.0,
        sideways=abs(math.sin(course)) if moves else 0.0,
        facing=math.cos(course) < 0.3,
    )


def _paint_person(picture: Image.Image, camera: Camera, point: Point, figure: _Figure) -> None:
    u, ground = onto_image(camera, point, 0.0)
    metre = camera.fy / point[0]  # pixels
    finer = 2 if figure.height * metre < FINEST else 1
    half, tall, below = 0.5, figure.height, 0.08  # metres around the figure
    size = math.ceil(2 * half * metre), math.ceil((tall + below) * metre)
    patch = Image.new("RGBA", (size[0] * finer, size[1] * finer))
    _draw_figure(ImageDraw.Draw(patch), figure, metre * finer, (half, tall))
    if finer > 1:
        patch = patch.reduce(finer)
    picture.paste(patch, (round(u - half * metre), round(ground - tall * metre)), patch)


def _draw_figure(pen: ImageDraw.ImageDraw, figure: _Figure, metre: float, centre: Point) -> None:
    """Feet at `centre`, in metres from the left top; everything else in parts of the height."""
    h, look = figure.height, figure.look

    def at(across: float, up: float) -> Point:
        return (centre[0] + across * h) * metre, (centre[1] - up * h) * metre

    def limb(start: Point, end: Point, wide: float, colour: Colour) -> None:
        pen.line([at(*start), at(*end)], fill=colour, width=max(1, round(wide * h * metre)))
        r = wide / 2
        for x, y in (start, end):
            pen.ellipse([at(x - r, y + r), at(x + r, y - r)], fill=colour)

    pen.ellipse([at(-0.18, 0.025), at(0.18, -0.04)], fill=(40, 36, 30, 90))
    reach, lift = 0.13 * figure.sideways * figure.swing, 0.02 * abs(figure.swing)
    darker = tuple(round(0.8 * part) for part in look.trousers)
    limb((0.035, 0.48), (0.04 - reach, 0.03 + lift), 0.075, (darker[0], darker[1], darker[2]))
    limb((-0.035, 0.48), (-0.04 + reach, 0.03), 0.075, look.trousers)
    arm = 0.10 * figure.sideways * figure.swing
    limb((0.115, 0.79), (0.13 + arm, 0.50), 0.045, look.shirt)
    pen.rounded_rectangle([at(-0.105, 0.83), at(0.105, 0.47)], 0.04 * h * metre, fill=look.shirt)
    limb((-0.115, 0.79), (-0.13 - arm, 0.50), 0.045, look.shirt)
    for side, swing in ((1, arm), (-1, -arm)):
        x = side * 0.13 + swing
        pen.ellipse([at(x - 0.024, 0.50), at(x + 0.024, 0.45)], fill=look.skin)
    pen.rectangle([at(-0.025, 0.87), at(0.025, 0.82)], fill=look.skin)
    pen.ellipse([at(-0.055, 1.0), at(0.055, 0.86)], fill=look.hair)
    if figure.facing:
        pen.ellipse([at(-0.047, 0.965), at(0.047, 0.862)], fill=look.skin)
