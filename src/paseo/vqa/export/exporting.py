"""Scenes and questions written for another harness."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import count
from pathlib import Path

from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.origin import holds_staged
from paseo.progress import Progress, silent
from paseo.vqa.exam.preparing import overview
from paseo.vqa.export.edition import Edition, ExportTally
from paseo.vqa.export.inspect_folder import export_inspect
from paseo.vqa.export.parquet import export_parquet
from paseo.vqa.pictures.pictures import Drawing, Layout, drawing_of, sent_px
from paseo.vqa.prompts.presentation import Presentation, wording_in
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.own import asked_in, questions_for
from paseo.vqa.questions.votes import check_origin, read_labels
from paseo.world.scenes import Unreadable


class ExportFormat(Enum):
    """What other harnesses read."""

    PARQUET = "parquet"  # two tables
    INSPECT = "inspect"  # a task for inspect_ai


EXPORTS: dict[ExportFormat, Callable[[Edition, Path, ExportTally], None]] = {
    ExportFormat.PARQUET: export_parquet,
    ExportFormat.INSPECT: export_inspect,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportOptions:
    """Which scenes are exported, and how they are shown and put."""

    images: Layout = Layout.FRONT_BEV
    drawing: Drawing | None = None  # None: the data set's own where every scene has it
    largest_px: int | None = None  # of a picture's longer side; None: as `sent_px` says
    wording: WordingSource | None = None  # None: the data set's own where it has any
    questions: Path | None = None  # a file of one's own; None: as the scenes' folder has them
    labels: Path | None = None  # people's answers; None: none are exported
    limit: int | None = None  # only the first scenes


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What was exported, and what was left out."""

    scenes: int
    questions: int
    with_votes: int  # of the questions
    unreadable: tuple[Unreadable, ...]  # scenes that are not in it
    unlabelled: tuple[Unreadable, ...]  # scenes whose votes could not be read


DEFAULTS = ExportOptions()


def export_scenes(
    scenes: Path,
    out: Path,
    *,
    to: ExportFormat,
    options: ExportOptions = DEFAULTS,
    progress: Progress = silent,
) -> Exported:
    """Write the scenes of a folder, and the questions about them, into a new folder."""
    folder = open_scenes(scenes)
    own = questions_for(folder.folder, options.questions)
    wording = wording_in(folder.folder, options.wording, own)
    labels = None if options.labels is None else read_labels(options.labels)
    if labels:
        check_origin(labels, staged=holds_staged(folder.folder), whose=str(scenes))
    found = overview(folder, limit=options.limit, progress=progress)
    presentation = Presentation(
        layout=options.images,
        drawing=drawing_of(found.scenes, options.drawing),
        wording=wording,
        largest_px=sent_px(options.images, options.largest_px),
    )
    edition = Edition(
        folder=folder,
        found=found,
        presentation=presentation,
        catalogue=asked_in(own),
        labels=labels,
    )
    done = count(1)
    tally = ExportTally(lambda: progress("drawing", next(done), len(folder.ids[: options.limit])))
    EXPORTS[to](edition, out, tally)
    return Exported(
        scenes=tally.scenes,
        questions=tally.questions,
        with_votes=tally.with_votes,
        unreadable=tuple(tally.unreadable),
        unlabelled=labels.unreadable if labels else (),
    )
