"""What is said of a robot, and how much of it fits."""

import pytest

from paseo.render.figures.saving import drawing
from paseo.render.figures.wording import length, shortened
from paseo.render.raster.palette import LIGHT
from paseo.render.raster.wording import DOTS, cut
from paseo.render.staging.playthrough import Playthrough
from paseo.world.records import Record


def test_the_ending_and_contacts_are_told(bump: Record, standing: Record) -> None:
    playthrough = Playthrough(bump)
    assert playthrough.at(0.5).news == ""
    assert playthrough.at(3.5).news == "1 contact"
    assert playthrough.at(99).news == f"goal in {playthrough.end:.1f} s, 1 contact"
    assert Playthrough(standing).at(99).news == "out of time at 10.0 s, 1 contact"


@pytest.mark.extra("plots")
def test_long_names_are_cut_to_the_room_there_is() -> None:
    with drawing(LIGHT):
        assert shortened("short", 1.0, 8.0) == "short"
        cut = shortened("a planner with a very long name", 1.0, 8.0)
        assert cut.endswith("\N{HORIZONTAL ELLIPSIS}") and 0.7 < length(cut, 8.0) <= 1.0
        assert shortened("anything", 0.01, 8.0) == ""
        assert length("wider", 8.0, "bold") > length("wider", 8.0)


def test_as_much_is_kept_as_fits() -> None:
    for room in range(12):
        cut_line = cut("ten signs.", lambda line, room=room: len(line) <= room)
        whole = "ten signs." if room >= 10 else "ten signs."[: room - 1].rstrip() + DOTS
        assert cut_line == (whole if room > 1 else "")
