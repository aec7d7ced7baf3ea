"""Small settings files (TOML, YAML or JSON) into typed values, with errors that name the key."""

import json
import re
import tomllib
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import yaml

from paseo.errors import BadFile

MAX_BYTES = 16 << 20
READERS: dict[str, Callable[[str], Any]] = {
    ".toml": tomllib.loads,
    ".yaml": yaml.safe_load,
    ".yml": yaml.safe_load,
    ".json": json.loads,
}
T = TypeVar("T")


def read_settings(path: Path, kind: type[T]) -> T:
    """The file as a value of `kind`, or `BadFile` naming the file, the key and what it expects."""
    return converted(read_mapping(path), kind, where=str(path))


def read_mapping(path: Path) -> dict[str, Any]:
    """The file's keys and values, unchecked."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise BadFile(f"{path}: unknown kind of file, expected .toml, .yaml or .json; rename it")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BadFile(f"{path}: more than {MAX_BYTES >> 20} MB, expected a settings file")
        content = reader(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadFile(f"{path}: no such file; check the name") from error
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError, yaml.YAMLError) as error:
        what = " ".join(str(error).split())
        raise BadFile(
            f"{path}: not valid {path.suffix[1:].upper()} ({what}); correct it there"
        ) from error
    if not isinstance(content, dict):
        raise BadFile(f"{path}: holds {type(content).__name__}, expected keys and values")
    return content


def converted(content: object, kind: type[T], *, where: str) -> T:
    """`content` as a value of `kind`; `where` is named in the error."""
    try:
        return msgspec.convert(content, kind)
    except msgspec.ValidationError as error:
        raise BadFile(f"{where}: {_explained(str(error), kind)}") from error


def _explained(message: str, kind: type) -> str:
    """msgspec's sentence with the key first, and a hint where a key is unknown."""
    what, _, place = message.partition(" - at ")
    key = place.strip("`").removeprefix("$").removeprefix(".") or "top level"
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", what)
    if unknown is None:
        return f"{key}: {what[0].lower()}{what[1:]}"
    known = set(re.findall(r'"(\w+)": \{', json.dumps(msgspec.json.schema(kind))))
    close = get_close_matches(unknown[1], known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else "`paseo schema` lists the known keys"
    return f"{key}: unknown key '{unknown[1]}'; {hint}"
