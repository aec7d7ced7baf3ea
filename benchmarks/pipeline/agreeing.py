"""Whether answers and verdicts are the same among reconstructed people as among the true ones.

Like is held against like: the same people, only those whom the camera saw and for as long as they
have a track, once where they were and once where the reconstruction has them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from filmed import Filmed
from judged import Whose, laid, true_twin
from paseo.data.scenes.robot_frame import from_the_first, seen_from
from paseo.errors import BadValue
from paseo.pipeline.drawing import drawn_drives
from paseo.pipeline.episodes.walking import drive_recording
from paseo.pipeline.mining.cutting import CuttingOptions, mined_scenes
from paseo.pipeline.mining.mined import MinedScene
from paseo.pipeline.reconstruction import UNCERTAIN, Reconstruction
from paseo.pipeline.walks import positions_at
from paseo.planners.names import PLANNERS
from paseo.sim.simulate import simulate
from paseo.vqa.baselines.rules import rule_answers
from paseo.vqa.baselines.sightings import Sighting
from paseo.vqa.questions.questions import kinds
from paseo.world.records import Record

DRIVERS = ("straight", "social-force", "orca", "dwa")


@dataclass(frozen=True)
class Pair:
    """What is said in truth and of the reconstruction."""

    of: str  # a kind of question, or a planner
    drive: int
    truth: str
    found: str
    is_sure: bool | None = None  # whether draws leave it; None: there were none

    @property
    def is_same(self) -> bool:
        return self.truth == self.found


def answers(filmed: Filmed, found: Reconstruction, whose: Whose, drive: int) -> Iterator[Pair]:
    """What rules answer to all questions on the scenes that are cut out of a drive."""
    told, twin = laid(filmed, found), true_twin(filmed, found, whose)
    try:
        scenes = mined_scenes(told, CuttingOptions())
    except BadValue:  # nobody comes near
        return
    for scene in scenes:
        ours, true = _sightings(scene, told, twin)
        pairs = rule_answers(ours), rule_answers(true)
        for key in pairs[1]:
            kind = next(kind for kind in kinds() if key.startswith(kind))
            yield Pair(kind, drive, *("/".join(each[key]) for each in reversed(pairs)))


def _sightings(
    scene: MinedScene, told: Reconstruction, twin: Reconstruction
) -> tuple[Sighting, Sighting]:
    """A scene as it was reconstructed and as it was, with those who are in both."""
    true = {str(track.person): track for track in twin.tracks}
    numbers = {track: number for track, number in scene.numbers.items() if track in true}
    by_number = {person.number: person.positions for person in scene.people}
    poses = twin.odometry.at(scene.times)
    goal = twin.odometry.at(np.array([scene.goal_time]))[0, :2]
    people = {}
    for track, number in numbers.items():
        places = seen_from(poses[0], positions_at(true[track], scene.times))
        people[number] = np.where(np.isnan(by_number[number]), np.nan, places)
    ours = Sighting(
        robot=from_the_first(told.odometry.at(scene.times)),
        goal=np.array(scene.goal),
        people={number: by_number[number] for number in people},
    )
    return ours, Sighting(
        robot=from_the_first(poses), goal=seen_from(poses[0], goal), people=people
    )


def verdicts(
    filmed: Filmed,
    found: Reconstruction,
    whose: Whose,
    drive: int,
    *,
    draws: int = 0,
) -> Iterator[Pair]:
    """What becomes of planners who drive the episode among the true and the reconstructed crowd."""
    twin = true_twin(filmed, found, whose)
    known = {track.person for track in twin.tracks}
    if not known:
        return
    ours = replace(found, tracks=tuple(each for each in found.tracks if each.person in known))
    drawn = drawn_drives(ours, np.random.default_rng(drive), draws) if draws else ()
    others = [laid(filmed, each) for each in drawn]
    for planner in DRIVERS:
        true, told, *rest = (
            _driven(filmed, crowd, planner).verdict for crowd in (twin, laid(filmed, ours), *others)
        )
        flips = sum(each is not told for each in rest)
        is_sure = flips < UNCERTAIN * draws if draws else None
        yield Pair(planner, drive, true.value, told.value, is_sure)


def _driven(filmed: Filmed, crowd: Reconstruction, planner: str) -> Record:
    walks = drive_recording(filmed.name, crowd.tracks, float(filmed.way.times[0]))
    scenario = replace(filmed.record.scenario, tracks=walks.tracks, groups=())
    return simulate(scenario, PLANNERS.find(planner)())
