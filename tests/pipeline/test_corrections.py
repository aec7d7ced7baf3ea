"""Who is who, corrected by a person: merged, split and deleted."""

import pytest

from paseo.errors import InputError
from paseo.pipeline.corrections import (
    Correction,
    Delete,
    Merge,
    SeenFrames,
    Split,
    corrected,
    frames_of,
)
from paseo.pipeline.locating.seen import Seen, SeenFrame

BOX = (0.0, 0.0, 10.0, 20.0)


def seen(*frames: tuple[int, ...]) -> SeenFrames:
    """Frames with these people in them."""
    return {
        number: SeenFrame(number, tuple(Seen(person=each, box=BOX) for each in people))
        for number, people in enumerate(frames)
    }


def names(frames: SeenFrames) -> list[tuple[int, ...]]:
    return [tuple(each.person for each in frame.people) for frame in frames.values()]


def test_two_who_are_one_have_the_first_ones_name() -> None:
    assert names(corrected(seen((1,), (1, 3), (2, 3)), [Merge(1, 2)])) == [(1,), (1, 3), (1, 3)]


def test_somebody_new_has_a_number_that_nobody_ever_had() -> None:
    after = corrected(seen((1, 4), (1,), (1,)), [Delete(4), Split(1, 1)])
    assert names(after) == [(1,), (5,), (5,)]


def test_corrections_build_on_each_other() -> None:
    """A switch of two people is mended by two splits and two merges."""
    steps: list[Correction] = [Split(1, 2), Split(2, 2), Merge(1, 4), Merge(2, 3)]
    assert names(corrected(seen((1, 2), (1, 2), (2, 1)), steps)) == [(1, 2), (1, 2), (1, 2)]


def test_what_was_given_is_left_alone() -> None:
    before = seen((1,), (1,))
    corrected(before, [Delete(1)])
    assert names(before) == [(1,), (1,)]
    assert frames_of(before, 1) == [0, 1]


@pytest.mark.parametrize(
    ("correction", "words"),
    [
        (Merge(1, 2), "both seen in 1 frames, the first being 1"),
        (Merge(1, 1), "is one person already"),
        (Merge(1, 9), "nobody is called 9"),
        (Split(1, 0), "from frame 0 to 1, so frame 0 leaves nothing"),
        (Split(1, 2), "so frame 2 leaves nothing"),
        (Delete(7), "nobody is called 7"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(correction: Correction, words: str) -> None:
    with pytest.raises(InputError, match=words):
        corrected(seen((1,), (1, 2), (2,)), [correction])
