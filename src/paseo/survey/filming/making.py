"""A new study of ratings: drives of runs filmed as clips, and files to read and edit."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from paseo.files import draft_folder, write_whole
from paseo.metrics.comparison.measured import TIME_TO_GOAL, compared_value
from paseo.metrics.record.metric import Metric
from paseo.progress import Progress, silent
from paseo.render.raster.film import require_av
from paseo.render.staging.renderers import RENDERERS, prepare
from paseo.suite.measuring import chosen_metrics
from paseo.suite.runs.timing import read_timing
from paseo.survey.filming.choosing import ChosenDrives, Drive, Wish, chosen_drives
from paseo.survey.filming.clipfilm import ClipOptions, Filmed, Stage
from paseo.survey.filming.pieces import Values, bounded_value, values_shown
from paseo.survey.study.folder import new_key, signed
from paseo.survey.study.ratings.asking import (
    RATINGS,
    Asking,
    Pairs,
    asking_text,
)
from paseo.survey.study.ratings.clips import CLIPS, FILMS, ShownClip, ShownClips, shown_window
from paseo.survey.study.settings import SETTINGS, Kind, StudySettings, new_settings, settings_text
from paseo.survey.study.texts import TEXTS, RatingTexts, shipped_text
from paseo.text import in_short
from paseo.version import paseo_version
from paseo.world.recordfile import load_record
from paseo.world.records import Record

NAME_LENGTH = 16  # signs of a clip's name
LONGEST_NAME = 80
AROUND_MIN = 4.0  # for the pages before and after the clips
THINKING_S = 8.0  # for each question
USUAL_WISH, USUAL_CLIPS = Wish(), ClipOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRatings:
    """A study of ratings that was made, and what was left out of it."""

    folder: Path
    clips: int
    episodes: int
    planners: int
    minutes: int  # that it will take somebody, about
    left_out: tuple[str, ...]


def new_ratings(
    folder: Path,
    runs: Sequence[Path],
    asking: Asking,
    *,
    wish: Wish = USUAL_WISH,
    clips: ClipOptions = USUAL_CLIPS,
    per_scene: int = 5,
    scenes_each: int = 8,
    seed: int = 0,
    progress: Progress = silent,
) -> NewRatings:
    """Make a study about drives of finished runs, in a folder that is empty or not there.

    `per_scene` are the people for each clip, `scenes_each` the clips for each person.
    """
    settings = new_settings(Kind.RATINGS, per_scene=per_scene, scenes_each=scenes_each, seed=seed)
    require_av()  # here, before anything is measured
    with draft_folder(folder) as draft:
        chosen = chosen_drives(runs, wish, seed=seed, progress=progress)
        prepare(RENDERERS.find(clips.view), progress)
        shown = _filmed(draft, chosen, clips, progress)
        settings = msgspec.structs.replace(
            settings, minutes=_minutes(settings, asking, shown, clips.speed)
        )
        _write_files(draft, settings, asking, _shown_clips(runs, clips, shown))
    return NewRatings(
        folder=folder,
        clips=len(shown),
        episodes=len(chosen.drives),
        planners=len({each.planner for each in shown}),
        minutes=settings.minutes,
        left_out=chosen.left_out,
    )


def _filmed(
    draft: Path, chosen: ChosenDrives, options: ClipOptions, progress: Progress
) -> list[ShownClip]:
    """Film and measure every drive, in the order of the names, which tell nothing."""
    key, metrics = new_key(draft), chosen_metrics()
    films = draft / FILMS
    films.mkdir()
    total = sum(map(len, chosen.drives.values()))
    shown: list[ShownClip] = []
    for drives in chosen.drives.values():
        records = [load_record(each.measured.record) for each in drives]
        stage = Stage(records, options)
        for drive, record in zip(drives, records, strict=True):
            progress("filming", len(shown), total)
            name = signed(key, "clip", drive.episode, drive.planner)[:NAME_LENGTH]
            filmed = stage.film(record, films / f"{name}.mp4")
            shown.append(
                ShownClip(
                    name=name,
                    episode=drive.episode,
                    planner=drive.planner,
                    from_s=round(filmed.from_s, 6),
                    to_s=round(filmed.to_s, 6),
                    whole=filmed.is_whole(record),
                    width_px=filmed.size[0],
                    height_px=filmed.size[1],
                    sha256=filmed.sha256,
                    metrics=_measured(drive, record, filmed, metrics),
                    window=shown_window(drive.measured.window),
                )
            )
    progress("filming", total, total)
    return sorted(shown, key=lambda each: each.name)


def _measured(drive: Drive, record: Record, filmed: Filmed, metrics: Sequence[Metric]) -> Values:
    """Every metric of what was shown of a drive."""
    planning = read_timing(drive.measured.record).processor_s
    shown = (filmed.from_s, filmed.to_s)
    values = values_shown(record, metrics, shown=shown, planning_s=planning)
    whole = filmed.is_whole(record)
    time = compared_value(drive.measured, TIME_TO_GOAL) if whole else None
    return values | {TIME_TO_GOAL.name: bounded_value(time)}


def _minutes(
    settings: StudySettings, asking: Asking, shown: Sequence[ShownClip], speed: float
) -> int:
    """What it takes somebody: every clip is seen once alone and twice in a pair, with thought."""
    each = sum(clip.to_s - clip.from_s for clip in shown) / len(shown) / speed + 1.0
    rating = (each + THINKING_S * len(asking.aspects)) * bool(asking.points)
    pair = (2 * each + THINKING_S * len(asking.compared)) * (asking.pairs is not Pairs.NONE)
    clips = min(settings.scenes_each, len(shown))
    again = asking.again * (rating or pair)
    return min(math.ceil(AROUND_MIN + clips * (rating + pair + again) / 60), 1000)


def _shown_clips(runs: Sequence[Path], options: ClipOptions, shown: list[ShownClip]) -> ShownClips:
    return ShownClips(
        format="paseo-study-clips",
        version=1,
        runs=[in_short(each.resolve().name, LONGEST_NAME) for each in runs],
        view=options.view,
        speed=options.speed,
        made_by=f"Paseo {paseo_version()}",
        clips=shown,
    )


def _write_files(draft: Path, settings: StudySettings, asking: Asking, shown: ShownClips) -> None:
    """What a person may edit, and what is shown."""
    for name, content in (
        (TEXTS, shipped_text(RatingTexts, view=shown.view).encode()),
        (SETTINGS, settings_text(settings).encode()),
        (RATINGS, asking_text(asking).encode()),
        (CLIPS, msgspec.json.format(msgspec.json.encode(shown), indent=1)),
    ):
        write_whole(draft / name, content)
