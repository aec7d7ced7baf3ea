import pytest

from paseo.metrics.crowding import Flow
from paseo.suite.kinds import flow_kind


@pytest.mark.parametrize(
    ("flow", "kind"),
    [
        (Flow(along=0.7, across=0.2, against=0.1), "along"),
        (Flow(along=0.1, across=0.3, against=0.6), "against"),
        (Flow(along=0.4, across=0.3, against=0.3), "mixed"),
        (None, "nobody walks"),
    ],
)
def test_a_flow_is_named_by_most_of_those_who_walk(flow: Flow | None, kind: str) -> None:
    assert flow_kind(flow) == kind
