"""Whatever reads a file or unpacks something goes through one door, or stands on a short list."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import paseo

SOURCE = Path(paseo.__file__).parent
# Calls that read a file, or that make much of little, by the last words of what is called.
READS = {
    "read_text", "read_bytes", "np.load", "np.fromfile", "np.loadtxt", "np.genfromtxt",
    "np.memmap", "Image.open", "Picture.open", "av.open", "gzip.open", "gzip.decompress",
    "gzip.GzipFile", "zipfile.ZipFile", "tarfile.open", "zlib.decompress", "zlib.decompressobj",
    "bz2.open", "lzma.open", "json.load", "json.loads", "tomllib.load", "tomllib.loads",
    "toml.decode", "yaml.load", "yaml.safe_load", "yaml.load_all", "yaml.decode", "pickle.load",
    "pickle.loads", "shelve.open", "sqlite3.connect", "io.FileIO", "io.open", "os.open",
    "os.fdopen", "exec_module", "runpy.run_path", "read_array", "trimesh.load_scene",
}  # fmt: skip
SHIPPED = "comes with Paseo"
SYSTEM = "the system tells it"
OURS = "what this very process, or its parent, made"
BOUNDED = "of bytes that were read within bounds"
# Who may call what all the same, and why.
MAY: dict[str, dict[str, str]] = {
    "files": {
        "os.open": "the door itself",
        "os.fdopen": "the door itself",
        "open": "a draft is flushed to disk",
        "json.loads": BOUNDED,
    },
    "parsing.json": {"json.loads": "the door for JSON"},
    "parsing.toml": {"tomllib.loads": "the door for TOML"},
    "camera.keeping": {"read_bytes": SHIPPED, "np.fromfile": "of a file that was opened"},
    "camera.people.library": {"read_bytes": SHIPPED, "read_text": SHIPPED},
    "camera.people.packing": {"np.load": SHIPPED},
    "camera.people.rocketbox.fbx": {"zlib.decompressobj": "up to the size that is told"},
    "camera.people.rocketbox.textures": {"Image.open": BOUNDED},
    "camera.places.meshchecks": {"Picture.open": BOUNDED},
    "camera.places.meshfile": {"trimesh.load_scene": BOUNDED},
    "checks.runners": {"json.loads": OURS},
    "cli.screen": {"os.open": "the system's nowhere", "open": "the system's nowhere"},
    "cli.vqa.ask": {"json.loads": "of a word of the command line"},
    "compiled": {"read_bytes": SHIPPED},
    "crowd_check.real_crowds": {"read_bytes": SHIPPED},
    "data.archive": {
        "tarfile.open": "of a tape that is bounded",
        "zipfile.ZipFile": "of a file whose list is bounded",
        "gzip.GzipFile": "of a file that was opened",
    },
    "data.maps.floorplans": {"read_text": SHIPPED},
    "data.maps.image": {"Image.open": BOUNDED},
    "data.recordings.number_table": {"np.loadtxt": "of lines that were read within bounds"},
    "data.scenes.clip_pictures": {"av.open": "of a file that was opened"},
    "data.scenes.images": {"Image.open": BOUNDED},
    "data.store.catalog": {"read_bytes": SHIPPED},
    "data.store.download": {"os.open": "a draft is written", "os.fdopen": "a draft is written"},
    "data.store.packs": {"read_bytes": SHIPPED},
    "data.store.synthetic": {"read_bytes": SHIPPED},
    "data.textfile": {"gzip.open": "of a file that was opened, up to a bound"},
    "pipeline.locating.sources.detector": {"Image.open": BOUNDED},
    "pipeline.locating.sources.packed": {
        "zlib.decompressobj": "of a file that was opened, to a bound"
    },
    "deciding.ledger": {
        "read_text": SYSTEM,
        "sqlite3.connect": "SQLite reads pages as it needs them",
    },
    "mending.app": {"read_bytes": SHIPPED},
    "mending.shelf": {"read_bytes": OURS},
    "pipeline.drives.bags.sqlite": {"sqlite3.connect": "SQLite reads pages as it needs them"},
    "pipeline.drives.films": {"av.open": "a stream that came through the door"},
    "pipeline.drives.folders": {"Image.open": "a stream that came through the door"},
    "planners.sacadrl.value_network": {"open": SHIPPED, "np.load": SHIPPED},
    "registry.modules": {"exec_module": "reads through the door"},
    "remote.client": {
        "json.loads": "of a message of bounded length, without Paseo",
        "zlib.decompressobj": "up to the size that is told",
    },
    "render.raster.film": {"av.open": "a film is written"},
    "report.pages.template": {"read_text": SHIPPED},
    "stopping": {"os.open": "the system's nowhere"},
    "suite.runners.hiring": {"read_text": SYSTEM},
    "suite.runners.kernels": {"read_text": "a mark in numba's own cache"},
    "suite.runners.nursery": {"json.loads": OURS},
    "suite.runners.strays": {"read_text": SYSTEM},
    "survey.pages.parts": {"read_text": SHIPPED},
    "survey.store.database": {"sqlite3.connect": "SQLite reads pages as it needs them"},
    "survey.study.texts": {"read_text": SHIPPED},
    "vlm.hosted.batching.anthropic": {"open": OURS},
    "vlm.hosted.batching.gemini": {"open": OURS},
    "vlm.hosted.batching.openai": {"open": OURS},
    "vlm.films": {"av.open": "a film is written", "Image.open": OURS},
    "vlm.local.model": {"Image.open": OURS},
    "vlm.prices": {"read_text": SHIPPED},
    "vlm.scripted": {"json.loads": OURS},
    "vqa.exam.batching.post": {"open": OURS},
    "vqa.exam.estimates": {"Image.open": OURS},
    "vqa.exam.replies": {"sqlite3.connect": "SQLite reads pages as it needs them"},
    "vqa.exam.sharing.cache": {"sqlite3.connect": "SQLite reads pages as it needs them"},
    "vqa.exam.store": {"sqlite3.connect": "SQLite reads pages as it needs them"},
    "vqa.pictures.photos": {"Image.open": BOUNDED},
    "vqa.prompts.wording": {"read_text": SHIPPED},
    "vqa.questions.answers": {"json.loads": "of a reply of bounded length"},
    "vqa.questions.questions": {"read_text": SHIPPED},
    "vqa.export.log_size": {"zipfile.ZipFile": "of a file whose content is counted"},
    "vqa.synthetic.faults": {"read_bytes": OURS, "json.loads": OURS, "Image.open": OURS},
    "parsing.arrayfile": {"zipfile.ZipFile": "the door for arrays"},
    "world.recordfile": {"json.loads": BOUNDED},
}


def called(node: ast.Call) -> str:
    """The last words of what is called, as in `np.load` or `read_text`."""
    words = ast.unparse(node.func).split(".")
    return ".".join(words[-2:])


def is_reading(node: ast.Call) -> str:
    """The name of a call that reads; empty for any other."""
    name = called(node)
    last = name.rpartition(".")[2]
    if name in READS or last in READS:
        return name if name in READS else last
    if last == "open" and name not in ("webbrowser.open", "archive.open", "opener.open"):
        mode = next((each for each in node.args if isinstance(each, ast.Constant)), None)
        words = mode.value if mode is not None and isinstance(mode.value, str) else "r"
        if not set(words) & set("wax"):
            return "open"
    return ""


def readings() -> Iterator[tuple[str, str, int]]:
    for file in sorted(SOURCE.rglob("*.py")):
        module = ".".join(file.relative_to(SOURCE).with_suffix("").parts)
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and (name := is_reading(node)):
                yield module, name, node.lineno


def test_every_reading_goes_through_the_door_or_says_why_not() -> None:
    strange = [
        f"{module}:{line} calls {name}"
        for module, name, line in readings()
        if name not in MAY.get(module, {})
    ]
    assert not strange, "\n".join(["read with paseo.files or paseo.parsing, or say why:", *strange])


def test_the_list_of_exceptions_holds_nothing_that_is_gone() -> None:
    found = {(module, name) for module, name, _ in readings()}
    listed = {(module, name) for module, names in MAY.items() for name in names}
    assert listed <= found, listed - found


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("path.open('rb')", "open"),
        ("path.open()", "open"),
        ("open(path)", "open"),
        ("path.open('wb')", ""),
        ("(a / b).read_text(encoding='utf-8')", "read_text"),
        ("np.load(file)", "np.load"),
        ("opened(path)", ""),
    ],
)
def test_the_test_sees_what_reads(text: str, name: str) -> None:
    (node,) = (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Call))
    assert is_reading(node) == name
