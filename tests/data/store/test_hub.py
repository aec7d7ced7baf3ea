import json
import logging
import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import close_session, constants
from huggingface_hub.utils.tqdm import are_progress_bars_disabled

from hub_server import LISTING, RESOLVE, REVISION, Hub, blob_id, served
from paseo.data.store.hub import MARKER, SOCIALNAV_SUB, dataset_is_complete, fetch_dataset
from paseo.data.store.hub_copy import adopt_dataset
from paseo.errors import BadFile, CannotFetch, CannotWrite

FILES = {
    ".gitattributes": b"*.png filter=lfs\n",
    "README.md": b"# A small set\n",
    "empty.txt": b"",
    "front_view/33_Spot_45_228/228.jpg": bytes(range(256)) * 40,
    "front_view/33_Spot_45_228/traj_data.pkl": b"never unpickled",
    "human_labels/33_Spot_45_228/common_answers.json": b"{}",
    "prompts/33_Spot_45_228/sample with bev_0.png": b"\x89PNG first",
    "prompts/33_Spot_45_228/sample_with_bev_1.png": b"\x89PNG second",
    "prompts/33_Spot_45_228/xet_2.png": b"\x89PNG third",
    "prompts/\u00fcbersicht.json": b"[]",
}
PNG = "prompts/33_Spot_45_228/sample_with_bev_1.png"
JPG = "front_view/33_Spot_45_228/228.jpg"


@pytest.fixture(autouse=True, scope="module")
def _nothing_from_the_environment() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(constants, "HF_HUB_OFFLINE", False)
        patch.setenv("NO_PROXY", "127.0.0.1")
        close_session()  # the library's connections follow the environment they were made in
        yield
    close_session()


@pytest.fixture
def hub() -> Iterator[Hub]:
    with served(dict(FILES)) as hub:
        yield hub


def fetch(hub: Hub, folder: Path, **options: Any) -> list[int]:
    """The bytes told while fetching; waits are not waited for."""
    told: list[int] = []
    settings = {"endpoint": hub.address, "wait": lambda seconds: None, **options}
    assert fetch_dataset(hub.dataset, folder, progress=told.append, **settings) == folder
    return told


def contents(folder: Path) -> dict[str, bytes]:
    files = (each for each in folder.rglob("*") if each.is_file())
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in files}


def child(hub: Hub, folder: Path, before: str = "", **environment: str) -> str:
    """What a fresh Python says after fetching: "done" or the error, and all talk of the library."""
    script = f"""
        {before}
        from pathlib import Path
        from paseo.data.store.hub import HubDataset, fetch_dataset
        from paseo.errors import PaseoError
        try:
            fetch_dataset({hub.dataset!r}, Path({str(folder)!r}), endpoint={hub.address!r},
                          progress=lambda told: None, wait=lambda seconds: None)
            print("done")
        except PaseoError as error:
            print(type(error).__name__, error)
    """
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "XDG"))}
    said = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        env={**clean, "NO_PROXY": "127.0.0.1", **environment},
        timeout=60,
    )
    return said.stdout + said.stderr


