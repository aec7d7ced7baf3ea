import numpy as np

from paseo.vqa.baselines.reading.discs import Disc, Marks
from paseo.vqa.baselines.reading.engines import Reading
from paseo.vqa.baselines.reading.names import places, worth_reading

NAMES = ["R", "G", "1", "2"]
BLACK, BLUE, RED = range(3)


def found(*seen: tuple[int, int, tuple[float, float], str]) -> dict[str, list[object]]:
    """Where names are, from discs as frame, colour, place and what is read; `?` is unsure."""
    crop = np.zeros((1, 1, 3), np.uint8)
    discs = tuple(
        Disc(frame=frame, at=at, colour=colour, shown=0.8, crop=crop)
        for frame, colour, at, _ in seen
    )
    marks = Marks(radius=20, palette=np.zeros((3, 3)), discs=discs)
    readings = [Reading(text.rstrip("?"), 0.2 if "?" in text else 0.9) for *_, text in seen]
    placed = places(marks, zip(discs, readings, strict=True), NAMES, frames=2)
    return {name: [None if np.isnan(x) else (x, y) for x, y in place.tolist()]
            for name, place in placed.items()}  # fmt: skip


def test_a_disc_whose_number_is_covered_is_known_by_its_colour() -> None:
    seen = found((0, BLUE, (5, 5), "1"), (1, BLUE, (6, 5), ""), (0, RED, (9, 9), "2"))
    assert seen["1"] == [(5, 5), (6, 5)]
    assert seen["2"] == [(9, 9), None]


def test_one_misread_number_does_not_rename_a_colour() -> None:
    seen = found((0, BLUE, (5, 5), "1"), (1, BLUE, (6, 5), "1"), (1, RED, (9, 9), "1"),
                 (0, RED, (9, 8), "2"))  # fmt: skip
    assert seen["1"] == [(5, 5), (6, 5)] and seen["2"] == [(9, 8), (9, 9)]


def test_robot_and_goal_share_black_and_are_told_apart_by_their_letters() -> None:
    seen = found((0, BLACK, (0, 0), "R"), (0, BLACK, (50, 0), "G"), (1, BLACK, (50, 0), "G"),
                 (1, BLACK, (8, 0), "R"))  # fmt: skip
    assert seen["R"] == [(0, 0), (8, 0)] and seen["G"] == [(50, 0), (50, 0)]


def test_where_a_letter_is_covered_the_nearest_in_time_decides() -> None:
    seen = found((0, BLACK, (0, 0), "R"), (0, BLACK, (50, 0), "G"), (1, BLACK, (50, 0), ""),
                 (1, BLACK, (8, 0), "7"))  # fmt: skip
    assert seen["R"] == [(0, 0), (8, 0)] and seen["G"] == [(50, 0), (50, 0)]


def test_the_last_name_never_read_has_the_last_colour() -> None:
    seen = found((0, BLACK, (0, 0), "R"), (0, BLACK, (50, 0), "G"), (0, BLUE, (5, 5), "1"),
                 (0, RED, (9, 9), ""))  # fmt: skip
    assert seen["2"] == [(9, 9), None]


def test_an_unsure_reading_is_none() -> None:
    seen = found((0, BLUE, (5, 5), "1?"), (0, RED, (9, 9), "2?"))
    assert seen["1"] == seen["2"] == [None, None]


def test_the_disc_that_says_so_wins_over_another_in_the_same_colour() -> None:
    seen = found((0, BLUE, (5, 5), "1"), (0, BLUE, (90, 5), ""), (1, BLUE, (6, 5), "1"))
    assert seen["1"] == [(5, 5), (6, 5)]


def test_of_a_colour_seen_once_a_frame_only_the_clearest_discs_are_read() -> None:
    crop = np.zeros((1, 1, 3), np.uint8)
    blue = [Disc(frame=frame, at=(0, 0), colour=BLUE, shown=frame / 10, crop=crop)
            for frame in range(10)]  # fmt: skip
    black = [Disc(frame=frame, at=(0, 0), colour=BLACK, shown=0.8, crop=crop)
             for frame in (*range(10), *range(10))]  # fmt: skip
    marks = Marks(radius=20, palette=np.zeros((3, 3)), discs=(*blue, *black))
    chosen = worth_reading(marks)
    assert [disc.frame for disc in chosen if disc.colour == BLUE] == [9, 8, 7, 6, 5]
    assert [disc for disc in chosen if disc.colour == BLACK] == black


def test_an_arrow_taken_for_its_covered_disc_gives_way_to_where_the_disc_must_be() -> None:
    crop = np.zeros((1, 1, 3), np.uint8)
    shares = [((0, 0), 0.8), ((70, 0), 0.2), ((20, 0), 0.8), ((31, 0), 0.2), ((120, 0), 0.2)]
    discs = tuple(Disc(frame=frame, at=at, colour=BLUE, shown=shown, crop=crop)
                  for frame, (at, shown) in enumerate(shares))  # fmt: skip
    marks = Marks(radius=20, palette=np.zeros((3, 3)), discs=discs)
    placed = places(marks, [(discs[0], Reading("1", 0.9))], NAMES, frames=5)["1"]
    assert placed[:4].tolist() == [[0, 0], [10, 0], [20, 0], [31, 0]]
    assert np.isnan(placed[4]).all()
