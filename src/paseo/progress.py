"""How long work tells how far it is; nothing in the library prints."""

from collections.abc import Callable

# What is being done, how much of it is done, and of how much (0: nobody knows).
Progress = Callable[[str, int, int], None]


def silent(what: str, done: int, total: int) -> None:
    """The progress that nobody watches."""
