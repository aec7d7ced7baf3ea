"""What tokens cost: a table by model name that users can edit."""

from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from importlib import resources
from pathlib import Path

from paseo.errors import BadFile
from paseo.files import bounded
from paseo.parsing.toml import toml_as
from paseo.vlm.models import Usage
from paseo.vlm.providers import shipped_provider

LARGEST_FILE = 1 << 20  # bytes
LARGEST_PRICE = 1e6  # USD per million tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """USD per million tokens of the models whose `provider/model` name fits a pattern."""

    model: str  # with * and ?
    input: float
    cached: float  # input that the provider reads from its cache
    output: float

    def __post_init__(self) -> None:
        if not all(0 <= each <= LARGEST_PRICE for each in (self.input, self.cached, self.output)):
            raise ValueError(f"the price of '{self.model}' must be from 0 to {LARGEST_PRICE:g}")

    def cost_usd(self, usage: Usage) -> float:
        """What a request cost."""
        fresh = max(0, usage.input_tokens - usage.cached_tokens)
        parts = fresh * self.input + usage.cached_tokens * self.cached
        return (parts + usage.output_tokens * self.output) / 1e6

    def times(self, factor: float) -> "Price":
        """The price with everything at so many times what it costs."""
        return replace(
            self,
            input=self.input * factor,
            cached=self.cached * factor,
            output=self.output * factor,
        )


FREE = Price(model="*", input=0.0, cached=0.0, output=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceTable:
    """Prices as of a date; of those that fit, the first in the file counts."""

    date: str
    price: tuple[Price, ...]

    def of(self, model: str) -> Price | None:
        """The price of `provider/model`; None where the table does not tell."""
        fitting = (price for price in self.price if fnmatchcase(model, price.model))
        provider = shipped_provider(model)
        return next(fitting, FREE if provider and provider.is_free else None)


def read_prices(path: Path | None = None) -> PriceTable:
    """The table of a file, or the one that comes with Paseo."""
    if path is None:
        shipped = resources.files("paseo.vlm") / "shipped" / "prices.toml"
        return toml_as(PriceTable, shipped.read_text(encoding="utf-8"))
    try:
        content = bounded(path, LARGEST_FILE)
        return toml_as(PriceTable, content.decode(), strict=False)
    except (BadFile, ValueError) as error:
        reason = str(error).removeprefix(f"{path}: ")
        raise BadFile(
            f"{path}: cannot be used as prices ({reason}), expected a date and [[price]] tables "
            "with model, input, cached and output in USD per million tokens; correct it"
        ) from error
