"""Filmed moments as scenes: people numbered, what followed kept aside, right answers told."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paseo.data.scenes.writing import Box, Files, Point, json_bytes, observations
from paseo.moments.candidates import Moment
from paseo.moments.filming import Filmed
from paseo.pipeline.mining.clips import Clip
from paseo.pipeline.mining.mined import MinedScene
from paseo.pipeline.mining.stretches import Stretch
from paseo.vqa.geometry.aftermath import FOLDER as AFTERMATH
from paseo.vqa.geometry.aftermath import Aftermath, aftermath_bytes
from paseo.vqa.geometry.labels import label_bytes, label_file
from paseo.vqa.geometry.places import Finding
from paseo.vqa.geometry.rules import Rulebook
from paseo.vqa.questions.questions import Catalogue
from paseo.world.arrays import FloatArray
from paseo.world.scenes import NumberedPerson


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MomentScene:
    """A scene made of a moment, with its truth."""

    mined: MinedScene
    filmed: Filmed
    answers: Mapping[str, Finding]  # by question key
    catalogue: Catalogue
    aftermath: Aftermath

    @property
    def id(self) -> str:
        """In the form of the data set's."""
        return self.mined.id

    def truth_files(self) -> Files:
        """What no model is shown: the right answers, and what followed."""
        return {
            label_file(self.id): label_bytes(self.id, self.answers, self.catalogue),
            f"{AFTERMATH}/{self.id}.json": aftermath_bytes(self.aftermath),
        }

    def told(self) -> dict[str, object]:
        """Where it comes from."""
        moment = self.filmed.moment
        stage, rider = moment.sighted.stage, moment.sighted.rider
        unclear = sorted(key for key, each in self.answers.items() if not each.clear)
        return {
            "id": self.id,
            "episode": stage.name,
            "camera_carried_by": rider.name,
            "recording": rider.identity.recording,
            "at_s": round(float(stage.times[moment.first]), 6),
            "at_s_of_recording": round(
                float(stage.times[moment.first]) + rider.identity.began, 6
            ),
            "fitness": round(moment.fitness, 6),
            "people": {
                number: int(stage.ids[int(track)]) for track, number in self.mined.numbers.items()
            },
            "ambiguous": unclear,
        }  # fmt: skip


def scene_of(filmed: Filmed, rules: Rulebook) -> MomentScene | None:
    """The scene of a moment; None where the pictures show nobody after all."""
    moment = filmed.moment
    boxes = {k: {frame: each[k] for frame, each in enumerate(filmed.boxes) if k in each}
             for k in moment.asked}  # fmt: skip
    if not any(boxes.values()):
        return None
    numbers = _numbers(moment, boxes)
    course = moment.course(numbers)
    shown = slice(0, course.last + 1)
    people = [
        NumberedPerson(
            number=number,
            positions=course.people[number][shown],
            boxes=_drawn(boxes[k], moment.timing.frames),
        )
        for k, number in numbers.items()
    ]
    tracks = {str(k): _track(course.people[n][shown], boxes[k]) for k, n in numbers.items()}
    clip, sequence = _clip(moment)
    mined = MinedScene(
        sequence=sequence,
        clip=clip,
        fitness=moment.fitness,
        goal=moment.goal,
        goal_time=moment.goal_time,
        tracks=tracks,
        numbers={str(k): number for k, number in numbers.items()},
        people=tuple(people),
        period=moment.timing.period,
    )
    after = slice(course.last + 1, None)
    aftermath = Aftermath(
        period=moment.timing.period,
        robot=course.robot[after],
        people={number: places[after] for number, places in sorted(course.people.items())},
    )
    return MomentScene(
        mined=mined,
        filmed=filmed,
        answers=rules.answers(course),
        catalogue=rules.catalogue,
        aftermath=aftermath,
    )


def about_files(scenes: list[MomentScene], about: dict[str, object]) -> Files:
    """The file that tells of all of them."""
    return {"moments.json": json_bytes(about | {"scenes": [scene.told() for scene in scenes]})}


def _numbers(moment: Moment, boxes: Mapping[int, Mapping[int, Box]]) -> dict[int, int]:
    """As the data set does: from left to right in the first box; who has none comes last."""

    def left(k: int) -> tuple[float, int]:
        first = next(iter(boxes[k].values()), None)
        return (math.inf if first is None else first[0]), k

    ordered = sorted(moment.asked, key=left)
    return {k: number for number, k in enumerate(ordered, start=1)}


def _drawn(boxes: Mapping[int, Box], frames: int) -> FloatArray:
    """Boxes by frame, (frames, 4); NaN where there is none."""
    found = np.full((frames, 4), np.nan)
    for frame, box in boxes.items():
        found[frame] = box
    return found


def _track(places: FloatArray, boxes: Mapping[int, Box]) -> list[dict[str, object]]:
    there: dict[int, Point] = {frame: (float(x), float(y)) for frame, (x, y) in enumerate(places)}
    return observations(there, {frame: boxes.get(frame) for frame in there})


def _clip(moment: Moment) -> tuple[Clip, str]:
    """The moment within its rider's whole way, from when they came until they went."""
    stage, rider = moment.sighted.stage, moment.sighted.rider
    known = ~np.isnan(rider.poses[:, 2])
    gaps = np.flatnonzero(~known)
    begin = int(gaps[gaps < moment.first].max(initial=-1)) + 1
    end = int(gaps[gaps > moment.first].min(initial=len(known)))
    stretch = Stretch(
        number=0,
        frames=np.arange(begin, end),
        times=stage.times[begin:end],
        robot=rider.poses[begin:end],
        people=(),
    )
    sequence = f"{_word(stage.name) or 'episode'}_{_word(rider.name) or 'robot'}_{begin}"
    return Clip(stretch, moment.first - begin, moment.timing.frames), sequence


def _word(name: str) -> str:
    """A part of an id: the original's code splits ids at '_'."""
    return re.sub(r"[^A-Za-z0-9.-]+", "-", name).strip("-.")[:40]
