"""Tracks corrected in a real browser: merged, split, deleted, taken back; kept over a reload."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import DESK, PHONE
from paseo.pipeline.reconstruction_file import load_reconstruction
from served_pages import DRIVE, served_page, session

pytestmark = [pytest.mark.browser, pytest.mark.extra("survey")]


@pytest.fixture(params=[DESK, PHONE], ids=["desk", "phone"])
def page(browser: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    complaints: list[str] = []
    (tmp_path / "pictures").mkdir()
    with served_page(session(tmp_path), DRIVE, tmp_path / "pictures") as address:
        page = browser.new_page(viewport=request.param)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address)
        expect(page.get_by_role("button", name="Choose person 1")).to_be_visible()
        yield page
        page.close()
    assert complaints == []


def chosen(page: Page, *people: int) -> None:
    for person in people:
        page.get_by_role("button", name=f"Choose person {person}", exact=True).click()


def test_a_person_merges_splits_deletes_and_takes_back(page: Page, tmp_path: Path) -> None:
    chosen(page, 1, 3)
    expect(page.locator("#chosen")).to_have_text("People 1 and 3 are chosen.")
    page.get_by_role("button", name="They are one").click()
    expect(page.locator("#corrections li")).to_have_text(["3 is 1"])
    page.reload()
    expect(page.locator("#corrections li")).to_have_text(["3 is 1"])
    page.locator("#at").evaluate(
        "each => { each.value = 30; each.dispatchEvent(new Event('input')); }"
    )
    chosen(page, 2)
    page.get_by_role("button", name="Somebody else from here on").click()
    expect(page.get_by_role("button", name="Choose person 4")).to_be_visible()
    chosen(page, 2, 4)
    page.get_by_role("button", name="Nobody", exact=False).click()
    expect(page.locator("#corrections li")).to_have_count(3)
    page.get_by_role("button", name="Take back").click()
    expect(page.locator("#corrections li")).to_have_count(2)
    kept = load_reconstruction(tmp_path / "mended.npz")
    assert sorted(each.person for each in kept.tracks) == [1, 2, 4]


def test_what_cannot_be_is_said_and_nothing_is_lost(page: Page) -> None:
    chosen(page, 1, 2)
    page.get_by_role("button", name="They are one").click()
    expect(page.locator("#trouble")).to_contain_text("are both seen in")
    expect(page.locator("#people tr")).to_have_count(3)


def test_people_are_chosen_in_the_picture_too(page: Page) -> None:
    expect(page.locator("#marks")).not_to_have_js_property("width", 1)
    box = page.evaluate("boxes()[0]")
    scale = page.evaluate("part('frame').clientWidth / drive.width")
    x, y = (box[1] + box[3]) / 2 * scale, (box[2] + box[4]) / 2 * scale
    page.locator("#marks").click(position={"x": x, "y": y})
    expect(page.locator("#chosen")).to_have_text(f"Person {box[0]} is chosen.")
