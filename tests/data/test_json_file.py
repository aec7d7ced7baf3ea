"""JSON files of any shape."""

from pathlib import Path

import pytest

from paseo.data.json_file import read_json
from paseo.errors import BadFile


def test_signs_that_end_lines_elsewhere_may_stand_in_a_string(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    said = "one\u2028two\x85three"
    file.write_text(f'{{"said":\n"{said}"}}\n', encoding="utf-8")
    assert read_json(file, largest=100) == {"said": said}


@pytest.mark.parametrize("text", ["{", "", "NaN", "[" * 100_000, "[1] [2]"])
def test_what_is_no_json_is_refused_by_name(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.json"
    file.write_text(text)
    with pytest.raises(BadFile, match=r"a\.json: "):
        read_json(file, largest=200_000)


def test_more_bytes_than_allowed_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("[1, 2]")
    assert read_json(file, largest=6) == [1, 2]
    with pytest.raises(BadFile, match="more than 5 bytes"):
        read_json(file, largest=5)
