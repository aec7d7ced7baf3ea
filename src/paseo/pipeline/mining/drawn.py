"""Answers by rule where people are known only roughly: how sure they are."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from paseo.data.scenes.robot_frame import from_the_first, seen_from
from paseo.pipeline.mining.mined import MinedScene
from paseo.pipeline.reconstruction import UNCERTAIN, Reconstruction
from paseo.pipeline.smoothing.draws import drawn_tracks
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
    scenes: Sequence[MinedScene], reconstruction: Reconstruction, *, count: int, seed: int
) -> tuple[DrawnAnswer, ...]:
    """For every question about every scene, the rules' answer and how sure it is."""
    rng = np.random.default_rng(seed)
    best = [rule_answers(_sighting(scene, {})) for scene in scenes]
    tallies = [{question: Counter[Option]() for question in each} for each in best]
    for tracks in drawn_tracks(reconstruction.tracks, rng, count):
        by_person = {track.person: track for track in tracks}
        for scene, tally in zip(scenes, tallies, strict=True):
            for question, answer in rule_answers(_sighting(scene, by_person)).items():
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


def _sighting(scene: MinedScene, drawn: Mapping[int, SmoothTrack]) -> Sighting:
    """Who is where in a scene, those who are drawn where their draw says."""
    poses = scene.clip.stretch.robot[scene.clip.span]
    tracks = {number: int(track) for track, number in scene.numbers.items()}
    return Sighting(
        robot=from_the_first(poses),
        goal=np.array(scene.goal),
        people={
            person.number: _moved(person.positions, drawn.get(tracks[person.number]), scene, poses)
            for person in scene.people
        },
    )


def _moved(
    positions: FloatArray, track: SmoothTrack | None, scene: MinedScene, poses: FloatArray
) -> FloatArray:
    """Where somebody is by their track, in the frames that show them."""
    if track is None:
        return positions
    there = seen_from(poses[0], positions_at(track, scene.times))
    return np.where(np.isnan(positions), np.nan, there)
