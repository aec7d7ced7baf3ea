"""`paseo survey serve` as a function: people come to a study until somebody ends it."""

import asyncio
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from paseo.errors import BadValue, InputError, require
from paseo.files import held, write_whole
from paseo.listening import HIGHEST_PORT, Address, bound_to, listener
from paseo.progress import Progress, silent
from paseo.survey.server.app import PURPOSE, Application, make_app
from paseo.survey.server.guarding import public_origin
from paseo.survey.server.visiting import Visits
from paseo.survey.store.database import Database
from paseo.survey.study.folder import LINKS, Study, open_study
from paseo.survey.study.settings import Way
from paseo.web import Origin, served_at, web_server

if TYPE_CHECKING:
    from uvicorn import Server

PORT = 8018


def serve_study(
    folder: Path,
    *,
    host: str = "localhost",
    port: int = PORT,
    public_url: str | None = None,
    opened: Callable[[str], None] = print,
    progress: Progress = silent,
) -> None:
    """Serve the pages of a study until Ctrl-C; `opened` is told the link when people may come.

    People on other machines come by `public_url`, the address of a proxy that speaks HTTPS and
    hands requests on to this server. Without it, `host` must be this machine's own.
    """
    require("uvicorn", "survey", PURPOSE)
    study = open_study(folder)
    public = None if public_url is None else public_origin(public_url)
    if not 0 <= port <= HIGHEST_PORT:
        raise BadValue(
            f"port is {port}, expected a number from 0 to {HIGHEST_PORT}", parameters=("port",)
        )
    where = Address(host, port)
    if public is None and not where.is_loopback:
        raise InputError(
            f"host {host} can be reached from other machines, and what people send would not be "
            "encrypted; put a proxy with HTTPS before the server and name its address with "
            "public_url, or make host localhost",
            parameters=("host", "public_url"),
        )
    with (
        held(folder, by="paseo survey serve"),
        closing(listener(where, parameter="port")) as bound,
        closing(Database(study.database)) as db,
    ):
        visits = Visits(study, db, clock=time.time)
        visits.people.check_fixed(study.fixed)
        link = public or f"http://{bound_to(where, bound)}"
        write_links(study, link)
        server = make_server(visits, Origin(public, host), tell=lambda news: progress(news, 0, 0))
        with suppress(KeyboardInterrupt):
            asyncio.run(served_at(server, bound, lambda: opened(f"{link}/")))


def make_server(visits: Visits, origin: Origin, *, tell: Callable[[str], None]) -> "Server":
    """A server of the study that is not yet running."""
    app = Application(visits=visits, origin=origin, clock=time.monotonic, tell=tell)
    return web_server(make_app(app), origin, purpose=PURPOSE)


def write_links(study: Study, link: str) -> None:
    """Write the links that people are to be given, where they come by links."""
    if study.settings.way is Way.LINKS:
        lines = "".join(f"{link}/?link={token}\n" for token in study.links)
        write_whole(study.folder / LINKS, lines.encode())
