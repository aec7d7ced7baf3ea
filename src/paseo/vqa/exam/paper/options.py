"""What a model is asked and how, as whoever asks says it."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from paseo.errors import BadValue
from paseo.text import without_keys
from paseo.vlm.likelihoods import MOST_TOLD
from paseo.vlm.models import ModelSettings, Structure
from paseo.vqa.exam.budget import Caps
from paseo.vqa.exam.plan import PATIENCE, STALL, ExamOptions
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.probes.probe import Probe
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method

SECRET = re.compile(
    r"api.?key|authorization|password|secret|credential|header|cookie|bearer"
    r"|(access|auth|api|id).?token|^(key|token)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AskOptions:
    """What a model is asked and how, how fast, and what it may cost."""

    method: Method = Method.CHAIN
    images: Layout = Layout.FRONT_BEV
    drawing: Drawing | None = None  # None: the data set's own where every scene has it
    largest_px: int | None = None  # of a picture's longer side; None: as `sent_px` says
    wording: WordingSource | None = None  # None: the data set's own where it has any
    labels: Path | None = None  # people's answers, where the method tells them
    probes: tuple[Probe, ...] = ()
    limit: int | None = None  # only the first scenes
    repeats: int = 1
    together: int = 1  # questions per request
    settings: ModelSettings = field(default_factory=ModelSettings)
    structured: Structure | None = None  # how replies are held to their form; None: only asked to
    batch: bool = False  # through the provider's batch interface, for half the price
    concurrency: int = 8
    rate_limit_rpm: float | None = None  # requests per minute
    retries: int = 5
    keep_going: bool = False  # even after many useless answers in a row
    max_usd: float | None = None
    max_tokens_total: int | None = None
    prices: Path | None = None  # None: the shipped table
    cache: Path | None = None  # a file of replies that exams share; None: none are shared

    def __post_init__(self) -> None:
        if self.batch and self.caps != Caps() and self.settings.max_tokens is None:
            raise BadValue(
                "what was sent together is paid for, whatever the replies come to: beside batch, "
                "max_usd and max_tokens_total need max_tokens, the most of one reply",
                parameters=["max_usd", "max_tokens_total", "batch", "max_tokens"],
            )
        if self.settings.logprobs is not None:
            self._check_logprobs(self.settings.logprobs)
        for key, value in self.settings.extra.items():
            if _holds_secret(key, value):
                raise BadValue(
                    f"extra {key[:40]}: looks like a secret, and settings are written to "
                    "exam.json; keys belong into the environment, see `paseo list models`",
                    parameters=["extra"],
                )

    def _check_logprobs(self, told: int) -> None:
        if not 1 <= told <= MOST_TOLD:
            raise BadValue(f"logprobs is {told}, expected 1 to {MOST_TOLD} tokens at each place")
        if self.together > 1 or self.cache is not None:
            raise BadValue(
                "log-probabilities are of one answer in a reply, and not shared; leave together "
                "and cache out",
                parameters=["together", "cache"],
            )

    @property
    def running(self) -> ExamOptions:
        """How the exam is run."""
        return ExamOptions(
            repeats=self.repeats,
            together=self.together,
            concurrency=self.concurrency,
            per_minute=self.rate_limit_rpm,
            retries=self.retries,
            patience=None if self.keep_going else PATIENCE,
            stall_s=STALL * self.settings.timeout_s,
        )

    @property
    def caps(self) -> Caps:
        """The most it may use."""
        return Caps(usd=self.max_usd, tokens=self.max_tokens_total)


def _holds_secret(key: str, value: object) -> bool:
    """Whether a setting is a secret by its name or its look, or one in it is."""
    if SECRET.search(key) or (isinstance(value, str) and without_keys(value) != value):
        return True
    inner = value.items() if isinstance(value, dict) else ()
    listed = [("", each) for each in value] if isinstance(value, list) else []
    return any(_holds_secret(str(name), each) for name, each in (*inner, *listed))


DEFAULTS = AskOptions()
