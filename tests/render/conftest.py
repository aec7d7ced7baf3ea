"""Records to draw: a robot that bumps into somebody, a lonely one, one that never moves."""

import pytest

import worlds
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.sim.simulate import simulate
from paseo.world.records import Record


@pytest.fixture(scope="session")
def bump() -> Record:
    """Straight from (2, 5) to (8, 5) against a person who comes the other way."""
    return simulate(worlds.scenario(worlds.crossing()), Straight())


@pytest.fixture(scope="session")
def lonely() -> Record:
    return simulate(worlds.scenario(), Straight())


@pytest.fixture(scope="session")
def standing() -> Record:
    """The same scene as `bump` for a robot that stays at its start until time is up."""
    return simulate(worlds.scenario(worlds.crossing()), Stop())
