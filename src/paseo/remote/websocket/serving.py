"""A server of Paseo's own protocol: many clients at once, over WebSocket, into one run."""

import asyncio
import socket
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from pathlib import Path

from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_sockets
from websockets.http11 import Request, Response
from websockets.typing import Subprotocol

from paseo.data.store.locations import DataFolder
from paseo.errors import BadValue, PaseoError
from paseo.listening import Address, address, bound_to, listener
from paseo.progress import Progress, silent
from paseo.registry.trust import Consent, only_known
from paseo.remote.clients import WAIT_S
from paseo.remote.logbook import Logbook, asked_plan, begun
from paseo.remote.tokens import CLOSING_S, check_token, is_local_origin, quiet_logger
from paseo.remote.websocket.encoding import Encoding
from paseo.remote.websocket.hosting import Host
from paseo.remote.websocket.messages import LONGEST_SAID
from paseo.remote.websocket.sharing import TRANSPORT, Sharing
from paseo.remote.websocket.telling import check_sights, map_told
from paseo.suite.runners.kernels import compile_kernels
from paseo.suite.running import Run, RunStopped, prepare_camera, run_folder
from paseo.suite.runs.jobs import RunPlan
from paseo.suite.runs.planning import RunOptions
from paseo.suite.runs.rundir import RunDirectory

NOBODY = "nobody"  # whose run it is until the first result
OPENING_S = 10.0  # in which somebody who connects must have become a WebSocket client
LAST_WORD = 5.0  # seconds in which clients may ask for more, and hear that there is none
KEEPALIVE_S = 20.0
MOST_WAITING = 64  # messages of a client; it then waits until they are read
MOST_THREADS = 256
USUAL = RunOptions()

Opened = Callable[[Address], None]


class NobodyCame(PaseoError):
    """No client has been there for too long, and something is left to do."""


def serve(
    target: str | Path | None = None,
    *,
    listen: Address | str,
    token: str | None = None,
    out: Path | str | None = None,
    options: RunOptions = USUAL,
    wait_s: float = WAIT_S,
    resume: bool = False,
    progress: Progress = silent,
    trust: Consent = only_known,
    opened: Opened = lambda where: None,
) -> Run:
    """Let clients of Paseo's protocol drive through a suite or an episode, many at once.

    Those of one name share its episodes, each driving one at a time; each name is a row of its
    own. Every episode becomes a record in the folder `out`, by default a new one in runs/, the
    moment it ends. `options` are those of `run`; a client silent for their `hang_limit_s` has
    failed, and what one leaves unfinished whose connection is lost is given to the next. Where
    nobody is there for `wait_s`, the run is left to be resumed. `opened` is told the address, in
    which port 0 has become one that was free. Anywhere but on this machine a `token` is needed.
    `trust` is asked before code is imported that only a run to be resumed names.
    """
    where = listen if isinstance(listen, Address) else address(listen)
    check_token(where, token)
    if not wait_s >= 0:
        raise BadValue(f"wait_s is {wait_s}, expected 0 s or more", parameters=("wait_s",))
    asked = asked_plan(target, options, resume=resume, nobody=NOBODY)
    if asked is not None:
        _check_tellable(asked)
    with RunDirectory(run_folder(target, out, resume)) as directory, listener(where) as door:
        plan = begun(directory, asked, trust)
        prepare_camera(plan, progress)
        compile_kernels(lambda news: progress(news, 0, 0), (), plan.reaction)
        book = Logbook(directory, plan, transport=TRANSPORT)
        host = Host(
            book=book,
            sharing=Sharing(book, plan.control),
            token=token,
            limit=plan.choices.settings.hang_limit_s,
            progress=progress,
        )
        where = bound_to(where, door)
        try:
            asyncio.run(_served(host, door, where, wait_s, opened))
        except KeyboardInterrupt as stop:
            raise RunStopped(directory.folder) from stop
        finally:
            run = book.closed()
    return run


def _check_tellable(plan: RunPlan) -> None:
    """Raise where a map or a picture would be too large for a message."""
    check_sights(plan.sights)
    for entry in plan.episodes:
        map_told(DataFolder(plan.data).floorplan(entry.map))


async def _served(
    host: Host, door: socket.socket, where: Address, wait_s: float, opened: Opened
) -> None:
    """Serve whoever comes until all is driven, or nobody is there for too long."""
    sockets = await serve_sockets(
        host.handle,
        sock=door,
        process_request=lambda connection, request: _turned_away(host, connection, request),
        subprotocols=None,
        select_subprotocol=_subprotocol,
        compression=None,
        open_timeout=OPENING_S,
        close_timeout=CLOSING_S,
        ping_interval=KEEPALIVE_S,
        ping_timeout=2 * host.limit + KEEPALIVE_S,  # who thinks need not answer meanwhile
        max_size=LONGEST_SAID,
        max_queue=MOST_WAITING,
        server_header=None,
        logger=quiet_logger(),
    )
    # Where time does not wait for clients, each world that is driven steps in a thread.
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(MOST_THREADS))
    opened(where)
    host.log(f"waiting for clients at ws://{where}")
    try:
        await _until_finished(host, where, wait_s)
        if host.here:
            await asyncio.wait(host.here, timeout=LAST_WORD)
    finally:
        host.is_closing = True
        sockets.close()
        await sockets.wait_closed()


async def _until_finished(host: Host, where: Address, wait_s: float) -> None:
    while not host.sharing.is_finished:
        changed = host.changed
        try:
            async with asyncio.timeout(None if host.here else wait_s):
                await changed.wait()
        except TimeoutError as error:
            raise NobodyCame(
                f"no client has come to {where} within {wait_s:g} s; start one, and serve what is "
                "left with resume",
                parameters=("resume",),
            ) from error
        if host.failure is not None:
            raise host.failure


def _turned_away(host: Host, connection: ServerConnection, request: Request) -> Response | None:
    """An answer to those who cannot become clients."""
    upgrade = request.headers.get("Upgrade", "")
    if upgrade.lower() != "websocket":
        host.log("somebody came who does not speak WebSocket")
        return connection.respond(
            HTTPStatus.UPGRADE_REQUIRED,
            "This is no web page: Paseo speaks WebSocket here, see docs/reference/protocol.md.\n",
        )
    if host.token is None and not is_local_origin(request.headers.get("Origin")):
        host.log("a page of another machine was turned away")
        return connection.respond(
            HTTPStatus.FORBIDDEN,
            "Pages of other machines are let in only where the server has a token.\n",
        )
    return None


def _subprotocol(_: ServerConnection, offered: Sequence[Subprotocol]) -> Subprotocol | None:
    """The first one offered that is known; else the first, in which to say that it is not."""
    known = {each.subprotocol for each in Encoding}
    return next((each for each in offered if each in known), next(iter(offered), None))
