"""Names into models: by provider, by file, and the sentences when there is none."""

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from paseo.errors import InputError, PaseoError
from paseo.vlm.making import make_model, model_class
from paseo.vlm.models import ModelSettings, Prompt, Reply
from paseo.vlm.providers import MODELS
from paseo.vlm.recorded import Recorded
from paseo.vlm.scripted import Scripted

OWN = """
from paseo.vlm.models import Reply

class Mine:
    def __init__(self, model, settings):
        print("talks")
        self.name = f"mine/{model}"
    def ask(self, prompt):
        return Reply(text=prompt.text)

class Silent(Mine):
    ask = None

class Nameless:
    def __init__(self, model, settings): pass
    def ask(self, prompt): pass

class Broken(Nameless):
    def __init__(self, model, settings): raise SystemExit(3)

thing = 1
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(OWN)
    return str(tmp_path / "own.py")


def refusal(reference: str) -> str:
    with pytest.raises(InputError) as caught:
        make_model(reference, ModelSettings())
    return str(caught.value)


def test_a_provider_is_given_the_rest_of_the_name(tmp_path: Path) -> None:
    assert model_class("scripted/first") == (Scripted, "first")
    assert model_class("recorded/a/b:7b") == (Recorded, "a/b:7b")
    assert make_model(f"recorded/{tmp_path}", ModelSettings()).folder == tmp_path


def test_a_file_holds_models_too(own: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = make_model(f"{own}:Mine/large/v:1", ModelSettings())
    assert model.name == "mine/large/v:1"
    assert model.ask(Prompt(text="x")) == Reply(text="x")
    assert make_model(f"{own}:Mine", ModelSettings()).name == "mine/"
    assert capsys.readouterr().out == ""


def test_packages_bring_models_by_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("theirs", "paseo.vlm.scripted:Scripted", "paseo.models")
    monkeypatch.setattr("paseo.registry.registry.entry_points", lambda group: [point])
    assert MODELS.targets()["theirs"] == "paseo.vlm.scripted:Scripted"
    assert make_model("theirs/first", ModelSettings()).name == "scripted/first"


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("gpt-4o", "model 'gpt-4o': whose? Write provider/model, such as openai/gpt-4o"),
        ("scripted", "model 'scripted': which one? Write scripted/MODEL"),
        ("scripted/", "which one?"),
        ("scriptd/first", "no provider of models is called 'scriptd'. Did you mean 'scripted'?"),
        ("scripted/frist", "Did you mean 'first'?"),
        ("nowhere.py:Mine", "model file nowhere.py: no such file"),
        ("some/own.py", "which class? Write some/own.py:ClassName"),
        ("", "whose?"),
    ],
)
def test_a_name_that_leads_nowhere_gets_a_sentence(reference: str, words: str) -> None:
    assert words in refusal(reference)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("Mien", "Did you mean 'Mine'?"),
        ("thing", "thing is no class"),
        ("Silent", "Silent has no method ask()"),
        ("Nameless", "Nameless has no name"),
        ("Broken", "cannot be made (SystemExit: 3)"),
    ],
)
def test_a_file_without_a_proper_model_gets_a_sentence(own: str, name: str, words: str) -> None:
    assert words in refusal(f"{own}:{name}")


@pytest.mark.parametrize("provider", ["openai", "gemini", "anthropic"])
def test_a_missing_key_is_named_before_anything_is_asked(
    provider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI", "GEMINI", "GOOGLE", "ANTHROPIC"):
        for ending in ("API_KEY", "BASE_URL"):
            monkeypatch.delenv(f"{name}_{ending}", raising=False)
    with pytest.raises(PaseoError, match="_API_KEY"):
        make_model(f"{provider}/any", ModelSettings())
