"""The contract of a metric."""

from dataclasses import replace

import numpy as np

from paseo.checks.contract import ContractBroken
from paseo.checks.worlds import (
    CROSSING,
    NOBODY,
    Wander,
    elsewhere,
    first_state,
    placing,
    small_room,
    untold,
)
from paseo.errors import NotAvailable
from paseo.metrics.record.metric import Better, Group, Metric, Population, measured
from paseo.sim.simulate import simulate
from paseo.world.recordfile import record_bytes
from paseo.world.records import Contact, Record


def check_metric(metric: Metric) -> None:
    """Raise `ContractBroken` unless a metric can be used on any record.

    It must name a unit and a direction, fit what it says about how planners are compared by it
    (what is pooled is an array, what is per minute a number), leave the record as it is, give the
    same twice, not depend on where the map's origin is or how the map is turned, and cope with
    records of one state and of nobody (a number, an empty array, None or `NotAvailable`, but no
    other error).
    """
    if not isinstance(metric, Metric):
        raise ContractBroken(f"{metric!r:.80} is no metric; decorate its function with @metric")
    if not metric.unit or metric.better not in Better:
        raise ContractBroken(f"{metric.name} needs a unit ('1' for none) and a direction")
    if metric.population not in list(Population) or metric.group not in list(Group):
        raise ContractBroken(f"{metric.name} needs a population and a group that there are")
    record = simulate(small_room(CROSSING), Wander())
    before = record_bytes(record)
    value = _value(metric, record)
    _check_kind(metric, value)
    if not _alike(_value(metric, record), value):
        raise ContractBroken(f"{metric.name} gives different values for the same record")
    if record_bytes(record) != before:
        raise ContractBroken(f"{metric.name} changes the record it measures")
    for what, other in (
        ("depends on where the map's origin is", _moved(record, 0.0, 31.0, -17.0)),
        ("depends on how the map is turned", _moved(record, 1.1, 0.0, 0.0)),
    ):
        if not _alike(_value(metric, other), value):
            raise ContractBroken(f"{metric.name} {what}")
    _value(metric, first_state(record))
    _value(metric, replace(record, scenario=untold(record.scenario)))
    _value(metric, first_state(simulate(small_room(NOBODY), Wander())))


def _check_kind(metric: Metric, value: float | np.ndarray | None) -> None:
    """Raise unless it is compared in a way that goes with what it returns."""
    if metric.pooled and isinstance(value, float | int):
        raise ContractBroken(f"{metric.name} is pooled over steps, but returns one number")
    if metric.per_minute and (metric.pooled or isinstance(value, np.ndarray)):
        raise ContractBroken(
            f"{metric.name} is per minute, but returns a distribution, expected what adds up"
        )


def _value(metric: Metric, record: Record) -> float | np.ndarray | None:
    try:
        value = metric(record)
        measured(metric, record)  # refuses what is no value
        return value
    except NotAvailable:
        return None
    except Exception as error:
        what = f"{len(record.robot)} states and {len(record.scenario.tracks)} people"
        raise ContractBroken(
            f"{metric.name} raised {type(error).__name__} on a record of {what}: {error}; return "
            "None or raise NotAvailable where it is undefined"
        ) from error


def _alike(a: float | np.ndarray | None, b: float | np.ndarray | None) -> bool:
    if a is None or b is None:
        return a is b
    return bool(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-6, atol=1e-6, equal_nan=True)
    )


def _moved(record: Record, angle: float, dx: float, dy: float) -> Record:
    """The same events on a map that is turned about its origin, then moved."""
    placed = placing(angle, dx, dy)

    def met(contact: Contact) -> Contact:
        x, y = placed(np.array([contact.x, contact.y])).tolist()
        return replace(contact, x=x, y=y)

    return replace(
        record,
        scenario=elsewhere(record.scenario, angle, dx, dy),
        robot=np.column_stack([placed(record.robot[:, :2]), record.robot[:, 2] + angle]),
        people=placed(record.people),
        contacts=tuple(map(met, record.contacts)),
    )
