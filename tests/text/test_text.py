import csv
import io
import json
import re
import sqlite3
from html.parser import HTMLParser

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import HOSTILE, seen, shown_by_markdown, would_run
from paseo.report.formats import SENTENCES, Table, csv_text, latex, markdown
from paseo.report.pages.tables import table_markup
from paseo.report.table import text_table
from paseo.text import (
    LONGEST_SENTENCE,
    all_storable,
    csv_cell,
    error_words,
    html_text,
    in_a_line,
    in_lines,
    in_short,
    keys_in,
    latex_cell,
    markdown_cell,
    shortened,
    storable,
    without_keys,
)

kinds = pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
# Of all signs, those that mean something somewhere often enough.
anything = st.text(
    st.one_of(
        st.sampled_from("\\|`*_~<>&[]()!{}$%#^=+-@'\"/:; a1\t\n\r\0\x1b\x9b\u202e\ud800"),
        st.characters(exclude_categories=()),
    ),
    max_size=30,
)


@given(text=anything)
def test_a_line_can_be_seen_and_stays_what_it_is_when_it_is_made_again(text: str) -> None:
    line = in_a_line(text)
    assert line.isprintable()
    assert in_a_line(line) == line
    seen(in_lines(text))


@pytest.mark.parametrize(
    "text", ["zara_01.csv", "Überholen 中文 עברית ñ 🤖", "a  b", "C:\\new\\table"]
)
def test_ordinary_words_of_all_languages_stay_as_they_are(text: str) -> None:
    assert in_a_line(text) == in_lines(text) == in_short(text) == csv_cell(text) == text


@kinds
def test_what_is_kept_can_be_read_again_by_everybody(text: str) -> None:
    kept = storable(text)
    kept.encode()
    line = json.dumps(all_storable({text: [text, 1, None, {"a": text}]}))
    assert msgspec.json.decode(line) == json.loads(line) == {kept: [kept, 1, None, {"a": kept}]}
    with sqlite3.connect(":memory:") as database:
        assert database.execute("SELECT ?", (kept,)).fetchone() == (kept,)
    database.close()
    assert storable("whole: 🤖\0\x1b") == "whole: 🤖\0\x1b"


@kinds
def test_a_sentence_is_short_and_keeps_its_ends(text: str) -> None:
    sentence = in_short(f"map.txt: '{text}' is no number; correct it there")
    assert sentence.startswith("map.txt: '") and sentence.endswith("; correct it there")
    assert len(sentence) <= LONGEST_SENTENCE
    seen(sentence)


def test_of_what_is_too_long_the_middle_is_left_out() -> None:
    assert shortened("abcdefghijklmno", 12) == "abcdef...mno"
    assert shortened("abcdefghijkl", 12) == "abcdefghijkl"


# Tables: every hostile text as a cell, a header and a caption, held against foreign readers.
ROWS = [[text, "-0.5", "1"] for text in HOSTILE.values()]
TABLE = Table("A table", ["name", "value", "n"], ROWS)


@pytest.mark.parametrize("sign", "=+-@")
def test_numbers_are_no_formulas(sign: str) -> None:
    assert csv_cell(f"{sign}1+cmd|'x'!A0").startswith("'")
    for number in ("-0.5", "+3", "-", "-1.5e-05 [-2, -1.1] (3)", "-0.3 ± 0.1", "-.5", "-12 %"):
        assert csv_cell(number) == number


def test_no_spreadsheet_finds_a_formula_and_every_cell_is_in_its_place() -> None:
    written = csv_text([TABLE])
    rows = list(csv.reader(io.StringIO(written)))
    assert rows[1:-1] == [TABLE.header, *([csv_cell(text), *rest] for text, *rest in ROWS)]
    assert not any(would_run(cell) for row in rows for cell in row)
    assert len(written.splitlines()) == len(rows)  # also for who reads line by line
    seen(written)
    assert would_run("=1") and would_run("-2+A1") and not would_run("-2")


@given(text=anything)
def test_no_text_is_a_formula_and_none_is_lost(text: str) -> None:
    cell = csv_cell(text)
    assert cell.removeprefix("'") == in_a_line(text).removeprefix("'")
    assert cell[:1] not in tuple("=@\t\r") and "\n" not in cell


@given(text=anything)
def test_markdown_shows_every_sign(text: str) -> None:
    page = f"| a | b |\n| --- | --- |\n| {markdown_cell(text)} | y |\n"
    assert shown_by_markdown(page) == ["a", "b", in_a_line(text).strip(), "y"]


def test_a_table_in_markdown_holds_its_cells_and_nothing_else() -> None:
    shown = shown_by_markdown(markdown([TABLE]))
    expected = [cell for text, *rest in ROWS for cell in (in_a_line(text).strip(), *rest)]
    assert shown == ["A table", *TABLE.header, *expected]
    assert "<script>" in "".join(shown)
    assert markdown([Table("x", ["a_b"], [["path_length (m) < 3"]])]).endswith("(m) < 3 |")
    seen(markdown([TABLE]))


