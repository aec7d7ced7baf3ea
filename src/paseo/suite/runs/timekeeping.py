"""By which clock a run's planners think, from the words a person gives."""

from paseo.errors import BadValue
from paseo.world.clocks import REPEAT_LIMIT_S, ClockName, Late, Thinking, Timekeeping, named


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
    name = usual if clock is None else named(ClockName, clock, "clock")
    if charged_by and name is not ClockName.CHARGED:
        raise BadValue(
            f"with {charged_by} the clock is 'charged', not '{name}'",
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
        thinking=named(Thinking, thinking or Thinking.HOLD, "thinking"),
        late=named(Late, late or Late.HERE, "late"),
        repeat_limit_s=repeat_limit_s,
    )
