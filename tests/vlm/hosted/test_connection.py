import gzip
import itertools
import logging
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from threading import Barrier, Event

import pytest

from model_servers import KEY, VARIABLES, Act, ModelServer, Request, in_turn, model_server
from paseo.checks import check_model
from paseo.errors import BadValue, PaseoError
from paseo.vlm.failures import ModelError, ModelRefusesKey, ModelUnknown, SlowDown, TryAgain
from paseo.vlm.hosted import bounds
from paseo.vlm.hosted import connection as hosted
from paseo.vlm.hosted.anthropic import AnthropicModel
from paseo.vlm.hosted.gemini import GeminiModel
from paseo.vlm.hosted.openai import OpenAIModel
from paseo.vlm.models import (
    ModelSettings,
    Picture,
    Prompt,
    Reply,
    Structure,
    Usage,
    VisionModel,
)
from paseo.vqa.prompts.reply_form import reply_form
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import question
from wire_formats import AFTER, BEFORE, THOUGHT

CLASSES = {"openai": OpenAIModel, "gemini": GeminiModel, "anthropic": AnthropicModel}
PACKAGES = {"openai": "openai", "gemini": "google.genai", "anthropic": "anthropic"}
PICTURES = (Picture(b"first"), Picture(b"second", "image/png"))
PROMPT = Prompt(text="Where is person 3? Où?", images=PICTURES, id="scene/q")


@dataclass(frozen=True)
class Bench:
    """A provider's model and the server it asks, whose answers are chosen."""

    provider: str
    server: ModelServer
    model: VisionModel

    def ask(self, act: Act, prompt: Prompt = PROMPT) -> Reply:
        self.server.script = lambda request: act
        return self.model.ask(prompt)

    def sent(self, prompt: Prompt = PROMPT) -> Request:
        self.ask(Act(), prompt)
        return self.server.requests[-1]

    def failure(self, act: Act) -> ModelError:
        """The error, after exactly one request."""
        before = self.server.asked
        with pytest.raises(ModelError) as caught:
            self.ask(act)
        assert self.server.asked == before + 1
        return caught.value


PROVIDERS = [pytest.param(name, marks=pytest.mark.extra(name)) for name in CLASSES]


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module", params=PROVIDERS)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    with model_server() as server:
        yield Bench(request.param, server, model_at(server, request.param))


def model_at(
    server: ModelServer,
    provider: str,
    *,
    key: str = KEY,
    clock: Callable[[], float] = time.monotonic,
    **settings: object,
) -> VisionModel:
    environment = server.environment(provider, key=key)
    chosen = ModelSettings(**settings)
    return CLASSES[provider]("tiny-1x", chosen, environment=environment, clock=clock)


def test_a_reply_holds_the_text_the_tokens_the_ending_and_the_exact_model(bench: Bench) -> None:
    begun = time.monotonic()
    reply = bench.ask(Act(text='{"answer": "non à gauche"}', cached_tokens=64, delay_s=0.05))
    assert 0.05 <= reply.latency_s <= time.monotonic() - begun
    assert (reply.text, reply.ending) == ('{"answer": "non à gauche"}', "stop")
    assert reply.model == "tiny-1-2026"
    assert reply.usage == Usage(
        input_tokens=BEFORE, output_tokens=AFTER, cached_tokens=64, reasoning_tokens=THOUGHT
    )


@pytest.mark.parametrize("text", ["", '```json\n{"answer": "yes"}\n```'])
def test_empty_and_fenced_answers_arrive_as_they_are(bench: Bench, text: str) -> None:
    assert bench.ask(Act(text=text)).text == text


def test_a_refusal_is_a_reply_with_the_providers_words(bench: Bench) -> None:
    reply = bench.ask(Act(text="I will not look at people.", ending="refusal"))
    words = "SAFETY" if bench.provider == "gemini" else "I will not look at people."
    assert (reply.text, reply.ending) == (words, "refusal")


