"""Pictures as in the examples the providers publish."""

import pytest

from paseo.vlm.providers import token_rule


@pytest.mark.parametrize(
    ("model", "size", "tokens"),
    [
        ("openai/gpt-4o", (1024, 1024), 765),  # the provider's own examples
        ("openai/gpt-4o", (2048, 4096), 1105),
        ("openai/gpt-4o", (512, 512), 255),
        ("openai/gpt-4o-mini", (512, 512), 8500),
        ("gemini/gemini-2.0-flash", (384, 384), 258),
        ("gemini/gemini-2.0-flash", (768, 768), 258),
        ("gemini/gemini-2.0-flash", (1000, 700), 516),
        ("anthropic/claude-sonnet-4-5", (200, 200), 54),
        ("anthropic/claude-sonnet-4-5", (1000, 1000), 1334),
        ("anthropic/claude-sonnet-4-5", (8000, 8000), 1600),
        ("local/llava", (10, 10), 1000),
    ],
)
def test_pictures_count_as_their_provider_says(
    model: str, size: tuple[int, int], tokens: int
) -> None:
    assert token_rule(model).tokens(size) == tokens
