"""`paseo bag mend` as a function: a person corrects tracks on a page until somebody ends it."""

import asyncio
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from paseo.errors import InputError
from paseo.listening import Address, bound_to, listener
from paseo.mending.app import PURPOSE, Application, make_app
from paseo.mending.session import Session
from paseo.mending.shelf import Shelf
from paseo.mending.telling import shown_frames
from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.reconstruction import Reconstruction
from paseo.web import Origin, served_at, web_server

CORRECTIONS = ".corrections.json"  # after the name of what they correct
WHERE = Address("localhost", 8019)


def mend_drive(
    known: Reconstruction,
    drive: Drive,
    out: Path,
    *,
    where: Address = WHERE,
    opened: Callable[[str], None] = print,
) -> None:
    """Let a person correct the tracks of a drive until Ctrl-C; `opened` is told the link.

    What is corrected so far is in `out`, and the corrections in a file beside it, with which the
    next session goes on.
    """
    if len(known.frame_times) != len(drive.frame_times):
        raise InputError(
            f"{drive.name}: has {len(drive.frame_times)} frames, but its tracks were made of "
            f"{len(known.frame_times)}; open it as when they were made"
        )
    session = Session(known, file=out.with_name(out.name + CORRECTIONS), out=out)
    serve_session(session, drive, where=where, opened=opened)


def serve_session(
    session: Session,
    drive: Drive,
    *,
    where: Address = WHERE,
    opened: Callable[[str], None] = print,
) -> None:
    """Serve the page until Ctrl-C; `opened` is told the link when it can be opened."""
    if not where.is_loopback:
        raise InputError(
            f"host {where.host} can be reached from other machines, and pictures of people would "
            "be shown to whoever comes; make host localhost",
            parameters=("host",),
        )
    with (
        TemporaryDirectory() as pictures,
        closing(listener(where, parameter="port")) as bound,
    ):
        shelf = Shelf(drive, shown_frames(session.now.frame_times).tolist(), Path(pictures))
        origin = Origin(None, where.host)
        app = make_app(Application(session=session, shelf=shelf, origin=origin))
        server = web_server(app, origin, purpose=PURPOSE)
        shelf.start()
        try:
            with suppress(KeyboardInterrupt):
                link = f"http://{bound_to(where, bound)}/"
                asyncio.run(served_at(server, bound, lambda: opened(link)))
        finally:
            shelf.stop()
