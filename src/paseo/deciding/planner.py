"""The planner `vlm`: a model is shown where the robot could go, and what it chooses is followed."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np

from paseo.deciding.choosing import Chooser, Choosing, Occasion
from paseo.deciding.decisions import Decision, decision_line
from paseo.deciding.following import driven, twist_to
from paseo.deciding.history import History
from paseo.deciding.ledger import Allowance
from paseo.deciding.reaching import Reach
from paseo.deciding.replies import AskingLimits, Replies, SharedReplies
from paseo.deciding.thinking import Instead
from paseo.deciding.words import Think, View
from paseo.errors import BadValue, CannotGoOn, PaseoError
from paseo.vlm.making import make_model, model_class
from paseo.vlm.models import ModelSettings, VisionModel
from paseo.vlm.prices import read_prices
from paseo.vqa.exam.budget import Budget, Caps
from paseo.vqa.exam.estimates import NOTHING
from paseo.vqa.exam.sessions import KeyOf, key_maker
from paseo.vqa.waypoints.candidates import LETTERS
from paseo.world.motion import Command, Control, Pose, Twist
from paseo.world.planning import MOST_NOTED, Briefing, Observation, RunPlace

STORE = "replies.sqlite"  # in the folder of the run
EARLY = 1e-6  # seconds
PLAN = 10.0  # seconds of commands that `upcoming` tells at most


@dataclass
class Vlm:
    """Asks `model` every `every_s` seconds which waypoint to go to, and goes there.

    `think` says what is answered before, `view` what is shown. Replies are kept in `store`, by
    default the run's `replies.sqlite`; without a run and a store they are kept in memory only.
    """

    control: ClassVar[Control] = Control.VELOCITY
    looks: ClassVar[bool] = True

    model: str = "scripted/nearest"
    task: Literal["waypoints"] = "waypoints"
    every_s: float = 1.0
    think: Think = Think.NONE
    view: View = View.PICTURE
    horizon_s: float = 2.0
    candidates: int = 9
    store: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    timeout_s: float = 50.0  # below the limit at which a silent planner is killed
    retries: int = 5

    def __post_init__(self) -> None:
        model_class(self.model)  # which says what is wrong with the name
        for name, least, most in (
            ("every_s", 0.05, 3600.0), ("horizon_s", 0.5, 30.0),
            ("candidates", 2, len(LETTERS)), ("timeout_s", 0.1, 3600.0), ("retries", 0, 100),
        ):  # fmt: skip
            if not least <= getattr(self, name) <= most:
                raise BadValue(
                    f"planner 'vlm': {name} is {getattr(self, name):g}, expected {least:g} to "
                    f"{most:g}"
                )
        self._place: RunPlace | None = None
        self._replies: Replies | None = None
        self._remembered: dict[bytes, Occasion] = {}  # of drives that are made again

    def keep_in(self, place: RunPlace) -> None:
        """Keep replies in the folder of the run, and within what it may use."""
        self._place = place

    def answer_by(self, replies: Replies) -> None:
        """Have these replies instead of the model's own, in drives that are made again."""
        self._replies = replies

    def reply_key(self, model: str) -> KeyOf:
        """What replies of a model with these settings are kept under."""
        return key_maker(model, self._settings.deciding)

    @property
    def _settings(self) -> ModelSettings:
        return ModelSettings(
            temperature=self.temperature, max_tokens=self.max_tokens, timeout_s=self.timeout_s
        )

    def begin(self, briefing: Briefing) -> None:
        """Prepare the ways around walls, and open the store."""
        self._briefing = briefing
        self._history = History(briefing.camera)
        self._reach = Reach(briefing, self.horizon_s)
        self._target: Pose | None = None
        self._speed = 0.0
        self._next, self._number, self._took = 0.0, 0, 0.0
        self._notes: list[Decision] = []
        self._retraced: Sequence[Decision] = ()
        self._instead: Instead | None = None
        if self._replies is None:
            with _going_on():
                self._replies = self._shared()
        self._chooser = Chooser(
            self._reach,
            self._replies,
            Choosing(
                think=self.think,
                view=self.view,
                candidates=self.candidates,
                horizon=self.horizon_s,
            ),
            briefing,
            self._remembered,
        )

    def plan(self, observation: Observation) -> Command:
        """Ask where it is time to, then go on to the place that was chosen."""
        self._took = 0.0
        self._history.add(observation)
        if observation.time >= self._next - EARLY:
            self._history.now(observation)
            self._decide(observation)
        self._pose = observation.robot.pose
        twist = self._twist(self._pose)
        if self._briefing.control is Control.VELOCITY:
            return twist
        return _moved(self._pose, twist, self._briefing.dt)

    def retrace(self, decisions: Sequence[Decision], instead: Instead) -> None:
        """After `begin`: decide as noted up to where the model is told other answers than its own.

        Up to there nobody is asked, and time passes as it did.
        """
        self._retraced, self._instead = decisions[: instead.since], instead

    def upcoming(self) -> Sequence[Command]:
        """The way to the place that was chosen; then the robot stands."""
        dt, robot = self._briefing.dt, self._briefing.robot
        steps = math.ceil(PLAN / dt)
        if self._target is None:
            here: Command = self._pose
            still: Command = Twist(0.0, 0.0)
            stays = still if self._briefing.control is Control.VELOCITY else here
            return [stays] * steps
        way = list(driven(self._pose, self._target, self._speed, robot, dt=dt, steps=steps + 1))[1:]
        if self._briefing.control is Control.VELOCITY:
            return [twist for twist, _ in way]
        return [pose for _, pose in way]

    def thought_s(self) -> float:
        """What the replies took that the last answer waited for; nothing where it asked nobody."""
        return self._took

    def decisions(self) -> bytes:
        """A line for each decision of the episode, as far as there is room for them."""
        noted = bytearray()
        for line in map(decision_line, self._notes):
            if len(noted) + len(line) > MOST_NOTED:
                break
            noted += line
        return bytes(noted)

    def _decide(self, observation: Observation) -> None:
        if self._number < len(self._retraced):
            decision = self._retraced[self._number]
        else:
            decision = self._decision(observation)
        place = decision.place
        self._took = decision.latency_s
        self._number += 1
        self._next = observation.time + self.every_s
        self._target = None
        self._speed = 0.0
        if place is not None and place.speed_mps > 0:
            self._target, self._speed = Pose(place.x_m, place.y_m), place.speed_mps
        self._notes.append(decision)

    def _decision(self, observation: Observation) -> Decision:
        with _going_on():
            # Of each decision its own, so that one can be made again alone.
            rng = np.random.default_rng((self._briefing.seed, self._number))
            number, instead = self._number, self._instead
            return self._chooser.choose(observation, self._history, rng, number, instead)

    def _twist(self, pose: Pose) -> Twist:
        if self._target is None:
            return Twist(0.0, 0.0)
        return twist_to(pose, self._target, self._speed, self._briefing.robot, self._briefing.dt)

    def _shared(self) -> SharedReplies:
        place = self._place
        path = Path(self.store) if self.store else place.folder / STORE if place else None
        caps = Caps(usd=place.max_usd, tokens=place.max_tokens_total) if place else Caps()
        price = read_prices().of(self.model)
        Budget(caps, price=price, estimate=NOTHING)  # which says if the price must be known
        return SharedReplies(
            _model(self.model, self._settings),
            reference=self.model,
            key=self.reply_key(self.model),
            path=path,
            allowance=Allowance(
                caps=caps, price=price, per_minute=place.rate_limit_rpm if place else None
            ),
            limits=AskingLimits(retries=self.retries, timeout_s=self.timeout_s),
        )


def _model(reference: str, settings: ModelSettings) -> VisionModel:
    """A model; of those that take long to load one for all episodes of this process.

    Models keep nothing from prompt to prompt, but what is in a file of somebody's own is made anew.
    """
    if not reference.startswith("local/"):
        return make_model(reference, settings)
    name = f"{reference} {settings}"
    if name not in _LOADED:
        _LOADED[name] = make_model(reference, settings)
    return _LOADED[name]


_LOADED: dict[str, VisionModel] = {}


@contextmanager
def _going_on() -> Iterator[None]:
    """What is wrong with a store, a key or a price is no failure of the one who drives."""
    try:
        yield
    except CannotGoOn:
        raise
    except PaseoError as error:
        raise CannotGoOn(str(error), parameters=error.parameters) from error


def _moved(pose: Pose, twist: Twist, dt: float) -> Pose:
    middle = pose.heading + 0.5 * twist.turn * dt
    return Pose(
        pose.x + twist.forward * dt * math.cos(middle),
        pose.y + twist.forward * dt * math.sin(middle),
        pose.heading + twist.turn * dt,
    )
