"""The JSON schemas of the files that people write."""

from enum import StrEnum
from typing import Any

import msgspec

from paseo.data.suites.priorities_file import PrioritiesFile
from paseo.data.suites.suite_file import RobotEntry, SuiteFile


class FileKind(StrEnum):
    """The kinds of files that have a schema."""

    SUITE = "suite"
    ROBOT = "robot"
    PRIORITIES = "priorities"


def schema(kind: FileKind | str = FileKind.SUITE) -> dict[str, Any]:
    """The JSON schema of one kind of file."""
    kinds = {
        FileKind.SUITE: SuiteFile,
        FileKind.ROBOT: RobotEntry,
        FileKind.PRIORITIES: PrioritiesFile,
    }
    return msgspec.json.schema(kinds[FileKind(kind)])
