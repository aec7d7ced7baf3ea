"""Who may come in, and the page that is handed to a browser."""

from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from paseo.admission import is_plain
from paseo.remote.tokens import is_token

DRIVE = "/drive"  # where the WebSocket of the page is
NOTHING = "there is nothing here but the page itself"
PHRASES = {200: "OK", 403: "Forbidden", 404: "Not Found"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """What is answered to who asks for the page, or for a WebSocket."""

    page: bytes
    policy: str  # what the browser may do with the page
    host: str  # what links may name, besides addresses in numbers and localhost
    token: str | None = None

    def answer(self, connection: ServerConnection, request: Request) -> Response | None:
        """The page, or a refusal; None where a WebSocket may be opened."""
        try:
            address = urlsplit(request.path)
        except ValueError:
            return _text(404, NOTHING)
        said = parse_qs(address.query).get("token", [""])[0]
        refused = self.refusal(request.headers, said)
        if refused is not None:
            return _text(403, refused)
        if address.path == DRIVE:
            return None
        if address.path != "/":
            return _text(404, NOTHING)
        headers = {"Content-Security-Policy": f"{self.policy}; frame-ancestors 'none'"}
        return _response(200, self.page, "text/html; charset=utf-8", headers)

    def refusal(self, headers: Headers, token: str) -> str | None:
        """Why somebody is refused, in words; a page of somebody else's must not drive here."""
        hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
        if len(hosts) != 1 or not is_plain(hosts[0], self.host):
            return "this server is not called that; use the link that paseo play printed"
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            return "only the page of this server may drive here"
        if not is_token(token, self.token):
            return "the token is missing or wrong; use the whole link that paseo play printed"
        return None


def _text(status: int, words: str) -> Response:
    return _response(status, f"{words}\n".encode(), "text/plain; charset=utf-8", {})


def _response(status: int, body: bytes, kind: str, more: dict[str, str]) -> Response:
    headers = {
        "Content-Type": kind,
        "Content-Length": str(len(body)),
        "Connection": "close",
        "Cache-Control": "no-store",
        "Referrer-Policy": "no-referrer",  # the address holds the token
        "X-Content-Type-Options": "nosniff",
        **more,
    }
    return Response(status, PHRASES[status], Headers(headers), body)
