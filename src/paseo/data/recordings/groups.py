"""Who walks together: group files, as JSON or as one line of ids per group."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import msgspec

from paseo.data.textfile import bad_line, quoted, text_lines
from paseo.errors import BadFile
from paseo.world.tracks import Recording

Groups = tuple[tuple[int, ...], ...]


class _GroupFile(msgspec.Struct):
    groups: list[list[int]]


def read_groups(path: Path) -> Groups:
    """Groups of people's ids, each sorted, in order of their smallest id; overlapping ones merged.

    The file is JSON, `{"groups": [[1, 2], [5, 6, 9]]}`, or text with the ids of one group per line.
    A line with a single id is no group: such lines are counts or people alone.
    """
    lines = text_lines(path)
    if lines[0].lstrip().startswith("{"):
        return merged(_json_groups(lines, path))
    return merged(_line_ids(line, number, path) for number, line in enumerate(lines, 1))


def merged(groups: Iterable[Iterable[int]]) -> Groups:
    """The groups with those that share a person made one, and nobody left alone."""
    group_of: dict[int, set[int]] = {}
    for ids in map(set, groups):
        joined = ids.union(*(group_of[id] for id in ids if id in group_of))
        group_of.update(dict.fromkeys(joined, joined))
    by_first = {min(group): tuple(sorted(group)) for group in group_of.values()}
    return tuple(by_first[first] for first in sorted(by_first) if len(by_first[first]) > 1)


def with_groups(recording: Recording, groups: Iterable[Iterable[int]]) -> Recording:
    """The recording with these groups, without people who are not in it."""
    present = {track.id for track in recording.tracks}
    return replace(recording, groups=merged(present.intersection(group) for group in groups))


def _json_groups(lines: list[str], path: Path) -> list[list[int]]:
    try:
        return msgspec.json.decode("\n".join(lines), type=_GroupFile).groups
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadFile(
            f'{path}: is wrong ({error}), expected {{"groups": [[1, 2], ...]}} with lists of '
            "whole numbers; correct it"
        ) from error


def _line_ids(line: str, number: int, path: Path) -> list[int]:
    try:
        return [int(cell) for cell in line.split()]
    except ValueError as error:
        problem = f"is {quoted(line)}"
        raise bad_line(
            path, f"line {number}", problem, "whole numbers, the ids of one group"
        ) from error
