"""What the page and the server say to each other, as JSON; places are metres from the corner."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from msgspec import Struct

from paseo.errors import PaseoError
from paseo.metrics.record.contacts.causes import causes_of
from paseo.metrics.record.measure import measure
from paseo.remote.play.inputs import Device, Held
from paseo.render.raster.viewport import shown_box
from paseo.report.walk.cards import floor_path, style_of
from paseo.report.walk.episodes import corner_of, touches_of
from paseo.report.walk.figures.endings import WORDS
from paseo.sim.episode import EpisodeRun
from paseo.suite.runs.results import Result
from paseo.world.motion import Control
from paseo.world.people import Snapshot
from paseo.world.records import Record
from paseo.world.scenarios import Scenario

FARTHEST = 1e4  # metres; a place pointed to beyond it is nonsense
# What a score tells of a drive, besides how it ended.
MEASURED = {
    "path_length": "path",
    "minimum_person_distance": "nearest person",
    "personal_space_compliance": "out of personal space",
    "minimum_obstacle_clearance": "nearest wall",
    "stalled_time": "stood still",
}


class BadMessage(PaseoError):
    """A page said something that it never says."""


class Start(Struct, tag="start", forbid_unknown_fields=True):
    """The person is ready."""


class Choose(Struct, tag="choose", forbid_unknown_fields=True):
    """Another episode, or the same again."""

    episode: int


class Leave(Struct, tag="leave", forbid_unknown_fields=True):
    """The person gives the drive up."""


class Press(Struct, tag="press", forbid_unknown_fields=True):
    """What the person holds from now on; `number` comes back with the states it has decided."""

    number: int
    by: Device
    x: float
    y: float


Message = Start | Choose | Leave | Press
_DECODER = msgspec.json.Decoder(Message)


def read(text: str | bytes, episodes: int) -> Message:
    """The message in a text; a choice is of so many episodes."""
    try:
        message = _DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadMessage(f"{text[:60]!r} is no message of the page: {error}") from error
    if isinstance(message, Choose) and not 0 <= message.episode < episodes:
        raise BadMessage(f"episode {message.episode} is chosen, expected one of {episodes}")
    if isinstance(message, Press):
        most = FARTHEST if message.by is Device.MOUSE else 1.0
        if not max(abs(message.x), abs(message.y)) <= most:
            raise BadMessage(
                f"{message.by} is at ({message.x:g}, {message.y:g}), expected at most {most:g}"
            )
    return message


def held(press: Press, world: Scenario) -> Held:
    """What is held, in the coordinates of the map."""
    if press.by is not Device.MOUSE:
        return Held(press.by, press.x, press.y)
    x, y = corner_of(world.floorplan).tolist()
    return Held(press.by, press.x + x, press.y + y)


def welcome_text(player: str, episodes: Sequence[str]) -> str:
    """The first thing a page is told; with the name it can come back."""
    return _text("welcome", player=player, episodes=episodes)


def countdown_text(seconds: float) -> str:
    """How long it is until the start."""
    return _text("countdown", seconds=seconds)


def trouble_text(words: str) -> str:
    """Something did not work; the person may choose another episode."""
    return _text("trouble", words=words)


def scene_text(world: Scenario, *, number: int, drive: int) -> str:
    """All that is drawn of an episode but who moves; `drive` tells it from other drives."""
    plan, corner = world.floorplan, corner_of(world.floorplan)
    ends = np.array([(world.start.x, world.start.y), (world.goal.x, world.goal.y)])
    box = np.array(shown_box(plan, ends)).reshape(2, 2) - corner
    start, goal = np.round(ends - corner, 2).tolist()
    return _text(
        "scene",
        drive=drive,
        number=number,
        title=world.name,
        map=plan.name,
        floor=floor_path(plan),
        box=np.round(box, 2).ravel().tolist(),
        start=start,
        goal=goal,
        goal_radius=world.goal_radius,
        radius=world.robot.radius,
        person_radius=world.person_radius,
        people=len(world.tracks),
        dt=world.dt,
        time_limit=world.time_limit,
        state=_state(EpisodeRun(world, Control.VELOCITY).snapshot, world),
    )


def state_text(run: EpisodeRun, world: Scenario, *, step: int, number: int) -> str:
    """The present state, and the last input that decided it."""
    contacts = run.contacts
    return _text(
        "state",
        step=step,
        number=number,
        contacts=touches_of(contacts, world, {}) if contacts else (),
        touches=sum(each.counted for each in contacts),
        **_state(run.snapshot, world),
    )


def _state(snapshot: Snapshot, world: Scenario) -> Mapping[str, Any]:
    robot, crowd = snapshot.robot, snapshot.crowd
    pose, corner = robot.pose, corner_of(world.floorplan)
    place = np.array([pose.x, pose.y]) - corner
    ids = np.array([track.id for track in world.tracks])
    return {
        "pose": [*np.round(place, 4).tolist(), round(pose.heading, 4)],
        "speed": round(robot.twist.forward, 3),
        "people": np.searchsorted(ids, crowd.ids).tolist(),
        "places": np.round(crowd.positions - corner, 3).tolist(),
    }


def score_text(record: Record, result: Result, others: Sequence[Result]) -> str:
    """How a drive went, and how others of the same episode did."""
    found = measure(record)
    return _text(
        "score",
        verdict=style_of(record.verdict),
        words=WORDS[record.verdict],
        reason=record.reason,
        time=result.time_s,
        caused=result.caused_contacts,
        shared=result.shared_contacts,
        walked_into=result.walked_into_contacts,
        metrics=[
            {"name": words, "value": found[name].value, "unit": found[name].metric.unit}
            for name, words in MEASURED.items()
        ],
        contacts=touches_of(record.contacts, record.scenario, causes_of(record)),
        record=result.record,
        others=[
            {
                "who": each.planner,
                "seed": each.seed,
                "verdict": style_of(each.verdict),
                "words": WORDS[each.verdict],
                "time": each.time_s,
                "contacts": each.person_contacts,
                "this": each == result,
            }
            for each in others
        ],
    )


def _text(kind: str, **content: Any) -> str:
    return msgspec.json.encode({"type": kind, **content}).decode()
