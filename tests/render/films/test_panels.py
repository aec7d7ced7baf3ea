"""Several records in one film."""

from dataclasses import replace

import numpy as np
import pytest

import worlds
from paseo.errors import BadValue
from paseo.planners.stop import Stop
from paseo.render.films.footage import Footage, Playback
from paseo.render.films.panels import Overlaid, SideBySide
from paseo.render.raster.colours import OWN
from paseo.render.raster.palette import LIGHT
from paseo.render.raster.strokes import Frame
from paseo.render.staging.backdrop import panel_backdrops
from paseo.sim.simulate import simulate
from paseo.world.records import Record

pytestmark = pytest.mark.extra("video")

STRAIGHT, STOP = LIGHT.planner(OWN["straight"]), LIGHT.planner(OWN["stop"])


def count(frame: Frame, colour: tuple[int, int, int]) -> int:
    return int((frame == colour).all(axis=2).sum())


def test_overlaid_robots_share_one_scene(bump: Record, standing: Record) -> None:
    frame = Overlaid([bump, standing], size=(640, 480)).frame(2.0)
    assert count(frame, STRAIGHT) > 100
    assert count(frame, STOP) > 100


def test_a_film_goes_on_until_the_last_robot_has_ended(bump: Record, standing: Record) -> None:
    assert Overlaid([bump, standing]).end == SideBySide([bump, standing]).end == 10.0


def test_a_robot_that_has_ended_stays_where_it_is(bump: Record, standing: Record) -> None:
    frame = Overlaid([bump, standing], size=(640, 480)).frame(9.0)
    assert count(frame, STRAIGHT) > 100


def test_side_by_side_each_has_a_half(bump: Record, standing: Record) -> None:
    frame = SideBySide([bump, standing], size=(1000, 520)).frame(2.0)
    left, right = frame[:, :500], frame[:, 500:]
    assert frame.shape == (520, 1000, 3)
    assert count(left, STRAIGHT) > 50 and count(left, STOP) == 0
    assert count(right, STOP) > 50 and count(right, STRAIGHT) == 0


@pytest.mark.parametrize("records", [2, 3, 4, 5, 8])
def test_sheets_are_even_and_fit_on_a_screen(bump: Record, records: int) -> None:
    frame = SideBySide([bump] * records).frame(0.0)
    height, width = frame.shape[:2]
    assert width % 2 == height % 2 == 0
    assert width <= 1920 and height <= 1200


def test_records_of_different_episodes_stand_side_by_side(bump: Record) -> None:
    other = simulate(worlds.scenario(name="other"), Stop())
    names = [each.actors[0].name for each in panel_backdrops([bump, other], LIGHT)]
    assert names == ["Straight, test", "Stop, other"]
    SideBySide([bump, other]).frame(1.0)


def test_footage_begins_at_the_start_and_holds_the_end(bump: Record) -> None:
    frames = Footage(Overlaid([bump], size=(200, 200)), Playback(fps=10))
    states = int(np.ceil(bump.times[-1] * 10 - 1e-6)) + 1
    assert len(frames) == states + 10
    assert frames[-1].tobytes() == frames[states - 1].tobytes()
    assert frames[0].tobytes() != frames[1].tobytes()
    assert len(frames[2:5]) == 3
    with pytest.raises(IndexError):
        frames[len(frames)]


def test_a_faster_film_is_shorter(bump: Record) -> None:
    stage = Overlaid([bump], size=(200, 200))
    slow, fast = Footage(stage, Playback(fps=10)), Footage(stage, Playback(fps=10, speed=4))
    assert (len(fast) - 11) == pytest.approx((len(slow) - 11) / 4, abs=1)


def test_one_state_makes_a_film_of_one_moment(bump: Record) -> None:
    single = replace(
        bump, robot=bump.robot[:1], commands=bump.commands[:0], people=bump.people[:1], contacts=()
    )
    assert len(Footage(Overlaid([single], size=(200, 200)), Playback(fps=10))) == 11


class Counted:
    """Frames that are told by their number; one cannot be drawn."""

    end = 0.5

    def __init__(self) -> None:
        self.asked: list[float] = []

    def frame(self, time: float) -> np.ndarray:
        self.asked.append(round(time, 6))
        if time > 0.45:
            raise BadValue("the last cannot be drawn")
        return np.full((2, 2, 3), round(10 * time), np.uint8)


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_frames_drawn_ahead_are_the_same_in_order_and_so_are_errors(threads: int) -> None:
    counted = Counted()
    frames = Footage(counted, Playback(fps=10), threads=threads)
    assert len(frames) == 16 and frames[0][0, 0, 0] == 0
    assert [int(frame[0, 0, 0]) for frame in frames[:5]] == [0, 1, 2, 3, 4]
    assert sorted(counted.asked)[:5] == [0.0, 0.1, 0.2, 0.3, 0.4], "none is drawn twice"
    with pytest.raises(BadValue, match="the last cannot be drawn"):
        frames[5]
    with pytest.raises(IndexError):
        frames[16]
