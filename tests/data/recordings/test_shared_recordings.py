"""The ETH and UCY recordings as published and as prepared: two roads to the same tracks."""

import json
from pathlib import Path

import numpy as np
import pytest

from paseo.data.recordings.groups import merged, read_groups
from paseo.data.recordings.recordings import read_recording
from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import DataFolder
from paseo.world.tracks import Recording

pytestmark = pytest.mark.recordings

RAW = {
    "eth": "eth_obsmat.txt.gz",
    "hotel": "hotel_obsmat.txt.gz",
    "univ": "univ_students03_annotation.vsp.gz",
    "zara01": "zara01_annotation.vsp.gz",
    "zara02": "zara02_annotation.vsp.gz",
}
each_recording = pytest.mark.parametrize("name", RAW)


def published(name: str, data_dir: Path) -> Recording:
    known, file = known_recordings()[name], data_dir / "ethucy" / "raw" / RAW[name]
    return read_recording(file, fps=known.fps, affine=known.affine)


@each_recording
def test_published_files_reproduce_every_row_to_a_millimetre(name: str, data_dir: Path) -> None:
    annotated = {track.id: track for track in published(name, data_dir).tracks}
    prepared = DataFolder(data_dir).recording(name).tracks
    for track in prepared:
        positions = annotated[track.id].positions_at(track.times)
        np.testing.assert_allclose(positions, track.positions, rtol=0, atol=1e-3)
    seen_once = {314} if name == "hotel" else set()
    assert annotated.keys() - {track.id for track in prepared} == seen_once


@each_recording
def test_counts_are_as_told_and_nobody_vanishes_meanwhile(name: str, data_dir: Path) -> None:
    told = json.loads((data_dir / "ethucy" / "datasets.json").read_text())["datasets"][name]
    recording = DataFolder(data_dir).recording(name)
    assert len(recording.tracks) == told["n_pedestrians"]
    assert sum(len(track.times) for track in recording.tracks) == told["n_rows"]
    assert not any(np.isnan(track.positions).any() for track in recording.tracks)
    assert len(recording.groups) == told["n_groups"]
    assert sum(map(len, recording.groups)) == told["n_group_members"]


@each_recording
def test_group_lines_as_published_agree_with_the_prepared_groups(name: str, data_dir: Path) -> None:
    lines = read_groups(data_dir / "ethucy" / "raw" / f"{name}_groups.txt")
    present = {track.id for track in DataFolder(data_dir).recording(name).tracks}
    prepared = read_groups(data_dir / "ethucy" / "groups" / f"{name}.json")
    assert merged(present.intersection(group) for group in lines) == prepared
