"""Which stretch of which recording an episode shows: its crowd window."""

import math

from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import DataFolder
from paseo.data.suites.suite_file import EpisodeEntry, PlacedRecording
from paseo.metrics.comparison.clusters import Stretch, Window
from paseo.world.scenarios import Rule


def window_of(entry: EpisodeEntry, rule: Rule, data: DataFolder) -> Window:
    """From where each recording is shown until the time limit; scripted people are their own.

    Of a recording whose frame rate is not known, all windows are taken to overlap.
    """
    found = [_stretch(placed, entry.time_limit_s, rule, data) for placed in entry.recordings]
    return tuple(found) or (Stretch(f"episode {entry.name}", 0.0, math.inf),)


def _stretch(placed: PlacedRecording, lasts_s: float, rule: Rule, data: DataFolder) -> Stretch:
    fps = _frame_rate(placed, rule, data)
    if fps is None:
        return Stretch(placed.recording, 0.0, math.inf)
    begin = placed.first_frame / fps
    return Stretch(placed.recording, begin, begin + lasts_s)


def _frame_rate(placed: PlacedRecording, rule: Rule, data: DataFolder) -> float | None:
    known = known_recordings().get(placed.recording)
    if known and rule is Rule.SOCNAVBENCH:
        return known.socnavbench_fps
    return data.frame_rate(placed.recording) if data.knows(placed.recording) else placed.fps
