"""Log-probabilities as two providers tell them, and bounds on what servers say."""

import math

import pytest

from model_servers import KEY, Act, model_server
from paseo.vlm.likelihoods import LEAST, MOST_TOKENS, MOST_TOLD, tokens_in, without_secrets
from paseo.vlm.making import model_class
from paseo.vlm.models import ModelSettings, Prompt, Token

CHANCES = ({"ye": -0.25, "no": -1.5}, {"s": 0.0})
TOKENS = (
    Token(text="ye", chances=(("ye", -0.25), ("no", -1.5))),
    Token(text="s", chances=(("s", 0.0),)),
)


@pytest.mark.extra("openai", "gemini")
@pytest.mark.parametrize("provider", ["openai", "gemini"])
def test_providers_are_asked_for_them_and_tell_them(provider: str) -> None:
    cls, name = model_class(f"{provider}/tiny-1")
    with model_server(Act(text="yes", chances=CHANCES)) as server:
        how = {"environment": server.environment(provider)}
        model = cls(name, ModelSettings(logprobs=5), **how)  # type: ignore[call-arg]
        assert model.ask(Prompt(text="?")).tokens == TOKENS
        body = server.requests[0].body
    sent = body.get("generationConfig", body)
    wanted = {"openai": ("logprobs", "top_logprobs"), "gemini": ("responseLogprobs", "logprobs")}
    assert [sent[each] for each in wanted[provider]] == [True, 5]
    with model_server(Act(text="yes")) as server:
        model = cls(name, ModelSettings(), environment=server.environment(provider))  # type: ignore[call-arg]
        assert model.ask(Prompt(text="?")).tokens == ()
        assert "ogprobs" not in str(server.requests[0].body)


def test_what_servers_say_is_bounded() -> None:
    many = [(("a", 0.0), [(str(k), -1.0) for k in range(100)])] * 10_000
    found = tokens_in(many)
    assert len(found) == MOST_TOKENS
    assert len(found[0].chances) == MOST_TOLD + 1
    (odd,) = tokens_in([(("a" * 10**6, math.nan), [(None, 1), ("b", "c"), ("d", 7), ("e", -1e99)])])
    assert odd.chances == (("d", 0.0), ("e", LEAST))
    assert len(odd.text) == 200


def test_tokens_that_spell_a_key_are_dropped() -> None:
    halves = tuple(Token(text=each, chances=()) for each in (KEY[:9], KEY[9:]))
    assert without_secrets(halves, (KEY,)) == ()
    assert without_secrets(TOKENS, (KEY,)) == TOKENS
