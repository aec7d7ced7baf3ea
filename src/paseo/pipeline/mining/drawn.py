"""Answers by rule where people are known only roughly: how sure they are."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paseo.data.scenes.robot_frame import from_the_first, seen_from
from paseo.pipeline.drawing import drawn_drives
from paseo.pipeline.drives.drift import DRIFT, Drift, carried, rotated
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.mining.mined import MinedScene
from paseo.pipeline.reconstruction import UNCERTAIN, Reconstruction
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.pipeline.walks import positions_at
from paseo.vqa.baselines.rules import rule_answers
from paseo.vqa.baselines.sightings import Sighting
from paseo.vqa.questions.questions import Option
from paseo.world.arrays import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnAnswer:
    """What the rules answer where people most likely were, and in how many draws they say else."""

    scene: str
    question: str
    answer: Option
    others: Mapping[Option, int]  # in how many draws each answer that is not this one
    draws: int

    @property
    def flips(self) -> int:
        """Draws with another answer."""
        return sum(self.others.values())

    @property
    def is_uncertain(self) -> bool:
        """Whether a tenth of the draws or more say otherwise."""
        return self.flips >= UNCERTAIN * self.draws


def drawn_answers(
    scenes: Sequence[MinedScene],
    reconstruction: Reconstruction,
    *,
    count: int,
    seed: int,
    drift: Drift = DRIFT,
) -> tuple[DrawnAnswer, ...]:
    """For every question about every scene, the rules' answer and how sure it is."""
    rng, told = np.random.default_rng(seed), reconstruction.odometry
    best = [rule_answers(_sighting(scene)) for scene in scenes]
    tallies = [{question: Counter[Option]() for question in each} for each in best]
    for drawn in drawn_drives(reconstruction, rng, count, drift=drift):
        for scene, tally in zip(scenes, tallies, strict=True):
            for question, answer in rule_answers(_drawn_sighting(scene, told, drawn)).items():
                tally[question][answer] += 1
    return tuple(
        DrawnAnswer(
            scene=scene.id,
            question=question,
            answer=answer,
            others={each: n for each, n in tally[question].items() if each != answer},
            draws=count,
        )
        for scene, answers, tally in zip(scenes, best, tallies, strict=True)
        for question, answer in answers.items()
    )


def _sighting(scene: MinedScene) -> Sighting:
    """Who most likely is where in a scene."""
    return Sighting(
        robot=from_the_first(scene.clip.stretch.robot[scene.clip.span]),
        goal=np.array(scene.goal),
        people={person.number: person.positions for person in scene.people},
    )


def _drawn_sighting(scene: MinedScene, told: Odometry, drawn: Reconstruction) -> Sighting:
    """The same in a draw: the robot's way and its goal are bent, and people where it says."""
    most_likely, way = _sighting(scene), scene.clip.stretch.robot[scene.clip.span]
    places, turned = carried(way[:, :2], scene.times, told, drawn.odometry)
    poses = np.column_stack([places, way[:, 2] + turned])
    goal = way[0, :2] + rotated(most_likely.goal[None], way[:1, 2])
    goal, _ = carried(goal, np.array([scene.goal_time]), told, drawn.odometry)
    tracks = {track.person: track for track in drawn.tracks}
    numbers = {number: int(track) for track, number in scene.numbers.items()}
    people = {
        number: _moved(positions, tracks.get(numbers[number]), scene, poses)
        for number, positions in most_likely.people.items()
    }
    return Sighting(robot=from_the_first(poses), goal=seen_from(poses[0], goal[0]), people=people)


def _moved(
    positions: FloatArray, track: SmoothTrack | None, scene: MinedScene, poses: FloatArray
) -> FloatArray:
    """Where somebody is by their track, in the frames that show them."""
    if track is None:
        return positions
    there = seen_from(poses[0], positions_at(track, scene.times))
    return np.where(np.isnan(positions), np.nan, there)
