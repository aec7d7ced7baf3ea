"""Packs of avatars fetched from a server on this machine that holds a repository's files."""

import hashlib
import random
import re
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from paseo.data.store import packs
from paseo.data.store.fetching import FetchOptions, fetch
from paseo.data.store.packs import (
    LARGEST,
    Pack,
    PackFile,
    PackOptions,
    chosen_avatars,
    fetch_pack,
    missing_files,
    rocketbox_pack,
)
from paseo.errors import BadValue, CannotFetch, CannotWrite, InputError, UnknownName
from servers import Site, served

HANNA = "Assets/Avatars/Adults/Hanna/Export/Hanna.fbx"


def git_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


def tiny_pack() -> tuple[Pack, dict[str, bytes]]:
    """A pack of two avatars and a clip, and its files by path."""
    rng = random.Random(17)
    names = ("LICENSE.md", HANNA, HANNA.replace("Export/Hanna.fbx", "Textures/skin.tga"))
    names += (HANNA.replace("Hanna", "Igor"), "Assets/Animations/walks/m_walk.fbx")
    files = {name: rng.randbytes(90_000) for name in names}
    ids = {name: git_id(content) for name, content in files.items()}
    pack = Pack(
        format="paseo-pack",
        version=1,
        name="rocketbox",
        repository="some/people",
        commit="c0ffee",
        licence="MIT",
        citation="somebody",
        files={names[0]: ids[names[0]]},
        clips={"Assets/Animations/walks": {"m_walk.fbx": ids[names[4]]}},
        avatars={
            "Adults/Hanna": {"Export/Hanna.fbx": ids[names[1]], "Textures/skin.tga": ids[names[2]]},
            "Adults/Igor": {"Export/Igor.fbx": ids[names[3]]},
        },
    )
    return pack, files


class Fetching(NamedTuple):
    pack: Pack
    files: dict[str, bytes]
    wanted: list[PackFile]
    site: Site
    folder: Path

    def run(self, **options: Any) -> list[tuple[int, int]]:
        """What was told as progress."""
        told = list[tuple[int, int]]()
        self.site.closing.clear()
        with served(self.site) as address:
            way = PackOptions(mirror=address, wait=lambda _: None, **options)
            fetch_pack(
                self.pack, self.wanted, self.folder, way,
                lambda name, done, total: told.append((done, total)),
            )  # fmt: skip
        return told

    def refused(self) -> str:
        with pytest.raises(CannotFetch) as told:
            self.run()
        assert "\n" not in str(told.value)
        return str(told.value)


@pytest.fixture
def fetching(tmp_path: Path) -> Fetching:
    pack, files = tiny_pack()
    site = Site(files={f"/some/people/c0ffee/{path}": each for path, each in files.items()})
    return Fetching(pack, files, pack.part(list(pack.avatars)), site, tmp_path / "rocketbox")


def held(folder: Path) -> dict[str, bytes]:
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file()
    }


def test_every_file_arrives_in_the_layout_of_the_repository(fetching: Fetching) -> None:
    told = fetching.run()
    assert held(fetching.folder) == fetching.files
    assert told[0] == (0, 450_000) and told[-1] == (450_000, 450_000)


def test_sizes_are_known_before_the_first_byte_is_fetched(fetching: Fetching) -> None:
    order = list[str]()

    class Noted(list[str]):
        def append(self, path: str, /) -> None:
            order.append("size" if self is fetching.site.heads else "file")

    fetching.site.heads, fetching.site.asked = Noted(), Noted()
    fetching.run()
    assert order == ["size"] * 5 + ["file"] * 5


def test_a_part_of_the_pack_brings_its_avatars_the_clips_and_the_licence(
    fetching: Fetching,
) -> None:
    part = fetching._replace(wanted=fetching.pack.part(["Adults/Igor"]))
    part.run()
    assert "LICENSE.md" in held(part.folder)
    assert {path for path in fetching.files if "Hanna" not in path} == set(held(part.folder))


def test_what_is_here_is_not_asked_for_again(fetching: Fetching) -> None:
    fetching.run()
    fetching.site.asked.clear(), fetching.site.heads.clear()
    assert fetching.run() == [(0, 0)]
    assert fetching.site.asked == fetching.site.heads == []
    (fetching.folder / HANNA).write_bytes(b"broken")
    fetching.run()
    assert [urlsplit(each).path.rpartition("/")[2] for each in fetching.site.asked] == ["Hanna.fbx"]
    assert held(fetching.folder) == fetching.files


def test_a_cut_connection_is_taken_up_where_it_ended(fetching: Fetching) -> None:
    fetching.site.cuts[:] = [30_000]
    fetching.run()
    assert [each for each in fetching.site.ranges if each] == ["bytes=30000-"]
    assert held(fetching.folder) == fetching.files


def test_an_interrupted_fetch_goes_on_with_what_was_left(fetching: Fetching) -> None:
    fetching.site.always_cut = 20_000
    assert "the connection was cut (3 attempts)" in fetching.refused()
    fetching.site.always_cut = None
    fetching.run()
    assert held(fetching.folder) == fetching.files


def test_a_slow_server_is_waited_for(fetching: Fetching) -> None:
    fetching.site.piece, fetching.site.pause = 30_000, 0.01
    fetching.run()
    assert held(fetching.folder) == fetching.files


def test_a_file_that_is_gone_is_named(fetching: Fetching) -> None:
    del fetching.site.files[f"/some/people/c0ffee/{HANNA}"]
    assert f"{HANNA}: is no longer there (HTTP 404)" in fetching.refused()
    assert not fetching.folder.exists()


