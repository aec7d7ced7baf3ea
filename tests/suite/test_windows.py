import math
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from paseo.data.store.locations import DataFolder
from paseo.data.suites.suite_file import PlacedRecording, shipped_suites
from paseo.metrics.comparison.clusters import Stretch, clusters
from paseo.suite.windows import window_of
from paseo.world.scenarios import Rule

NOWHERE = DataFolder(Path("nowhere"))


@pytest.mark.parametrize(
    ("suite", "windows", "independent"), [("socnavbench-33", 15, 10), ("paseo-33", 33, 33)]
)
def test_windows_of_the_shipped_suites(suite: str, windows: int, independent: int) -> None:
    found = [window_of(entry, Rule.EVERYONE, NOWHERE) for entry in shipped_suites()[suite].episodes]
    assert len({tuple((s.recording, s.begin_s) for s in window) for window in found}) == windows
    assert len(np.unique(clusters(found))) == independent


def test_a_window_is_in_seconds_of_its_recording_as_it_is_replayed() -> None:
    entry = next(
        each
        for each in shipped_suites()["socnavbench-33"].episodes
        if each.recordings[0].recording == "hotel"
    )
    first = entry.recordings[0].first_frame
    for rule, fps in ((Rule.EVERYONE, 25), (Rule.SOCNAVBENCH, 15)):
        stretch = window_of(entry, rule, NOWHERE)[0]
        assert stretch == Stretch("hotel", first / fps, first / fps + entry.time_limit_s)


def test_files_without_a_frame_rate_are_one_window_and_scripted_people_their_own() -> None:
    entry = shipped_suites()["scripted-10"].episodes[0]
    assert window_of(entry, Rule.EVERYONE, NOWHERE)[0].recording == f"episode {entry.name}"
    placed = PlacedRecording(recording="mine.ndjson", first_frame=300)
    other = structs.replace(entry, recordings=[placed])
    assert window_of(other, Rule.EVERYONE, NOWHERE) == (Stretch("mine.ndjson", 0.0, math.inf),)
    known = structs.replace(entry, recordings=[structs.replace(placed, fps=10.0)])
    assert window_of(known, Rule.EVERYONE, NOWHERE) == (
        Stretch("mine.ndjson", 30.0, 30.0 + entry.time_limit_s),
    )
