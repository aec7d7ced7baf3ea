"""Code that a file names: which it is, and whether this user has named it as it is now.

Importing is running. What a user names on the command line or in Python is remembered, each file by
its path and its bytes; what only a record or a run names is imported if it is remembered, or if
somebody who is asked agrees.
"""

import hashlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paseo.errors import InputError
from paseo.files import sha256
from paseo.registry.modules import LARGEST
from paseo.registry.registry import Registry


class Untrusted(InputError):
    """A file names code that this user has not named, and nobody has agreed to it."""


@dataclass(frozen=True, slots=True)
class NamedCode:
    """Code outside of Paseo that a record or a run names."""

    kind: str  # what it fills: planner, perception, pedestrian model, recording format
    reference: str  # file.py:Name or module:Name
    recorded: str = ""  # the sha256 of its file when the record was made; empty: not told

    @property
    def place(self) -> str:
        """Where it comes from: a file, or what holds a module; empty: it cannot be found."""
        name = self.reference.rpartition(":")[0]
        if name.endswith(".py"):
            return str(Path(name).resolve())
        try:
            spec = importlib.util.find_spec(name.partition(".")[0])  # which imports nothing
        except (ImportError, ValueError):
            return ""
        if spec is None:
            return ""
        return str(next(iter(spec.submodule_search_locations or ()), spec.origin or ""))

    @property
    def digest(self) -> str:
        """The sha256 of its file now; empty for modules, and where there is none."""
        path = Path(self.place)
        is_file = path.suffix == ".py" and path.is_file()
        return sha256(path, largest=LARGEST) if is_file else ""

    @property
    def is_changed(self) -> bool:
        """Whether its file is another than when the record was made."""
        return bool(self.recorded) and self.recorded != self.digest

    @property
    def is_known(self) -> bool:
        """Whether this user has named it, as it is now and as it was then."""
        return not self.is_changed and (_memory() / self._mark).is_file()

    @property
    def words(self) -> str:
        """What would be imported, for somebody who decides about it."""
        place, digest = self.place, self.digest
        told = f"sha256 {digest[:12]}" if digest else f"of {place!r}"
        changed = ", not that of the record" if self.is_changed else ""
        name = self.reference.rpartition(":")[2]
        reference = f"{place}:{name}" if digest else self.reference
        return f"{self.kind} {reference!r} ({told}{changed})"

    @property
    def _mark(self) -> str:
        name = self.reference.rpartition(":")[0]
        own = "" if name.endswith(".py") else name
        return hashlib.sha256("\0".join([self.place, self.digest, own]).encode()).hexdigest()


# Whether all of it may be imported; asked before any of it is.
Consent = Callable[[Sequence[NamedCode]], bool]


def only_known(code: Sequence[NamedCode]) -> bool:
    """The consent of nobody: only what this user has named before is imported."""
    return all(each.is_known for each in code)


def named_code(registry: Registry[Any], reference: str, recorded: str = "") -> list[NamedCode]:
    """What a reference would have imported; nothing where it is a name of an installed package.

    Nor where there is nothing to import, or it is imported already: then nothing is run.
    """
    targets = registry.targets()
    name = reference.rpartition(":")[0]
    if not name or reference in targets or reference in targets.values() or name in sys.modules:
        return []
    code = NamedCode(registry.kind, reference, recorded)
    is_there = Path(name).is_file() if name.endswith(".py") else bool(code.place)
    return [code] if is_there else []


def agreed(code: Sequence[NamedCode], consent: Consent, *, whose: str) -> None:
    """Raise `Untrusted` unless somebody consents to import all that `whose` file names."""
    if not code:
        return
    if not consent(code):
        unknown = next((each for each in code if not each.is_known), code[0])
        raise Untrusted(
            f"{whose} would import {unknown.words}, which you have not named yourself as it is "
            "now; look at it, then name it or add trust",
            parameters=("trust",),
        )
    remember(code)


def remember(code: Iterable[NamedCode]) -> None:
    """Note that this user has named some code; where nothing can be noted, it is asked about."""
    with suppress(OSError):
        for each in code:
            memory = _memory()
            memory.mkdir(mode=0o700, parents=True, exist_ok=True)
            if each.place and not (memory / each._mark).exists():
                (memory / each._mark).write_text(f"{each.place}\n", errors="backslashreplace")


def _memory() -> Path:
    """Where it is noted what this user has named."""
    if sys.platform == "win32":
        state = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    else:
        state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return state / "paseo" / "named"
