"""Faces painted over the map of the library's head: brows, lips, sockets, stubble, wrinkles."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from paseo.camera.meshes import ByteArray, Float32Array
from paseo.camera.people.looks import Look
from paseo.camera.people.noise import bump, noise, ramp

SIZE = 384
EYE = 0.0315  # metres from the middle of the face to an eye's


@dataclass(frozen=True, slots=True, eq=False)
class FaceMap:
    """What lies where on the texture of every face; the first row is the crown.

    Each is (SIZE, SIZE); shares run from 0 to 1.
    """

    side: Float32Array  # metres from the middle of the face
    left: Float32Array
    up: Float32Array  # metres above the eyes
    turn: Float32Array  # degrees from the front
    front: Float32Array  # share of the face
    lips: Float32Array
    ears: Float32Array
    flush: Float32Array  # where blood shows: cheeks, nose, chin, ears
    sockets: Float32Array
    bags: Float32Array  # under the eyes
    shade: Float32Array  # of creases, lids and nostrils
    mouth: Float32Array  # between the lips
    beard: Float32Array
    fade: Float32Array  # 0 where the neck meets the body's plain skin


def face_map(places: Float32Array, masks: Float32Array) -> FaceMap:
    """From where texels lie, (rows, columns, 3) metres forward, left and up from between the eyes,
    and which share of them is lip, ear and rim of the eye, (rows, columns, 3)."""
    large = np.moveaxis(enlarged(np.concatenate([places, masks], axis=-1), SIZE), -1, 0)
    forward, left, up, lips, ears, lids = (np.ascontiguousarray(each) for each in large)
    side, front = abs(left), ramp(forward, -0.11, -0.06)
    spot = partial(bump, side, up)
    flush = 0.55 * spot(at=(0.046, -0.040), wide=(0.022, 0.020))
    flush += 0.65 * spot(at=(0.0, -0.040), wide=(0.014, 0.014))
    flush += 0.25 * spot(at=(0.0, -0.105), wide=(0.02, 0.012))
    sockets = 0.75 * spot(at=(EYE, 0.004), wide=(0.021, 0.012))
    sockets += 0.5 * spot(at=(0.014, 0.004), wide=(0.007, 0.012))
    crease = np.exp(-(((up - 0.0125 + 6.0 * (side - EYE) ** 2) / 0.0012) ** 2))
    shade = 1 - 0.22 * front * crease * spot(at=(EYE, 0.012), wide=(0.017, 0.02))
    shade *= 1 - 0.38 * ramp(lids, 0.3, 0.8) * front
    shade *= 1 - 0.45 * front * spot(at=(0.0085, -0.0525), wide=(0.0045, 0.003))
    return FaceMap(
        side=side,
        left=left,
        up=up,
        turn=np.degrees(abs(np.arctan2(left, forward + 0.088))),
        front=front,
        lips=ramp(lips, 0.25, 0.75) * front,
        ears=ears,
        flush=(flush * front + 0.6 * ears).astype(np.float32),
        sockets=sockets * front,
        bags=spot(at=(EYE - 0.004, -0.016), wide=(0.015, 0.005)) * front,
        shade=shade,
        mouth=spot(at=(0.0, -0.0735), wide=(0.022, 0.0012)) * front,
        beard=_beard(side, up, forward) * (1 - ramp(lips, 0.1, 0.5)),
        fade=ramp(up, -0.17, -0.10),
    )


def enlarged(image: Float32Array, size: int) -> Float32Array:
    """A square picture at a larger size, by straight lines between its texels."""
    where = (np.arange(size) + 0.5) / size * len(image) - 0.5
    low = np.clip(np.floor(where).astype(int), 0, len(image) - 2)
    part = np.clip(where - low, 0, 1).astype(np.float32)
    rows = image[low] * (1 - part)[:, None, None] + image[low + 1] * part[:, None, None]
    wide: Float32Array = (
        rows[:, low] * (1 - part)[None, :, None] + rows[:, low + 1] * part[None, :, None]
    )
    return wide


def painted_face(look: Look, face: FaceMap) -> tuple[ByteArray, ByteArray]:
    """The colours (SIZE, SIZE, 4) and heights (half as wide and high) of a face and its scalp."""
    colour = _complexion(look, face)
    heights = 0.5 + 0.05 * noise(7, SIZE, 0.5) - 0.12 * face.mouth
    if look.years:
        folds = _wrinkles(look, face)
        colour *= 1 - 0.55 * look.years * folds
        heights -= 0.30 * look.years * folds
    _mix(colour, _lip_colour(look), 0.85 * face.lips)
    colour *= 1 - 0.45 * face.mouth
    hair = np.array(look.brow, dtype=np.float32)
    if look.stubble:
        grain = noise(look.seed + 3, SIZE, 0.15, 2.5)
        cover = look.stubble * (0.92 + 0.16 * grain + 0.10 * noise(look.seed + 4, SIZE, 1.2))
        share = face.beard * np.clip(cover, 0, 0.95)
        _mix(colour, hair * 0.9, share)
        heights += 0.05 * look.stubble * face.beard * grain
    _mix(colour, hair * 0.7, _brows(look, face))
    _mix(colour, np.array(look.hair, dtype=np.float32) * 0.75, _roots(look, face))
    texture = np.full((SIZE, SIZE, 4), 255, dtype=np.uint8)
    for channel in range(3):
        texture[..., channel] = np.clip(colour[channel] * 255, 0, 255)
    fewer = heights.reshape(SIZE // 2, 2, SIZE // 2, 2).mean(axis=(1, 3))
    return texture, np.clip(fewer * 255, 0, 255).astype(np.uint8)


def _mix(colour: Float32Array, other: Float32Array, share: Float32Array) -> None:
    """Paint a colour over another, (3, SIZE, SIZE), in place."""
    for channel in range(3):
        colour[channel] += (other[channel] - colour[channel]) * share


def _complexion(look: Look, face: FaceMap) -> Float32Array:
    """Skin with its blood, shades and spots, (3, SIZE, SIZE)."""
    skin = np.array(look.skin, dtype=np.float32)
    mottle = 0.020 * noise(look.seed, SIZE, 1.3) + 0.014 * noise(5, SIZE, 0.2)
    tone = face.shade * (1 + face.fade * mottle)
    if look.freckles:
        spots = ramp(noise(look.seed + 9, SIZE, 0.55), 1.4, 2.2) * face.fade
        where = bump(face.side, face.up, at=(0.025, -0.03), wide=(0.045, 0.03)) + look.years
        tone *= 1 - look.freckles * 0.35 * np.minimum(where, 1) * spots
    dark = face.sockets + (0.25 + 0.5 * look.years) * face.bags
    blood = 0.35 * float(skin.mean()) * face.flush
    return np.stack(
        [
            base * tone * (1 + red * blood) * (1 - hollow * dark)
            for base, red, hollow in zip(
                skin, (0.10, -0.22, -0.20), (0.20, 0.26, 0.24), strict=True
            )
        ]
    )


def _lip_colour(look: Look) -> Float32Array:
    skin = np.array(look.skin, dtype=np.float32)
    red = np.array([0.72, 0.34, 0.34], dtype=np.float32) * (0.35 + 0.75 * float(skin.mean()))
    return skin * (1 - look.lips) * np.array([0.95, 0.80, 0.78], np.float32) + red * look.lips


def _wrinkles(look: Look, face: FaceMap) -> Float32Array:
    """Lines of age, 1 in their depth: forehead, crow's feet, from nose to mouth, under the eyes."""
    side, left, up = face.side, face.left, face.up
    wave = 0.0012 * np.sin(left * 95 + look.seed) + 0.0008 * np.sin(left * 210 + 2 * look.seed)
    forehead = np.zeros_like(up)
    for line, height in enumerate((0.036, 0.046, 0.056)):
        place = up - height - wave * (1 + 0.4 * line) + 2.5 * side**2
        forehead = np.maximum(forehead, np.exp(-((place / 0.0019) ** 2)))
    forehead *= ramp(side, 0.055, 0.025)
    turn = np.arctan2(up + 0.002, side - 0.036)
    feet = ramp(np.cos(turn * 11 + look.seed), 0.2, 1.0) * ramp(abs(turn), 0.8, 0.5)
    feet = feet * bump(side, up, at=(0.055, -0.002), wide=(0.007, 0.010)) * ramp(side, 0.066, 0.058)
    path = 0.019 + 0.30 * np.maximum(-0.038 - up, 0)
    cheek = (
        np.exp(-(((side - path) / 0.0030) ** 2))
        * ramp(up, -0.080, -0.066)
        * ramp(up, -0.036, -0.046)
    )
    bag = np.exp(-(((up + 0.0205 - 7 * (side - EYE) ** 2) / 0.0016) ** 2))
    bag = bag * bump(side, up, at=(EYE, -0.02), wide=(0.016, 0.02))
    frown = np.exp(-(((side - 0.007) / 0.0012) ** 2)) * bump(
        side, up, at=(0.007, 0.022), wide=(0.01, 0.009)
    )
    lines: Float32Array = np.clip(
        0.32 * forehead + 0.45 * feet + 0.75 * cheek + 0.6 * bag + 0.4 * frown, 0, 1
    )
    return lines * face.front


