"""Answer sheets: one model's answers to many questions, ready to be scored."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from paseo.vlm.models import Usage
from paseo.vqa.questions.answers import Answer


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
    method: str = ""  # independent, chain, chain-human, reason; empty where unknown
    images: str = ""  # the layout of the pictures
    drawing: str = ""  # who drew them: dataset, paseo, paseo-brg
    wording: str = ""  # whose wording, with the beginning of its hash
    source: str = ""  # the folder it was read from
    answers: Mapping[tuple[str, str], tuple[Answer, ...]]  # by scene and question key, per repeat
    askings: tuple[Asking, ...] = field(default=())  # of every request that was made
    failed: int = 0  # questions the provider would not answer at all
