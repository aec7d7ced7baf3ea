import gzip
from pathlib import Path

import pytest

from paseo.data.textfile import quoted, read_json, text_lines
from paseo.errors import BadFile


def test_a_name_ending_in_gz_is_decompressed(tmp_path: Path) -> None:
    file = tmp_path / "walk.csv.gz"
    file.write_bytes(gzip.compress(b"one\r\ntwo\n\n"))
    assert text_lines(file) == ["one", "two"]


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    file = tmp_path / "walk.csv"
    file.write_bytes("\ufefföne".encode())
    assert text_lines(file) == ["öne"]


@pytest.mark.parametrize("bytes_", [b"fine\n\xff\xfe", b"fine\nnull\0"])
def test_bytes_that_are_no_text_are_reported_with_their_line(tmp_path: Path, bytes_: bytes) -> None:
    file = tmp_path / "walk.csv"
    file.write_bytes(bytes_)
    with pytest.raises(BadFile, match=r"walk\.csv: line 2 is not text, expected .* UTF-8; "):
        text_lines(file)


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_file_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "walk.csv"
    file.write_text(text)
    with pytest.raises(BadFile, match="line 1 is missing, expected a text file that is not empty"):
        text_lines(file)


def test_a_small_file_that_unfolds_to_a_large_one_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bomb.csv.gz"
    file.write_bytes(gzip.compress(b"0" * 100_000))
    with pytest.raises(BadFile, match="holds more than 5000 bytes, expected at most that many"):
        text_lines(file, largest=5000)


@pytest.mark.parametrize(
    "bytes_", [b"never packed", gzip.compress(b"cut short" * 99, mtime=0)[:-12]]
)
def test_a_broken_gz_file_is_refused(tmp_path: Path, bytes_: bytes) -> None:
    file = tmp_path / "walk.csv.gz"
    file.write_bytes(bytes_)
    with pytest.raises(BadFile, match=r"walk\.csv\.gz: cannot be read \(.+\), expected"):
        text_lines(file)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"nobody\.csv: cannot be read \(No such file"):
        text_lines(tmp_path / "nobody.csv")


def test_long_quotes_are_cut() -> None:
    assert quoted("x" * 1000) == "'" + "x" * 40 + "...'"


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
