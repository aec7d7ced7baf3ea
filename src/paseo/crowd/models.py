"""Which model moves the people of a scenario: one that ships, or a user's."""

import inspect
from collections.abc import Callable

from paseo.crowd.replay import Replay
from paseo.errors import BadValue, PaseoError
from paseo.registry.registry import Registry, lacks, made
from paseo.text import error_words
from paseo.world.people import Crowd, Snapshot
from paseo.world.planning import PedestrianModel
from paseo.world.scenarios import ReactionModel, Scenario

_needed = lacks("begin", "step")


def _fault(found: object) -> str:
    if inspect.isclass(found):
        return _needed(found)
    return "" if callable(found) else "is neither a class nor a function that makes a model"


PEDESTRIAN_MODELS: Registry[Callable[[], PedestrianModel]] = Registry(
    kind="pedestrian model",
    group="paseo.pedestrian_models",
    # By name, so that a replay does not wait for kernels that it does not use.
    shipped={
        ReactionModel.STOP.value: "paseo.crowd.replay:Replay",
        ReactionModel.SOCIAL_FORCE.value: "paseo.crowd.reactive:social_force_people",
        ReactionModel.ORCA.value: "paseo.crowd.reactive:orca_people",
    },
    fault=_fault,
)


def pedestrian_model(scenario: Scenario) -> PedestrianModel:
    """Replay, or people who answer the robot as the scenario's reaction says."""
    reaction = scenario.reaction
    if reaction is None or reaction.is_none:
        return Replay()
    return make_pedestrian_model(reaction.by)


def make_pedestrian_model(reference: str) -> PedestrianModel:
    """A new model by its name, `file.py:Class` or `module:Class`."""
    make = PEDESTRIAN_MODELS.find(reference)
    if reference in PEDESTRIAN_MODELS.shipped:
        return make()
    model = made(f"pedestrian model '{reference}'", make)
    if problem := _needed(type(model)):
        raise BadValue(f"pedestrian model '{reference}': {type(model).__name__} {problem}")
    return _Guarded(model, reference)


class _Guarded:
    """A user's model; what it does wrong is told as its fault, and not as the planner's."""

    def __init__(self, model: PedestrianModel, reference: str) -> None:
        self._model, self._reference = model, reference

    def begin(self, scenario: Scenario) -> Crowd:
        """The people present at time 0."""
        return self._asked("begin", lambda: self._model.begin(scenario))

    def step(self, snapshot: Snapshot, dt: float) -> Crowd:
        """The people present `dt` after `snapshot`."""
        return self._asked("step", lambda: self._model.step(snapshot, dt))

    def _asked(self, method: str, ask: Callable[[], Crowd]) -> Crowd:
        try:
            crowd = ask()
        except Exception as error:
            raise PaseoError(
                f"pedestrian model '{self._reference}' failed in {method}() "
                f"({error_words(error)}); correct it, and see paseo.checks.check_pedestrian_model"
            ) from error
        if not isinstance(crowd, Crowd):
            raise PaseoError(
                f"pedestrian model '{self._reference}': {method}() returned {crowd!r:.80}, "
                "expected a Crowd"
            )
        return crowd
