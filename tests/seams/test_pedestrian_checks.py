"""The contract of pedestrian models: shipped ones keep it, and each promise can be broken."""

from functools import partial

import numpy as np
import pytest

from paseo.checks import ContractBroken, check_pedestrian_model
from paseo.crowd.models import PEDESTRIAN_MODELS, make_pedestrian_model
from paseo.world.people import Crowd, Snapshot
from paseo.world.scenarios import Scenario


class Stroll:
    """Everybody walks on at the velocity they begin with."""

    def begin(self, scenario: Scenario) -> Crowd:
        tracks = scenario.tracks
        self._dt = scenario.dt
        places = [track.positions_at(np.array([0.0, scenario.dt])) for track in tracks]
        starts = np.array([place[0] for place in places]).reshape(-1, 2)
        steps = np.array([place[1] - place[0] for place in places]).reshape(-1, 2)
        ids = np.array([track.id for track in tracks], np.int64)
        return Crowd(ids, starts, steps / scenario.dt, np.full(len(ids), scenario.person_radius))

    def step(self, snapshot: Snapshot, dt: float) -> Crowd:
        now = snapshot.crowd
        return Crowd(now.ids, now.positions + dt * now.velocities, now.velocities, now.radii)


def broken(model: type) -> str:
    with pytest.raises(ContractBroken) as caught:
        check_pedestrian_model(model)
    return str(caught.value)


@pytest.mark.parametrize("name", PEDESTRIAN_MODELS.shipped)
def test_shipped_models_keep_the_contract(name: str) -> None:
    check_pedestrian_model(partial(make_pedestrian_model, name))


def test_a_simple_model_keeps_the_contract() -> None:
    check_pedestrian_model(Stroll)


def test_a_model_must_be_made_without_arguments_and_have_its_methods() -> None:
    class Needy(Stroll):
        def __init__(self, reaction: object) -> None:
            pass

    class Still(Stroll):
        step = None  # type: ignore[assignment]

    same = Stroll()
    assert "cannot be made without arguments (TypeError" in broken(Needy)
    assert "Still has no method step()" in broken(Still)
    assert "the same model was made twice" in broken(lambda: same)  # type: ignore[arg-type]


def test_what_is_no_crowd_is_refused() -> None:
    class Silent(Stroll):
        def step(self, snapshot: Snapshot, dt: float) -> Crowd:
            return None  # type: ignore[return-value]

    class Writing(Stroll):
        def step(self, snapshot: Snapshot, dt: float) -> Crowd:
            snapshot.crowd.positions[:] += dt
            return snapshot.crowd

    assert "step() returned None, expected a Crowd" in broken(Silent)
    assert "step() raised ValueError" in broken(Writing)


def test_people_are_those_of_the_scenario_at_places_and_speeds_of_people() -> None:
    class Strangers(Stroll):
        def begin(self, scenario: Scenario) -> Crowd:
            one = np.zeros((1, 2))
            return Crowd(np.array([99]), one, one, np.array([0.2]))

    class Backwards(Stroll):
        def begin(self, scenario: Scenario) -> Crowd:
            now = super().begin(scenario)
            return Crowd(now.ids[::-1], now.positions, now.velocities, now.radii)

    class Lost(Stroll):
        def step(self, snapshot: Snapshot, dt: float) -> Crowd:
            now = super().step(snapshot, dt)
            return Crowd(now.ids, now.positions * np.nan, now.velocities, now.radii)

    class Flying(Stroll):
        def step(self, snapshot: Snapshot, dt: float) -> Crowd:
            now = super().step(snapshot, dt)
            return Crowd(now.ids, now.positions + 1.0, now.velocities, now.radii)

    assert "a person 99, who is not in the scenario" in broken(Strangers)
    assert "not in order of id" in broken(Backwards)
    assert "is not finite; leave out who is absent" in broken(Lost)
    assert "m/s, expected at most 12 m/s" in broken(Flying)


def test_the_same_must_happen_again_and_elsewhere() -> None:
    class Moody(Stroll):
        made = 0

        def __init__(self) -> None:
            Moody.made += 1
            self.mood = Moody.made

        def step(self, snapshot: Snapshot, dt: float) -> Crowd:
            now = super().step(snapshot, dt)
            return Crowd(now.ids, now.positions + 1e-3 * self.mood, now.velocities, now.radii)

    class Tired(Stroll):
        tiredness = 0.0

        def begin(self, scenario: Scenario) -> Crowd:
            self.tiredness += 1e-3
            return super().begin(scenario)

        def step(self, snapshot: Snapshot, dt: float) -> Crowd:
            now = super().step(snapshot, dt)
            return Crowd(now.ids, now.positions + self.tiredness, now.velocities, now.radii)

    class Homesick(Stroll):
        def step(self, snapshot: Snapshot, dt: float) -> Crowd:
            now = super().step(snapshot, dt)
            return Crowd(now.ids, now.positions * (1 - 0.1 * dt), now.velocities, now.radii)

    class Eastward(Stroll):
        def step(self, snapshot: Snapshot, dt: float) -> Crowd:
            now = super().step(snapshot, dt)
            return Crowd(now.ids, now.positions + (0.2 * dt, 0.0), now.velocities, now.radii)

    assert "a new model does not do the same again" in broken(Moody)
    assert "begin() does not forget the episode before" in broken(Tired)
    assert "where the map's origin is plays a part" in broken(Homesick)
    assert "how the map is turned plays a part" in broken(Eastward)
