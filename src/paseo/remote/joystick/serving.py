"""SocNavBench's Joystick server: its clients, unmodified, drive Paseo's robot."""

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import scenario
from paseo.errors import BadValue, InputError
from paseo.planners.choices import PlannerChoice
from paseo.progress import Progress, silent
from paseo.remote.joystick.inbox import Inbox, check_length
from paseo.remote.joystick.session import (
    NAMELESS,
    Client,
    ClientFailed,
    ClientGone,
    ClientSilent,
    one_step,
)
from paseo.remote.joystick.states import State, first_state, next_state
from paseo.remote.joystick.telling import ENDINGS, Telling, termination_text, wire_map
from paseo.remote.logbook import Logbook
from paseo.sim.episode import EpisodeRun
from paseo.suite.runners.carrying_out import lost_record
from paseo.suite.runners.preparing import check_worlds
from paseo.suite.running import EPISODE, Run, RunStopped, run_folder
from paseo.suite.runs.jobs import RunPlan
from paseo.suite.runs.planning import RunOptions, decided, plan_run
from paseo.suite.runs.rundir import RunDirectory
from paseo.world.motion import Command, Control
from paseo.world.records import Outcome, Provenance, Record
from paseo.world.scenarios import Scenario

RECEIVE = Path("/tmp/socnavbench_joystick_recv")  # where the original's clients connect
SEND = Path("/tmp/socnavbench_joystick_send")  # where they listen
WAIT_S = 600.0
LAST_WORD = 0.1  # seconds
LONGEST_WAIT = 1e9  # seconds, which is all that locks can count
USUAL = RunOptions()


def serve(
    target: str | Path | None = None,
    *,
    receive: Path | str = RECEIVE,
    send: Path | str = SEND,
    out: Path | str | None = None,
    options: RunOptions = USUAL,
    wait_s: float = WAIT_S,
    resume: bool = False,
    progress: Progress = silent,
) -> Run:
    """Let a client of SocNavBench's Joystick protocol drive through a suite or an episode.

    Time waits for the client. Every episode becomes a record in the folder `out`, by default a new
    one in runs/, under the name the client gives itself. `options` are those of `run`; the control
    is by position unless they or the suite say otherwise, and a client that sends no command for
    their `hang_limit_s` has failed. One that does not listen any more is replaced by the next who
    comes within `wait_s`; with `resume` the rest of a run in `out` is served.
    """
    receive, send = _paths(receive, send)
    if not 0 <= wait_s <= LONGEST_WAIT:
        raise BadValue(
            f"wait_s is {wait_s}, expected seconds from 0 to {LONGEST_WAIT:g}",
            parameters=("wait_s",),
        )
    plan = _asked(target, options, resume)
    with RunDirectory(run_folder(target, out, resume)) as directory, Inbox(receive) as inbox:
        if plan is None:
            plan = directory.reopen()
        else:
            directory.create(plan)
        book = Logbook(directory, plan)
        client = Client(
            inbox=inbox,
            send=send,
            control=plan.control or Control.POSITION,
            limit=min(plan.choices.settings.hang_limit_s, LONGEST_WAIT),
            tell=lambda news: progress(news, 0, 0),
        )
        try:
            while book.left:
                _await_client(client, receive, wait_s)
                _served(client, book, progress)
            time.sleep(LAST_WORD)  # some say one more, and must not find the door shut
        except KeyboardInterrupt as stop:
            raise RunStopped(directory.folder) from stop
        finally:
            run = book.closed()
    return run


def _paths(receive: Path | str, send: Path | str) -> tuple[Path, Path]:
    receive, send = Path(receive), Path(send)
    if receive == send:
        raise BadValue(
            f"receive and send are both {send}, expected two paths", parameters=("receive", "send")
        )
    check_length(receive, "receive")
    check_length(send, "send")
    return receive, send


def _asked(target: str | Path | None, options: RunOptions, resume: bool) -> RunPlan | None:
    """The plan of a new run; None where an old one is resumed."""
    if resume:
        given = [*(["target"] if target is not None else []), *decided(options)]
        if given:
            raise InputError(
                f"{', '.join(given)} would change the run that resume is to finish; omit that",
                parameters=(*given, "resume"),
            )
        return None
    plan = plan_run(target, PlannerChoice(NAMELESS), options)
    check_worlds(plan)
    for entry in plan.episodes:
        wire_map(DataFolder(plan.data).floorplan(entry.map))
    return replace(plan, control=plan.control or Control.POSITION)


def _await_client(client: Client, receive: Path, wait_s: float) -> None:
    client.tell(f"waiting for a client at {receive}")
    if not client.inbox.called.wait(wait_s):
        raise ClientGone(
            f"no client has come to {receive} within {wait_s:g} s; start one, and serve what is "
            "left with resume",
            parameters=("resume",),
        )


def _served(client: Client, book: Logbook, progress: Progress) -> None:
    """Serve one client until nothing is left to do, or it is gone."""
    total = len(book.jobs)
    with closing(client):
        try:
            client.greet([job.episode.name for job in book.left])
            progress(EPISODE, total - len(book.left), total)
            for job in book.left:
                world = scenario(job.episode, job.choices, DataFolder(job.data), seed=job.seed)
                record = driven(client, world, lambda: _provenance(client, book))
                result = book.keep(job, record, client.waits)
                if record.outcome is Outcome.PLANNER_FAILED:
                    client.tell(f"{result.episode}: {record.reason}")
                progress(EPISODE, total - len(book.left), total)
                client.check_there()
        except ClientGone as gone:
            client.tell(f"the client is gone: {gone}")
            client.inbox.forget()


def _provenance(client: Client, book: Logbook) -> Provenance:
    if client.name is not None:
        book.call(client.name)
    return book.provenance(client.control)


def driven(client: Client, world: Scenario, provenance: Callable[[], Provenance]) -> Record:
    """One episode with the client at the wheel; `provenance` is asked for when it has its name.

    `ClientGone` if the client was not there for its beginning.
    """
    run, telling = EpisodeRun(world, client.control), Telling(world)
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
    client.farewell(termination_text(ending, state.time), silent=isinstance(failure, ClientSilent))
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
