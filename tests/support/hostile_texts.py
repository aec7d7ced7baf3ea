"""Texts that somebody may send to harm a file, a screen or a table, and readers that tell."""

import re
import unicodedata

from markdown_it import MarkdownIt

HOSTILE = {
    "half a character": "a\ud800b",
    "the other half": "a\udcffb",
    "halves the wrong way round": "\udc00\ud800",
    "zero byte": "a\0b",
    "colour": "\x1b[31mred\x1b[0m",
    "title of the window": "\x1b]0;owned\x07",
    "link of a terminal": "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "eight-bit command": "\x9b2J\x90q\x9c",
    "rubbed out": "good\x08\x08\x08\x08evil\x7f",
    "written over": "failed\rsuccess",
    "two lines": "first\nsecond",
    "all line ends": "a\r\nb\vc\fd\x1ce\x85f\u2028g\u2029h",
    "turned round": "exe.\u202egpj",
    "isolated": "a\u2066b\u2069\u061c",
    "no width": "pay\u200bpal\u200d\ufeff\u2060",
    "tags": "x\U000e0041\U000e007f",
    "no character": "\uffff\U0010ffff\ue000",
    "other spaces": "a\xa0b\u3000c\u2003d",
    "formula": "=cmd|' /C calc'!A0",
    "sum": "+1+1",
    "difference": "-2+3+cmd|' /C calc'!A0",
    "function": "@SUM(1+1)*cmd|' /C calc'!A0",
    "formula after a tab": "\t=1+1",
    "formula after a space": " =1+1",
    "wide formula": "\uff1d1+1",
    "pipe": "a|b\\|c\\\\|d",
    "script": "<script>alert(1)</script>",
    "handler": "<img src=x onerror=alert(1)>\"' onmouseover='alert(1)",
    "ends of everything": "--> ]]> </title></style></textarea> */ ?>",
    "link": "[click](javascript:alert(1)) ![x](http://evil.example/x.png) <http://evil.example>",
    "letters of Markdown": "__init__ *a* _b_ `c` ~~d~~ ~e~ &lt; &#60; # - 1. \\",
    "command of LaTeX": "\\input{/etc/passwd} \\write18{id} $x^2$ % ~ # & { } _",
    "space after a row": "[100cm] \\\\ *",
    "broken formula": "$\\frac{1$",
    "quotes": '","","\n"x',
    "places of Python": "{0} {x!r} %s %(a)s ${HOME} $(id) `id`",
    "nothing": "",
    "spaces": "   ",
    "very long": "B" * 200_000,
    "very long with spaces": "many words " * 20_000,
}

README = MarkdownIt("commonmark").enable(["table", "strikethrough"])
WORDS = {"text", "text_special", "softbreak"}  # what Markdown calls them
INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def seen(text: str) -> str:
    """The text, if a screen shows all of it and obeys none of it; lines and tabs may be there."""
    bad = {each for each in text if unicodedata.category(each) in INVISIBLE} - {"\n", "\t"}
    assert not bad, f"would reach the screen: {sorted(map(ascii, bad))}"
    return text


def seen_bytes(output: bytes) -> str:
    """What a program wrote, likewise."""
    assert not re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", output)
    return seen(output.decode())


def would_run(cell: str) -> bool:
    """What OWASP's page on CSV injection warns of, but for numbers and a dash that stands alone."""
    try:
        _ = [float(each) for each in re.sub(r"[][(),±%]", " ", cell).split()]
    except ValueError:
        begins = cell.lstrip(" ")
        return begins != "-" and begins[:1] in tuple("=+-@\t\r\uff0b\uff0d\uff1d\uff20")
    return False


def shown_by_markdown(text: str) -> list[str]:
    """The words of each paragraph and cell, if they are words alone."""
    found = []
    for token in README.parse(text):
        assert token.type not in ("html_block", "fence", "code_block")
        if token.type == "inline":
            assert {child.type for child in token.children or ()} <= WORDS
            found.append("".join(child.content for child in token.children or ()))
    return found
