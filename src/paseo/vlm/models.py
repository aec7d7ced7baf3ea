"""The seam to models: what is asked, what comes back, and what a model must offer."""

import base64
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol


@dataclass(frozen=True)
class Picture:
    """An encoded picture, as it is sent; shared between prompts, so it is encoded only once."""

    content: bytes
    media_type: str = "image/jpeg"

    def __repr__(self) -> str:
        return f"Picture({self.media_type}, {len(self.content):,} bytes)"

    @cached_property
    def base64(self) -> str:
        """The content as base64 text."""
        return base64.b64encode(self.content).decode("ascii")

    @cached_property
    def data_url(self) -> str:
        """The picture as a data URL."""
        return f"data:{self.media_type};base64,{self.base64}"

    @cached_property
    def hash(self) -> str:
        """The sha256 of the content."""
        return sha256(self.content).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptQuestion:
    """A question of a prompt: its key, and what may be answered."""

    key: str
    choices: tuple[str, ...]
    several: bool = False  # whether a list of all choices that apply is wanted
    # Which choice, or choices, a rule of this name takes; for scripts, never sent.
    rules: tuple[tuple[str, str], ...] = ()


class Structure(Enum):
    """How a provider holds a model to the form of a reply."""

    SCHEMA = "schema"  # a JSON schema
    CHOICE = "choice"  # a list of whole replies: vLLM's structured_outputs
    GUIDED_CHOICE = "guided-choice"  # the same, as vLLM called it before 0.12


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyForm:
    """The form that a reply must have."""

    structure: Structure
    schema: Mapping[str, Any] = field(hash=False)
    replies: tuple[str, ...] = ()  # every reply there is; empty where they are too many


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request: pictures, then text. Its beginning is the same for all questions of a scene."""

    text: str
    images: tuple[Picture, ...] = ()
    fps: float | None = None  # set where the images are the frames of one film
    id: str = ""  # what it asks, `<scene>/<question>`; for recorded answers and logs, never sent
    questions: tuple[PromptQuestion, ...] = ()  # what the text asks; for scripts, never sent
    form: ReplyForm | None = None  # that the reply must have; None: any

    def answered(self, answers: Mapping[str, str | list[str]]) -> str:
        """The JSON that the text asks for, from an answer to each question by its key."""
        if len(self.questions) == 1:
            return json.dumps({"answer": answers[self.questions[0].key]})
        return json.dumps({"answers": dict(answers)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens a request was billed for."""

    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0  # of the input, read from the provider's cache
    reasoning_tokens: int = 0  # of the output, thought and not said; 0 where nobody tells


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A piece of a reply, and the log-probabilities of what could have stood there, itself too."""

    text: str
    chances: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model answered."""

    text: str
    latency_s: float = 0.0
    usage: Usage | None = None
    ending: str = "stop"  # why it ended: stop, length, refusal, ...
    model: str = ""  # the exact model, in the provider's words
    thoughts: str = ""  # what it thought before it answered, where that is told; never read
    tokens: tuple[Token, ...] = ()  # the last of the text, where log-probabilities were asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """How a model is to answer; None leaves it to the provider."""

    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    logprobs: int | None = None  # tokens at each place whose log-probabilities are told
    timeout_s: float = 120.0
    extra: dict[str, object] = field(default_factory=dict)  # provider's own, e.g. reasoning_effort

    @property
    def deciding(self) -> dict[str, Any]:
        """What decides a reply, by name: all but how long it is waited for.

        `logprobs` only where they are asked for: what was asked before there were any is the same.
        """
        chosen = asdict(self)
        del chosen["timeout_s"]
        if self.logprobs is None:
            del chosen["logprobs"]
        return chosen


class VisionModel(Protocol):
    """Stateless: the same prompt may be asked at any time, from any thread."""

    name: str  # `provider/model`

    def ask(self, prompt: Prompt) -> Reply:
        """The reply, or a `ModelError` of `paseo.vlm.failures` saying what to do about it."""
        ...
