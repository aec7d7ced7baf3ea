"""Several exams on one page: who is best over the same questions, and what each said."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import PHONE, Opened
from elements import Reader
from exams import Answering, first_choice
from paseo.cli.main import main
from paseo.errors import BadValue, InputError
from paseo.report.exam.several.data import exams_data
from paseo.report.exam.several.gathered import Gathered, gather
from paseo.report.exam.several.page import exams_page
from paseo.vlm.failures import ModelError
from paseo.vlm.models import Prompt
from shown_exams import BAD, change_plan, moody, put


def second_best(prompt: Prompt) -> str:
    """The second choice to two kinds of question, and no answer about the second scene."""
    if "yard-2" in prompt.id:
        raise ModelError("gone")
    if "q_goal_position" in prompt.id:
        return json.dumps({"answer": prompt.questions[0].choices[1]})
    return first_choice(prompt)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    first = put(tmp_path_factory.mktemp("first"), Answering(moody))
    second = put(tmp_path_factory.mktemp("second"), Answering(second_best))
    change_plan(second, model=BAD)
    return first, second


@pytest.fixture(scope="module")
def found(folders: tuple[Path, Path]) -> Gathered:
    return gather(folders)


@pytest.fixture(scope="module")
def page(found: Gathered) -> str:
    return exams_page(found, pictures=False).decode()


def text_of(page: str) -> str:
    return " ".join(data for tag, data in Reader(page).texts if tag not in ("script", "style"))


def test_all_rows_are_over_the_questions_that_every_model_answered(found: Gathered) -> None:
    assert found.card
    counts = {each.scores["category"]["all"].questions for each in found.card.rows}
    assert counts == {52}  # two scenes of 27, but for what the first would not answer
    assert found.names == ("test/answering", BAD)


def test_the_leaderboard_has_the_best_first_with_intervals_and_baselines_among_them(
    found: Gathered, page: str
) -> None:
    assert found.card
    text = text_of(page)
    assert "the 52 of 81 with people's answers that all 2 models answered; baselines, too" in text
    board = page[page.index("Leaderboard") : page.index("By category")]
    order = [board.index(name) for name in ("human oracle", "test/answering", "onerror")]
    assert order == sorted(order)
    places = re.findall(r'<tr class="(p\d|baseline)"><td>(\d?)</td>', board)
    assert [place for kind, place in places if kind != "baseline"] == ["1", "2"]
    best = found.card.rows[-2].scores["category"]["all"]
    assert f"{best.mean:.3f}" in board


def test_each_category_is_a_plot_and_each_kind_a_line(page: str) -> None:
    assert page.count('<figure class="panel plot">') == 4
    assert page.count("over 52 questions") == 1
    kinds = [each.get("data-kind") for _, each in Reader(page).elements if each.get("data-kind")]
    assert len(kinds) == 15
    assert "Paired differences" in text_of(page)


def test_every_question_holds_all_models_answers(found: Gathered) -> None:
    data = json.loads(exams_data(found))
    assert data["models"] == list(found.names)
    assert len(data["questions"]) == 81
    goal = next(q for q in data["questions"] if q["key"] == "q_goal_position_begin")
    assert [said["by"] for said in goal["said"]] == [0, 1]
    assert [said["option"] for said in goal["said"]] == [[0], [1]]
    assert "split" in goal["states"]
    assert goal["agreements"] == {"0": 1.0, "1": 0.0} and goal["agreement"] == 0.5
    replies = [data["requests"][said["request"]]["reply"] for said in goal["said"]]
    assert replies[0] != replies[1]
    one = next(q for q in data["questions"] if q["key"] == "q_robot_moving_direction")
    assert "split" not in one["states"]


def test_a_page_is_harmless_and_the_same_every_time(found: Gathered, page: str) -> None:
    assert page == exams_page(found, pictures=False).decode()
    assert not re.search(r"<img|onerror=alert\(1\)>", re.sub(r"<script.*?</script>", "", page))
    for tag, attributes in Reader(page).elements:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base")
        assert all((attributes.get(key) or "#").startswith("#") for key in ("src", "href"))


def test_without_votes_the_models_are_listed(folders: tuple[Path, Path]) -> None:
    bare = replace(gather(folders), card=None)
    text = text_of(exams_page(bare, pictures=False).decode())
    assert "test/answering" in text
    assert "By category" not in text


def test_exams_about_other_scenes_of_the_same_name_are_refused(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    other = put(tmp_path, Answering(moody))
    plan = json.loads((other / "exam.json").read_text())
    plan["scenes"][0]["hash"] = "0" * 64
    (other / "exam.json").write_text(json.dumps(plan))
    with pytest.raises(InputError, match="another scene yard-1 than"):
        gather([folders[0], other])
    with pytest.raises(BadValue, match="too many for one page"):
        gather([folders[0]] * 27)


def test_the_command_takes_several(
    folders: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "board.html"
    assert main(["exam", "show", *map(str, folders), "--out", str(out), "--no-pictures"]) == 0
    assert capsys.readouterr().out == f"{out}\n"
    assert "Leaderboard" in out.read_text()


@pytest.fixture(scope="module")
def file(found: Gathered, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("page") / "several.html"
    out.write_bytes(exams_page(found))
    return out


@pytest.fixture
def opened(browser: Browser, file: Path) -> Iterator[Page]:
    made = Opened(browser, file, reduced_motion="reduce")
    yield made.page
    assert made.complaints == []
    made.page.close()


@pytest.mark.browser
def test_models_stand_side_by_side_in_a_browser(opened: Page) -> None:
    opened.locator("#state").select_option("split")
    card = opened.locator(".question").first
    expect(card.locator(".votes .letter")).to_have_text(["A", "B"])
    expect(card.locator(".badge")).to_have_text("1 of 2 with most people")
    expect(card.locator("details.reply summary").first).to_contain_text("test/answering · Reply")
    card.locator("details.reply summary").nth(1).click()
    expect(card.locator("details.reply .raw").last).to_contain_text("answer")
    assert opened.locator("#frames img").count() == 10
    opened.locator(".board .link").first.click()
    expect(opened.locator("#count")).to_have_text(re.compile("^3 of 81|^0 of 81|^2 of 81"))


@pytest.mark.browser
def test_a_phone_does_not_scroll_sideways(browser: Browser, file: Path) -> None:
    page = Opened(browser, file, viewport=PHONE).page
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.close()