def test_an_answer_cut_at_the_most_tokens_ends_with_length(bench: Bench) -> None:
    reply = bench.ask(Act(text='{"ans', ending="length"))
    assert (reply.text, reply.ending) == ('{"ans', "length")


def test_pictures_come_first_and_unchanged_and_the_text_last(bench: Bench) -> None:
    *pictures, last = bench.sent().parts
    assert last.get("text") == PROMPT.text
    assert len(pictures) == 2
    for part, picture in zip(pictures, PICTURES, strict=True):
        assert picture.base64 in str(part)
        assert picture.media_type in str(part)


def test_thoughts_are_kept_beside_the_text_and_without_the_key(bench: Bench) -> None:
    reply = bench.ask(Act(text='{"answer": "no"}', thoughts=f"He turns. {KEY} So no."))
    assert reply.text == '{"answer": "no"}'
    assert reply.thoughts == "He turns. [key] So no."
    assert bench.ask(Act()).thoughts == ""


FORM = reply_form([question("a", "q_robot_affected_p1")], Structure.SCHEMA, Method.INDEPENDENT)


def test_a_reply_is_held_to_its_form_as_each_provider_has_it(bench: Bench) -> None:
    sent = bench.sent(replace(PROMPT, form=FORM)).body
    schema = {
        "openai": lambda: sent["response_format"]["json_schema"]["schema"],
        "gemini": lambda: sent["generationConfig"]["responseJsonSchema"],
        "anthropic": lambda: sent["output_config"]["format"]["schema"],
    }[bench.provider]()
    assert schema["properties"]["answer"]["enum"] == ["yes", "no"]
    assert schema["additionalProperties"] is False
    assert bench.server.faults == []


@pytest.mark.extra("openai")
@pytest.mark.parametrize(
    ("structure", "place"),
    [(Structure.CHOICE, ("structured_outputs", "choice")),
     (Structure.GUIDED_CHOICE, ("guided_choice",))],
)  # fmt: skip
def test_a_list_of_choices_is_sent_as_vllm_takes_it(
    structure: Structure, place: tuple[str, ...]
) -> None:
    with model_server(lambda request: Act()) as server:
        model = OpenAIModel("m", ModelSettings(), environment=server.environment("openai"))
        model.ask(replace(PROMPT, form=replace(FORM, structure=structure)))
        found = server.requests[-1].body
        for name in place:
            found = found[name]
    assert found == ['{"answer": "yes"}', '{"answer": "no"}']
    assert "response_format" not in server.requests[-1].body


def test_a_prompt_without_pictures_is_only_its_text(bench: Bench) -> None:
    parts = bench.sent(Prompt(text="hello")).parts
    assert [part["text"] for part in parts] == ["hello"]


def test_settings_left_to_the_provider_are_not_sent(bench: Bench) -> None:
    needed = {"openai": {"model", "messages"}, "gemini": {"contents"}}
    needed["anthropic"] = {"model", "messages", "max_tokens"}
    body = {key for key, value in bench.sent().body.items() if value}
    assert body == needed[bench.provider]


@pytest.mark.parametrize(
    ("status", "kind", "words"),
    [
        (400, ModelError, "would not answer (400: the picture is broken)"),
        (401, ModelRefusesKey, "does not accept the key in"),
        (403, ModelRefusesKey, "does not accept the key in"),
        (402, ModelError, "quota is used up"),
        (404, ModelUnknown, "Did you mean 'tiny-1' or 'tiny-1-mini'?"),
        (408, TryAgain, "this may pass"),
        (409, TryAgain, "this may pass"),
        (413, ModelError, "would not answer"),
        (429, SlowDown, "asks to slow down"),
        (500, TryAgain, "failed (500: the picture is broken)"),
        (529, TryAgain, "this may pass"),
    ],
)
def test_every_status_is_its_own_kind_of_failure(
    bench: Bench, status: int, kind: type[ModelError], words: str
) -> None:
    error = bench.failure(Act(status=status, message="the picture is broken"))
    assert type(error) is kind
    assert str(error).startswith(f"{bench.provider} at http://127.0.0.1:")
    assert words in str(error)
    assert f"({status}: the picture is broken)" in str(error)


