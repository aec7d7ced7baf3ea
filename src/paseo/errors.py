"""What can go wrong, as sentences for the person who must act."""

import importlib
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from types import ModuleType

from paseo.text import in_short

LONGEST_NAME = 200  # characters that are looked at to find one like it
Spelling = Callable[[str], str]  # of a parameter's name
MOST_NAMES = 40  # that are listed for somebody who used another


def spelled(sentence: str, parameters: Iterable[str], spelling: Spelling) -> str:
    """A sentence with the parameters it names as somebody else spells them.

    The same words in paths, in quotes or as words of a command are no parameters.
    """
    named = "|".join(map(re.escape, parameters))
    if not named:
        return sentence
    alone = rf"(?<![\w/.'-])(?<!paseo )({named})(?![\w/'-]|\.\w)"
    return re.sub(alone, lambda found: spelling(found[1]), sentence)


class PaseoError(Exception):
    """Something failed while working; the command line exits with 1.

    `parameters` are those that the sentence names, as Python spells them; a list may follow it in
    `lines`. Names and messages from outside may stand in all of them: each is made one line that
    can be seen, and not too long.
    """

    exit_code = 1

    def __init__(
        self, sentence: str, *, parameters: Iterable[str] = (), lines: Iterable[str] = ()
    ) -> None:
        super().__init__("\n".join(map(in_short, (sentence, *lines))))
        self.parameters = tuple(parameters)

    def spelled(self, spelling: Spelling) -> str:
        """The sentence, with its parameters as somebody else spells them."""
        return spelled(str(self), self.parameters, spelling)


class InputError(PaseoError):
    """What was given cannot be used; the command line exits with 2."""

    exit_code = 2


class CannotGoOn(PaseoError):
    """Something a planner needs is not to be had: the run ends, and can be resumed.

    It is no failure of the planner, and so it must not become the end of an episode.
    """


class BadFile(InputError):
    """A file does not hold what its format promises."""


class BadValue(InputError):
    """A value is outside what makes sense."""


class BadScenario(InputError):
    """A scenario cannot be run: its start, goal or time make no sense on its floor plan."""


class MissingData(InputError):
    """Recordings are needed that are not on this machine."""


class UnknownName(InputError):
    """A name that nothing is registered under."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names, asked = sorted(known), name[:LONGEST_NAME]
        by_small_letters = {each.lower(): each for each in reversed(names)}
        close = get_close_matches(asked, names, n=1) or [
            by_small_letters[each]
            for each in get_close_matches(asked.lower(), by_small_letters, n=1)
        ]
        hint = f"Did you mean '{close[0]}'?" if close else _known(asked, names)
        super().__init__(f"no {kind} is called '{name}'. {hint}")


def _known(name: str, names: Sequence[str]) -> str:
    """What there is; of many, what is nearest."""
    if len(names) <= MOST_NAMES:
        return f"Known: {', '.join(names) or 'none'}."
    nearest = get_close_matches(name, names, n=MOST_NAMES // 4, cutoff=0.0)
    return f"There are {len(names)}, of which the nearest: {', '.join(nearest)}."


class PlannerFailed(PaseoError):
    """A planner crashed, answered nonsense, stalled or never returned."""


class CannotWrite(PaseoError):
    """A result could not be saved; nothing is left under its final name."""


class CannotFetch(PaseoError):
    """Data could not be had from its source; what already arrived is kept for the next attempt."""


class NotAvailable(PaseoError):
    """A metric lacks something this record does not tell, such as the goal."""


class MissingExtra(PaseoError):
    """A package is needed that the core install does not bring."""


def require(module: str, extra: str, purpose: str, *, package: str = "") -> ModuleType:
    """An optional module; without it, `MissingExtra` says what it is for and what to install.

    The `purpose` goes on after "which", as in "which writes films"; `package` is what people call
    the package, where that is not the module's name.
    """
    try:
        importlib.import_module(module.partition(".")[0])  # a part may be loaded, the whole hidden
        return importlib.import_module(module)
    except ImportError as error:
        raise missing_extra(
            package or f"the package {module.partition('.')[0]}", extra, purpose, error
        ) from error


def missing_extra(
    package: str, extra: str, purpose: str, error: ImportError | None = None
) -> MissingExtra:
    """The sentence for a package that is not there, or is and cannot be imported."""
    absent = error is None or isinstance(error, ModuleNotFoundError)
    problem = "is not installed" if absent else f"cannot be loaded ({error})"
    return MissingExtra(f"{package}, which {purpose}, {problem}; type pip install 'paseo[{extra}]'")
