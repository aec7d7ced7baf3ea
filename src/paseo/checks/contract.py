"""What is raised when a part breaks a promise, and the first promise of all: it can be made."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from paseo.errors import PaseoError

T = TypeVar("T")


class ContractBroken(PaseoError):
    """A part does not keep a promise of its seam, or several; the words say which."""


def refuse(faults: Sequence[str]) -> None:
    """Raise `ContractBroken` with all faults, if there are any."""
    if len(faults) == 1:
        raise ContractBroken(faults[0])
    if faults:
        listed = "".join(f"\n- {fault}" for fault in faults)
        raise ContractBroken(f"{len(faults)} promises are broken:{listed}")


def made_anew(make: Callable[[], T], methods: Iterable[str], *, what: str, remedy: str) -> T:
    """One that was made without arguments, not the same as another, and that has the methods."""
    try:
        made, another = make(), make()
    except Exception as error:
        raise ContractBroken(
            f"a {what} cannot be made without arguments ({type(error).__name__}: {error}); {remedy}"
        ) from error
    if made is another:
        noun = what.split()[-1]
        raise ContractBroken(f"the same {noun} was made twice; make a new one every time")
    for method in methods:
        if not callable(getattr(made, method, None)):
            raise ContractBroken(f"{type(made).__name__} has no method {method}()")
    return made
