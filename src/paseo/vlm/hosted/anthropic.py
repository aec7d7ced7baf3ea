"""Models of Anthropic."""

import os
from collections.abc import Callable, Mapping
from inspect import signature
from time import monotonic
from typing import TYPE_CHECKING, Any

from paseo.errors import BadValue, require
from paseo.vlm.faults import token_count
from paseo.vlm.hosted import connection as hosted
from paseo.vlm.hosted.batching.anthropic import HEADERS, URL, AnthropicBatches
from paseo.vlm.hosted.batching.wire import open_wire
from paseo.vlm.hosted.conversation import converse
from paseo.vlm.models import ModelSettings, Prompt, Reply, Usage

if TYPE_CHECKING:
    from anthropic.types import Message

MAX_TOKENS = 4096  # the protocol has no default; room for written reasoning
ENDINGS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool",
}


class AnthropicModel:
    """A model by its name, with ANTHROPIC_API_KEY in the environment."""

    def __init__(
        self,
        model: str,
        settings: ModelSettings,
        *,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.name = f"anthropic/{model}"
        self._model = model
        self._max_tokens = settings.max_tokens or MAX_TOKENS
        self._account = hosted.open_account(
            "anthropic",
            environment,
            keys=("ANTHROPIC_API_KEY",),
            url="ANTHROPIC_BASE_URL",
            keyless=False,
        )
        self._conversation = converse(
            "Anthropic", self._account, model=model, timeout_s=settings.timeout_s, clock=clock
        )
        self._create = self._conversation.client.messages.create
        self._settings = self._wire_settings(settings)
        self._timeout_s, self._clock = settings.timeout_s, clock

    def ask(self, prompt: Prompt) -> Reply:
        """The reply to the pictures and the text, in one request."""
        messages = [{"role": "user", "content": _content(prompt)}]
        return self._conversation.reply(
            lambda: self._create(
                model=self._model,
                max_tokens=self._max_tokens,
                messages=messages,
                extra_body=self._settings | self._form(prompt),
            ),
            self._reply,
        )

    def batches(self) -> AnthropicBatches:
        """The batch interface, for the same settings."""
        wire = open_wire(
            self._account,
            url=URL,
            model=self._model,
            headers={**HEADERS, "x-api-key": self._account.key},
            timeout_s=self._timeout_s,
            clock=self._clock,
        )
        message = require("anthropic.types", "anthropic", "asks anthropic models").Message
        return AnthropicBatches(
            wire, body=self.body, read=lambda said: self._reply(message.construct(**said), 0.0)
        )

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """What is sent beside the model's name."""
        messages = [{"role": "user", "content": _content(prompt)}]
        asked = {"max_tokens": self._max_tokens, "messages": messages}
        return asked | self._settings | self._form(prompt)

    def _form(self, prompt: Prompt) -> dict[str, Any]:
        """What holds a reply to its form, beside what else is said about the output."""
        if prompt.form is None:
            return {}
        wanted = {"type": "json_schema", "schema": prompt.form.schema}
        return {"output_config": {**self._settings.get("output_config", {}), "format": wanted}}

    def models(self) -> list[str]:
        """The names of the provider's models; empty where it does not tell."""
        return self._conversation.models(limit=hosted.MOST_NAMES)

    def _wire_settings(self, settings: ModelSettings) -> dict[str, Any]:
        # The SDK knows what the version of the protocol that it speaks takes.
        taken = signature(self._create).parameters
        given = {"temperature": settings.temperature, "seed": settings.seed}
        chosen = {name: value for name, value in given.items() if value is not None}
        if refused := sorted(set(chosen) - set(taken)):
            raise BadValue(f"models of Anthropic take no {refused[0]}; leave it out")
        sent = {"model", "messages", "stream", "max_tokens", "temperature"}
        return chosen | hosted.own_settings(settings.extra, taken=sent)

    def _reply(self, message: "Message", latency_s: float) -> Reply:
        text = "".join(block.text for block in message.content if block.type == "text")
        reason = message.stop_reason or "stop"
        if reason == "refusal":
            text = text or getattr(getattr(message, "stop_details", None), "explanation", "") or ""
        return Reply(
            text=text,
            latency_s=latency_s,
            usage=_usage(message),
            ending=ENDINGS.get(reason, reason),
            model=message.model or "",
            thoughts="".join(b.thinking for b in message.content if b.type == "thinking"),
        )


def _content(prompt: Prompt) -> list[dict[str, Any]]:
    """Pictures first, the last of them marked: up to there the provider keeps what it has read."""
    blocks: list[dict[str, Any]] = [
        {
            "type": "image",
            "source": {"type": "base64", "media_type": each.media_type, "data": each.base64},
        }
        for each in prompt.images
    ]
    if blocks:
        blocks[-1]["cache_control"] = {"type": "ephemeral"}
    return [*blocks, {"type": "text", "text": prompt.text}]


def _usage(message: "Message") -> Usage | None:
    usage = message.usage
    if usage is None:
        return None
    cached = token_count(usage.cache_read_input_tokens)
    written = token_count(usage.cache_creation_input_tokens)
    spent = getattr(usage, "output_tokens_details", None)
    return Usage(
        input_tokens=token_count(usage.input_tokens) + cached + written,
        output_tokens=token_count(usage.output_tokens),
        cached_tokens=cached,
        reasoning_tokens=token_count(getattr(spent, "thinking_tokens", 0)),
    )
