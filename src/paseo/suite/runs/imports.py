"""What repeating a record or finishing a run would import that is not Paseo's own."""

from collections.abc import Mapping

from paseo.crowd.models import PEDESTRIAN_MODELS
from paseo.data.recordings.formats import FORMATS
from paseo.perception.names import PERCEPTIONS
from paseo.planners.names import PLANNERS
from paseo.registry.trust import NamedCode, named_code
from paseo.suite.runs.jobs import RunPlan
from paseo.vlm.making import code_place
from paseo.vlm.providers import MODELS
from paseo.world.records import Record
from paseo.world.scenarios import Reaction


def code_of_planners(plan: RunPlan) -> list[NamedCode]:
    """The planners that a plan names."""
    hashes = plan.planner_hashes
    return [
        code
        for each in plan.planners
        for code in (
            *code_of_planner(each.reference, hashes.get(each.reference, "")),
            *code_of_model(each.reference, each.parameters),
        )
    ]


def code_of_model(planner: str, parameters: Mapping[str, object]) -> list[NamedCode]:
    """The model that the planner `vlm` would ask, where it is one of somebody's file."""
    if planner not in ("vlm", PLANNERS.shipped["vlm"]):
        return []
    place = code_place(str(parameters.get("model", "")))
    return named_code(MODELS, place) if place else []


def code_of_worlds(plan: RunPlan) -> list[NamedCode]:
    """How people answer, perceptions and formats of recordings that a plan names."""
    sights = {sight.perception for sight in plan.sights if sight is not None and sight.perception}
    placed = [each for entry in plan.episodes for each in entry.recordings]
    formats = {each.format for each in placed if each.format is not None}
    return [
        *_of_people(plan.reaction),
        *(code for name in sorted(sights) for code in named_code(PERCEPTIONS, name)),
        *(code for name in sorted(formats) for code in named_code(FORMATS, name)),
    ]


def code_of_world(record: Record) -> list[NamedCode]:
    """What a record names beside its planner."""
    sight = record.scenario.sight
    seen = named_code(PERCEPTIONS, sight.perception) if sight and sight.perception else []
    return [*_of_people(record.scenario.reaction), *seen]


def code_of_planner(reference: str, recorded: str = "") -> list[NamedCode]:
    """The planner's own; `recorded` is the sha256 of its file, where a record tells it."""
    return named_code(PLANNERS, reference, recorded)


def _of_people(reaction: Reaction | None) -> list[NamedCode]:
    if reaction is None or reaction.is_none:
        return []
    return named_code(PEDESTRIAN_MODELS, reaction.by)
