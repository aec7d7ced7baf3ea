"""Clients of any protocol: how they fail, and the record of an episode in which one drove."""

from collections.abc import Callable

from paseo.errors import PlannerFailed
from paseo.sim.episode import EpisodeRun
from paseo.suite.runners.carrying_out import lost_record
from paseo.world.records import Provenance, Record

WAIT_S = 600.0  # for somebody to come
MOST_FAULTS = 10  # messages that cannot be used, in one episode; with one more it has failed

Tell = Callable[[str], None]


class ClientFailed(PlannerFailed):
    """A client gave up, or what it says cannot be understood."""


class ClientSilent(ClientFailed):
    """A client has not answered for too long: asked again, it might."""


def driven_record(
    run: EpisodeRun, provenance: Provenance, failure: PlannerFailed | None, limit: float
) -> Record:
    """The record of what a client drove, who had so many seconds for each command."""
    if failure is None:
        return run.record(provenance)
    record = run.record(provenance, failure=f"{failure} after {run.snapshot.time:.2f} s")
    if isinstance(failure, ClientSilent):
        return lost_record(record, f"the client was given {limit:g} s for each command")
    return record
