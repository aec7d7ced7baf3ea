"""Where ankles are and how feet point: planted, rolling over heel and ball, or swinging."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from paseo.camera.gait.bones.clips import Clip, at_phases
from paseo.camera.gait.bones.rig import Legs
from paseo.camera.gait.steps.walks import Walks
from paseo.world.arrays import FloatArray

TOE_OFF = 0.60  # of the clips' strides; feet that stay down longer or shorter stretch them
FLAT = np.radians(3.0)  # a foot that the curves tilt by less lies flat
STEEPEST = np.radians(80.0)  # soles stand no steeper
STEP_LIFT = 0.05  # of a leg: how high a standing person's foot steps
CLEARANCE = 0.015  # metres between a swinging sole and the floor half way, at least
LEAVES = 0.4  # of a swing, in which a foot gets rid of how it left the ground
PATH = 64  # samples of a swing
SHARES = np.linspace(0.0, 1.0, PATH)


@dataclass(frozen=True, slots=True, eq=False)
class Feet:
    """Left and right of everybody, (people, 2)."""

    ankles: FloatArray  # (people, 2, 3)
    headings: FloatArray
    pitches: FloatArray  # toes up
    toes: FloatArray  # toes up against the floor
    loads: FloatArray  # share of the weight; both sum to 1
    phases: FloatArray  # through the clip's stride
    planted: FloatArray  # (people, 2, 3) ankles as they are or were on their prints


@lru_cache(maxsize=4)
def swing_path(clip: Clip) -> tuple[FloatArray, FloatArray]:
    """How far forward and how high an ankle is through its swing, each (samples,) or of people.

    What the joint curves make of legs of length 1: forward from 0 to 1 between the two prints, the
    height above the straight line between them.
    """
    swing = np.broadcast_to(TOE_OFF + (1.0 - TOE_OFF) * SHARES, (*clip.hip.shape[:-1], PATH))
    stride, bone, ankle, fore = 1.55, 0.46, 0.08, 0.13  # of a leg
    forward, height = _leg(clip, swing, bone)
    _, other = _leg(clip, swing - 0.5, bone)
    tilt = np.minimum(at_phases(clip.foot, swing - 0.5), 0.0)
    standing = fore * np.sin(-tilt) + ankle * np.cos(tilt)
    forward = forward + stride * swing
    high = standing + other - height
    start, way = high[..., :1], forward[..., -1:] - forward[..., :1]
    line = start + SHARES * (high[..., -1:] - start)
    return (forward - forward[..., :1]) / way, high - line


def on_path(path: FloatArray, done: FloatArray) -> FloatArray:
    """A path that `swing_path` gave at shares of the swing, (people, 2)."""
    path = np.atleast_2d(path)
    first = np.minimum((done * (PATH - 1)).astype(np.int64), PATH - 2)
    rows = np.arange(len(path))[:, None]
    before, after = path[rows, first], path[rows, first + 1]
    return np.asarray(before + (done * (PATH - 1) - first) * (after - before))


def _leg(clip: Clip, phases: FloatArray, bone: float) -> tuple[FloatArray, FloatArray]:
    """How far the ankle is before and below the hip."""
    thigh = at_phases(clip.hip - clip.tilt, phases)
    shank = thigh - at_phases(clip.knee, phases)
    return bone * (np.sin(thigh) + np.sin(shank)), bone * (np.cos(thigh) + np.cos(shank))


def feet_of(walks: Walks, legs: Legs, clip: Clip, raised: FloatArray | float = 0.0) -> Feet:
    """Everybody's feet as prints and curves have them, heels raised by so many radians more."""
    up, done = walks.lifted, np.clip(walks.progress, 0.0, 1.0)
    phases = np.where(up, TOE_OFF + (1.0 - TOE_OFF) * done, TOE_OFF * done)
    swing = walks.paces[:, None]
    raised = raised * np.where(up, 1.0 - eased(done / LEAVES), 1.0)
    pitches = tilted(at_phases(clip.foot, phases)) * swing - raised
    leaving, landing = (tilted(clip_angle(clip, at)) * swing for at in (TOE_OFF, 0.0))
    here = ankle_over(walks.prints, np.where(up, leaving - raised, pitches), legs)
    there = ankle_over(walks.next_prints, landing, legs)
    forward, lift = (on_path(each, done) for each in swing_path(clip))
    along = np.where(up, swing * forward + (1.0 - swing) * eased(done), 0.0)
    step = STEP_LIFT * np.sin(np.pi * done) ** 2
    rise = legs.hip[..., 2] * (swing * lift + (1.0 - swing) * step)
    ankles = here + along[..., None] * (there - here)
    ankles[..., 2] += np.where(up, rise, 0.0)
    # Headings count whole turns, as facings do: a foot turns the way the body does.
    turn = walks.next_prints[..., 2] - walks.prints[..., 2]
    headings = walks.prints[..., 2] + np.where(up, eased(done), 0.0) * turn
    # Toes lie on the floor until they leave it, and then come into line with the foot.
    toes = np.where(up, pitches * eased(done / LEAVES), np.maximum(pitches, 0.0))
    short = CLEARANCE * np.sin(np.pi * done) - lowest(ankles, pitches, toes, legs)
    ankles[..., 2] += np.where(up, np.maximum(short, 0.0), 0.0)
    return Feet(ankles, headings, pitches, toes, loads_of(walks), phases, here)


