"""The web application: what comes by HTTP, read within bounds and handed on."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from paseo.admission import is_same
from paseo.errors import PaseoError, require
from paseo.survey.pages.around import withdraw_page
from paseo.survey.pages.parts import HOME, SCRIPT, STYLE, asset
from paseo.survey.server.guarding import SESSION, Limit, new_session
from paseo.survey.server.visiting import BadForm, Form, Outcome, Sent, Shown, Stored, Visits
from paseo.survey.store.people import Person
from paseo.survey.study.content import Media
from paseo.web import HEADERS, Origin

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

COOKIE = "paseo_study"
KEPT_S = 30 * 86_400  # how long a browser keeps the secret of its session
FORM = "application/x-www-form-urlencoded"
LARGEST_BODY = 64 << 10  # bytes; a remark in a language of long letters
LONGEST_QUERY = 2000  # characters
MOST_FIELDS = 64
READING_S = 20.0  # in which a form must have arrived
PURPOSE = "serves the pages of a study"


@dataclass(slots=True, eq=False, kw_only=True)
class Application:
    """A study, as it answers requests."""

    visits: Visits
    origin: Origin
    clock: Callable[[], float]  # seconds, of the limits
    tell: Callable[[str], None]  # what somebody who watches should know
    _people: Limit = field(init=False)
    _strangers: Limit = field(init=False)

    def __post_init__(self) -> None:
        # A page is some twelve requests, most of them pictures that the browser then keeps; a whole
        # room may come from one address at once.
        self._people = Limit(200.0, 20.0, self.clock)
        self._strangers = Limit(1000.0, 50.0, self.clock)

    async def handle(self, request: "Request") -> "Response":
        """Answer a request, whatever it is."""
        refused = self.origin.refusal(request.headers.get("host"), request.headers.get("origin"))
        if refused is not None:
            return self._plain(403, refused)
        cookie = request.cookies.get(COOKIE, "")
        session = cookie if SESSION.fullmatch(cookie) else ""
        try:
            form = await _form(request) if request.method == "POST" else None
            query = _fields(request.url.query[:LONGEST_QUERY])
        except (BadForm, ValueError) as error:
            return self._plain(400, str(error))
        from starlette.concurrency import run_in_threadpool

        address = request.client.host if request.client else ""
        try:
            answer = partial(self._answer, request.url.path, session, query, form, address)
            return await run_in_threadpool(answer)
        except PaseoError as error:
            self.tell(str(error))
            return self._plain(500, "something is wrong with this server; please try again later")

    def _answer(
        self, path: str, session: str, query: Form, form: Form | None, address: str
    ) -> "Response":
        person = self.visits.people.by_session(session) if session else None
        limit, key = (self._people, session) if person else (self._strangers, address)
        if not limit.allows(key):
            return self._plain(429, "too many requests; please wait a moment")
        if form is None:
            return self._get(path, session, query, person)
        return self._post(path, session, form, person)

    def _get(self, path: str, session: str, query: Form, person: Person | None) -> "Response":
        if path in (STYLE, SCRIPT):
            kind = "text/css" if path == STYLE else "text/javascript"
            return self._response(asset(path[1:]), kind=kind, kept="private, max-age=300")
        if path == "/favicon.ico":
            return self._response("", status=204)
        visits = self.visits
        found = visits.study.content.media(path)
        if found and person and visits.may_see(person, found.unit):
            return self._file(found)
        if path == "/":
            mine = session or new_session()
            return self._page(visits.arrive(mine, query), session="" if session else mine)
        if person is None or path not in (HOME, "/withdraw"):
            unknown = visits.notice(session, visits.study.texts.unknown, status=404)
            return self._page(unknown)
        if path == HOME:
            return self._page(visits.show(session, person, query))
        if not person.stage.under_way:
            return self._page(Sent())
        return self._page(Shown(withdraw_page(visits.study, visits.visitor(session, person))))

    def _post(self, path: str, session: str, form: Form, person: Person | None) -> "Response":
        visits = self.visits
        said = form.get("csrf", ("",))[0]
        if not session or not is_same(said, visits.csrf(session)):
            return self._page(visits.notice(session, visits.study.texts.refused, status=403))
        try:
            if path == "/consent":
                return self._page(visits.consent(session, form))
            acts: dict[str, Callable[[Person], Outcome]] = {
                "/instructions": visits.read_instructions,
                "/check": lambda who: visits.comprehend(who, form),
                "/answer": lambda who: visits.answer(who, form),
                "/next": lambda who: visits.next(who, form),
                "/ending": lambda who: visits.end(who, form),
                "/withdraw": visits.withdraw,
            }
            if person is None or path not in acts:
                return self._page(visits.notice(session, visits.study.texts.unknown, status=404))
            return self._page(acts[path](person))
        except BadForm:
            status = HTTPStatus.CONFLICT
            return self._page(visits.notice(session, visits.study.texts.refused, status=status))

    def _file(self, media: Media) -> "Response":
        """A picture or a clip, or the piece of it that was asked for."""
        from starlette.responses import FileResponse

        headers = {**HEADERS, "Cache-Control": "private, max-age=86400, immutable"}
        return FileResponse(media.file, media_type=media.type, headers=headers)

    def _page(self, outcome: Outcome, *, session: str = "") -> "Response":
        if isinstance(outcome, Stored):
            return self._response("", status=204)
        if isinstance(outcome, Sent):
            response = self._response("", status=303)
            response.headers["Location"] = outcome.path
        else:
            response = self._response(outcome.html, status=outcome.status)
        if fresh := outcome.session or session:
            response.set_cookie(
                COOKIE,
                fresh,
                max_age=KEPT_S,
                httponly=True,
                samesite="lax",
                secure=self.origin.secure,
            )
        return response

    def _plain(self, status: int, words: str) -> "Response":
        return self._response(f"{words}\n", kind="text/plain", status=status)

    def _response(
        self, text: str, *, kind: str = "text/html", status: int = 200, kept: str = "no-store"
    ) -> "Response":
        from starlette.responses import Response

        headers = {**HEADERS, "Cache-Control": kept}
        if self.origin.secure:
            headers["Strict-Transport-Security"] = "max-age=31536000"
        content = text.encode("utf-8", "replace")
        return Response(content, status, headers, media_type=kind)


def make_app(application: Application) -> "Starlette":
    """What a server of ASGI calls."""
    starlette = require("starlette.applications", "survey", PURPOSE)
    routing = require("starlette.routing", "survey", PURPOSE)
    handle: Callable[..., Awaitable[Any]] = application.handle
    route = routing.Route("/{path:path}", handle, methods=["GET", "POST"])
    return starlette.Starlette(routes=[route])


async def _form(request: "Request") -> Form:
    """The fields of a form, never more than a page of ours sends."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != FORM:
        raise BadForm(f"expected {FORM}")
    try:
        async with asyncio.timeout(READING_S):
            content = bytearray()
            async for piece in request.stream():
                content += piece
                if len(content) > LARGEST_BODY:
                    raise BadForm(f"expected at most {LARGEST_BODY} bytes")
    except TimeoutError as error:
        raise BadForm("the form took too long to arrive") from error
    try:
        return _fields(content.decode())
    except UnicodeDecodeError as error:
        raise BadForm("expected UTF-8") from error


def _fields(text: str) -> Form:
    """Fields and their values; `ValueError` where there are too many, or they are no text."""
    return parse_qs(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
