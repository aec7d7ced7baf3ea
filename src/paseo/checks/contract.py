"""What is raised when a part breaks a promise, and the first promise of all: it can be made."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from paseo.errors import PaseoError
from paseo.text import error_words

T = TypeVar("T")


class ContractBroken(PaseoError):
    """A part does not keep a promise of its seam, or several; the words say which."""

    def __init__(self, *faults: str) -> None:
        if len(faults) == 1:
            super().__init__(faults[0])
        else:
            lines = [f"- {fault}" for fault in faults]
            super().__init__(f"{len(faults)} promises are broken:", lines=lines)


def refuse(faults: Sequence[str]) -> None:
    """Raise `ContractBroken` with all faults, if there are any."""
    if faults:
        raise ContractBroken(*faults)


def made_anew(make: Callable[[], T], methods: Iterable[str], *, what: str, remedy: str) -> T:
    """One that was made without arguments, not the same as another, and that has the methods."""
    try:
        made, another = make(), make()
    except Exception as error:
        raise ContractBroken(
            f"a {what} cannot be made without arguments ({error_words(error)}); {remedy}"
        ) from error
    if made is another:
        noun = what.split()[-1]
        raise ContractBroken(f"the same {noun} was made twice; make a new one every time")
    for method in methods:
        if not callable(getattr(made, method, None)):
            raise ContractBroken(f"{type(made).__name__} has no method {method}()")
    return made
