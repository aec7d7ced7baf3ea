"""A web server in a thread of its own."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socket import socket
from typing import Any

from paseo.web import served_at


@contextmanager
def threaded(server: Any, bound: socket) -> Iterator[str]:
    """The address at which the server answers, until this ends."""
    ready = threading.Event()
    work = served_at(server, bound, ready.set)
    thread = threading.Thread(target=lambda: asyncio.run(work))
    thread.start()
    try:
        assert ready.wait(60)
        yield f"http://localhost:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
