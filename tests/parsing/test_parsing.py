"""Texts that cost more than their length: refused soon, by a sentence, where others are read."""

import json
import time
import tomllib
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from paseo.parsing.json import json_value
from paseo.parsing.toml import LARGEST, MOST_PARTS, toml_as, toml_value
from paseo.parsing.yaml import MOST_VALUES, yaml_value

LEVELS = range(1, 41)
MERGES = "a0: &a0 {x: 1}\n" + "".join(
    f"a{i}: &a{i}\n  <<: [*a{i - 1}, *a{i - 1}, *a{i - 1}]\n" for i in LEVELS
)
LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in LEVELS)
TOGETHER = 2**61 - 1  # all multiples of it have one hash
BOMBS: dict[str, tuple[Callable[[str], Any], str, str]] = {
    "merge keys": (yaml_value, MERGES, "it unfolds to more than"),
    "a billion laughs": (yaml_value, LAUGHS, "it unfolds to more than"),
    "a list in itself": (yaml_value, "&a [*a]", "line 1: a value that holds itself"),
    "a mapping in itself": (yaml_value, "b: &a\n  c: {d: *a}", "a value that holds itself"),
    "a merge of itself": (yaml_value, "&a {<<: *a}", "a value that holds itself"),
    "deep lists": (yaml_value, "[" * 100_000, "more than 64 deep"),
    "deep rows": (yaml_value, "- " * 100_000, "more than 64 deep"),
    "deep mappings": (yaml_value, "{a: " * 100_000, "more than 64 deep"),
    "deep keys": (yaml_value, "? " * 100_000, "more than 64 deep"),
    "many values": (yaml_value, "[" + "a," * 1_000_000 + "]", f"more than {MOST_VALUES} values"),
    "a number in sixties": (
        yaml_value, "a: 1" + ":59" * 100_000 + ".5", "line 1: a number of 300003 signs",
    ),
    "keys of one hash": (
        yaml_value, "".join(f"{i * TOGETHER}: a\n" for i in range(5000)), "a long number as a key",
    ),
    "directives": (
        yaml_value, "".join(f"%TAG !a{i}! b\n" for i in range(80_000)) + "--- a", "directives %TAG",
    ),
    "a dotted key": (toml_value, ".".join("a" * 50_000) + " = 1", "parts (at line 1)"),
    "a dotted table": (toml_value, "\n[" + ".".join("a" * 50_000) + "]", "parts (at line 2)"),
    "a dotted key in quotes": (toml_value, ".".join(['"\\""'] * 9000) + " = 1", "parts"),
    "a dotted key with blanks": (toml_value, " . ".join(["'a'"] * 9000) + " = 1", "parts"),
    "a dotted key inside": (toml_value, "a = [{" + ".".join("a" * 50_000) + "=1}]", "parts"),
    "quotes that never end": (toml_value, "." * 20 + '"' + '\\"' * 1_000_000, "Invalid"),
    "deep arrays": (toml_value, "a = " + "[" * 100_000, "too deep"),
    "deep tables": (toml_value, "a = " + "{a = " * 100_000, "too deep"),
    "much TOML": (toml_value, "\n" * (LARGEST + 1), "write so much as JSON"),
    "deep JSON": (json_value, "[" * 100_000, "too deep"),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_a_text_that_costs_more_than_its_length_is_refused_soon(name: str) -> None:
    parse, text, told = BOMBS[name]
    begun = time.process_time()
    with pytest.raises(ValueError) as error:
        parse(text)
    assert told in str(error.value)
    assert len(str(error.value)) < 200
    assert time.process_time() - begun < 5.0


def test_aliases_and_merges_are_read_as_yaml_means_them() -> None:
    text = "a: &x {b: 1}\nc: {<<: *x, d: 2}\ne: [*x, *x]\nf: {<<: [*x, {g: 3}]}"
    assert yaml_value(text) == yaml.safe_load(text)
    assert yaml_value(text)["c"] == {"b": 1, "d": 2}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "a: 5e-2",
        "a: 1:30",
        "a: 2026-11-17",
        "- ~\n- true\n- .inf",
        "!!set {a, b}",
        "|\n x",
    ],
)
def test_plain_yaml_says_what_it_says_elsewhere(text: str) -> None:
    assert yaml_value(text) == yaml.safe_load(text)


@pytest.mark.parametrize("text", ["!!bool x", "!!int ''", "!!timestamp x"])
def test_a_value_that_is_not_what_its_tag_says_is_no_yaml(text: str) -> None:
    with pytest.raises(ValueError, match="a value is not what its tag promises"):
        yaml_value(f"a: {text}")


@pytest.mark.parametrize("text", ["a: [1", "a: b: c", "!!python/object:os.system {}", "a\n---\nb"])
def test_what_is_no_yaml_is_told_by_the_parser(text: str) -> None:
    with pytest.raises(yaml.YAMLError):
        yaml_value(text)


DOTS = "a.b." * 50


@pytest.mark.parametrize(
    "text",
    [
        f'a = "{DOTS}"',
        f"a = '{DOTS}'",
        f'a = """\n{DOTS}\n"quoted" {DOTS}"""',
        f"a = \'\'\'\n{DOTS}\n\'\'\'",
        f"# {DOTS}\na = 1",
        "a = [" + "1.5, " * 100 + "]",
        "a.b.c.d.e.f.g.h = 1",
    ],
)  # fmt: skip
def test_dots_that_part_no_keys_are_read(text: str) -> None:
    assert toml_value(text) == tomllib.loads(text)


WORDS = st.text("ab.\"'\\\n#= [],{}1", max_size=30)


@given(WORDS)
def test_toml_is_read_as_elsewhere_unless_a_key_is_long(text: str) -> None:
    """The oracle is tomllib itself: what is refused beside it has a key of many parts."""
    text += "\n" + ".".join("x" * MOST_PARTS) + " = 1"
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(ValueError):
            toml_value(text)
    else:
        assert toml_value(text) == expected


@given(WORDS, st.sampled_from(["a", '"a"', "'a'", '"\\""', '"a.b"', "a-1"]))
def test_no_text_before_it_hides_a_long_key(text: str, part: str) -> None:
    text += "\n" + " . ".join([part] * 500) + " = 1"
    with pytest.raises(ValueError) as error:
        toml_value(text)
    if not isinstance(error.value, tomllib.TOMLDecodeError):
        assert "a key of more than" in str(error.value)


def test_toml_becomes_a_value_of_a_type() -> None:
    assert toml_as(dict[str, float], "a = 1") == {"a": 1.0}
    with pytest.raises(ValueError, match="Expected `int`"):
        toml_as(dict[str, int], "a = 'b'")


@given(st.recursive(st.none() | st.integers() | st.text(), lambda inner: st.lists(inner)))
def test_json_is_read_as_elsewhere(value: object) -> None:
    assert json_value(json.dumps(value)) == value
