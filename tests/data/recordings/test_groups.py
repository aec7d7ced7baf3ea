from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.data.recordings.groups import merged, read_groups
from paseo.errors import BadFile


@pytest.mark.parametrize(
    "text", [" 6 5\n\n 3 1 2 2\n9\n", '{"dataset": "x", "groups": [[6, 5], [3, 1, 2], [9]]}']
)
def test_ids_are_sorted_and_people_alone_are_no_group(tmp_path: Path, text: str) -> None:
    file = tmp_path / "groups"
    file.write_text(text)
    assert read_groups(file) == ((1, 2, 3), (5, 6))


def test_groups_that_share_a_person_are_one() -> None:
    assert merged([[1, 2], [5, 6], [3, 4], [2, 3]]) == ((1, 2, 3, 4), (5, 6))


@given(st.lists(st.lists(st.integers(0, 30))))
def test_merged_groups_share_nobody_and_keep_mates_together(groups: list[list[int]]) -> None:
    result = merged(groups)
    ids = [id for group in result for id in group]
    assert len(ids) == len(set(ids))
    for mates in map(set, groups):
        assert len(mates) < 2 or any(mates <= set(group) for group in result)
    assert merged(result) == result


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "line 1 is missing"),
        ("1 2\n3 ann", "line 2 is '3 ann', expected whole numbers, the ids of one group"),
        ('{"groups": [[1, 2.5]]}', "is wrong (Expected `int`, got `float`"),
        ('{"mates": [[1, 2]]}', "is wrong (Object missing required field `groups`)"),
    ],
)
def test_malformed_group_files_are_refused(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "groups"
    file.write_text(text)
    with pytest.raises(BadFile) as error:
        read_groups(file)
    assert str(error.value).startswith(f"{file}: {sentence}")
