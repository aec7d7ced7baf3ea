import errno
import hashlib
import os
import random
import socket
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import trustme

from paseo.data.store.catalog import RemoteFile
from paseo.data.store.download import MOST_FILES, download, from_folder, verified
from paseo.errors import BadValue, CannotFetch, CannotWrite
from paseo.version import paseo_version
from servers import Site, served

CONTENT = random.Random(0).randbytes(200_000)
SUM = hashlib.sha256(CONTENT).hexdigest()
PATH = "/walks/eth.csv"
NOWHERE = RemoteFile("http://127.0.0.1:1/walks/eth.csv", SUM, len(CONTENT))
BRING = "download it on another machine, bring the file here and pass source DIR"


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "eth.csv"


@pytest.fixture
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a server on this machine, with who vouches for it in authority.pem beside it."""
    folder, authority = tmp_path_factory.mktemp("tls"), trustme.CA()
    authority.cert_pem.write_to_path(folder / "authority.pem")
    file = folder / "certificate.pem"
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(file)
    return file


def site(**faults: Any) -> Site:
    return Site(files={PATH: CONTENT}, **faults)


def remote(address: str, path: str = PATH) -> RemoteFile:
    return RemoteFile(address + path, SUM, len(CONTENT))


def parts(target: Path) -> list[Path]:
    return list(target.parent.glob(".*.part"))


def leave_part(target: Path, content: bytes) -> None:
    """What a download that was interrupted leaves behind."""
    target.with_name(f".{target.name}.{SUM[:16]}.part").write_bytes(content)


def fetched(file: RemoteFile, target: Path, **options: Any) -> tuple[list[int], list[float]]:
    """The bytes that were told as progress, and the pauses between attempts."""
    steps, pauses = list[int](), list[float]()
    download(file, target, progress=steps.append, wait=pauses.append, timeout=10, **options)
    assert sum(steps) == file.bytes
    assert verified(target, file)
    assert parts(target) == []
    return steps, pauses


def fetched_from(offer: Site, target: Path, path: str = PATH) -> tuple[list[int], list[float]]:
    with served(offer) as address:
        return fetched(remote(address, path), target)


def refused(file: RemoteFile, target: Path, *, pauses: int = 0, **options: Any) -> str:
    """The one sentence with which a download fails, after so many pauses."""
    waited = list[float]()
    given: dict[str, Any] = {"progress": lambda count: None, "wait": waited.append, "timeout": 10}
    with pytest.raises(CannotFetch) as told:
        download(file, target, **(given | options))
    assert not target.exists()
    assert len(waited) == pauses
    assert str(told.value).startswith(f"{file.url}: ") and "\n" not in str(told.value)
    return str(told.value)


def refused_by(offer: Site, target: Path, path: str = PATH, **options: Any) -> str:
    with served(offer) as address:
        return refused(remote(address, path), target, **options)


def test_a_file_is_fetched_once_and_nothing_personal_is_sent(target: Path) -> None:
    offer = site()
    with served(offer) as address:
        fetched(remote(address), target)
        assert fetched(remote(address), target) == ([200_000], [])
    assert list(target.parent.iterdir()) == [target]
    (headers,) = offer.headers
    assert headers["user-agent"] == f"paseo/{paseo_version()}"
    assert not headers.keys() & {"authorization", "cookie", "referer", "from", "range"}


def test_folders_are_made_and_a_wrong_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folder" / "eth.csv"
    fetched_from(site(), target)
    target.write_bytes(CONTENT[::-1])
    fetched_from(site(), target)


def test_what_is_empty_or_already_here_needs_no_connection(target: Path) -> None:
    fetched(RemoteFile(NOWHERE.url, hashlib.sha256().hexdigest(), 0), target)
    leave_part(target, CONTENT)
    assert fetched(NOWHERE, target) == ([200_000], [])


@pytest.mark.parametrize("mirror", ["{}", "{}/", "{}/mirrors/of//"])
def test_a_mirror_stands_in_for_scheme_and_host(target: Path, mirror: str) -> None:
    path = mirror.format("").rstrip("/") + PATH + "?raw=1"
    with served(Site(files={path: CONTENT})) as address:
        file = remote("https://walks.invalid", f"{PATH}?raw=1")
        fetched(file, target, mirror=mirror.format(address))


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "ftp://host/a", "data:,x", "eth.csv", "", "http:///a", "http://[/a"]
    + ["http://h:99999/", "http://h:0/", "http://a..b/", "http://h/a b", "http://h/\n", "http://ö"],
)
def test_only_web_addresses_are_asked(target: Path, address: str) -> None:
    for url, mirror in ((address, None), (NOWHERE.url, address)):
        with pytest.raises(BadValue, match="is no web address, expected http:// or https:// and"):
            fetched(RemoteFile(url, SUM, len(CONTENT)), target, mirror=mirror)
    assert list(target.parent.iterdir()) == []


def test_passwords_and_questions_in_addresses_are_refused(target: Path) -> None:
    for mirror in ("http://me:secret@host", "http://host/?folder=", "http://host/#"):
        with pytest.raises(BadValue) as told:
            fetched(NOWHERE, target, mirror=mirror)
        assert "secret" not in str(told.value)


def test_a_cut_connection_is_continued_where_it_stopped(target: Path) -> None:
    offer = site(cuts=[70_000, 30_000])
    steps, pauses = fetched_from(offer, target)
    assert offer.ranges == [None, "bytes=70000-", "bytes=100000-"]
    assert min(steps) >= 0
    assert pauses == [1, 2]


def test_a_connection_that_is_always_cut_keeps_what_arrived_for_the_next_time(target: Path) -> None:
    offer = site(always_cut=50_000)
    told = refused_by(offer, target, pauses=1, tries=2)
    assert "the connection was cut (2 attempts); try later, choose another mirror" in told
    (part,) = parts(target)
    assert part.read_bytes() == CONTENT[:100_000]
    assert fetched_from(offer, target)[0][0] == 100_000
    assert offer.ranges[2:] == ["bytes=100000-", "bytes=150000-"]


def test_a_server_that_ignores_ranges_is_read_from_the_beginning(target: Path) -> None:
    leave_part(target, b"x" * 1000)
    offer = site(ignores_range=True)
    assert fetched_from(offer, target)[0][:2] == [1000, -1000]
    assert offer.ranges == ["bytes=1000-"]


@pytest.mark.parametrize(
    "told",
    ["bytes 0-199999/200000", "bytes 1000-199999/7", "bytes */200000", "rows 1000-199999/200000"]
    + ["bytes 1001-199999/200000", "bytes 1000", "nonsense", "bytes -1-5/200000"],
)
def test_a_wrong_content_range_starts_over(target: Path, told: str) -> None:
    leave_part(target, CONTENT[:1000])
    offer = site(content_range=told)
    steps, pauses = fetched_from(offer, target)
    assert (steps[:2], pauses) == ([1000, -1000], [])
    assert offer.ranges == ["bytes=1000-", None]


def test_a_range_that_cannot_be_satisfied_starts_over(target: Path) -> None:
    leave_part(target, b"x")
    offer = site(statuses=[416])
    fetched_from(offer, target)
    assert offer.ranges == ["bytes=1-", None]


@pytest.mark.parametrize("size", [200_000, 200_001])
def test_a_part_that_cannot_become_the_file_is_not_continued(target: Path, size: int) -> None:
    leave_part(target, bytes(size))
    offer = site()
    assert fetched_from(offer, target)[0][0] == 0
    assert offer.ranges == [None]


def test_parts_of_other_files_are_left_alone(target: Path) -> None:
    other = target.with_name(f".{target.name}.0123456789abcdef.part")
    other.write_bytes(b"other")
    with served(site()) as address:
        download(remote(address), target, progress=lambda count: None, wait=time.sleep)
    assert (other.read_bytes(), target.read_bytes()) == (b"other", CONTENT)


@pytest.mark.parametrize("more", [b"", bytes(2**16)])
def test_wrong_bytes_are_told_and_not_kept(target: Path, more: bytes) -> None:
    flipped = bytes([CONTENT[0] ^ 1]) + CONTENT[1:]
    told = refused_by(Site(files={PATH: flipped}, length=-1, more=more), target)
    found = hashlib.sha256(flipped).hexdigest()[:12]
    assert f"its bytes have the SHA-256 {found}..., expected {SUM[:12]}...; nothing" in told
    assert told.endswith("nothing was kept; try again or choose another mirror")
    assert parts(target) == []


def test_a_server_that_never_stops_is_left_when_the_file_is_whole(target: Path) -> None:
    fetched_from(site(length=-1, more=bytes(2**16)), target)


@pytest.mark.parametrize("length", [199_999, 200_001, 10**15])
def test_a_file_of_another_size_is_not_even_read(target: Path, length: int) -> None:
    told = refused_by(site(length=length), target)
    assert "has changed, expected 200000 bytes" in told
    assert parts(target) == []


@pytest.mark.parametrize(
    ("status", "words"),
    [(404, "is no longer there"), (410, "is no longer there"), (403, "is not given to everybody")]
    + [(429, "was asked for too often"), (418, "cannot be had"), (204, "cannot be had")],
)
def test_a_refusal_is_told_at_once(target: Path, status: int, words: str) -> None:
    offer = site(statuses=[status])
    assert f": {words} (HTTP {status}); try later" in refused_by(offer, target)
    assert len(offer.asked) == 1
    assert parts(target) == []


def test_a_server_that_fails_for_a_while_is_asked_again(target: Path) -> None:
    told = refused_by(site(statuses=[500, 502, 503]), target, pauses=2)
    assert "the server failed (HTTP 503) (3 attempts); try later" in told
    assert fetched_from(site(statuses=[500, 503]), target)[1] == [1, 2]


def test_redirects_are_followed_and_what_was_left_is_continued(target: Path) -> None:
    leave_part(target, CONTENT[:500])
    offer = site(redirects={f"/{n}": f"/{n + 1}" for n in range(4)} | {"/4": f"..{PATH}"})
    fetched_from(offer, target, "/0")
    assert offer.asked == ["/0", "/1", "/2", "/3", "/4", PATH]
    assert set(offer.ranges) == {"bytes=500-"}


def test_redirects_in_a_circle_come_to_an_end(target: Path) -> None:
    offer = Site(redirects={"/a": "/b", "/b": "/a"})
    told = refused_by(offer, target, "/a")
    assert "is redirected more than 5 times, perhaps in a circle; try later" in told
    assert len(offer.asked) == 6


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "ftp://host/", "", "http://[", "http://me:pw@host/", "x:"]
)
def test_redirects_to_other_than_web_addresses_are_refused(target: Path, location: str) -> None:
    told = refused_by(Site(redirects={"/a": location}), target, "/a")
    assert f"is redirected to {location!r}, which is no web address" in told


def test_a_redirect_may_hold_letters_that_are_no_ascii(target: Path) -> None:
    offer = Site(files={"/H%F6fe%20a": CONTENT}, redirects={"/a": "/Höfe a"})
    fetched_from(offer, target, "/a")


def test_a_redirect_may_lead_to_but_not_away_from_encryption(
    target: Path, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.with_name("authority.pem")))
    hidden, shown = site(), Site()
    with served(hidden, certificate=certificate) as safe, served(shown) as plain:
        shown.redirects["/a"], hidden.redirects["/b"] = safe + PATH, plain + PATH
        told = refused(remote(safe, "/b"), target)
        fetched(remote(plain, "/a"), target)
    assert f"is redirected to '{plain}{PATH}', which anybody could forge" in told


def test_a_certificate_that_is_not_trusted_is_told(target: Path, certificate: Path) -> None:
    with served(site(), certificate=certificate) as address:
        told = refused(remote(address), target)
    assert "the certificate of 127.0.0.1 is not to be trusted (" in told
    assert told.endswith(BRING)


def test_without_a_connection_the_way_around_is_told_at_once(target: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and does not listen
        told = refused(remote(f"http://127.0.0.1:{taken.getsockname()[1]}"), target)
    assert "127.0.0.1 cannot be reached (Connection refused); try later" in told
    assert told.endswith(BRING)
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize(
    "error",
    [
        socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution"),
        OSError(errno.ENETUNREACH, "Network is unreachable"),
        OSError(errno.EHOSTUNREACH, "No route to host"),
        TimeoutError("timed out"),
    ],
)
def test_a_machine_without_a_network_is_told_the_way_around(
    target: Path, error: OSError, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*address: object, **options: object) -> None:
        raise error

    monkeypatch.setattr(socket, "create_connection", fail)
    told = refused(remote("http://walks.invalid"), target)
    assert f"walks.invalid cannot be reached ({error.strerror or error}); try later" in told
    assert told.endswith(BRING)


def test_a_network_that_is_lost_for_a_moment_is_waited_for(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect, offer, pauses = socket.create_connection, site(cuts=[1000]), list[float]()

    def fail(*address: object, **options: object) -> None:
        monkeypatch.setattr(socket, "create_connection", connect)
        raise OSError(errno.ENETUNREACH, "Network is unreachable")

    def lose(count: int) -> None:
        if len(offer.asked) == 1:
            monkeypatch.setattr(socket, "create_connection", fail)

    with served(offer) as address:
        download(remote(address), target, progress=lose, wait=pauses.append)
    assert (target.read_bytes(), pauses) == (CONTENT, [1, 2])


@pytest.mark.parametrize("stall", [0, 1000])
def test_a_server_that_hangs_is_given_up(target: Path, stall: int) -> None:
    told = refused_by(site(stall=stall), target, pauses=1, tries=2, timeout=0.2)
    assert "127.0.0.1 sent nothing for 0.2 s (2 attempts); try later" in told


def test_a_server_that_never_answers_is_given_up(target: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        told = refused(remote(address), target, pauses=2, timeout=0.1)
    assert "sent nothing for 0.1 s (3 attempts)" in told


def test_a_server_that_drips_is_given_up(target: Path) -> None:
    with served(Site(files={PATH: CONTENT[:300]}, piece=1, pause=0.05)) as address:
        told = refused(RemoteFile(address + PATH, SUM, 300), target, tries=1, timeout=1.0)
    assert "less than 1000 bytes per second arrived" in told


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "raw",
    [b"", b"\n", b"SSH-2.0-x\r\n", b"HTTP/1.1 \xff\r\n\r\n", b"HTTP/1.1 200 " + b"x" * 70_000]
    + [OK + b"a: b\r\n" * 200, OK + b"\r\n", OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n"]
    + [b"HTTP/1.1 206 OK\r\nContent-Range: bytes 0-9/200000\r\n\r\n"],
)
def test_nonsense_instead_of_an_answer_is_told(target: Path, raw: bytes) -> None:
    told = refused_by(Site(raw=raw), target, pauses=2)
    assert "the connection was cut" in told or "127.0.0.1 does not speak HTTP" in told


def test_another_download_of_the_same_file_is_not_disturbed(target: Path) -> None:
    def meanwhile(count: int) -> None:
        with pytest.raises(CannotFetch, match="another process is writing it; wait until"):
            fetched(NOWHERE, target)

    with served(site()) as address:
        download(remote(address), target, progress=meanwhile, wait=time.sleep)
    assert target.read_bytes() == CONTENT


def child(script: str, file: RemoteFile, *paths: Path) -> list[str]:
    """The command that runs a script in a process of its own."""
    start = """
        import resource, signal, sys, time
        from pathlib import Path
        from paseo.data.store.catalog import RemoteFile
        from paseo.data.store.download import download, from_folder
        from paseo.errors import CannotWrite

        def limit(size):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

        file = RemoteFile(sys.argv[1], sys.argv[2], int(sys.argv[3]))
        target, folder = Path(sys.argv[4]), Path(sys.argv[-1])
        options = {"progress": lambda count: None, "wait": time.sleep}
    """
    code = textwrap.dedent(start) + textwrap.dedent(script)
    return [sys.executable, "-c", code, file.url, file.sha256, str(file.bytes), *map(str, paths)]


def test_a_download_that_is_killed_is_continued_by_the_next(target: Path) -> None:
    offer = site(piece=5000, pause=0.02)
    with served(offer) as address:
        command = child("download(file, target, **options)", remote(address), target)
        with subprocess.Popen(command) as process:
            while not parts(target) or parts(target)[0].stat().st_size < 20_000:
                assert process.poll() is None
                time.sleep(0.01)
            process.kill()
        there = parts(target)[0].stat().st_size
        assert not target.exists()
        assert 20_000 <= there < 200_000
        offer.pause = 0.0
        steps, _ = fetched(remote(address), target)
    assert offer.ranges == [None, f"bytes={there}-"]
    assert steps[0] == there


SAVE_AND_TELL = """
    {limit}
    try:
        {way}
    except CannotWrite as error:
        print(error)
    print([path.name for path in target.parent.iterdir()])
