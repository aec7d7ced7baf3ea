"""A report in a real browser: it opens without a network and its player can be played."""

import re
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from browsing import PHONE, Opened
from drives import line, record
from pages import BAD, measured, viewed
from pages import page as page_of
from paseo.report.pages.template import bundled
from paseo.world.arrays import FloatArray
from paseo.world.records import Contact, Outcome, Record

pytestmark = pytest.mark.browser

Shown = dict[str, dict[str, Record]]  # episode: planner: what it did


@pytest.fixture(scope="module")
def shown() -> Shown:
    """Three episodes: `straight` touches nobody, one person and two; `stop` runs out of time."""
    found = {}
    for touches, name in enumerate(("one", "two", "three")):
        person = line(speed=0.5, duration=10.0) + (0, 1 + touches)
        contacts = [
            Contact(person=1, first_step=20 * k, last_step=20 * k + 5, x=3.0, y=5.0, counted=True)
            for k in range(touches)
        ]
        way, still = line(speed=1.2, duration=5.0), line(speed=0.0, duration=10.0)
        found[name] = {
            "straight": record(way, [person[: len(way)]], contacts=contacts),
            "stop": record(still, [person], outcome=Outcome.OUT_OF_TIME),
        }
    return found


@pytest.fixture(scope="module")
def file(shown: Shown, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page") / "report.html"
    out.write_text(page_of([each for name in shown for each in viewed(name, shown[name])]))
    return out


def seconds(page: Page) -> float:
    return float(page.locator("#time").input_value())


def drawn(page: Page) -> str:
    return str(page.locator("#view").evaluate("(view) => view.toDataURL()"))


def legend(page: Page) -> Locator:
    return page.locator("#legend li")


def test_it_plays_pauses_and_ends(page: Page) -> None:
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    expect(page.locator("#clock")).to_have_text(re.compile("^[1-9]"))
    page.get_by_role("button", name="Pause", exact=True).click()
    paused = seconds(page)
    page.wait_for_timeout(150)
    assert seconds(page) == paused
    page.locator("#speed").select_option("8")
    end = float(page.locator("#time").get_attribute("max") or 0)
    page.locator("#time").fill(f"{end - 1:.1f}")
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    assert seconds(page) == pytest.approx(end, abs=0.1)
    expect(page.locator("#clock")).to_have_text(f"{end:.1f} / {end:.1f} s")


def test_scrubbing_shows_another_time(page: Page) -> None:
    before = drawn(page)
    page.locator("#time").fill("4")
    expect(page.locator("#clock")).to_contain_text("4.0 /")
    expect(legend(page).first.locator(".news")).to_have_text("1.2 m/s, nearest 2.5 m")
    expect(legend(page).last.locator(".news")).to_contain_text("0.0 m/s")
    assert drawn(page) != before
    page.locator("#time").fill("0")
    assert drawn(page) == before


def test_steps_are_a_tenth_of_a_second(page: Page) -> None:
    for _ in range(3):
        page.get_by_role("button", name="Step forward").click()
    page.get_by_role("button", name="Step back").click()
    assert seconds(page) == pytest.approx(0.2)


def test_planners_can_be_switched_off_and_stay_off(page: Page) -> None:
    page.locator("#time").fill("3")
    both, marks = drawn(page), page.locator("#marks .end").count()
    legend(page).first.get_by_role("checkbox").uncheck()
    assert drawn(page) != both
    assert page.locator("#marks .end").count() == marks - 1
    page.get_by_role("button", name="Next episode").click()
    expect(legend(page).first.get_by_role("checkbox")).not_to_be_checked()
    legend(page).first.get_by_role("checkbox").check()
    page.get_by_role("button", name="Previous episode").click()
    page.locator("#time").fill("3")
    assert drawn(page) == both


def test_episodes_follow_each_other_in_a_ring(page: Page) -> None:
    names = page.locator("#choice option").all_inner_texts()
    assert len(names) == 3
    shown = []
    for _ in range(4):
        shown.append(page.locator("#choice option:checked").inner_text())
        page.get_by_role("button", name="Next episode").click()
    assert shown == [*names, names[0]]
    page.locator("#choice").select_option(names[2])
    expect(page.locator("#view")).to_have_attribute("aria-label", f"{names[2]} from above")


def test_everything_works_by_keys(page: Page) -> None:
    page.locator("#view").focus()
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    assert seconds(page) == pytest.approx(0.9)
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    page.keyboard.press("Space")
    page.keyboard.press("2")
    expect(legend(page).last.get_by_role("checkbox")).not_to_be_checked()
    page.keyboard.press("End")
    assert seconds(page) > 5
    page.keyboard.press("n")
    expect(page.locator("#choice")).to_have_value("1")
    assert seconds(page) == 0


def test_cards_are_filtered_sorted_and_lead_to_the_player(page: Page) -> None:
    cards = page.locator(".card:visible")
    page.locator("#show").select_option("failed by stop")
    assert cards.count() == 3
    page.locator("#show").select_option("failed by straight")
    assert cards.count() == 2
    page.locator("#show").select_option("solved by all")
    assert cards.count() == 0
    expect(page.locator("#none")).to_be_visible()
    page.locator("#show").select_option("all episodes")
    name = cards.nth(1).locator("h3").inner_text()
    page.locator("#wanted").fill(name.upper())
    assert cards.count() == 1
    expect(page.locator("#count")).to_have_text("1 of 3")
    cards.first.get_by_role("button").click()
    expect(page.locator("#choice option:checked")).to_have_text(name)
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    page.locator("#wanted").fill("")
    page.locator("#order").select_option("contacts")
    assert cards.locator("h3").all_inner_texts() == ["three", "two", "one"]
    page.locator("#map").select_option("two")
    assert cards.count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_the_switch(
    browser: Browser, file: Path, scheme: str
) -> None:
    opened = Opened(browser, file, color_scheme=scheme)
    page = opened.page
    ground = "getComputedStyle(document.body).backgroundColor"
    pages, pictures = {}, {}
    for choice in ("Auto", "Light", "Dark"):
        page.get_by_text(choice, exact=True).click()
        pages[choice], pictures[choice] = page.evaluate(ground), drawn(page)
    assert pages["Auto"] == pages[scheme.capitalize()]
    assert pictures["Auto"] == pictures[scheme.capitalize()]
    assert pages["Light"] != pages["Dark"]
    assert pictures["Light"] != pictures["Dark"]
    assert opened.complaints == []
    page.close()


def test_a_phone_shows_everything_without_scrolling_sideways(browser: Browser, file: Path) -> None:
    opened = Opened(browser, file, viewport=PHONE)
    assert opened.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    for part in ("#play", "#time", "#legend", "#clock", "#speed"):
        box = opened.page.locator(part).bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]
    opened.page.close()


