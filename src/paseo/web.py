"""Web servers: what pages may do, what a server is called, and how it runs."""

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from paseo.admission import is_plain
from paseo.errors import require

if TYPE_CHECKING:
    from uvicorn import Server

CLOSING_S = 5  # in which what is being answered must be
PROXY = ["127.0.0.1", "::1"]  # who may say where somebody comes from
EXTRA = "survey"  # which brings starlette and uvicorn
# Nothing is loaded from elsewhere, and nothing stands in the page that runs or paints by itself.
POLICY = (
    "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'self'; script-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # the address may hold ids; nobody else is told
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass(frozen=True, slots=True)
class Origin:
    """What the server is called: by its address, or by the proxy before it."""

    public: str | None  # such as https://study.example.org; None: only this machine comes
    host: str

    def refusal(self, host: str | None, origin: str | None) -> str | None:
        """Why a request is refused, in words; None if it is not."""
        if host is None or not self._is_ours(host):
            return "this server is not called that; use the link that was given"
        if origin is not None and origin not in self._origins(host):
            return "only pages of this server may send anything here"
        return None

    @property
    def secure(self) -> bool:
        """Whether people come by HTTPS."""
        return self.public is not None and self.public.startswith("https:")

    def _is_ours(self, host: str) -> bool:
        if self.public is not None and host == urlsplit(self.public).netloc:
            return True
        return is_plain(host, self.host)

    def _origins(self, host: str) -> tuple[str, ...]:
        return (f"http://{host}",) if self.public is None else (self.public, f"http://{host}")


def web_server(app: Any, origin: Origin, *, purpose: str) -> "Server":
    """A server of an ASGI application that is not yet running."""
    uvicorn = require("uvicorn", EXTRA, purpose)
    config = uvicorn.Config(
        app,
        log_config=None,  # addresses of people are written nowhere
        access_log=False,
        server_header=False,
        lifespan="off",
        ws="none",
        proxy_headers=origin.public is not None,
        forwarded_allow_ips=PROXY,
        timeout_graceful_shutdown=CLOSING_S,
    )
    return uvicorn.Server(config)


async def served_at(server: "Server", bound: socket.socket, opened: Callable[[], None]) -> None:
    """Run a server at a socket; `opened` is called when people may come."""
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.01)
    if server.started:
        opened()
    await serving
