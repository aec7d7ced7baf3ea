"""The web application of the page: what comes by HTTP, read within bounds and handed on."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec

from paseo.errors import PaseoError, require
from paseo.mending.session import Session
from paseo.mending.shelf import Shelf
from paseo.pipeline.corrections import Correction
from paseo.web import EXTRA, HEADERS, Origin

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

PURPOSE = "serves the page of tracks"
LARGEST_BODY = 4 << 10  # bytes; a correction takes fifty
READING_S = 10.0  # in which one must have arrived
ASSETS = {
    "/": ("page.html", "text/html"),
    "/style.css": ("style.css", "text/css"),
    "/script.js": ("script.js", "text/javascript"),
    "/drawing.js": ("drawing.js", "text/javascript"),
}
PNG = b"\x89PNG"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Application:
    """A session, as it answers requests."""

    session: Session
    shelf: Shelf
    origin: Origin

    async def handle(self, request: "Request") -> "Response":
        """Answer a request, whatever it is."""
        from starlette.concurrency import run_in_threadpool

        refused = self.origin.refusal(request.headers.get("host"), request.headers.get("origin"))
        if refused is not None:
            return _words(403, refused)
        try:
            if request.method == "POST":
                body = await _body(request)
                return await run_in_threadpool(self._post, request.url.path, body)
            return await run_in_threadpool(self._get, request.url.path)
        except PaseoError as error:
            return _words(409, str(error))

    def _get(self, path: str) -> "Response":
        if path in ASSETS:
            name, kind = ASSETS[path]
            return _response(asset(name), kind=kind)
        if path == "/drive.json":
            return self._told()
        if path == "/favicon.ico":
            return _response(b"", kind="image/png", status=204)
        number = path.removeprefix("/frames/")
        if number != path and number.isascii() and number.isdigit() and len(number) < 9:
            picture = self.shelf.picture(int(number))
            if picture is not None:
                kind = "image/png" if picture.startswith(PNG) else "image/jpeg"
                return _response(picture, kind=kind, kept="private, max-age=3600")
            return _words(404, self.shelf.trouble or "this frame is not there")
        return _words(404, "there is nothing here but the page itself")

    def _post(self, path: str, body: bytes) -> "Response":
        acts: dict[str, Callable[[], None]] = {
            "/correct": lambda: self.session.correct(_correction(body)),
            "/undo": self.session.undo,
        }
        if path not in acts:
            return _words(404, "there is nothing here but the page itself")
        try:
            acts[path]()
        except msgspec.MsgspecError as error:
            return _words(400, f"this is no correction: {error}")
        return self._told()

    def _told(self) -> "Response":
        return _response(msgspec.json.encode(self.session.told()), kind="application/json")


def make_app(application: Application) -> "Starlette":
    """What a server of ASGI calls."""
    starlette = require("starlette.applications", EXTRA, PURPOSE)
    routing = require("starlette.routing", EXTRA, PURPOSE)
    route = routing.Route("/{path:path}", application.handle, methods=["GET", "POST"])
    return starlette.Starlette(routes=[route])


@cache
def asset(name: str) -> bytes:
    """A file that the page is made of."""
    return (resources.files("paseo.mending") / "assets" / name).read_bytes()


def _correction(body: bytes) -> Correction:
    return msgspec.json.decode(body, type=Correction)


async def _body(request: "Request") -> bytes:
    content = bytearray()
    try:
        async with asyncio.timeout(READING_S):
            async for piece in request.stream():
                content += piece
                if len(content) > LARGEST_BODY:
                    raise PaseoError(f"expected at most {LARGEST_BODY} bytes")
    except TimeoutError as error:
        raise PaseoError("this took too long to arrive") from error
    return bytes(content)


def _words(status: int, words: str) -> "Response":
    return _response(f"{words}\n".encode("utf-8", "replace"), kind="text/plain", status=status)


def _response(
    content: bytes, *, kind: str, status: int = 200, kept: str = "no-store"
) -> "Response":
    from starlette.responses import Response

    headers: dict[str, Any] = {**HEADERS, "Cache-Control": kept}
    return Response(content, status, headers, media_type=kind)
