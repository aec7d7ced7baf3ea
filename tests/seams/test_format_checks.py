"""The contract of recording formats: shipped ones keep it, and each promise can be broken."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from paseo.checks import ContractBroken, check_recording_format
from paseo.data.recordings.formats import FORMATS
from paseo.data.recordings.number_table import number_table
from paseo.data.recordings.sightings import Sightings, by_line

EXAMPLES = {
    "csv": "frame,ped_id,x_m,y_m\n0,1,0,0\n10,1,1,2\n",
    "obsmat": "0 1 1.0 0 2.0 0 0 0\n10 1 2.0 0 2.0 0 0 0\n",
    "vsp": "1 - the number of splines\n2 - points\n1.0 2.0 0 90\n2.0 2.0 10 90\n",
    "socnavbench": "0,10\n1,1\n2.0,2.0\n1.0,2.0\n",
    "trajnet": '{"track": {"f": 0, "p": 1, "x": 1, "y": 2}}\n',
}
TEXT = "1;0;1.0;2.0\n1;10;2.0;2.0\n"


class Semicolons:
    """Rows of id;frame;x;y."""

    def sign(self, name: str, lines: Sequence[str]) -> str:
        return "line 1 has semicolons" if ";" in lines[0] else ""

    def sightings(self, lines: list[str], path: Path) -> Sightings:
        table = number_table(lines, path, columns=4, expected="id;frame;x;y", separator=";")
        return Sightings(
            path=path, where=by_line(1), frames=table[:, 1], ids=table[:, 0], positions=table[:, 2:]
        )


def broken(format: type) -> str:
    with pytest.raises(ContractBroken) as caught:
        check_recording_format(format, TEXT)
    return str(caught.value)


@pytest.mark.parametrize("name", FORMATS.shipped)
def test_shipped_formats_keep_the_contract(name: str) -> None:
    check_recording_format(FORMATS.find(name), EXAMPLES[name])


def test_a_simple_format_keeps_the_contract() -> None:
    check_recording_format(Semicolons, TEXT)


def test_a_format_must_be_made_without_arguments_and_have_its_methods() -> None:
    class Needy(Semicolons):
        def __init__(self, separator: str) -> None:
            pass

    class Signless(Semicolons):
        sign = None  # type: ignore[assignment]

    assert "cannot be made without arguments (TypeError" in broken(Needy)
    assert "Signless has no method sign()" in broken(Signless)


def test_a_sign_is_a_reason_and_not_given_to_nonsense() -> None:
    class Greedy(Semicolons):
        def sign(self, name: str, lines: Sequence[str]) -> str:
            return "why not"

    class Yes(Semicolons):
        def sign(self, name: str, lines: Sequence[str]) -> str:
            return ";" in lines[0]  # type: ignore[return-value]

    class Hasty(Semicolons):
        def sign(self, name: str, lines: Sequence[str]) -> str:
            return f"line 2 is {lines[1]}"

    assert "takes nonsense for its own (why not)" in broken(Greedy)
    assert "sign() returned True, expected the reason" in broken(Yes)
    assert "sign() raised IndexError on nonsense.bin" in broken(Hasty)


def test_the_example_must_be_read_and_somebody_be_in_it() -> None:
    class Shy(Semicolons):
        def sightings(self, lines: list[str], path: Path) -> Sightings:
            return []  # type: ignore[return-value]

    class Blind(Semicolons):
        def sightings(self, lines: list[str], path: Path) -> Sightings:
            none = np.empty(0)
            return Sightings(
                path=path, where=by_line(1), frames=none, ids=none, positions=np.empty((0, 2))
            )

    class Strict(Semicolons):
        def sightings(self, lines: list[str], path: Path) -> Sightings:
            raise RuntimeError("no")

    assert "sightings() returned [], expected Sightings" in broken(Shy)
    assert "nobody is seen in the example" in broken(Blind)
    assert "sightings() raised RuntimeError on the example: no" in broken(Strict)


def test_reading_leaves_the_lines_alone_and_is_the_same_twice() -> None:
    class Eating(Semicolons):
        def sightings(self, lines: list[str], path: Path) -> Sightings:
            found = super().sightings(lines, path)
            lines.clear()
            return found

    class Drifting(Semicolons):
        times = 0

        def sightings(self, lines: list[str], path: Path) -> Sightings:
            found = super().sightings(lines, path)
            Drifting.times += 1
            return Sightings(
                path=path,
                where=found.where,
                frames=found.frames,
                ids=found.ids,
                positions=found.positions + Drifting.times,
            )

    class Elsewhere(Semicolons):
        def sightings(self, lines: list[str], path: Path) -> Sightings:
            return super().sightings(lines, Path("other"))

    assert "changes the lines it is given" in broken(Eating)
    assert "read differently the second time" in broken(Drifting)
    assert "say they are from other" in broken(Elsewhere)


def test_damage_is_told_as_a_bad_file() -> None:
    class Trusting(Semicolons):
        def sightings(self, lines: list[str], path: Path) -> Sightings:
            table = np.array([[float(cell) for cell in line.split(";")] for line in lines])
            return Sightings(
                path=path,
                where=by_line(1),
                frames=table[:, 1],
                ids=table[:, 0],
                positions=table[:, 2:],
            )

    said = broken(Trusting)
    assert "nonsense: raised ValueError" in said
    assert "letters instead of digits: raised ValueError" in said
