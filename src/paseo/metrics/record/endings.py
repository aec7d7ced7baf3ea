"""Whether the robot arrived, and whom it touched: SocNavBench's meta statistics, per episode."""

from paseo.metrics.record.metric import metric
from paseo.world.records import Record, Verdict

SOCNAVBENCH = "Biswas et al. 2021 (SocNavBench), Table 1"


@metric(
    unit="1",
    better="higher",
    formula="1 if the goal was reached and nobody touched, else 0",
    source=SOCNAVBENCH,
    original="1 whenever the goal was reached, whoever was touched on the way",
    population="every",
    share=True,
)
def success(record: Record) -> float:
    """Whether the robot reached its goal and touched nobody; its mean is the success rate."""
    record.require_goal()
    record.require_people()
    return float(record.verdict is Verdict.SUCCESS)


@metric(
    unit="1",
    better="lower",
    formula="number of contacts; one touch of one person counts once until they part",
    source=SOCNAVBENCH,
    original="a person who stays in contact counts again every second; at most one per step",
    per_minute=True,
)
def person_collisions(record: Record) -> float:
    """How often the robot touched somebody; the sum over episodes is the paper's total."""
    record.require_people()
    return float(record.touches)
