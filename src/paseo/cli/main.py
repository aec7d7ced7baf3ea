"""The `paseo` command: its words, and what each calls."""

import argparse
import importlib
from collections.abc import Sequence
from errno import ENAMETOOLONG

from paseo.cli.arguments import Parser, flag
from paseo.cli.bag import add_bag_commands
from paseo.cli.crowd import add_crowd_commands
from paseo.cli.data import add_data_commands
from paseo.cli.info import add_info_commands
from paseo.cli.screen import ReaderGone, let_go, make_ready, say
from paseo.cli.vqa.ask import add_ask_command
from paseo.cli.vqa.audit import add_audit_command
from paseo.cli.vqa.exams import add_exam_commands
from paseo.cli.vqa.loops import add_loops_command
from paseo.cli.vqa.scenes import add_scenes_commands
from paseo.cli.vqa.score import add_score_command
from paseo.cli.vqa.survey import add_survey_commands
from paseo.cli.walk.compare import add_compare_commands
from paseo.cli.walk.draw import add_draw_commands
from paseo.cli.walk.records import add_record_commands
from paseo.cli.walk.remote import add_remote_commands
from paseo.cli.walk.run import add_run_commands
from paseo.errors import InputError, PaseoError
from paseo.stopping import INTERRUPTED, Stop, stopped_like_ctrl_c


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 if it worked, 1 if it failed, 2 if it was used wrongly.

    128 and the number of the signal if one has stopped it.
    """
    make_ready()
    with stopped_like_ctrl_c() as stop:
        code = _carried_out(arguments, stop)
    return stop.exit_code(code)


def _carried_out(arguments: Sequence[str] | None, stop: Stop) -> int:
    try:
        options = parser().parse_args(arguments)
        command = importlib.import_module(options.module)
        return int(getattr(command, options.function)(options))
    except PaseoError as error:
        say(error.spelled(flag))
        return error.exit_code
    except KeyboardInterrupt:
        say(f"{stop.words}; repeat the command to do it after all")
        return INTERRUPTED
    except ReaderGone:
        return 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        say(f"{where}{error.strerror or error}")
        return InputError.exit_code if error.errno == ENAMETOOLONG else PaseoError.exit_code
    finally:
        let_go()


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
    add_bag_commands(commands)
    add_scenes_commands(commands)
    add_ask_command(commands)
    add_exam_commands(commands)
    add_score_command(commands)
    add_audit_command(commands)
    add_loops_command(commands)
    add_survey_commands(commands)
    add_info_commands(commands)
    return top


def _version() -> str:
    from importlib.metadata import version

    return f"paseo {version('paseo')}"
