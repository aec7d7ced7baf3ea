"""Files: whole or not there, held by one process, read within bounds."""

import hashlib
import os
import subprocess
import sys
import textwrap
from pathlib import Path

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
    remove_drafts,
    sha256,
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
