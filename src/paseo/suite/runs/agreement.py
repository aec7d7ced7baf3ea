"""Whether a record is of what its line in the log says: its own words are held against that."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from paseo.errors import BadFile
from paseo.planners.choices import PlannerChoice
from paseo.planners.names import PLANNERS
from paseo.suite.runs.jobs import Job
from paseo.suite.runs.results import Result
from paseo.world.records import Provenance, Record


def check_agreement(
    path: Path, record: Record, job: Job, result: Result, hashes: Mapping[str, str]
) -> None:
    """Raise `BadFile` where a record is not of the job whose result was logged.

    A sum of its bytes can be written anew by whoever exchanges the record. `hashes` are those of
    the planners' files that the run was begun with, by reference.
    """
    for what, here, there in _facts(record, job, result, hashes):
        if here != there:
            raise BadFile(
                f"{path}: says of its {what} '{here}', but its line in results.jsonl is of "
                f"'{there}', so it is another episode's record; delete it, then finish the run "
                "again with resume",
                parameters=("resume",),
            )


def _facts(
    record: Record, job: Job, result: Result, hashes: Mapping[str, str]
) -> Iterator[tuple[str, object, object]]:
    """What a record says of itself, and what was logged of it, by what that is."""
    made, world = record.provenance, record.scenario
    yield "episode", world.name, result.episode
    yield from _planner_facts(made, job.planner, hashes)
    yield "control", made.control.value, result.control
    yield "seed", world.seed, result.seed
    yield "rule", str(world.rule), str(result.rule)
    yield "sensing", world.sight and world.sight.label, result.sensing
    if world.reaction is not None and result.reactivity is not None:
        yield "reactivity", world.reaction.reactivity, result.reactivity
    # A latency of 0 s changes nothing, and a record does not tell it.
    yield "latency_s", made.timekeeping.latency_s or None, result.latency_s or None
    yield "time step", world.dt, job.choices.settings.dt_s
    if result.time_limit_s is not None:
        yield "time limit", world.time_limit, result.time_limit_s
    yield "outcome", record.outcome.value, result.outcome.value
    yield "person contacts", record.touches, result.person_contacts
    yield "time", round(float(record.times[-1]), 6), result.time_s


def _planner_facts(
    made: Provenance, chosen: PlannerChoice, hashes: Mapping[str, str]
) -> Iterator[tuple[str, object, object]]:
    shipped = chosen.reference in PLANNERS.shipped
    if made.transport and not shipped:
        return  # a client has a name of its own, and says what it likes of its planner
    name = f"{made.transport}:{made.planner}" if made.transport else made.planner
    yield "planner", name, chosen.reference
    yield "planner's sha256", made.planner_hash, hashes.get(chosen.reference, made.planner_hash)
    if shipped:  # others may make of their parameters what they like
        for key, text in chosen.parameters.items():
            yield f"parameter {key}", *_alike(made.parameters.get(key), text)


def _alike(value: object, text: object) -> tuple[object, object]:
    """A planner's parameter, and the word it was made from read like that."""
    try:
        return value, msgspec.convert(text, type(value), strict=False)
    except msgspec.ValidationError:
        return value, text
