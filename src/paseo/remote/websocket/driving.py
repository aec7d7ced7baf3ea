"""A planner of Paseo as a client: as in process, but its world is on the other side of a socket."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from typing import TypeVar

from msgspec import structs

from paseo.errors import InputError, PaseoError, PlannerFailed
from paseo.listening import address as read_address
from paseo.planners.choices import PlannerChoice, make_planner
from paseo.planners.names import is_reference
from paseo.progress import Progress, silent
from paseo.registry.modules import forget_files
from paseo.remote import client
from paseo.remote.websocket.encoding import Codec, Encoding, Unreadable, client_codec
from paseo.remote.websocket.messages import (
    LONGEST_WORDS,
    VERSION,
    Abandon,
    Done,
    EndedTold,
    EpisodeTold,
    ErrorTold,
    Hello,
    MapTold,
    Next,
    ObservationTold,
    PlannerSaid,
    PoseSaid,
    Ready,
    Said,
    Told,
    TwistSaid,
    Welcome,
)
from paseo.remote.websocket.telling import (
    briefing_of,
    command_said,
    floor_plan_of,
    observation_of,
    upcoming_said,
)
from paseo.sim.driving import checked
from paseo.sim.simulate import without_addresses
from paseo.suite.runners.kernels import warm
from paseo.suite.runners.preparing import provenance_of
from paseo.suite.runners.watching import LatePlanner
from paseo.suite.running import EPISODE
from paseo.suite.runs.planning import NamedPlanner, named_planners
from paseo.text import error_words
from paseo.world.cameras import RgbdImage
from paseo.world.motion import Command, Control
from paseo.world.planning import Observation, Planner, upcoming
from paseo.world.space.floorplan import FloorPlan

A = TypeVar("A")

PATIENCE_S = 60.0  # without any sign of life of the server


class ServerGone(PaseoError):
    """The server does not answer any more."""


class ServerRefused(InputError):
    """The server cannot use what was said."""


def drive(
    planner: NamedPlanner,
    connect: str,
    *,
    token: str | None = None,
    control: Control | None = None,
    encoding: Encoding = Encoding.JSON,
    episode: str | None = None,
    progress: Progress = silent,
) -> list[EndedTold]:
    """Drive the episodes of a server at HOST:PORT by a planner, or only the one of this name.

    Several at once share the episodes. The records are those of `run`, but for how the robot was
    driven.
    """
    where = read_address(connect, parameter="connect")
    choice = _one(planner)
    made = provenance_of(choice, control)
    said = PlannerSaid(
        reference=made.planner,
        parameters=dict(made.parameters),
        sha256=made.planner_hash or None,
    )
    hello = Hello(
        version=VERSION, client=choice.label, token=token, control=made.control, planner=said
    )
    warm(choice, made.control)
    with _connected(str(where), encoding) as server:
        server.welcome(hello)
        found: list[EndedTold] = []
        while (told := server.dealt(episode)) is not None:
            progress(EPISODE, len(found), server.left)
            found.append(_driven(server, told, LatePlanner(lambda: make_planner(choice))))
            if episode is not None:
                break
    return found


@dataclass(slots=True, eq=False)
class Server:
    """The other end, as a worker sees it."""

    connection: client.WebSocket
    codec: Codec[Told]
    plans: dict[str, FloorPlan] = field(default_factory=dict)
    left: int = 0  # episodes
    wants_upcoming: bool = False

    def say(self, message: Said) -> None:
        """Send one message."""
        kind = client.TEXT if self.codec.is_text else client.BINARY
        self.connection.send(self.codec.written(message), kind)

    def hear(self) -> Told:
        """The next message that is neither a map, which is kept, nor an error, which is raised."""
        while True:
            told = self.codec.read(self.connection.receive())
            if isinstance(told, Unreadable):
                raise ServerGone(f"the server cannot be understood: {told.fault}")
            if isinstance(told, ErrorTold):
                raise ServerRefused(f"the server says: {told.sentence}")
            if not isinstance(told, MapTold):
                return told
            self.plans[told.map] = floor_plan_of(told)

    def welcome(self, hello: Hello) -> None:
        """Greet, and hear what there is to do."""
        self.say(hello)
        told = self.hear()
        assert isinstance(told, Welcome)
        self.left, self.wants_upcoming = told.left, told.wants_upcoming

    def dealt(self, episode: str | None) -> EpisodeTold | None:
        """The next episode; None where none is left."""
        self.say(Next(episode=episode))
        told = self.hear()
        assert isinstance(told, EpisodeTold | Done)
        return told if isinstance(told, EpisodeTold) else None


@contextmanager
def _connected(address: str, encoding: Encoding) -> Iterator[Server]:
    try:
        connection = client.WebSocket(address, encoding.subprotocol, PATIENCE_S)
    except client.Refused as error:
        raise ServerRefused(str(error)) from error
    except (client.Closed, OSError) as error:
        raise ServerGone(f"no server answers at {address} ({error}); start paseo serve") from error
    try:
        yield Server(connection, client_codec(encoding))
    except client.Closed as error:
        raise ServerGone(f"{address}: {error}") from error
    finally:
        connection.close()


def _one(planner: NamedPlanner) -> PlannerChoice:
    choices = named_planners(planner)
    if len(choices) != 1:
        raise InputError(
            f"a worker drives one planner, not {len(choices)}; start one for each",
            parameters=("planner",),
        )
    if is_reference(choices[0].reference):
        raise InputError(
            f"'{choices[0].label}' follows a recorded walk, which only paseo run knows; name "
            "another planner"
        )
    return choices[0]


def _driven(server: Server, told: EpisodeTold, planner: Planner) -> EndedTold:
    """One episode; a planner that raises gives it up in the words of a run in process."""
    forget_files()  # what the episode before left in them
    briefing = briefing_of(told, copy(server.plans[told.map]))
    try:
        _asked("begin()", lambda: planner.begin(briefing))
        server.say(Ready())
        image: RgbdImage | None = None
        while isinstance(now := server.hear(), ObservationTold):
            observation = observation_of(now, told.robot.radius_m, image)
            image = observation.image
            said = _answer(planner, observation, server.wants_upcoming)
            server.say(structs.replace(said, step=now.step))
    except PlannerFailed as failed:
        server.say(Abandon(reason=without_addresses(str(failed))[:LONGEST_WORDS]))
        while isinstance(now := server.hear(), ObservationTold):
            pass
    assert isinstance(now, EndedTold)
    return now


def _answer(
    planner: Planner, observation: Observation, wants_upcoming: bool
) -> TwistSaid | PoseSaid:
    begun = time.monotonic()
    said = command_said(_asked("plan()", lambda: checked(planner.plan(observation))))
    taken = time.monotonic() - begun
    plan = _asked("upcoming()", lambda: _upcoming(planner)) if wants_upcoming else None
    return structs.replace(said, thinking_s=taken, upcoming=upcoming_said(plan))


def _upcoming(planner: Planner) -> tuple[Command, ...] | None:
    plan = upcoming(planner)
    return None if plan is None else tuple(checked(each, "upcoming()") for each in plan)


def _asked(what: str, ask: Callable[[], A]) -> A:
    """What a planner answers; `PlannerFailed` says what it did instead."""
    try:
        return ask()
    except (PlannerFailed, KeyboardInterrupt):
        raise
    except BaseException as error:  # also sys.exit and panics of compiled planners
        raise PlannerFailed(f"{what} raised {error_words(error)}") from error
