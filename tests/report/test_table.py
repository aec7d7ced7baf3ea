from paseo.report.table import text_table


def test_words_stand_left_numbers_right_and_nothing_is_a_dash() -> None:
    table = text_table(
        ("name", "n", "mean"), [("straight", 3, 1.0), ("a", 12, None), ("b", 100, 0.125)]
    )
    assert table.split("\n") == [
        "name        n  mean",
        "--------  ---  ----",
        "straight    3  1.00",
        "a          12     -",
        "b         100  0.12",
    ]


def test_a_column_with_any_word_in_it_stands_left() -> None:
    assert text_table(("n",), [("1.000",), (2,)]).split("\n")[-1] == "2"


def test_no_rows_are_a_header_alone() -> None:
    assert text_table(("name", "n"), []) == "name  n\n----  -"


def test_no_line_ends_in_spaces() -> None:
    lines = text_table(("name", "note"), [("a", ""), ("b", "long note")]).split("\n")
    assert all(line == line.rstrip() for line in lines)
