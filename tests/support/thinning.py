"""Many cases of one test: a few of them are quick, the rest is left to the slow tests."""

from collections.abc import Iterable
from typing import Any

import pytest


def mostly_slow(cases: Iterable[Any], *, quick: int = 1) -> list[Any]:
    """The first cases as they are, those after them marked as slow."""
    each = list(cases)
    return each[:quick] + [pytest.param(case, marks=pytest.mark.slow) for case in each[quick:]]
