"""Data sets of the Hugging Face hub, fetched at one revision and checked file by file."""

import hashlib
import json
import logging
import re
import shutil
import unicodedata
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paseo.errors import CannotFetch, CannotWrite, MissingExtra, PaseoError, require
from paseo.files import opened, write_whole
from paseo.parsing.json import json_value
from paseo.text import error_words
from paseo.version import paseo_version

if TYPE_CHECKING:
    from huggingface_hub import HfApi

MARKER, EVERY_FILE = "paseo-dataset.json", "every file"
NOT_DATA = {".git", ".cache", MARKER}
LONGEST_WAIT = 30.0  # seconds for the listing; files have the library's own limit of 10
LONGEST_PATH = 512  # bytes
MOST_TIMES_AS_LARGE = 2
WORKERS = 8
PASSING = {408, 429, *range(500, 600)}  # answers that may be others a moment later
DIGEST = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
BARS = "huggingface_hub.http_get"  # as the library names them

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class HubDataset:
    """A data set on the hub, pinned to one revision, and how to know it."""

    name: str
    repo: str
    revision: str  # the commit
    files: int
    bytes: int  # about: what the hub says the repository takes, which is no sum of file sizes
    licence: str
    citation: str


SOCIALNAV_SUB = HubDataset(
    name="socialnav-sub",
    repo="michaelmunje/SocialNav-SUB",
    revision="7810d71a0da1c56f99e0e17439fab118d150a0a3",
    files=1512,
    bytes=821_663_739,
    licence="MIT",
    citation="Munje, Tang, Liu, Hu, Zhu, Cui, Warnell, Biswas, Stone: SocialNav-SUB: Benchmarking "
    "VLMs for Scene Understanding in Social Robot Navigation. CoRL 2025, arXiv:2509.08757.",
)


@dataclass(frozen=True, slots=True)
class _HubFile:
    path: str  # with forward slashes, below the data set's folder
    bytes: int
    digest: str  # 64 digits: SHA-256 of a file in LFS; 40 digits: the id git gives the content


@dataclass(frozen=True, slots=True, kw_only=True)
class _Errand:
    dataset: HubDataset
    folder: Path
    api: "HfApi"
    tries: int
    wait: Callable[[float], None]


def fetch_dataset(
    dataset: HubDataset,
    folder: Path,
    *,
    endpoint: str | None = None,
    progress: Progress,
    tries: int = 3,
    wait: Callable[[float], None],
) -> Path:
    """Fetch what is not yet in the folder, check every file against the hub's listing, mark it.

    `progress` is called with the bytes of each file that is there and checked, in the order of
    their paths. `wait` is called with seconds before each new try, from several threads. What
    arrived before a failure stays and is not asked for again.
    """
    api = _hub_api(endpoint)
    errand = _Errand(dataset=dataset, folder=folder, api=api, tries=tries, wait=wait)
    with _quiet_library():
        files = _listing(errand)
        _make_unmarked(folder)
        pool = ThreadPoolExecutor(WORKERS)
        try:
            for fetched in pool.map(lambda each: _fetched(errand, each), files):
                progress(fetched)
        finally:
            pool.shutdown(cancel_futures=True)
    mark(dataset, folder, verified=EVERY_FILE)
    # The library's notes on each file: older versions need them to go on after a failure.
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    return folder


def dataset_is_complete(dataset: HubDataset, folder: Path, *, every_file: bool = False) -> bool:
    """Whether the folder was marked as holding this revision, `every_file` of it compared."""
    try:
        with opened(folder / MARKER) as stream:
            marker = json_value(stream.read(4096))
    except (OSError, ValueError, RecursionError):
        return False
    wanted = {**_facts(dataset), **({"verified": EVERY_FILE} if every_file else {})}
    return isinstance(marker, dict) and wanted.items() <= marker.items()


def _hub_api(endpoint: str | None) -> "HfApi":
    try:
        hub = require("huggingface_hub", "hub", "asks the Hugging Face hub")
    except MissingExtra as error:
        raise CannotFetch(str(error)) from error
    # No token: the data is public, and nothing secret is to leave this machine.
    return hub.HfApi(endpoint, token=False, library_name="paseo", library_version=paseo_version())


