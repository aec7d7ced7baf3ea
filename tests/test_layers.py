"""The house: imports point down only, and neighbours do not know each other."""

import ast
from pathlib import Path

import pytest

import paseo

SOURCE = Path(paseo.__file__).parent
LAYERS = [
    {"cli"},
    {"report", "survey", "checks"},
    {"env", "remote", "suite"},
    {"sim", "vqa"},
    {"planners", "render", "metrics"},
    {"crowd", "data", "vlm"},
    {"world"},
    {"registry"},
    {"errors"},
]
DEPTH = {room: depth for depth, rooms in enumerate(LAYERS) for room in rooms}
FILES = [
    file for file in sorted(SOURCE.rglob("*.py")) if file.parent != SOURCE or file.stem in DEPTH
]


def room_of(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def imported_rooms(tree: ast.AST) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "paseo":
            names.update(f"paseo.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            names.add(node.module)
    return {name.split(".")[1] for name in names if name.startswith("paseo.")}


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_imports_point_down_only(file: Path) -> None:
    room = room_of(file)
    for other in imported_rooms(ast.parse(file.read_text())) - {room}:
        assert other in DEPTH, f"{room} imports {other}, which is no room of the house"
        assert DEPTH[other] > DEPTH[room], f"{room} may not know {other}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_files_and_functions_stay_within_their_budgets(file: Path) -> None:
    text = file.read_text()
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            assert node.end_lineno - node.lineno < 50, f"{node.name} is too long"


def test_the_public_names_are_few_and_all_there() -> None:
    assert len(paseo.__all__) <= 25
    assert sorted(paseo._HOMES) == sorted(paseo.__all__)
    for name in paseo.__all__:
        assert getattr(paseo, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = paseo.simulat
