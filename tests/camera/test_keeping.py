"""What is kept between runs: the same as what is made, never broken, never too much."""

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.camera.keeping import MOST_VERSIONS, VARIABLE, Arrays, Keeping, _packed, cache_folder
from paseo.camera.people.assembly import assembled, prepared
from paseo.camera.people.faces import face_map
from paseo.camera.people.keeping import PEOPLE
from paseo.camera.people.library import SHIPPED, checked_bytes
from paseo.camera.people.packing import Archive
from paseo.camera.places.keeping import PLACES, kept_place, key_of
from paseo.camera.places.places import place_of
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.world.space.floorplan import Place as Named

ARRAYS = {
    "points": np.arange(30, dtype=np.uint16).reshape(10, 3),
    "uv": np.linspace(0, 1, 7, dtype=np.float16),
    "nothing": np.zeros((0, 3), np.uint8),
}


class Maker:
    """Makes arrays and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> Arrays:
        self.times += 1
        return ARRAYS


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Maker:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    return Maker()


@pytest.fixture
def shelf(tmp_path: Path) -> Keeping:
    (tmp_path / "source.py").write_text("made = 1")
    return Keeping(name="things", sources=(tmp_path / "source.py",))


def kept_files() -> list[Path]:
    folder = cache_folder()
    assert folder is not None
    return sorted(folder.rglob("*.arrays"))


def test_what_was_made_once_comes_back_as_it_was(make: Maker, shelf: Keeping) -> None:
    assert shelf.is_empty() and not shelf.is_kept("a")
    shelf.kept("a", make)
    assert shelf.is_kept("a") and not shelf.is_empty() and not shelf.is_kept("b")
    found = shelf.kept("a", make)
    assert make.times == 1
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].tobytes() == array.tobytes() and found[name].shape == array.shape
    shelf.kept("b", make)
    assert make.times == 2, "another key is another thing"


def shortened(content: bytes) -> bytes:
    return content[:-64]


def zeroed(content: bytes) -> bytes:
    return content[:-128] + bytes(128)


def emptied(content: bytes) -> bytes:
    return b""


def scrambled_table(content: bytes) -> bytes:
    return content[:24] + b"x" * 40 + content[64:]


@pytest.mark.parametrize("spoil", [shortened, zeroed, emptied, scrambled_table])
def test_a_file_that_is_not_whole_is_made_again(
    make: Maker, shelf: Keeping, spoil: Callable[[bytes], bytes]
) -> None:
    shelf.kept("a", make)
    (file,) = kept_files()
    file.write_bytes(spoil(file.read_bytes()))
    assert shelf.kept("a", make)["points"].tobytes() == ARRAYS["points"].tobytes()
    assert make.times == 2
    shelf.kept("a", make)
    assert make.times == 2, "and is whole again"


def test_no_flipped_bit_of_a_file_goes_unseen(make: Maker, shelf: Keeping) -> None:
    shelf.kept("a", make)
    (file,) = kept_files()
    whole = file.read_bytes()
    for place in range(len(whole)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        shelf.kept("a", make)
        assert make.times == 2 + place, f"byte {place}"


def test_only_plain_numbers_are_read(make: Maker, shelf: Keeping) -> None:
    shelf.kept("a", make)
    (file,) = kept_files()
    file.write_bytes(_packed({"points": np.zeros(4, "datetime64[s]")}))
    assert list(shelf.kept("a", make)) == list(ARRAYS), "a whole file of anything else is not"


def test_a_full_disk_is_left_no_fuller(
    make: Maker, shelf: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half_written(file: Path, content: bytes) -> None:
        file.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half_written)
    shelf.kept("a", make)
    folder = cache_folder()
    assert folder is not None and not [each for each in folder.rglob("*") if each.is_file()]


def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_fails(
    tmp_path: Path, shelf: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file"))
    make = Maker()
    shelf.kept("a", make)
    shelf.kept("a", make)
    assert make.times == 2 and shelf.is_empty() and not shelf.is_kept("a")


def test_what_cannot_be_written_to_is_still_read(
    make: Maker, shelf: Keeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.kept("a", make)

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(os, "utime", refused)
    monkeypatch.setattr(Path, "write_bytes", refused)
    bounded = replace(shelf, most_bytes=1000)
    assert bounded.kept("a", make)["points"].tobytes() == ARRAYS["points"].tobytes()
    assert make.times == 1
    bounded.kept("b", make)
    assert make.times == 2 and not shelf.is_kept("b")


def test_who_has_no_home_has_nothing_kept(shelf: Keeping, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (VARIABLE, "XDG_CACHE_HOME", "HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    make = Maker()
    assert shelf.kept("a", make) is ARRAYS and make.times == 1
    assert shelf.is_empty() and not shelf.is_kept("a") and cache_folder() is None


def test_other_sources_keep_their_own_and_only_the_latest_stay(
    make: Maker, shelf: Keeping, tmp_path: Path
) -> None:
    for number in range(MOST_VERSIONS + 2):
        file = tmp_path / f"source{number}.py"
        file.write_text(f"made = {number}")
        other = replace(shelf, sources=(file,))
        assert other.is_empty()
        other.kept("a", make)
        assert make.times == number + 1
    assert len(kept_files()) == MOST_VERSIONS and other.is_kept("a")


def test_what_was_unused_for_longest_goes_when_there_is_too_much(
    make: Maker, shelf: Keeping
) -> None:
    shelf.kept("a", make)
    (file,) = kept_files()
    size = file.stat().st_size
    bounded = replace(shelf, most_bytes=3 * size)
    for place, key in enumerate("bc"):
        bounded.kept(key, make)
        for each in kept_files():
            old = each.stat().st_mtime_ns - 10**9 * (2 - place)
            os.utime(each, ns=(old, old))
    bounded.kept("a", make)  # which is used again
    bounded.kept("d", make)
    assert len(kept_files()) == 3
    assert [bounded.is_kept(key) for key in "abcd"] == [True, False, True, True]


WRITER = """
import sys
from pathlib import Path
import numpy as np
from paseo.camera.keeping import Keeping
shelf = Keeping(name="things", sources=(Path(sys.argv[1]),))
for k in range(20):
    found = shelf.kept(f"{k}", lambda: {"points": np.full(50_000, k)})
    assert (found["points"] == k).all() and len(found["points"]) == 50_000
