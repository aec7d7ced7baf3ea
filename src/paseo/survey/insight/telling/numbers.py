"""Numbers as people read them."""

from paseo.survey.insight.resampling import Interval

NOTHING = "-"


def number(value: float | None, places: int = 2) -> str:
    """Rounded; a dash where there is none."""
    if value is None:
        return NOTHING
    rounded = f"{value:.{places}f}"
    return rounded.removeprefix("-") if float(rounded) == 0 else rounded


def ranged(each: Interval, places: int = 2) -> str:
    """With its interval, where it has one."""
    if each.low is None or each.high is None:
        return number(each.value, places)
    ends = f"{number(each.low, places)}, {number(each.high, places)}"
    return f"{number(each.value, places)} [{ends}]"


def percent(share: float | None) -> str:
    """A share in hundredths."""
    return NOTHING if share is None else f"{100 * share:.0f} %"


def counted(count: int, one: str, more: str = "") -> str:
    """A number of things in words."""
    return f"{count} {one if count == 1 else more or one + 's'}"
