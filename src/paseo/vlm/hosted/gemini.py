"""Models of Google Gemini."""

import os
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from itertools import zip_longest
from time import monotonic
from typing import TYPE_CHECKING, Any

from paseo.errors import BadValue, require
from paseo.vlm.failures import ModelError
from paseo.vlm.faults import token_count
from paseo.vlm.films import film
from paseo.vlm.hosted import bounds
from paseo.vlm.hosted import connection as hosted
from paseo.vlm.hosted.batching.gemini import URL, GeminiBatches
from paseo.vlm.hosted.batching.wire import open_wire
from paseo.vlm.likelihoods import tokens_in
from paseo.vlm.models import ModelSettings, Prompt, Reply, Token, Usage

if TYPE_CHECKING:
    from google.genai.errors import APIError
    from google.genai.types import Candidate, GenerateContentResponse

CONNECTIONS = 128  # kept open; the SDK would keep 20
ENDINGS = {"MAX_TOKENS": "length", "RECITATION": "filtered", "LANGUAGE": "filtered"}
# Of the settings, what stands beside generationConfig in a request.
BESIDE = {"systemInstruction", "tools", "toolConfig", "safetySettings", "cachedContent"}
REFUSALS = {"SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "IMAGE_SAFETY"}
COUNTS = ("promptTokenCount", "candidatesTokenCount", "thoughtsTokenCount",
          "cachedContentTokenCount")  # fmt: skip
RETRY_INFO, QUOTA_FAILURE = "google.rpc.RetryInfo", "google.rpc.QuotaFailure"


class GeminiModel:
    """A model by its name, with GOOGLE_API_KEY or GEMINI_API_KEY in the environment."""

    def __init__(
        self,
        model: str,
        settings: ModelSettings,
        *,
        environment: Mapping[str, str] = os.environ,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.name = f"gemini/{model}"
        self._model, self._timeout_s, self._clock = model, settings.timeout_s, clock
        self._account = hosted.open_account(
            "gemini",
            environment,
            keys=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
            url="GOOGLE_GEMINI_BASE_URL",
            keyless=False,
        )
        genai = require("google.genai", "gemini", "asks gemini models", package="google-genai")
        self._types, self._errors = genai.types, genai.errors
        self._config = self._checked(settings)
        transport = _transports()[0]
        limits = transport.Limits(max_connections=None, max_keepalive_connections=CONNECTIONS)
        options = self._types.HttpOptions(
            base_url=self._account.base_url,
            timeout=round(1000 * settings.timeout_s),
            headers=bounds.UNPACKED,
            client_args={
                "limits": limits,
                "follow_redirects": False,
                "event_hooks": bounds.event_hooks(settings.timeout_s, clock=clock),
            },
            retry_options=self._types.HttpRetryOptions(attempts=1),  # whoever asks counts them
        )
        self._client = genai.Client(vertexai=False, api_key=self._account.key, http_options=options)
        self._broken = tuple(each.RequestError for each in _transports())
        self._late = tuple(each.TimeoutException for each in _transports())

    def ask(self, prompt: Prompt) -> Reply:
        """The reply to the pictures, or to the film they make, and the text, in one request."""
        # As `extra_body` the pictures go out as they are; as `contents` the SDK would encode them
        # again for every question.
        content = {"role": "user", "parts": _parts(prompt)}
        options = self._types.HttpOptions(extra_body={"contents": [content]})
        config = self._config.model_copy(update={"http_options": options, **_form(prompt)})
        started = self._clock()
        try:
            response = self._client.models.generate_content(
                model=self._model, contents=prompt.text, config=config
            )
            reply = self._reply(response, self._clock() - started)
            return hosted.without_key(reply, self._account.key)
        except self._errors.APIError as error:
            raise self._failure(error) from None  # the SDK's words may hold the key
        except self._late:
            raise hosted.too_slow(self._account, self._timeout_s) from None
        except (*self._broken, *hosted.UNREADABLE) as error:
            raise hosted.broken(self._account, error) from None
        except hosted.MISSHAPEN:
            raise hosted.not_a_reply(self._account) from None

    def batches(self) -> GeminiBatches:
        """The batch interface, for the same settings."""
        wire = open_wire(
            self._account,
            url=URL,
            model=self._model,
            headers={"x-goog-api-key": self._account.key},
            timeout_s=self._timeout_s,
            clock=self._clock,
        )
        response = self._types.GenerateContentResponse
        return GeminiBatches(
            wire,
            body=self.body,
            read=lambda said: self._reply(response.model_validate(_read_of(said)), 0.0),
        )

    def body(self, prompt: Prompt) -> dict[str, Any]:
        """What is sent beside the model's name, as the SDK would send it."""
        config = self._config.model_copy(update=_form(prompt))
        chosen = config.model_dump(mode="json", by_alias=True, exclude_none=True)
        beside = {name: chosen.pop(name) for name in BESIDE & chosen.keys()}
        asked = {"contents": [{"role": "user", "parts": _parts(prompt)}], **beside}
        return {**asked, "generationConfig": chosen} if chosen else asked

    def models(self) -> list[str]:
        """The names of the provider's models; empty where it does not tell."""
        options = {"timeout": round(1000 * hosted.LISTING_TIMEOUT_S)}
        try:
            config = {"http_options": options, "page_size": hosted.MOST_NAMES}
            page = self._client.models.list(config=config).page  # the next may be without end
            return hosted.names_in((each.name or "").removeprefix("models/") for each in page)
        except (self._errors.APIError, *self._broken, *hosted.UNREADABLE, *hosted.MISSHAPEN):
            return []

    def _checked(self, settings: ModelSettings) -> Any:
        taken = {"http_options", "temperature", "max_output_tokens", "seed", "candidate_count"}
        extra = hosted.own_settings(settings.extra, taken=taken)
        try:
            return self._types.GenerateContentConfig(
                temperature=settings.temperature,
                max_output_tokens=settings.max_tokens,
                seed=settings.seed,
                response_logprobs=True if settings.logprobs else None,
                logprobs=settings.logprobs,
                **extra,
            )
        except ValueError as error:
            said = hosted.in_short(str(error), self._account.key)
            raise BadValue(f"gemini does not take these settings: {said}") from error

    def _reply(self, response: "GenerateContentResponse", latency_s: float) -> Reply:
        candidate = response.candidates[0] if response.candidates else None
        feedback = response.prompt_feedback
        if candidate is None and feedback is None:
            raise hosted.not_a_reply(self._account)
        thoughts, tokens = "", tuple[Token, ...]()
        if candidate is not None:
            text, ending = _said(candidate)
            tokens = _tokens(candidate)
            thoughts = "".join(part.text for part in _parts_of(candidate, thought=True))
        else:
            reason = getattr(feedback, "block_reason", None)
            text = getattr(feedback, "block_reason_message", None) or _word(reason)
            ending = "refusal"
        return Reply(
            text=text,
            latency_s=latency_s,
            usage=_usage(response),
            ending=ending,
            model=response.model_version or "",
            thoughts=thoughts,
            tokens=tokens,
        )

    def _failure(self, error: "APIError") -> ModelError:
        message, codes = hosted.words_of(error.details)
        wait_s = hosted.wait_asked_for(getattr(error.response, "headers", None) or {})
        for detail in _details(error.details):
            kind = str(detail.get("@type", ""))
            if kind.endswith(RETRY_INFO):
                wait_s = _seconds(str(detail.get("retryDelay", ""))) or wait_s
            if kind.endswith(QUOTA_FAILURE) and "PerDay" in str(detail.get("violations")):
                codes |= {"quota_per_day"}
            codes |= {str(detail.get("reason", ""))}
        complaint = hosted.Complaint(status=error.code, message=message, codes=codes, wait_s=wait_s)
        return hosted.failure(self._account, complaint, model=self._model, known=self.models)


def _read_of(said: dict[str, Any]) -> dict[str, Any]:
    """Of a response, what is read: the SDK's types take nothing that they do not know."""
    kept = {name: said[name] for name in ("modelVersion",) if name in said}
    if feedback := said.get("promptFeedback"):
        known = ("blockReason", "blockReasonMessage")
        kept["promptFeedback"] = {name: feedback[name] for name in known if name in feedback}
    if usage := said.get("usageMetadata"):
        counts = {name: usage[name] for name in COUNTS if name in usage}
        kept["usageMetadata"] = counts
    candidates = said.get("candidates") or []
    kept["candidates"] = [_candidate_of(each) for each in candidates[:1]]
    return kept


def _candidate_of(said: dict[str, Any]) -> dict[str, Any]:
    parts = (said.get("content") or {}).get("parts") or []
    told = [{name: part[name] for name in ("text", "thought") if name in part} for part in parts]
    reason = {"finishReason": said["finishReason"]} if "finishReason" in said else {}
    chances = {"logprobsResult": said["logprobsResult"]} if said.get("logprobsResult") else {}
    return {"content": {"role": "model", "parts": told}, **reason, **chances}


def _form(prompt: Prompt) -> dict[str, Any]:
    """What holds a reply to its form."""
    if prompt.form is None:
        return {}
    schema = {"response_json_schema": prompt.form.schema}
    return {"response_mime_type": "application/json", **schema}


def _transports() -> list[Any]:
    """The libraries the SDK may speak HTTP through, its choice first; it lets their errors pass."""
    found = []
    for name in ("httpx2", "httpx"):
        try:
            found.append(import_module(name))
        except ImportError:
            continue
    return found


def _parts(prompt: Prompt) -> list[dict[str, Any]]:
    """Pictures first: they are the same for all questions of a scene, so they can be cached."""
    pictures = prompt.images
    if prompt.fps is not None and pictures:
        pictures = (film(pictures, prompt.fps),)
    parts: list[dict[str, Any]] = [
        {"inlineData": {"data": each.base64, "mimeType": each.media_type}} for each in pictures
    ]
    if prompt.fps is not None and parts:
        parts[0]["videoMetadata"] = {"fps": prompt.fps}  # else it looks at one frame per second
    return [*parts, {"text": prompt.text}]


def _parts_of(candidate: "Candidate", *, thought: bool) -> list[Any]:
    """The parts with words in them that are thoughts, or that are not."""
    parts = (candidate.content.parts if candidate.content else None) or []
    return [part for part in parts if part.text and bool(part.thought) is thought]


def _tokens(candidate: "Candidate") -> tuple[Token, ...]:
    """The log-probabilities, where they were asked for and told."""
    told = getattr(candidate, "logprobs_result", None)
    chosen, tops = (told.chosen_candidates or [], told.top_candidates or []) if told else ([], [])
    return tokens_in(
        ((each.token, each.log_probability), [(o.token, o.log_probability) for o in others])
        for each, top in zip_longest(chosen, tops[: len(chosen)])
        for others in [(top.candidates if top else None) or []]
    )


def _said(candidate: "Candidate") -> tuple[str, str]:
    """The answer without the thoughts before it, and why it ended."""
    text = "".join(part.text for part in _parts_of(candidate, thought=False))
    reason = _word(candidate.finish_reason)
    if reason in REFUSALS:
        return text or reason, "refusal"
    return text, ENDINGS.get(reason, reason.lower() or "stop")


def _word(reason: Any) -> str:
    return str(getattr(reason, "value", reason) or "")


def _details(body: object) -> Iterator[dict[str, Any]]:
    inner = body.get("error", body) if isinstance(body, dict) else {}
    details = inner.get("details") if isinstance(inner, dict) else None
    if isinstance(details, list):
        yield from (each for each in details if isinstance(each, dict))


def _seconds(duration: str) -> float | None:
    """Seconds of a duration such as `30s` or `1.5s`."""
    try:
        return hosted.bounded(float(duration.removesuffix("s")))
    except ValueError:
        return None


def _usage(response: "GenerateContentResponse") -> Usage | None:
    usage = response.usage_metadata
    if usage is None:
        return None
    return Usage(
        input_tokens=token_count(usage.prompt_token_count),
        output_tokens=token_count(usage.candidates_token_count)
        + token_count(usage.thoughts_token_count),
        cached_tokens=token_count(usage.cached_content_token_count),
        reasoning_tokens=token_count(usage.thoughts_token_count),
    )