"""


def test_several_processes_and_threads_keep_the_same_at_once(
    make: Maker, shelf: Keeping, tmp_path: Path
) -> None:
    words = [sys.executable, "-c", WRITER, str(tmp_path / "source.py")]
    writers = [subprocess.Popen(words) for _ in range(2)]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    assert len(kept_files()) == 20
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: shelf.kept("shared", make), range(16)))
    assert all(each["points"].tobytes() == ARRAYS["points"].tobytes() for each in found)
    folder = cache_folder()
    assert folder is not None and not list(folder.rglob("*.part"))


def test_a_body_from_the_cache_is_the_body_that_was_painted(make: Maker) -> None:
    archive = Archive(checked_bytes(SHIPPED))
    person = archive.contents.people[0]

    def paint() -> Arrays:
        return prepared(archive, person, face_map(*archive.face()))

    fresh, again = (assembled(archive.contents, person, PEOPLE.kept("a", paint)) for _ in range(2))
    for one, other in zip(fresh.levels, again.levels, strict=True):
        assert one.mesh.points.tobytes() == other.mesh.points.tobytes()
        assert one.mesh.triangles.tobytes() == other.mesh.triangles.tobytes()
        assert one.bone_weights.tobytes() == other.bone_weights.tobytes()
    for a, b in zip(fresh.materials, again.materials, strict=True):
        assert a.texture is not None and b.texture is not None
        assert a.texture.tobytes() == b.texture.tobytes() and a.dyes == b.dyes


def test_a_place_from_the_cache_is_the_place_that_was_built(make: Maker) -> None:
    plan = shipped_floorplan("Zara")
    built, _, again = place_of(plan), kept_place(plan), kept_place(plan)
    assert PLACES.is_kept(key_of(plan)) and len(kept_files()) == 1
    for name in ("points", "triangles", "uv", "normals", "material"):
        assert getattr(built.mesh, name).tobytes() == getattr(again.mesh, name).tobytes(), name
    assert (built.name, built.sun, built.clouds) == (again.name, again.sun, again.clouds)
    assert built.shaded == again.shaded
    shared = {id(each.bump): each.bump for each in again.materials if each.bump is not None}
    assert len(shared) == len({id(each.bump) for each in built.materials if each.bump is not None})
    for one, other in zip(built.materials, again.materials, strict=True):
        plain = {"texture": None, "bump": None, "alpha_tested": False}
        assert repr(replace(one, **plain)) == repr(replace(other, **plain))
        assert one.alpha_tested == other.alpha_tested
        for name in ("texture", "bump"):
            a, b = getattr(one, name), getattr(other, name)
            assert (a is None) == (b is None)
            assert a is None or (a.shape == b.shape and a.tobytes() == b.tobytes())


def test_another_plan_of_the_same_name_is_another_place() -> None:
    plan = shipped_floorplan("Zara")
    door = replace(plan, places=(*plan.places, Named("door", plan.places[0].kind, 1.0, 2.0)))
    moved = replace(plan, walls=plan.walls + 0.01)
    assert len({key_of(each) for each in (plan, door, moved, replace(plan, name="Other"))}) == 4
    assert key_of(plan) == key_of(shipped_floorplan("Zara"))
