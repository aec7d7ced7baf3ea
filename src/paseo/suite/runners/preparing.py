"""Before anything runs: is all there that a plan asks for, and what will its records say?"""

import importlib
import math
from dataclasses import replace

from paseo.crowd.models import make_pedestrian_model
from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import check_data, scenario
from paseo.errors import InputError
from paseo.planners.choices import PlannerChoice, Scalar, make_planner
from paseo.planners.names import is_reference, planner_hash
from paseo.sim.simulate import described
from paseo.suite.runners.human import human_variant
from paseo.suite.runners.making import made_within
from paseo.suite.runs.jobs import RunPlan
from paseo.world.motion import Control
from paseo.world.records import Provenance


def prepared(plan: RunPlan) -> dict[str, Provenance]:
    """How the records of each planner are made, by its label.

    Raises for what can be known to be wrong before anything runs; every planner is made once.
    """
    limit = plan.choices.settings.hang_limit_s
    made = {each.label: _provenance(each, plan.control, limit) for each in plan.planners}
    for each in plan.planners:
        now = made[each.label].planner_hash
        if plan.planner_hashes.get(each.reference, now) != now:
            raise InputError(
                f"planner '{each.reference}' was changed since the run was begun; put it back, "
                "or begin a new run in another out",
                parameters=("out",),
            )
    check_worlds(plan)
    for each in plan.planners:
        if is_reference(each.reference):
            _check_reference(each.label, plan, made[each.label])
    return made


def check_worlds(plan: RunPlan) -> None:
    """Raise where an episode's map, task, recordings or people cannot be used."""
    if any(plan.sights):
        importlib.import_module("paseo.camera.kernels")  # which says what is missing
    if plan.reaction is not None:
        make_pedestrian_model(plan.reaction.by)
    for entry in plan.episodes:
        check_data(entry, plan.choices, DataFolder(plan.data))


def _provenance(choice: PlannerChoice, control: Control | None, limit: float) -> Provenance:
    with made_within(limit, choice.label):
        return provenance_of(choice, control)


def provenance_of(choice: PlannerChoice, control: Control | None) -> Provenance:
    """How to make the records of a planner again; the planner is made to see."""
    planner = described(make_planner(choice), control)
    parameters = {**choice.parameters, **planner.parameters}
    return replace(
        planner,
        planner=choice.reference,
        parameters={key: _storable(value) for key, value in parameters.items()},
        planner_hash=planner_hash(choice.reference),
    )


def _storable(value: Scalar) -> Scalar:
    """JSON has no infinity; as a text it is understood when the planner is made again."""
    return repr(value) if isinstance(value, float) and not math.isfinite(value) else value


def _check_reference(label: str, plan: RunPlan, made: Provenance) -> None:
    """Raise where a recorded person cannot be followed as the plan asks."""
    if plan.control is Control.VELOCITY:
        raise InputError(
            f"'{label}' follows a recorded walk, which nobody can steer by velocity; omit "
            "control, or run it apart from the planners",
            parameters=("control",),
        )
    person = made.parameters["person"]
    if person is not None:
        assert isinstance(person, int)
        for entry in plan.episodes:
            human_variant(scenario(entry, plan.choices, DataFolder(plan.data)), person)
