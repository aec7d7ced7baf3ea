"""Walks and idling out of takes: joint curves measured on what was recorded, for any body.

Heels strike where the ankle is farthest before the pelvis, and toes leave where they are farthest
behind it (Zeni, Richards & Higginson 2008, Gait & Posture 27: 710-714).
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache

import numpy as np

from paseo.camera.gait.bones.clips import SAMPLES, Clip, at_phases, free_walk
from paseo.camera.gait.bones.feet import TOE_OFF
from paseo.camera.gait.bones.idling import Idling, idling_of
from paseo.camera.gait.bones.legs import SHIFT
from paseo.camera.gait.bones.turns import cross, rotated, unit
from paseo.camera.gait.steps.strides import GRAVITY
from paseo.camera.gait.steps.walks import Walks
from paseo.camera.meshes import Take
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray, IntArray

# Walks by the words in their names, from slow to fast; starts, stops and turns are none.
PACES = (r"walk_(slow|stroll)", r"walk_neutral", r"walk_fast")
IDLES = r"idle"
PHASES = np.arange(SAMPLES) / SAMPLES
LEVEL = (0.15, 0.35)  # shares of a stride in which a foot lies flat
TILTED = math.radians(12.0)  # the mean tilt of a pelvis, which joints alone do not tell
CURVES = tuple(each.name for each in fields(Clip) if each.name != "name")
Takes = tuple[Take, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A clip and the speed it was recorded at, in roots of gravity times leg."""

    clip: Clip
    speed: float


def clips_for(takes: Sequence[Takes], walks: Walks) -> Clip:
    """Everybody's walk, from their own takes by how fast they go; the free walk without any.

    Of several takes of a pace each person has one, by id.
    """
    own = {each: _paces(each) for each in dict.fromkeys(takes)}
    known = list(dict.fromkeys(walk for each in own.values() for pace in each for walk in pace))
    stock = np.array([[getattr(walk.clip, name) for name in CURVES] for walk in known])
    mixed = np.empty((len(walks), len(CURVES), SAMPLES))
    place = {walk: index for index, walk in enumerate(known)}
    # Legs are not known here; those of an adult make 1.3 m/s the neutral pace of both sexes.
    relative = walks.speeds / math.sqrt(GRAVITY * 0.9)
    for row, (each, person) in enumerate(zip(takes, walks.ids.tolist(), strict=True)):
        chosen = [pace[person % len(pace)] for pace in own[each]]
        shares = _shares(chosen, float(relative[row]))
        mixed[row] = np.tensordot(shares, stock[[place[walk] for walk in chosen]], 1)
    return Clip(name="own walks", **dict(zip(CURVES, np.moveaxis(mixed, 1, 0), strict=True)))


def _shares(walks: Sequence[Walk], speed: float) -> FloatArray:
    """How much of each walk goes into one at a speed; walks are in order of theirs."""
    place = np.interp(speed, [each.speed for each in walks], np.arange(len(walks)))
    return np.asarray(np.maximum(1.0 - np.abs(np.arange(len(walks)) - place), 0.0))


@lru_cache(maxsize=32)
def _paces(takes: Takes) -> tuple[tuple[Walk, ...], ...]:
    """The walks of each pace that takes have, from slow to fast."""
    found = [
        tuple(recorded_walk(take) for take in takes if re.search(pace, take.name)) for pace in PACES
    ]
    kept = [pace for pace in found if pace]
    kept.sort(key=lambda pace: pace[0].speed)
    return tuple(kept) or ((Walk(free_walk(), 0.43),),)


@lru_cache(maxsize=64)
def recorded_walk(take: Take) -> Walk:
    """The joint curves of a take that holds whole strides and ends as it begins."""
    turned = _facing_x(take)
    pelvis = turned("pelvis")
    gone, lasts = pelvis[-1, 0] - pelvis[0, 0], float(take.times[-1])
    leg = float(turned("thigh_l")[:, 2].mean())
    if not gone > 0.3 * leg:
        raise BadValue(f"take '{take.name}' goes nowhere, expected a walk; take another")
    ahead = turned("foot_l")[:-1, 0] - pelvis[:-1, 0]
    strides = max(1, int(np.argmax(np.abs(np.fft.rfft(ahead - ahead.mean())))))
    clip = _clip(take.name, _Measured(turned, strides))
    return Walk(clip, gone / lasts / math.sqrt(GRAVITY * leg))


def _facing_x(take: Take) -> "_Turned":
    """The take's joints, turned so that its hips look along x."""
    left = (take.at("thigh_l") - take.at("thigh_r")).mean(axis=0)
    angle = math.atan2(-left[0], left[1])
    cosine, sine = math.cos(angle), math.sin(angle)
    return _Turned(take, np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]]))