def test_every_control_has_a_name(page: Page) -> None:
    unnamed = page.locator("button, select, input, canvas").evaluate_all(
        "(found) => found.filter((each) => !each.ariaLabel && !each.labels?.length)"
        ".map((each) => each.outerHTML)"
    )
    assert unnamed == []


def test_people_who_answer_are_those_of_the_chosen_planner(
    browser: Browser, tmp_path: Path
) -> None:
    file = tmp_path / "report.html"
    records = {
        "straight": record(line(), [line(speed=0.5) + (0, 1)]),
        "stop": record(line(speed=0.0), [line(speed=0.5) + (0, 2)]),
    }
    file.write_text(page_of(viewed("e0", records)))
    page = Opened(browser, file).page
    expect(page.locator("#crowd-note")).to_contain_text("Shown are those of")
    assert page.locator("#crowd option").all_inner_texts() == ["straight", "stop"]
    before = drawn(page)
    page.locator("#crowd").select_option("stop")
    assert drawn(page) != before
    page.close()


def test_names_that_want_to_be_code_are_only_shown(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "bad.html"
    file.write_text(page_of(measured(BAD, BAD), title=BAD))
    opened = Opened(browser, file)
    for place in ("h1", ".card h3", "#legend .name >> nth=0", "#choice option:checked"):
        expect(opened.page.locator(place)).to_have_text(BAD)
    assert opened.page.locator("img").count() == 0
    opened.page.locator("#play").click()  # its only drive has long ended, or lasts
    assert opened.complaints == []
    opened.page.close()


UNPACKED = """(scenes) => {
  %s
  return scenes.map(unpackedScene).map((scene) => ({
    robots: scene.drives.map((drive) => [0, 0.37, 2.05, 999].map((time) => poseAt(drive, time))),
    people: [0, 0.37, 2.05].map((time) => peopleAt(scene.crowds[0], time)
      .map(({person, x, y}) => [person, x, y])),
  }));
}"""


def test_the_browser_unpacks_what_the_records_hold(page: Page, shown: Shown) -> None:
    packed = page.evaluate("JSON.parse(document.getElementById('data').textContent).scenes")
    unpacked = page.evaluate(UNPACKED % bundled(("walk/codec", "walk/scene")), packed)
    records = [each for planners in shown.values() for each in planners.values()]
    for scene, straight, stop in zip(unpacked, records[::2], records[1::2], strict=True):
        for poses, made in zip(scene["robots"], (straight, stop), strict=True):
            for pose, time in zip(poses, (0, 0.37, 2.05, 999), strict=True):
                expected = _between(made.robot[:, :2], time)
                assert [pose["x"], pose["y"]] == pytest.approx(expected, abs=0.011)
        for people, time in zip(scene["people"], (0, 0.37, 2.05), strict=True):
            ((person, x, y),) = people
            assert person == 0
            assert [x, y] == pytest.approx(_between(stop.people[:, 0], time), abs=0.011)


def _between(places: FloatArray, time: float) -> list[float]:
    """Where somebody is between two states, 0.05 s apart."""
    states = np.arange(len(places)) * 0.05
    return [float(np.interp(time, states, column)) for column in places.T]


def test_all_planners_are_in_view_and_none_is_cut(browser: Browser, tmp_path: Path) -> None:
    way = line(speed=1.2, duration=2.0)
    names = [f"a_planner_of_a_very_long_name.py:Number{k}:parameter=0.{k}" for k in range(12)]
    out = tmp_path / "many.html"
    out.write_text(page_of(viewed("one", {name: record(way) for name in names})))
    opened = Opened(browser, out)
    legend(opened.page).last.scroll_into_view_if_needed()
    hidden = opened.page.evaluate(
        """() => [...document.querySelectorAll("#legend, #legend .name, #cards .name")]
             .filter((each) => each.scrollHeight > each.clientHeight + 1 && each.clientHeight > 0
                            || each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0)
             .length"""
    )
    assert hidden == 0
    assert legend(opened.page).count() == 12
    looks = opened.page.locator("#legend label").evaluate_all(
        "(all) => all.map((e) => e.className)"
    )
    assert len(set(looks)) == 12
    assert opened.complaints == []
    opened.page.close()


def test_contacts_on_the_time_line_and_their_key_tell_the_cause(page: Page) -> None:
    page.locator("#choice").select_option("2")
    kinds = page.locator("#marks .contact").evaluate_all("(all) => all.map((e) => e.classList[1])")
    assert len(kinds) == 2
    assert set(kinds) <= {"caused", "shared", "walked"}
    expect(page.locator(".causes li")).to_have_text(
        ["contact caused by the robot", "shared", "walked into the robot"]
    )
