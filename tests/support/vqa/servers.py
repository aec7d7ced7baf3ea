"""A web server on this machine whose faults are chosen, for tests of what fetches files."""

import re
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

LONGEST_STALL = 60.0


@dataclass(kw_only=True)
class Site:
    """What the server offers, what goes wrong, and what it was asked."""

    files: dict[str, bytes] = field(default_factory=dict)  # by path, such as "/a/b.txt"
    redirects: dict[str, str] = field(default_factory=dict)  # from a path to a location
    statuses: list[int] = field(default_factory=list)  # answered first, one for each request
    cuts: list[int] = field(default_factory=list)  # bytes until the connection ends, one each
    always_cut: int | None = None
    ignores_range: bool = False
    content_range: str | None = None  # told instead of the truth
    length: int | None = None  # told instead of the truth; below 0: not told
    more: bytes = b""  # sent for ever after each file
    stall: int | None = None  # bytes after which no more come, though the connection stays
    piece: int = 2**16  # bytes sent at a time
    pause: float = 0.0  # seconds after each piece
    raw: bytes | None = None  # the whole answer
    asked: list[str] = field(default_factory=list)  # paths
    heads: list[str] = field(default_factory=list)  # paths of which only the size was asked
    ranges: list[str | None] = field(default_factory=list)  # Range headers
    headers: list[dict[str, str]] = field(default_factory=list)  # by names in small letters
    sent: int = 0  # bytes of bodies
    closing: threading.Event = field(default_factory=threading.Event)


@contextmanager
def served(site: Site, *, certificate: Path | None = None) -> Iterator[str]:
    """Serve the site, over TLS if there is a certificate file; the address ends with the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(site))
    server.daemon_threads, server.block_on_close = True, False
    if certificate is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"{'https' if certificate else 'http'}://127.0.0.1:{server.server_port}"
    finally:
        site.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            site.ranges.append(self.headers.get("Range"))
            site.headers.append({key.lower(): value for key, value in self.headers.items()})
            with suppress(OSError):  # the other side may have gone
                self._answer()

        def do_HEAD(self) -> None:
            site.heads.append(self.path)
            with suppress(OSError):
                if self.path not in site.files:
                    return self._begin(404, {})
                size = len(site.files[self.path]) if site.length is None else site.length
                self._begin(200, {"Content-Length": str(size)} if size >= 0 else {})

        def _answer(self) -> None:
            if site.raw is not None:
                self.wfile.write(site.raw)
            elif self.path in site.redirects:
                self._begin(302, {"Location": site.redirects[self.path]})
            elif site.statuses and (status := site.statuses.pop(0)) != 200:
                self._begin(status, {})
            elif self.path not in site.files:
                self._begin(404, {})
            else:
                self._send(site.files[self.path])

        def _begin(self, status: int, headers: dict[str, str]) -> None:
            self.send_response(status)
            for key, value in headers.items():
                self.send_header(key, value)
            self.end_headers()

        def _send(self, content: bytes) -> None:
            asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            start = int(asked[1]) if asked and not site.ignores_range else 0
            if start >= len(content) > 0:
                return self._begin(416, {})
            body = content[start:]
            headers = {"Content-Length": str(len(body) if site.length is None else site.length)}
            if start:
                true = f"bytes {start}-{len(content) - 1}/{len(content)}"
                headers["Content-Range"] = site.content_range or true
            if site.length is not None and site.length < 0:
                del headers["Content-Length"]
            self._begin(206 if start else 200, headers)
            self._send_body(body + site.more)

        def _send_body(self, body: bytes) -> None:
            end = site.cuts.pop(0) if site.cuts else site.always_cut
            if site.stall is not None:
                end = site.stall
            for begin in range(0, len(body[:end]), site.piece):
                piece = body[:end][begin : begin + site.piece]
                self.wfile.write(piece)
                site.sent += len(piece)
                time.sleep(site.pause)
            if site.stall is not None:
                site.closing.wait(LONGEST_STALL)
            while site.more and not site.closing.is_set():
                self.wfile.write(site.more)
                site.sent += len(site.more)

        def log_message(self, format: str, *args: object) -> None:
            """Tests are quiet."""

    return Handler
