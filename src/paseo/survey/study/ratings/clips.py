"""The clips of a study, as they were when it was made."""

import math
from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from paseo.data.settings_file import Entry, Finite, NotNegative, Positive, read_settings
from paseo.errors import BadFile
from paseo.metrics.comparison.clusters import Stretch, Window
from paseo.text import in_short

CLIPS, FILMS = "clips.json", "clips"
NAME = r"[0-9a-f]{16}"  # drawn from the study's key: it tells nothing of what is shown
LONGEST_NAME = 300
FEWEST = 2  # drives through an episode, so that they can be compared

Words = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]
Pixels = Annotated[int, msgspec.Meta(ge=2, le=8192)]
Sum = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]


class ShownStretch(Entry, frozen=True):
    """A stretch of a recording, whose people are seen."""

    recording: Words
    from_s: Finite  # in the recording's own seconds
    to_s: Finite | None  # None: to its end


class ShownClip(Entry, frozen=True):
    """One planner's drive through an episode, as people are shown it."""

    name: Annotated[str, msgspec.Meta(pattern=rf"\A{NAME}\Z")]
    episode: Words
    planner: Words
    from_s: NotNegative  # the piece of the drive that is shown
    to_s: NotNegative
    width_px: Pixels
    height_px: Pixels
    sha256: Sum  # of the film
    metrics: dict[str, Finite | None]  # of what is shown; None: undefined for it
    whole: bool = True  # whether all of the drive is shown
    # What of which recordings the drive goes through: episodes that overlap share their people.
    window: Annotated[list[ShownStretch], msgspec.Meta(max_length=100)] = msgspec.field(
        default_factory=list
    )

    @property
    def crowd(self) -> Window:
        """The window as clusters are made of it."""
        return tuple(
            Stretch(each.recording, each.from_s, math.inf if each.to_s is None else each.to_s)
            for each in self.window
        )


class ShownClips(Entry, frozen=True):
    """All clips of a study, and how they were made."""

    format: Literal["paseo-study-clips"]
    version: Literal[1]
    runs: list[Words]  # the names of the folders they came from
    view: Words
    speed: Positive  # seconds of the drive in each second of the clip
    made_by: Words
    clips: Annotated[list[ShownClip], msgspec.Meta(min_length=FEWEST, max_length=10_000)]


def shown_window(window: Window) -> list[ShownStretch]:
    """A window as it is stored; of recordings the name without the folders they lie in."""
    return [
        ShownStretch(
            recording=in_short(Path(each.recording).name or "recording", LONGEST_NAME),
            from_s=each.begin_s,
            to_s=each.end_s if math.isfinite(each.end_s) else None,
        )
        for each in window
    ]


def read_shown_clips(path: Path) -> ShownClips:
    """The clips that a study shows."""
    found = read_settings(path, ShownClips)
    names = {each.name for each in found.clips}
    drives = {(each.episode, each.planner) for each in found.clips}
    if min(len(names), len(drives)) < len(found.clips):
        raise BadFile(f"{path}: clips: a name or a drive is there twice; restore the file")
    episode, count = Counter(each.episode for each in found.clips).most_common()[-1]
    if count < FEWEST:
        raise BadFile(
            f"{path}: clips: of the episode '{episode}' there is but one, expected at least "
            f"{FEWEST} to compare; restore the file"
        )
    return found
