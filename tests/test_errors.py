"""Errors: hints for names that do not exist, parameters, and packages that are not there."""

from pathlib import Path

import pytest

from paseo.errors import BadValue, MissingExtra, UnknownName, require


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("strait", "Did you mean 'straight'?"),
        ("t_eth1", "Did you mean 't_ETH1'?"),
        ("xyz", "Known: straight, t_ETH1."),
    ],
)
def test_the_nearest_name_is_suggested_whatever_its_case(name: str, hint: str) -> None:
    said = str(UnknownName("planner", name, ["straight", "t_ETH1"]))
    assert said == f"no planner is called '{name}'. {hint}"


def test_a_sentence_names_parameters_as_whoever_reads_it_spells_them() -> None:
    error = BadValue("fps_x is no fps; lower fps or time_s", parameters=("fps", "time_s"))
    assert str(error) == "fps_x is no fps; lower fps or time_s"
    assert error.spelled(lambda name: f"<{name}>") == "fps_x is no <fps>; lower <fps> or <time_s>"
    assert BadValue("plain").spelled(str.upper) == "plain"
    error = BadValue("/a/out/b, out.json: choose another out.", parameters=("out",))
    assert error.spelled(str.upper) == "/a/out/b, out.json: choose another OUT."


def test_a_package_that_is_not_there_is_named_with_what_to_type() -> None:
    assert require("json", "plots", "a figure").__name__ == "json"
    sentence = r"^the package no_such, which writes films, is not installed; type pip install"
    with pytest.raises(MissingExtra, match=sentence + r" 'paseo\[video\]'$"):
        require("no_such.part", "video", "writes films")
    with pytest.raises(MissingExtra, match="^NoSuch, which writes films, is not installed"):
        require("no_such", "video", "writes films", package="NoSuch")


def test_a_package_that_is_there_and_cannot_be_loaded_tells_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_package.py").write_text("raise ImportError('libGL.so.1 is not there')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(MissingExtra, match=r"cannot be loaded \(libGL.so.1 is not there\); type"):
        require("broken_package", "video", "draws")