def test_a_model_that_is_listed_and_not_found_is_not_suggested_again(provider: str) -> None:
    account = hosted.open_account(
        provider, {"KEY": "k" * 20, "URL": "http://127.0.0.1:1/v1"}, keys=("KEY",), url="URL",
        keyless=False,
    )  # fmt: skip
    complaint = hosted.Complaint(status=404, message="no route")
    error = hosted.failure(
        account, complaint, model="fake-7b", known=lambda: ["fake-7b", "fake-72b"]
    )
    assert type(error) is ModelUnknown
    assert "lists the model 'fake-7b' and does not find it (404: no route)" in str(error)
    assert "check that URL is complete" in str(error)
    assert "Did you mean" not in str(error)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after-ms": "1500", "Retry-After": "2"}, 1.5),
        ({}, None),
    ],
)
def test_slowing_down_tells_how_long(bench: Bench, headers: dict[str, str], wait: float) -> None:
    error = bench.failure(Act(status=429, headers=headers))
    assert isinstance(error, SlowDown)
    assert error.retry_after_s == wait


def test_a_server_that_fails_may_tell_how_long_too(bench: Bench) -> None:
    error = bench.failure(Act(status=503, headers={"Retry-After": "3"}))
    assert isinstance(error, TryAgain)
    assert error.retry_after_s == 3.0


def test_a_slow_answer_is_given_up_in_time(provider: str) -> None:
    with model_server(Act(delay_s=600)) as server:
        with pytest.raises(TryAgain, match="did not answer within 1 s"):
            model_at(server, provider, timeout_s=1.0).ask(PROMPT)
        assert (server.asked, server.answered) == (1, 0)


def test_an_answer_that_drips_is_given_up_in_time(provider: str) -> None:
    looks = itertools.count()  # at the clock, of which each finds it 10 s later
    with (
        model_server(Act(drip_s=0.02)) as server,
        pytest.raises(TryAgain, match="did not answer within 100 s"),
    ):
        slow = model_at(server, provider, timeout_s=100, clock=lambda: 10.0 * next(looks))
        slow.ask(PROMPT)
    assert next(looks) <= 13  # at the question, at the headers, at eleven pieces of hundreds


@pytest.mark.parametrize("status", [200, 400])
def test_an_answer_is_read_only_as_far_as_makes_sense(
    bench: Bench, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "LARGEST", 1 << 20)
    error = bench.failure(Act(status=status, content=b" " * ((1 << 20) + 1)))
    assert "it is larger than 1 MiB" in str(error)
    assert type(error) is TryAgain


def test_an_answer_that_could_grow_while_it_is_unpacked_is_not_read(bench: Bench) -> None:
    assert bench.sent().headers["accept-encoding"] == "identity"
    packed = Act(content=gzip.compress(b" " * 10_000), headers={"Content-Encoding": "GZip"})
    error = bench.failure(packed)
    assert "it came packed" in str(error)
    assert type(error) is TryAgain


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_nobody_is_followed_elsewhere_with_a_key_or_a_picture(bench: Bench, status: int) -> None:
    with model_server() as elsewhere:
        there = {"Location": f"{elsewhere.url}/v1/chat/completions"}
        error = bench.failure(Act(status=status, content=b"", headers=there))
        assert elsewhere.asked == 0
    assert type(error) is ModelError
    assert "sends us elsewhere" in str(error)


