"""Clips by HTTP: what pages tell and what they do not, and who gets which film."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paseo.survey.insight.collected import rated_study
from paseo.survey.server.app import Application, make_app
from paseo.survey.store.content import read_content
from paseo.survey.store.people import Stage
from paseo.survey.study.settings import Codes
from paseo.web import Origin
from rated_studies import PLANNERS, tiny_ratings
from studies import HIDDEN, Hand, answers_to, field_of, opened_visits

pytestmark = pytest.mark.extra("survey", "dev")


class House:
    """A study that is open, and people who come to it."""

    def __init__(self, visits: Any, clock: Hand) -> None:
        self.visits = visits
        origin = Origin(None, "localhost")
        self.app = make_app(Application(visits=visits, origin=origin, clock=clock, tell=print))

    def browser(self) -> Any:
        from starlette.testclient import TestClient

        return TestClient(self.app, base_url="http://localhost")

    def started(self, browser: Any) -> Any:
        page = browser.get("/")
        page = browser.post(
            "/consent", data={"csrf": field_of(page.text, "csrf"), "answer": "agree"}
        )
        page = browser.post("/instructions", data={"csrf": field_of(page.text, "csrf")})
        riddles = self.visits.study.texts.comprehension.riddles
        right = {f"riddle_{k}": each.right for k, each in enumerate(riddles)}
        return browser.post("/check", data={"csrf": field_of(page.text, "csrf"), **right})


@pytest.fixture
def house(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[House]:
    codes = Codes(complete="DONE1")
    asking = getattr(request, "param", {})
    study = tiny_ratings(
        tmp_path / "study", scenes_each=2, codes=codes, asking=asking, film=bytes(range(256))
    )
    clock = Hand()
    with opened_visits(study, clock) as visits:
        yield House(visits, clock)


def sent(browser: Any, page: Any, **changes: Any) -> Any:
    form = {name: field_of(page.text, name) for name in HIDDEN}
    return browser.post("/next", data={**form, "go": "next", **answers_to(page.text), **changes})


def films(page: Any) -> list[str]:
    return re.findall(r'<video src="([^"]+)"', page.text)


def test_somebody_rates_compares_and_gets_the_code(house: House) -> None:
    browser = house.browser()
    page, pages = house.started(browser), []
    while 'action="/next"' in page.text:
        pages.append(page)
        page = sent(browser, page)
    page = browser.post("/ending", data={"csrf": field_of(page.text, "csrf"), "remark": "fine"})
    assert "DONE1" in page.text
    assert [len(films(each)) for each in pages[:4]] in ([1, 2, 1, 2], [1, 2, 1, 1])
    found = rated_study(house.visits.study, read_content(house.visits.study))
    assert [each.stage for each in house.visits.people.every()] == [Stage.DONE]
    assert len(found.ratings) == 2 * 3  # two clips and one again, by two aspects
    assert {each.value for each in found.ratings} == {1}
    assert all(each.chosen == each.planners[0] for each in found.preferences)


def test_no_page_names_a_planner_an_episode_or_a_size(house: House) -> None:
    browser = house.browser()
    page = house.started(browser)
    while 'action="/next"' in page.text:
        for word in (*PLANNERS, "episode", "sha256", "metrics"):
            assert word not in page.text
        page = sent(browser, page)


def test_nobody_gets_a_film_that_they_were_not_given(house: House) -> None:
    browser = house.browser()
    page = house.started(browser)
    person = house.visits.people.every()[0]
    content = house.visits.study.content
    given = {
        clip
        for place in house.visits.people.scenes_of(person.number)
        for clip in content.shown(place)
    }
    assert set(re.findall(r"/clips/(\w+)\.mp4", page.text)) <= given
    for clip in content.units:
        status = browser.get(f"/clips/{clip}.mp4").status_code
        assert status == (200 if clip in given else 404)
        stranger = house.browser()
        refused, guessed = (stranger.get(f"/clips/{e}.mp4") for e in (clip, "0" * 16))
        assert (refused.status_code, refused.text) == (404, guessed.text)  # nothing is told
    for path in ("/clips.json", "/clips/", "/clips/..%2Fclips.json", "/ratings.toml"):
        assert browser.get(path).status_code == 404


def test_a_film_comes_in_the_pieces_that_a_player_asks_for(house: House) -> None:
    browser = house.browser()
    film = films(house.started(browser))[0]
    piece = browser.get(film, headers={"Range": "bytes=10-19"})
    assert (piece.status_code, piece.content) == (206, bytes(range(10, 20)))
    assert piece.headers["content-type"] == "video/mp4"
    whole = browser.get(film)
    assert whole.headers["cache-control"].startswith("private")
    assert not re.search("careful|hasty|lost", str(whole.headers))


def test_scales_are_groups_of_radio_buttons_that_can_be_heard(house: House) -> None:
    page = house.started(house.browser()).text
    assert page.count("<fieldset") == page.count("<legend>") >= 2
    assert 'aria-label="3 of 7, where 1 is very uncomfortable and 7 is very comfortable"' in page
    assert re.search(r"<video [^>]*controls muted playsinline", page)


def test_a_point_that_is_not_on_the_scale_is_refused(house: House) -> None:
    browser = house.browser()
    page = house.started(browser)
    assert sent(browser, page, rate_comfort="8").status_code == 409
    assert sent(browser, page, rate_comfort="careful").status_code == 409
    assert house.visits.answers.every() == []


def test_what_is_missing_is_marked_and_going_back_keeps_what_was_said(house: House) -> None:
    browser = house.browser()
    page = house.started(browser)
    form = {name: field_of(page.text, name) for name in HIDDEN}
    again = browser.post("/next", data={**form, "go": "next", "rate_comfort": "4"})
    assert "question panel missing" in again.text
    pair = sent(browser, again, rate_comfort="4")
    assert len(films(pair)) == 2
    form = {name: field_of(pair.text, name) for name in HIDDEN}
    back = browser.post("/next", data={**form, "go": "back"}).text
    assert re.search(r'name="rate_comfort" value="4"[^>]* checked', back)


@pytest.mark.parametrize(
    "house", [{"no_difference": False, "pairs": "overall", "context": "<b>x</b>"}], indirect=True
)
def test_a_pair_can_ask_one_question_without_a_way_out(house: House) -> None:
    browser = house.browser()
    page = house.started(browser)
    assert "&lt;b&gt;x&lt;/b&gt;" in page.text
    pair = sent(browser, page)
    assert 'value="neither"' not in pair.text
    assert "All in all" in pair.text
    assert 'name="pair_overall"' in pair.text


def test_who_withdraws_leaves_nothing(house: House) -> None:
    browser = house.browser()
    page = sent(browser, house.started(browser))
    browser.post("/withdraw", data={"csrf": field_of(page.text, "csrf")})
    assert house.visits.answers.every() == []
    assert browser.get(films(page)[0]).status_code == 404
