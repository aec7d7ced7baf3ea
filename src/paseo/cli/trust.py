"""Whether code is imported that only a file names."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from paseo.cli.arguments import Parser
from paseo.cli.screen import answer, say

if TYPE_CHECKING:
    from paseo.registry.trust import Consent, NamedCode


def add_trust(command: Parser, whose: str = "the run or record") -> None:
    """Whether code is imported that only a file names."""
    command.add_argument(
        "--trust",
        action="store_true",
        help=f"import what {whose} names, also where you have not named it before",
    )


def consent(options: argparse.Namespace) -> "Consent":
    """Says what is imported because a file names it; who sits at a terminal is asked about it."""

    def consented(code: Sequence["NamedCode"]) -> bool:
        for each in code:
            say(f"to be imported: {each.words}")
        if options.trust or all(each.is_known for each in code):
            return True
        said = answer("you have not named this as it is; import it? [y/N]")
        return said.lower() in ("y", "yes")

    return consented