@contextmanager
def _quiet_library() -> Iterator[None]:
    """The library without its bars and warnings, and with two of its own switches set.

    Telemetry asks the hub for a list of coding agents and Xet asks other hosts; both keep files
    in the user's home. The library reads the switches from these constants at every call, but
    from the environment only when it is first imported.
    """
    from huggingface_hub import constants

    bars = import_module("huggingface_hub.utils.tqdm")  # a class of its parent hides its name
    log = logging.getLogger("huggingface_hub")
    switches = ("HF_HUB_DISABLE_TELEMETRY", "HF_HUB_DISABLE_XET")
    before = [getattr(constants, name, False) for name in switches]
    level, had_bars = log.level, not bars.are_progress_bars_disabled(BARS)
    with warnings.catch_warnings(action="ignore"):
        try:
            for name in switches:
                setattr(constants, name, True)
            log.setLevel(logging.CRITICAL)
            bars.disable_progress_bars(BARS)
            yield
        finally:
            for name, value in zip(switches, before, strict=True):
                setattr(constants, name, value)
            log.setLevel(level)
            if had_bars:
                bars.enable_progress_bars(BARS)


def _listing(errand: _Errand) -> list[_HubFile]:
    """The files of the revision, sorted by path, as the hub tells them; none of it is trusted."""
    dataset = errand.dataset
    # Not list_repo_tree, which waits for a stalled server without end.
    info = _asked(
        errand,
        f"the list of files of {dataset.repo}",
        lambda: errand.api.dataset_info(
            dataset.repo, revision=dataset.revision, files_metadata=True, timeout=LONGEST_WAIT
        ),
    )
    if info.sha != dataset.revision:
        raise _unlike(dataset, f"the hub answered with revision {str(info.sha)[:40]!r}")
    files = [_hub_file(dataset, each) for each in info.siblings or []]
    if len(files) != dataset.files:
        raise _unlike(dataset, f"the hub lists {len(files)} files, expected {dataset.files}")
    total = sum(each.bytes for each in files)
    if total > MOST_TIMES_AS_LARGE * dataset.bytes:
        raise _unlike(dataset, f"the hub lists {total} bytes, expected about {dataset.bytes}")
    _check_clashes(dataset, [each.path for each in files])
    return sorted(files, key=lambda each: each.path)


def _hub_file(dataset: HubDataset, listed: Any) -> _HubFile:
    path, size, digest = listed.rfilename, listed.size, listed.blob_id
    if listed.lfs:
        size, digest = listed.lfs.size, listed.lfs.sha256
    if not isinstance(path, str) or not _stays_inside(path):
        raise _unlike(dataset, f"the hub lists the path {str(path)[:80]!r}, which is not safe")
    if type(size) is not int or size < 0 or not DIGEST.fullmatch(str(digest)):
        raise _unlike(dataset, f"the hub does not list a size and a checksum of '{path}'")
    return _HubFile(path, size, str(digest))


def _stays_inside(path: str) -> bool:
    parts = path.split("/")  # an absolute path has an empty first part
    return (
        path.isprintable()
        and len(path.encode()) <= LONGEST_PATH
        and not any(mark in path for mark in '\\:*?"<>|')
        and not any(part in {"", ".", ".."} for part in parts)
        and parts[0].casefold() not in NOT_DATA
    )


def _check_clashes(dataset: HubDataset, paths: list[str]) -> None:
    """Two files may not share a name where case or accents are one, nor be file and folder."""
    names = {path: unicodedata.normalize("NFC", path).casefold() for path in paths}
    times = Counter(names[path] for path in paths)
    folders = {str(parent) for name in names.values() for parent in Path(name).parents}
    for path, name in names.items():
        if times[name] > 1 or name in folders:
            raise _unlike(dataset, f"the hub lists '{path}' and another file of the same name")


def _fetched(errand: _Errand, file: _HubFile) -> int:
    """The bytes of a file that is in the folder and checked, after fetching it if need be."""
    place, dataset = errand.folder / file.path, errand.dataset

    def download() -> None:
        place.unlink(missing_ok=True)  # else the library may keep it, unchecked
        errand.api.hf_hub_download(
            dataset.repo,
            file.path,
            repo_type="dataset",
            revision=dataset.revision,
            local_dir=errand.folder,
            cache_dir=errand.folder / ".cache" / "huggingface",  # not the one in the user's home
        )

    if not _verifies(file, place):
        _asked(errand, f"'{file.path}' of {dataset.repo}", download)
        if not _verifies(file, place):
            with suppress(OSError):
                place.unlink()
            raise CannotFetch(
                f"{place}: what arrived has another checksum than the hub lists, so it was "
                "removed; run the command again, and if it happens again tell the data's authors"
            )
    return file.bytes


