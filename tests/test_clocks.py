"""No test fails because the machine is busy: none sets a limit to the time on the wall."""

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

TESTS = Path(__file__).parent
CLOCKS = {"monotonic", "perf_counter", "time", "now"}


def looks_at_a_clock(part: ast.expr) -> bool:
    calls = (node.func for node in ast.walk(part) if isinstance(node, ast.Call))
    return any(isinstance(call, ast.Attribute) and call.attr in CLOCKS for call in calls)


def limits(source: str) -> Iterator[int]:
    """The lines of assertions that something took less than so long."""
    for claim in ast.walk(ast.parse(source)):
        if not isinstance(claim, ast.Assert):
            continue
        for each in (node for node in ast.walk(claim.test) if isinstance(node, ast.Compare)):
            sides = pairwise([each.left, *each.comparators])
            for (left, right), order in zip(sides, each.ops, strict=True):
                less = left if isinstance(order, ast.Lt | ast.LtE) else right
                if looks_at_a_clock(less):
                    yield claim.lineno


def test_a_limit_to_the_time_on_the_wall_is_found() -> None:
    told = "assert time.monotonic() - begun < 3\nassert 0 < begun <= time.monotonic()\n"
    assert list(limits(told + "assert 3 > time.perf_counter() - begun\n")) == [1, 3]
    assert list(limits("assert time.process_time() - begun < 3\n")) == []


def test_no_test_sets_a_limit_to_the_time_on_the_wall() -> None:
    found = {str(file): list(limits(file.read_text())) for file in TESTS.rglob("*.py")}
    assert {file: lines for file, lines in found.items() if lines} == {}
