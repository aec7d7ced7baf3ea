"""The list of models tells what each needs, and never a key."""

import pytest

from paseo.registry import MODELS
from paseo.vlm import catalog
from paseo.vlm.catalog import PROVIDERS, Known, Provider, known_models


def known(environment: dict[str, str]) -> dict[str, Known]:
    return {each.provider.name: each for each in known_models(environment)}


def test_every_provider_is_listed_with_the_models_of_the_paper() -> None:
    assert {each.name for each in PROVIDERS} == set(MODELS)
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


def test_a_key_is_told_to_be_there_but_not_what_it_is() -> None:
    secret = "secret-words"
    assert known({})["openai"].key_set is False
    assert known({"OPENAI_API_KEY": ""})["openai"].key_set is False
    assert known({"OPENAI_API_KEY": secret})["openai"].key_set is True
    assert known({"OPENAI_BASE_URL": "http://localhost"})["openai"].key_set is True
    assert known({"GOOGLE_API_KEY": secret})["gemini"].key_set is True
    assert known({})["local"].key_set is None
    assert secret not in repr(known({"OPENAI_API_KEY": secret, "GEMINI_API_KEY": secret}))


def test_what_is_missing_is_said_in_words_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = Provider(
        name="openai", models={"m": ""}, extra="openai", package="no_such.package", keys=("A", "B")
    )
    monkeypatch.setattr(catalog, "PROVIDERS", (absent,))
    found = known({})
    assert found["openai"].needs == "pip install 'paseo[openai]', set A or B"
    assert found["scripted"].needs == ""
