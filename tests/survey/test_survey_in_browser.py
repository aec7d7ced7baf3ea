"""A whole study in a real browser: from consent to the code, with a break, on a phone too."""

import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import DESK, PHONE
from paseo.survey.store.people import Stage
from paseo.survey.study.folder import Study
from paseo.survey.study.settings import Codes, Way
from studies import opened_visits, served, tiny_study
from surfing import begun, opened

pytestmark = [pytest.mark.browser, pytest.mark.extra("survey")]

PLACES = [
    pytest.param({"viewport": DESK}, id="desk"),
    pytest.param({"viewport": PHONE, "is_mobile": True, "has_touch": True}, id="phone"),
]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    scenes = {"yard": (1,), "street": ()}
    codes = Codes(complete="DONE1")
    return tiny_study(tmp_path / "study", scenes, size=640, way=Way.PROLIFIC, codes=codes)


def answer(page: Page) -> None:
    """Choose the first of every question on the page; where one is told what to choose, that."""
    for each in page.locator("fieldset").all():
        words = each.locator("legend").inner_text()
        wanted = words.partition("choose “")[2].partition("”")[0]
        choice = each.get_by_label(wanted, exact=True) if wanted else each.locator("input").first
        if not choice.is_checked():
            choice.check()
            expect(page.locator(".state")).to_have_text("All answers saved")


def go(page: Page, name: str = "next") -> None:
    with page.expect_navigation():
        page.locator(f"button[value={name}]").click()


@pytest.mark.parametrize("how", PLACES)
def test_somebody_takes_part_with_a_break_and_gets_the_code(
    browser: Browser, study: Study, how: dict[str, Any]
) -> None:
    with served(study, time.time) as address, opened(browser, address, **how) as page:
        begun(page, address, study)
        answer(page)
        page.reload()  # the page had not been sent, and its answer is there
        expect(page.locator("form.step h2")).not_to_have_text("The robot")
        go(page, "back")
        expect(page.locator("input:checked")).to_have_count(1)
        widths = "() => [document.documentElement.scrollWidth, innerWidth]"
        wide, room = page.evaluate(widths)
        assert wide <= room, "nothing sticks out"
        while page.locator("form.step").count():
            answer(page)
            go(page)
        page.get_by_label("25 to 34").check()
        page.get_by_label("Is there anything you want to tell us?").fill("It was fine.")
        page.get_by_role("button", name="Finish").click()
        expect(page.get_by_role("link", name="Back to Prolific")).to_have_attribute(
            "href", "https://app.prolific.com/submissions/complete?cc=DONE1"
        )
    with opened_visits(study, time.time) as visits:
        assert [each.stage for each in visits.people.every()] == [Stage.DONE]
        answers = visits.answers.every()
        assert len(answers) == 3 + 15 + 2
        assert all(each.changes == 0 for each in answers)
        assert all(0.0 < each.on_page < 3600.0 for each in answers)


def test_frames_are_stepped_and_played_with_keys_and_buttons(
    browser: Browser, study: Study
) -> None:
    with served(study, time.time) as address, opened(browser, address, viewport=DESK) as page:
        begun(page, address, study)
        shown = page.locator(".frames img.shown")
        expect(shown).to_have_attribute("alt", "Frame 1 of 3 · 0.00 s")
        page.locator("body").press("ArrowRight")
        expect(shown).to_have_attribute("alt", "Frame 2 of 3 · 0.25 s")
        page.get_by_role("button", name="Next frame").click()
        expect(shown).to_have_attribute("alt", "Frame 3 of 3 · 0.50 s")
        page.reload()
        expect(shown).to_have_attribute("alt", "Frame 3 of 3 · 0.50 s")
        page.get_by_role("button", name="Play").click()
        expect(shown).to_have_attribute("alt", "Frame 1 of 3 · 0.00 s")
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        page.locator("body").press("ArrowLeft")
        expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_an_answer_waits_for_the_connection_and_then_arrives_once(
    browser: Browser, study: Study
) -> None:
    with served(study, time.time) as address:
        page = browser.new_page(viewport=DESK)
        begun(page, address, study)
        page.context.set_offline(True)
        page.locator("input[type=checkbox]").first.check()
        expect(page.locator(".state")).to_contain_text("No connection")
        page.context.set_offline(False)
        expect(page.locator(".state")).to_have_text("All answers saved")
        page.close()
    with opened_visits(study, time.time) as visits:
        assert [each.option for each in visits.answers.every()] == [("moving ahead",)]


def test_it_works_without_the_script(browser: Browser, study: Study) -> None:
    with served(study, time.time) as address:
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        begun(page, address, study)
        assert page.locator(".frames img").count() == 3
        page.locator("input[type=checkbox]").first.check()
        go(page)
        expect(page.locator("form.step h2")).not_to_have_text("The robot")
        context.close()
    with opened_visits(study, time.time) as visits:
        assert len(visits.answers.every()) >= 1
