import gzip
import io
import os
import random
import struct
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.data.archive import is_archive, member_bytes, member_names
from paseo.errors import BadFile, PaseoError, UnknownName

Files = dict[str, bytes]
WALKS = {"eth/walk.csv": b"frame,ped_id\n" * 99, "readme.txt": b"", "zurich/Höfe.csv": b"0,1"}
WALKS[f"zurich/{'deep/' * 24}stairs.csv"] = b"0,2"
GIB = 2**30
names = st.text("ab\u00e4/. -_\u6b65", min_size=1, max_size=300).filter(
    lambda name: name[0] != "/" and name[-1] != "/" and ".." not in name.split("/")
)


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return buffer.getvalue()


def tarred(files: Files, format: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=format) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def packed_tar(files: Files) -> bytes:
    return gzip.compress(tarred(files), mtime=0)


WRITERS: dict[str, Callable[[Files], bytes]] = {
    "deflated.zip": zipped,
    "stored.ZIP": lambda files: zipped(files, zipfile.ZIP_STORED),
    "pax.tar": tarred,
    "gnu.tar": lambda files: tarred(files, tarfile.GNU_FORMAT),
    "ustar.tar": lambda files: tarred(files, tarfile.USTAR_FORMAT),
    "packed.tgz": packed_tar,
    "packed.tar.gz": packed_tar,
}


def header(name: bytes, size: int, kind: bytes = b"0") -> bytes:
    """One block that begins a member of a tar file, as GNU tar writes it."""
    start = name.ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2
    rest = b"\x80" + size.to_bytes(11, "big") + b"0" * 11 + b"\0"
    begin, end = start + rest, (kind + bytes(100) + b"ustar  \0").ljust(512 - 156, b"\0")
    return begin + b"%06o\0 " % (sum(begin) + 256 + sum(end)) + end


def saved(folder: Path, name: str, content: bytes) -> Path:
    file = folder / name
    file.write_bytes(content)
    return file


def refused(path: Path, member: str = "a", largest: int = 1000) -> str:
    """The one sentence with which a member is refused, without much memory."""
    tracemalloc.start()
    with pytest.raises(BadFile) as told:
        member_bytes(path, member, largest=largest)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 96 * 2**20
    assert str(told.value).startswith(f"{path}: ") and "\n" not in str(told.value)
    return str(told.value)


@pytest.mark.parametrize(
    ("name", "archive"),
    [("a.zip", True), ("A.TGZ", True), ("a.tar.gz", True), ("a.tar", True)]
    + [("a.csv.gz", False), ("zip", False), ("a.tar.bz2", False)],
)
def test_archives_are_known_by_their_names(name: str, archive: bool) -> None:
    assert is_archive(Path("folder.zip", name)) is archive


