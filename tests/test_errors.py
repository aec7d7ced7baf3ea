"""Hints for names that do not exist."""

import pytest

from paseo.errors import UnknownName


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
