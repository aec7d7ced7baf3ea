"""How OpenAI's, Gemini's and Anthropic's requests and replies look, by the SDKs' own types."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pydantic import TypeAdapter

_checking = Lock()
BEFORE, AFTER, THOUGHT = 1200, 7, 2  # tokens of requests, of answers, and of their thoughts


class Act(Protocol):
    """What an answer is made from; see `model_servers.Act`."""

    text: str
    ending: str
    cached_tokens: int
    status: int
    message: str
    code: str
    details: Sequence[dict[str, Any]]
    thoughts: str
    chances: Sequence[Mapping[str, float]]  # log-probabilities of tokens, the written one first


def format_of(headers: Mapping[str, str]) -> str:
    """Whose protocol a request speaks: openai, gemini or anthropic."""
    names = {key.lower() for key in headers}
    if "anthropic-version" in names:
        return "anthropic"
    return "gemini" if "x-goog-api-key" in names else "openai"


def fault(whose: str, body: dict[str, Any]) -> str:
    """Where a request breaks the types of the SDK; empty when it fits them."""
    from pydantic import ValidationError  # comes with each of the SDKs

    try:
        with _checking:  # the types must be built once: what they read lazily dies with them
            understood = FORMATS[whose].understood(body)
    except ValidationError as problem:
        return str(problem)
    return "; ".join(f"the SDK does not know {path}" for path in _lost(body, understood))


def _lost(sent: Any, understood: Any, path: str = "") -> Iterator[str]:
    """Where the two differ: a typed dict drops the keys that it does not know."""
    if isinstance(sent, dict) and isinstance(understood, dict):
        for key, value in sent.items():
            yield from _lost(value, understood.get(key), f"{path}.{key}")
    elif isinstance(sent, list) and isinstance(understood, list):
        for number, (one, other) in enumerate(zip(sent, understood, strict=True)):
            yield from _lost(one, other, f"{path}[{number}]")
    elif sent != understood:
        yield path


def _whole(value: Any) -> Any:
    """The value with every lazily validated sequence in it read to its end."""
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list | Iterator):
        return [_whole(each) for each in value]
    return value


class OpenAI:
    """POST /v1/chat/completions."""

    VLLM = ("structured_outputs", "guided_choice")  # what vLLM takes beside OpenAI's own

    @staticmethod
    @cache
    def _request() -> "TypeAdapter[Any]":
        from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
        from pydantic import TypeAdapter

        return TypeAdapter(CompletionCreateParamsNonStreaming)

    def understood(self, body: dict[str, Any]) -> Any:
        plain = {key: value for key, value in body.items() if key not in self.VLLM}
        understood = _whole(self._request().validate_python(plain))
        return understood | {key: body[key] for key in self.VLLM if key in body}

    def parts(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        return body["messages"][0]["content"]

    def reply(self, act: Act) -> bytes:
        from openai.types.chat import ChatCompletion

        refused = act.ending == "refusal"
        reasons = {"length": "length", "filtered": "content_filter"}
        choice = {
            "finish_reason": reasons.get(act.ending, "stop"),
            "index": 0,
            "message": {
                "role": "assistant",
                "content": None if refused else act.text,
                "refusal": act.text if refused else None,
                **({"reasoning_content": act.thoughts} if act.thoughts else {}),
            },
        }
        if act.chances:
            listed = [[{"token": t, "logprob": p} for t, p in each.items()] for each in act.chances]
            choice["logprobs"] = {"content": [{**each[0], "top_logprobs": each} for each in listed]}
        usage = {
            "prompt_tokens": BEFORE,
            "completion_tokens": AFTER,
            "total_tokens": BEFORE + AFTER,
            "prompt_tokens_details": {"cached_tokens": act.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": THOUGHT},
        }
        whole = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1}
        whole |= {"model": "tiny-1-2026", "choices": [choice], "usage": usage}
        return ChatCompletion.model_validate(whole).model_dump_json(exclude_unset=True).encode()

    def error(self, act: Act) -> bytes:
        kind = "invalid_request_error"
        error = {"message": act.message, "type": kind, "param": None, "code": act.code or None}
        return json.dumps({"error": error}).encode()

    def listing(self, models: Sequence[str]) -> bytes:
        data = [{"id": m, "object": "model", "created": 1, "owned_by": "us"} for m in models]
        return json.dumps({"object": "list", "data": data}).encode()


class Gemini:
    """POST /v1beta/models/<model>:generateContent."""

    def understood(self, body: dict[str, Any]) -> Any:
        from google.genai import types
        from pydantic import TypeAdapter

        known = {"contents", "generationConfig", "safetySettings", "systemInstruction"}
        contents = TypeAdapter(list[types.Content])
        contents.validate_json(json.dumps(body.get("contents")))  # bytes are base64 in JSON only
        types.GenerationConfig.model_validate(body.get("generationConfig", {}))
        TypeAdapter(list[types.SafetySetting]).validate_python(body.get("safetySettings", []))
        return {key: value for key, value in body.items() if key in known}

    def parts(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        return body["contents"][0]["parts"]

    def reply(self, act: Act) -> bytes:
        from google.genai.types import GenerateContentResponse

        reasons = {"length": "MAX_TOKENS", "filtered": "RECITATION", "refusal": "SAFETY"}
        candidate: dict[str, Any] = {"finish_reason": reasons.get(act.ending, "STOP"), "index": 0}
        if act.text and act.ending != "refusal":
            thought = [{"text": act.thoughts, "thought": True}] if act.thoughts else []
            candidate["content"] = {"role": "model", "parts": [*thought, {"text": act.text}]}
        if act.chances:
            listed = [
                [{"token": t, "log_probability": p} for t, p in each.items()]
                for each in act.chances
            ]
            candidate["logprobs_result"] = {
                "chosen_candidates": [each[0] for each in listed],
                "top_candidates": [{"candidates": each} for each in listed],
            }
        whole: dict[str, Any] = {"candidates": [candidate], "model_version": "tiny-1-2026"}
        if act.ending == "blocked":
            feedback = {"block_reason": "SAFETY", "block_reason_message": act.text}
            whole = {"prompt_feedback": feedback, "model_version": "tiny-1-2026"}
        whole["usage_metadata"] = {
            "prompt_token_count": BEFORE,
            "candidates_token_count": AFTER - THOUGHT,
            "thoughts_token_count": THOUGHT,
            "cached_content_token_count": act.cached_tokens,
        }
        response = GenerateContentResponse.model_validate(whole)
        return response.model_dump_json(by_alias=True, exclude_none=True).encode()

    def error(self, act: Act) -> bytes:
        error = {"code": act.status, "message": act.message, "status": act.code or "FAILED"}
        return json.dumps({"error": error | {"details": list(act.details)}}).encode()

    def listing(self, models: Sequence[str]) -> bytes:
        return json.dumps({"models": [{"name": f"models/{each}"} for each in models]}).encode()


class Anthropic:
    """POST /v1/messages."""

    @staticmethod
    @cache
    def _request() -> "TypeAdapter[Any]":
        from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
        from pydantic import TypeAdapter

        return TypeAdapter(MessageCreateParamsNonStreaming)

    def understood(self, body: dict[str, Any]) -> Any:
        return _whole(self._request().validate_python(body))

    def parts(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        return body["messages"][0]["content"]

    def reply(self, act: Act) -> bytes:
        from anthropic.types import Message

        reasons = {"length": "max_tokens", "refusal": "refusal"}
        block = {"type": "thinking", "thinking": act.thoughts, "signature": "s"}
        thought = [block] if act.thoughts else []
        whole = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "tiny-1-2026",
            "content": [*thought, {"type": "text", "text": act.text}] if act.text else [],
            "stop_reason": reasons.get(act.ending, "end_turn"),
            "usage": {
                "input_tokens": BEFORE - act.cached_tokens - 100,
                "cache_creation_input_tokens": 100,
                "cache_read_input_tokens": act.cached_tokens,
                "output_tokens": AFTER,
                "output_tokens_details": {"thinking_tokens": THOUGHT},
            },
        }
        if act.ending == "refusal":
            whole |= {"content": [], "stop_details": {"type": "refusal", "explanation": act.text}}
        return Message.model_validate(whole).model_dump_json(exclude_unset=True).encode()

    def error(self, act: Act) -> bytes:
        error = {"type": act.code or "invalid_request_error", "message": act.message}
        return json.dumps({"type": "error", "error": error, "request_id": "req_1"}).encode()

    def listing(self, models: Sequence[str]) -> bytes:
        from anthropic.types import ModelInfo

        fields = {"type": "model", "created_at": "2026-01-01T00:00:00Z", "lifecycle": "active"}
        data = [
            json.loads(
                ModelInfo.model_validate(
                    {"id": each, "display_name": each, **fields}
                ).model_dump_json()
            )
            for each in models
        ]
        return json.dumps({"data": data, "has_more": False}).encode()


FORMATS = {"openai": OpenAI(), "gemini": Gemini(), "anthropic": Anthropic()}
