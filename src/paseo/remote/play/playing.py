"""Drive through a suite or an episode yourself, in a browser."""

import asyncio
import secrets
import socket
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from websockets.asyncio.server import serve

from paseo.errors import BadValue
from paseo.listening import HIGHEST_PORT, Address, address, bound_to, listener
from paseo.planners.choices import PlannerChoice
from paseo.progress import Progress, silent
from paseo.registry.trust import remember
from paseo.remote.play.door import Door
from paseo.remote.play.drives import PERSON, Drives
from paseo.remote.play.server import Server
from paseo.remote.tokens import CLOSING_S, quiet_logger, token_of
from paseo.report.pages.template import asset, bundled, colours, framed, policy
from paseo.suite.measuring import Runs, folders_of
from paseo.suite.runners.kernels import compile_kernels
from paseo.suite.runners.preparing import check_worlds
from paseo.suite.running import run_folder
from paseo.suite.runs.imports import code_of_worlds
from paseo.suite.runs.jobs import RunPlan, jobs_of
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.suite.runs.results import Result, Summary, summaries
from paseo.suite.runs.rundir import RunDirectory

PORT = 8017
LARGEST_MESSAGE = 1024  # bytes, of a page
MOST_WAITING = 16  # messages of a page
PING = 2.0  # seconds from one look whether a page is there to the next
PONG = 4.0  # seconds in which it must answer
SCRIPTS = ("walk/codec", "walk/scene", "theme", "walk/view", "play/live", "play/wheel", "play/main")
USUAL = RunOptions()
ELSEWHERE = ("192.0.2.1", 9)  # an address of nobody's


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What people drove, and where that is."""

    folder: Path
    rounds: tuple[Path, ...]  # run directories
    results: tuple[Result, ...]

    @property
    def summaries(self) -> list[Summary]:
        """How people did."""
        return summaries(self.results)


def play(
    target: str | Path | None = None,
    *,
    host: str = "localhost",
    port: int = PORT,
    token: str | None = None,
    out: Path | str | None = None,
    options: RunOptions = USUAL,
    beside: Runs = (),
    opened: Callable[[str], None] = print,
    progress: Progress = silent,
) -> Played:
    """Serve a page on which people drive through a suite or an episode, until Ctrl-C.

    `opened` is told the page's link when it can be opened. By any `host` but this machine's own
    the link holds a token, drawn where none is given. Every drive is a record of the planner
    `person` in a run of the folder `out`, by default a new one in runs/; one that holds drives of
    the same is added to. What planners did in the runs `beside` is shown with the scores.
    """
    plan = plan_run(target, PlannerChoice(PERSON), options)
    remember(code_of_worlds(plan))
    check_worlds(plan)
    folders = folders_of(beside)
    if not 0 <= port <= HIGHEST_PORT:
        raise BadValue(
            f"port is {port}, expected a number from 0 to {HIGHEST_PORT}", parameters=("port",)
        )
    where = address(str(Address(host, port)), parameter="host")
    token = _token(where, token)
    with (
        closing(listener(where, parameter="port")) as door,
        Drives(run_folder(target, out, resume=False), plan) as drives,
    ):
        compile_kernels(lambda news: progress(news, 0, 0), (), plan.reaction)
        server = Server(
            entries=plan.episodes,
            drives=drives,
            rivals=[each for folder in folders for each in _results(folder)],
            tell=lambda news: progress(news, 0, 0),
        )
        with suppress(KeyboardInterrupt):
            link = link_to(bound_to(where, door), token)
            asyncio.run(serving(server, door_of(plan, host, token), door, lambda: opened(link)))
        return Played(folder=drives.folder, rounds=drives.rounds, results=drives.results)


async def serving(
    server: Server, door: Door, bound: socket.socket, opened: Callable[[], None]
) -> None:
    """Serve pages at a socket until cancelled; `opened` is called when they may come."""
    async with serve(
        server.handle,
        sock=bound,
        process_request=door.answer,
        max_size=LARGEST_MESSAGE,
        max_queue=MOST_WAITING,
        ping_interval=PING,
        ping_timeout=PONG,
        close_timeout=CLOSING_S,
        compression=None,  # which costs more time than it saves
        logger=quiet_logger(),
    ) as pages:
        opened()
        try:
            await pages.serve_forever()
        finally:
            await server.close()


def door_of(plan: RunPlan, host: str, token: str | None) -> Door:
    """The door to the page of a plan."""
    script = bundled(SCRIPTS)
    rules = policy(script, talk="'self'")
    style = "\n".join([colours(), asset("style.css"), asset("play/play.css")])
    parts = {
        "policy": rules,
        "title": plan.name,
        "style": style,
        "data": "{}",
        "script": script,
    }
    page = framed("play/page", kind="play", parts=parts)
    return Door(page=page, policy=rules, host=host, token=token)


def link_to(where: Address, token: str | None) -> str:
    """The link to the page, as another machine may follow it too."""
    host = _reachable() if where.host in ("0.0.0.0", "::") else where.host
    query = f"?{urlencode({'token': token})}" if token else ""
    return f"http://{Address(host, where.port)}/{query}"


def _token(where: Address, token: str | None) -> str | None:
    if token is None and not where.is_loopback:
        return secrets.token_urlsafe(12)
    return token_of(token, {})


def _reachable() -> str:
    """The address of this machine where others are; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(ELSEWHERE)
        except OSError:
            return "localhost"
        return str(probe.getsockname()[0])


def _results(folder: Path) -> list[Result]:
    directory = RunDirectory(folder)
    jobs = jobs_of(directory.plan())
    found = directory.finished(jobs)
    return [found[job.key] for job in jobs if job.key in found]
