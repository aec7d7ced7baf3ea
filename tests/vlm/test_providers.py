"""All that is known of a provider of models stands in one table."""

from importlib.metadata import EntryPoint
from importlib.util import find_spec

import pytest

from paseo.vlm.image_tokens import UNKNOWN
from paseo.vlm.providers import PROVIDERS, providers, shipped_provider, token_rule


def test_the_models_of_the_paper_are_listed() -> None:
    paper = [
        f"{provider.name}/{model}"
        for provider in PROVIDERS
        for model, words in provider.models.items()
        if "of the paper" in words
    ]
    assert paper == [
        "gemini/gemini-2.0-flash",
        "local/llava-hf/LLaVA-NeXT-Video-7B-hf",
        "openai/gpt-4o",
    ]


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.name)
def test_every_target_is_there(provider: object) -> None:
    module = getattr(provider, "target", "").partition(":")[0]
    assert find_spec(module) is not None


def test_providers_of_other_packages_are_listed_with_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("theirs", "their.module:Model", "paseo.models"),
        EntryPoint("openai", "their.module:Model", "paseo.models"),
    ]
    monkeypatch.setattr("paseo.registry.registry.entry_points", lambda group: points)
    found = {each.name: each for each in providers()}
    assert list(found) == sorted({*(each.name for each in PROVIDERS), "theirs"})
    assert found["theirs"].models == {"MODEL": "of another package, their.module:Model"}
    assert found["openai"] is shipped_provider("openai/gpt-4o"), "ours cannot be replaced"


def test_the_first_rule_that_fits_a_model_counts() -> None:
    size = (512, 512)
    assert token_rule("openai/gpt-4o").tokens(size) == 85 + 170
    assert token_rule("openai/gpt-4o-mini-2024").tokens(size) == 2833 + 5667
    assert token_rule("my.py:Mine/gpt-4o") is token_rule("local/llava") is UNKNOWN
    assert token_rule("openai/gpt-4o").words.startswith("85, and 170 for each tile")
