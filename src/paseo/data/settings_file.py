"""Small settings files (TOML, YAML or JSON) into typed values, with errors that name the key."""

import json
import re
from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import yaml

from paseo.errors import BadFile
from paseo.files import bounded
from paseo.parsing.json import json_value
from paseo.parsing.toml import toml_value
from paseo.parsing.yaml import yaml_value

MAX_BYTES = 16 << 20
TOO_LARGE = "expected a settings file; check the name"
READERS: dict[str, Callable[[str], Any]] = {
    ".toml": toml_value,
    ".yaml": yaml_value,
    ".yml": yaml_value,
    ".json": json_value,
}
T = TypeVar("T")

Positive = Annotated[float, msgspec.Meta(gt=0, le=1e9)]
NotNegative = Annotated[float, msgspec.Meta(ge=0, le=1e9)]
Finite = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class Entry(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What all parts of these files have in common."""


def read_settings(path: Path, kind: type[T]) -> T:
    """The file as a value of `kind`, or `BadFile` naming the file, the key and what it expects."""
    return converted(read_mapping(path), kind, where=str(path))


def read_mapping(path: Path) -> dict[str, Any]:
    """The file's keys and values, unchecked."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        raise BadFile(f"{path}: unknown kind of file, expected .toml, .yaml or .json; rename it")
    if not path.exists():
        raise BadFile(f"{path}: no such file; check the name")
    try:
        content = reader(bounded(path, MAX_BYTES, too_large=TOO_LARGE).decode())
    except (ValueError, yaml.YAMLError) as error:
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
    except RecursionError as error:
        raise BadFile(f"{where}: its values lie too deep in each other; correct it") from error


def _explained(message: str, kind: type) -> str:
    """msgspec's sentence with the key first, and a hint where a key is unknown."""
    what, _, place = message.partition(" - at ")
    path = place.removeprefix("`key` in ").strip("`").removeprefix("$").removeprefix(".")
    key = path or "top level"
    if place.startswith("`key` in "):
        return f"{key}: one of the keys is no text, expected text; put it in quotes"
    if what.startswith("Invalid enum value"):
        return f"{key}: {what[0].lower()}{what[1:]}, expected {_allowed(kind, path)}"
    unknown = re.fullmatch(r"Object contains unknown field `(.*)`", what)
    if unknown is None:
        return f"{key}: {what[0].lower()}{what[1:]}"
    known = set(re.findall(r'"(\w+)": \{', json.dumps(msgspec.json.schema(kind))))
    close = get_close_matches(unknown[1], known, n=1)
    hint = f"did you mean '{close[0]}'?" if close else "`paseo schema` lists the known keys"
    return f"{key}: unknown key '{unknown[1]}'; {hint}"


def _allowed(kind: type, path: str) -> str:
    """The values the schema allows at a place such as `zones[0].doors[1].kind`."""
    schema = msgspec.json.schema(kind)
    places = _unfolded([schema], schema["$defs"])
    for word in re.findall(r"\w+", path):
        if word.isdecimal():
            inner = [place["items"] for place in places if "items" in place]
        else:
            inner = [p["properties"][word] for p in places if word in p.get("properties", {})]
        places = _unfolded(inner, schema["$defs"])
    return " or ".join(json.dumps(value) for place in places for value in place.get("enum", []))


def _unfolded(places: list[Any], definitions: dict[str, Any]) -> list[Any]:
    """Places of a schema with alternatives laid open and references followed."""
    open_places = [each for place in places for each in place.get("anyOf", [place])]
    return [
        definitions[place["$ref"].rpartition("/")[2]] if "$ref" in place else place
        for place in open_places
    ]
