"""The contract check passes good renderers and names what bad ones do wrong."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

from paseo.checks import ContractBroken, check_renderer
from paseo.render.raster.strokes import Frame
from paseo.render.staging.backdrop import Backdrop, Size
from paseo.render.staging.playthrough import Moment
from paseo.render.staging.renderers import Rendering
from paseo.render.topview.topview import TopView


class Plain:
    """As bright as the robot is far to the right."""

    def __init__(self, backdrop: Backdrop, size: Size) -> None:
        self.size, self.backdrop = size, backdrop

    def shade(self, moments: Sequence[Moment]) -> int:
        return round(20 * moments[0].snapshot.robot.pose.x)

    def frame(self, moments: Sequence[Moment]) -> Frame:
        width, height = self.size
        return np.full((height, width, 3), self.shade(moments), np.uint8)

    def render(self, moments: Sequence[Moment]) -> Rendering:
        return Rendering(self.frame(moments))


def words(make: Any) -> str:
    """What the check says about a bad renderer."""
    with pytest.raises(ContractBroken) as caught:
        check_renderer(make)
    return str(caught.value)


@pytest.mark.extra("video")
def test_the_view_from_above_keeps_the_contract() -> None:
    check_renderer(TopView)


def test_a_renderer_with_depth_keeps_the_contract() -> None:
    class Deep(Plain):
        def render(self, moments: Sequence[Moment]) -> Rendering:
            return Rendering(self.frame(moments), np.full(self.size[::-1], np.inf))

    check_renderer(Deep)


def test_what_makes_no_renderers_is_told() -> None:
    assert "expected the renderer's class" in words("topview")
    assert "cannot be made of a backdrop and a size (320, 240) (TypeError" in words(lambda: 1)
    assert "int has no method render()" in words(lambda backdrop, size: 1)


def test_frames_of_another_size_or_kind_are_told() -> None:
    class Turned(Plain):
        def render(self, moments: Sequence[Moment]) -> Rendering:
            return Rendering(np.ascontiguousarray(self.frame(moments).swapaxes(0, 1)))

    class Fractions(Plain):
        def render(self, moments: Sequence[Moment]) -> Rendering:
            return Rendering(self.frame(moments) / 255)

    class Naked(Plain):
        def render(self, moments: Sequence[Moment]) -> Rendering:
            return self.frame(moments)  # type: ignore[return-value]

    assert "rgb has the shape (320, 240, 3), expected (240, 320, 3)" in words(Turned)
    assert "rgb is no array of uint8" in words(Fractions)
    assert "expected a Rendering" in words(Naked)


@pytest.mark.parametrize(
    ("depth", "sentence"),
    [
        (np.zeros((2, 3)), "depth has the shape (2, 3), expected (240, 320)"),
        (np.full((240, 320), -1.0), "depth is below 0 or NaN"),
        (np.full((240, 320), np.nan), "depth is below 0 or NaN"),
    ],
)
def test_depths_that_make_no_sense_are_told(depth: np.ndarray, sentence: str) -> None:
    class Deep(Plain):
        def render(self, moments: Sequence[Moment]) -> Rendering:
            return Rendering(self.frame(moments), depth)

    assert sentence in words(Deep)


def test_a_renderer_that_remembers_is_told() -> None:
    class Fading(Plain):
        last = 0

        def shade(self, moments: Sequence[Moment]) -> int:
            self.last = (self.last + super().shade(moments)) // 2
            return self.last

    class Shared(Plain):
        drawn: ClassVar[list[int]] = []

        def shade(self, moments: Sequence[Moment]) -> int:
            self.drawn.append(id(self))
            return min(len(set(self.drawn)), 255)

    assert "with people crossing: the same moment was drawn differently" in words(Fading)
    assert "a new renderer draws the same moment differently" in words(Shared)


def test_a_renderer_that_hands_out_one_array_again_and_again_is_told() -> None:
    class Thrifty(Plain):
        def __init__(self, backdrop: Backdrop, size: Size) -> None:
            super().__init__(backdrop, size)
            self.page = np.zeros((size[1], size[0], 3), np.uint8)

        def render(self, moments: Sequence[Moment]) -> Rendering:
            self.page[:] = self.shade(moments)
            return Rendering(self.page)

    assert "draw each into an array of its own" in words(Thrifty)


def test_a_renderer_that_changes_what_it_is_shown_is_told() -> None:
    class Mover(Plain):
        def render(self, moments: Sequence[Moment]) -> Rendering:
            moments[0].snapshot.crowd.positions[:] += 0.001
            return super().render(moments)

    assert "render() changes what it is shown; copy what you want" in words(Mover)


def test_a_renderer_that_needs_people_a_second_state_or_a_map_is_told() -> None:
    class Lonely(Plain):
        def shade(self, moments: Sequence[Moment]) -> int:
            return int(moments[0].snapshot.crowd.radii.min())

    class Mapped(Plain):
        def __init__(self, backdrop: Backdrop, size: Size) -> None:
            super().__init__(backdrop, size)
            self.walls = backdrop.floorplan.walls  # type: ignore[union-attr]

    assert "render() raised ValueError" in words(Lonely)
    assert "cannot be made" in words(Mapped)
