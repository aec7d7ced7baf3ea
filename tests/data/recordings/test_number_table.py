from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.data.recordings.number_table import is_number, number_table
from paseo.errors import BadFile

PATH = Path("table.txt")


def test_numbers_are_separated_by_blanks_or_by_what_is_asked_for() -> None:
    blanks = number_table([" 1 2", "3\t4e0 "], PATH, columns=2, expected="a b")
    commas = number_table(["1,2", "3, 4."], PATH, columns=2, expected="a,b", separator=",")
    np.testing.assert_array_equal(blanks, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(commas, [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("1,2,3,4", "has 4 columns"),
        ("7", "has 1 column"),
        ("", "is empty"),
        ("1,two,3", "has 'two' in column 2"),
        ("1,,3", "has '' in column 2"),
        ("1,1_0,3", "has '1_0' in column 2"),
    ],
)
def test_a_wrong_line_is_found(line: str, problem: str) -> None:
    lines = ["1,2,3", line, "4,5,6"]
    with pytest.raises(BadFile) as error:
        number_table(lines, PATH, columns=3, expected="x,y,z", separator=",", first_line=10)
    assert str(error.value) == (
        f"table.txt: line 11 {problem}, expected x,y,z; correct or remove it"
    )


def test_lines_that_agree_on_the_wrong_number_of_columns_are_refused() -> None:
    with pytest.raises(BadFile, match="line 1 has 2 columns"):
        number_table(["1 2", "3 4"], PATH, columns=3, expected="a b c")


@given(st.text("0123456789.eE+-_ naif\u0661x", max_size=6))
def test_the_slow_search_agrees_with_the_fast_reader(cell: str) -> None:
    try:
        number_table([f"1,{cell},1"], PATH, columns=3, expected="x,y,z", separator=",")
    except BadFile as error:
        assert not is_number(cell)
        assert "in column 2" in str(error)
    else:
        assert is_number(cell)
