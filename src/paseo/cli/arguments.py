"""What the words of the command line are made of."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Never

from paseo.text import in_short

# Parameters whose flags have another name.
FLAGS = {
    "extra": "--set",
    "floorplan": "--map",
    "height": "--height-m",
    "latencies": "--latency",
    "longest_gap": "--longest-gap-s",
    "options": "command line",
    "perceptions": "--perception",
    "pitch": "--pitch-down-deg",
    "planners": "--planner",
    "probes": "--probe",
    "reactivities": "--reactivity",
    "recipe_file": "--recipe",
    "sensor": "--sense",
    "source": "--from",
    "target": "the suite or episode",
}


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence instead of printing the whole usage."""

    def error(self, message: str) -> Never:
        """Exit with 2, as for any wrong use."""
        self.exit(2, f"{in_short(f'{self.prog}: {message}')}; see {self.prog} --help\n")


if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[Parser]
else:
    Commands = object  # the class cannot be given a type at run time


def add_command(commands: Commands, name: str, text: str, module: str, function: str) -> Parser:
    """A command that calls `function` of `paseo.cli.<module>`."""
    command = commands.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
    command.set_defaults(module=f"paseo.cli.{module}", function=function)
    return command


def flag(parameter: str) -> str:
    """How the command line spells a parameter of a function."""
    return FLAGS.get(parameter, f"--{parameter.replace('_', '-')}")


def add_data_option(command: Parser) -> None:
    """The folder of recordings."""
    command.add_argument(
        "--data", type=Path, metavar="DIR", help="where recordings are (default: $PASEO_DATA)"
    )


def positive(text: str) -> int:
    """A whole number from 1 on."""
    return _whole(text, least=1)


def natural(text: str) -> int:
    """A whole number from 0 on."""
    return _whole(text, least=0)


def _whole(text: str, least: int) -> int:
    # Python itself refuses to read thousands of digits.
    if text.isdecimal() and len(text) < 4000 and least <= int(text) < 2**63:
        return int(text)
    given = text if len(text) <= 40 else f"{text[:40]}..."
    raise argparse.ArgumentTypeError(
        f"expected a whole number of {least} or more, below 2**63, not '{given}'"
    )
