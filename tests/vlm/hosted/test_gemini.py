import base64
import io
import json
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

from model_servers import KEY, Act, model_server
from paseo.errors import BadValue
from paseo.vlm.failures import ModelError, ModelRefusesKey, SlowDown
from paseo.vlm.hosted.gemini import GeminiModel
from paseo.vlm.models import ModelSettings, Picture, Prompt, Reply

PROMPT = Prompt(text="Where?", images=(Picture(b"one"),))
TYPES = "type.googleapis.com/google.rpc."


def ask(
    act: Act, settings: ModelSettings | None = None, prompt: Prompt = PROMPT
) -> tuple[Reply, dict[str, Any]]:
    with model_server(act) as server:
        environment = server.environment("gemini")
        model = GeminiModel("tiny-1", settings or ModelSettings(), environment=environment)
        return model.ask(prompt), server.requests[0].body


def colour(*rgb: int) -> Picture:
    file = io.BytesIO()
    Image.new("RGB", (65, 33), rgb).save(file, "PNG")
    return Picture(file.getvalue(), "image/png")


def test_a_picture_goes_inline() -> None:
    _, body = ask(Act())
    picture, text = body["contents"][0]["parts"]
    assert picture == {"inlineData": {"data": "b25l", "mimeType": "image/jpeg"}}
    assert text == {"text": "Where?"}


def test_settings_are_sent_by_their_names() -> None:
    extra = {"thinking_config": {"thinking_budget": 0}}
    settings = ModelSettings(temperature=0.0, max_tokens=50, seed=7, extra=extra)
    sent = ask(Act(), settings)[1]["generationConfig"]
    assert sent.pop("thinkingConfig") in ({"thinkingBudget": 0}, {"thinking_budget": 0})
    assert sent == {"temperature": 0.0, "maxOutputTokens": 50, "seed": 7}


def test_a_setting_that_does_not_exist_is_refused_before_any_request() -> None:
    with pytest.raises(BadValue, match="does not take these settings: .* nonsense"):
        ask(Act(), ModelSettings(extra={"nonsense": 1}))


def test_a_film_goes_as_a_film_with_every_frame_to_be_looked_at() -> None:
    colours = [(200, 30, 30), (30, 200, 30), (30, 30, 200)]
    frames = tuple(colour(*each) for each in colours)
    _, body = ask(Act(), prompt=Prompt(text="?", images=frames, fps=4.0))
    film, _ = body["contents"][0]["parts"]
    assert film["videoMetadata"] == {"fps": 4.0}
    assert film["inlineData"]["mimeType"] == "video/mp4"
    with av.open(io.BytesIO(base64.b64decode(film["inlineData"]["data"]))) as container:
        assert container.streams.video[0].average_rate == 4
        seen = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    assert [frame.shape for frame in seen] == [(32, 64, 3)] * 3
    np.testing.assert_allclose([frame.mean((0, 1)) for frame in seen], colours, atol=8)


def test_a_blocked_prompt_is_a_refusal() -> None:
    reply, _ = ask(Act(ending="blocked", text="the picture shows a person"))
    assert (reply.text, reply.ending) == ("the picture shows a person", "refusal")


def test_an_answer_taken_back_by_a_filter_says_so() -> None:
    assert ask(Act(ending="filtered"))[0].ending == "filtered"


def test_thoughts_are_not_part_of_the_answer() -> None:
    parts = [{"text": "hm", "thought": True}, {"text": "le"}, {"text": "ft"}]
    candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    reply, _ = ask(Act(content=json.dumps({"candidates": [candidate]}).encode()))
    assert (reply.text, reply.usage) == ("left", None)


def test_the_wait_stands_in_the_body() -> None:
    details = ({"@type": TYPES + "RetryInfo", "retryDelay": "12.5s"},)
    with pytest.raises(SlowDown) as caught:
        ask(Act(status=429, code="RESOURCE_EXHAUSTED", details=details))
    assert caught.value.retry_after_s == 12.5


def test_the_quota_of_a_day_does_not_pass() -> None:
    violation = {"quotaId": "GenerateRequestsPerDayPerProjectPerModel-FreeTier"}
    details = ({"@type": TYPES + "QuotaFailure", "violations": [violation]},)
    with pytest.raises(ModelError, match="quota is used up") as caught:
        ask(Act(status=429, code="RESOURCE_EXHAUSTED", details=details))
    assert type(caught.value) is ModelError


def test_a_wrong_key_comes_as_a_bad_request() -> None:
    details = ({"@type": TYPES + "ErrorInfo", "reason": "API_KEY_INVALID"},)
    with pytest.raises(ModelRefusesKey, match="GEMINI_API_KEY"):
        ask(Act(status=400, code="INVALID_ARGUMENT", details=details))


def test_details_that_are_not_as_promised_do_no_harm() -> None:
    body = {"error": {"code": 429, "message": "slow", "details": ["x", {"retryDelay": 5}, None]}}
    with pytest.raises(SlowDown) as caught:
        ask(Act(status=429, content=json.dumps(body).encode()))
    assert caught.value.retry_after_s is None


def test_of_two_keys_the_one_the_sdk_prefers_is_used() -> None:
    with model_server() as server:
        environment = {**server.environment("gemini", key="other"), "GOOGLE_API_KEY": KEY}
        GeminiModel("tiny-1", ModelSettings(), environment=environment).ask(PROMPT)
    assert server.requests[0].headers["x-goog-api-key"] == KEY


def test_the_names_of_models_can_be_listed() -> None:
    with model_server(models=("a", "b")) as server:
        model = GeminiModel("m", ModelSettings(), environment=server.environment("gemini"))
        assert model.models() == ["a", "b"]
    assert model.models() == []
