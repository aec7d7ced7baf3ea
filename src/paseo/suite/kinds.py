"""Of which kind the crowd of an episode is, where and when a robot drives through it."""

from collections.abc import Sequence
from dataclasses import replace

from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.crowding import Flow
from paseo.metrics.encounters import Meetings, meetings
from paseo.world.recordfile import load_record

MAIN = 0.5  # of those who walk: fewer in any one direction make a mixed flow
DENSITIES = ((0.05, "0 to 0.05 people/m2"), (0.15, "0.05 to 0.15 people/m2"))
DENSEST = "0.15 people/m2 and more"


def with_kinds(measured: Sequence[MeasuredEpisode]) -> list[MeasuredEpisode]:
    """The episodes with the flow and density that reference drives find in them."""
    first = {each.episode: each for each in reversed(measured)}
    found = {name: meetings(load_record(each.record).scenario) for name, each in first.items()}
    return [
        replace(
            each,
            flow=flow_kind(found[each.episode].flow),
            density=density_kind(found[each.episode]),
        )
        for each in measured
    ]


def flow_kind(flow: Flow | None) -> str:
    """The direction in which most people walk, seen from the robot."""
    if flow is None:
        return "nobody walks"
    shares = {"along": flow.along, "across": flow.across, "against": flow.against}
    most = max(shares, key=lambda name: shares[name])
    return most if shares[most] > MAIN else "mixed"


def density_kind(met: Meetings) -> str:
    """How crowded it is within 3 m of the robot."""
    return next((kind for most, kind in DENSITIES if met.density_per_m2 < most), DENSEST)
