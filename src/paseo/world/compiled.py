"""The one door to numba: functions compiled on first use and cached on disk."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile `function` when it is first called; later processes load it from the cache."""
    return cast(F, numba.njit(cache=True, nogil=True)(function))


def compiled_like_numpy(function: F) -> F:
    """Like `compiled`, but a division by zero gives infinity or NaN, as in numpy, and no error.

    A loop without branches can then be run several rounds at once by the processor.
    """
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inlined(function: F) -> F:
    """Like `compiled_like_numpy`, for a part of one kernel: compiled into it rather than called.

    To hand ten arrays to a part that takes 50 ns costs as much again.
    """
    jit = numba.njit(cache=True, nogil=True, error_model="numpy", forceinline=True)
    return cast(F, jit(function))


def is_cached(function: Callable[..., Any]) -> bool:
    """Whether some earlier process has already compiled this function."""
    kernel: Any = function
    folder = Path(kernel.stats.cache_path)
    source = Path(kernel.py_func.__code__.co_filename).stem
    return any(folder.glob(f"{source}.{kernel.py_func.__qualname__}-*.nbi"))
