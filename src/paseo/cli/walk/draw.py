"""`paseo draw`, `paseo render`, `paseo plot` and `paseo report`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from paseo.cli.arguments import Commands, add_command, add_data_option, natural, positive
from paseo.cli.screen import bar, bars, output, say
from paseo.errors import InputError

if TYPE_CHECKING:
    from paseo.report.walk.views.sights import RobotViews

THEMES = ["light", "dark"]
# The presets, without loading what they are made of for a word of help.
CAMERAS = ("level", "realsense", "socnavbench", "socialnavsub", "scand_jackal", "scand_spot")


def add_draw_commands(commands: Commands) -> None:
    """`paseo draw | render | plot | report`."""
    _add_draw(commands)
    _add_render(commands)
    _add_plot_and_report(commands)


def _add_draw(commands: Commands) -> None:
    draw = add_command(commands, "draw", "draw or film what happened", "walk.draw", "draw")
    draw.add_argument(
        "targets",
        nargs="+",
        metavar="RECORD|RUN_DIR|EPISODE|MAP",
        help="records (.npz), run directories, or an episode or map by name or file",
    )
    draw.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="FILE",
        help=".png, .svg, .mp4, .gif, .rrd, .mcap",
    )
    draw.add_argument("--episode", metavar="NAME", help="which one of a run directory")
    draw.add_argument(
        "--planner", metavar="NAME[,NAME...]", help="which ones of a run directory (default: all)"
    )
    draw.add_argument(
        "--overlay", action="store_true", help="all robots in one scene instead of side by side"
    )
    draw.add_argument(
        "--filmstrip", action="store_true", help="times from left to right, a row for each planner"
    )
    draw.add_argument(
        "--times-s", type=_times, metavar="S,S,...", help="of a filmstrip (default: five, evenly)"
    )
    draw.add_argument("--time-s", type=_time, metavar="S", help="a moment (default: the whole way)")
    draw.add_argument("--theme", choices=THEMES, default="light", help="default: light")
    draw.add_argument("--size", type=_size, metavar="WxH", help="pixels (default: suits the map)")
    draw.add_argument("--fps", type=float, metavar="N", help="of a film (default: 20; a GIF: 10)")
    draw.add_argument("--speed", type=float, metavar="X", help="of a film (default: 1, real time)")
    draw.add_argument(
        "--view",
        default="topview",
        metavar="NAME",
        help="of a film or a moment: topview, camera (the robot's), both, or file.py:Class",
    )
    add_data_option(draw)


def _add_render(commands: Commands) -> None:
    render = add_command(commands, "render", "show what a camera sees", "walk.draw", "render")
    render.add_argument(
        "target",
        metavar="RECORD|RUN_DIR|EPISODE",
        help="a record (.npz), a run directory, or an episode, whose robot stays at its start",
    )
    when = render.add_mutually_exclusive_group(required=True)
    when.add_argument(
        "--time-s", type=_time, metavar="S", help="a moment: pictures and arrays into a folder"
    )
    when.add_argument("--film", action="store_true", help="from beginning to end, as .mp4")
    render.add_argument(
        "--camera",
        default="level",
        metavar="PRESET|FILE",
        help=f"{', '.join(CAMERAS)}, or a file (.toml); default: level",
    )
    render.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR|FILE.mp4",
        help="a folder that is empty or not there, or the film",
    )
    render.add_argument(
        "--people",
        metavar="rocketbox|DIR",
        help="avatars that were fetched, or a folder of them (default: the people that ship)",
    )
    _add_setting(render)
    render.add_argument("--episode", metavar="NAME", help="which one of a run directory")
    render.add_argument("--planner", metavar="NAME", help="which one of a run directory")
    render.add_argument("--fps", type=float, metavar="N", help="of a film (default: 10)")
    render.add_argument(
        "--speed", type=float, metavar="X", help="of a film (default: 1, real time)"
    )
    render.add_argument("--threads", type=positive, metavar="N", help="default: all cores")
    add_data_option(render)


def _add_setting(render: argparse.ArgumentParser) -> None:
    render.add_argument(
        "--hour",
        type=float,
        metavar="H",
        help="of a midsummer's day by the sundial, such as 18.5 (default: a forenoon)",
    )
    render.add_argument(
        "--clouds", type=float, metavar="SHARE", help="of the sky, 0 to 1 (default: 0.45)"
    )
    render.add_argument(
        "--mesh",
        type=Path,
        metavar="FILE",
        help="a mesh of your own (.glb, .gltf, .obj) that joins the place",
    )
    render.add_argument(
        "--mesh-only", action="store_true", help="that mesh instead of the floor plan's place"
    )
    render.add_argument(
        "--sensor", type=Path, metavar="FILE", help="noise, range, shutter (.toml; default: none)"
    )
    render.add_argument(
        "--seed", type=natural, default=0, metavar="N", help="of the sensor's chance (default: 0)"
    )


def _add_plot_and_report(commands: Commands) -> None:
    plot = add_command(commands, "plot", "plot metrics of runs", "walk.draw", "plot")
    plot.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR")
    plot.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="for .png, .svg and captions.md"
    )
    plot.add_argument("--theme", choices=THEMES, default="light", help="default: light")
    report = add_command(
        commands, "report", "make one web page of runs, with a player", "walk.draw", "report"
    )
    report.add_argument("runs", type=Path, nargs="+", metavar="RUN_DIR")
    report.add_argument("--out", type=Path, required=True, metavar="FILE.html")
    report.add_argument(
        "--metric", action="append", metavar="FILE.py:NAME", help="a metric of your own as well"
    )
    report.add_argument(
        "--views",
        nargs="?",
        const="",
        metavar="N|EPISODE@S,...",
        help="what the robot's camera saw: at most N moments of each drive where it matters "
        "(default: 5), or those you name",
    )
    report.add_argument(
        "--decisions-mb",
        type=float,
        default=10.0,
        metavar="MB",
        help="where a model drove: how much of what it saw and was asked, most telling first "
        "(default: 10; 0: none)",
    )


def draw(options: argparse.Namespace) -> int:
    """Draw, film or export, and print where to."""
    from paseo.report.pictures.drawing import DrawOptions, draw

    chosen = DrawOptions(
        episode=options.episode,
        planners=tuple(options.planner.split(",")) if options.planner is not None else (),
        overlay=options.overlay,
        filmstrip=options.filmstrip,
        times_s=tuple(options.times_s or ()),
        time_s=options.time_s,
        theme=options.theme,
        size=options.size,
        fps=options.fps,
        speed=options.speed,
        view=options.view,
        data=options.data,
    )
    with bars() as progress:
        out = draw(options.targets, options.out, options=chosen, progress=progress)
    output(out)
    return 0


def render(options: argparse.Namespace) -> int:
    """Write a moment or a film, and print where to."""
    from paseo.camera.places.settings import Setting
    from paseo.report.pictures.rendering import RenderOptions, render_film, render_moment

    chosen = RenderOptions(
        camera=options.camera,
        people=options.people,
        setting=Setting(
            hour=options.hour,
            clouds=options.clouds,
            mesh=options.mesh,
            mesh_only=options.mesh_only,
        ),
        sensor=options.sensor,
        seed=options.seed,
        episode=options.episode,
        planners=(options.planner,) if options.planner is not None else (),
        fps=options.fps,
        speed=options.speed,
        threads=options.threads,
        data=options.data,
    )
    with bars() as progress:
        if options.film:
            out = render_film(options.target, options.out, options=chosen, progress=progress)
        else:
            out = render_moment(
                options.target,
                options.out,
                time_s=options.time_s,
                options=chosen,
                progress=progress,
            )
    output(out)
    return 0


def _time(text: str) -> float:
    try:
        time = float(text)
    except ValueError:
        time = -1.0
    if not 0 <= time < float("inf"):
        raise argparse.ArgumentTypeError(f"expected seconds from 0 on, not '{text[:40]}'")
    return time


def _times(text: str) -> list[float]:
    return [_time(word) for word in text.split(",")]


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal() and len(text) < 12):
        raise argparse.ArgumentTypeError(
            f"expected width and height in pixels such as 800x600, not '{text[:40]}'"
        )
    return int(width), int(height)


def plot(options: argparse.Namespace) -> int:
    """Save every plot, and print where."""
    from paseo.report.walk import plots

    with bar("plot") as progress:
        saved = plots.plot(options.runs, options.out, theme=options.theme, progress=progress)
    output("\n".join(map(str, saved)))
    return 0


def _robot_views(text: str) -> "RobotViews":
    """As many as `N`, or the moments `EPISODE@S,...`; without a word as many as usual."""
    from paseo.report.walk.views.sights import RobotViews

    if not text:
        return RobotViews()
    if text.isdecimal():
        return RobotViews(most=int(text[:9]))
    moments = []
    for word in text.split(","):
        episode, _, seconds = word.rpartition("@")
        try:
            moments.append((episode, _time(seconds)))
        except argparse.ArgumentTypeError as error:
            raise InputError(
                f"views: expected a number or moments such as {episode or 'EPISODE'}@4.5, not "
                f"'{word[:40]}'",
                parameters=("views",),
            ) from error
    return RobotViews(moments=tuple(moments))


def report(options: argparse.Namespace) -> int:
    """Write the page, and print where."""
    from paseo.report.walk import webpage

    views = None if options.views is None else _robot_views(options.views)
    with bar("part") as shown:

        def progress(what: str, done: int, total: int) -> None:
            if total:
                shown(what, done, total)
            else:
                say(what)

        page = webpage.write_report(
            options.runs,
            options.out,
            metrics=options.metric or (),
            views=views,
            decisions_mb=options.decisions_mb,
            progress=progress,
        )
    output(page)
    return 0
