"""Records, episodes and maps as pictures, films and recordings for other viewers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path

from PIL import Image

from paseo.errors import InputError
from paseo.files import make_folder_of, write_whole
from paseo.metrics.record.contacts.causes import causes_of
from paseo.progress import Progress, silent
from paseo.render.films.footage import Animation, Footage, Playback
from paseo.render.films.panels import Overlaid, SideBySide
from paseo.render.raster.film import write_film
from paseo.render.raster.palette import find_theme
from paseo.render.staging.backdrop import Size, checked_size
from paseo.render.staging.renderers import RENDERERS, prepare
from paseo.report.pictures.targets import (
    Selection,
    Subject,
    Target,
    check_time,
    find_subject,
    name_of,
)
from paseo.world.records import Record

PICTURES, FILMS, EXPORTS = (".png", ".svg"), (".mp4", ".gif"), (".rrd", ".mcap")
OF_PICTURES, OF_FILMS = ("time_s", "times_s", "filmstrip"), ("fps", "speed")
# The endings of files for which an option is of use.
USES = {
    **dict.fromkeys(OF_PICTURES, PICTURES),
    **dict.fromkeys(OF_FILMS, FILMS),
    **dict.fromkeys(("overlay", "size"), (*PICTURES, *FILMS)),
    "view": (".png", *FILMS),
}
USUAL_FPS = {".mp4": 20.0, ".gif": 10.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawOptions:
    """What is drawn and how; options that a kind of file has no use for are refused."""

    episode: str | None = None  # of a run directory; None: the only one
    planners: Sequence[str] = ()  # of a run directory; empty: all
    overlay: bool = False  # all robots in one scene instead of side by side
    filmstrip: bool = False  # times from left to right, a row for each planner
    times_s: Sequence[float] = ()  # of a filmstrip; empty: five, evenly
    time_s: float | None = None  # of a picture; None: the whole way
    theme: str = "light"
    size: Size | None = None  # width and height in pixels; None: as suits the map
    fps: float | None = None  # of a film; None: 20, of a GIF 10
    speed: float | None = None  # of a film; None: real time
    view: str = "topview"  # a renderer by name, or file.py:Class
    data: Path | None = None  # the folder of recordings; None: as everywhere

    def __post_init__(self) -> None:
        find_theme(self.theme)


USUAL = DrawOptions()


def draw(
    targets: Target | Sequence[Target],
    out: Path | str,
    *,
    options: DrawOptions = USUAL,
    progress: Progress = silent,
) -> Path:
    """Draw, film or export to `out`, as its ending says: .png, .svg, .mp4, .gif, .rrd, .mcap.

    Targets are records or run directories, drawn together, or one episode or map; each as a value,
    a path or a name.
    """
    out = Path(out)
    listed = [targets] if isinstance(targets, Target) else list(targets)
    _check(options, out)
    if options.size is not None:
        options = replace(options, size=checked_size(options.size))
    selection = Selection(episode=options.episode, planners=options.planners)
    subject = find_subject(listed, selection, data=options.data)
    make_folder_of(out)
    ending = out.suffix.lower()
    if not subject.records:
        _draw_empty(out, subject, name_of(listed[0]), options)
    elif ending in PICTURES:
        _draw_picture(out, subject.records, options, progress)
    elif ending in FILMS:
        _draw_film(out, subject.records, options, progress)
    else:
        _export(out, subject.records)
    return out


def _check(options: DrawOptions, out: Path) -> None:
    """Raise for endings that nothing has, and for options that such a file has no use for."""
    ending = out.suffix.lower()
    if ending not in (*PICTURES, *FILMS, *EXPORTS):
        raise InputError(
            f"{out}: nothing can be drawn as '{out.suffix}', expected "
            f"{', '.join((*PICTURES, *FILMS, *EXPORTS))}; choose another ending"
        )
    for option, endings in USES.items():
        if _is_given(options, option) and ending not in endings:
            raise InputError(
                f"{option} is for {' and '.join(endings)} files, and {out} is none; omit "
                f"{option} or choose another ending",
                parameters=(option,),
            )
    if options.time_s is not None and (options.filmstrip or options.times_s):
        raise InputError(
            "time_s is for one moment, filmstrip for several; omit one of them",
            parameters=("time_s", "filmstrip"),
        )
    if options.overlay and (options.filmstrip or options.times_s):
        raise InputError(
            "a filmstrip has a row for each planner; omit overlay", parameters=("overlay",)
        )
    if ending in PICTURES and _is_given(options, "view") and options.time_s is None:
        raise InputError(
            f"view '{options.view}' shows moments; choose one by time_s, or make a film",
            parameters=("time_s",),
        )


def _is_given(options: DrawOptions, name: str) -> bool:
    return bool(getattr(options, name) != getattr(USUAL, name))


def _draw_empty(out: Path, subject: Subject, name: str, options: DrawOptions) -> None:
    """A map or an episode in which nobody drives yet."""
    if out.suffix.lower() not in PICTURES or any(
        _is_given(options, option) for option in (*OF_PICTURES, "overlay", "view")
    ):
        raise InputError(
            f"'{name}' is no record: it can be drawn as .png or .svg, at no "
            "particular time; to see somebody drive, run a planner and draw its record"
        )
    from paseo.render.figures.pictures import draw_episode, draw_map

    theme = find_theme(options.theme)
    if subject.episode is not None:
        draw_episode(out, subject.episode, theme=theme, size=options.size)
    elif subject.floorplan is not None:
        draw_map(out, subject.floorplan, theme=theme, size=options.size)


def _draw_picture(
    out: Path, records: Sequence[Record], options: DrawOptions, progress: Progress
) -> None:
    from paseo.render.figures.filmstrip import draw_filmstrip
    from paseo.render.figures.pictures import draw_records

    theme, size, time = find_theme(options.theme), options.size, options.time_s
    if time is not None:
        check_time(records, time)
    if time is not None and _is_given(options, "view"):
        frame = _animation(records, options, progress).frame(time)
        buffer = BytesIO()
        Image.fromarray(frame).save(buffer, "PNG")
        write_whole(out, buffer.getvalue())
    elif options.filmstrip or options.times_s:
        draw_filmstrip(out, records, times=options.times_s, theme=theme, size=size, whose=causes_of)
    else:
        draw_records(
            out,
            records,
            time=time,
            overlay=options.overlay,
            theme=theme,
            size=size,
            whose=causes_of,
        )


def _draw_film(
    out: Path, records: Sequence[Record], options: DrawOptions, progress: Progress
) -> None:
    fps = USUAL_FPS[out.suffix.lower()] if options.fps is None else options.fps
    playback = Playback(fps=fps, speed=1.0 if options.speed is None else options.speed)
    animation = _animation(records, options, progress, note=playback.note)
    write_film(out, Footage(animation, playback), fps, progress=progress)


def _animation(
    records: Sequence[Record], options: DrawOptions, progress: Progress, *, note: str = ""
) -> Animation:
    view = RENDERERS.find(options.view)
    prepare(view, progress)
    arranged = Overlaid if options.overlay or len(records) == 1 else SideBySide
    return arranged(
        records,
        theme=find_theme(options.theme),
        size=options.size,
        note=note,
        view=view,
        whose=causes_of,
    )


def _export(out: Path, records: Sequence[Record]) -> None:
    if out.suffix.lower() == ".rrd":
        from paseo.render.export.rerun import write_rrd

        write_rrd(out, records)
    else:
        from paseo.render.export.mcap import write_mcap

        write_mcap(out, records)
