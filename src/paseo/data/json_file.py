"""JSON files of any shape, read within bounds."""

from pathlib import Path

import msgspec

from paseo.data.textfile import whole_text
from paseo.errors import BadFile


def read_json(path: Path, *, largest: int) -> object:
    """What the file holds, unchecked; `BadFile` if it is no JSON or has more bytes."""
    try:
        return msgspec.json.decode(whole_text(path, largest=largest))
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadFile(f"{path}: is no JSON ({error}); correct it, or fetch it again") from error
