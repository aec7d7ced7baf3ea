"""Build the documentation site into build/docs/site; `make docs` calls this.

Pages are staged in build/docs: notebooks are run, the pages of commands and of names are
filled in, links to files outside docs/ lead to copies of them. Then Zensical builds the site and
fails on a link or an anchor that leads nowhere.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from command_page import command_page
from name_pages import with_entries
from notebooks import run_page
from paseo.cli.main import parser

HERE = Path(__file__).parent
TOP = HERE.parents[1]
STAGED = TOP / "build" / "docs"
COMMANDS = "<!-- Here the site has a section on each command, made from the parser. -->\n"
NOTEBOOKS = ["your-planner.md", "examine-a-model.md", "your-recording.md"]
# Pages that stand at the top of the repository, where people look for them.
OUTSIDE = {
    "STYLE.md": "why/style.md",
    "CONTRIBUTING.md": "why/contributing.md",
    "CHANGELOG.md": "why/changelog.md",
}
SOURCES = "reference/sources.md"
FETCHED = re.compile(r"""(?:\bsrc=|<link\b[^>]*\bhref=)["']?((?:https?:)?//[^"'\s>]+)""")
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)(#[^)\s]*)?\)")


def main() -> int:
    """Stage, then build."""
    stage()
    built = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean"], cwd=STAGED, check=False
    )
    if built.returncode:
        return built.returncode
    site = STAGED / "site"
    if loaded := sorted(loaded_from_elsewhere(site)):
        print("the site must work offline, but loads:", *loaded, sep="\n")
        return 1
    print(f"read it with: python -m http.server --directory {os.path.relpath(site)}")
    return 0


def stage() -> None:
    """Write all pages as the site shows them."""
    shutil.rmtree(STAGED, ignore_errors=True)
    pages = STAGED / "docs"
    shutil.copytree(TOP / "docs", pages)
    shutil.copy(HERE / "mkdocs.yml", STAGED)
    shutil.copy(HERE / "site.css", pages)
    for name, home in OUTSIDE.items():
        shutil.copy(TOP / name, pages / home)
    sources: set[Path] = set()
    for page in sorted(pages.rglob("*.md")):
        page.write_text(with_links(page.read_text(), page.relative_to(pages), sources))
    (pages / SOURCES).write_text(source_page(sources))
    fill(pages / "reference")
    for name in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            run_page(pages / "start" / name, Path(folder))


def fill(reference: Path) -> None:
    """Fill in what is made from the code."""
    commands = reference / "commands.md"
    text = commands.read_text()
    assert COMMANDS in text, "the page of commands has no place for them"
    commands.write_text(text.replace(COMMANDS, command_page(parser())))
    for name in ("python.md", "seams.md"):
        page = reference / name
        page.write_text(with_entries(page.read_text()))


def with_links(text: str, page: Path, sources: set[Path]) -> str:
    """A page whose links lead to where the site has things; files it links to join `sources`."""
    homes = {home: name for name, home in OUTSIDE.items()}
    stands = TOP / homes.get(str(page), f"docs/{page}")

    def led(match: re.Match[str]) -> str:
        target = Path(os.path.normpath(stands.parent / match[1]))
        if not target.is_file():
            raise FileNotFoundError(f"{page}: the link to {match[1]} leads nowhere; correct it")
        inside = target.relative_to(TOP)
        if str(inside) in OUTSIDE:
            home, anchor = OUTSIDE[str(inside)], match[2] or ""
        elif inside.parts[0] == "docs":
            home, anchor = str(inside.relative_to("docs")), match[2] or ""
        else:
            sources.add(inside)
            home, anchor = SOURCES, f"#{_slug(inside)}"
        return f"]({os.path.relpath(home, page.parent)}{anchor})"

    # In code, a bar that a table of GitHub's has to escape is one that the site shows as it is.
    plain = CODE.sub(lambda match: match[0].replace(r"\|", "|"), text)
    return LINK.sub(led, plain)


def loaded_from_elsewhere(site: Path) -> set[str]:
    """Scripts, styles, fonts and pictures of other servers that pages would fetch."""
    pages = (page.read_text() for page in site.rglob("*.html"))
    return {address for page in pages for address in FETCHED.findall(page)}


def source_page(sources: set[Path]) -> str:
    """The files that pages link to, to be read in the browser."""
    parts = ["# Files", "Files of the repository that these pages speak of."]
    for file in sorted(sources):
        language = {".py": "python", ".toml": "toml"}.get(file.suffix, "text")
        code = f"````{language}\n{(TOP / file).read_text().rstrip()}\n````"
        parts.append(f"## `{file}` {{ #{_slug(file)} }}\n\n{code}")
    return "\n\n".join(parts) + "\n"


def _slug(file: Path) -> str:
    return str(file).replace("/", "-").replace(".", "-")


if __name__ == "__main__":
    sys.exit(main())
