"""The house: imports point down only, and neighbours do not know each other; so in every room."""

import argparse
import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import paseo
from paseo.cli.main import parser

TOP = Path(__file__).parents[1]
SOURCE = Path(paseo.__file__).parent
LAYERS = [
    {"cli"},
    {"remote"},
    {"report", "survey", "mending", "checks", "moments"},
    {"env", "suite"},
    {"pipeline", "deciding"},
    {"sim", "vqa"},
    {"planners", "perception", "render", "metrics", "crowd_check"},
    {"crowd", "data", "vlm", "camera"},
    {"world"},
    {"compiled", "registry"},
    {"listening", "web"},
    {"admission", "databases", "files", "lasting", "parsing", "progress", "stopping", "version"},
    {"errors"},
    {"text"},
]
# The inner rooms, likewise; what stands beside them in a room may import them or be imported by
# them, but never both.
INNER = {
    "data": [{"suites"}, {"store"}, {"recordings", "maps", "scenes"}],
    "crowd": [{"generator"}, {"steering"}],
    "planners": [{"sacadrl"}, {"sampling", "mppi"}],
    "metrics": [{"comparison"}, {"record"}],
    "render": [{"films", "figures", "export"}, {"robotview"}, {"topview"}, {"staging"}, {"raster"}],
    "vlm": [{"local"}, {"hosted"}],
    "vqa": [
        {"export", "synthetic", "waypoints"},
        {"exam"},
        {"probes", "baselines"},
        {"prompts", "scores"},
        {"pictures", "geometry"},
        {"questions"},
    ],
    "suite": [{"audit"}, {"runners"}, {"runs", "sampling"}],
    "report": [{"exam", "walk", "crowd", "pictures"}, {"pages"}],
    "remote": [{"joystick", "websocket", "play"}],
    "cli": [{"vqa", "walk"}],
    "survey": [
        {"server", "export", "status"},
        {"pages", "insight", "filming"},
        {"screening"},
        {"store"},
        {"study"},
    ],
    "pipeline": [{"mining", "episodes"}, {"smoothing", "locating"}, {"drives"}],
    "world": [{"space"}],
    "camera": [{"kernels"}, {"places"}, {"gait"}, {"people"}, {"lens"}],
}
MODULES = {
    ".".join(file.relative_to(SOURCE.parent).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted(SOURCE.rglob("*.py"))
}
MOST_FILES = 15  # in a folder
FOLDERS = [
    folder
    for top in ("src", "tests", "benchmarks", "docs", "examples", "tools")
    for folder in sorted({file.parent for file in (TOP / top).rglob("*") if file.is_file()})
    if not any(part.startswith((".", "__pycache__")) for part in folder.parts)
]


def imported(module: str) -> set[str]:
    """The modules that one imports, wherever in its text."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= {name if name in MODULES else node.module for name in whole}
    return (names & MODULES.keys()) - {module}


@cache
def imports() -> dict[str, set[str]]:
    """What each module imports; read when the first test asks."""
    return {module: imported(module) for module in MODULES}


def inside(room: str) -> Iterator[tuple[str, str]]:
    """Who imports whom among what stands in a room, each part of it as a whole."""
    for module, others in imports().items():
        for other in others:
            if module.startswith(f"{room}.") and other.startswith(f"{room}."):
                parts = (name.removeprefix(f"{room}.").split(".")[0] for name in (module, other))
                importer, target = parts
                if importer != target:
                    yield importer, target


def check_order(room: str, layers: list[set[str]]) -> None:
    depth = {name: place for place, names in enumerate(layers) for name in names}
    for importer, target in set(inside(room)):
        if importer in depth and target in depth:
            assert depth[target] > depth[importer], f"{room}: {importer} may not know {target}"


def test_imports_point_down_only() -> None:
    rooms = {part for pair in inside("paseo") for part in pair}
    known = {room for layer in LAYERS for room in layer}
    assert rooms <= known, f"no rooms of the house: {rooms - known}"
    check_order("paseo", LAYERS)


@pytest.mark.parametrize("room", INNER)
def test_imports_within_a_room_point_down_only(room: str) -> None:
    named = {inner for layer in INNER[room] for inner in layer}
    there = {each.parent.name for each in (SOURCE / room).glob("*/__init__.py")}
    assert named == there, "every inner room has its place"
    check_order(f"paseo.{room}", INNER[room])


@pytest.mark.parametrize("room", sorted({name.rpartition(".")[0] for name in MODULES} - {""}))
def test_no_room_goes_round_in_a_circle(room: str) -> None:
    graph: dict[str, set[str]] = {}
    for importer, target in inside(room):
        graph.setdefault(importer, set()).add(target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"{room}: {' -> '.join(error.args[1])}")


def test_no_modules_import_each_other() -> None:
    TopologicalSorter(imports()).prepare()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(TOP)))
def test_a_folder_holds_no_more_than_one_can_take_in(folder: Path) -> None:
    files = [each.name for each in folder.iterdir() if each.is_file()]
    assert len(files) <= MOST_FILES


@pytest.mark.parametrize("module", MODULES)
def test_files_and_functions_stay_within_their_budgets(module: str) -> None:
    text = MODULES[module].read_text()
    assert text.count("\n") <= 400
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.end_lineno:
            assert node.end_lineno - node.lineno < 50, f"{node.name} is too long"


def flags(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Every flag of a parser and of the commands below it."""
    for action in parser._actions:
        yield from (each for each in action.option_strings if each.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from flags(command)


# Says what made it; is copied away, and must say what it connects to; tell flags of inspect_ai.
SPELLERS = {
    "paseo.vqa.synthetic.dataset",
    "paseo.remote.client",
    "paseo.vqa.export.inspect_folder",
    "paseo.vqa.export.card",
}


def test_only_the_command_line_spells_flags() -> None:
    spelled = re.compile(rf"(?<![\w{{-])({'|'.join(set(flags(parser())))})(?![\w:-])")
    for module in MODULES.keys() - SPELLERS:
        if not module.startswith("paseo.cli"):
            for node in ast.walk(ast.parse(MODULES[module].read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    assert not spelled.search(node.value), f"{module}: {node.value}"


def test_the_public_names_are_few_and_all_there() -> None:
    assert len(paseo.__all__) <= 40
    assert sorted(paseo._HOMES) == sorted(paseo.__all__)
    for name in paseo.__all__:
        assert getattr(paseo, name).__doc__
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = paseo.simulat


def test_the_page_on_architecture_names_every_room() -> None:
    page = (TOP / "docs/why/architecture.md").read_text()
    rows = {row.split("`")[1]: row for row in page.splitlines() if row.startswith("| `")}
    rooms = {each.parent.name for each in SOURCE.glob("*/__init__.py")}
    assert rows.keys() == rooms
    for room, layers in INNER.items():
        named = [inner for layer in layers for inner in sorted(layer)]
        assert all(f"`{inner}`" in rows[room] for inner in named), room
