"""The words after `paseo scenes`."""

from pathlib import Path

from paseo.cli.arguments import Commands, Parser, add_command, natural, positive

LAYOUTS = ["front+bev", "front", "bev", "grid", "grid+bev", "video"]
DRAWINGS = ["dataset", "paseo", "paseo-brg"]


def add_scenes_commands(commands: Commands) -> None:
    """`paseo scenes make | import | show | export`."""
    text = "make, import, look at and export the scenes that models are asked about"
    scenes = commands.add_parser("scenes", help=text, description=text[0].upper() + text[1:] + ".")
    words: Commands = scenes.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_make(words)
    _add_import(words)
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
    make = add_command(
        words, "make", "make a synthetic data set in the original's layout", "scenes_make", "make"
    )
    make.add_argument("--synthetic", action="store_true", required=True, help="all there is yet")
    make.add_argument("--seed", type=natural, default=0, metavar="N", help="default: 0")
    make.add_argument("--out", type=Path, required=True, metavar="DIR")


def _add_import(words: Commands) -> None:
    bring = add_command(
        words, "import", "make a clip and its tracks a scene", "scenes_import", "bring"
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


def _add_show(words: Commands) -> None:
    show = add_command(words, "show", "draw what a model is shown", "scenes_show", "show")
    show.add_argument("scene", metavar="SCENE", help="a scene's id")
    show.add_argument("--scenes", type=Path, metavar="DIR", help="where scenes are")
    show.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help=".png, .jpg, .mp4 or .gif"
    )
    add_picture_options(show)


def _add_export(words: Commands) -> None:
    export = add_command(
        words, "export", "write scenes and questions for another harness", "scenes_export", "export"
    )
    export.add_argument("scenes", type=Path, metavar="DIR", help="where scenes are")
    export.add_argument(
        "--to", choices=["parquet", "inspect"], required=True, help="tables, or an inspect_ai task"
    )
    export.add_argument("--out", type=Path, required=True, metavar="OUT", help="a new folder")
    add_picture_options(export)
    export.add_argument(
        "--largest-px", type=positive, metavar="N", help="scale pictures down to N on a side"
    )
    export.add_argument(
        "--wording",
        choices=["dataset", "paseo"],
        default="paseo",
        help="whose sentences (default: paseo)",
    )
    export.add_argument(
        "--labels", type=Path, metavar="DIR", help="people's answers (default: none are exported)"
    )
    export.add_argument("--limit", type=positive, metavar="N", help="only the first N scenes")
