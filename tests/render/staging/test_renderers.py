"""Views that fail are told in a sentence, with their name."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from paseo.errors import BadValue
from paseo.render.films.panels import Overlaid, SideBySide
from paseo.render.staging.backdrop import Backdrop, Size
from paseo.render.staging.playthrough import Moment
from paseo.render.staging.renderers import Rendering
from paseo.world.records import Record


def view(draw: Callable[[Size], object]) -> type:
    class Mine:
        def __init__(self, backdrop: Backdrop, size: Size) -> None:
            self.size = size

        def render(self, moments: Sequence[Moment]) -> Rendering:
            return Rendering(draw(self.size))  # type: ignore[arg-type]

    return Mine


@pytest.mark.extra("video")
def test_any_view_is_shown_overlaid_and_side_by_side(bump: Record, standing: Record) -> None:
    grey = view(lambda size: np.full((size[1], size[0], 3), 77, np.uint8))
    frame = Overlaid([bump, standing], view=grey, size=(200, 160)).frame(1.0)
    assert frame.shape == (160, 200, 3) and (frame == 77).all()
    frame = SideBySide([bump, standing], view=grey, size=(400, 240)).frame(1.0)
    assert frame.shape == (240, 400, 3)
    assert (frame[-50, [50, 350]] == 77).all()


@pytest.mark.parametrize(
    ("drawn", "sentence"),
    [
        (lambda size: np.zeros((3, 3, 3), np.uint8), "not uint8 of shape"),
        (lambda size: np.zeros((size[1], size[0], 3)), "not float64 of shape"),
        (lambda size: None, "not none"),
        (lambda size: size[2], r"view 'Mine' failed at 1 s \(IndexError: "),
    ],
)
def test_what_is_no_frame_is_told(
    bump: Record, drawn: Callable[[Size], object], sentence: str
) -> None:
    with pytest.raises(BadValue, match=sentence):
        Overlaid([bump], view=view(drawn), size=(200, 160)).frame(1.0)


def test_a_view_that_cannot_be_made_is_told(bump: Record) -> None:
    with pytest.raises(BadValue, match=r"view 'dict' cannot be made \(TypeError"):
        Overlaid([bump], view=dict, size=(200, 160))
