"""The robot's view in a real browser: marks, pictures beside the map, keys, depth, phones."""

import base64
import io
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, Opened
from comparisons import compared
from drives import line, record
from pages import BAD, viewed
from paseo.report.walk.views.pictures import Album, Picture
from paseo.report.walk.webpage import webpage
from paseo.world.cameras import level_camera

pytestmark = [pytest.mark.browser, pytest.mark.extra("plots")]


def painted(colour: str) -> str:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(buffer, "JPEG")
    return base64.b64encode(buffer.getvalue()).decode()


def picture(time: float, words: str, *, outline: str = "M8 8l20 0 0 30z") -> Picture:
    return Picture(
        time=time,
        person=1,
        words=words,
        rgb=painted("green"),
        depth=painted("navy"),
        outline=outline,
    )


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two episodes of two planners; of the second only one drive has a picture."""
    drives = {"straight": record(line(), [(6, 7)]), "stop": record(line(speed=0.0), [(6, 7)])}
    found = [*viewed("one", drives), *viewed("two", drives)]
    album = Album(
        camera=level_camera(64, 48, across=1.3),
        drives=(
            (picture(1.0, "first meets person 1"), picture(4.0, "contact with person 1")),
            (picture(4.1, BAD, outline=""),),
            (),
            (picture(2.0, "closest"),),
        ),
        left_out=3,
        walled=0,
    )
    out = tmp_path_factory.mktemp("page") / "views.html"
    comparison = compared(*(each for each, _ in found))
    out.write_bytes(webpage(found, comparison, title="views", album=album))
    return out


def seconds(page: Page) -> float:
    return float(page.locator("#time").input_value())


def test_near_a_moment_its_picture_is_shown_and_elsewhere_the_next_is_told(page: Page) -> None:
    seen, words = page.locator("#seen"), page.locator("#seen-words")
    expect(page.locator("#nothing-seen")).to_contain_text("The next is of 1.0 s")
    expect(seen).to_be_hidden()
    page.locator("#time").fill("1.2")
    expect(seen).to_be_visible()
    expect(words).to_have_text("1.0 s straight: first meets person 1, outlined")
    expect(page.locator("#outlined .over")).to_have_attribute("d", "M8 8l20 0 0 30z")
    assert seen.evaluate("(seen) => seen.decode().then(() => seen.naturalWidth)") == 64
    page.locator("#time").fill("5.9")
    expect(seen).to_be_hidden()
    expect(words).to_have_text("")
    expect(page.locator(".eyes-note")).to_have_text("3 more moments found no room")


def test_while_it_plays_pictures_come_when_their_time_does(page: Page) -> None:
    page.locator("#legend input").last.uncheck()
    page.locator("#time").fill("0.2")
    page.locator("#play").click()
    expect(page.locator("#seen-words")).to_contain_text("first meets")
    expect(page.locator("#seen-words")).to_contain_text("contact with person 1")


def test_a_mark_leads_to_its_moment(page: Page) -> None:
    marks = page.locator("#sights button")
    assert marks.count() == 3
    marks.nth(1).click()
    assert seconds(page) == pytest.approx(4.0)
    expect(page.locator("#seen-words")).to_contain_text("contact with person 1")
    expect(marks.nth(1)).to_have_class("p0 now")
    expect(page.locator("#said")).to_have_text("4.0 s, straight: contact with person 1")
    # Another one of nearly the same time is not taken for it.
    marks.nth(2).click()
    expect(page.locator("#seen-words")).to_have_text(f"4.1 s stop: {BAD}")
    expect(page.locator("#outlined .over")).to_have_attribute("d", "")
    box = marks.nth(1).bounding_box()
    line = page.locator("#time").bounding_box()
    assert box is not None and line is not None
    inner = (line["x"] + 8, line["width"] - 16)  # a thumb's middle stays so far from the ends
    assert box["x"] + box["width"] / 2 == pytest.approx(inner[0] + inner[1] * 4 / 6, abs=1.5)


def test_keys_and_buttons_go_from_view_to_view_in_a_ring(page: Page) -> None:
    page.locator("#view").focus()
    reached = []
    for key in ("v", "V", "Shift+v", "v", "v", "v", "v"):
        page.keyboard.press(key)
        reached.append(seconds(page))
    assert reached == pytest.approx([1.0, 4.0, 1.0, 4.0, 4.1, 1.0, 4.0])
    page.get_by_role("button", name="Next view").click()
    assert seconds(page) == pytest.approx(4.1)
    page.locator("#time").fill("3")
    page.get_by_role("button", name="View before").click()
    assert seconds(page) == pytest.approx(1.0)


def test_depth_is_a_switch(page: Page) -> None:
    page.locator("#time").fill("1")
    expect(page.locator("#metres")).to_be_hidden()
    colours = page.locator("#seen").get_attribute("src")
    page.get_by_label("Depth").check()
    expect(page.locator("#metres")).to_contain_text("10 m")
    assert page.locator("#seen").get_attribute("src") != colours
    alt = page.locator("#seen").get_attribute("alt") or ""
    assert alt.startswith("Depth at 1.0 s, straight: first meets person 1")
    page.get_by_label("Depth").uncheck()
    assert page.locator("#seen").get_attribute("src") == colours


def test_planners_that_are_off_and_other_episodes_have_no_marks(page: Page) -> None:
    page.locator("#time").fill("4")
    page.locator("#legend input").first.uncheck()
    assert page.locator("#sights button").count() == 1
    expect(page.locator("#seen-words")).to_contain_text("4.1 s stop")
    page.locator("#legend input").last.uncheck()
    expect(page.locator("#nothing-seen")).to_have_text("No pictures of these drives.")
    expect(page.get_by_role("button", name="Next view")).to_be_disabled()
    page.locator("#legend input").last.check()
    page.get_by_role("button", name="Next episode").click()
    expect(page.locator("#sights button")).to_have_count(1)
    page.locator("#sights button").click()
    expect(page.locator("#seen-words")).to_have_text("2.0 s stop: closest, outlined")


def test_a_phone_shows_map_and_picture_without_scrolling_sideways(
    browser: Browser, file: Path
) -> None:
    opened = Opened(browser, file, viewport=PHONE)
    page = opened.page
    page.locator("#time").fill("1")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    tops = [page.locator(part).bounding_box() for part in ("#view", "#seen")]
    assert tops[0] is not None and tops[1] is not None
    assert tops[1]["y"] + tops[1]["height"] / 2 - tops[0]["y"] < PHONE["height"]
    for part in ("#seen", "#seen-words", "#sights", "#depth", "#sight-after"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]
    assert opened.complaints == []
    page.close()


def test_every_control_has_a_name(page: Page) -> None:
    unnamed = page.locator("#player button, #player input, #player img:visible").evaluate_all(
        "(found) => found.filter((each) => !each.ariaLabel && !each.labels?.length && !each.alt)"
        ".map((each) => each.outerHTML)"
    )
    assert unnamed == []
