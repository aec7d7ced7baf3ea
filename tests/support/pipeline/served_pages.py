"""A page for correcting tracks, served on a port of this machine."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from handmade_drive import HandmadeDrive, Walker, reconstructed
from paseo.listening import Address, listener
from paseo.mending.app import PURPOSE, Application, make_app
from paseo.mending.session import Session
from paseo.mending.shelf import Shelf
from paseo.mending.telling import shown_frames
from paseo.pipeline.drives.drive import Drive
from paseo.web import Origin, web_server
from threaded import threaded

# Who is called 3 is 1, who was lost for half a second.
WALKERS = [
    Walker(person=1, start=(5.0, 0.5), velocity=(1.0, 0.0), unseen=((3.0, 99.0),)),
    Walker(person=3, start=(5.0, 0.5), velocity=(1.0, 0.0), unseen=((0.0, 3.5),)),
    Walker(person=2, start=(7.0, -1.0), velocity=(0.8, 0.0)),
]
DRIVE = HandmadeDrive(walkers=WALKERS, seconds=8.0)


def session(folder: Path) -> Session:
    """The drive before its corrections, which lie in the folder."""
    return Session(reconstructed(DRIVE), file=folder / "c.json", out=folder / "mended.npz")


@contextmanager
def served_page(session: Session, drive: Drive, folder: Path) -> Iterator[str]:
    """The address of the page; pictures are put into the folder."""
    shelf = Shelf(drive, shown_frames(session.now.frame_times).tolist(), folder)
    origin = Origin(None, "localhost")
    app = make_app(Application(session=session, shelf=shelf, origin=origin))
    server = web_server(app, origin, purpose=PURPOSE)
    shelf.start()
    try:
        with closing(listener(Address("localhost", 0))) as bound, threaded(server, bound) as found:
            yield found
    finally:
        shelf.stop()
