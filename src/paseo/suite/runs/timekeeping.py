"""By which clock a run's planners think, from the words a person gives."""

from enum import StrEnum
from typing import TypeVar

from paseo.errors import BadValue
from paseo.world.clocks import REPEAT_LIMIT_S, ClockName, Late, Thinking, Timekeeping

E = TypeVar("E", bound=StrEnum)


def timekeeping_of(
    clock: ClockName | str | None,
    *,
    thinking: Thinking | str | None = None,
    late: Late | str | None = None,
    repeat_limit_s: float | None = None,
    charged_by: str = "",
) -> Timekeeping:
    """What the words mean; None is the usual. `charged_by` names what asks for the clock charged.

    The latency of a charged clock is not declared here.
    """
    usual = ClockName.CHARGED if charged_by else ClockName.SYNC
    name = usual if clock is None else _named(ClockName, clock, "clock")
    if charged_by and name is not ClockName.CHARGED:
        raise BadValue(
            f"{charged_by} asks for the clock 'charged', not '{name}'",
            parameters=(charged_by, "clock"),
        )
    policies = {"thinking": thinking, "late": late, "repeat_limit_s": repeat_limit_s}
    given = [key for key, value in policies.items() if value is not None]
    if name is ClockName.SYNC and given:
        raise BadValue(
            f"by the clock 'sync' the world waits for the planner; with {', '.join(given)} choose "
            "the clock 'charged' or 'async'",
            parameters=(*given, "clock"),
        )
    if repeat_limit_s is None and name is ClockName.ASYNC:
        repeat_limit_s = REPEAT_LIMIT_S
    return Timekeeping(
        clock=name,
        thinking=_named(Thinking, thinking or Thinking.HOLD, "thinking"),
        late=_named(Late, late or Late.HERE, "late"),
        repeat_limit_s=repeat_limit_s,
    )


def _named(kind: type[E], word: str, parameter: str) -> E:
    try:
        return kind(word)
    except ValueError as error:
        known = ", ".join(each.value for each in kind)
        raise BadValue(
            f"{parameter} is '{word}', expected one of {known}", parameters=(parameter,)
        ) from error
