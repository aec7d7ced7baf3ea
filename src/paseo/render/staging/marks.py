"""How contacts are marked: a shape for each cause, and the key to them."""

from collections.abc import Iterable

from paseo.render.staging.playthrough import Playthrough
from paseo.world.records import Cause

# A contact that is not counted, and one of unknown cause, are crosses as well: a small one, and
# one as large as those that the robot caused.
SIGNS = {
    Cause.CAUSED: "\N{MULTIPLICATION X}",
    Cause.SHARED: "\N{WHITE UP-POINTING TRIANGLE}",
    Cause.WALKED_INTO: "\N{WHITE CIRCLE}",
}


def key_to_marks(playthroughs: Iterable[Playthrough]) -> str:
    """What the marks of some records mean, in one line; empty where there is nothing to say."""
    played = list(playthroughs)
    found = {cause for each in played for cause in each.causes.values()}
    words = [f"{sign} {cause.value}" for cause, sign in SIGNS.items() if cause in found]
    uncounted = any(not contact.counted for each in played for contact in each.record.contacts)
    words += [f"small {SIGNS[Cause.CAUSED]} not counted"] * uncounted
    return " \N{MIDDLE DOT} ".join(words)
