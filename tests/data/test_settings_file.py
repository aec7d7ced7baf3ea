import json
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.data.settings_file import MAX_BYTES, Entry, converted, read_mapping, read_settings
from paseo.data.suites.suite_file import RobotEntry, SuiteFile
from paseo.errors import BadFile

ROBOT = RobotEntry(name="cart", radius_m=0.5, max_acceleration_mps2=1.0)
SAME = {
    "robot.toml": 'name = "cart"\nradius_m = 0.5\nmax_acceleration_mps2 = 1',
    "robot.yaml": "name: cart\nradius_m: 0.5\nmax_acceleration_mps2: 1",
    "robot.yml": "{name: cart, radius_m: 0.5, max_acceleration_mps2: 1.0}",
    "robot.json": '{"name": "cart", "radius_m": 0.5, "max_acceleration_mps2": 1}',
    "ROBOT.JSON": '{"name": "cart", "radius_m": 0.5, "max_acceleration_mps2": 1}',
}


@pytest.mark.parametrize("name", SAME)
def test_toml_yaml_and_json_say_the_same(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SAME[name])
    assert read_settings(tmp_path / name, RobotEntry) == ROBOT


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("a.ini", b"", "unknown kind of file, expected .toml, .yaml or .json"),
        ("a", b"", "unknown kind of file"),
        ("a.toml", b"name = \n", "not valid TOML (Invalid value (at line 1"),
        ("a.toml", b"name = 'a'\nname = 'b'\n", "not valid TOML (Cannot overwrite a value"),
        ("a.yaml", b"a: [1,\n", "not valid YAML (while parsing"),
        ("a.yaml", b"!!python/object:os.system {}", "not valid YAML (could not determine"),
        ("a.json", b'{"a": 1,}', "not valid JSON ("),
        ("a.json", b"", "not valid JSON"),
        ("a.json", b"[" * 200_000, "not valid JSON"),
        ("a.yaml", b"[" * 10_000, "not valid YAML"),
        ("a.toml", b"a = \xff", "not valid TOML ('utf-8' codec"),
        ("a.toml", b"a = 1\0", "not valid TOML"),
        ("a.json", b"[1, 2]", "holds list, expected keys and values"),
        ("a.yaml", b"", "holds NoneType, expected keys and values"),
        ("a.json", b'{"radius_m": 1e999}', "radius_m: expected `float` <= 1000000000.0"),
        ("a.json", b'{"radius_m": ' + b"9" * 400 + b"}", "radius_m: number out of range"),
        ("a.json", b'{"radius_m": ' + b"9" * 5000 + b"}", "not valid JSON"),
        ("a.json", b'{"radius_m": NaN}', "radius_m: expected `float` > 0"),
        ("a.yaml", b"radius_m: .nan", "radius_m: expected `float` > 0"),
        ("a.toml", b"radius_m = nan", "radius_m: expected `float` > 0"),
        ("a.toml", b"radius_m = true", "radius_m: expected `float`, got `bool`"),
        ("a.toml", b"radius_m = 2026-01-01", "radius_m: expected `float`"),
        ("a.yaml", b"1: 2", "top level: one of the keys is no text, expected text"),
        ("a.toml", b"radios_m = 1", "top level: unknown key 'radios_m'; did you mean 'radius_m'?"),
        ("a.toml", b"xyz = 1", "unknown key 'xyz'; `paseo schema` lists the known keys"),
        ("a.toml", b"version = 2", "version: invalid enum value 2, expected 1"),
        ("a.toml", b"name = 'a b'", "name: expected `str` matching regex"),
        ("a.json", b'{"name": "a\\n"}', "name: expected `str` matching regex"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_refused_with_file_key_and_expectation(
    tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadFile) as error:
        read_settings(tmp_path / name, RobotEntry)
    assert str(error.value).startswith(f"{tmp_path / name}: ")
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_file_a_folder_and_a_huge_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        read_mapping(tmp_path / "no.toml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(BadFile, match="cannot be read"):
        read_mapping(tmp_path / "folder.toml")
    with (tmp_path / "huge.json").open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(BadFile, match="holds more than 16777216 bytes"):
        read_mapping(tmp_path / "huge.json")


@pytest.mark.parametrize(
    ("content", "key", "expected"),
    [
        ({"rule": "nobody"}, "rule", '"everyone" or "socnavbench"'),
        ({"control": "sideways"}, "control", '"position" or "velocity"'),
        ({"robot": {"format": "car"}}, "robot.format", '"paseo-robot"'),
    ],
)  # fmt: skip
def test_a_value_from_a_closed_set_is_refused_with_the_set(
    content: dict[str, Any], key: str, expected: str
) -> None:
    suite = {"format": "paseo-suite", "version": 1, "name": "s", **content}
    with pytest.raises(BadFile) as error:
        converted(suite, SuiteFile, where="mine.toml")
    value = str(error.value)
    assert value.startswith(f"mine.toml: {key}: invalid enum value")
    assert value.endswith(f", expected {expected}")


class _Door(Entry, frozen=True):
    kind: Literal["narrow", "wide"]


class _House(Entry, frozen=True):
    doors: list[_Door]


def test_a_value_from_a_closed_set_is_found_in_lists_too() -> None:
    content = {"doors": [{"kind": "wide"}, {"kind": "open"}]}
    with pytest.raises(BadFile) as error:
        converted(content, _House, where="a.toml")
    assert str(error.value).startswith("a.toml: doors[1].kind: invalid enum value 'open'")
    assert str(error.value).endswith(', expected "narrow" or "wide"')


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KEYS = st.sampled_from([*SuiteFile.__struct_fields__])


@given(changes=st.dictionaries(KEYS, VALUES, max_size=3))
def test_whatever_stands_in_a_suite_is_read_or_refused(changes: dict[str, Any]) -> None:
    content = {"format": "paseo-suite", "version": 1, "name": "s", **changes}
    try:
        suite = converted(json.loads(json.dumps(content)), SuiteFile, where="mine.json")
    except BadFile as error:
        assert str(error).startswith("mine.json: ")
    else:
        assert suite.name
