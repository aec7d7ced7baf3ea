"""Before anything runs: is all there that a plan asks for, and what will its records say?"""

import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass

from paseo.crowd.models import make_pedestrian_model
from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import check_data, scenario
from paseo.errors import BadValue, InputError
from paseo.planners.choices import PlannerChoice, Scalar, make_planner
from paseo.planners.names import PLANNERS, is_reference, planner_hash
from paseo.suite.runners.answers import Fault, Introduced, introduced
from paseo.suite.runners.hiring import Worker, expect, hired
from paseo.suite.runners.human import human_variant
from paseo.suite.runners.worker import Introduction
from paseo.suite.runs.jobs import RunPlan
from paseo.version import paseo_version
from paseo.world.motion import Control
from paseo.world.records import Provenance

GLANCE = 0.05  # seconds between looks at a planner that is being made


@dataclass(frozen=True, slots=True)
class Preparation:
    """What is known of a plan's planners before anything runs."""

    made: Mapping[str, Provenance]  # how the records of each planner are made, by its label
    blind: tuple[str, ...]  # a sentence for each that is told of nobody and may not look either


def prepared(plan: RunPlan) -> Preparation:
    """How the records of each planner are made, and who would drive blind.

    Raises for what can be known to be wrong before anything runs; every planner is made once, in a
    process of its own unless it ships.
    """
    check_unchanged(plan)
    limit = plan.choices.settings.hang_limit_s
    if not all(each.reference in PLANNERS.shipped for each in plan.planners):
        expect(plan.data, plan.episodes)  # a server is needed for the first of them already
    said = {each.label: _introduction(each, limit) for each in plan.planners}
    made = {each.label: _told(each, plan.control, said[each.label]) for each in plan.planners}
    check_worlds(plan)
    for each in plan.planners:
        if is_reference(each.reference):
            _check_reference(each.label, plan, made[each.label])
    return Preparation(made, _blind(plan, {label: each.looks for label, each in said.items()}))


def check_unchanged(plan: RunPlan) -> None:
    """Raise where a planner's file is another than when the run was begun; nothing is imported."""
    for each in plan.planners:
        now = planner_hash(each.reference)
        if plan.planner_hashes.get(each.reference, now) != now:
            raise InputError(
                f"planner '{each.reference}' was changed since the run was begun; put it back, "
                "or begin a new run in another out",
                parameters=("out",),
            )


def _blind(plan: RunPlan, looks: Mapping[str, bool | None]) -> tuple[str, ...]:
    """A sentence for each planner that may see nobody, and does not say that it means to."""
    if not any(sight is not None and not sight.perception for sight in plan.sights):
        return ()
    remedy = "add a perception, e.g. ids or depth"
    sentences = []
    for each in plan.planners:
        if looks[each.label] is not None or is_reference(each.reference):
            continue
        if each.reference in PLANNERS.shipped:
            sentences.append(
                f"{each.label} does not look at pictures and was told of nobody; {remedy}"
            )
        else:
            sentences.append(
                f"{each.label} does not say that it looks at pictures, and was told of nobody; "
                f"declare looks = True if it does, else {remedy}"
            )
    return tuple(sentences)


def check_worlds(plan: RunPlan) -> None:
    """Raise where an episode's map, task, recordings or people cannot be used."""
    if any(plan.sights):
        importlib.import_module("paseo.camera.kernels")  # which says what is missing
    if plan.reaction is not None:
        make_pedestrian_model(plan.reaction.by)
    for entry in plan.episodes:
        check_data(entry, plan.choices, DataFolder(plan.data))


def _introduction(choice: PlannerChoice, limit: float) -> Introduced:
    """What a planner says of itself; one that does not ship is made in another process."""
    if choice.reference in PLANNERS.shipped:
        return introduced(make_planner(choice))
    worker = hired(steps=1)
    try:
        return _introduced(worker, choice, limit)
    finally:
        worker.dismiss()


def _introduced(worker: Worker, choice: PlannerChoice, limit: float) -> Introduced:
    """What a planner says of itself; `BadValue` where making it hangs or ends its process."""
    worker.give(Introduction(choice))
    while True:
        if worker.pipe.poll(GLANCE):
            answer = worker.answer()
            if answer is not None and isinstance(answer.outcome, Fault):
                raise answer.outcome.error()
            if answer is not None and isinstance(answer.outcome, Introduced):
                return answer.outcome
        if worker.silent_s() > limit:
            raise BadValue(
                f"planner '{choice.label}' did not get made within {limit:g} s; do in begin() what "
                "takes long, or raise hang_limit_s",
                parameters=("hang_limit_s",),
            )
        if worker.has_died():
            raise BadValue(
                f"planner '{choice.label}' took its process down while it was made (exit code "
                f"{worker.exit_code()}); see what it does when it is imported and made"
            )


def provenance_of(choice: PlannerChoice, control: Control | None) -> Provenance:
    """How to make the records of a planner again; the planner is made to see, here."""
    return _told(choice, control, introduced(make_planner(choice)))


def _told(choice: PlannerChoice, control: Control | None, said: Introduced) -> Provenance:
    every = {**choice.parameters, **said.parameters}
    return Provenance(
        paseo_version=paseo_version(),
        planner=choice.reference,
        control=control or said.control,
        parameters={key: _storable(value) for key, value in every.items()},
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
