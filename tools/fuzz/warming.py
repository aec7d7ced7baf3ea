"""What is the same for every mutant, found once for each process; it took most of the time."""

from functools import cache

from paseo.cli import main as command_line
from paseo.registry import registry


@cache
def warm() -> None:
    """Build the parser of the command line, and look at the installed packages, only once."""
    command_line.parser = cache(command_line.parser)  # type: ignore[assignment]
    registry.entry_points = cache(registry.entry_points)  # type: ignore[attr-defined]
