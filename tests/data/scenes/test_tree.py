"""Files below a folder are read within bounds, and none from outside of it."""

from pathlib import Path

import pytest

from paseo.data.scenes.tree import LARGEST_YAML, Tree
from paseo.errors import BadFile, InputError, MissingData


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.json").write_text('{"a": 1}')
    (tmp_path / "out.json").write_text('{"a": 2}')
    return Tree(tmp_path / "in", "get it again")


def test_a_link_inside_is_followed_and_one_that_leads_out_is_not(tree: Tree) -> None:
    (tree.folder / "near.json").symlink_to("a.json")
    (tree.folder / "far.json").symlink_to("../out.json")
    (tree.folder / "up").symlink_to("..")
    assert tree.json("near.json", dict[str, int]) == {"a": 1}
    for name in ("far.json", "up/out.json", "../out.json"):
        with pytest.raises(BadFile, match="is a link that leads out of"):
            tree.json(name, dict[str, int])


def test_a_folder_that_is_a_link_itself_is_no_way_out(tree: Tree) -> None:
    (tree.folder.parent / "link").symlink_to("in")
    linked = Tree(tree.folder.parent / "link", "")
    assert linked.json("a.json", dict[str, int]) == {"a": 1}


def test_links_to_nothing_and_in_circles_are_told(tree: Tree) -> None:
    (tree.folder / "circle").symlink_to("circle")
    (tree.folder / "gone").symlink_to("nothing")
    assert tree.has("circle") and tree.has("gone") and not tree.has("other")
    with pytest.raises(BadFile, match="circle: cannot be read"):
        tree.content("circle", largest=9)
    with pytest.raises(MissingData, match="gone: is not there; get it again"):
        tree.content("gone", largest=9)


def test_files_that_are_too_large_or_no_files_are_told(tree: Tree) -> None:
    assert len(tree.content("a.json", largest=8)) == 8
    with pytest.raises(BadFile, match="a.json: holds more than 7 bytes"):
        tree.content("a.json", largest=7)
    (tree.folder / "folder").mkdir()
    with pytest.raises(BadFile, match="folder: is no file"):
        tree.content("folder", largest=9)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"a: 1\n" * LARGEST_YAML, "holds more than 65536 bytes"),
        (b"a: [1, 2", "is no YAML"),
        (b"a: \xff", "line 1 is not text"),
        (b"- 1", "expected `object`"),
    ],
)
def test_yaml_that_is_no_settings_is_told(content: bytes, sentence: str, tree: Tree) -> None:
    (tree.folder / "a.yaml").write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        tree.yaml("a.yaml", dict[str, int])
