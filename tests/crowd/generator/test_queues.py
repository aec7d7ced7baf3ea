import math

import numpy as np
import pytest

from paseo.crowd.generator.manners import ALONE, STANDING
from paseo.crowd.generator.queues import Line
from paseo.world.recipes import Habit, Stay

COUNTER = Stay(habit=Habit.QUEUE, x=5.0, y=5.0, rate=0.1, duration=5.0, direction=math.pi)


class Waiting:
    """People who are wherever they are put."""

    def __init__(self, *places: tuple[float, float]) -> None:
        self.positions = np.array(places, float)
        self.points = self.positions.copy()
        self.about = np.full(len(places), ALONE)


def line() -> Line:
    return Line(COUNTER, np.random.default_rng(1))


def test_who_comes_near_the_tail_joins_and_is_sent_to_the_next_place() -> None:
    people, queue = Waiting((4.5, 5.0), (4.0, 5.5), (0.0, 0.0)), line()
    for person in range(3):
        assert not queue.serve(people, person, 0.0)
    queue.move_up(people, 0.0)
    assert queue.order == [0, 1]
    assert people.points[0] == pytest.approx((5.0, 5.0))
    assert people.points[1] == pytest.approx((4.2, 5.0))
    assert queue.tail == pytest.approx((3.4, 5.0))


def test_the_first_is_served_a_while_after_reaching_the_front_and_the_next_moves_up() -> None:
    people, queue = Waiting((5.0, 5.0), (4.2, 5.0)), line()
    for person in range(2):
        queue.serve(people, person, 0.0)
    queue.move_up(people, 0.0)
    assert people.about.tolist() == [STANDING, STANDING]
    assert not queue.serve(people, 0, 0.5)
    assert not queue.serve(people, 1, 1e6)  # not yet the first
    assert queue.serve(people, 0, 1e6)
    queue.move_up(people, 1e6)
    assert people.points[1] == pytest.approx((5.0, 5.0))
    assert people.about[1] == ALONE
