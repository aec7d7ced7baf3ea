"""What all our pages share."""

import base64
import hashlib
import json

import pytest

from paseo.report.pages.template import asset, bundled, colours, filled, harmless, policy


def test_a_template_is_filled_in_one_go() -> None:
    assert filled("{{a}} {{b}}", {"a": "{{b}}", "b": "2"}) == "{{b}} 2"
    with pytest.raises(KeyError):
        filled("{{c}}", {})


def test_json_cannot_end_its_element() -> None:
    assert json.loads(harmless(json.dumps("</script><!--&"))) == "</script><!--&"
    assert "<" not in harmless('"</script>"')


def test_a_page_may_run_its_script_and_nothing_else() -> None:
    digest = base64.b64encode(hashlib.sha256(b"\nlet a;").digest()).decode()
    rules = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    assert policy("let a;") == rules
    assert policy("let a;", pictures="data:") == f"{rules}; img-src data:"


def test_both_themes_name_the_same_colours() -> None:
    light, dark = colours().splitlines()[2:4]
    names = [
        {part.split(":")[0] for part in each.split("{")[1].split(";")} for each in (light, dark)
    ]
    assert names[0] == names[1]
    assert "--good" in names[0]


def test_modules_are_joined_in_order_without_imports() -> None:
    script = bundled(("exam/cards", "theme"))
    assert script.index("function questionCard") < script.index("function startTheme")
    assert "export " not in script
    assert "export function startTheme" in asset("theme.js")
