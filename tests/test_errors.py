"""Errors: hints for names that do not exist, parameters, and packages that are not there."""

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


def test_a_package_that_is_not_there_is_named_with_what_to_type() -> None:
    assert require("json", "plots", "a figure").__name__ == "json"
    with pytest.raises(MissingExtra, match=r"a film needs no_such: pip install 'paseo\[video\]'"):
        require("no_such.part", "video", "a film")