def eased(share: FloatArray) -> FloatArray:
    """From 0 to 1, beginning and ending gently."""
    share = np.clip(share, 0.0, 1.0)
    return np.asarray(share * share * (3.0 - 2.0 * share))


def clip_angle(clip: Clip, phase: float) -> FloatArray:
    """How far the toes point up at one phase, (1,) or (people, 1)."""
    return at_phases(clip.foot, np.full((*clip.foot.shape[:-1], 1), phase))


def tilted(angle: FloatArray) -> FloatArray:
    """The pitch of a foot: flat where nearly so, and never steeper than toes bend."""
    steep = np.sign(angle) * np.maximum(np.abs(angle) - FLAT, 0.0)
    return np.asarray(steep / (1.0 + (steep / STEEPEST) ** 4) ** 0.25)


def ankle_over(prints: FloatArray, pitches: FloatArray, legs: Legs) -> FloatArray:
    """The ankle of a foot on its print, (people, 2, 3), rolled over its heel or its ball."""
    arm = np.where(pitches > 0.0, legs.heel, -legs.fore)
    low = np.where(pitches > 0.0, 0.0, legs.pad)
    cosine, sine = np.cos(pitches), np.sin(pitches)
    forward = legs.before - arm + arm * cosine - (legs.height - low) * sine
    high = low + arm * sine + (legs.height - low) * cosine
    x = prints[..., 0] + forward * np.cos(prints[..., 2])
    y = prints[..., 1] + forward * np.sin(prints[..., 2])
    return np.stack([x, y, high], axis=-1)


def lowest(ankles: FloatArray, pitches: FloatArray, toes: FloatArray, legs: Legs) -> FloatArray:
    """The height of the lowest point of each sole, (people, 2)."""
    cosine, sine = np.cos(pitches), np.sin(pitches)
    heel = ankles[..., 2] - legs.height * cosine - legs.heel * sine
    joint = ankles[..., 2] - (legs.height - legs.pad) * cosine + legs.fore * sine
    ball = joint - legs.pad * np.cos(toes)
    return np.asarray(np.minimum(np.minimum(heel, ball), ball + legs.toes * np.sin(toes)))


def loads_of(walks: Walks) -> FloatArray:
    """How much of the weight is on each foot, (people, 2)."""
    both = np.maximum(1.0 - 0.5 / walks.duties, 0.05)[:, None]  # share of a stance on both feet
    come, go = eased(walks.progress / both), eased((1.0 - walks.progress) / both)
    walking = np.where(walks.lifted, 0.0, come * go)
    standing = np.where(walks.lifted, 1.0 - np.sin(np.pi * np.clip(walks.progress, 0.0, 1.0)), 1.0)
    pace = walks.paces[:, None]
    loads = pace * walking + (1.0 - pace) * standing + 1e-6
    return np.asarray(loads / loads.sum(axis=1, keepdims=True))
