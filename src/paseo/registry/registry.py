"""The names of one seam: who fills it by name, by entry point, or from a user's file."""

import inspect
import sys
from collections.abc import Callable, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass
from importlib.metadata import entry_points
from types import ModuleType
from typing import Generic, TypeVar, cast

from paseo.errors import BadValue, PaseoError, UnknownName
from paseo.registry.modules import imported
from paseo.text import error_words

T = TypeVar("T")
Made = TypeVar("Made")


def lacks(*methods: str) -> Callable[[object], str]:
    """What keeps something from being a class with these methods."""

    def fault(found: object) -> str:
        if not inspect.isclass(found):
            return "is no class"
        missing = (each for each in methods if not callable(getattr(found, each, None)))
        return next((f"has no method {each}()" for each in missing), "")

    return fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Registry(Generic[T]):
    """All that fill a seam: known by name, or referred to as `file.py:Name` or `module:Name`.

    A seam is made one with a value of this class beside it. `T` is what a name stands for: the
    class, where one is made for each use, or the thing itself.
    """

    kind: str  # what sentences call it, as in "no planner is called 'strait'"
    group: str  # of the entry points by which other packages bring theirs
    shipped: Mapping[str, str]  # by name, the `module:Name` behind it
    fault: Callable[[object], str]  # why one cannot be used: "has no method plan()"; or empty
    noun: str = "class"  # what is named after the colon

    def targets(self) -> dict[str, str]:
        """Every name there is, sorted, and the `module:Name` behind it; ours cannot be replaced."""
        points = entry_points(group=self.group)
        found = {point.name: f"{point.module}:{point.attr}" for point in points}
        return dict(sorted({**found, **self.shipped}.items()))

    def find(self, reference: str) -> T:
        """What a name, `file.py:Name` or `module:Name` stands for."""
        known = self.targets()
        target = known.get(reference, reference)
        module_name, colon, name = target.rpartition(":")
        if not colon:
            if reference.endswith(".py"):
                raise BadValue(
                    f"{self.kind} '{reference}': which {self.noun}? Write {reference}:ClassName"
                )
            raise UnknownName(self.kind, reference, known)
        module = self._module(module_name, reference)
        if not hasattr(module, name):
            usable = [each for each, value in vars(module).items() if not self.fault(value)]
            raise UnknownName(f"{self.noun} in {module_name}", name, usable)
        found = getattr(module, name)
        if problem := self.fault(found):
            raise BadValue(f"{self.kind} '{reference}': {name} {problem}")
        return cast(T, found)

    def installed(self) -> list[T]:
        """All that other packages bring, in order of their names."""
        return [self.find(name) for name in self.targets() if name not in self.shipped]

    def _module(self, name: str, reference: str) -> ModuleType:
        try:
            return imported(self.kind, name, reference)
        except ModuleNotFoundError as error:
            known = self.targets()
            if reference not in known and name.split(".")[0] == error.name:
                raise UnknownName(self.kind, reference, known) from error
            raise BadValue(f"{self.kind} '{reference}': {error}; install it") from error


def made(what: str, make: Callable[[], Made], *, told: tuple[type[PaseoError], ...] = ()) -> Made:
    """What a user's class makes; `what` begins the sentence if it fails, as in "planner 'x'".

    Errors of the kinds in `told` are sentences already and left as they are.
    """
    try:
        with redirect_stdout(sys.stderr):  # it may talk; stdout is for our data
            return make()
    except told:
        raise
    except (Exception, SystemExit) as error:
        raise BadValue(f"{what} cannot be made ({error_words(error)})") from error
