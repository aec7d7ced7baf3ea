"""`paseo scenes make | import | cut | show | export`."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from paseo.cli.arguments import (
    Commands,
    Parser,
    add_command,
    add_data_option,
    natural,
    positive,
)
from paseo.cli.drive_options import (
    add_drive_options,
    add_people_options,
    opened_drive,
    traced_drive,
)
from paseo.cli.screen import bar, bars, output, say
from paseo.cli.trust import add_trust, consent

if TYPE_CHECKING:
    from paseo.world.scenes import ClipTiming

LARGEST_HELP = "longer side of pictures (default: 768, of grids 1536; 4096 is full size)"
LAYOUTS = ["front+bev", "front", "bev", "grid", "grid+bev", "video"]
DRAWINGS = ["dataset", "paseo", "paseo-brg"]


def add_scenes_commands(commands: Commands) -> None:
    """`paseo scenes make | import | cut | show | export`."""
    text = "make, import, look at and export the scenes that models are asked about"
    scenes = commands.add_parser("scenes", help=text, description=text[0].upper() + text[1:] + ".")
    words: Commands = scenes.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_make(words)
    _add_import(words)
    _add_cut(words)
    _add_show(words)
    _add_export(words)


def add_picture_options(command: Parser) -> None:
    """Which pictures of a scene, and who drew them."""
    command.add_argument(
        "--images", choices=LAYOUTS, default="front+bev", help="default: front+bev"
    )
    command.add_argument(
        "--drawing",
        choices=DRAWINGS,
        help="whose marks and bird's-eye view (default: the data set's own where it has any)",
    )


def _add_make(words: Commands) -> None:
    text = "make scenes of episodes, crowds and runs, or a synthetic data set"
    make = add_command(words, "make", text, "vqa.scenes", "make")
    what = make.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--from",
        dest="source",
        metavar="SUITE|EPISODE|CROWD|RUN_DIR",
        help="cut moments out of it, with the right answers by geometry",
    )
    what.add_argument(
        "--synthetic", action="store_true", help="stage a small set in the original's layout"
    )
    make.add_argument("--seed", type=natural, default=0, metavar="N", help="default: 0")
    make.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    _add_making_options(make)
    add_questions_option(make)
    add_trust(make, "the file of --questions")
    add_data_option(make)


def _add_making_options(make: Parser) -> None:
    cut = make.add_argument_group("with --from")
    cut.add_argument("--count", type=positive, metavar="N", help="at most (default: 60)")
    cut.add_argument("--camera", metavar="PRESET|FILE", help="on the robot (default: socialnavsub)")
    cut.add_argument("--frames", type=positive, metavar="N", help="of a scene (default: 10)")
    cut.add_argument("--rate-hz", type=float, metavar="HZ", help="of its frames (default: 4)")
    cut.add_argument(
        "--fitness",
        metavar="NAME|FILE.py:CLASS",
        help="what a scene is worth (default: socialnav-sub, its authors' rule)",
    )


def add_questions_option(command: Parser) -> None:
    """Which questions are asked."""
    command.add_argument(
        "--questions",
        type=Path,
        metavar="FILE",
        help="questions of your own, as TOML (default: those of the scenes, else the fifteen)",
    )


def _add_import(words: Commands) -> None:
    bring = add_command(
        words, "import", "make a clip and its tracks a scene", "vqa.scenes", "bring"
    )
    bring.add_argument("clip", type=Path, metavar="CLIP", help="a film, or a folder of frames")
    bring.add_argument("tracks", type=Path, metavar="TRACKS", help="who is where, as JSON")
    bring.add_argument(
        "--out",
        type=Path,
        default=Path("scenes"),
        metavar="DIR",
        help="a folder of scenes (default: scenes)",
    )


def _add_cut(words: Commands) -> None:
    cut = add_command(words, "cut", "mine a robot's drive for scenes", "vqa.scenes", "cut")
    cut.add_argument(
        "drive", type=Path, metavar="DRIVE", help="a bag, a film or a folder of frames"
    )
    cut.add_argument(
        "--tracks", type=Path, metavar="FILE.npz", help="of that drive, made by `paseo bag tracks`"
    )
    cut.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    cut.add_argument(
        "--count", type=positive, default=60, metavar="N", help="at most (default: 60)"
    )
    cut.add_argument(
        "--fitness",
        default="socialnav-sub",
        metavar="NAME|FILE.py:CLASS",
        help="what a scene is worth (default: socialnav-sub, its authors' rule)",
    )
    cut.add_argument(
        "--layout",
        choices=["socialnav-sub", "clips"],
        default="socialnav-sub",
        help="the data set's, or Paseo's own (default: socialnav-sub)",
    )
    cut.add_argument(
        "--draws", type=natural, default=0, metavar="N",
        help="tell how sure answers by rule are, by so many draws from the tracks' covariance",
    )  # fmt: skip
    cut.add_argument("--seed", type=natural, default=0, metavar="N", help="of the draws")
    add_people_options(cut)
    add_drive_options(cut)


def _add_show(words: Commands) -> None:
    show = add_command(words, "show", "draw what a model is shown", "vqa.scenes", "show")
    show.add_argument("scene", metavar="SCENE", help="a scene's id")
    show.add_argument("--scenes", type=Path, metavar="DIR", help="where scenes are")
    show.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=".png, .jpg, .mp4 or .gif"
    )
    add_picture_options(show)


def _add_export(words: Commands) -> None:
    export = add_command(
        words, "export", "write scenes and questions for another harness", "vqa.scenes", "export"
    )
    export.add_argument("scenes", type=Path, metavar="DIR", help="where scenes are")
    export.add_argument(
        "--to", choices=["parquet", "inspect"], required=True, help="tables, or an inspect_ai task"
    )
    export.add_argument("--out", type=Path, required=True, metavar="OUT", help="a new folder")
    add_picture_options(export)
    export.add_argument("--largest-px", type=positive, metavar="N", help=LARGEST_HELP)
    export.add_argument(
        "--wording",
        choices=["dataset", "paseo"],
        help="whose sentences (default: the data set's own where it has any, as for paseo ask)",
    )
    add_questions_option(export)
    export.add_argument(
        "--labels", type=Path, metavar="DIR", help="people's answers (default: none are exported)"
    )
    export.add_argument("--limit", type=positive, metavar="N", help="only the first N scenes")


def make(options: argparse.Namespace) -> int:
    """Write scenes and print their folder."""
    if options.source is None:
        return _make_synthetic(options)
    from paseo.moments.making import MakingOptions, make_scenes

    given = {name: getattr(options, name) for name in ("count", "camera", "fitness", "questions")}
    wishes = MakingOptions(
        seed=options.seed,
        timing=_timing(options),
        data=options.data,
        **{name: value for name, value in given.items() if value is not None},
    )
    with bars() as progress:
        made = make_scenes(
            options.source, options.out, wishes=wishes, trust=consent(options), progress=progress
        )
    clear, unclear = made.labels
    say(f"{len(made.scenes)} scenes out of {made.offered} moments; by geometry {clear} questions "
        f"have an answer, {unclear} are too close to call; nobody has been asked")  # fmt: skip
    if len(made.scenes) < wishes.count:
        say(f"there are no {wishes.count} without the same people at the same time")
    first = made.scenes[0].id
    say(f"look with `paseo scenes show {first} --scenes {options.out} --out FILE.png`")
    output(options.out)
    return 0


def _timing(options: argparse.Namespace) -> "ClipTiming":
    from paseo.data.scenes.socialnavsub import TIMING
    from paseo.errors import BadValue
    from paseo.world.scenes import ClipTiming

    rate = options.rate_hz
    if rate is not None and not 0.5 <= rate <= 20:
        raise BadValue(f"{rate:g} frames a second cannot be made, expected 0.5 to 20",
                       parameters=("rate_hz",))  # fmt: skip
    return ClipTiming(options.frames or TIMING.frames, 1 / rate if rate else TIMING.period)


def _make_synthetic(options: argparse.Namespace) -> int:
    from paseo.errors import BadValue
    from paseo.vqa.synthetic import make_dataset, truths

    for name in ("count", "camera", "frames", "rate_hz", "fitness", "questions"):
        if getattr(options, name) is not None:
            raise BadValue("a synthetic set is as it is; only scenes made from something have "
                           f"{name.replace('_', ' ')}", parameters=(name,))  # fmt: skip
    with bars() as progress:
        make_dataset(options.out, seed=options.seed, progress=progress)
    first = next(iter(truths(options.seed)))
    say(
        "staged and computed, not recorded; try: "
        f"paseo scenes show {first} --scenes {options.out} --out scene.png"
    )
    output(options.out)
    return 0


def bring(options: argparse.Namespace) -> int:
    """Make a clip and its tracks a scene."""
    from paseo.data.scenes.clips import import_clip

    cut = import_clip(options.clip, options.tracks, options.out)
    scene = cut.scene
    if cut.left_out:
        numbers = ", ".join(str(number) for number in cut.left_out)
        say(f"not in these {scene.timing.duration:g} s and left out: person {numbers}")
    who = f"{len(scene.people)} of {len(scene.people) + len(cut.left_out)} people are in it"
    look = f"paseo scenes show {scene.id} --scenes {options.out} --out FILE.png"
    say(f"{who}; look with `{look}`")
    output(options.out / scene.id)
    return 0


def cut(options: argparse.Namespace) -> int:
    """Mine a drive for scenes, and print their folder."""
    from paseo.pipeline.mining.cutting import CuttingOptions, SceneLayout, cut_scenes
    from paseo.pipeline.reconstruction_file import load_reconstruction

    wishes = CuttingOptions(
        count=options.count,
        fitness=options.fitness,
        layout=SceneLayout(options.layout),
        draws=options.draws,
        seed=options.seed,
    )
    known = load_reconstruction(options.tracks) if options.tracks else None
    with bars() as progress:
        drive = opened_drive(options, options.drive, progress, known.camera if known else None)
        known = known or traced_drive(options, drive, progress)
        done = cut_scenes(known, drive, options.out, wishes=wishes, progress=progress)
    for each in done.left_out:
        say(f"left out {each.scene}: {each.reason}")
    if done.answers:
        doubtful = sum(each.is_uncertain for each in done.answers)
        say(f"{doubtful} of {len(done.answers)} answers by rule are uncertain: a tenth of the "
            "draws or more say otherwise")  # fmt: skip
    first = done.scenes[0].id
    look = f"paseo scenes show {first} --scenes {options.out} --out FILE.png"
    say(f"{len(done.scenes)} scenes, about which nobody has been asked; look with `{look}`")
    output(options.out)
    return 0


def show(options: argparse.Namespace) -> int:
    """Draw what a model is shown of a scene, and print where to."""
    from paseo.data.scenes.dataset import open_scenes
    from paseo.data.store.locations import data_dir
    from paseo.vqa.pictures.pictures import Drawing, Layout
    from paseo.vqa.pictures.showing import check_ending, show_scene

    images = Layout(options.images)
    check_ending(options.out, images)  # before anything is read
    scene = open_scenes(options.scenes or data_dir() / "socialnav-sub").read(options.scene)
    drawing = Drawing(options.drawing) if options.drawing else None
    show_scene(scene, options.out, images=images, drawing=drawing)
    output(options.out)
    return 0


def export(options: argparse.Namespace) -> int:
    """Write scenes and questions for another harness, and print the folder."""
    from paseo.vqa.export.exporting import ExportFormat, ExportOptions, export_scenes
    from paseo.vqa.pictures.pictures import Drawing, Layout
    from paseo.vqa.prompts.wording import WordingSource

    wanted = ExportOptions(
        images=Layout(options.images),
        drawing=Drawing(options.drawing) if options.drawing else None,
        largest_px=options.largest_px,
        wording=WordingSource(options.wording) if options.wording else None,
        questions=options.questions,
        labels=options.labels,
        limit=options.limit,
    )
    with bar("scene") as progress:
        done = export_scenes(
            options.scenes,
            options.out,
            to=ExportFormat(options.to),
            options=wanted,
            progress=progress,
        )
    for each in done.unreadable:
        say(f"left out {each.scene}: {each.reason}")
    for each in done.unlabelled:
        say(f"no votes on {each.scene}: {each.reason}")
    say(f"{done.scenes} scenes, {done.questions} questions, {done.with_votes} of them with votes")
    output(options.out)
    return 0
