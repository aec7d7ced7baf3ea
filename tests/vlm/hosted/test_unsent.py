"""What a prompt carries for scripts and logs reaches no provider."""

import json

import pytest

from model_servers import Act, model_server
from paseo.vlm.making import make_model
from paseo.vlm.models import ModelSettings, Picture, Prompt, PromptQuestion

PROVIDERS = ("openai", "gemini", "anthropic")
SECRET = PromptQuestion(key="q_secret_key", choices=("secret choice", "another secret"))
PROMPT = Prompt(text="Where?", images=(Picture(b"one"),), id="secret scene/q", questions=(SECRET,))


@pytest.mark.parametrize(
    "provider",
    [
        pytest.param(name, marks=pytest.mark.extra(name))
        for name in ("openai", "gemini", "anthropic")
    ],
)
def test_neither_the_id_nor_the_questions_of_a_prompt_are_sent(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with model_server(Act()) as server:
        for name, value in server.environment(provider).items():
            monkeypatch.setenv(name, value)
        make_model(f"{provider}/tiny-1", ModelSettings()).ask(PROMPT)
        (request,) = server.requests
    sent = json.dumps(request.body)
    assert "Where?" in sent
    assert "secret" not in sent and "several" not in sent
