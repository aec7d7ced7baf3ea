"""Models of OpenAI, and of every server that speaks its protocol: vLLM, Ollama, LM Studio, ..."""

import os
from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from paseo.errors import require
from paseo.vlm.faults import token_count
from paseo.vlm.hosted import connection as hosted
from paseo.vlm.hosted.batching.openai import URL, OpenAIBatches
from paseo.vlm.hosted.batching.wire import open_wire
from paseo.vlm.hosted.conversation import converse
from paseo.vlm.likelihoods import tokens_in
from paseo.vlm.models import ModelSettings, Prompt, Reply, Structure, Token, Usage

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletion

ENDINGS = {"content_filter": "filtered", "tool_calls": "tool", "function_call": "tool"}
OWN_HOST = "api.openai.com"


class OpenAIModel:
    """A model by its name, with OPENAI_API_KEY, OPENAI_BASE_URL or both in the environment."""

    def __init__(
        self,
        model: str,
        settings: ModelSettings,
        *,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.name = f"openai/{model}"
        self._model = model
        self._account = hosted.open_account(
            "openai", environment, keys=("OPENAI_API_KEY",), url="OPENAI_BASE_URL", keyless=True
        )
        self._settings = wire_settings(settings, self._account.base_url)
        self._conversation = converse(
            "OpenAI", self._account, model=model, timeout_s=settings.timeout_s, clock=clock
        )
        self._create = self._conversation.client.chat.completions.create
        self._timeout_s, self._clock = settings.timeout_s, clock

    def ask(self, prompt: Prompt) -> Reply:
        """The reply to the pictures and the text, in one request."""
        # As `extra_body` the SDK sends the pictures as they are; as `messages` it would first walk
        # through them all, which takes longer than everything else it does.
        body = self.body(prompt)
        return self._conversation.reply(
            lambda: self._create(model=self._model, messages=[], extra_body=body), self._reply
        )

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """What is sent beside the model's name."""
        messages = [{"role": "user", "content": _content(prompt)}]
        return {**self._settings, **_form(prompt), "messages": messages}

    def batches(self) -> OpenAIBatches:
        """The batch interface, for the same settings."""
        client = self._conversation.client
        whose = {"openai-organization": client.organization, "openai-project": client.project}
        wire = open_wire(
            self._account,
            url=URL,
            model=self._model,
            headers={
                "authorization": f"Bearer {self._account.key or 'none'}",
                **{name: value for name, value in whose.items() if value},
            },
            timeout_s=self._timeout_s,
            clock=self._clock,
        )
        completion = require("openai.types.chat", "openai", "asks openai models").ChatCompletion
        return OpenAIBatches(
            wire, body=self.body, read=lambda said: self._reply(completion.construct(**said), 0.0)
        )

    def models(self) -> list[str]:
        """The names of the provider's models; empty where it does not tell."""
        return self._conversation.models()

    def _reply(self, completion: "ChatCompletion", latency_s: float) -> Reply:
        choices = getattr(completion, "choices", None)
        if not choices:  # some servers tell of an error with status 200, others are web pages
            said, _ = hosted.words_of(getattr(completion, "error", None))
            raise hosted.not_a_reply(self._account, said)
        message = choices[0].message
        refusal = getattr(message, "refusal", None)
        text, reason = refusal or message.content or "", choices[0].finish_reason or "stop"
        if not isinstance(text, str):
            raise hosted.not_a_reply(self._account)
        return Reply(
            text=text,
            latency_s=latency_s,
            usage=_usage(completion),
            ending="refusal" if refusal else ENDINGS.get(reason, reason),
            model=completion.model or "",
            thoughts=_thoughts(message),
            tokens=_tokens(choices[0]),
        )


def _tokens(choice: Any) -> tuple[Token, ...]:
    """The log-probabilities, where they were asked for and told."""
    told = getattr(getattr(choice, "logprobs", None), "content", None) or []
    return tokens_in(
        ((each.token, each.logprob), [(top.token, top.logprob) for top in each.top_logprobs or []])
        for each in told
    )


def _thoughts(message: Any) -> str:
    """What servers that tell of it call a model's thoughts: vLLM and others, OpenRouter."""
    told = (getattr(message, name, None) for name in ("reasoning_content", "reasoning"))
    return next((each for each in told if isinstance(each, str)), "")


def _content(prompt: Prompt) -> list[dict[str, Any]]:
    """Pictures first: they are the same for all questions of a scene, so they can be cached."""
    pictures = [
        {"type": "image_url", "image_url": {"url": each.data_url}} for each in prompt.images
    ]
    return [*pictures, {"type": "text", "text": prompt.text}]


def _form(prompt: Prompt) -> dict[str, Any]:
    """What holds a reply to its form; lists of choices are vLLM's own."""
    form = prompt.form
    if form is None:
        return {}
    if form.structure is Structure.CHOICE and form.replies:
        return {"structured_outputs": {"choice": list(form.replies)}}
    if form.structure is Structure.GUIDED_CHOICE and form.replies:
        return {"guided_choice": list(form.replies)}
    named = {"name": "reply", "strict": True, "schema": form.schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def wire_settings(settings: ModelSettings, base_url: str | None) -> dict[str, Any]:
    """The settings as they are sent to this address."""
    # OpenAI's newer models take only the new name, many other servers only the old one.
    own = base_url is None or urlsplit(base_url).hostname == OWN_HOST
    limit = "max_completion_tokens" if own else "max_tokens"
    chosen = {
        "temperature": settings.temperature,
        limit: settings.max_tokens,
        "seed": settings.seed,
        "logprobs": True if settings.logprobs else None,
        "top_logprobs": settings.logprobs,
        **hosted.own_settings(settings.extra, taken={"model", "messages", "stream", "n"}),
    }
    return {name: value for name, value in chosen.items() if value is not None}


def _usage(completion: "ChatCompletion") -> Usage | None:
    usage = completion.usage
    if usage is None:
        return None
    details, spent = usage.prompt_tokens_details, usage.completion_tokens_details
    return Usage(
        input_tokens=token_count(usage.prompt_tokens),
        output_tokens=token_count(usage.completion_tokens),
        cached_tokens=token_count(details.cached_tokens if details else 0),
        reasoning_tokens=token_count(spent.reasoning_tokens if spent else 0),
    )
