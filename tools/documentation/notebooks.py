"""Notebooks: pages of Markdown whose Python is run while the site is built.

In git they are plain pages. A kernel of Jupyter runs all blocks of a page from top to bottom, in an
empty folder; below each block the page then shows what came of it, and the same page is written as
a notebook (.ipynb) to download. A block that fails ends the build.
"""

import base64
import re
from pathlib import Path
from typing import Any

BLOCK = re.compile(r"^```python\n(.*?)^```\n", re.DOTALL | re.MULTILINE)
LONGEST_S = 300  # that one block may take
SUFFIXES = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/svg+xml": "svg"}


def blocks(page: str) -> list[str]:
    """The Python of a page, in order."""
    return BLOCK.findall(page)


def run_page(page: Path, folder: Path) -> None:
    """Replace a staged page with one that shows its outputs; the notebook lies beside it.

    The blocks are run in `folder`, which should be empty.
    """
    import nbformat

    notebook = executed(page.read_text(), folder)
    kept = page.with_suffix(".ipynb")
    nbformat.write(notebook, kept)
    shown = [_shown(cell, page) for cell in notebook.cells]
    title, _, rest = "\n\n".join(shown).partition("\n")
    download = f"[Download this page as a notebook]({kept.name}){{ .download }}"
    page.write_text(f"{title}\n\n{download}\n{rest}\n")


def executed(page: str, folder: Path) -> Any:
    """The page as a notebook with outputs."""
    import nbclient
    from nbformat import v4
    from traitlets.config import Config

    cells = []
    for place, text in enumerate(BLOCK.split(page)):
        if place % 2:
            cells.append(v4.new_code_cell(text.rstrip(), id=f"cell-{place}"))
        elif text.strip():
            cells.append(v4.new_markdown_cell(text.strip(), id=f"cell-{place}"))
    notebook = v4.new_notebook(cells=cells)
    # Files instead of ports, which others on this machine could open.
    sockets = {"transport": "ipc", "ip": str(folder / ".kernel")}
    nbclient.NotebookClient(
        notebook,
        timeout=LONGEST_S,
        resources={"metadata": {"path": str(folder)}},
        config=Config({"KernelManager": sockets}),
    ).execute()
    return notebook


def _shown(cell: Any, page: Path) -> str:
    if cell.cell_type == "markdown":
        return str(cell.source)
    outputs = [_output(each, page, f"{cell.id}-{n}") for n, each in enumerate(cell.outputs)]
    return "\n\n".join([f"```python\n{cell.source}\n```", *filter(None, outputs)])


def _output(output: Any, page: Path, name: str) -> str:
    """What a block printed or showed, as Markdown."""
    if output.output_type == "stream":
        return _printed(output.text)
    data = output.data
    for kind, suffix in SUFFIXES.items():
        if kind in data:
            return _pictured(data[kind], page, f"{page.stem}-{name}.{suffix}")
    if "text/markdown" in data:
        return str(data["text/markdown"])
    if "text/html" in data:
        return f'<div class="shown">{data["text/html"]}</div>'
    return _printed(data["text/plain"])


def _printed(text: str) -> str:
    return f"```text {{ .printed }}\n{text.rstrip()}\n```"


def _pictured(data: str, page: Path, name: str) -> str:
    picture = data.encode() if name.endswith(".svg") else base64.b64decode(data)
    (page.parent / name).write_bytes(picture)
    return f"![What the block above shows]({name})"