def test_all_files_arrive_whole_and_nothing_else_does(hub: Hub, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "set"
    told = fetch(hub, folder)
    assert told == [len(FILES[path]) for path in sorted(FILES)]
    arrived = contents(folder)
    marker = json.loads(arrived.pop(MARKER))
    assert arrived == FILES
    assert marker["revision"] == hub.dataset.revision and marker["verified"] == "every file"
    assert dataset_is_complete(hub.dataset, folder)


def test_a_second_run_asks_only_for_the_listing(hub: Hub, tmp_path: Path) -> None:
    first = fetch(hub, tmp_path)
    hub.asked.clear()
    assert fetch(hub, tmp_path) == first
    assert hub.asked == [f"GET {LISTING}"]


def test_files_in_xet_storage_come_over_plain_http(hub: Hub, tmp_path: Path) -> None:
    fetch(hub, tmp_path)
    assert hub.asked_for("xet_2.png") and not hub.asked_for("GET /xet")


def test_a_file_that_changed_on_disk_is_fetched_again(hub: Hub, tmp_path: Path) -> None:
    fetch(hub, tmp_path)
    (tmp_path / JPG).write_bytes(bytes(len(FILES[JPG])))
    (tmp_path / PNG).unlink()
    hub.asked.clear()
    fetch(hub, tmp_path)
    assert {each.split(RESOLVE)[1] for each in hub.asked_for(RESOLVE)} == {JPG, PNG}
    assert contents(tmp_path).items() >= FILES.items()


def test_a_damaged_file_that_the_library_takes_for_its_own_is_fetched_again(
    hub: Hub, tmp_path: Path
) -> None:
    hub.answers[f"GET {RESOLVE}README.md"] = [404]
    with pytest.raises(CannotFetch):
        fetch(hub, tmp_path)
    assert (tmp_path / ".cache").exists() and (tmp_path / ".gitattributes").exists()
    (tmp_path / ".gitattributes").write_bytes(b"damaged")
    os.utime(tmp_path / ".gitattributes", (0, 0))  # as old as the library remembers it
    fetch(hub, tmp_path)
    assert contents(tmp_path).items() >= FILES.items()


@pytest.mark.parametrize("path", [PNG, JPG], ids=["in LFS", "in git"])
def test_a_file_with_a_wrong_byte_is_removed_and_named(hub: Hub, tmp_path: Path, path: str) -> None:
    fetch(hub, tmp_path)
    (tmp_path / path).unlink()
    hub.wrong[path] = bytes([FILES[path][0] ^ 1]) + FILES[path][1:]
    with pytest.raises(CannotFetch, match=f"{path}: what arrived has another checksum"):
        fetch(hub, tmp_path)
    assert not (tmp_path / path).exists() and (tmp_path / "README.md").exists()
    assert not dataset_is_complete(hub.dataset, tmp_path)


def test_a_cut_connection_is_resumed_where_it_broke(
    hub: Hub, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    hub.files["large.bin"] = os.urandom(1000) * 12_000  # the library keeps whole 10 MiB
    hub.cut_after["large.bin"] = 11_000_000
    fetch(hub, tmp_path)
    assert (tmp_path / "large.bin").read_bytes() == hub.files["large.bin"]
    assert [each["range"] for each in hub.headers if "range" in each] == ["bytes=10485760-"]
    assert not [each for each in caplog.records if each.name.startswith("huggingface_hub")]


@pytest.mark.parametrize("where", [f"GET {LISTING}", f"GET {RESOLVE}README.md"])
def test_a_server_that_stumbles_is_asked_again_after_a_wait(
    hub: Hub, tmp_path: Path, where: str
) -> None:
    hub.answers[where] = [503, 500]
    waits: list[float] = []
    fetch(hub, tmp_path, wait=waits.append)
    assert waits == [1, 2]


@pytest.mark.parametrize("where", [f"GET {LISTING}", f"GET {RESOLVE}README.md"])
def test_a_server_that_stays_down_is_asked_a_counted_number_of_times(
    hub: Hub, tmp_path: Path, where: str
) -> None:
    hub.answers[where] = [503] * 9
    with pytest.raises(CannotFetch, match="the hub answered 503 when asked for .*try again later"):
        fetch(hub, tmp_path, tries=4)
    assert len(hub.asked_for(where)) == 4


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_data_set_that_is_gone_or_closed_is_not_asked_for_twice(
    hub: Hub, tmp_path: Path, status: int
) -> None:
    hub.answers["GET"] = [status] * 2
    with pytest.raises(CannotFetch, match=rf"\({status}\): it was removed.*source DIR"):
        fetch(hub, tmp_path / "set")
    assert len(hub.asked) == 1 and not (tmp_path / "set").exists()


def test_a_closed_port_says_how_to_bring_a_copy(tmp_path: Path) -> None:
    with served(FILES) as hub:
        pass
    waits: list[float] = []
    with pytest.raises(CannotFetch, match="cannot be reached.*hf download.*source DIR") as told:
        fetch(hub, tmp_path, wait=waits.append)
    assert waits == [1, 2] and "\n" not in str(told.value)


def test_a_listing_with_one_file_too_many_is_refused(hub: Hub, tmp_path: Path) -> None:
    known = hub.dataset
    hub.files["more.txt"] = b"more"
    with pytest.raises(CannotFetch, match="the hub lists 11 files, expected 10"):
        fetch_dataset(known, tmp_path, endpoint=hub.address, progress=print, wait=print)
    assert contents(tmp_path) == {}


def test_a_listing_that_would_fill_the_disk_is_refused(hub: Hub, tmp_path: Path) -> None:
    hub.listing = hub.listed()
    hub.listing[0]["size"] = 10**15
    with pytest.raises(CannotFetch, match="lists 10000000000.* bytes, expected about"):
        fetch(hub, tmp_path)


@pytest.mark.parametrize(
    "path",
    ["../up.txt", "a/../../up.txt", "/etc/up.txt", "C:/up.txt", "a\\..\\up.txt", "a//up.txt",
     "./up.txt", "a/up\n.txt", ".cache/up.txt", ".GIT/config", MARKER, "", "x" * 600, None],
)  # fmt: skip
def test_a_path_that_may_leave_the_folder_is_refused(hub: Hub, tmp_path: Path, path: str) -> None:
    hub.listing = hub.listed()
    hub.listing[3]["rfilename"] = path
    with pytest.raises(CannotFetch, match="which is not safe; nothing was fetched"):
        fetch(hub, tmp_path / "set")
    assert list(tmp_path.iterdir()) == [] and len(hub.asked) == 1


@pytest.mark.parametrize(
    "path", ["README.md", "readme.MD", "README.md/x", "prompts/u\u0308bersicht.json"]
)
def test_two_files_of_one_name_are_refused(hub: Hub, tmp_path: Path, path: str) -> None:
    hub.listing = hub.listed()
    hub.listing[3]["rfilename"] = path
    with pytest.raises(CannotFetch, match="and another file of the same name"):
        fetch(hub, tmp_path)


@pytest.mark.parametrize(
    "entry", [{"size": None}, {"size": -1}, {"size": True}, {"blobId": "../x"}, {"blobId": None}]
)
def test_a_file_listed_without_size_or_checksum_is_refused(
    hub: Hub, tmp_path: Path, entry: dict[str, Any]
) -> None:
    hub.listing = hub.listed()
    hub.listing[1].update(entry)
    with pytest.raises(CannotFetch, match="does not list a size and a checksum of 'README.md'"):
        fetch(hub, tmp_path)


def test_an_answer_that_is_no_listing_is_one_sentence(hub: Hub, tmp_path: Path) -> None:
    hub.listing = [{"size": 3}]
    with pytest.raises(CannotFetch, match="as expected .KeyError: 'rfilename'.; run again"):
        fetch(hub, tmp_path)
    hub.answers["GET"] = [200]  # with an error in it
    with pytest.raises(CannotFetch, match="as expected .KeyError: 'id'.; run again"):
        fetch(hub, tmp_path)


def test_a_listing_of_another_revision_is_refused(hub: Hub, tmp_path: Path) -> None:
    hub.sha = 40 * "1"
    with pytest.raises(CannotFetch, match=f"at revision c0ffee.*with revision '{hub.sha}'"):
        fetch(hub, tmp_path)


def test_a_folder_that_cannot_be_made_is_named(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CannotWrite, match="file/set: cannot be written .Not a directory"):
        fetch(hub, tmp_path / "file" / "set")


def test_a_disk_that_fills_up_is_told_and_leaves_no_half_file(hub: Hub, tmp_path: Path) -> None:
    # A limit on the size of files stands for the full disk.
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))"
    assert child(hub, tmp_path, before=full).startswith(
        f"CannotWrite {tmp_path}: cannot be written (File too large); free some space"
    )
    assert not (tmp_path / JPG).exists()


