"""Crowds."""

import numpy as np
import pytest

import worlds
from paseo.errors import BadValue
from paseo.world.people import Crowd


def test_a_crowd_counts_its_people_and_may_be_empty():
    assert len(worlds.crowd((1, 0, 0), (7, 3, 4))) == 2
    assert len(worlds.crowd()) == 0


@pytest.mark.parametrize(
    ("positions", "velocities", "radii"),
    [((3, 2), (2, 2), 2), ((2, 2), (2, 3), 2), ((2, 2), (2, 2), 1)],
)
def test_everybody_has_a_place_a_velocity_and_a_radius(positions, velocities, radii):
    with pytest.raises(BadValue, match="a crowd of 2 people needs"):
        Crowd(np.array([1, 2]), np.zeros(positions), np.zeros(velocities), np.zeros(radii))
