"""The `paseo` command: its words, and what each calls."""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence

from paseo.cli.arguments import Parser, flag
from paseo.cli.ask import add_ask_commands
from paseo.cli.compare import add_compare_commands
from paseo.cli.crowd import add_crowd_commands
from paseo.cli.data import add_data_commands
from paseo.cli.draw import add_draw_commands
from paseo.cli.info import add_info_commands
from paseo.cli.records import add_record_commands
from paseo.cli.remote import add_remote_commands
from paseo.cli.run import add_run_commands
from paseo.cli.scenes import add_scenes_commands
from paseo.cli.score import add_score_command
from paseo.errors import PaseoError

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it worked, 1 if it failed, 2 if it was used wrongly."""
    options = parser().parse_args(arguments)
    try:
        command = importlib.import_module(options.module)
        code = int(getattr(command, options.function)(options))
        sys.stdout.flush()  # here, where a closed pipe or a full disk can still be told
        return code
    except PaseoError as error:
        print(f"paseo: {error.spelled(flag)}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("paseo: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has seen enough; there is nobody left to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"paseo: {where}{error.strerror or error}", file=sys.stderr)
        return 1


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = Parser(
        prog="paseo", description="A test bench for robots and models that move among people."
    )
    top.add_argument("--version", action="version", version=_version())
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_run_commands(commands)
    add_remote_commands(commands)
    add_record_commands(commands)
    add_compare_commands(commands)
    add_draw_commands(commands)
    add_data_commands(commands)
    add_crowd_commands(commands)
    add_scenes_commands(commands)
    add_ask_commands(commands)
    add_score_command(commands)
    add_info_commands(commands)
    return top


def _version() -> str:
    from importlib.metadata import version

    return f"paseo {version('paseo')}"
