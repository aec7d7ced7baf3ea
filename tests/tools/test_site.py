"""The documentation site: complete, made from the code, and its notebooks run."""

import argparse
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

import paseo
from command_page import EXAMPLES, command_page, leaves
from make_site import NOTEBOOKS, OUTSIDE, SOURCES, loaded_from_elsewhere, with_links
from name_pages import named, with_entries
from notebooks import SUFFIXES, executed
from paseo.cli.main import parser

TOP = Path(__file__).parents[2]
DOCS = TOP / "docs"
COMMANDS = [each.prog for each in leaves(parser())]


def test_every_command_has_a_section_and_an_example() -> None:
    page = command_page(parser())
    assert sorted(EXAMPLES) == sorted(COMMANDS)
    for command in COMMANDS:
        assert f"\n## {command} {{ #{command.replace(' ', '-')} }}\n" in page
        assert f"```sh\n{EXAMPLES[command]}\n```" in page


def test_the_page_of_commands_is_the_same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    page = command_page(parser())
    monkeypatch.setenv("COLUMNS", "40")
    assert command_page(parser()) == page


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_can_be_typed(command: str) -> None:
    assert EXAMPLES[command].startswith(command)
    parser().parse_args(shlex.split(EXAMPLES[command])[1:])


def test_every_argument_is_explained() -> None:
    assert "|  |" not in command_page(parser())
    assert "| required |" not in command_page(parser())


def test_choices_and_defaults_are_told() -> None:
    small = argparse.ArgumentParser(prog="paseo schema", description="Try.")
    small.add_argument("kind", nargs="?", choices=["a", "b"], default="a")
    small.add_argument("--out", required=True, metavar="FILE", help="as in <name>, or --else")
    page = command_page(small)
    assert "| `[KIND]` | one of `a`, `b`; default: a |" in page
    assert "| `--out FILE` | required; as in &lt;name>, or `--else` |" in page


def test_all_public_names_are_documented_once() -> None:
    page = (DOCS / "reference/python.md").read_text()
    assert sorted(named(page)) == sorted(f"paseo.{name}" for name in paseo.__all__)


def test_functions_are_looked_up_where_they_live() -> None:
    entry = with_entries("::: paseo.simulate\n")
    assert '<a id="paseo.simulate"></a>' in entry
    assert "::: paseo.sim.simulate.simulate\n" in entry
    assert "heading: paseo.simulate\n" in entry


def test_fields_of_classes_are_explained_by_the_comments_beside_them() -> None:
    entry = with_entries("::: paseo.Sensor\n::: paseo.Outcome\n::: paseo.Record\n")
    assert "### paseo.Sensor { #paseo.Sensor data-toc-label=Sensor }\n\nWhat the robot" in entry
    noise = "standard deviation in metres, on each axis; default: `0.0`"
    assert f"| `position_noise` | <code>float</code> | {noise} |" in entry
    assert "| `HIT_WALL` | `'hit wall'` |" in entry
    linked = '<code><a href="python.html#paseo.Verdict">Verdict</a></code>'
    assert f"| `verdict` | {linked} | the one box this episode falls into |" in entry
    assert "::: paseo.world.records.Record.require_goal\n" in entry


def test_every_page_is_on_a_shelf() -> None:
    settings = yaml.safe_load((TOP / "tools/documentation/mkdocs.yml").read_text())
    pages = {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
    assert sorted(listed(settings["nav"])) == sorted(pages | set(OUTSIDE.values()) | {SOURCES})


def listed(nav: Any) -> list[str]:
    """The pages of a navigation."""
    if isinstance(nav, str):
        return [nav]
    below = nav.values() if isinstance(nav, dict) else nav
    return [page for each in below for page in listed(each)]


def test_links_out_of_the_pages_lead_to_copies() -> None:
    sources: set[Path] = set()
    text = "[a](../../examples/careful/careful.py) [b](../../STYLE.md) [c](../why/limits.md#x)"
    led = with_links(text, Path("guides/planners.md"), sources)
    assert sources == {Path("examples/careful/careful.py")}
    copy = "../reference/sources.md#examples-careful-careful-py"
    assert led == f"[a]({copy}) [b](../why/style.md) [c](../why/limits.md#x)"
    style = with_links("[b](docs/why/limits.md)", Path("why/contributing.md"), sources)
    assert style == "[b](limits.md)"


def test_links_that_lead_nowhere_are_errors() -> None:
    with pytest.raises(
        FileNotFoundError, match=r"index\.md: the link to \.\./none\.py leads nowhere"
    ):
        with_links("[a](../none.py)", Path("index.md"), set())


def test_bars_in_code_are_not_escaped_on_the_site() -> None:
    assert with_links(r"| `A\|B` | \|x\| |", Path("index.md"), set()) == r"| `A|B` | \|x\| |"


def test_what_a_page_would_fetch_is_found(tmp_path: Path) -> None:
    page = '<script src="https://a.b/c.js"></script><a href="https://fine.org"><link href=//d.e/f>'
    (tmp_path / "page.html").write_text(page)
    assert loaded_from_elsewhere(tmp_path) == {"https://a.b/c.js", "//d.e/f"}


@pytest.mark.slow
@pytest.mark.extra("docs")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_notebooks_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PASEO_DATA", raising=False)
    notebook = executed((DOCS / "start" / name).read_text(), tmp_path)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = {kind for output in outputs for kind in output.get("data", {})}
    assert shown & SUFFIXES.keys(), "a notebook shows a picture"
    assert not any(output.output_type == "error" for output in outputs)
