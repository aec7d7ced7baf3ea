"""Studies as small as can be, people who answer them, and a server for them."""

import http.client
import re
import urllib.parse
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from paseo.listening import Address, listener
from paseo.survey.server.serving import make_server
from paseo.survey.server.visiting import Visits
from paseo.survey.store.database import Database
from paseo.survey.store.people import Identity, Person, Stage
from paseo.survey.study.folder import KEY, Study, open_study
from paseo.survey.study.scenes import PICTURES, QUESTIONS, SCENES, ShownScenes, questions_text
from paseo.survey.study.settings import SETTINGS, StudySettings, settings_text
from paseo.survey.study.texts import TEXTS, shipped_text
from paseo.vqa.prompts.wording import paseo_wording
from paseo.web import Origin
from threaded import threaded
from tiny_scenes import picture

if TYPE_CHECKING:
    from playwright.sync_api import Page

FRAMES = 3
HIDDEN = ("csrf", "scene", "step", "token", "on_page_s")
NAVIGATION = (  # in ms, by the browser's own clock
    "() => performance.getEntriesByType('navigation').map((e) => e.responseEnd - e.startTime)"
)
TWO = {"a": (1,), "b": (1, 2)}


class Hand:
    """A clock that somebody sets."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def tiny_study(
    folder: Path, scenes: Mapping[str, Sequence[int]] = TWO, *, size: int = 64, **settings: Any
) -> Study:
    """A study about scenes with these people."""
    folder.mkdir(parents=True, exist_ok=True)
    known = StudySettings(format="paseo-study", version=1, **settings)
    (folder / SETTINGS).write_text(settings_text(known))
    (folder / TEXTS).write_text(shipped_text())
    wording = paseo_wording()
    (folder / QUESTIONS).write_text(questions_text(wording.texts, wording.guidance))
    (folder / KEY).write_bytes(bytes(range(32)))
    shown = [
        {
            "id": id,
            "people": list(people),
            "frames": FRAMES,
            "period_s": 0.25,
            "introduction": wording.introduction,
            "sha256": "0" * 64,
        }
        for id, people in scenes.items()
    ]
    about = dict.fromkeys(("source", "images", "drawing", "wording", "made_by"), "by hand")
    head = {"format": "paseo-study-scenes", "version": 1, **about, "scenes": shown}
    (folder / SCENES).write_bytes(msgspec.json.encode(msgspec.convert(head, ShownScenes)))
    for id in scenes:
        (folder / PICTURES / id).mkdir(parents=True)
        for number in range(FRAMES):
            content = picture(60 * number, size=(size, size * 3 // 2))
            (folder / PICTURES / id / f"{number}.jpg").write_bytes(content)
    return open_study(folder)


@contextmanager
def opened_visits(study: Study, clock: Callable[[], float]) -> Iterator[Visits]:
    with closing(Database(study.database)) as db:
        yield Visits(study, db, clock=clock)


def field_of(html: str, name: str) -> str:
    """The value of a hidden field."""
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found, f"no {name} in the page"
    return found[1]


def answers_to(html: str, *, check: bool = True) -> dict[str, str]:
    """The first choice of every question on a page; of a check what it asks for."""
    found: dict[str, str] = {}
    for name, value in re.findall(
        r'type="(?:radio|checkbox)" name="([^"]+)" value="([^"]+)"', html
    ):
        found.setdefault(name, value)
    asked = re.search(r"Please choose “([^”]+)”", html)
    if asked:
        key = next(name for name in found if name.startswith("check_"))
        others = [
            v for n, v in re.findall(r'name="(check_\d)" value="([^"]+)"', html) if v != asked[1]
        ]
        found[key] = asked[1] if check else others[0]
    return found


@contextmanager
def served(study: Study, clock: Any, *, public: str | None = None) -> Iterator[str]:
    """A study on a port of this machine; the address of it."""
    with (
        closing(listener(Address("localhost", 0))) as bound,
        closing(Database(study.database)) as db,
    ):
        visits = Visits(study, db, clock=clock)
        server = make_server(visits, Origin(public, "localhost"), tell=print)
        with threaded(server, bound) as address:
            yield address


def take_part(
    visits: Visits, number: int, *, attentive: bool = True, scenes: int = 9, end: bool = True
) -> tuple[Person, dict[str, dict[str, tuple[str, ...]]]]:
    """Somebody who answers at random, page by page, as the server has it."""
    rng, session = np.random.default_rng(number), f"session {number}"
    identity = Identity(f"pid-{number}", "study", f"submission-{number}")
    now = visits.clock()
    person = visits.people.admit(session, identity, now=now, assign=visits._assigned)
    assert person is not None
    visits.people.move(person.number, before=Stage.INSTRUCTIONS, after=Stage.SCENES, now=now)
    said: dict[str, dict[str, tuple[str, ...]]] = {}
    for steps in visits.steps(person)[:scenes]:
        for step in steps:
            form: dict[str, Any] = {
                "scene": [step.scene],
                "step": [str(step.number)],
                "token": [f"token-{number}-{step.scene}-{step.number}"],
                "on_page_s": ["12.0"],
                "go": ["next"],
            }
            for each in step.questions:
                option = each.kind.options[rng.integers(len(each.kind.options))]
                form[each.key] = list(option)
                said.setdefault(step.scene, {})[each.key] = option
            if step.check:
                wrong = [c for c in step.check.choices if c != step.check.choice]
                form[step.check.key] = [step.check.choice if attentive else wrong[0]]
            now_person = visits.people.by_session(session)
            assert now_person is not None
            if isinstance(visits.clock, Hand):
                visits.clock.now += 15.0
            visits.next(now_person, form)
    last = visits.people.by_session(session)
    assert last is not None
    if end and last.stage is Stage.ENDING:
        visits.end(last, {"remark": [f"remark {number}"], "trait_age": ["25 to 34"]})
    return person, said


class Client:
    """Somebody who answers page by page as the script does, without a pause."""

    def __init__(self, address: str, study: Study) -> None:
        host = urllib.parse.urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(host, timeout=600)
        self._cookie = ""
        self._riddles = study.texts.comprehension.riddles
        self.given: dict[tuple[str, str], str] = {}

    def ask(self, path: str, form: dict[str, Any] | None = None) -> str:
        headers = {"Cookie": self._cookie, "Content-Type": "application/x-www-form-urlencoded"}
        body = None if form is None else urllib.parse.urlencode(form)
        self._connection.request("GET" if form is None else "POST", path, body, headers)
        answer = self._connection.getresponse()
        page = answer.read().decode()
        assert answer.status in (200, 204, 303), (answer.status, path)
        if cookie := answer.getheader("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        return self.ask(answer.getheader("Location") or "/") if answer.status == 303 else page

    @property
    def session(self) -> str:
        return self._cookie.partition("=")[2]

    def connect(self, address: str) -> None:
        """Come to a server at another address, as who they are."""
        self._connection.close()
        host = urllib.parse.urlsplit(address).netloc
        self._connection = http.client.HTTPConnection(host, timeout=600)

    def take_part(self) -> None:
        """Go on from wherever they are to the end."""
        page = self.ask("/")
        while act := re.search(r'<form method="post" action="/(\w+)"', page):
            page = self._done(act[1], page)
        assert "Thank you" in page
        self._connection.close()

    def _done(self, act: str, page: str) -> str:
        """The page after this one."""
        if act == "next":
            return self._answer(page)
        form = {"csrf": field_of(page, "csrf"), "answer": "agree"}
        right = {f"riddle_{k}": each.right for k, each in enumerate(self._riddles)}
        return self.ask(f"/{act}", {**form, **(right if act == "check" else {})})

    def _answer(self, page: str) -> str:
        form, answers = {name: field_of(page, name) for name in HIDDEN}, answers_to(page)
        for turn, (key, choice) in enumerate(answers.items(), start=1):
            self.ask("/answer", {**form, "turn": turn, key: choice})
            self.given[form["scene"], key] = choice
        return self.ask("/next", {**form, "turn": len(answers) + 1, "go": "next", **answers})


class Surfer:
    """Somebody who answers in a browser, by clicks on what the page shows."""

    def __init__(self, page: "Page", address: str, study: Study) -> None:
        self._page, self._address = page, address
        self._riddles = study.texts.comprehension.riddles
        self.given: dict[tuple[str, str], str] = {}
        self.pages_ms: list[float] = []  # from each click to the last byte of the page after it

    def take_part(self, pause: Callable[[], None] = lambda: None) -> None:
        """From consent to the end; `pause` is how long they think before each answer."""
        page = self._page
        page.goto(self._address)
        self._click("button[value=agree]")
        self._click("main form button")
        for riddle in self._riddles:
            page.get_by_label(riddle.right).check()
        self._click("main form button")
        while page.locator("form.step").count():
            self._answer(pause)
            self._click("button[value=next]")
        self._click("main form button")

    def _click(self, button: str) -> None:
        with self._page.expect_navigation():
            self._page.locator(button).first.click()
        self.pages_ms += self._page.evaluate(NAVIGATION)

    def _answer(self, pause: Callable[[], None]) -> None:
        """The first choice of every question; where one is told what to choose, that."""
        page = self._page
        scene = page.locator("input[name=scene]").first.input_value()
        for each in page.locator("fieldset").all():
            wanted = each.locator("legend").inner_text().partition("choose “")[2].partition("”")[0]
            first = each.locator("input").first
            choice = each.get_by_label(wanted, exact=True) if wanted else first
            pause()
            choice.check()
            page.locator(".state", has_text="All answers saved").wait_for()
            name, value = choice.get_attribute("name"), choice.get_attribute("value")
            assert name and value
            self.given[scene, name] = value
