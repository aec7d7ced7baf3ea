import json

import pytest

from model_servers import Act, model_server
from paseo.errors import BadValue
from paseo.vlm.failures import ModelError, ModelRefusesKey, ModelUnknown, TryAgain
from paseo.vlm.hosted.openai import OpenAIModel, wire_settings
from paseo.vlm.models import ModelSettings, Picture, Prompt

pytestmark = pytest.mark.extra("openai")

PROMPT = Prompt(text="Where?", images=(Picture(b"one"),))


def ask(act: Act, settings: ModelSettings | None = None) -> tuple[object, dict[str, object]]:
    with model_server(act) as server:
        environment = server.environment("openai")
        model = OpenAIModel("tiny-1", settings or ModelSettings(), environment=environment)
        return model.ask(PROMPT), server.requests[0].body


def test_a_name_says_who_is_asked() -> None:
    model = OpenAIModel("org/tiny-1", ModelSettings(), environment={"OPENAI_API_KEY": "sk-x"})
    assert model.name == "openai/org/tiny-1"


def test_a_picture_goes_as_a_data_url() -> None:
    _, body = ask(Act())
    picture = body["messages"][0]["content"][0]
    url = "data:image/jpeg;base64,b25l"
    assert picture == {"type": "image_url", "image_url": {"url": url}}
    assert "stream" not in body


def test_settings_are_sent_by_their_names() -> None:
    settings = ModelSettings(
        temperature=0.0, max_tokens=50, seed=7, extra={"reasoning_effort": "low"}
    )
    _, body = ask(Act(), settings)
    del body["messages"], body["model"]
    assert body == {"temperature": 0.0, "max_tokens": 50, "seed": 7, "reasoning_effort": "low"}


@pytest.mark.parametrize("address", [None, "https://api.openai.com/v1"])
def test_openai_itself_takes_the_new_name_of_the_most_tokens(address: str | None) -> None:
    assert wire_settings(ModelSettings(max_tokens=5), address) == {"max_completion_tokens": 5}


def test_the_frames_of_a_film_go_as_pictures() -> None:
    with model_server() as server:
        model = OpenAIModel("tiny-1", ModelSettings(), environment=server.environment("openai"))
        model.ask(Prompt(text="?", images=(Picture(b"one"), Picture(b"two")), fps=4.0))
    assert [part["type"] for part in server.requests[0].parts] == ["image_url", "image_url", "text"]


def test_a_server_without_keys_needs_only_its_address() -> None:
    with model_server() as server:
        environment = {"OPENAI_BASE_URL": f"{server.url}/v1"}
        assert OpenAIModel("llava", ModelSettings(), environment=environment).ask(PROMPT).text


def test_without_key_and_address_both_are_named() -> None:
    with pytest.raises(ModelRefusesKey, match="OPENAI_API_KEY .* or OPENAI_BASE_URL"):
        OpenAIModel("tiny-1", ModelSettings(), environment={"OPENAI_API_KEY": " "})


@pytest.mark.parametrize("url", ["localhost:8000", "http://", "http://[::1", "http://a:99999/v1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadValue, match="OPENAI_BASE_URL is no address"):
        OpenAIModel("tiny-1", ModelSettings(), environment={"OPENAI_BASE_URL": url})


def test_a_password_in_the_address_is_not_shown() -> None:
    with model_server() as server:
        address = server.url.replace("http://", "http://me:secret@") + "/v1"
    model = OpenAIModel("tiny-1", ModelSettings(), environment={"OPENAI_BASE_URL": address})
    with pytest.raises(TryAgain) as caught:
        model.ask(PROMPT)
    assert server.url in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (429, "insufficient_quota", ModelError),
        (403, "model_not_found", ModelUnknown),
        (400, "model_not_found", ModelUnknown),
        (400, "invalid_api_key", ModelRefusesKey),
    ],
)
def test_the_code_of_an_error_outweighs_its_status(
    status: int, code: str, kind: type[ModelError]
) -> None:
    with pytest.raises(ModelError) as caught:
        ask(Act(status=status, code=code))
    assert type(caught.value) is kind


@pytest.mark.parametrize(
    "body",
    [
        {"error": "model is loading"},
        {"object": "error", "message": "model is loading", "code": 503},
        {"error": {"message": "model is loading", "code": 503}},
    ],
)
def test_the_servers_sentence_is_found_wherever_it_stands(body: dict[str, object]) -> None:
    with pytest.raises(TryAgain, match="model is loading"):
        ask(Act(status=503, content=json.dumps(body).encode()))


def test_an_error_that_comes_as_a_success_may_be_asked_again() -> None:
    error = {"error": {"message": "upstream is overloaded", "code": 502}}
    with pytest.raises(TryAgain, match="upstream is overloaded"):
        ask(Act(content=json.dumps(error).encode()))


def test_a_reply_filtered_by_the_provider_says_so() -> None:
    reply, _ = ask(Act(ending="filtered"))
    assert reply.ending == "filtered"


def test_a_server_that_counts_no_tokens_gives_no_usage() -> None:
    message = {"role": "assistant", "content": "left"}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    reply, _ = ask(Act(content=json.dumps({**body, "choices": [choice]}).encode()))
    assert (reply.text, reply.usage) == ("left", None)


def test_a_request_that_breaks_the_sdks_types_is_a_fault_of_the_test() -> None:
    settings = ModelSettings(extra={"nonsense": 1})
    with (
        pytest.raises(AssertionError, match=r"does not know \.nonsense"),
        model_server() as server,
        pytest.raises(ModelError, match="nonsense"),
    ):
        OpenAIModel("m", settings, environment=server.environment("openai")).ask(PROMPT)


def test_the_names_of_models_can_be_listed() -> None:
    with model_server(models=("a", "b")) as server:
        model = OpenAIModel("m", ModelSettings(), environment=server.environment("openai"))
        assert model.models() == ["a", "b"]
    assert model.models() == []
