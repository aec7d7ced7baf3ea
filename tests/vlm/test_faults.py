import math

import pytest

from paseo.vlm.faults import LONGEST_TEXT, reply_faults, token_count
from paseo.vlm.models import Reply, Usage


def test_an_ordinary_reply_has_no_faults() -> None:
    used = Usage(input_tokens=10**8, output_tokens=0, cached_tokens=5)
    assert reply_faults(Reply(text="", latency_s=3, usage=used)) == []


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("yes", "ask() returned str, expected a Reply"),
        (Reply(text=b"yes"), "the reply's text is b'yes', expected text"),
        (Reply(text="", ending=None), "the reply's ending is None, expected text"),
        (Reply(text="", model="a" * (LONGEST_TEXT + 1)), "model is longer than"),
        (Reply(text="", latency_s=math.inf), "latency_s is inf, expected seconds"),
        (Reply(text="", usage={}), "usage is {}, expected Usage or None"),
        (Reply(text="", usage=Usage(input_tokens=-1, output_tokens=0)), "input_tokens is -1"),
        (Reply(text="", usage=Usage(input_tokens=0, output_tokens=1.5)), "output_tokens is 1.5"),
    ],
)
def test_a_fault_is_told_in_words(reply: object, told: str) -> None:
    (said,) = reply_faults(reply)
    assert told in said


@pytest.mark.parametrize(
    ("said", "tokens"),
    [(7, 7), (7.0, 7), (-3, 0), (None, 0), ("12", 0), ([], 0), (math.nan, 0), (math.inf, 10**8)],
)
def test_tokens_are_counted_only_within_reason(said: object, tokens: int) -> None:
    assert token_count(said) == tokens
