import base64

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.report.walk.packing import curve, packed
from unpacking import Unpacked


@pytest.mark.parametrize(
    ("number", "content"),
    # Signed numbers as Protocol Buffers encodes them (its guide to encoding: ZigZag, varint).
    [(0, b"\x00"), (-1, b"\x01"), (1, b"\x02"), (-2, b"\x03"), (75, b"\x96\x01"),
     (0x7FFFFFFF, b"\xfe\xff\xff\xff\x0f"), (-0x80000000, b"\xff\xff\xff\xff\x0f")],
)  # fmt: skip
def test_numbers_are_packed_as_in_protocol_buffers(number: int, content: bytes) -> None:
    assert base64.b64decode(packed([np.array([number])])) == content


@given(st.lists(st.integers(-(2**40), 2**40)), st.lists(st.integers(-100, 100)))
def test_what_is_packed_comes_out_again(first: list[int], second: list[int]) -> None:
    text = packed([np.array(first, np.int64), np.array(second, np.int64)])
    numbers = Unpacked(text)
    assert [numbers.next() for _ in (*first, *second)] == [*first, *second]
    assert numbers.at_end


@pytest.mark.parametrize("offset", [0.0, -4.0, 5e6])
def test_a_curve_is_true_to_half_a_centimetre(offset: float) -> None:
    values = offset + np.cumsum(np.random.default_rng(1).normal(0, 0.2, 300))
    back = Unpacked(packed([curve(values)])).curve(len(values))
    assert np.abs(back - values).max() <= 0.005 + 1e-9


def test_a_walk_takes_about_a_byte_for_each_number() -> None:
    walk = np.arange(600) * 0.13 + 0.02 * np.sin(np.arange(600) / 5)
    assert len(packed([curve(walk)])) < 4 / 3 * 610


def test_nothing_is_packed_as_nothing() -> None:
    assert packed([]) == packed([curve(np.empty(0))]) == ""
