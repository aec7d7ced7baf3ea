"""The names of a seam, tried on one that is made up here."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Protocol

import pytest

from paseo.errors import BadValue, InputError, UnknownName
from paseo.registry.registry import Registry, lacks, made


class Greeter(Protocol):
    """Says something."""

    def greet(self) -> str: ...


class Polite:
    """Ships."""

    def greet(self) -> str:
        return "good day"


GREETERS: Registry[type[Greeter]] = Registry(
    kind="greeter",
    group="paseo.greeters",
    shipped={"polite": f"{__name__}:Polite"},
    fault=lacks("greet"),
)
OWN = """
class Loud:
    def greet(self): return "HELLO"

class Mute:
    pass

word = "hello"
"""


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """This module can be imported by its name, whatever way the test runner found it."""
    monkeypatch.setitem(sys.modules, __name__, sys.modules[Polite.__module__])


@pytest.fixture
def own(tmp_path: Path) -> str:
    (tmp_path / "own.py").write_text(OWN)
    return str(tmp_path / "own.py")


def refusal(reference: str) -> str:
    with pytest.raises(InputError) as caught:
        GREETERS.find(reference)
    return str(caught.value)


def test_what_ships_is_found_by_name_and_by_module() -> None:
    assert GREETERS.find("polite") is Polite
    assert GREETERS.find("polite")().greet() == "good day"
    assert GREETERS.find(f"{__name__}:Polite") is Polite


def test_what_lies_in_a_file_is_found(own: str) -> None:
    assert GREETERS.find(f"{own}:Loud")().greet() == "HELLO"


def test_packages_bring_theirs_but_cannot_replace_ours(
    own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(Path(own).parent))
    points = [
        EntryPoint("loud", "own:Loud", "paseo.greeters"),
        EntryPoint("polite", "own:Loud", "paseo.greeters"),
    ]
    asked: list[str] = []
    monkeypatch.setattr(
        "paseo.registry.registry.entry_points", lambda group: asked.append(group) or points
    )
    assert list(GREETERS.targets()) == ["loud", "polite"]
    assert [each.__name__ for each in GREETERS.installed()] == ["Loud"]
    assert GREETERS.find("polite") is Polite
    assert set(asked) == {"paseo.greeters"}
    del sys.modules["own"]


@pytest.mark.parametrize(
    ("reference", "words"),
    [
        ("polit", "no greeter is called 'polit'. Did you mean 'polite'?"),
        ("nowhere.at_all:A", "no greeter is called 'nowhere.at_all:A'"),
        ("some.py", "greeter 'some.py': which class? Write some.py:ClassName"),
        ("some.py:A", "greeter file some.py: no such file; check the path"),
    ],
)
def test_a_name_that_leads_nowhere_gets_a_sentence(reference: str, words: str) -> None:
    assert words in refusal(reference)


def test_what_does_not_fill_the_seam_gets_a_sentence(own: str) -> None:
    assert f"greeter '{own}:Mute': Mute has no method greet()" in refusal(f"{own}:Mute")
    assert "word is no class" in refusal(f"{own}:word")
    assert refusal(f"{own}:Lout").endswith("is called 'Lout'. Did you mean 'Loud'?")
    assert refusal(f"{own}:Muet").endswith("Known: Loud."), "only what could be used is offered"


def test_a_package_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needy_greeter.py").write_text("import no_such_package")
    monkeypatch.syspath_prepend(tmp_path)
    assert "No module named 'no_such_package'; install it" in refusal("needy_greeter:A")


def test_what_cannot_be_made_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> object:
        print("talk")
        raise SystemExit(3)

    with pytest.raises(BadValue, match=r"^greeter 'x' cannot be made \(SystemExit: 3\)$"):
        made("greeter 'x'", broken)
    assert capsys.readouterr().out == ""


def test_errors_that_are_sentences_already_can_be_left_as_they_are() -> None:
    def choosy() -> object:
        raise UnknownName("word", "helo", ["hello"])

    with pytest.raises(UnknownName):
        made("greeter 'x'", choosy, told=(InputError,))
    with pytest.raises(BadValue, match=r"cannot be made \(UnknownName: no word is called"):
        made("greeter 'x'", choosy)
