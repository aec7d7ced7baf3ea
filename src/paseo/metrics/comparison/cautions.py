"""What makes rows hard to compare."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.comparison.rows import Row


class Caution(StrEnum):
    """What makes rows hard to compare: in what they differ."""

    RULES = "presence rules"
    ROBOTS = "robots"
    CONTROLS = "control modes"
    SETTINGS = "settings"
    CLOCKS = "clocks"
    MACHINES = "machines"
    EPISODES = "episodes"


def cautions(
    measured: Sequence[MeasuredEpisode], grouped: Mapping[Row, Sequence[MeasuredEpisode]]
) -> list[Caution]:
    """In what rows differ that should be alike."""
    kinds: dict[Caution, set[Any]] = {
        Caution.RULES: {row.rule for row in grouped},
        Caution.ROBOTS: {row.robot for row in grouped},
        Caution.CONTROLS: {row.control for row in grouped},
        Caution.SETTINGS: {row.settings for row in grouped},
        Caution.CLOCKS: {row.clock for row in grouped},
        Caution.MACHINES: {each.machine for each in measured if each.machine},
        Caution.EPISODES: {
            frozenset(each.episode for each in episodes) for episodes in grouped.values()
        },
    }
    return [caution for caution, found in kinds.items() if len(found) > 1]
