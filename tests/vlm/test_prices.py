"""What tokens cost."""

from pathlib import Path

import pytest

from paseo.errors import BadFile
from paseo.vlm.models import Usage
from paseo.vlm.prices import read_prices

TABLE = """
date = "2030-01-01"
[[price]]
model = "openai/gpt-4o-mini*"
input = 1
cached = 0.5
output = 4.0
[[price]]
model = "openai/*"
input = 10.0
cached = 5.0
output = 40.0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(TABLE)
    return path


def test_the_first_pattern_that_fits_counts(file: Path) -> None:
    table = read_prices(file)
    assert table.date == "2030-01-01"
    mini, large = table.of("openai/gpt-4o-mini-2024"), table.of("openai/gpt-4o")
    assert mini and large
    assert (mini.input, large.input) == (1.0, 10.0)
    assert table.of("gemini/gemini-2.0-flash") is None


def test_cached_input_has_its_own_price(file: Path) -> None:
    price = read_prices(file).of("openai/gpt-4o")
    assert price
    used = Usage(input_tokens=1_000_000, cached_tokens=400_000, output_tokens=100_000)
    assert price.cost_usd(used) == pytest.approx(6.0 + 2.0 + 4.0)


def test_the_shipped_table_knows_the_models_of_the_paper_and_what_is_free() -> None:
    table = read_prices()
    for model in ("openai/gpt-4o", "gemini/gemini-2.0-flash", "openai/gpt-5-nano"):
        price = table.of(model)
        assert price and 0 < price.cached <= price.input < price.output
    for plain, dated in (("openai/gpt-5", "gpt-5-2025-08-07"), ("openai/o3", "o3-2025-04-16")):
        same, price = table.of(plain), table.of(f"openai/{dated}")
        assert same and price and price.input == same.input
    assert table.of("openai/gpt-5.5-pro") is None
    for model in ("local/llava", "recorded/some/folder", "scripted/first"):
        free = table.of(model)
        assert free and free.output == 0


@pytest.mark.parametrize(
    "text",
    [
        "",
        "date = 3\nprice = []",
        'date = "x"\n[[price]]\nmodel = "m"\ninput = 1.0\n',
        TABLE.replace("10.0", "-10.0"),
        TABLE.replace("10.0", "nan"),
        TABLE.replace("10.0", "inf"),
        "\0",
        "a" * (1 << 21),
    ],
)
def test_a_table_that_makes_no_sense_is_refused_in_a_sentence(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(BadFile, match=r"prices.toml: cannot be used as prices .*; correct it"):
        read_prices(file)


def test_a_table_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="No such file"):
        read_prices(tmp_path / "none.toml")
