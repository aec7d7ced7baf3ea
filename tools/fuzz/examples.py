"""Good files, made once for each run of the fuzzer."""

from pathlib import Path

from fuzz.target import Example


def made(example: Example, workshop: Path) -> Path:
    """The folder of an example; made if it is not there yet."""
    folder = workshop / example.name
    if not folder.exists():
        folder.mkdir(parents=True)
        example.make(folder)
    return folder