"""
WAYS = ["download(file, target, **options)", "from_folder(file, folder, target)"]
UNSHARED = ("unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o size=64k none "$0" && exec "$@"')


def small_disk(folder: Path) -> list[str]:
    """What to put before a command so that it sees a small disk there; nothing if it cannot be."""
    before = [*UNSHARED, str(folder)]
    with suppress(OSError):
        if not subprocess.run([*before, "true"], capture_output=True, check=False).returncode:
            return before
    return []


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mounted", [True, False])
def test_a_full_disk_is_told_and_nothing_is_left(tmp_path: Path, way: str, mounted: bool) -> None:
    """A small disk where the machine lets one be mounted, and else a limit on the size of files."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "brought").write_bytes(CONTENT)
    target = tmp_path / "disk" / "eth.csv"
    before = small_disk(target.parent) if mounted else []
    script = SAVE_AND_TELL.format(limit="" if before else "limit(65536)", way=way)
    with served(site()) as address:
        command = [*before, *child(script, remote(address), target, tmp_path)]
        told = subprocess.run(command, capture_output=True, text=True, check=True)
    reason = "No space left on device" if before else "File too large"
    sentence, left = told.stdout.splitlines()
    assert sentence.startswith(f"{target}: cannot be written ({reason}); nothing was left there")
    assert (left, told.stderr) == ("[]", "")