@dataclass(frozen=True, slots=True, eq=False)
class _Turned:
    take: Take
    turn: FloatArray  # (3, 3)

    def __call__(self, bone: str) -> FloatArray:
        return rotated(self.turn, self.take.at(bone))

    def yaw(self, bone: str) -> FloatArray:
        """How far to the left of its mean a bone looks, (frames,)."""
        return _spun(self._turns(bone), 1, 0)

    def pitch(self, bone: str) -> FloatArray:
        """How far forward of its mean a bone leans, (frames,)."""
        return _spun(self._turns(bone), 0, 2)

    def _turns(self, bone: str) -> FloatArray:
        turns = self.turn @ self.take.turns[:, self.take.bones.index(bone)]
        return np.asarray(turns @ np.swapaxes(turns[:1], -1, -2))


def _spun(turns: FloatArray, row: int, column: int) -> FloatArray:
    angle = np.unwrap(np.arctan2(turns[:, row, column], turns[:, column, column]))
    return np.asarray(angle - angle.mean())


class _Measured:
    """Angles of a walk by frame, both sides as if they were the left, and where strides begin."""

    def __init__(self, at: _Turned, strides: int) -> None:
        self._at, self._strides = at, strides
        self.thigh, self.shank, self.foot = self._legs()
        hips = at("thigh_l") - at("thigh_r")
        up = at("spine_01") - at("pelvis")
        lean = np.arctan2(up[:, 0], up[:, 2])
        self.tilt = TILTED + lean - lean.mean()
        self.obliquity = np.arctan2(hips[:, 2], np.hypot(hips[:, 0], hips[:, 1]))
        self.rotation = np.arctan2(hips[:, 0], hips[:, 1])
        shoulders = at("upperarm_l") - at("upperarm_r")
        self.trunk = np.arctan2(shoulders[:, 0], shoulders[:, 1])
        self.shoulder, self.out, self.elbow, self.inward = arm_angles(at)

    def _legs(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Thighs and shanks forward of hanging, feet up, each (frames, 2)."""
        joints = (_pair(self._at, bone) for bone in ("thigh", "calf", "foot", "ball"))
        hip, knee, ankle, ball = joints
        thigh, shank, foot = knee - hip, ankle - knee, ball - ankle
        forward = [np.arctan2(bone[..., 0], -bone[..., 2]) for bone in (thigh, shank)]
        return forward[0], forward[1], np.arctan2(foot[..., 2], foot[..., 0])

    def strikes(self) -> FloatArray:
        """When each foot strikes, in strides, (2,)."""
        ahead = _pair(self._at, "foot")[:, :, 0] - self._at("pelvis")[:, None, 0]
        return np.array([_highest(self.folded(ahead[:, side])) for side in range(2)])

    def leaves(self, strikes: FloatArray) -> FloatArray:
        """How long after it each foot leaves the floor, in strides, (2,)."""
        behind = self._at("pelvis")[:, None, 0] - _pair(self._at, "ball")[:, :, 0]
        off = [_highest(self.folded(behind[:, side])) for side in range(2)]
        return np.asarray((np.array(off) - strikes) % 1.0)

    def folded(self, curve: FloatArray) -> FloatArray:
        """One stride of a curve over all frames, (96,): the mean of all strides."""
        frames = len(curve) - 1
        closed = curve[:-1] - (curve[-1] - curve[0]) * np.arange(frames) / frames
        shares = np.arange(96) / 96
        each = [at_phases(closed, (shares + k) / self._strides) for k in range(self._strides)]
        return np.asarray(np.mean(each, axis=0))


def _pair(at: _Turned, bone: str) -> FloatArray:
    return np.stack([at(f"{bone}_l"), at(f"{bone}_r")], axis=1)


def _highest(curve: FloatArray) -> float:
    return float(np.argmax(curve)) / len(curve)


def arm_angles(at: _Turned) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Flexion and distance of upper arms, flexion and inwardness of forearms, (frames, 2) each.

    Against upright, and the line of the shoulders seen from above.
    """
    shoulder, elbow, wrist = (_pair(at, bone) for bone in ("upperarm", "lowerarm", "hand"))
    left = unit((shoulder[:, 0] - shoulder[:, 1]) * np.array([1.0, 1.0, 0.0]))
    up = np.broadcast_to(np.array([0.0, 0.0, 1.0]), left.shape)
    chest = np.stack([cross(left, up), left, up], axis=-2)[:, None]
    upper, lower = (rotated(chest, unit(each)) for each in (elbow - shoulder, wrist - elbow))
    side = np.array([1.0, -1.0])
    forward = np.arctan2(upper[..., 0], -upper[..., 2])
    out = np.arcsin(np.clip(side * upper[..., 1], -1.0, 1.0))
    along = (upper * lower).sum(axis=-1)
    bent = lower - along[..., None] * upper
    inward = (-side * bent[..., 1]).sum(axis=0) / np.maximum(bent[..., 0].sum(axis=0), 1e-3)
    inward = np.broadcast_to(np.clip(inward, -0.5, 1.0), forward.shape)
    return forward, out, np.arccos(np.clip(along, -1.0, 1.0)), inward


def _clip(name: str, walk: _Measured) -> Clip:
    """Both sides' curves in one: the right one's half a stride later."""
    strikes = walk.strikes()
    stances = np.clip(walk.leaves(strikes), 0.4, 0.8)

    def whole(curve: FloatArray, sign: float) -> FloatArray:
        left, right = (at_phases(walk.folded(curve), PHASES + strike) for strike in strikes)
        return np.asarray((left + sign * right) / 2.0)

    def legs(curve: FloatArray) -> FloatArray:
        each = []
        for side in range(2):
            stance = stances[side]
            source = np.where(
                PHASES < TOE_OFF,
                PHASES / TOE_OFF * stance,
                stance + (PHASES - TOE_OFF) / (1.0 - TOE_OFF) * (1.0 - stance),
            )
            each.append(at_phases(walk.folded(curve[:, side]), source + strikes[side]))
        return np.asarray(np.mean(each, axis=0))

    def arms(curve: FloatArray) -> FloatArray:
        sides = (at_phases(walk.folded(curve[:, k]), PHASES + strikes[k]) for k in range(2))
        return np.asarray(np.mean(list(sides), axis=0))

    thigh, shank, foot = legs(walk.thigh), legs(walk.shank), legs(walk.foot)
    flat = np.median(foot[(LEVEL[0] < PHASES) & (LEVEL[1] > PHASES)])
    tilt = whole(walk.tilt, 1.0)
    return Clip(
        name=name,
        hip=thigh + tilt,
        knee=thigh - shank,
        ankle=foot - flat - shank,
        tilt=tilt,
        obliquity=whole(walk.obliquity, -1.0),
        rotation=whole(walk.rotation, -1.0),
        trunk=whole(walk.trunk, -1.0),
        shoulder=arms(walk.shoulder),
        elbow=arms(walk.elbow),
        out=arms(walk.out),
        inward=arms(walk.inward),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Idle:
    """A take of somebody who stands, as `Idling` counts it; frames are 1/30 s."""

    curves: FloatArray  # (12, frames): chest, shoulders, shift, glance, then each arm's four


@lru_cache(maxsize=64)
def recorded_idle(take: Take) -> Idle:
    """How somebody stands in a take; where it does not end as it begins, that is spread over it."""
    at = _facing_x(take)
    feet = _pair(at, "foot").mean(axis=1)
    leg = float(at("thigh_l")[:, 2].mean())
    shift = (at("pelvis")[:, 1] - feet[:, 1]) / (SHIFT * leg)
    bones = (_pair(at, "upperarm") - _pair(at, "clavicle")).mean(axis=1)
    wide = np.hypot(*(at("upperarm_l") - at("clavicle_l"))[:, :2].T)
    lift = np.arctan2(bones[:, 2], wide)
    arms = np.stack(arm_angles(at), axis=0)  # (4, frames, 2)
    rows = [-at.pitch("spine_03"), lift - lift.mean(), np.clip(shift, -1.5, 1.5), at.yaw("head")]
    curves = np.stack([*rows, *(arms[k, :, side] for k in range(4) for side in range(2))])
    drift = (curves[:, -1:] - curves[:, :1]) * np.arange(curves.shape[1]) / (curves.shape[1] - 1)
    return Idle(np.asarray((curves - drift)[:, :-1]))


def idling_for(takes: Sequence[Takes], walks: Walks) -> Idling:
    """How everybody stands, by their own takes; as `idling_of` has it without any."""
    usual = idling_of(walks)
    values = {each.name: np.array(getattr(usual, each.name)) for each in fields(Idling)}
    people: IntArray = walks.ids
    for row, (each, person) in enumerate(zip(takes, people.tolist(), strict=True)):
        standing = [take for take in each if re.search(IDLES, take.name)]
        if not standing:
            continue
        take = standing[person % len(standing)]
        curves = recorded_idle(take).curves
        step = float(take.times[1] - take.times[0])
        place = walks.times[row] / (step * curves.shape[1]) + (person * 0.618034) % 1.0
        now = at_phases(curves, np.full(len(curves), place))
        still = 1.0 - float(walks.paces[row])
        values["chest"][row], values["shoulders"][row] = now[0], now[1]
        values["shift"][row], values["glance"][row] = still * now[2], (0.3 + 0.7 * still) * now[3]
        for name, pair in zip(("hanging", "out", "elbows", "inward"), (4, 6, 8, 10), strict=True):
            values[name][row] = now[pair : pair + 2]
    return Idling(**values)