WRITTEN = {  # what LaTeX prints for each thing that may stand in a cell
    **{f"\\{sign}": sign for sign in "&%_#${}"},
    "\\textbackslash{}": "\\", "\\^{}": "^", "\\~{}": "~", "$\\pm$": "±", "$<$": "<", "$>$": ">",
    "{}": "",
}  # fmt: skip


def printed_by_latex(text: str) -> str:
    """What a text without other commands looks like; fails at any of them."""
    pieces = re.findall(f"{'|'.join(map(re.escape, WRITTEN))}|.", text)
    obeyed = [each for each in pieces if each not in WRITTEN and each in "\\&%_#${}^~"]
    assert not obeyed
    return "".join(WRITTEN.get(each, each) for each in pieces)


@given(text=anything)
def test_latex_obeys_nothing(text: str) -> None:
    assert printed_by_latex(latex_cell(text)) == in_a_line(text)


def test_a_table_in_latex_has_its_rows() -> None:
    lines = latex([TABLE]).splitlines()
    body = lines[lines.index("name & value & n \\\\") + 2 : lines.index("\\end{tabular}") - 1]
    assert len(body) == len(ROWS)
    for line, (text, *_) in zip(body, ROWS, strict=True):
        cells = line.removesuffix(" \\\\").rsplit(" & ", 2)
        assert [printed_by_latex(each) for each in cells] == [in_a_line(text), "-0.5", "1"]
        assert not line.startswith(("[", "*"))  # would be taken for the space after a row
    seen("\n".join(lines))


class Page(HTMLParser):
    """The elements of a page, and its words."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") or name == "src" for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.words += data


@given(text=anything)
def test_html_has_words_and_no_elements(text: str) -> None:
    page = Page()
    page.feed(f'<p title="{html_text(text)}">{html_text(text)}</p>')
    page.close()
    assert (page.tags, page.words) == (["p"], in_a_line(text))


def test_a_table_in_html_has_no_other_elements() -> None:
    page = Page()
    page.feed(table_markup(TABLE))
    plain = {"figure", "figcaption", "strong", "div", "details", "summary", "p"}
    assert set(page.tags) <= plain | {"table", "thead", "tbody", "tr", "th", "td"}
    assert page.tags.count("tr") == len(ROWS) + 1


def test_a_table_of_words_has_a_line_for_each_row() -> None:
    lines = text_table(TABLE.header, ROWS).split("\n")
    assert len(lines) == len(ROWS) + 2
    assert max(map(len, lines)) < 400
    seen("\n".join(lines))


@pytest.mark.parametrize("layout", SENTENCES)
@kinds
def test_a_sentence_beside_a_table_is_one_line_of_it(layout: str, text: str) -> None:
    line = SENTENCES[layout](f"{text} surpasses {text}")
    assert "\n" not in line
    seen(line)
    if layout == "csv":
        assert len(next(csv.reader([line]))) == 1
    if layout == "markdown":
        shown_by_markdown(f"x {line}")


# Errors of somebody else's code.


@kinds
def test_errors_of_others_are_told_whatever_they_say(text: str) -> None:
    words = error_words(ValueError(text), environment={})
    assert words.startswith("ValueError: ") and len(words) < 3000
    seen(words)


class Silent(Exception):
    """Does not even say what it is."""

    def __str__(self) -> str:
        raise SystemExit


class Liar(str):
    """Says that it is harmless."""

    __slots__ = ()

    def isprintable(self) -> bool:
        return True

    def __format__(self, spec: str) -> str:
        return "\x1b[31m"

    def __getitem__(self, index: object) -> "Liar":
        return self


class Lying(Exception):
    """Has words that lie."""

    def __str__(self) -> str:
        return Liar("\x1b[2J")


def test_errors_without_words_and_with_lying_ones_are_told_as_well() -> None:
    assert error_words(Silent()) == "Silent: no words"
    assert error_words(Lying()) == r"Lying: \x1b[2J"
    odd = type("\x1b[31mOdd\nError", (Exception,), {})
    assert error_words(odd("x")) == r"\x1b[31mOdd Error: x"


KEY = "sk-proj-0123456789abcdefghij"


def test_keys_are_not_told() -> None:
    mine = {"MY_LAB_TOKEN": "correct horse battery", "PAGER": "less and more", "X_KEY": "none"}
    assert keys_in(mine) == ("correct horse battery",)
    said = f"{KEY} AIza{'x' * 30} Bearer {'y' * 20} correct horse battery, less and more"
    words = error_words(ValueError(said), environment=mine)
    assert words == "ValueError: [key] [key] [key] [key], less and more"
    assert without_keys("the task-oriented sk-learn, key-frames.csv") == (
        "the task-oriented sk-learn, key-frames.csv"
    )
