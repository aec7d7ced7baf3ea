"""The contract check passes good models and names what bad ones do wrong."""

import threading
import time
from typing import Any

import pytest

from paseo.checks import ContractBroken, check_model
from paseo.vlm.failures import ModelError, SlowDown
from paseo.vlm.models import ModelSettings, Prompt, Reply
from paseo.vlm.scripted import SCRIPTS, Scripted


class Good:
    """Answers with its prompt's length."""

    def __init__(self, model: str = "", settings: ModelSettings | None = None) -> None:
        self.name = f"good/{model}"

    def ask(self, prompt: Prompt) -> Reply:
        return Reply(text=f"{len(prompt.text)} {prompt.text[:30]} {len(prompt.images)}")


def words(make: Any) -> str:
    """What the check says about a bad model."""
    with pytest.raises(ContractBroken) as caught:
        check_model(make)
    return str(caught.value)


@pytest.mark.filterwarnings("error")
def test_good_models_pass() -> None:
    check_model(Good)
    check_model(lambda: Good("by function"))
    for script in SCRIPTS.keys() - {"busy", "late", "locked"}:
        check_model(Scripted, model=script)


def test_models_must_be_made_and_have_a_name_and_ask() -> None:
    class Needy(Good):
        def __init__(self) -> None:
            pass

    class Nameless(Good):
        def __init__(self, model: str, settings: ModelSettings) -> None:
            self.name = " "

    class Mute(Good):
        ask = None  # type: ignore[assignment]

    assert "expected the model's class or a function" in words(Good("made"))
    assert "cannot be made with a name and ModelSettings (TypeError" in words(Needy)
    assert "Nameless.name is ' ', expected provider/model" in words(Nameless)
    assert "Mute has no method ask()" in words(Mute)


def test_a_plain_question_must_be_answered() -> None:
    said = words(lambda: Scripted("locked"))
    assert said.startswith("a question with a picture: was not answered (scripted/locked")


def test_what_cannot_be_answered_may_be_refused_but_only_in_the_agreed_way() -> None:
    class Choosy(Good):
        failure: type[Exception] = ModelError

        def ask(self, prompt: Prompt) -> Reply:
            if not prompt.images:
                raise self.failure("I need a picture")
            return super().ask(prompt)

    class Crashing(Choosy):
        failure = IndexError

    check_model(Choosy)
    assert words(Crashing) == (
        "no picture: ask() raised IndexError (I need a picture), expected a kind of ModelError, "
        "which says what to do about it"
    )


def test_a_reply_must_be_a_reply() -> None:
    class Texting(Good):
        def ask(self, prompt: Prompt) -> Any:
            return prompt.text

    class Odd(Good):
        def ask(self, prompt: Prompt) -> Reply:
            return Reply(text=None, latency_s=-1.0, usage=7)  # type: ignore[arg-type]

    assert "a film: ask() returned str, expected a Reply" in words(Texting)
    said = words(Odd)
    assert "text is None, expected text" in said
    assert "latency_s is -1.0, expected seconds" in said
    assert "usage is 7, expected Usage or None" in said


def test_prompts_must_be_left_alone() -> None:
    class Vandal(Good):
        def ask(self, prompt: Prompt) -> Reply:
            object.__setattr__(prompt, "text", prompt.text + "!")
            return super().ask(prompt)

    assert "a film: ask() changed the prompt; copy what you want to change" in words(Vandal)


def test_models_must_not_remember() -> None:
    class Chatty(Good):
        def __init__(self, model: str, settings: ModelSettings) -> None:
            super().__init__(model)
            self.seen: set[str] = set()

        def ask(self, prompt: Prompt) -> Reply:
            self.seen.add(prompt.id)
            return Reply(text=f"{len(self.seen)}" if prompt.fps else "-")

    assert "ask() must forget what it was asked" in words(Chatty)


@pytest.mark.filterwarnings("error")
def test_models_must_bear_several_threads() -> None:
    class Mixing(Good):
        def ask(self, prompt: Prompt) -> Reply:
            self.prompt = prompt
            time.sleep(0.01)
            return super().ask(self.prompt)

    class Lonely(Good):
        def __init__(self, model: str, settings: ModelSettings) -> None:
            super().__init__(model)
            self.owner = threading.get_ident()

        def ask(self, prompt: Prompt) -> Reply:
            if threading.get_ident() != self.owner:
                raise RuntimeError("made in another thread")
            return super().ask(prompt)

    assert "a question got the answer to another" in words(Mixing)
    assert "asked by 4 threads at once, ask() raised RuntimeError" in words(Lonely)


@pytest.mark.filterwarnings("error")
def test_a_provider_that_is_busy_for_a_moment_breaks_no_promise() -> None:
    class Busy(Good):
        turn = threading.Lock()

        def ask(self, prompt: Prompt) -> Reply:
            if not self.turn.acquire(blocking=False):
                raise SlowDown("one at a time")
            try:
                time.sleep(0.01)
                return super().ask(prompt)
            finally:
                self.turn.release()

    check_model(Busy)


def test_a_model_of_changing_mind_is_warned_about() -> None:
    class Fickle(Good):
        count = 0

        def ask(self, prompt: Prompt) -> Reply:
            Fickle.count += 1
            return Reply(text=str(Fickle.count))

    with pytest.warns(UserWarning, match="answers the same question differently each time"):
        check_model(Fickle)
