"""`paseo bag`: what a robot recorded, who was around it, and who corrects that."""

import argparse
from pathlib import Path

from paseo.cli.arguments import Commands, add_command, natural
from paseo.cli.drive_options import (
    add_drive_options,
    add_people_options,
    opened_drive,
    traced_drive,
)
from paseo.cli.screen import bar, bars, json_text, output, say

DRIVE = "a bag (ROS 1, ROS 2, MCAP), a film, or a folder of one or of pictures"


def add_bag_commands(commands: Commands) -> None:
    """`paseo bag info | tracks | mend`."""
    text = "make people in the world of what a robot recorded"
    bag = commands.add_parser("bag", help=text, description=text[0].upper() + text[1:] + ".")
    words: Commands = bag.add_subparsers(title="commands", metavar="COMMAND", required=True)
    info = add_command(
        words, "info", "list topics, rates and gaps, and propose which to use", "bag", "info"
    )
    info.add_argument(
        "recording",
        type=Path,
        metavar="FILE",
        help=DRIVE,
    )
    info.add_argument("--json", action="store_true", help="print as JSON")
    _add_tracks(words)
    _add_mend(words)


def _add_tracks(words: Commands) -> None:
    tracks = add_command(words, "tracks", "find out who was where on a drive", "bag", "tracks")
    tracks.add_argument("recording", type=Path, metavar="DRIVE", help=DRIVE)
    tracks.add_argument("--out", type=Path, required=True, metavar="FILE.npz", help="a new file")
    add_people_options(tracks)
    add_drive_options(tracks)


def _add_mend(words: Commands) -> None:
    mend = add_command(
        words, "mend", "merge, split and delete tracks on a page in the browser", "bag", "mend"
    )
    mend.add_argument("recording", type=Path, metavar="DRIVE", help=DRIVE)
    mend.add_argument("known", type=Path, metavar="TRACKS.npz", help="made by `paseo bag tracks`")
    mend.add_argument(
        "--out", type=Path, required=True, metavar="FILE.npz",
        help="the tracks as corrected so far; corrections lie beside it, and are gone on with",
    )  # fmt: skip
    mend.add_argument("--port", type=natural, default=8019, metavar="N", help="default: 8019")
    add_drive_options(mend)


def info(options: argparse.Namespace) -> int:
    """Say what is in a recording."""
    from paseo.pipeline.drives.info import bag_info
    from paseo.report.recording import recording_json, recording_text

    with bar("B") as progress:
        found = bag_info(options.recording, progress)
    if options.json:
        output(json_text(recording_json(found)))
        return 0
    output(recording_text(found))
    for warning in found.warnings:
        say(warning)
    return 0


def tracks(options: argparse.Namespace) -> int:
    """Find out who was where on a drive, and print where that is written."""
    from paseo.pipeline.reconstruction_file import save_reconstruction

    with bars() as progress:
        drive = opened_drive(options, options.recording, progress)
        found = traced_drive(options, drive, progress)
    save_reconstruction(found, options.out)
    say(f"{len(found.tracks)} tracks of people in {len(found.seen)} of {len(drive.frame_times)} "
        f"frames; look at them with: paseo bag mend {options.recording} {options.out} "
        "--out mended.npz")  # fmt: skip
    output(options.out)
    return 0


def mend(options: argparse.Namespace) -> int:
    """Let a person correct tracks in a browser, until Ctrl-C."""
    from paseo.listening import Address
    from paseo.mending.serving import mend_drive
    from paseo.pipeline.reconstruction_file import load_reconstruction

    def opened(link: str) -> None:
        output(f"correct the tracks at {link}")
        say("end with Ctrl-C; every correction is kept as it is made")

    known = load_reconstruction(options.known)
    with bars() as progress:
        drive = opened_drive(options, options.recording, progress, known.camera)
        mend_drive(
            known,
            drive,
            options.out,
            where=Address("localhost", options.port),
            opened=opened,
        )
    return 0
