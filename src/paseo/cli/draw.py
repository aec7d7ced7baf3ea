"""`paseo draw`."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tqdm import tqdm

from paseo.cli.drawn import Drawn, find_drawn
from paseo.errors import InputError
from paseo.render.raster.film import write_film
from paseo.render.raster.palette import THEMES
from paseo.render.raster.strokes import Frame
from paseo.render.topview.backdrop import checked_size
from paseo.render.topview.filming import FilmOptions
from paseo.render.topview.footage import Footage, Playback, Stage
from paseo.render.topview.panels import Overlaid, SideBySide
from paseo.world.records import Record

PICTURES, FILMS, EXPORTS = (".png", ".svg"), (".mp4", ".gif"), (".rrd", ".mcap")
OF_PICTURES, OF_FILMS = ("time_s", "times_s", "filmstrip"), ("fps", "speed")
USUAL_FPS = {".mp4": 20.0, ".gif": 10.0}


def draw(options: argparse.Namespace) -> int:
    """Draw, film or export, and print where to."""
    ending = options.out.suffix.lower()
    if ending not in (*PICTURES, *FILMS, *EXPORTS):
        raise InputError(
            f"{options.out}: nothing can be drawn as '{options.out.suffix}', expected "
            f"{', '.join((*PICTURES, *FILMS, *EXPORTS))}; choose another ending"
        )
    _check_words(options, ending)
    if options.size is not None:
        options.size = checked_size(options.size)
    drawn = find_drawn(options)
    if not drawn.records:
        _draw_empty(options, drawn)
    elif ending in PICTURES:
        _draw_picture(options, drawn.records)
    elif ending in FILMS:
        _draw_film(options, drawn.records)
    else:
        _export(options.out, drawn.records)
    print(options.out)
    return 0


def _check_words(options: argparse.Namespace, ending: str) -> None:
    """Raise for options that this kind of file has no use for."""
    useless = {
        **dict.fromkeys(OF_PICTURES, PICTURES),
        **dict.fromkeys(OF_FILMS, FILMS),
        "overlay": (*PICTURES, *FILMS),
        "size": (*PICTURES, *FILMS),
    }
    for key, endings in useless.items():
        if _is_given(getattr(options, key)) and ending not in endings:
            word = f"--{key.replace('_', '-')}"
            raise InputError(
                f"{word} is for {' and '.join(endings)} files, and {options.out} is none; leave "
                f"{word} away or choose another ending"
            )
    if options.time_s is not None and (options.filmstrip or options.times_s):
        raise InputError("--time-s is for one moment, --filmstrip for several; leave one away")
    if options.overlay and (options.filmstrip or options.times_s):
        raise InputError("a filmstrip has a row for each planner; leave --overlay away")


def _is_given(value: object) -> bool:
    return value is not None and value is not False  # 0 is


def _draw_empty(options: argparse.Namespace, drawn: Drawn) -> None:
    """A map or an episode in which nobody drives yet."""
    if options.out.suffix.lower() not in PICTURES or any(
        _is_given(getattr(options, key)) for key in (*OF_PICTURES, "overlay")
    ):
        raise InputError(
            f"'{options.targets[0]}' is no record: it can be drawn as .png or .svg, at no "
            "particular time; to see somebody drive, run a planner and draw its record"
        )
    from paseo.render.figures.pictures import draw_episode, draw_map

    look = {"theme": THEMES[options.theme], "size": options.size}
    if drawn.episode is not None:
        draw_episode(options.out, drawn.episode, **look)
    elif drawn.floorplan is not None:
        draw_map(options.out, drawn.floorplan, **look)


def _draw_picture(options: argparse.Namespace, records: Sequence[Record]) -> None:
    from paseo.render.figures.filmstrip import draw_filmstrip
    from paseo.render.figures.pictures import draw_records

    theme, end = THEMES[options.theme], max(float(record.times[-1]) for record in records)
    if options.time_s is not None and options.time_s > end + 1e-9:
        raise InputError(f"--time-s is {options.time_s:g}, but all is over after {end:g} s")
    if options.filmstrip or options.times_s:
        times = options.times_s or ()
        draw_filmstrip(options.out, records, times=times, theme=theme, size=options.size)
    else:
        draw_records(
            options.out, records, time=options.time_s, overlay=options.overlay, theme=theme,
            size=options.size,
        )  # fmt: skip


def _draw_film(options: argparse.Namespace, records: Sequence[Record]) -> None:
    fps = USUAL_FPS[options.out.suffix.lower()] if options.fps is None else options.fps
    pace = Playback(fps=fps, speed=1.0 if options.speed is None else options.speed)
    look = FilmOptions(theme=options.theme, size=options.size, pace=pace)
    shown = Overlaid if options.overlay or len(records) == 1 else SideBySide
    stage: Stage = shown(records, theme=THEMES[look.theme], size=look.size, note=look.note)
    frames = Footage(stage, look.pace)
    write_film(options.out, frames, fps, progress=_bar)


def _bar(frames: Iterable[Frame]) -> Iterable[Frame]:
    return tqdm(frames, unit="frame", disable=None, file=sys.stderr)


def _export(out: Path, records: Sequence[Record]) -> None:
    if out.suffix.lower() == ".rrd":
        from paseo.render.export.rerun import write_rrd

        write_rrd(out, records)
    else:
        from paseo.render.export.mcap import write_mcap

        write_mcap(out, records)
