"""Answer sheets: one model's answers to many questions, ready to be scored."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from paseo.vlm.models import Usage
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Option


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What one request took."""

    latency_s: float
    usage: Usage | None = None
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The answers of one model asked in one way: a row of a table."""

    model: str
    method: Method | None = None  # None where unknown, and so the next two
    images: Layout | None = None
    drawing: Drawing | None = None
    engine: str = ""  # what read the pictures, where no model did
    wording: str = ""  # whose wording, with the beginning of its hash
    source: str = ""  # the folder it was read from
    answers: Mapping[tuple[str, str], tuple[Answer, ...]]  # by scene and question key, per repeat
    # The same, with the probability of each option; None where log-probabilities do not tell it.
    chances: Mapping[tuple[str, str], tuple[Mapping[Option, float] | None, ...]] = field(
        default_factory=dict
    )
    askings: tuple[Asking, ...] = field(default=())  # of every request that was made
    failed: int = 0  # questions the provider would not answer at all
    staged: bool | None = None  # whether its scenes are; None where only their ids can tell
    people: Mapping[str, tuple[int, ...]] = field(default_factory=dict)  # in scenes, where known

    @property
    def about(self) -> dict[str, str]:
        """How it was asked, in words; empty ones where that is not known."""
        closed = {"method": self.method, "images": self.images, "drawing": self.drawing}
        words = {name: each.value if each else "" for name, each in closed.items()}
        return words | {"wording": self.wording}