@pytest.mark.parametrize(
    "act",
    [
        Act(cut=40),
        Act(cut=0),
        Act(drop=True),
        Act(content=b'{"choices": ['),
        Act(content=b"\xff\xfe{}"),
        Act(content=b"{}"),
        Act(content=b"null"),
        Act(content=b"[" * 100_000),
        Act(content=b'{"choices": "a", "content": 3, "candidates": [{"content": 5}]}'),
        Act(content=b'{"choices": [{"message": {"content": [1]}}], "content": [1]}'),
        Act(content=b"<html>Welcome</html>", headers={"Content-Type": "text/html"}),
    ],
    ids=[
        "truncated",
        "headers only",
        "dropped",
        "half",
        "not text",
        "nothing",
        "null",
        "deep",
        "wrong",
        "odd",
        "a page",
    ],
)
def test_what_is_no_whole_reply_may_be_asked_for_again(bench: Bench, act: Act) -> None:
    assert type(bench.failure(act)) is TryAgain


def test_a_server_that_is_not_there_is_named(provider: str) -> None:
    with model_server() as server:
        model = model_at(server, provider)
    with pytest.raises(TryAgain, match=f"{provider} at {server.url}: .*refused"):
        model.ask(PROMPT)


def test_after_a_failure_the_same_model_goes_on(bench: Bench) -> None:
    bench.server.script = in_turn(Act(drop=True), Act(status=500), Act(text="well"))
    for _ in range(2):
        with pytest.raises(TryAgain):
            bench.model.ask(PROMPT)
    assert bench.model.ask(PROMPT).text == "well"


def test_a_hosted_model_keeps_the_contract_of_exams(bench: Bench) -> None:
    bench.server.script = lambda request: Act(text=str(len(request.text)))
    check_model(lambda: bench.model)


def test_a_missing_key_is_told_before_any_request(provider: str) -> None:
    with pytest.raises(ModelRefusesKey, match=f"{provider} needs a key; set .*_API_KEY"):
        CLASSES[provider]("tiny-1", ModelSettings(), environment={})


@pytest.mark.parametrize("key", ["sk-line\nbreak", "sk-ключ", "two words"])
def test_a_key_that_cannot_be_one_is_refused_and_not_shown(provider: str, key: str) -> None:
    with pytest.raises(ModelRefusesKey, match="characters that no key has") as caught:
        CLASSES[provider]("tiny-1", ModelSettings(), environment={VARIABLES[provider][0]: key})
    assert key not in str(caught.value)


