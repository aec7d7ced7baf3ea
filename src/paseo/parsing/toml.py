"""TOML: short texts with short keys."""

import re
import tomllib
from datetime import date, datetime, time
from typing import Any, TypeVar

import msgspec

LARGEST = 4 << 20  # characters; tomllib takes a second for one million of them
MOST_PARTS = 8  # of a key of TOML, as a.b.c: tomllib keeps all beginnings of each
T = TypeVar("T")

# Numbers and sentences have dots, too: only where these part words or quotes one looks closer.
_MAY_BE_LONG = [
    re.compile(rf"\.(?:[ \t]*+[\w-]++[ \t]*+\.){{{MOST_PARTS - 1}}}"),
    re.compile(r"""["'][ \t]*+\."""),
    re.compile(r"""\.[ \t]*+["'](?![ \t]*+(?:[],}#]|$))"""),
]
# TOML as far as its dotted keys ask for it: each alternative ends for good, so no text is gone
# through twice. What follows a quote that is never closed is left to tomllib, which refuses it.
_PART = r"""(?:[\w-]++|"(?:[^"\\\n]++|\\[^\n])*+"|'[^'\n]*+')"""
_TOKEN = re.compile(
    r'''"""(?:[^"\\]++|\\.|"(?!""))*+"""+|'''
    r"""'''(?:[^']++|'(?!''))*+'''+|#[^\n]*+|"""
    rf"""(?P<dotted>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)|(?P<open>["'])|[^\w"'#-]++""",
    re.DOTALL,
)


def toml_value(text: str) -> dict[str, Any]:
    """What a TOML text says."""
    if len(text) > LARGEST:
        raise ValueError(f"has more than {LARGEST} characters; write so much as JSON")
    dotted = (line for line in text.split("\n") if line.count(".") >= MOST_PARTS)
    if any(sign.search(line) for line in dotted for sign in _MAY_BE_LONG):
        _check_keys(text)
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError("its values lie too deep in each other") from error


def toml_as(kind: type[T], text: str, *, strict: bool = True) -> T:
    """What a TOML text says, as a value of `kind`; `msgspec.ValidationError` where it is none."""
    dates = (datetime, date, time)
    return msgspec.convert(
        toml_value(text), kind, strict=strict, str_keys=True, builtin_types=dates
    )


def _check_keys(text: str) -> None:
    for found in _TOKEN.finditer(text):
        if found["open"]:
            return
        dotted = found["dotted"] or ""
        if dotted.count(".") >= MOST_PARTS and len(re.findall(_PART, dotted)) > MOST_PARTS:
            line = text.count("\n", 0, found.start()) + 1
            raise ValueError(f"a key of more than {MOST_PARTS} parts (at line {line})")
