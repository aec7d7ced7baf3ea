"""Whatever a page says is a message, or is told to be none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.remote.play.inputs import Device, Held
from paseo.remote.play.messages import BadMessage, Choose, Press, Start, held, read
from worlds import ROOM, plan, scenario

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=9,
)
KEYS = ("type", "number", "by", "x", "y", "episode")
NEARLY = st.dictionaries(st.sampled_from(KEYS), JSON | st.sampled_from(["press", "choose", "keys"]))


def test_what_a_page_says_is_understood() -> None:
    assert read('{"type": "start"}', 3) == Start()
    assert read('{"type": "choose", "episode": 2}', 3) == Choose(2)
    text = '{"type": "press", "number": 7, "by": "mouse", "x": 2, "y": -0.5}'
    assert read(text, 3) == Press(7, Device.MOUSE, 2.0, -0.5)


@given(st.binary(max_size=50) | NEARLY.map(json.dumps) | JSON.map(json.dumps))
def test_nothing_else_gets_through(text: str | bytes) -> None:
    try:
        message = read(text, 3)
    except BadMessage as error:
        assert "\n" not in str(error)
        return
    if isinstance(message, Press):
        assert abs(message.x) <= 1e4
        assert abs(message.y) <= 1e4


def test_what_is_too_deep_is_none() -> None:
    with pytest.raises(BadMessage):
        read("[" * 100_000, 3)


def test_a_place_is_told_from_the_corner_of_the_map_and_a_stick_is_not_moved() -> None:
    moved = scenario(floorplan=plan("moved", (-3, 1, 12, 10)))
    assert held(Press(1, Device.MOUSE, 5.0, 2.0), moved) == Held(Device.MOUSE, 2.0, 3.0)
    assert held(Press(1, Device.MOUSE, 5.0, 2.0), scenario(floorplan=ROOM)).x == 5.0
    assert held(Press(1, Device.TOUCH, 0.5, 0.2), moved) == Held(Device.TOUCH, 0.5, 0.2)
