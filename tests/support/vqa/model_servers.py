"""A web server on this machine that speaks OpenAI's, Gemini's and Anthropic's protocols.

Requests are held against the SDKs' own request types, replies are dumps of the SDKs' own response
types, and what goes wrong is chosen by a script: a function from a Request to an Act. Run as a
program (`python tests/model_servers.py --delay-s 0.2 --most-at-once 32`) it prints its address.
"""

import argparse
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import wire_formats
from wire_formats import FORMATS

PLACES = {"openai": "/v1", "gemini": "", "anthropic": ""}
VARIABLES = {
    "openai": ("OPENAI_API_KEY", "OPENAI_BASE_URL"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
}
KEY = "sk-test-0123456789abcdef"


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    protocol: str
    path: str
    headers: Mapping[str, str]  # by names in small letters
    content: bytes

    @cached_property
    def body(self) -> dict[str, Any]:
        """The JSON of the request."""
        return json.loads(self.content)

    @cached_property
    def text(self) -> str:
        """The text of the prompt."""
        return "".join(part["text"] for part in self.parts if "text" in part)

    @cached_property
    def parts(self) -> list[dict[str, Any]]:
        """The pictures and texts in their order."""
        return FORMATS[self.protocol].parts(self.body)


@dataclass(frozen=True, kw_only=True)
class Act:
    """What the server does with one request."""

    text: str = '{"answer": "yes"}'
    thoughts: str = ""  # told before the text
    chances: tuple[Mapping[str, float], ...] = ()  # log-probabilities, the written token first
    ending: str = "stop"  # stop, length, refusal, filtered, or blocked
    cached_tokens: int = 0
    status: int = 200
    message: str = "something is wrong"  # of an error
    code: str = ""  # of an error, such as insufficient_quota
    details: tuple[dict[str, Any], ...] = ()  # of an error of Gemini's
    headers: Mapping[str, str] = field(default_factory=dict)
    content: bytes | None = None  # sent in place of a proper body
    delay_s: float = 0.0
    cut: int | None = None  # bytes of the body after which the connection ends
    drip_s: float = 0.0  # before each byte of the body
    drop: bool = False  # the connection ends without a word


Script = Callable[[Request], Act]


def always(act: Act) -> Script:
    """The same act for every request."""
    return lambda request: act


def in_turn(*acts: Act) -> Script:
    """Each act once, in order; from then on the last."""
    waiting, lock = list(acts), threading.Lock()

    def script(request: Request) -> Act:
        with lock:
            return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    return script


@dataclass
class ModelServer:
    """A running server: where it is and what it was asked."""

    script: Script
    delay_s: float = 0.0  # before every answer
    most_at_once: int | None = None  # more are turned away with 429
    keeps_requests: bool = True  # and looks into them; without, only counts
    models: tuple[str, ...] = ("tiny-1", "tiny-1-mini", "large-2")
    url: str = ""
    requests: list[Request] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # where requests broke the SDKs' types
    asked: int = 0
    answered: int = 0  # or hung up on, after all delays
    turned_away: int = 0
    at_once: int = 0
    largest_at_once: int = 0
    connections: int = 0
    sockets: list[socket.socket] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    closing: threading.Event = field(default_factory=threading.Event)

    def environment(self, protocol: str, *, key: str = KEY) -> dict[str, str]:
        """The variables that lead a client here."""
        key_name, url_name = VARIABLES[protocol]
        return {key_name: key, url_name: self.url + PLACES[protocol]}

    def act(self, request: Request) -> Act:
        """Decide on an answer, and take the time it takes."""
        with self.lock:
            self.asked += 1
            self.at_once += 1
            self.largest_at_once = max(self.largest_at_once, self.at_once)
            too_many = self.most_at_once is not None and self.at_once > self.most_at_once
            self.turned_away += too_many
        try:
            if too_many:
                return Act(status=429, message="too many at once", headers={"Retry-After": "1"})
            if self.keeps_requests:
                self.requests.append(request)
                if fault := wire_formats.fault(request.protocol, request.body):
                    self.faults.append(fault)
                    return Act(status=400, message=fault)
            act = self.script(request)
            if not self.closing.wait(act.delay_s + self.delay_s):
                self.answered += 1
            return act
        finally:  # before the answer leaves: the client may ask again at once
            with self.lock:
                self.at_once -= 1


@contextmanager
def model_server(script: Script | Act | None = None, **options: Any) -> Iterator[ModelServer]:
    """Serve; at the end, fail if a request did not fit the SDKs' types."""
    script = script or Act()
    state = ModelServer(always(script) if isinstance(script, Act) else script, **options)
    server = _Server(("127.0.0.1", 0), _handler(state))
    state.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
        assert not state.faults, state.faults
    finally:
        state.closing.set()
        server.shutdown()
        server.server_close()
        for each in state.sockets:
            with suppress(OSError):  # most have been closed
                each.shutdown(socket.SHUT_RDWR)
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads, block_on_close, request_queue_size = True, False, 256


def _handler(state: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def setup(self) -> None:
            with state.lock:
                state.connections += 1
                state.sockets.append(self.request)
            super().setup()

        def do_GET(self) -> None:
            protocol = wire_formats.format_of(self.headers)
            self._send(200, FORMATS[protocol].listing(state.models), {})

        def do_POST(self) -> None:
            headers = {key.lower(): value for key, value in self.headers.items()}
            content = self.rfile.read(int(headers.get("content-length", 0)))
            protocol = wire_formats.format_of(self.headers)
            request = Request(protocol, self.path, headers, content)
            with suppress(OSError):  # the other side may have gone
                self._answer(request, state.act(request))

        def _answer(self, request: Request, act: Act) -> None:
            if act.drop:
                return self._hang_up()
            form = FORMATS[request.protocol]
            if act.content is not None:
                body = act.content
            elif act.status != 200:
                body = form.error(act)
            else:
                body = form.reply(act)
            if act.drip_s:
                return self._drip(body, act.drip_s)
            self._send(act.status, body, act.headers, cut=act.cut)

        def _drip(self, body: bytes, drip_s: float) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            for byte in body:
                if state.closing.wait(drip_s):
                    return
                self.wfile.write(bytes([byte]))

        def _send(
            self, status: int, body: bytes, headers: Mapping[str, str], *, cut: int | None = None
        ) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            for key, value in headers.items():
                self.send_header(key, value)
            self._headers_buffer.append(b"\r\n" + body[:cut])  # in one piece with the headers
            self.flush_headers()
            if cut is not None:
                self._hang_up()

        def _hang_up(self) -> None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)

        def log_message(self, format: str, *args: object) -> None:
            """Tests are quiet."""

    return Handler


def main() -> None:
    """Serve until standard input ends."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--delay-s", type=float, default=0.0)
    words.add_argument("--most-at-once", type=int)
    words.add_argument("--text", default=Act().text)
    given = words.parse_args()
    options = {"delay_s": given.delay_s, "most_at_once": given.most_at_once}
    with model_server(Act(text=given.text), keeps_requests=False, **options) as server:
        print(server.url, flush=True)
        with suppress(EOFError):
            input()
        counts = {
            name: getattr(server, name) for name in ("asked", "turned_away", "largest_at_once")
        }
        print(json.dumps(counts), flush=True)


if __name__ == "__main__":
    main()
