"""What stands in a batch is what the SDKs send one by one: they are the oracle."""

import json
import re
from typing import Any

import pytest

from model_servers import model_server
from paseo.vlm.making import model_class
from paseo.vlm.models import ModelSettings, Picture, Prompt, ReplyForm, Structure

FORM = ReplyForm(structure=Structure.SCHEMA, schema={"type": "object", "properties": {}})
PROMPT = Prompt(text="Where?", images=(Picture(b"one"), Picture(b"two")), form=FORM)
EXTRA: dict[str, dict[str, object]] = {
    "openai": {"reasoning_effort": "low"},
    "anthropic": {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}},
    "gemini": {
        "thinking_config": {"thinking_level": "LOW", "include_thoughts": True},
        "system_instruction": {"parts": [{"text": "be brief"}]},
        "safety_settings": [
            {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"},
        ],
        "top_p": 0.5,
    },
}


def in_camel_case(value: Any) -> Any:
    """Google takes names either way, and its SDK sends some of them the other."""
    if isinstance(value, list):
        return [in_camel_case(each) for each in value]
    if not isinstance(value, dict):
        return value
    names = {name: re.sub("_(.)", lambda found: found[1].upper(), name) for name in value}
    return {names[name]: in_camel_case(each) for name, each in value.items()}


@pytest.mark.extra("openai", "anthropic", "gemini")
@pytest.mark.parametrize("provider", EXTRA)
def test_a_line_of_a_batch_holds_what_a_single_request_does(provider: str) -> None:
    seed, heat = (None, None) if provider == "anthropic" else (7, 0.5)
    settings = ModelSettings(temperature=heat, max_tokens=50, seed=seed, extra=EXTRA[provider])
    cls, name = model_class(f"{provider}/tiny-1")
    with model_server() as server:
        model = cls(name, settings, environment=server.environment(provider))  # type: ignore[call-arg]
        model.ask(PROMPT)
        line = json.loads(model.batches().line("key-1", PROMPT))  # type: ignore[attr-defined]
    key, *_, body = line.values()
    assert key == "key-1"
    single = server.requests[0].body
    assert body == (in_camel_case(single) if provider == "gemini" else single)