@pytest.mark.parametrize(("name", "written"), WRITERS.items())
def test_what_was_packed_is_read_back(
    tmp_path: Path, name: str, written: Callable[[Files], bytes]
) -> None:
    path = saved(tmp_path, name, written(WALKS))
    assert member_names(path) == sorted(WALKS)
    for member, content in WALKS.items():
        assert member_bytes(path, member, largest=2000) == content
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("format", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
@given(files=st.dictionaries(names, st.binary(max_size=1500), max_size=4))
def test_tar_files_are_read_as_the_standard_library_reads_them(
    tmp_path_factory: pytest.TempPathFactory, format: int, files: Files
) -> None:
    with suppress(ValueError):  # the oldest format has no room for long names
        path = saved(tmp_path_factory.mktemp("tar"), "a.tar", tarred(files, format))
        with tarfile.open(path) as archive:
            assert member_names(path) == sorted(archive.getnames()) == sorted(files)
        for name, content in files.items():
            assert member_bytes(path, name, largest=1500) == content


def test_the_last_of_several_files_by_one_name_counts(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    for content in (b"old", b"new"):
        with tarfile.open(path, "a") as archive:
            member = tarfile.TarInfo("a.csv")
            member.size = 3
            archive.addfile(member, io.BytesIO(content))
    assert (member_names(path), member_bytes(path, "a.csv", largest=3)) == (["a.csv"], b"new")


def test_folders_links_and_devices_are_no_members(tmp_path: Path) -> None:
    in_tar, in_zip = tmp_path / "a.tar", tmp_path / "a.zip"
    with tarfile.open(in_tar, "w") as archive:
        for kind in (tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE):
            member = tarfile.TarInfo(f"kind{kind.decode()}")
            member.type, member.linkname = kind, "/etc/passwd"
            archive.addfile(member)
        archive.addfile(tarfile.TarInfo("file"))
    with zipfile.ZipFile(in_zip, "w") as packed:
        link = zipfile.ZipInfo("link")
        link.external_attr = 0o120777 << 16
        packed.writestr(link, "/etc/passwd")
        packed.writestr("folder/", "")
        packed.writestr("file", "")
    for path in (in_tar, in_zip):
        assert member_names(path) == ["file"]
        with pytest.raises(UnknownName, match="no file in the archive is called 'link'"):
            member_bytes(path, "link", largest=100)


@pytest.mark.parametrize("written", [zipped, tarred, packed_tar])
@pytest.mark.parametrize(
    "name", ["/a", "../a", "a/../../b", "C:\\a", "c:a", "..\\a", "\\a", "a/.."]
)
def test_a_name_that_leads_out_condemns_the_whole_archive(
    tmp_path: Path, name: str, written: Callable[[Files], bytes]
) -> None:
    endings: dict[object, str] = {zipped: "a.zip", tarred: "a.tar", packed_tar: "a.tgz"}
    path = saved(tmp_path, endings[written], written({"fine": b"", name: b""}))
    assert f"holds {name!r}, expected only names that stay within" in refused(path, "fine")
    with pytest.raises(BadFile, match="do not trust it"):
        member_names(path)


@pytest.mark.parametrize(("name", "written"), WRITERS.items())
def test_as_many_bytes_as_allowed_are_read_and_not_one_more(
    tmp_path: Path, name: str, written: Callable[[Files], bytes]
) -> None:
    path = saved(tmp_path, name, written({"a": bytes(1000), "b": bytes(1001)}))
    assert member_bytes(path, "a", largest=1000) == bytes(1000)
    assert "'b' holds more than 1000 bytes, expected at most that many" in refused(path, "b")


@pytest.mark.parametrize(
    ("asked", "answer"),
    [("eth/wlak.csv", "Did you mean 'eth/walk.csv'?"), ("ETH/WALK.CSV", "mean 'eth/walk.csv'?")]
    + [
        ("walk.csv", "Did you mean 'eth/walk.csv'?"),
        ("x", "Known: eth/walk.csv, readme.txt, zuri"),
    ],
)
@pytest.mark.parametrize("name", ["deflated.zip", "pax.tar"])
def test_a_name_misspelt_is_corrected(tmp_path: Path, name: str, asked: str, answer: str) -> None:
    path = saved(tmp_path, name, WRITERS[name](WALKS))
    with pytest.raises(UnknownName) as told:
        member_bytes(path, asked, largest=2000)
    assert f"no file in the archive is called '{asked}'. " in str(told.value)
    assert answer in str(told.value)


def test_a_wrong_name_among_very_many_is_told_shortly(tmp_path: Path) -> None:
    path = saved(tmp_path, "a.tar", tarred({f"{n}{'x' * 150}\x1b": b"" for n in range(2000)}))
    with pytest.raises(UnknownName, match=r"'y'\. Known: none\.$"):
        member_bytes(path, "y", largest=1)
    path = saved(tmp_path, "b.tar", tarred({f"{n}{'x' * 150}": b"" for n in range(2000)}))
    with pytest.raises(UnknownName) as told:
        member_bytes(path, "y" * 10**6, largest=1)
    assert len(str(told.value)) < 2000


def test_an_encrypted_file_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped({"a": b"secret"}))
    content[6] |= 1  # in the header of the member, and in the list of members
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path = saved(tmp_path, "a.zip", bytes(content))
    assert "'a' is encrypted, expected an open archive; unpack it first" in refused(path)


def test_a_file_that_is_shorter_than_the_list_says_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped({"a": b"short"}))
    content[content.index(b"PK\x01\x02") + 24] += 1
    assert "damaged or cut short" in refused(saved(tmp_path, "a.zip", bytes(content)))


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_that_unpack_without_bounds_are_refused(tmp_path: Path, method: int) -> None:
    path = saved(tmp_path, "a.zip", zipped({"a": b"0"}, method))
    assert f"'a' is packed by method {method}, expected 0 (stored) or 8" in refused(path)


