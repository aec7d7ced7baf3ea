"""Nobody writes past the doors: text leaves through `paseo.text` and `paseo.cli.screen` alone."""

import ast
from pathlib import Path

import pytest

import paseo

SOURCE = Path(paseo.__file__).parent
# The first is copied away by users and stands alone; the second writes a page of these docs.
ALONE = {"remote/client.py", "report/walk/metric_page.py"}
DOORS = {
    "print": {"cli/screen.py"},
    "sys.stdout.write": set[str](),
    "sys.stderr.write": {"cli/screen.py"},
    "csv.writer": {"text.py"},
    "csv.DictWriter": {"text.py"},
    "escape": {"text.py"},  # of html
    "html.escape": {"text.py"},
    "tqdm": {"cli/screen.py", "cli/vqa/ask.py"},
}


def calls(file: Path, name: str) -> bool:
    """Whether a module calls something by this name."""
    text = file.read_text()
    return f"{name}(" in text and any(
        isinstance(node, ast.Call) and ast.unparse(node.func) == name
        for node in ast.walk(ast.parse(text))
    )


@pytest.mark.parametrize("door", DOORS)
def test_only_a_door_lets_text_out(door: str) -> None:
    users = {
        file.relative_to(SOURCE).as_posix() for file in SOURCE.rglob("*.py") if calls(file, door)
    }
    assert users - ALONE <= DOORS[door]
    assert not DOORS[door] or users & DOORS[door] or door in ("csv.DictWriter", "html.escape")
