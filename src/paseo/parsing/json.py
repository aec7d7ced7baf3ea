"""JSON: its depth has to be told, and halves of characters are none."""

import json
from typing import Any

from paseo.text import all_storable


def json_value(text: str | bytes) -> Any:
    """What a JSON text says."""
    try:
        return all_storable(json.loads(text))
    except RecursionError as error:
        raise ValueError("its values lie too deep in each other") from error