def test_a_file_with_another_byte_is_named_and_nothing_of_it_stays(fetching: Fetching) -> None:
    content = bytearray(fetching.files[HANNA])
    content[7] ^= 1
    fetching.site.files[f"/some/people/c0ffee/{HANNA}"] = bytes(content)
    said = fetching.refused()
    assert f"{HANNA}: its bytes have the git SHA-1" in said and "nothing was kept" in said
    assert not [each for each in held(fetching.folder) if "Hanna.fbx" in each]


def test_a_file_that_is_longer_by_a_byte_is_another_file(fetching: Fetching) -> None:
    fetching.site.files[f"/some/people/c0ffee/{HANNA}"] += b"\0"
    assert f"{HANNA}: its bytes have the git SHA-1" in fetching.refused()


@pytest.mark.parametrize(
    ("length", "said"),
    [(LARGEST + 1, f"has {LARGEST + 1} bytes, expected at most"), (-1, "does not tell how large")],
)
def test_a_file_too_large_or_without_a_size_is_not_fetched(
    fetching: Fetching, length: int, said: str
) -> None:
    fetching.site.length = length
    assert said in fetching.refused()
    assert fetching.site.asked == []


def test_a_file_without_end_is_left_at_its_size(fetching: Fetching) -> None:
    fetching.site.more = b"and more"
    fetching.site.length = 90_000
    fetching.run()
    assert held(fetching.folder) == fetching.files


def test_a_full_disk_is_told_before_anything_is_fetched(
    fetching: Fetching, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Usage(NamedTuple):
        free: int = 400_000

    monkeypatch.setattr(packs.shutil, "disk_usage", lambda _: Usage())
    with pytest.raises(CannotWrite, match="needs 0 MB and has 0 MB of room"):
        fetching.run()
    assert fetching.site.asked == []


def test_a_copy_that_was_brought_is_checked_file_by_file(
    fetching: Fetching, tmp_path: Path
) -> None:
    for path, content in fetching.files.items():
        (tmp_path / "clone" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "clone" / path).write_bytes(content)
    fetching.run(source=tmp_path / "clone")
    assert held(fetching.folder) == fetching.files
    assert fetching.site.asked == fetching.site.heads == []
    (tmp_path / "clone" / HANNA).write_bytes(b"another")
    other = fetching._replace(folder=tmp_path / "other")
    with pytest.raises(CannotFetch, match=rf"clone: has no {HANNA} as some/people has it"):
        other.run(source=tmp_path / "clone")


def test_the_pack_that_ships_is_whole() -> None:
    pack = rocketbox_pack()
    assert (len(pack.avatars), len(chosen_avatars(pack)), pack.commit[:7]) == (105, 44, "0943055")
    for avatar, files in pack.avatars.items():
        assert f"Export/{avatar.partition('/')[2]}.fbx" in files
    ids = [each.digest for each in pack.part(list(pack.avatars))]
    assert all(len(each) == 40 and int(each, 16) for each in ids)
    clips = [name for each in pack.clips.values() for name in each]
    assert {name[0] for name in clips} == {"f", "m"} and len(clips) == 24


def test_avatars_are_chosen_by_group_by_name_or_by_number() -> None:
    pack = rocketbox_pack()
    assert chosen_avatars(pack, "Children,Male_Adult_01")[:2] == [
        "Adults/Male_Adult_01",
        "Children/Female_Child_01",
    ]
    assert len(chosen_avatars(pack, "all")) == 105
    some = chosen_avatars(pack, "10")
    assert len(some) == 10 and any("Female" in each for each in some)
    with pytest.raises(UnknownName, match="Did you mean 'Adults'"):
        chosen_avatars(pack, "Adlts")
    with pytest.raises(BadValue, match="expected 1 to 105"):
        chosen_avatars(pack, "0")


def test_without_consent_size_and_licence_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError) as told:
        fetch(["rocketbox"], FetchOptions(avatars="8"), data=tmp_path)
    assert re.search(r"8 of 105 avatars, \d\d files, about 0\.[23] GB", str(told.value))
    assert "LICENSE.md" in str(told.value) and "MIT" in str(told.value)
    with pytest.raises(InputError, match="avatars are of rocketbox"):
        fetch(["eth"], FetchOptions(avatars="8"), data=tmp_path)


@pytest.mark.recordings
def test_files_of_the_pack_have_the_ids_that_ship(data_dir: Path) -> None:
    pack, folder = rocketbox_pack(), data_dir / "rocketbox"
    files = pack.part(list(pack.avatars))
    here = [each for each in files if (folder / each.path).is_file()]
    assert len(here) >= 17
    assert missing_files(here, folder) == []


@pytest.mark.recordings
def test_real_files_of_the_pack_arrive_from_a_server_in_its_layout(
    data_dir: Path, tmp_path: Path
) -> None:
    pack, folder = rocketbox_pack(), data_dir / "rocketbox"
    wanted = [
        each
        for each in pack.part(["Children/Male_Child_01", "Professions/Business_Female_04"])
        if (folder / each.path).is_file()
    ]
    files = {urlsplit(pack.url(each)).path: (folder / each.path).read_bytes() for each in wanted}
    fetching = Fetching(pack, {}, wanted, Site(files=files), tmp_path)
    fetching.run()
    assert {each.path for each in wanted} == held(tmp_path).keys()
    assert any(each.path.endswith("f020_opacity_color.tga") for each in wanted)
