from inspect import signature

import pytest
from anthropic.resources.messages import Messages

from model_servers import Act, model_server
from paseo.errors import BadValue
from paseo.vlm.failures import ModelError, TryAgain
from paseo.vlm.hosted.anthropic import MAX_TOKENS, AnthropicModel
from paseo.vlm.models import ModelSettings, Picture, Prompt, Reply, Usage

PROMPT = Prompt(text="Where?", images=(Picture(b"one"), Picture(b"two")))


def ask(act: Act, settings: ModelSettings | None = None) -> tuple[Reply, dict[str, object]]:
    with model_server(act) as server:
        environment = server.environment("anthropic")
        model = AnthropicModel("tiny-1", settings or ModelSettings(), environment=environment)
        return model.ask(PROMPT), server.requests[0].body


def test_a_picture_goes_as_base64_and_the_last_one_ends_what_is_kept() -> None:
    _, body = ask(Act())
    first, last, text = body["messages"][0]["content"]
    source = {"type": "base64", "media_type": "image/jpeg", "data": "b25l"}
    assert first == {"type": "image", "source": source}
    assert last["cache_control"] == {"type": "ephemeral"}
    assert text == {"type": "text", "text": "Where?"}


def test_the_protocol_wants_a_limit_so_there_is_a_default() -> None:
    assert ask(Act())[1]["max_tokens"] == MAX_TOKENS
    assert ask(Act(), ModelSettings(max_tokens=9))[1]["max_tokens"] == 9


def test_own_settings_are_sent() -> None:
    _, body = ask(Act(), ModelSettings(extra={"service_tier": "auto"}))
    assert body["service_tier"] == "auto"


def test_a_seed_is_refused_because_there_is_none() -> None:
    with pytest.raises(BadValue, match="take no seed"):
        ask(Act(), ModelSettings(seed=1))


def test_a_temperature_is_sent_or_refused_as_the_protocol_has_it() -> None:
    if "temperature" in signature(Messages.create).parameters:
        assert ask(Act(), ModelSettings(temperature=0.5))[1]["temperature"] == 0.5
    else:
        with pytest.raises(BadValue, match="take no temperature"):
            ask(Act(), ModelSettings(temperature=0.5))


def test_tokens_read_from_and_written_to_the_cache_count_as_input() -> None:
    reply, _ = ask(Act(cached_tokens=300))
    assert reply.usage == Usage(
        input_tokens=1200, output_tokens=7, cached_tokens=300, reasoning_tokens=2
    )


def test_overload_passes_and_an_empty_purse_does_not() -> None:
    with pytest.raises(TryAgain, match="529"):
        ask(Act(status=529, code="overloaded_error"))
    with pytest.raises(ModelError, match="quota is used up") as caught:
        ask(Act(status=402, code="billing_error"))
    assert type(caught.value) is ModelError


def test_thoughts_are_not_part_of_the_answer() -> None:
    content = (
        b'{"id": "m", "type": "message", "role": "assistant", "model": "tiny", "content": ['
        b'{"type": "thinking", "thinking": "hm", "signature": "x"},'
        b'{"type": "text", "text": "left"}], "stop_reason": "end_turn",'
        b'"usage": {"input_tokens": 1, "output_tokens": 2}}'
    )
    reply, _ = ask(Act(content=content))
    assert (reply.text, reply.model) == ("left", "tiny")


def test_the_names_of_models_can_be_listed() -> None:
    with model_server(models=("a", "b")) as server:
        model = AnthropicModel("m", ModelSettings(), environment=server.environment("anthropic"))
        assert model.models() == ["a", "b"]
    assert model.models() == []
