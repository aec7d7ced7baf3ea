"""SocNavBench's Joystick server: its clients, unmodified, drive Paseo's robot."""

import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from paseo.data.store.locations import DataFolder
from paseo.errors import BadValue, InputError
from paseo.progress import Progress, silent
from paseo.registry.trust import Consent, only_known
from paseo.remote.clients import WAIT_S
from paseo.remote.joystick.driving import driven
from paseo.remote.joystick.inbox import Inbox, check_length
from paseo.remote.joystick.session import NAMELESS, Client, ClientGone
from paseo.remote.joystick.states import States
from paseo.remote.joystick.telling import wire_map
from paseo.remote.logbook import Logbook, asked_plan, begun
from paseo.suite.running import EPISODE, Run, RunStopped, run_folder
from paseo.suite.runs.jobs import RunPlan, world_of
from paseo.suite.runs.planning import RunOptions
from paseo.suite.runs.rundir import RunDirectory
from paseo.world.clocks import ClockName, Late, named
from paseo.world.motion import Control
from paseo.world.recordfile import load_record
from paseo.world.records import Outcome, Provenance

RECEIVE = Path("/tmp/socnavbench_joystick_recv")  # where the original's clients connect
SEND = Path("/tmp/socnavbench_joystick_send")  # where they listen
LAST_WORD = 0.1  # seconds
LONGEST_WAIT = 1e9  # seconds, which is all that locks can count
USUAL = RunOptions()
TRANSPORTS = {States.ORIGINAL: "joystick", States.EXACT: "joystick-exact"}


def serve(
    target: str | Path | None = None,
    *,
    receive: Path | str = RECEIVE,
    send: Path | str = SEND,
    out: Path | str | None = None,
    options: RunOptions = USUAL,
    states: States | str | None = None,
    wait_s: float = WAIT_S,
    resume: bool = False,
    progress: Progress = silent,
    trust: Consent = only_known,
) -> Run:
    """Let a client of SocNavBench's Joystick protocol drive through a suite or an episode.

    Time waits for the client, unless `options`, which are those of `run`, choose another clock.
    Every episode becomes a record in the folder `out`, by default a new one in runs/, under the
    name the client gives itself. The control is by position unless `options` or the suite say
    otherwise, and a client that sends no command for their `hang_limit_s` has failed. `states` are
    by default the original's, in which people are one step late. A client that does not listen any
    more is replaced by the next who comes within `wait_s`; with `resume` the rest of a run in `out`
    is served. `trust` is asked before code is imported that only such a run names.
    """
    receive, send = _paths(receive, send)
    _check_wait(wait_s)
    states = None if states is None else named(States, states, "states")
    asked = _asked(target, options, resume)
    with RunDirectory(run_folder(target, out, resume)) as directory, Inbox(receive) as inbox:
        plan = begun(directory, asked, trust)
        states = _states(directory, states)
        book = Logbook(directory, plan, transport=TRANSPORTS[states])
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
                _served(client, book, states, progress)
            time.sleep(LAST_WORD)  # some say one more, and must not find the door shut
        except KeyboardInterrupt as stop:
            raise RunStopped(directory.folder) from stop
        finally:
            run = book.closed()
    return run


def _check_wait(wait_s: float) -> None:
    if not 0 <= wait_s <= LONGEST_WAIT:
        raise BadValue(
            f"wait_s is {wait_s}, expected seconds from 0 to {LONGEST_WAIT:g}",
            parameters=("wait_s",),
        )


def _paths(receive: Path | str, send: Path | str) -> tuple[Path, Path]:
    receive, send = Path(receive), Path(send)
    if receive == send:
        raise BadValue(
            f"receive and send are both {send}, expected two paths", parameters=("receive", "send")
        )
    check_length(receive, "receive")
    check_length(send, "send")
    if not send.parent.is_dir():
        raise InputError(
            f"{send}: no client can listen there, for {send.parent} is no folder; choose another "
            "send",
            parameters=("send",),
        )
    return receive, send


def _asked(target: str | Path | None, options: RunOptions, resume: bool) -> RunPlan | None:
    """The plan of a new run; None where an old one is resumed."""
    if options.replay_latency is not None:
        raise InputError(
            "replay_latency charges planners in process again; rerun repeats a served record",
            parameters=("replay_latency",),
        )
    if options.clock == ClockName.ASYNC and options.late is None:
        options = replace(options, late=Late.THERE)  # a position that was said is a place
    plan = asked_plan(target, options, resume=resume, nobody=NAMELESS)
    if plan is None:
        return None
    for entry in plan.episodes:
        wire_map(DataFolder(plan.data).floorplan(entry.map))
    return replace(plan, control=plan.control or Control.POSITION)


def _states(directory: RunDirectory, asked: States | None) -> States:
    """Those of the records in the directory, of which all must be alike; else as asked for."""
    for record in sorted(directory.records.glob("*.npz"))[:1]:
        transport = load_record(record).provenance.transport
        found = next((each for each, name in TRANSPORTS.items() if name == transport), None)
        if found is None or asked not in (None, found):
            raise InputError(
                f"{directory.folder}: its records were driven over '{transport}', not over "
                f"'{TRANSPORTS[asked or States.ORIGINAL]}'; choose another out, or the same states",
                parameters=("out", "states"),
            )
        return found
    return asked or States.ORIGINAL


def _await_client(client: Client, receive: Path, wait_s: float) -> None:
    client.tell(f"waiting for a client at {receive}")
    if not client.inbox.called.wait(wait_s):
        raise ClientGone(
            f"no client has come to {receive} within {wait_s:g} s; start one, and serve what is "
            "left with resume",
            parameters=("resume",),
        )


def _served(client: Client, book: Logbook, states: States, progress: Progress) -> None:
    """Serve one client until nothing is left to do, or it is gone."""
    total = len(book.jobs)
    with closing(client):
        try:
            client.greet([job.episode.name for job in book.left])
            progress(EPISODE, total - len(book.left), total)
            for job in book.left:
                world = world_of(job)
                drive = driven(
                    client,
                    world,
                    lambda: _provenance(client, book),
                    states=states,
                    timekeeping=job.timekeeping,
                )
                result = book.keep(job, drive.record, client.waits, charged=drive.charged)
                if drive.record.outcome is Outcome.PLANNER_FAILED:
                    client.tell(f"{result.episode}: {drive.record.reason}")
                progress(EPISODE, total - len(book.left), total)
                client.check_there()
        except ClientGone as gone:
            client.tell(f"the client is gone: {gone}")
            client.inbox.forget()


def _provenance(client: Client, book: Logbook) -> Provenance:
    if client.name is not None:
        book.call(client.name)
    return book.provenance(client.control)