def test_the_key_never_shows(provider: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    key = "Odd0123456789Key"
    others = "sk-proj-abcdefgh12345 neither, nor Odd0****9Key"
    echo = Act(status=401, message=f"no such key: {key}, and {others}")
    with model_server(echo) as server:
        model = model_at(server, provider, key=key)
        with pytest.raises(ModelRefusesKey) as caught:
            model.ask(PROMPT)
    told = "".join(traceback.format_exception(caught.value))
    shown = told + repr(model) + repr(vars(model)["_account"]) + caplog.text
    assert "no such key: [key], and [key] neither, nor [key])" in told
    assert key not in shown
    assert "abcdefgh12345" not in told


def test_absurd_numbers_of_tokens_do_no_harm(bench: Bench) -> None:
    usage = b'"usage": {"prompt_tokens": 1e999, "completion_tokens": -5, "input_tokens": 1e999}'
    choice = b'{"choices": [{"message": {"content": "yes"}}], "content": [], %s}' % usage
    metadata = b'{"candidates": [{"index": 0}], "usageMetadata": {"promptTokenCount": -5}}'
    reply = bench.ask(Act(content=metadata if bench.provider == "gemini" else choice))
    assert reply.usage and 0 <= reply.usage.input_tokens <= 10**8
    assert reply.usage.output_tokens == 0


def test_a_key_that_a_server_sends_back_is_no_part_of_the_reply(bench: Bench) -> None:
    assert bench.ask(Act(text=f'{{"answer": "{KEY}"}}')).text == '{"answer": "[key]"}'


def test_an_error_of_any_shape_is_told(bench: Bench) -> None:
    odd = b'{"error": {"message": ["a"], "code": {}, "type": [], "details": 7}}'
    for content in (odd, b"null", b"[]", b"[1]", b'"no"', b"", b"\xff", b"[" * 100_000):
        assert type(bench.failure(Act(status=503, content=content))) is TryAgain


def test_names_from_a_strange_list_do_no_harm(provider: str) -> None:
    names = ("tiny-1\x1b[31m", "a" * 10_000)
    with (
        model_server(Act(status=404), models=names) as server,
        pytest.raises(ModelUnknown) as caught,
    ):
        model_at(server, provider).ask(PROMPT)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 450


def test_a_long_message_is_cut_and_kept_on_one_line(bench: Bench) -> None:
    error = bench.failure(Act(status=400, message="so\nit\x1b[31m goes " * 1000))
    assert len(str(error)) < 450
    assert str(error).isprintable()


def test_one_model_answers_64_threads_at_once_over_lasting_connections(bench: Bench) -> None:
    together = Barrier(64)

    def script(request: Request) -> Act:
        together.wait(timeout=30)
        return Act()

    bench.server.script = script
    with ThreadPoolExecutor(64) as pool:
        assert len(list(pool.map(bench.model.ask, [PROMPT] * 64))) == 64
        opened = bench.server.connections
        assert len(list(pool.map(bench.model.ask, [PROMPT] * 64))) == 64
    assert bench.server.largest_at_once == 64
    assert bench.server.connections == opened


@pytest.mark.extra("openai")
def test_a_server_that_is_full_turns_the_rest_away() -> None:
    def ask(_: int) -> str:
        try:
            return model.ask(PROMPT).text
        except SlowDown as error:
            full.set()
            return f"wait {error.retry_after_s} s"

    def script(request: Request) -> Act:
        full.wait(timeout=30)
        return Act(text="well")

    full = Event()
    with model_server(script, most_at_once=3) as server, ThreadPoolExecutor(4) as pool:
        model = model_at(server, "openai")
        assert sorted(pool.map(ask, range(4))) == ["wait 1.0 s", "well", "well", "well"]
    assert (server.turned_away, server.largest_at_once) == (1, 4)


def test_an_unknown_model_of_a_server_without_a_list_points_to_the_address(provider: str) -> None:
    hint = f"check that {VARIABLES[provider][1]} is complete"
    with (
        model_server(Act(status=404), models=()) as server,
        pytest.raises(ModelUnknown, match=hint),
    ):
        model_at(server, provider).ask(PROMPT)


def test_what_paseo_sends_itself_cannot_be_a_setting(provider: str) -> None:
    own = "http_options" if provider == "gemini" else "messages"
    with model_server() as server, pytest.raises(BadValue, match=f"'{own}' cannot be given"):
        model_at(server, provider, extra={own: {}})


def test_without_the_sdk_the_line_to_type_is_told(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, PACKAGES[provider], None)
    line = rf"pip install 'paseo\[{provider}\]'"
    with model_server() as server, pytest.raises(PaseoError, match=line):
        model_at(server, provider)


def test_a_date_to_wait_for_becomes_seconds() -> None:
    now = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
    header = {"retry-after": format_datetime(datetime(2026, 5, 1, 12, 1, tzinfo=UTC), usegmt=True)}
    assert hosted.wait_asked_for(header, now=now) == 60.0
    assert hosted.wait_asked_for(header, now=datetime(2026, 6, 1, tzinfo=UTC)) == 0.0


@pytest.mark.parametrize("value", ["soon", "nan", "1e999", "", "Thu, 99 Foo 2026"])
def test_a_wait_that_makes_no_sense_is_left_out(value: str) -> None:
    assert hosted.wait_asked_for({"retry-after": value}) is None


def test_no_wait_is_longer_than_an_hour() -> None:
    assert hosted.wait_asked_for({"retry-after": "999999"}) == 3600.0