def test_nothing_is_written_to_the_home_nor_told_to_the_hub(hub: Hub, tmp_path: Path) -> None:
    home, secret = tmp_path / "home", "hf_not_to_be_seen"
    home.mkdir()
    environment = {"HOME": str(home), "HF_TOKEN": secret, "HF_ENDPOINT": hub.address}
    assert child(hub, tmp_path / "set", **environment) == "done\n"
    assert list(home.iterdir()) == []
    assert secret not in str(hub.headers)
    assert hub.asked_for("/api/") == [f"GET {LISTING}"]


def test_another_endpoint_or_cache_in_the_environment_is_not_used(hub: Hub, tmp_path: Path) -> None:
    cached = tmp_path / "datasets--someone--Small-Set" / "snapshots" / REVISION / "README.md"
    cached.parent.mkdir(parents=True)
    cached.write_text("damaged")
    places = {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_HUB_CACHE": str(tmp_path)}
    assert child(hub, tmp_path / "set", **places, TQDM_POSITION="-1") == "done\n"  # else: bars


def test_the_library_in_its_offline_mode_is_one_sentence(hub: Hub, tmp_path: Path) -> None:
    said = child(hub, tmp_path, HF_HUB_OFFLINE="1")
    assert said.startswith("CannotFetch the list of files of someone/Small-Set may not be asked")
    assert said.count("\n") == 1 and not hub.asked


def test_a_missing_library_says_what_to_type(hub: Hub, tmp_path: Path) -> None:
    said = child(hub, tmp_path, before="import sys; sys.modules['huggingface_hub'] = None")
    assert said.startswith("CannotFetch the package huggingface_hub, which asks the Hugging")
    assert said.endswith("type pip install 'paseo[hub]'\n") and said.count("\n") == 1


def test_the_library_is_left_as_it_was(hub: Hub, tmp_path: Path) -> None:
    def settings() -> tuple[Any, ...]:
        log = logging.getLogger("huggingface_hub")
        bars = are_progress_bars_disabled("huggingface_hub.http_get")
        return constants.HF_HUB_DISABLE_TELEMETRY, constants.HF_HUB_DISABLE_XET, log.level, bars

    before = settings()
    fetch(hub, tmp_path)
    assert settings() == before


@pytest.mark.parametrize("marker", [b"", b"[]", b"{}", b"\xff", b"[" * 4096, b'{"repo": 1}'])
def test_a_marker_that_says_something_else_is_no_marker(tmp_path: Path, marker: bytes) -> None:
    assert not dataset_is_complete(SOCIALNAV_SUB, tmp_path)
    (tmp_path / MARKER).write_bytes(marker)
    assert not dataset_is_complete(SOCIALNAV_SUB, tmp_path)


def test_another_revision_is_not_complete(hub: Hub, tmp_path: Path) -> None:
    fetch(hub, tmp_path)
    assert not dataset_is_complete(replace(hub.dataset, revision=40 * "1"), tmp_path)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    extra = {".git/config": b"", ".cache/huggingface/README.md.metadata": b""}
    for path, content in {**FILES, **extra}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def test_a_copy_somebody_brings_is_adopted_and_can_be_checked_later(
    hub: Hub, clone: Path, tmp_path: Path
) -> None:
    told: list[int] = []
    folder = adopt_dataset(hub.dataset, clone, tmp_path / "set", progress=told.append)
    assert dataset_is_complete(hub.dataset, folder) and sum(told) == hub.dataset.bytes
    adopted = contents(folder)
    assert json.loads(adopted.pop(MARKER))["verified"] == "number of files"
    assert adopted == FILES and (clone / ".git").exists()
    fetch(hub, folder)
    assert hub.asked == [f"GET {LISTING}"]
    assert json.loads((folder / MARKER).read_text())["verified"] == "every file"


@pytest.mark.parametrize(
    ("files", "holds"), [(9, "more than 9"), (11, "10")], ids=["too many", "too few"]
)
def test_a_copy_with_another_number_of_files_is_refused(
    hub: Hub, clone: Path, tmp_path: Path, files: int, holds: str
) -> None:
    expected = replace(hub.dataset, files=files)
    with pytest.raises(BadFile, match=f"clone: holds {holds} files, expected the {files} of"):
        adopt_dataset(expected, clone, tmp_path / "set", progress=print)
    with pytest.raises(BadFile, match="nowhere: holds 0 files"):
        adopt_dataset(expected, tmp_path / "nowhere", tmp_path / "set", progress=print)


def test_a_clone_without_its_lfs_files_is_refused(hub: Hub, clone: Path, tmp_path: Path) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{64 * '0'}\nsize 12\n"
    (clone / PNG).write_text(pointer)
    with pytest.raises(BadFile, match="bev_1.png: only points to a file.*run `git lfs pull`"):
        adopt_dataset(hub.dataset, clone, tmp_path / "set", progress=print)
    assert [each.name for each in tmp_path.iterdir()] == ["clone"]


def test_a_folder_with_files_in_it_is_not_replaced(hub: Hub, clone: Path, tmp_path: Path) -> None:
    mine = tmp_path / "set" / "mine.txt"
    mine.parent.mkdir()
    mine.write_text("mine")
    with pytest.raises(CannotWrite, match="unfinished download"):
        adopt_dataset(hub.dataset, clone, mine.parent, progress=print)
    mine.unlink()
    adopt_dataset(hub.dataset, clone, mine.parent, progress=lambda told: None)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["clone", "set"]


def test_the_blob_id_is_the_one_git_gives() -> None:
    assert blob_id(b"hello world\n") == "3b18e512dba79e4c8300dd08aeb37f8e728b8dad"


@pytest.mark.recordings
def test_the_facts_agree_with_the_account_of_the_shared_data(data_dir: Path) -> None:
    told = json.loads((data_dir / "sources.json").read_text())["socialnavsub"]
    assert told["dataset"].endswith(f"datasets/{SOCIALNAV_SUB.repo}")
    assert told["revision"] == SOCIALNAV_SUB.revision and told["licence"] == SOCIALNAV_SUB.licence
    assert (told["files"], told["bytes"]) == (SOCIALNAV_SUB.files, SOCIALNAV_SUB.bytes)
