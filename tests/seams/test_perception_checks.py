"""The contract of perceptions: shipped ones keep it, and each promise can be broken."""

from itertools import count

import numpy as np
import pytest

from paseo.checks import ContractBroken, check_perception
from paseo.perception.names import PERCEPTIONS
from paseo.sim.sensing import NOBODY
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation


class Blind:
    """Finds nobody."""

    def begin(self, briefing: Briefing) -> None:
        pass

    def people(self, observation: Observation) -> Crowd:
        assert observation.image is not None and observation.image.ids is None
        return NOBODY


def somebody(*ids: int, x: float = 1.0, radius: float = 0.2) -> Crowd:
    places = np.full((len(ids), 2), x)
    return Crowd(np.array(ids, np.int64), places, np.zeros_like(places), np.full(len(ids), radius))


def broken(perception: object) -> str:
    with pytest.raises(ContractBroken) as caught:
        check_perception(perception)  # type: ignore[arg-type]
    return str(caught.value)


@pytest.mark.parametrize("name", PERCEPTIONS.shipped)
def test_shipped_perceptions_keep_the_contract(name: str) -> None:
    check_perception(PERCEPTIONS.find(name))


def test_who_finds_nobody_keeps_the_contract_and_is_given_no_ids() -> None:
    check_perception(Blind)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (None, "returned None, expected a Crowd"),
        (somebody(2, 1), "not in order of id, each once: [2, 1]"),
        (somebody(1, x=np.inf), "a place or velocity is not finite"),
        (somebody(1, radius=0.0), "a radius is not more than 0"),
    ],
)
def test_answers_that_are_no_people_are_refused(answer: Crowd, fault: str) -> None:
    class Wrong(Blind):
        def people(self, observation: Observation) -> Crowd:
            return answer

    assert fault in broken(Wrong)


def test_who_writes_into_pictures_or_stumbles_in_the_dark_is_refused() -> None:
    class Painter(Blind):
        def people(self, observation: Observation) -> Crowd:
            assert observation.image is not None
            observation.image.rgb[:] = 0
            return NOBODY

    class Afraid(Blind):
        def people(self, observation: Observation) -> Crowd:
            assert observation.image is not None
            return somebody(int(observation.image.depth[0].min()))

    assert "people() raised ValueError: assignment destination is read-only" in broken(Painter)
    assert "people() raised ValueError: cannot convert float NaN" in broken(Afraid)


def test_who_remembers_another_episode_or_throws_dice_is_refused() -> None:
    class Remembers(Blind):
        def __init__(self) -> None:
            self._steps = count()

        def people(self, observation: Observation) -> Crowd:
            return somebody(next(self._steps))

    class Dice(Blind):
        def people(self, observation: Observation) -> Crowd:
            return somebody(1, x=float(np.random.default_rng().random()))

    assert "begin() does not forget the one before" in broken(Remembers)
    assert "a new perception does not do the same" in broken(Dice)