@pytest.mark.parametrize("where", ["file/eth.csv", "folder", "x" * 300, "fifo"])
def test_a_place_that_cannot_be_written_to_is_told(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(CannotWrite, match=r"cannot be written \(|is no file and not to be") as told:
        fetched_from(site(), tmp_path / where)
    assert str(told.value).startswith(f"{tmp_path / where}"[:120])  # long names are shortened
    assert sorted(each.name for each in tmp_path.iterdir()) == ["fifo", "file", "folder"]


def test_a_link_in_the_place_of_the_part_is_not_followed(tmp_path: Path, target: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (tmp_path / f".eth.csv.{SUM[:16]}.part").symlink_to(victim)
    with pytest.raises(CannotWrite, match="cannot be written"):
        fetched_from(site(), target)
    assert victim.read_text() == "precious"


def test_a_file_is_verified_by_size_and_sum(target: Path) -> None:
    for content, right in ((CONTENT, True), (CONTENT[:-1], False), (CONTENT[::-1], False)):
        target.write_bytes(content)
        assert verified(target, NOWHERE) is right
    assert not verified(target.parent, NOWHERE)
    assert not verified(target / "nobody", NOWHERE)


def test_a_file_that_was_brought_is_found_by_its_bytes(tmp_path: Path) -> None:
    brought, target = tmp_path / "brought", tmp_path / "data" / "eth.csv"
    (brought / "folder").mkdir(parents=True)
    (brought / "folder" / "inner").write_bytes(CONTENT)
    (brought / "same size").write_bytes(CONTENT[::-1])
    (brought / "dangling").symlink_to("nowhere")
    assert not from_folder(NOWHERE, brought, target)
    assert not target.exists()
    (brought / "download (1).txt").write_bytes(CONTENT)
    assert from_folder(NOWHERE, brought, target)
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("left", [b"x" * 300_000, CONTENT])
def test_a_part_left_by_a_download_does_not_spoil_the_copy(target: Path, left: bytes) -> None:
    leave_part(target, left)
    assert not from_folder(NOWHERE, target.parent, target)
    target.with_name("brought").write_bytes(CONTENT)
    assert from_folder(NOWHERE, target.parent, target)
    assert (target.read_bytes(), parts(target)) == (CONTENT, [])


def test_a_folder_that_is_not_there_or_too_full_is_refused(tmp_path: Path, target: Path) -> None:
    with pytest.raises(BadValue, match=r"nobody: cannot be read \(No such file or directory\)"):
        from_folder(NOWHERE, tmp_path / "nobody", target)
    for n in range(MOST_FILES + 1):
        (tmp_path / str(n)).touch()
    with pytest.raises(BadValue, match="holds more than 5000 files, expected a folder with the"):
        from_folder(NOWHERE, tmp_path, target)