def _beard(side: Float32Array, up: Float32Array, forward: Float32Array) -> Float32Array:
    """Where a beard grows, 0 to 1."""
    upper = np.interp(
        side,
        [0.0, 0.012, 0.024, 0.036, 0.055, 0.070, 0.08],
        [-0.055, -0.055, -0.066, -0.078, -0.060, -0.012, -0.012],
    ).astype(np.float32)
    grows = ramp(upper - up, -0.003, 0.007) * ramp(up, -0.150, -0.118)
    near: Float32Array = grows * ramp(forward, -0.105, -0.085)
    return near


def _brows(look: Look, face: FaceMap) -> Float32Array:
    """How much of a brow covers each texel, drawn as slanting hairs."""
    side, up = face.side, face.up
    middle = 0.0235 + 0.0045 * np.sin(np.clip((side - 0.012) / 0.044, 0, 1) * 2.6)
    thick = (0.0032 + 0.0030 * look.brows) * ramp(side, 0.066, 0.030)
    inside = np.exp(-(((up - middle) / np.maximum(thick, 1e-4)) ** 2) * 1.3)
    ends = ramp(side, 0.009, 0.017) * ramp(side, 0.062, 0.050)
    hairs = np.sin(
        (side * 0.75 + up * 1.0) * 2 * np.pi / 0.0026 + 2.5 * noise(look.seed + 1, SIZE, 1.0)
    )
    cover: Float32Array = np.clip(inside * ends * (0.82 + 0.35 * hairs), 0, 0.92) * face.front
    return cover


def _roots(look: Look, face: FaceMap) -> Float32Array:
    """How much the scalp is darkened by hair, with a ragged line."""
    line = np.interp(face.turn, *look.line).astype(np.float32)
    ragged = 0.0035 * noise(look.seed + 5, SIZE, 0.9) + 0.0025 * noise(look.seed + 6, SIZE, 0.3)
    grain = 0.9 + 0.12 * noise(look.seed + 7, SIZE, 0.4)
    cover: Float32Array = np.clip(ramp(face.up - line + ragged, -0.004, 0.012) * grain, 0, 1)
    return cover * look.roots * (1 - ramp(face.ears, 0.2, 0.6))
