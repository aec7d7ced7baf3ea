"""What an exam may spend."""

import pytest

from paseo.errors import BadValue
from paseo.vlm.models import Usage
from paseo.vlm.prices import Price
from paseo.vqa.exam.budget import Budget, Caps

PRICE = Price(model="*", input=1000.0, cached=100.0, output=5000.0)
EXPECTED = Usage(input_tokens=80, output_tokens=20)  # costs 0.08 + 0.10


def budget(**caps: float) -> Budget:
    return Budget(Caps(**caps), price=PRICE, estimate=EXPECTED)  # type: ignore[arg-type]


def test_without_caps_everything_fits() -> None:
    assert budget().fits(10**6)


def test_the_first_reply_is_waited_for_and_must_fit_as_estimated() -> None:
    assert budget(tokens=100).fits(0)
    assert not budget(tokens=99).fits(0)
    assert not budget(tokens=10**6).fits(1)


def test_requests_under_way_are_reserved_for() -> None:
    for caps, others in (({"tokens": 400}, 2), ({"usd": 0.73}, 2), ({"usd": 0.71}, 1)):
        spent = budget(**caps)
        spent.settle(EXPECTED, 0.18)
        assert spent.fits(others)
        assert not spent.fits(others + 1)


def test_once_replies_came_the_largest_is_reserved_for_each() -> None:
    spent = budget(tokens=1000)
    spent.settle(Usage(input_tokens=300, output_tokens=0), None)
    spent.settle(Usage(input_tokens=10, output_tokens=10), None)
    assert spent.tokens == 320
    assert spent.fits(1)  # 320 + 2 * 310
    assert not spent.fits(2)


def test_the_cache_makes_requests_cheaper_but_is_not_relied_on() -> None:
    used = Usage(input_tokens=100, cached_tokens=90, output_tokens=0)
    spent = budget(usd=1.0)
    cost = spent.cost_usd(used)
    assert cost == pytest.approx(0.01 + 0.009)
    spent.settle(used, cost)
    assert spent.usd == pytest.approx(0.019)
    assert spent.fits(8)  # each reserved at 0.1
    assert not spent.fits(9)


def test_a_reply_that_does_not_say_what_it_used_counts_as_estimated() -> None:
    spent = budget()
    spent.settle(None, spent.cost_usd(None))
    assert spent.tokens == 100
    assert spent.usd == pytest.approx(0.18)


def test_without_a_price_money_is_unknown_and_cannot_be_capped() -> None:
    unpriced = Budget(Caps(tokens=5), price=None, estimate=EXPECTED)
    unpriced.settle(EXPECTED, unpriced.cost_usd(EXPECTED))
    assert unpriced.usd is None
    with pytest.raises(BadValue, match="max_usd: the price of this model is not known.*prices, or"):
        Budget(Caps(usd=5.0), price=None, estimate=EXPECTED)
