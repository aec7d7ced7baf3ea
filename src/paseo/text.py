"""Text that came from outside, made harmless for where it goes: a file, a screen, a table."""

import csv
import os
import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Protocol

LONGEST_SENTENCE = 1000  # characters of an error, whatever the names in it
LONGEST_WORD = 300  # of one of its words
LONGEST_CELL = 32_000  # of a CSV file; spreadsheets take a little more
DOTS = "..."
BREAKS = re.compile(r"[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]")

# What spreadsheets take for a formula begins so, also in the wide letters of East Asia; a number
# with its error or interval, or a dash alone, is none.
FORMULAS = frozenset("=+-@\uff1d\uff0b\uff0d\uff20")
NUMBER = r"[-+]?(?:\d[\d.,]*|\.\d+)(?:e[-+]?\d+)?"
NUMBERS = re.compile(
    rf"-|{NUMBER}(?: ?%)?(?: ± {NUMBER})?(?: \[{NUMBER}, {NUMBER}\])?(?: \({NUMBER}\))?"
)

# What Markdown takes for more than words; plain signs and names_of_files stay as they are.
MARKDOWN = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)|[`*|~]|<(?=[A-Za-z/!?])|&(?=#?\w+;)|\](?=[(\[])"
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"
)
LATEX = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%_#${}"}
    | {"\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}", "±": "$\\pm$"}
    | {"<": "$<$", ">": "$>$"}
)

SHORTEST_KEY = 8  # characters; servers without keys are given words such as "none"
KEY_NAMES = re.compile(r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD)$", re.I)
KEYS = re.compile(
    r"\b(?:sk|pk|rk)-[\w-]{16,}|\bAIza[\w-]{20,}|\bhf_\w{20,}|\bgh[opsu]_\w{20,}|\bAKIA\w{12,}"
    r"|\bBearer\s+[\w.~+/=-]{8,}"
)


class Writable(Protocol):
    """An open text file."""

    def write(self, text: str, /) -> object:
        """Add to it."""
        ...


def storable(text: str) -> str:
    """Without halves of characters, which no UTF-8, database or reader of JSON takes."""
    return text.encode("utf-8", "replace").decode()


def all_storable(value: Any) -> Any:
    """The lists, tables and texts that JSON is made of, likewise."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {
            storable(key) if isinstance(key, str) else key: all_storable(each)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [all_storable(each) for each in value]
    return value


def in_a_line(text: str) -> str:
    """The text in one line that can be seen: no sign in it commands a screen or turns it round."""
    if text.isprintable():
        return str(text)
    return "".join(each if each.isprintable() else _spelled(each) for each in BREAKS.sub(" ", text))


def in_lines(text: str) -> str:
    """The same for a text of several lines, which stay; so do tabs."""
    return "\n".join("\t".join(map(in_a_line, line.split("\t"))) for line in text.split("\n"))


def _spelled(sign: str) -> str:
    """A sign that nobody sees, as one writes it in Python; of spaces a plain one."""
    return " " if sign.isspace() else sign.encode("unicode_escape").decode()


def shortened(text: str, longest: int) -> str:
    """At most so many characters, the middle left out: what is wrong stands first, advice last."""
    if len(text) <= longest:
        return text
    end = (longest - len(DOTS)) // 3
    return text[: longest - len(DOTS) - end] + DOTS + text[len(text) - end :]


def in_short(text: str, longest: int = LONGEST_SENTENCE) -> str:
    """In one line of at most so many characters, long words cut first."""
    most = 100 * longest  # what is far longer is not looked through
    words = re.sub(r"\S+", lambda word: shortened(word[0], LONGEST_WORD), shortened(text, most))
    return shortened(in_a_line(shortened(words, longest)), longest)


def error_words(
    error: BaseException, longest: int = LONGEST_WORD, environment: Mapping[str, str] = os.environ
) -> str:
    """The kind and the words of an error of somebody else's code: whatever it says, no key."""
    kind: str = type.__dict__["__name__"].__get__(type(error))  # not what its class says it is
    try:
        words = "".join((str(error),))  # the text alone, of whatever kind it is
    except KeyboardInterrupt:
        raise
    except BaseException:
        words = "no words"
    told = f"{kind}: {words[: LONGEST_SENTENCE * 10]}"
    return in_a_line(without_keys(told, keys_in(environment))[:longest])


def csv_cell(text: str) -> str:
    """In one line, and with a quote before what a spreadsheet would take for a formula."""
    line = shortened(in_a_line(shortened(text, LONGEST_CELL)), LONGEST_CELL)
    begins = line.lstrip()
    if begins[:1] in FORMULAS and not NUMBERS.fullmatch(begins):
        return f"'{line}"
    return line


def write_csv(stream: Writable, rows: Iterable[Iterable[object]]) -> None:
    """Write rows of a table; numbers stay as they are."""
    csv.writer(stream, lineterminator="\n").writerows(
        [csv_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )


def markdown_cell(text: str) -> str:
    """In one line of which Markdown shows every sign as it is."""
    return MARKDOWN.sub(_plain_in_markdown, in_a_line(text))


def _plain_in_markdown(sign: re.Match[str]) -> str:
    if sign[0] == "&":
        return "&amp;"
    if sign[0] == "|" and sign.string[max(0, sign.start() - 1)] == "\\":
        return "&#124;"  # who reads the table would take the backslash for its own
    return f"\\{sign[0]}"


def latex_cell(text: str) -> str:
    """In one line without a command of LaTeX."""
    return in_a_line(text).translate(LATEX)


def html_text(text: str) -> str:
    """In one line without markup, for an element or an attribute."""
    return escape(in_a_line(text))


def keys_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """What is secret in an environment by the names there, the longest first."""
    found = {value.strip() for name, value in environment.items() if KEY_NAMES.search(name)}
    return tuple(sorted((each for each in found if len(each) >= SHORTEST_KEY), key=len))[::-1]


def hidden(text: str, keys: Iterable[str]) -> str:
    """The text without these keys."""
    for key in keys:
        text = text.replace(key, "[key]")
    return text


def without_keys(text: str, keys: Iterable[str] = ()) -> str:
    """The text without these keys, and without what looks like one."""
    return KEYS.sub("[key]", hidden(text, keys))
