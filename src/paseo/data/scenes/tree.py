"""The files below a folder of scenes: read within bounds, never from outside it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

from paseo.data.settings_file import converted
from paseo.data.textfile import text_of
from paseo.errors import BadFile, MissingData
from paseo.files import bounded_stream, opened
from paseo.parsing.json import json_value
from paseo.parsing.yaml import yaml_value

LARGEST_JSON = 16 << 20  # bytes
LARGEST_YAML = 64 << 10  # it is parsed a thousand times more slowly
POINTER = b"version https://git-lfs"  # how a file begins that git-lfs left in place of another
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Tree:
    """A folder, and what to do where a file of it is missing."""

    folder: Path
    remedy: str

    def has(self, name: str) -> bool:
        """Whether there is anything of this name, a broken link too."""
        path = self.folder / name
        return path.is_symlink() or path.exists()

    def content(self, name: str, *, largest: int) -> bytes:
        """What the file holds; `MissingData` or `BadFile` tell why it cannot be had."""
        path = self.folder / name
        try:
            content = self._read(path, largest)
        except FileNotFoundError as error:
            raise MissingData(f"{path}: is not there; {self.remedy}") from error
        except (OSError, RuntimeError) as error:  # a circle of links is a RuntimeError
            reason = getattr(error, "strerror", None) or "its links lead in a circle"
            raise BadFile(f"{path}: cannot be read ({reason}); {self.remedy}") from error
        if content.startswith(POINTER):
            raise MissingData(
                f"{path}: holds only git-lfs's note on the file; run `git lfs pull` in the data "
                "set's folder, or `paseo data fetch socialnav-sub`"
            )
        return content

    def json(self, name: str, kind: type[T]) -> T:
        """A JSON file as a value of `kind`."""
        content = self._parsed(name, json_value, LARGEST_JSON)
        return converted(content, kind, where=str(self.folder / name))

    def yaml(self, name: str, kind: type[T]) -> T:
        """A YAML file as a value of `kind`."""
        content = self._parsed(name, yaml_value, LARGEST_YAML)
        return converted(content, kind, where=str(self.folder / name))

    def fault(self, name: str, problem: str) -> BadFile:
        """The sentence for a file whose content cannot be."""
        return BadFile(f"{self.folder / name}: {problem}; {self.remedy}")

    def _parsed(self, name: str, parse: Callable[[str], Any], largest: int) -> Any:
        path = self.folder / name
        text = text_of(self.content(name, largest=largest), path)
        try:
            return parse(text)
        except (ValueError, yaml.YAMLError) as error:
            what = " ".join(str(error).split())[:120]
            raise BadFile(
                f"{path}: is no {path.suffix[1:].upper()} ({what}); {self.remedy}"
            ) from error

    def _read(self, path: Path, largest: int) -> bytes:
        real = path.resolve(strict=True)
        if not real.is_relative_to(self.folder.resolve()):
            raise BadFile(
                f"{path}: is a link that leads out of {self.folder}, expected the file itself; "
                "copy it there"
            )
        if not real.is_file():
            raise BadFile(f"{path}: is no file, expected one; {self.remedy}")
        with opened(real) as stream:
            too_large = f"expected at most that many; {self.remedy}"
            return bounded_stream(stream, path, largest, too_large=too_large)
