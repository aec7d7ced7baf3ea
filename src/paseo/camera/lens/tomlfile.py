"""Small files of TOML as entries, with sentences that name what is wrong in them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

import msgspec

from paseo.errors import BadFile, UnknownName
from paseo.files import bounded
from paseo.parsing.toml import toml_as

LARGEST_FILE = 1 << 20  # bytes
UNKNOWN = re.compile(r"Object contains unknown field `(?P<key>.*?)`( - at `\$\.(?P<table>\w+)`)?")
T = TypeVar("T", bound=msgspec.Struct)


def read_entry(
    path: Path, kind: type[T], *, noun: str, tables: Mapping[str, type[msgspec.Struct]]
) -> T:
    """What a file holds, as a value of `kind`; `tables` are those that it may have, by name.

    `BadFile` says what is wrong with a file that is no `noun`.
    """
    content = bounded(path, LARGEST_FILE)
    try:
        return toml_as(kind, content.decode())
    except UnicodeDecodeError as error:
        raise BadFile(
            f"{path}: is no text in UTF-8 (byte {error.start + 1} is none); save it as such"
        ) from error
    except ValueError as error:
        if strange := UNKNOWN.fullmatch(str(error)):
            table = strange["table"] or ""
            within = f" in [{table}]" if table else ""
            known = tables.get(table, kind).__struct_fields__
            unknown = UnknownName(f"key of a {noun}{within}", strange["key"], known)
            raise BadFile(f"{path}: {unknown}") from error
        needed = ", ".join(_needed(kind)) or f"some of {', '.join(kind.__struct_fields__)}"
        raise BadFile(
            f"{path}: is no {noun} ({error}); expected {needed}; correct it there"
        ) from error


def _needed(kind: type[msgspec.Struct]) -> list[str]:
    return [each.name for each in msgspec.structs.fields(kind) if each.required]
