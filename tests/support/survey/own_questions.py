"""The questions of one's own that the documentation shows, as files."""

import re
from pathlib import Path

PAGE = (Path(__file__).parents[3] / "docs/reference/formats/own-questions.md").read_text()


def shown_files(folder: Path) -> Path:
    """Write the page's `own.toml` and `rules.py` into a folder; the first of them."""
    for language, name in (("toml", "own.toml"), ("python", "rules.py")):
        (block,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
        assert block.startswith(f"# {name}\n")
        (folder / name).write_text(block)
    return folder / "own.toml"
