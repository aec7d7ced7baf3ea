"""One episode with a Joystick client at the wheel."""

from collections.abc import Callable
from dataclasses import dataclass

from paseo.remote.clients import ClientFailed, ClientSilent, driven_record
from paseo.remote.joystick.session import Client
from paseo.remote.joystick.states import States, first_state, next_state
from paseo.remote.joystick.telling import ENDINGS, Telling
from paseo.remote.joystick.wheel import Asking, clock_for
from paseo.sim.episode import EpisodeRun
from paseo.sim.simulate import kept_by
from paseo.world.clocks import Timekeeping
from paseo.world.records import Outcome, Provenance, Record
from paseo.world.scenarios import Scenario


@dataclass(frozen=True, slots=True)
class Drive:
    """What came of an episode."""

    record: Record
    charged: tuple[float, ...] | None  # seconds for each command, where they were measured


def driven(
    client: Client,
    world: Scenario,
    provenance: Callable[[], Provenance],
    *,
    states: States,
    timekeeping: Timekeeping,
) -> Drive:
    """One episode with the client at the wheel; `provenance` is asked for when it has its name.

    `ClientGone` if the client was not there for its beginning.
    """
    run, telling = EpisodeRun(world, client.control), Telling(world, states)
    asking = Asking(client, telling, world, first_state(run.observation))
    clock = clock_for(asking, timekeeping)
    client.announce(telling.metadata(asking.state))
    failure: ClientFailed | None = None
    made: Provenance | None = None
    try:
        client.await_ready()
        made = provenance()
        clock.begin(world.dt)
        while run.ending() is None:
            before = run.observation
            run.advance(clock.command(before, asking))
            asking.state = next_state(asking.state, before, run.observation, world.dt)
    except ClientFailed as failed:
        failure = failed
    ending = telling.termination(ENDINGS[run.ending() or Outcome.PLANNER_FAILED], asking.state)
    client.farewell(ending, silent=isinstance(failure, ClientSilent))
    record = driven_record(run, kept_by(timekeeping, made or provenance()), failure, client.limit)
    return Drive(record, tuple(clock.charged) if timekeeping.is_measured else None)
