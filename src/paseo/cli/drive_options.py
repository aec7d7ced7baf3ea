"""Words of the command line for drives: how one is opened, and who is in it."""

import argparse
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paseo.cli.arguments import Parser
from paseo.cli.screen import say

if TYPE_CHECKING:
    from paseo.pipeline.drives.recorded import RecordedDrive
    from paseo.pipeline.reconstruction import Reconstruction
    from paseo.progress import Progress
    from paseo.world.cameras import Camera

ROLES = ("image", "odometry", "camera_info", "scan")
CAMERA = "a preset (scand_jackal, scand_spot, ...) or a file (.toml); default: what the drive tells"


def add_drive_options(command: Parser) -> None:
    """How a drive is opened."""
    drive = command.add_argument_group("the drive")
    drive.add_argument("--camera", metavar="PRESET|FILE", help=CAMERA)
    drive.add_argument(
        "--height-m", type=float, metavar="M", help="of the camera above the ground; wins over all"
    )
    drive.add_argument(
        "--pitch-down-deg", type=float, default=0.0, metavar="DEG",
        help="of the camera, with --height-m (default: 0)",
    )  # fmt: skip
    drive.add_argument(
        "--forward-m", type=float, default=0.0, metavar="M",
        help="of the camera before the robot's middle, with --height-m (default: 0)",
    )  # fmt: skip
    drive.add_argument(
        "--rate-hz", type=float, metavar="N",
        help="take at most so many pictures a second, which are numbered as they are taken",
    )  # fmt: skip
    drive.add_argument("--odometry", type=Path, metavar="FILE.csv", help="where the robot was")
    drive.add_argument(
        "--recorded-fps", type=float, metavar="N", help="of a folder of pictures without times"
    )
    drive.add_argument(
        "--film-start-s", type=float, default=0.0, metavar="S",
        help="when a film begins, on the clock of its odometry (default: 0)",
    )  # fmt: skip
    drive.add_argument(
        "--topic", action="append", default=[], type=_topic, metavar="ROLE=NAME",
        help=f"of a bag; roles: {', '.join(ROLES)}",
    )  # fmt: skip


def add_people_options(command: Parser) -> None:
    """Who is in a drive, and how their tracks are made."""
    people = command.add_argument_group("the people")
    people.add_argument(
        "--people", metavar="SOURCE=WHAT",
        help="mot=FILE.txt, coco=FILE.json, phalp=FILE.pkl, detector=MODEL@REVISION, or your own",
    )  # fmt: skip
    people.add_argument(
        "--smoother", default="paseo", metavar="NAME", help="paseo, unicycle or socialnav-sub"
    )
    people.add_argument(
        "--keep", type=Path, metavar="DIR",
        help="keep what a detector finds, and go on from there after an interruption",
    )  # fmt: skip


def opened_drive(
    options: argparse.Namespace, path: Path, progress: "Progress", camera: "Camera | None" = None
) -> "RecordedDrive":
    """The drive, opened as the command line says; what was assumed is told."""
    from paseo.pipeline.drives.cameras import Mount, drive_camera
    from paseo.pipeline.drives.opening import open_drive
    from paseo.pipeline.drives.settling import Opening

    mount = None
    if options.height_m is not None:
        pitch = math.radians(options.pitch_down_deg)
        mount = Mount(options.height_m, pitch, options.forward_m)
    opening = Opening(
        camera=drive_camera(options.camera, mount) if options.camera else camera,
        mount=mount,
        fps=options.rate_hz,
        topics=dict(options.topic),
        progress=progress,
    )
    drive = open_drive(
        path,
        opening,
        odometry_csv=options.odometry,
        recorded_fps=options.recorded_fps,
        film_start=options.film_start_s,
    )
    tell(drive.notes)
    return drive


def traced_drive(
    options: argparse.Namespace, drive: "RecordedDrive", progress: "Progress"
) -> "Reconstruction":
    """Who was where on a drive; what cannot be is told."""
    from paseo.errors import InputError
    from paseo.pipeline.tracing import trace_drive

    if options.people is None:
        raise InputError(
            "nothing tells who is in the drive; name a source with --people, such as mot=tracks.txt"
        )
    done = trace_drive(
        drive, options.people, smoother=options.smoother, keep=options.keep, progress=progress
    )
    if done.twice:
        tell([f"somebody is twice in a frame: {done.twice} boxes that are less sure are left out"])
    tell([each.sentence for each in done.plausibility.findings])
    return done.reconstruction


def tell(sentences: Sequence[str]) -> None:
    """Say what somebody should know."""
    for each in sentences:
        say(f"note: {each}")


def _topic(text: str) -> tuple[str, str]:
    role, sign, name = text.partition("=")
    if not (sign and name and role in ROLES):
        raise argparse.ArgumentTypeError(f"expected ROLE=NAME with a role of {', '.join(ROLES)}")
    return role, name
