"""What is the same for every mutant, found once for each process; it took most of the time."""

import io
import pickle
from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from types import FunctionType
from typing import Any

from paseo import version
from paseo.cli import main as command_line
from paseo.registry import registry
from paseo.report.walk import plots, webpage


@cache
def warm() -> None:
    """Build the parser, look at the installed packages, and draw figures of one content, once."""
    for place, name, held in (
        (command_line, "parser", cache),
        (registry, "entry_points", cache),
        (version, "version", cache),
        (plots, "save_plot", once),
        (webpage, "inline_svg", once),
    ):
        setattr(place, name, held(getattr(place, name)))


def once(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is called only for what it was not given before, to the last bit.

    For others the answer is that of then, and what it wrote is not written again. What cannot
    be pickled is always new; what failed is not remembered.
    """
    known: dict[bytes, Any] = {}

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        try:
            key = _sum_of((given, named))
        except Exception:
            return function(*given, **named)
        if key not in known:
            known[key] = function(*given, **named)
        return known[key]

    return call


class _Pickler(pickle.Pickler):
    """For comparison alone: functions stand for themselves, by their names."""

    def reducer_override(self, value: object) -> Any:
        if isinstance(value, FunctionType) and "<" not in value.__qualname__:
            return str, (f"{value.__module__}.{value.__qualname__}",)
        return NotImplemented


def _sum_of(value: object) -> bytes:
    """The same only for values that are equal, whether or not their parts are shared."""
    content = io.BytesIO()
    pickler = _Pickler(content)
    pickler.fast = True
    pickler.dump(value)
    return sha256(content.getbuffer()).digest()
