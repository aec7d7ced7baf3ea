"""Prompts, pictures and replies as values."""

from paseo.vlm.models import Picture


def test_a_picture_is_told_in_a_few_words() -> None:
    picture = Picture(bytes(2_000_000), "image/png")
    assert repr((picture,)) == "(Picture(image/png, 2,000,000 bytes),)"
