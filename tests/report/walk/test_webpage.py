"""The page of a report: whole, harmless, the same every time. A browser opens it elsewhere."""

import re

import pytest

from comparisons import compared, episode, row, two_planners
from elements import Reader
from pages import BAD, measured, page
from paseo.report.formats import Table
from paseo.report.pages.tables import table_markup
from paseo.report.pages.template import bundled
from paseo.report.walk.compared.tables import tables
from paseo.report.walk.compared.words import statement
from paseo.report.walk.markup import warnings_markup, words_markup
from paseo.report.walk.webpage import SCRIPTS
from paseo.world.motion import Control


@pytest.fixture(scope="module")
def plain() -> str:
    return page(measured())


@pytest.mark.extra("plots")
def test_nothing_is_loaded_from_elsewhere(plain: str) -> None:
    for tag, attributes in Reader(plain).elements:
        assert tag not in ("link", "iframe", "object", "embed", "img", "base")
        for key in ("src", "href", "xlink:href", "action", "data"):
            assert (attributes.get(key) or "#").startswith("#")
    assert "@import" not in plain
    assert not re.search(r"\bfetch\(|XMLHttpRequest|\beval\(|innerHTML|new Function", plain)
    assert "default-src 'none'" in plain


@pytest.mark.extra("plots")
def test_ids_are_unique_and_what_is_referred_to_is_there(plain: str) -> None:
    elements = Reader(plain).elements
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in elements:
        for key in ("href", "xlink:href", "for", "aria-labelledby"):
            if key in attributes:
                assert (attributes[key] or "").lstrip("#") in ids, attributes


@pytest.mark.extra("plots")
def test_the_page_holds_tables_plots_a_card_for_each_episode_and_the_tracks(plain: str) -> None:
    reader = Reader(plain)
    classes = [attributes.get("class") or "" for _, attributes in reader.elements]
    assert classes.count("card panel") == 1
    assert sum("picture" in each for each in classes) == 1
    text = "".join(data for _, data in reader.texts)
    for words in ("Table 2. Meta statistics", "Paired differences", "Efficiency against",
                  "touched 1", "planner failed", "1 episode "):  # fmt: skip
        assert words in text
    (scene,) = reader.data["scenes"]
    assert [drive["end"] for drive in scene["drives"]] == [6.0, 0.0]
    assert [each["name"] for each in reader.data["planners"]] == ["a", "quits"]


@pytest.mark.extra("plots")
def test_names_cannot_break_out(plain: str) -> None:
    text = page(measured(BAD, BAD), title=BAD)
    reader, usual = Reader(text), Reader(plain)
    assert [tag for tag, _ in reader.elements if tag in ("script", "img")] == ["script"] * 2
    known = {(tag, key) for tag, attributes in usual.elements for key in attributes}
    assert {(tag, key) for tag, attributes in reader.elements for key in attributes} <= known
    assert reader.data["scenes"][0]["title"] == BAD
    assert reader.data["planners"][0]["name"] == BAD
    assert BAD in "".join(data for tag, data in reader.texts if tag == "h1")


@pytest.mark.extra("plots")
def test_names_that_are_no_unicode_do_no_harm() -> None:
    text = page(measured(planner="caf\udce9"))
    assert Reader(text).data["planners"][0]["name"] == r"caf\udce9"


@pytest.mark.extra("plots")
def test_the_same_runs_give_the_same_bytes(plain: str) -> None:
    assert page(measured()) == plain


def test_modules_become_one_script() -> None:
    script = bundled(SCRIPTS)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert "class Numbers" in script
    names = re.findall(r"^(?:function|class|const) (\w+)", script, re.MULTILINE)
    assert len(names) == len(set(names))


def test_long_tables_are_folded_and_cells_are_text() -> None:
    shown = tables(two_planners())
    assert "<details>" not in table_markup(shown[0])
    long = Table("Paired differences, first minus second. All.", ["a"], [["<b>"]] * 41)
    folded = table_markup(long)
    assert "<details><summary>Paired differences (41 lines)</summary>" in folded
    assert "<b>" not in folded
    assert "<strong>Table 2. Meta statistics</strong>." in table_markup(shown[0])


def test_the_statement_becomes_points_below_its_lines() -> None:
    words = words_markup(statement(two_planners()))
    assert words.startswith(
        '<div class="words panel"><p>a and b_2:</p><ul><li>beyond chance (exploratory),'
    )
    assert words.count("<ul>") == words.count("</ul>") == 1


def test_warnings_are_shown() -> None:
    comparison = compared(episode("e0", "a"), episode("e0", row("b", control=Control.VELOCITY)))
    assert "Careful: rows differ in their control modes" in warnings_markup(comparison)
