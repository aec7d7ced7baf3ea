"""The one door to numba: functions compiled on first use and cached on disk."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile `function` when it is first called; later processes load it from the cache."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def is_cached(function: Callable[..., Any]) -> bool:
    """Whether some earlier process has already compiled this function."""
    kernel: Any = function
    folder = Path(kernel.stats.cache_path)
    source = Path(kernel.py_func.__code__.co_filename).stem
    return any(folder.glob(f"{source}.{kernel.py_func.__qualname__}-*.nbi"))
