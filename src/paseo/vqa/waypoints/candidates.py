"""Candidate waypoints: places on the ground, each known by a letter."""

import math
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from paseo.errors import BadValue
from paseo.vqa.questions.questions import SOCIAL, Question, QuestionType
from paseo.world.arrays import FloatArray

# Without G and R, which are the goal and the robot, and I and O, which read as digits.
LETTERS = "ABCDEFHJKLMNPQSTUVWXYZ"
KEY = "q_waypoint"
PROGRESS = 0.3  # metres towards the goal that `straight` wants
TEXT = "At which of the marked waypoints should the robot be at the end of the next {SECONDS} s?"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Candidates:
    """Where the robot may go, in the frame of the pictures: that of its first pose."""

    places: FloatArray  # (candidates, 2), metres, x forward and y left
    horizon: float  # seconds from the last picture until the robot is to be there

    def __post_init__(self) -> None:
        count = len(self.places)
        if not 2 <= count <= len(LETTERS):
            raise BadValue(f"there are {count} waypoints, expected 2 to {len(LETTERS)}")
        if self.places.shape != (count, 2) or not np.isfinite(self.places).all():
            raise BadValue(f"waypoints must be finite, ({count}, 2)")

    @property
    def letters(self) -> tuple[str, ...]:
        """What each is called, in order."""
        return tuple(LETTERS[: len(self.places)])

    def letter(self, place: int) -> str:
        """What the candidate at a place in the order is called."""
        return LETTERS[place]

    def question(self, scene: str) -> Question:
        """Which of them to choose, as an exam puts it."""
        kind = QuestionType(
            key=KEY,
            category=SOCIAL,
            about_person=False,
            choices=self.letters,
            guidance="waypoints",
            text=TEXT.replace("{SECONDS}", f"{self.horizon:.3g}"),
        )
        return Question(scene, kind)


def nearest_to_line(places: FloatArray, start: FloatArray, goal: FloatArray) -> int:
    """Which place (n, 2) lies nearest to the straight line to the goal; of equals the farthest.

    The line ends at the goal. A place that gets the robot no 0.3 m along it, such as where it is
    already, counts only where there is no other.
    """
    ahead = goal - start
    length = float(np.hypot(*ahead))
    forward = ahead / length if length > 0 else np.array([1.0, 0.0])
    along = (places - start) @ forward
    on = np.clip(along, 0.0, length)
    aside = np.hypot(*(places - start - on[:, None] * forward).T)
    stays = along < min(PROGRESS, length)

    def rank(k: int) -> tuple[bool, float, float, int]:
        return bool(stays[k]), round(float(aside[k]), 6), -float(on[k]), k

    return min(range(len(places)), key=rank)


def seeded(*words: object) -> np.random.Generator:
    """Chance that is the same for the same words."""
    digest = sha256("\0".join(map(str, words)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big"))


def arc_ends(pose: FloatArray, speeds: FloatArray, turns: FloatArray, horizon: float) -> FloatArray:
    """Where a unicycle is, (n, 2), that keeps each speed and turn rate from a pose (3,)."""
    half = 0.5 * turns * horizon
    chords = speeds * horizon * np.sinc(half / math.pi)
    headings = pose[2] + half
    ends: FloatArray = pose[:2] + chords[:, None] * np.stack(
        [np.cos(headings), np.sin(headings)], axis=1
    )
    return ends
