"""What is kept between runs: the same as what is made, never broken, never too much."""

import errno
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from paseo.camera.people.assembly import assembled, prepared
from paseo.camera.people.faces import face_map
from paseo.camera.people.keeping import (
    MOST_VERSIONS,
    VARIABLE,
    Arrays,
    cache_folder,
    is_empty,
    is_kept,
    kept,
)
from paseo.camera.people.library import SHIPPED, checked_bytes
from paseo.camera.people.packing import Archive

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


def kept_file() -> Path:
    return next(cache_folder().rglob("*.arrays"))


def test_what_was_made_once_comes_back_as_it_was(make: Maker) -> None:
    assert is_empty() and not is_kept("a")
    kept("a", make)
    assert is_kept("a") and not is_empty() and not is_kept("b")
    found = kept("a", make)
    assert make.times == 1
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert found[name].tobytes() == array.tobytes() and found[name].shape == array.shape
    kept("b", make)
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
    make: Maker, spoil: Callable[[bytes], bytes]
) -> None:
    kept("a", make)
    kept_file().write_bytes(spoil(kept_file().read_bytes()))
    assert kept("a", make)["points"].tobytes() == ARRAYS["points"].tobytes()
    assert make.times == 2
    kept("a", make)
    assert make.times == 2, "and is whole again"


def test_no_flipped_bit_of_a_file_goes_unseen(make: Maker) -> None:
    kept("a", make)
    whole = kept_file().read_bytes()
    for place in range(len(whole)):
        kept_file().write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        kept("a", make)
        assert make.times == 2 + place, f"byte {place}"


def test_a_full_disk_is_left_no_fuller(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    def half_written(file: Path, content: bytes) -> None:
        file.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half_written)
    kept("a", make)
    assert not [each for each in cache_folder().rglob("*") if each.is_file()]


def test_where_nothing_can_be_written_nothing_is_kept_and_nothing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file"))
    make = Maker()
    kept("a", make)
    kept("a", make)
    assert make.times == 2


def test_only_the_latest_versions_stay(make: Maker) -> None:
    for name in "abc":
        (cache_folder() / "people" / name).mkdir(parents=True)
    kept("a", make)
    assert len(list((cache_folder() / "people").iterdir())) == MOST_VERSIONS
    assert kept_file().is_file()


def test_a_body_from_the_cache_is_the_body_that_was_painted(make: Maker) -> None:
    archive = Archive(checked_bytes(SHIPPED))
    person = archive.contents.people[0]

    def paint() -> Arrays:
        return prepared(archive, person, face_map(*archive.face()))

    fresh, again = (assembled(archive.contents, person, kept("a", paint)) for _ in range(2))
    for one, other in zip(fresh.levels, again.levels, strict=True):
        assert one.mesh.points.tobytes() == other.mesh.points.tobytes()
        assert one.mesh.triangles.tobytes() == other.mesh.triangles.tobytes()
        assert one.bone_weights.tobytes() == other.bone_weights.tobytes()
    for a, b in zip(fresh.materials, again.materials, strict=True):
        assert a.texture is not None and b.texture is not None
        assert a.texture.tobytes() == b.texture.tobytes() and a.dyes == b.dyes
