"""How hard a model is to think."""

import pytest

from paseo.errors import BadValue
from paseo.vlm.efforts import EFFORTS, effort_settings


@pytest.mark.extra("gemini", "anthropic", "openai")
@pytest.mark.parametrize("effort", EFFORTS)
def test_every_effort_is_one_the_sdks_know(effort: str) -> None:
    from anthropic.types import OutputConfigParam, ThinkingConfigParam
    from google.genai.types import GenerateContentConfig
    from openai.types.shared_params import ReasoningEffort
    from pydantic import TypeAdapter

    TypeAdapter(ReasoningEffort).validate_python(
        effort_settings("openai/gpt-5", effort)["reasoning_effort"]
    )
    config = GenerateContentConfig(**effort_settings("gemini/gemini-3", effort))  # type: ignore[arg-type]
    assert config.thinking_config
    assert config.thinking_config.thinking_level
    assert config.thinking_config.thinking_level.value == effort.upper()
    if effort == "minimal":
        with pytest.raises(BadValue, match="cannot be said in a word"):
            effort_settings("anthropic/claude", effort)
        return
    found = effort_settings("anthropic/claude", effort)
    TypeAdapter(OutputConfigParam).validate_python(found["output_config"])
    TypeAdapter(ThinkingConfigParam).validate_python(found["thinking"])


@pytest.mark.parametrize("model", ["local/llava", "mine.py:Mine", "scripted/first"])
def test_other_models_have_settings_of_their_own(model: str) -> None:
    with pytest.raises(BadValue, match="a setting of its own"):
        effort_settings(model, "low")