def ten_gib_of_zeros() -> bytes:
    """A raw deflate stream; after a full flush its pieces do not depend on each other."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = packer.compress(bytes(2**24)) + packer.flush(zlib.Z_FULL_FLUSH)
    return piece * (10 * GIB // 2**24) + packer.flush()


@pytest.mark.parametrize("claimed", [2**32 - 2, 900])
def test_a_zip_bomb_is_refused_whatever_size_it_claims(tmp_path: Path, claimed: int) -> None:
    bomb = ten_gib_of_zeros()
    facts = struct.pack("<HHHHHLLLHH", 20, 0, 8, 0, 0x21, 1, len(bomb), claimed, 1, 0)
    member = b"PK\x03\x04" + facts + b"a" + bomb
    listed = b"PK\x01\x02\x14\x03" + facts + bytes(2 + 2 + 2 + 4 + 4) + b"a"
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(listed), len(member), 0)
    path = saved(tmp_path, "a.zip", member + listed + end)
    assert member_names(path) == ["a"]
    told = "damaged" if claimed == 900 else "holds more than 1000 bytes"
    assert told in refused(path)


@pytest.mark.parametrize(("claimed", "told"), [(10 * GIB, "more than 1000 bytes"), (9, "damaged")])
def test_a_packed_tar_bomb_is_refused(tmp_path: Path, claimed: int, told: str) -> None:
    head = zlib.compressobj(9, zlib.DEFLATED, -15)
    start = head.compress(header(b"a", claimed)) + head.flush(zlib.Z_FULL_FLUSH)
    bomb = b"\x1f\x8b\x08" + bytes(7) + start + ten_gib_of_zeros()
    path = saved(tmp_path, "a.tgz", bomb)
    assert told in refused(path)
    told = f"unpacks to more than {GIB // 2} bytes" if claimed > 9 else "damaged"
    assert told in refused(path, "b")


def test_an_archive_in_an_archive_is_a_file_like_any_other(tmp_path: Path) -> None:
    inner = zipped({"zeros": bytes(10**7)})
    path = saved(tmp_path, "a.zip", zipped({"inner.zip": inner}))
    assert member_names(path) == ["inner.zip"]
    assert member_bytes(path, "inner.zip", largest=20_000) == inner


@pytest.mark.slow
def test_more_members_than_can_be_listed_are_refused(tmp_path: Path) -> None:
    entry = b"PK\x01\x02".ljust(28, b"\0") + b"\x01" + bytes(17) + b"a"
    listed = entry * 100_001
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(listed), 0, 0)
    for path in (
        saved(tmp_path, "a.zip", listed + end),
        saved(tmp_path, "a.tgz", gzip.compress(header(b"a", 0) * 100_001, 1)),
    ):
        with pytest.raises(BadFile, match="holds more than 100000 files or too long a list"):
            member_names(path)


def test_a_list_of_members_that_is_too_long_is_not_even_read(tmp_path: Path) -> None:
    path, size = tmp_path / "a.zip", 65 * 2**20
    with path.open("wb") as file:
        file.seek(size)
        file.write(struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, size, 0, 0))
    assert "too long a list" in refused(path)
    long_names = (header(b"", 16_000, b"L") + b"x" * 16_384 + header(b"a", 0)) * 5000
    assert "too long a list" in refused(saved(tmp_path, "a.tar", long_names), "x")


@pytest.mark.parametrize("kind", [b"L", b"x", b"K", b"g"])
@pytest.mark.parametrize("size", [2**20 + 1, 10 * GIB, 2**87])
def test_a_huge_header_in_a_tar_file_is_not_held_in_memory(
    tmp_path: Path, kind: bytes, size: int
) -> None:
    content = header(b"", size, kind) + bytes(2**21)
    assert "too long a list" in refused(saved(tmp_path, "a.tar", content))


def noted(*records: bytes) -> bytes:
    content = b"".join(records)
    return header(b"", len(content), b"x") + content + bytes(-len(content) % 512)


@pytest.mark.parametrize(
    "note",
    [b"1" * 2**19, b"8 path=x\n", b"0 path=x\n", b"-9 path=a\n", b"8 pathx\n\n", b"99 path=a\n"]
    + [b"10 size=-1\n", b"11 size=\xff\xff\n", b"22 GNU.sparse.major=1\n", b"x path=a\n", b"9"],
)
def test_damaged_notes_in_a_tar_file_are_a_sentence_or_nothing(tmp_path: Path, note: bytes) -> None:
    path = saved(tmp_path, "a.tar", noted(note) + header(b"a", 0) + bytes(1024))
    with suppress(BadFile, UnknownName):
        assert member_bytes(path, "a", largest=10) == b""


def test_a_note_gives_a_file_its_name_and_size(tmp_path: Path) -> None:
    content = noted(b"16 path=\xe6\xad\xa5.csv\n", b"9 size=4\n", b"12 comment=\n")
    path = saved(tmp_path, "a.tar", content + header(b"a", 0) + b"four".ljust(512) + bytes(1024))
    assert member_bytes(path, "\u6b65.csv", largest=4) == b"four"


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tgz", "a.tar.gz"])
@pytest.mark.parametrize("content", [b"", b"PK", b"a rose is a rose\n" * 99, bytes(100)])
def test_what_is_no_archive_is_refused(tmp_path: Path, name: str, content: bytes) -> None:
    path = saved(tmp_path, name, content)
    assert "cannot be read (it is damaged or cut short), expected a whole" in refused(path)


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.zip")
    (tmp_path / "a.tar").mkdir()
    for name in ("a.zip", "a.tar", "a.csv"):
        told = refused(tmp_path / name)
        assert "is no archive, expected a file named .zip, .tar, .tgz, .tar.gz; check" in told
    assert "cannot be read (No such file or directory)" in refused(tmp_path / "b.zip")


@pytest.mark.parametrize(("name", "written"), WRITERS.items())
def test_an_archive_cut_short_is_refused_wherever_it_is_cut(
    tmp_path: Path, name: str, written: Callable[[Files], bytes]
) -> None:
    content = written(WALKS)
    needed = len(content.rstrip(b"\0")) if name.endswith(".tar") else len(content)
    for length in random.Random(0).sample(range(needed), 100):
        told = refused(saved(tmp_path, name, content[:length]), "eth/walk.csv", 2000)
        assert "damaged or cut short" in told


@pytest.mark.parametrize(("name", "written"), WRITERS.items())
def test_damage_never_gives_more_than_a_sentence(
    tmp_path: Path, name: str, written: Callable[[Files], bytes]
) -> None:
    rng, content = random.Random(1), written(WALKS)
    for _ in range(600):
        damaged = bytearray(content)
        for _ in range(rng.randint(1, 3)):
            damaged[rng.randrange(len(damaged))] = rng.choice([0, 0xFF, rng.randrange(256)])
        path = saved(tmp_path, name, bytes(damaged))
        for ask in (member_names, lambda path: member_bytes(path, "eth/walk.csv", largest=2000)):
            try:
                ask(path)
            except PaseoError as error:
                assert isinstance(error, BadFile | UnknownName)
                assert "\n" not in str(error)
