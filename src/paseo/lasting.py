"""What is made for good, out of the garbage collector's way."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def lasting() -> Iterator[None]:
    """Around the import of a large module, which stays until the process ends.

    The garbage collector neither runs meanwhile nor looks at any of it later: of numba and warp
    it would find nothing, again and again, for a quarter of a second.
    """
    with uncollected():
        yield
    gc.freeze()


@contextmanager
def uncollected() -> Iterator[None]:
    """While millions of values are made of which all are kept, the collector does not run."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()
