"""Known recordings fetched from a server on this machine that holds the published bytes."""

import gzip
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from paseo.data.store.catalog import KnownRecording, known_recordings
from paseo.data.store.fetching import Fetched, FetchOptions, fetch, fetch_recording
from paseo.data.store.locations import DataFolder
from paseo.errors import CannotFetch, InputError, MissingData, UnknownName
from servers import Site, served

RAW = {
    "eth": ("eth_obsmat.txt.gz", "eth_groups.txt"),
    "hotel": ("hotel_obsmat.txt.gz", "hotel_groups.txt"),
    "univ": ("univ_students03_annotation.vsp.gz", "univ_groups.txt"),
    "zara01": ("zara01_annotation.vsp.gz", "zara01_groups.txt"),
    "zara02": ("zara02_annotation.vsp.gz", "zara02_groups.txt"),
}
each_recording = pytest.mark.parametrize("name", RAW)
pytestmark = pytest.mark.recordings


def published(name: str, data_dir: Path) -> dict[str, bytes]:
    """The bytes at the addresses of the catalog, by path."""
    known, raw = known_recordings()[name], data_dir / "ethucy" / "raw"
    annotation, groups = RAW[name]
    return {
        urlsplit(known.annotation.url).path: gzip.decompress((raw / annotation).read_bytes()),
        urlsplit(known.groups.url).path: (raw / groups).read_bytes(),
    }


def way(mirror: str | None = None, source: Path | None = None) -> FetchOptions:
    return FetchOptions(mirror=mirror, source=source, wait=lambda _: None)


def published_fetch(known: KnownRecording, data: Path, site: Site) -> Path:
    with served(site) as address:
        return fetch_recording(known, data, way(mirror=address), lambda _: None)


@each_recording
def test_what_is_fetched_gives_the_published_tracks_to_a_millimetre(
    name: str, data_dir: Path, tmp_path: Path
) -> None:
    published_fetch(known_recordings()[name], tmp_path, Site(files=published(name, data_dir)))
    fetched, shared = DataFolder(tmp_path).recording(name), DataFolder(data_dir).recording(name)
    assert [t.id for t in fetched.tracks] == [t.id for t in shared.tracks]
    for ours, theirs in zip(fetched.tracks, shared.tracks, strict=True):
        assert ours.times[[0, -1]] == pytest.approx(theirs.times[[0, -1]])
        difference = ours.positions_at(theirs.times) - theirs.positions
        assert np.hypot(*difference.T).max() < 1e-3
    assert (fetched.fps, fetched.groups) == (shared.fps, shared.groups)


def test_fetching_again_asks_for_nothing_and_changes_nothing(
    data_dir: Path, tmp_path: Path
) -> None:
    known, site = known_recordings()["zara01"], Site(files=published("zara01", data_dir))
    folder = published_fetch(known, tmp_path, site)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    asked = len(site.asked)
    site.closing.clear()
    published_fetch(known, tmp_path, site)
    assert len(site.asked) == asked
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_a_cut_connection_is_taken_up_where_it_ended(data_dir: Path, tmp_path: Path) -> None:
    site = Site(files=published("zara01", data_dir), cuts=[30_000, 20_000])
    published_fetch(known_recordings()["zara01"], tmp_path, site)
    assert [r for r in site.ranges if r] == ["bytes=30000-", "bytes=50000-"]
    assert len(DataFolder(tmp_path).recording("zara01").tracks) == 148


def wrong_byte(name: str, data_dir: Path) -> Site:
    files = published(name, data_dir)
    path = next(iter(files))
    files[path] = files[path][:100] + bytes([files[path][100] ^ 1]) + files[path][101:]
    return Site(files=files)


def redirect_loop(name: str, data_dir: Path) -> Site:
    path = next(iter(published(name, data_dir)))
    return Site(redirects={path: "/b", "/b": path})


@pytest.mark.parametrize("fault", [wrong_byte, redirect_loop])
def test_a_failed_fetch_leaves_no_crowd_behind(fault, data_dir: Path, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(CannotFetch):
        published_fetch(known_recordings()["hotel"], tmp_path, fault("hotel", data_dir))
    with pytest.raises(MissingData, match="paseo data fetch hotel"):
        DataFolder(tmp_path).file("hotel")
    assert not (tmp_path / "crowds").exists()


def test_files_that_were_brought_are_known_by_their_bytes(data_dir: Path, tmp_path: Path) -> None:
    brought = tmp_path / "usb"
    brought.mkdir()
    for k, content in enumerate(published("zara02", data_dir).values()):
        (brought / f"whatever {k}").write_bytes(content)
    fetch_recording(known_recordings()["zara02"], tmp_path, way(source=brought), lambda _: None)
    assert len(DataFolder(tmp_path).recording("zara02").tracks) == 204


def test_a_file_that_was_not_brought_is_named_with_its_address(tmp_path: Path) -> None:
    with pytest.raises(CannotFetch, match="download it from https://.*obsmat.txt into that folder"):
        fetch(
            ["eth"],
            replace(way(source=tmp_path), accept_licence=True),
            data=DataFolder(tmp_path / "data"),
        )


def test_licences_are_to_be_accepted_before_anything_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="then add accept_licence to fetch them:\\n  eth: "
    ) as told:
        fetch(["eth"], way(mirror="http://127.0.0.1:9"), data=DataFolder(tmp_path))
    assert told.value.parameters == ("accept_licence",)
    with pytest.raises(UnknownName, match="no data set is called 'ethucu'"):
        fetch(["ethucu"], data=DataFolder(tmp_path))


def test_each_data_set_is_told_as_soon_as_it_is_here(data_dir: Path, tmp_path: Path) -> None:
    watched: list[tuple[str, int, int]] = []
    told: list[Fetched] = []
    for path, content in published("zara02", data_dir).items():
        (tmp_path / "brought").mkdir(exist_ok=True)
        (tmp_path / "brought" / Path(path).name).write_bytes(content)
    options = replace(way(source=tmp_path / "brought"), accept_licence=True)
    for was_here in (False, True):
        (here,) = fetch(
            ["zara02", "zara02"],
            options,
            data=DataFolder(tmp_path / "data"),
            progress=lambda what, done, total: watched.append((what, done, total)),
            fetched=told.append,
        )
        assert (here.name, here.was_here) == ("zara02", was_here)
        assert told[-1] == here
    known = known_recordings()["zara02"]
    size = known.annotation.bytes + known.groups.bytes
    assert watched == [("zara02", known.annotation.bytes, size), ("zara02", size, size)]
