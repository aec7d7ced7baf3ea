"""Files: whole or not there, held by one process, read within bounds."""

import hashlib
import os
import re
import socket
import subprocess
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from paseo.errors import BadFile, BadValue, CannotWrite, InputError
from paseo.files import (
    HeldFolder,
    bounded,
    draft,
    draft_folder,
    folder_beside,
    held,
    in_turn,
    is_free,
    opened,
    remove_drafts,
    sha256,
    strange_key,
    stream_sha256,
    write_through,
    write_whole,
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_writing_replaces_what_was_there_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("old")
    write_whole(path, b"new")
    assert path.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("where", ["missing/r.npz", "file/r.npz", "x" * 300])
def test_a_place_that_cannot_be_written_to_is_told_in_one_sentence(
    tmp_path: Path, where: str
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CannotWrite, match=r"cannot be written \(.*\); nothing was left there"):
        write_whole(tmp_path / where, b"content")
    assert names(tmp_path) == ["file"]


def test_a_folder_and_a_device_are_never_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "folder"):
        with pytest.raises(CannotWrite, match="is no file that could be replaced"):
            write_whole(tmp_path / name, b"content")
    assert names(tmp_path) == ["folder", "pipe"]


def test_a_full_disk_leaves_the_old_file_and_no_debris(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the full disk; it needs a process of its own."""
    path = tmp_path / "record.npz"
    path.write_text("old")
    script = """
        import resource, signal, sys
        from pathlib import Path
        from paseo.errors import CannotWrite
        from paseo.files import write_whole
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            write_whole(Path(sys.argv[1]), bytes(100_000))
        except CannotWrite as error:
            print(error)
    """
    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.startswith(f"{path}: cannot be written (File too large)")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_draft_is_gone_when_its_work_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with pytest.raises(KeyError), draft(path) as beside:
        beside.write_text("half")
        assert beside.parent == tmp_path
        raise KeyError
    assert names(tmp_path) == []


def test_a_draft_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with draft_folder(out) as beside:
        (beside / "a").touch()
        assert not out.exists()
    assert names(out) == ["a"]
    with pytest.raises(BadValue, match="is not an empty folder"), draft_folder(out):
        pass
    with pytest.raises(KeyError), draft_folder(tmp_path / "other"):
        raise KeyError
    assert names(tmp_path) == ["deep"]


def test_the_folder_one_is_in_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadValue, match="is the folder you are in"), draft_folder(Path()):
        pass


def test_drafts_of_killed_processes_are_removed_and_those_of_others_are_not(tmp_path: Path) -> None:
    for name in (".plaza.part", ".plaza.12.part", ".plaza.b.12.part", "plaza.12.part"):
        (tmp_path / name).mkdir()
    remove_drafts(tmp_path / "plaza")
    assert names(tmp_path) == [".plaza.b.12.part", "plaza.12.part"]


def test_a_folder_beside_another_is_new_and_goes(tmp_path: Path) -> None:
    with folder_beside(tmp_path / "out") as beside:
        write_through(beside / "a", b"a")
        beside.rename(tmp_path / "elsewhere")
    assert names(tmp_path) == ["elsewhere"]
    assert (tmp_path / "elsewhere" / "a").read_bytes() == b"a"


def test_a_held_folder_is_refused_to_others_until_it_is_let_go(tmp_path: Path) -> None:
    with (
        held(tmp_path, by="paseo run"),
        pytest.raises(InputError, match="is in use by another paseo run; wait"),
        held(tmp_path, by="paseo run"),
    ):
        pass
    with held(tmp_path, by="paseo run"):
        pass


def test_one_waits_for_its_turn(tmp_path: Path) -> None:
    script = """
        import sys
        from pathlib import Path
        from paseo.files import in_turn
        print("ready", flush=True)
        with in_turn(Path(sys.argv[1])):
            print("mine", flush=True)
    """
    lock = tmp_path / "lock"
    with in_turn(lock), lock.open("w") as again:
        assert not is_free(again)
        words = [sys.executable, "-c", textwrap.dedent(script), str(lock)]
        other = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None and other.stdout.readline() == "ready\n"
        assert other.poll() is None
    assert other.communicate()[0] == "mine\n"


def home(folder: Path) -> HeldFolder:
    return HeldFolder(folder / "plan.json", format="paseo-test", version=1, by="paseo test")


def test_a_held_folder_says_what_is_done_there(tmp_path: Path) -> None:
    with home(tmp_path / "out") as folder:
        assert not folder.exists
        folder.lock(tmp_path / "out" / "parts")
        folder.note({"episodes": 3})
        with home(tmp_path / "out") as second, pytest.raises(InputError, match="in use by another"):
            second.lock()
    assert home(tmp_path / "out").noted(dict[str, str | int])["episodes"] == 3
    assert names(tmp_path / "out") == [".lock", "parts", "plan.json"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "paseo-test", "version": 2}', "[" * 100_000]
)
def test_a_damaged_plan_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(BadFile, match=r"plan.json: is damaged .*expected what paseo test wrote"):
        home(tmp_path).noted(dict[str, str | int])


def test_a_place_where_no_folder_can_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with home(tmp_path / "file") as folder, pytest.raises(CannotWrite, match="cannot be used"):
        folder.lock()


def test_a_file_is_read_up_to_its_bound(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert bounded(path, 5) == b"12345"
    with pytest.raises(BadFile, match="holds more than 4 bytes, expected less; split it"):
        bounded(path, 4, too_large="expected less; split it")
    with pytest.raises(BadFile, match=r"cannot be read \(No such file or directory\); fetch it"):
        bounded(tmp_path / "none", 4, remedy="fetch it")


def test_a_file_that_is_too_large_is_told_before_it_is_read(tmp_path: Path) -> None:
    """A hole of a terabyte takes no space on the disk, and would take all of the memory."""
    with (tmp_path / "hole").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(BadFile, match="holds more than 1000000 bytes"):
        bounded(tmp_path / "hole", 1_000_000)


def test_a_file_that_tells_no_size_is_read_up_to_its_bound() -> None:
    made_up = Path("/proc/self/status")  # a file of no bytes, until one reads it
    if not made_up.exists():
        pytest.skip("this system makes up no files")
    assert b"Pid:" in bounded(made_up, 100_000)
    with pytest.raises(BadFile, match="holds more than 20 bytes"):
        bounded(made_up, 20)


def made(kind: str, folder: Path) -> Path:
    """Something of a kind that is no file, and that one could wait for, or read without end."""
    path = folder / kind
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(os.path.relpath(path))
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    return path


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("pipe", "it is a pipe, expected a file"),
        ("socket", "it is a socket, expected a file"),
        ("device", "it is a device, expected a file"),
        ("folder", "it is a folder, expected a file"),
    ],
)
def test_what_is_no_file_is_told_at_once_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    path = made(kind, tmp_path)
    with pytest.raises(OSError) as error:
        opened(path)
    assert error.value.strerror == told
    for read in (lambda: bounded(path, 10), lambda: sha256(path)):
        with pytest.raises(BadFile, match=re.escape(f"{kind}: cannot be read ({told}); check")):
            read()


def test_a_pipe_that_somebody_writes_to_is_no_file_either(tmp_path: Path) -> None:
    path = made("pipe", tmp_path)
    reader = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(path, os.O_WRONLY)
    os.write(writer, b"12345")
    with pytest.raises(OSError, match="it is a pipe"):
        opened(path)
    os.close(writer)
    os.close(reader)


def test_a_name_that_no_file_can_have_is_one_sentence() -> None:
    with pytest.raises(BadFile, match=r"cannot be read \(embedded null byte\); check the name"):
        bounded(Path("a\0b"), 10)


def test_the_hash_of_a_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    expected = hashlib.sha256(b"12345").hexdigest()
    assert sha256(path) == expected
    with path.open("rb") as stream:
        stream.read(2)
        assert stream_sha256(stream) == expected
    with pytest.raises(BadFile, match="cannot be read"):
        sha256(tmp_path / "none")


@dataclass(frozen=True)
class Wheel:
    spokes: int = 8


@dataclass(frozen=True)
class Cart:
    wheels: tuple[Wheel, ...] = ()
    by_name: dict[str, Wheel] = field(default_factory=dict)


@pytest.mark.parametrize(
    ("given", "strange"),
    [
        ({"wheels": [{"spokes": 3}, {}], "by_name": {"left": {}}}, None),
        ({"whels": []}, "whels"),
        ({"wheels": [{}, {"spoke": 3}]}, "spoke"),
        ({"by_name": {"left": {"": 1}}}, ""),
    ],
)
def test_a_key_that_no_dataclass_has_is_found(given: dict[str, Any], strange: str | None) -> None:
    assert strange_key(given, msgspec.convert(given, Cart)) == strange


def test_a_folder_whose_note_says_more_than_is_understood_is_damaged(tmp_path: Path) -> None:
    with HeldFolder(tmp_path / "cart.json", format="cart", version=1, by="carts") as folder:
        folder.note({"wheels": [{"spokes": 3}]})
        assert folder.noted(Cart) == Cart(wheels=(Wheel(3),))
        folder.note({"wheels": [{"spokes": 3, "rim": 1}]})
        with pytest.raises(BadFile, match=r"cart.json: is damaged .*has the unknown key 'rim'"):
            folder.noted(Cart)
