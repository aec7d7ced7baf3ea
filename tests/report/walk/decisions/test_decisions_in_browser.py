"""Decisions in a real browser: they follow the time, contacts lead to them, phones show them."""

import base64
import io
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, Opened
from comparisons import compared
from decided import decision
from drives import line, record
from pages import BAD, viewed
from paseo.report.walk.decisions.telling import Chronicle
from paseo.report.walk.decisions.views import Asked, DrivenView, Wordbook, decision_view
from paseo.report.walk.episodes import corner_of
from paseo.report.walk.webpage import webpage
from paseo.world.records import Contact, Record

pytestmark = [pytest.mark.browser, pytest.mark.extra("plots")]


def painted() -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 96), "green").save(buffer, "JPEG")
    return base64.b64encode(buffer.getvalue()).decode()


def touching() -> Record:
    """Contacts at 1.5 s and 4.0 s; the next decision is at the very time of the second."""
    contacts = [
        Contact(person=1, first_step=step, last_step=step + 2, x=4.0, y=5.0, counted=True)
        for step in (30, 80)
    ]
    return record(line(), [line(speed=0.5) + (0, 1)], contacts=contacts)


def driven(made: Record, corner: object, book: Wordbook, *, waits: bool = True) -> DrivenView:
    """Decisions at 0, 1, 2.35 and 4 s; the first has a picture, the second wants to be code."""
    late = 0.0 if waits else 0.5
    noted = [
        decision(0, 0.0, latency_s=late),
        decision(1, 1.0, said="behind", reply=BAD, latency_s=late),
        decision(2, 2.35, chosen=None, reply="", latency_s=late),
        decision(3, 4.0, true=None, latency_s=late),
    ]
    views = [decision_view(each, made, corner, book) for each in noted]  # type: ignore[arg-type]
    lines = book.lines.packed(["Where would you go?", BAD, "Where would you go?"])
    asked = Asked(questions="", choice=lines, picture=painted())
    first = replace(views[0], asked=asked)
    if not waits:
        views = [replace(each, arrives=each.time + late) for each in views]
        first = replace(views[0], asked=asked)
    return DrivenView(model="m", waits=waits, sees=True, problem="", decisions=(first, *views[1:]))


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two episodes: in the first a model drives beside another planner, in the second two do."""
    made, book = touching(), Wordbook()
    first = viewed("one", {"model": made, "stop": record(line(speed=0.0), [(6, 7)])})
    second = viewed("two", {"model": made, "other": made})
    corner = corner_of(first[0][1].floorplan)
    drives = (
        driven(made, corner, book),
        None,
        driven(made, corner, book),
        driven(made, corner, book, waits=False),
    )
    chronicle = Chronicle(drives=drives, book=book, note="for 1 of 12 decisions")
    found = [*first, *second]
    comparison = compared(*(each for each, _ in found))
    out = tmp_path_factory.mktemp("page") / "decisions.html"
    out.write_bytes(webpage(found, comparison, title="decisions", chronicle=chronicle))
    return out


def seconds(page: Page) -> float:
    return float(page.locator("#time").input_value())


def test_the_panel_follows_the_time(page: Page) -> None:
    title = page.locator("#decisions-title")
    expect(title).to_have_text("Decision 1 of 4, 0.0 s")
    expect(page.locator("#chosen")).to_have_text("B: 2.0 m ahead, 0.5 m to the left, at 1.0 m/s")
    page.locator("#time").fill("1.9")
    expect(title).to_have_text("Decision 2 of 4, 1.0 s")
    expect(page.locator("#decided .now")).to_have_count(1)
    page.locator("#time").fill("2.4")
    expect(title).to_have_text("Decision 3 of 4, 2.4 s")
    expect(page.locator("#chosen")).to_have_text("No waypoint: the robot stops")
    expect(page.locator("#said-problem")).to_have_text("no answer could be read")
    page.locator("#time").fill("0.2")
    page.locator("#play").click()
    expect(title).to_have_text("Decision 4 of 4, 4.0 s")


def test_a_contact_leads_to_the_last_decision_before_it(page: Page) -> None:
    contacts = page.locator("#led button")
    assert contacts.count() == 2
    expect(contacts.first).to_contain_text("1.5 s person 1, ")
    contacts.first.click()
    assert seconds(page) == pytest.approx(1.0)
    expect(page.locator("#decisions-title")).to_have_text("Decision 2 of 4, 1.0 s")
    expect(contacts.first).to_have_attribute("aria-current", "true")
    expect(contacts.last).to_have_attribute("aria-current", "false")
    page.locator("#marks .contact").last.click()  # on the time line
    expect(page.locator("#decisions-title")).to_have_text("Decision 3 of 4, 2.4 s")
    assert seconds(page) == pytest.approx(2.35, abs=0.06)
    expect(page.locator("#said")).to_contain_text("Decision 3 of 4")


def test_everything_works_by_keys(page: Page) -> None:
    page.locator("#view").focus()
    reached = []
    for key in ("d", "d", "Shift+d", "c", "d", "Shift+c", "d", "d", "d", "d"):
        page.keyboard.press(key)
        reached.append(page.locator("#decisions-title").inner_text()[9])
    assert reached == ["2", "3", "2", "3", "4", "3", "4", "4", "4", "4"]
    page.locator("#led button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#decisions-title")).to_have_text("Decision 2 of 4, 1.0 s")
    asked = page.locator("summary", has_text="Asked")
    asked.focus()
    page.keyboard.press("Space")
    expect(page.locator("#asked-none")).to_be_visible()
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_what_was_seen_asked_said_and_true_is_shown_as_text(page: Page) -> None:
    expect(page.locator("#saw")).to_be_visible()
    assert page.locator("#saw").evaluate("(saw) => saw.decode().then(() => saw.naturalWidth)") == 64
    page.locator("summary", has_text="Asked").click()
    expect(page.locator("#asked-choice pre")).to_have_text(
        f"Where would you go?\n{BAD}\nWhere would you go?"
    )
    expect(page.locator("#asked-questions")).to_be_hidden()
    expect(page.locator("#counts")).to_have_text("1 right1 too close to call")
    page.locator("#time").fill("1")
    expect(page.locator("#said-text")).to_have_text(BAD)
    expect(page.locator("#saw")).to_be_hidden()
    expect(page.locator("#saw-words")).to_contain_text("found no room")
    expect(page.locator("#near .waypoint.taken")).to_have_count(1)
    expect(page.locator("#near .touched")).to_have_count(1)
    wrong = page.locator("#answers .wrong li")
    expect(wrong).to_contain_text("Where is person 1 relative to the robot in the last frame?")
    expect(wrong).to_contain_text("said behind, true ahead of")
    expect(page.locator("#decisions-note")).to_have_text("for 1 of 12 decisions")


PLACED = """() => {
  const view = document.getElementById("view").getBoundingClientRect();
  const mark = document.querySelector("#choices .taken").getBoundingClientRect();
  const box = JSON.parse(document.getElementById("data").textContent).scenes[0].box;
  const scale = Math.min(view.width / (box[2] - box[0]), view.height / (box[3] - box[1]));
  return [
    (mark.x + mark.width / 2 - view.x - view.width / 2) / scale + (box[0] + box[2]) / 2,
    (box[1] + box[3]) / 2 - (mark.y + mark.height / 2 - view.y - view.height / 2) / scale,
  ];
}"""


def test_the_map_shows_the_candidates_where_they_are(page: Page) -> None:
    expect(page.locator("#choices .waypoint")).to_have_count(2)
    assert page.evaluate(PLACED) == pytest.approx([4.0, 5.5], abs=0.05)
    page.locator("#legend input").first.uncheck()
    expect(page.locator("#choices .waypoint")).to_have_count(0)
    expect(page.locator("#undecided")).to_contain_text("switched off")
    expect(page.locator("#decided button")).to_have_count(0)


def test_of_several_models_one_is_chosen_and_late_answers_are_told(page: Page) -> None:
    expect(page.locator("#driver")).to_be_hidden()
    page.get_by_role("button", name="Next episode").click()
    page.locator("#driver").select_option("other")
    page.locator("#time").fill("1.2")
    expect(page.locator("#late")).to_have_text(
        "The reply took 0.50 s: the robot had it at 1.50 s. Until then decision 1 is in force."
    )
    page.locator("#led button").first.click()  # of 1.5 s: it did not have the second yet
    expect(page.locator("#decisions-title")).to_have_text("Decision 1 of 4, 0.0 s")
    page.locator("#time").fill("1.6")
    expect(page.locator("#late")).to_have_text("The reply took 0.50 s: the robot had it at 1.50 s.")


def test_a_phone_shows_it_without_scrolling_sideways(browser: Browser, file: Path) -> None:
    opened = Opened(browser, file, viewport=PHONE)
    page = opened.page
    page.locator("#led button").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for part in ("#decided", "#led", "#near", "#answers", "#said-text", "#decision-after"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]
    assert opened.complaints == []
    page.close()


def test_every_control_has_a_name(page: Page) -> None:
    unnamed = page.locator("#player button, #player select, #player img:visible").evaluate_all(
        "(found) => found.filter((each) => !each.ariaLabel && !each.alt && !each.textContent)"
        ".map((each) => each.outerHTML)"
    )
    assert unnamed == []