def _verifies(file: _HubFile, place: Path) -> bool:
    if len(file.digest) == 64:
        empty = hashlib.sha256()
    else:
        empty = hashlib.sha1(b"blob %d\0" % file.bytes, usedforsecurity=False)
    try:
        if place.stat().st_size != file.bytes:
            return False
        with opened(place) as stream:
            return hashlib.file_digest(stream, lambda: empty).hexdigest() == file.digest
    except OSError:
        return False


def _asked(errand: _Errand, what: str, ask: Callable[[], Any]) -> Any:
    """The library's answer, asked for `tries` times while failures may pass."""
    attempt = 0
    while True:
        attempt += 1
        try:
            return ask()
        except Exception as error:  # the transports of its versions raise different families
            failure, may_pass = _explained(errand, what, error)
            if not may_pass or attempt >= errand.tries:
                raise failure from error
            errand.wait(2.0 ** (attempt - 1))


def _explained(errand: _Errand, what: str, error: Exception) -> tuple[PaseoError, bool]:
    """What to tell about a failure of the library, and whether it may pass by itself."""
    from huggingface_hub import errors

    cause: BaseException = error
    if isinstance(error, errors.LocalEntryNotFoundError) and error.__cause__:
        cause = error.__cause__
    copy = download_line(errand.dataset)
    status = getattr(getattr(cause, "response", None), "status_code", None)
    if isinstance(cause, errors.OfflineModeIsEnabled):
        told = f"{what} may not be asked for while HF_HUB_OFFLINE is set; unset it, or {copy}"
        return _told(told), False
    if status in (401, 403, 404):
        told = f"the hub does not give {what} ({status}): it was removed, renamed or closed; {copy}"
        return _told(told), False
    if status is not None:
        told = f"the hub answered {status} when asked for {what}; try again later, or {copy}"
        return _told(told), status in PASSING
    transport = errors.HfHubHTTPError.__bases__[0]  # of httpx2, httpx or requests, by version
    if isinstance(cause, transport | ConnectionError | TimeoutError):
        told = f"the hub cannot be reached for {what} ({_reason(cause)})"
        return _told(f"{told}; check the connection and run again, or {copy}"), True
    if isinstance(cause, OSError) and cause.errno is not None:
        return _cannot_write(errand.folder, cause), False
    told = f"the hub did not give {what} as expected ({_reason(cause)}); run again, or {copy}"
    return _told(told), isinstance(cause, OSError)  # such as a file cut short


def _told(sentence: str) -> CannotFetch:
    return CannotFetch(sentence, parameters=["source"])


def _reason(error: BaseException) -> str:
    return error_words(error, 120)


def download_line(dataset: HubDataset) -> str:
    """How to get the data set by other means; names the parameter `source`."""
    return (
        f"bring a copy from elsewhere: `hf download {dataset.repo} --repo-type dataset --revision "
        f"{dataset.revision} --local-dir DIR`, then `paseo data fetch {dataset.name}` with "
        "source DIR"
    )


def _unlike(dataset: HubDataset, problem: str) -> CannotFetch:
    told = f"{dataset.repo} at revision {dataset.revision}: {problem}; nothing was fetched"
    return CannotFetch(f"{told}. Try again later, or update Paseo")


def _cannot_write(folder: Path, error: OSError) -> CannotWrite:
    """The sentence for a folder that cannot be written."""
    told = f"{folder}: cannot be written ({error.strerror or error})"
    return CannotWrite(f"{told}; free some space or choose another folder, then run again")


def _make_unmarked(folder: Path) -> None:
    """Make the folder; it bears no mark until every file is checked."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / MARKER).unlink(missing_ok=True)
    except OSError as error:
        raise _cannot_write(folder, error) from error


def _facts(dataset: HubDataset) -> dict[str, str | int]:
    return {"repo": dataset.repo, "revision": dataset.revision, "files": dataset.files}


def mark(dataset: HubDataset, folder: Path, *, verified: str) -> None:
    """Write what the folder holds, and how that was checked."""
    text = json.dumps({**_facts(dataset), "verified": verified}, indent=1)
    write_whole(folder / MARKER, text.encode())
