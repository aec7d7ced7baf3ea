"""The one door to numba: functions compiled on first use and cached on disk."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from paseo.lasting import lasting

with lasting():
    import numba

F = TypeVar("F", bound=Callable[..., Any])
RealArray = NDArray[np.float32] | NDArray[np.float64]  # of kernels for either precision


def compiled(function: F) -> F:
    """Compile `function` when it is first called; later processes load it from the cache."""
    return _compiled(function)


def compiled_like_numpy(function: F) -> F:
    """Like `compiled`, but a division by zero gives infinity or NaN, as in numpy, and no error.

    A loop without branches can then be run several rounds at once by the processor.
    """
    return _compiled(function, error_model="numpy")


def inlined(function: F) -> F:
    """Like `compiled_like_numpy`, for a part of one kernel: compiled into it rather than called.

    To hand ten arrays to a part that takes 50 ns costs as much again.
    """
    return _compiled(function, error_model="numpy", forceinline=True)


def _compiled(function: F, **options: Any) -> F:
    kernel = numba.njit(cache=True, nogil=True, **options)(function)
    # Numba compiles anew what has changed, but sees only the file that a kernel stands in, not
    # those of the kernels it calls: after an update, old and new would run together.
    kept = kernel._cache._cache_file
    kept._source_stamp = (kept._source_stamp, kernel_sources())
    kept._load_index = _readable_only(kept._load_index)
    return cast(F, kernel)


def _readable_only(load: Callable[[], dict[Any, Any]]) -> Callable[[], dict[Any, Any]]:
    """What was kept of a kernel; nothing where it names types of modules that have moved since.

    Numba reads the types before it looks whether what was kept is out of date.
    """

    def loaded() -> dict[Any, Any]:
        try:
            return load()
        except (ImportError, AttributeError):
            return {}

    return loaded


@cache
def kernel_sources() -> str:
    """The sha256 of all files of the package that hold kernels."""
    package = Path(__file__).parent
    contents = (path.read_bytes() for path in sorted(package.rglob("*.py")))
    return hashlib.sha256(b"".join(c for c in contents if b"paseo.compiled" in c)).hexdigest()


@inlined
def like(number: float, sample: float) -> float:
    """The number in the precision of the sample.

    In a kernel that computes in whatever precision its arrays have, a bare 0.5 is in double
    precision, and so is all that it touches. Where numbers are only compared it does no harm.
    """
    return type(sample)(number)


def is_cached(function: Callable[..., Any]) -> bool:
    """Whether some earlier process has already compiled this function."""
    kernel: Any = function
    folder = Path(kernel.stats.cache_path)
    source = Path(kernel.py_func.__code__.co_filename).stem
    return any(folder.glob(f"{source}.{kernel.py_func.__qualname__}-*.nbi"))
