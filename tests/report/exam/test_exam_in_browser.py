"""The page of an exam in a real browser: it is filtered, scrubbed and read without a network."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect

from browsing import PHONE, Opened
from exams import Answering, first_choice
from paseo.report.exam.page import exam_page
from paseo.vlm.models import Prompt
from paseo.vqa.exam.replies import stored_replies
from paseo.vqa.exam.results import exam_sheet
from paseo.vqa.exam.transcript import Transcript, transcript
from shown_exams import BAD, IDS, change_plan, moody, put

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def model() -> Answering:
    return Answering(moody)


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory, model: Answering) -> Transcript:
    folder = put(tmp_path_factory.mktemp("exam"), model)
    change_plan(folder, model=BAD)
    return transcript(folder)


@pytest.fixture(scope="module")
def file(exam: Transcript) -> Path:
    out = Path(exam.sheet.source).parent / "exam.html"
    out.write_bytes(exam_page(exam))
    return out


@pytest.fixture
def page(browser: Browser, file: Path) -> Iterator[Page]:
    opened = Opened(browser, file, reduced_motion="reduce")
    yield opened.page
    assert opened.complaints == []
    opened.page.close()


def cards(page: Page) -> Locator:
    return page.locator(".question")


def chosen(page: Page, **values: str) -> int:
    """How many questions pass with some filters set."""
    for id, value in values.items():
        page.locator(f"#{id}").select_option(value)
    return int(page.locator("#count").inner_text().split(" of ")[0])


def picture(page: Page) -> str:
    """The shown picture; exactly one is."""
    (source,) = page.locator("#frames img.shown").evaluate_all("(all) => all.map((i) => i.src)")
    return str(source)


def test_filters_count_what_the_store_holds(page: Page, exam: Transcript) -> None:
    folder = Path(exam.sheet.source)
    answers = [each for given in exam_sheet(folder).answers.values() for each in given]
    failures = [each for each in stored_replies(folder / "replies.sqlite") if each.reply is None]
    assert chosen(page, state="invalid") == sum(each.invalid for each in answers) == 3
    assert chosen(page, state="failed") == len(failures) == 3
    assert chosen(page, state="tolerant") == sum(each.tolerant for each in answers) == 6
    assert chosen(page, state="all") == len(answers) + len(failures) == 81
    assert chosen(page, state="differs") == 6
    assert cards(page).count() == 6
    expect(cards(page).first.locator(".badge")).to_have_text("40 % agree")


def test_filters_work_together_and_are_cleared(page: Page) -> None:
    assert chosen(page, reasoning="social") == 3 * 2 * 7
    assert chosen(page, person="2") == 3 * 7
    assert chosen(page, scene="yard-2") == 7
    assert chosen(page, kind="What the robot does") == 1
    expect(cards(page).locator(".asked")).to_contain_text("with regard to person 2")
    page.locator("#wanted").fill("no such words")
    expect(page.locator("#none")).to_be_visible()
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#count")).to_have_text("81 of 81")
    page.locator("#wanted").fill("ONERROR")
    expect(page.locator("#count")).to_have_text("6 of 81")  # three replies, three failures
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Person is affected").click()
    expect(page.locator("#count")).to_have_text("6 of 81")


def test_sorting_brings_the_worst_to_the_top(page: Page) -> None:
    page.locator("#order").select_option("agreement")
    expect(cards(page).first.locator(".badge")).to_have_text(re.compile("cannot be read|0 % agree"))
    chosen(page, state="differs")
    page.locator("#order").select_option("sure")
    expect(cards(page).first.locator(".badge")).to_have_text("0 % agree")
    expect(cards(page).last.locator(".badge")).to_have_text("40 % agree")


def test_votes_are_bars_beside_the_models_answer(page: Page) -> None:
    chosen(page, state="differs", kind="Robot is affected", scene="yard-1")
    rows = page.locator(".votes li")
    assert rows.locator(".number").all_inner_texts() == ["4", "6"]
    assert rows.locator(".name").all_inner_texts() == ["yes", "no"]
    expect(rows.first.locator(".model")).to_have_text("model")
    expect(rows.last.locator(".model")).to_have_text("")
    widths = rows.locator(".vote i").evaluate_all("(all) => all.map((bar) => bar.style.width)")
    assert widths == ["40%", "60%"]


def test_replies_and_prompts_are_read_as_they_were_written(page: Page, model: Answering) -> None:
    chosen(page, state="invalid", scene="yard-3")
    card = cards(page).first
    card.get_by_text("Reply · 0.50 s · 100 tokens in, 10 out · $0.010").click()
    assert card.locator(".raw").text_content() == BAD
    expect(card.locator(".problem")).to_contain_text("is not clearly one of avoiding")
    card.get_by_text("The whole prompt").click()
    (asked,) = [each.text for each in model.asked if each.id == "yard-3/q_person_action_p1"]
    assert card.locator(".prompt pre").text_content() == asked
    chosen(page, state="failed")
    card.get_by_text("No reply").click()
    expect(card.locator(".problem")).to_have_text(f"no: {BAD}")
    expect(page.locator("h1")).to_have_text(BAD)
    assert page.locator("body img:not(#frames img)").count() == 0


def test_frames_are_scrubbed_stepped_and_played(page: Page) -> None:
    assert page.locator("#frames img").count() == 10
    seen = {picture(page)}
    expect(page.locator("#clock")).to_have_text("Frame 1 of 10 · 0.00 s")
    page.locator("#time").fill("7")
    expect(page.locator("#clock")).to_have_text("Frame 8 of 10 · 1.75 s")
    seen.add(picture(page))
    page.get_by_role("button", name="Step forward").click()
    seen.add(picture(page))
    assert len(seen) == 3
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#clock")).to_have_text(
        re.compile("Frame [1-6] of")
    )  # after the last the first
    page.get_by_role("button", name="Pause").click()
    paused = page.locator("#clock").inner_text()
    page.wait_for_timeout(350)
    assert page.locator("#clock").inner_text() == paused
    loaded = page.locator("#frames img").evaluate_all("(all) => all.map((i) => i.naturalWidth)")
    assert set(loaded) == {64}


def test_everything_works_by_keys(page: Page) -> None:
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator("#clock")).to_contain_text("Frame 2 of 10")
    for key in ("j", "j", "ArrowDown", "k"):
        page.keyboard.press(key)
    current = page.locator("[aria-current]")
    expect(current).to_have_attribute("data-number", "2")
    page.keyboard.press("Enter")
    expect(current.locator(".raw")).to_be_visible()
    page.keyboard.press("n")
    expect(page.locator("#choice option:checked")).to_have_text("yard-2")
    expect(current).to_have_attribute("data-number", "27")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    page.locator("#order").press("n")  # where letters mean something else
    expect(page.locator("#choice option:checked")).to_have_text("yard-2")


def test_the_pictures_follow_the_question_and_the_questions_the_scene(page: Page) -> None:
    chosen(page, kind="Robot's motion")
    cards(page).nth(2).click()
    expect(page.locator("#choice option:checked")).to_have_text("yard-3")
    page.get_by_role("button", name="Next scene").click()
    expect(page.locator("#choice option:checked")).to_have_text("yard-1")
    expect(cards(page).first).to_have_attribute("aria-current", "true")
    page.locator("#kind").select_option("all")
    page.get_by_role("button", name="Questions about person 2").click()
    expect(page.locator("#count")).to_have_text("12 of 81")
    assert page.locator(".question .person").all_text_contents() == ["2"] * 12


def test_cards_are_made_when_they_are_near(page: Page) -> None:
    assert cards(page).count() < 81
    page.locator("#choice").select_option("yard-3")
    expect(page.locator(".scene").first).to_have_text("yard-3")
    page.get_by_role("button", name="Earlier questions").click()
    expect(page.locator(".scene").first).to_have_text(re.compile("yard-[12]"))
    while page.locator("#earlier").is_visible():
        page.locator("#earlier").click()
    page.locator("footer").scroll_into_view_if_needed()
    expect(cards(page)).to_have_count(81)
    assert page.locator(".scene").all_text_contents() == list(IDS)
    numbers = cards(page).evaluate_all("(all) => all.map((card) => Number(card.dataset.number))")
    assert numbers == list(range(81))


def test_pictures_can_be_enlarged(page: Page) -> None:
    before = page.locator("#screen").bounding_box()
    page.get_by_role("button", name="Enlarge the pictures").click()
    after = page.locator("#screen").bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] > 2 * before["width"]


@pytest.mark.parametrize("phone", [False, True])
def test_enlarged_pictures_have_the_size_the_model_got(
    browser: Browser, exam: Transcript, tmp_path: Path, phone: bool
) -> None:
    large = 'data-width="1280" data-height="720"'
    sent = re.sub(r'data-width="\d+" data-height="\d+"', large, exam_page(exam).decode())
    (tmp_path / "large.html").write_text(sent)
    viewport = PHONE if phone else {"width": 1400, "height": 900}
    opened = Opened(browser, tmp_path / "large.html", viewport=viewport)
    page = opened.page
    page.get_by_role("button", name="Enlarge the pictures").click()
    box = page.locator("#frames img.shown").bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (1280, 720)
    expect(page.locator("#size")).to_have_text(
        "1280 \N{MULTIPLICATION SIGN} 720 pixels, as the model got them; "
        "kept here with 64 \N{MULTIPLICATION SIGN} 36"
    )
    assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
    for left in (0, 10_000):  # both edges can be reached
        page.locator("#frames").evaluate("(part, left) => part.scrollTo(left, 0)", left)
        seen = page.locator("#frames img.shown").bounding_box()
        frame = page.locator("#frames").bounding_box()
        assert seen is not None
        assert frame is not None
        edge = seen["x"] - frame["x"] if left == 0 else frame["x"] + frame["width"] - seen["x"]
        assert edge >= 0 if left == 0 else edge <= 1281 + frame["width"] - min(1280, frame["width"])
    opened.page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_system_and_the_switch(
    browser: Browser, file: Path, scheme: str
) -> None:
    page = Opened(browser, file, color_scheme=scheme).page
    grounds = {}
    for choice in ("Auto", "Light", "Dark"):
        page.get_by_text(choice, exact=True).click()
        grounds[choice] = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert grounds["Auto"] == grounds[scheme.capitalize()]
    assert grounds["Light"] != grounds["Dark"]
    page.close()


def test_a_phone_shows_everything_without_scrolling_sideways(browser: Browser, file: Path) -> None:
    page = Opened(browser, file, viewport=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.close()


def test_every_control_has_a_name(page: Page) -> None:
    unnamed = page.locator("button, select, input").evaluate_all(
        "(found) => found.filter((each) => !each.ariaLabel && !each.labels?.length"
        " && !each.textContent.trim()).map((each) => each.outerHTML)"
    )
    assert unnamed == []


def test_questions_that_want_to_be_code_are_only_shown(
    browser: Browser, exam: Transcript, tmp_path: Path
) -> None:
    file = tmp_path / "bad.html"
    ours = exam.presentation.wording
    wording = replace(ours, texts=dict.fromkeys(ours.texts, BAD))
    presentation = replace(exam.presentation, wording=wording)
    file.write_bytes(exam_page(replace(exam, presentation=presentation), pictures=False))
    opened = Opened(browser, file)
    expect(cards(opened.page).first.locator(".asked")).to_have_text(BAD)
    assert opened.page.locator("img").count() == 0
    assert opened.complaints == []
    opened.page.close()


def test_thousands_of_questions_are_filtered_without_a_wait(
    browser: Browser, exam: Transcript, tmp_path: Path
) -> None:
    copies = [f"{k}-{scene.id}" for k in range(62) for scene in exam.plan.scenes]
    plan = replace(exam.plan, scenes=tuple(replace(exam.plan.scenes[0], id=id) for id in copies))
    entries = tuple(
        replace(each, question=replace(each.question, scene=f"{k}-{each.question.scene}"))
        for k in range(62)
        for each in exam.entries
    )
    file = tmp_path / "many.html"
    many = replace(exam, plan=plan, entries=entries, labels=None, card=None)
    file.write_bytes(exam_page(many, pictures=False))
    page = Opened(browser, file).page
    expect(page.locator("#count")).to_have_text("5,022 of 5,022")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    for id, value in (("state", "differs"), ("state", "all"), ("wanted", "onerror")):
        before = processor_s(session)
        page.evaluate(FILTERED, [id, value])
        assert 0 < processor_s(session) - before < 0.5  # about 0.01
    expect(page.locator("#count")).to_have_text("372 of 5,022")
    assert page.locator("*").count() < 4000
    page.close()


FILTERED = """([id, value]) => {
  const part = document.getElementById(id);
  part.value = value;
  part.dispatchEvent(new Event("input", { bubbles: true }));
  document.body.offsetHeight;
}"""


def processor_s(session: CDPSession) -> float:
    """Seconds of the processor that a page has taken since a session began to count them."""
    told = session.send("Performance.getMetrics")["metrics"]
    return float({each["name"]: each["value"] for each in told}["ThreadTime"])


def test_repeats_are_told_apart(browser: Browser, tmp_path: Path) -> None:
    seen: dict[str, object] = {}

    def once_bad(prompt: Prompt) -> str:
        this = object()
        return BAD if seen.setdefault(prompt.id, this) is this else first_choice(prompt)

    file = tmp_path / "exam.html"
    exam = transcript(put(tmp_path, Answering(once_bad), ids=IDS[:1], repeats=2))
    file.write_bytes(exam_page(exam, pictures=False))
    page = Opened(browser, file).page
    assert chosen(page, state="invalid") == chosen(page, scene="yard-1") == 27
    expect(cards(page).first.locator(".badge")).to_have_text("cannot be read (1 of 2)")
    expect(cards(page).first.locator("summary")).to_contain_text(["Reply 1", "Reply 2"])
    page.close()


def test_a_page_without_pictures_says_so(
    browser: Browser, exam: Transcript, tmp_path: Path
) -> None:
    file = tmp_path / "small.html"
    file.write_bytes(exam_page(exam, pictures=False))
    opened = Opened(browser, file)
    expect(opened.page.get_by_text("This page holds no pictures of this scene.")).to_be_visible()
    expect(opened.page.locator("#play")).to_be_hidden()
    assert chosen(opened.page, state="invalid") == 3
    assert opened.complaints == []
    opened.page.close()
