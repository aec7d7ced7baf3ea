"""One episode with a Joystick client at the wheel."""

from collections.abc import Callable
from functools import partial

from paseo.remote.joystick.session import Client, ClientFailed, ClientSilent, one_step
from paseo.remote.joystick.states import State, States, first_state, next_state
from paseo.remote.joystick.telling import ENDINGS, Telling
from paseo.sim.episode import EpisodeRun
from paseo.suite.runners.carrying_out import lost_record
from paseo.world.motion import Command
from paseo.world.records import Outcome, Provenance, Record
from paseo.world.scenarios import Scenario


def driven(
    client: Client, world: Scenario, provenance: Callable[[], Provenance], states: States
) -> Record:
    """One episode with the client at the wheel; `provenance` is asked for when it has its name.

    `ClientGone` if the client was not there for its beginning.
    """
    run, telling = EpisodeRun(world, client.control), Telling(world, states)
    state = first_state(run.observation)
    client.announce(telling.metadata(state))
    failure: ClientFailed | None = None
    made: Provenance | None = None
    try:
        client.await_ready()
        made = provenance()
        while run.ending() is None:
            commands = client.command(partial(telling.state, state))
            command = one_step(commands, state.robot.pose, world.robot, world.dt)
            state = _after(run, state, command, world.dt)
    except ClientFailed as failed:
        failure = failed
    ending = ENDINGS[run.ending() or Outcome.PLANNER_FAILED]
    client.farewell(telling.termination(ending, state), silent=isinstance(failure, ClientSilent))
    return _record(run, made or provenance(), failure, client.limit)


def _after(run: EpisodeRun, state: State, command: Command, dt: float) -> State:
    before = run.observation
    run.advance(command)
    return next_state(state, before, run.observation, dt)


def _record(
    run: EpisodeRun, provenance: Provenance, failure: ClientFailed | None, limit: float
) -> Record:
    if failure is None:
        return run.record(provenance)
    record = run.record(provenance, failure=f"{failure} after {run.snapshot.time:.2f} s")
    if isinstance(failure, ClientSilent):
        return lost_record(record, f"the client was given {limit:g} s for each command")
    return record
