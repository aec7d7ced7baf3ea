"""A whole study of ratings in a real browser: clips that play, from consent to the code."""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import DESK, PHONE
from paseo.render.raster.film import write_film
from paseo.survey.insight.collected import rated_study
from paseo.survey.store.content import read_content
from paseo.survey.store.people import Stage
from paseo.survey.study.folder import Study
from paseo.survey.study.settings import Codes, Way
from rated_studies import tiny_ratings
from studies import opened_visits, served
from surfing import begun, opened

pytestmark = [pytest.mark.browser, pytest.mark.extra("survey", "video")]

PLACES = [
    pytest.param({"viewport": DESK}, id="desk"),
    pytest.param(
        {"viewport": PHONE, "is_mobile": True, "has_touch": True},
        id="phone",
        marks=pytest.mark.slow,
    ),
]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Half a second of something that moves."""
    file = tmp_path_factory.mktemp("film") / "film.mp4"
    frames = [np.full((120, 160, 3), 20 * k, np.uint8) for k in range(10)]
    write_film(file, frames, 20.0, threads=1)
    return file.read_bytes()


@pytest.fixture
def study(tmp_path: Path, film: bytes) -> Study:
    codes = Codes(complete="DONE1")
    asking = {"context": "It carries urgent medicine."}
    folder = tmp_path / "study"
    return tiny_ratings(
        folder, film=film, scenes_each=2, way=Way.PROLIFIC, codes=codes, asking=asking
    )


def watch(page: Page) -> None:
    """Play every clip to its end."""
    for each in page.locator("video").all():
        each.evaluate("film => new Promise(done => { film.onended = done; film.play(); })")
    expect(page.locator(".waiting")).to_be_hidden()


def answer(page: Page) -> None:
    """Choose the second of every question on the page; where one is told what to choose, that."""
    for each in page.locator("fieldset").all():
        wanted = each.locator("legend").inner_text().partition("choose “")[2].partition("”")[0]
        inputs = each.locator("input")
        choice = each.locator(f'input[value="{wanted}"]') if wanted else inputs.nth(1)
        choice.check(force=True)
        expect(page.locator(".state")).to_have_text("All answers saved")


def go(page: Page, name: str = "next") -> None:
    with page.expect_navigation():
        page.locator(f"button[value={name}]").click()


@pytest.mark.parametrize("how", PLACES)
def test_somebody_rates_with_a_break_and_gets_the_code(
    browser: Browser, study: Study, how: dict[str, Any]
) -> None:
    with served(study, time.time) as address, opened(browser, address, **how) as page:
        begun(page, address, study)
        expect(page.locator("fieldset input").first).to_be_disabled()
        expect(page.locator("button.main")).to_be_disabled()
        watch(page)
        answer(page)
        page.reload()  # the page had not been sent: what was said is there, and the pair is due
        expect(page.locator("video")).to_have_count(2)
        go(page, "back")
        expect(page.locator("fieldset input:checked").first).to_be_checked()
        expect(page.locator(".waiting")).to_be_hidden()
        go(page)
        while page.locator("form.step").count():
            wide, room = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
            assert wide <= room, "nothing sticks out"
            watch(page)
            answer(page)
            go(page)
        page.get_by_label("25 to 34").check()
        page.get_by_role("button", name="Finish").click()
        expect(page.get_by_role("link", name="Back to Prolific")).to_have_attribute(
            "href", "https://app.prolific.com/submissions/complete?cc=DONE1"
        )
    found = rated_study(study, read_content(study))
    assert len(found.ratings) == 2 * 3
    assert {each.value for each in found.ratings} == {2}
    assert [each.chosen for each in found.preferences] == [None] * 4
    with opened_visits(study, time.time) as visits:
        assert [each.stage for each in visits.people.every()] == [Stage.DONE]


def test_questions_open_when_the_clip_has_played_and_stay_open(
    browser: Browser, study: Study
) -> None:
    with served(study, time.time) as address, opened(browser, address, viewport=DESK) as page:
        begun(page, address, study)
        expect(page.get_by_text("Please watch the clip to its end")).to_be_visible()
        page.locator("body").press(" ")  # the space bar plays
        expect(page.locator("fieldset input").first).to_be_enabled()
        page.reload()
        expect(page.locator("fieldset input").first).to_be_enabled()


def test_who_cannot_play_a_clip_can_say_so(browser: Browser, study: Study) -> None:
    with served(study, time.time) as address, opened(browser, address, viewport=DESK) as page:
        begun(page, address, study)
        page.get_by_role("button", name="It does not play").click()
        expect(page.locator("fieldset input").first).to_be_enabled()


def test_a_scale_is_used_with_the_keyboard(browser: Browser, study: Study) -> None:
    with served(study, time.time) as address, opened(browser, address, viewport=DESK) as page:
        begun(page, address, study)
        watch(page)
        page.locator("fieldset input").first.focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        expect(page.get_by_role("radio", name="4 of 7, where 1 is very").first).to_be_checked()
        expect(page.locator(".state")).to_have_text("All answers saved")


def test_it_works_without_the_script(browser: Browser, study: Study) -> None:
    with served(study, time.time) as address:
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        begun(page, address, study)
        for each in page.locator("fieldset").all():
            each.locator("input").first.check(force=True)
        go(page)
        expect(page.locator("video")).to_have_count(2)
        context.close()
    assert len(read_content(study).answers) >= 2
