"""How well models choose waypoints, as a table."""

from collections.abc import Sequence

from paseo.report.formats import Table
from paseo.vqa.waypoints.plan import WaypointPlan
from paseo.vqa.waypoints.scoring import WaypointRow

NOTHING = "-"


def waypoint_table(rows: Sequence[WaypointRow], plan: WaypointPlan) -> Table:
    """One row for the model, one for each rule it is held against."""
    caption = (
        f"Waypoint selection: how often the place was chosen where the robot went, over "
        f"{len(plan.scenes)} scenes and {plan.repeats} runs; standard error and 95 % interval "
        "clustered by scene, and the standard error of the means of the runs. A reply that cannot "
        "be read gets no credit."
    )
    header = ["Who", "Told", "Right", "SE (scenes)", "95 %", "SE (runs)", "Invalid", "Failed"]
    return Table(caption, header, [_cells(row) for row in rows])


def _cells(row: WaypointRow) -> list[str]:
    found = row.score
    interval = NOTHING
    if found.low is not None and found.high is not None:
        interval = f"[{found.low:.3f}, {found.high:.3f}]"
    counts = [str(row.invalid), str(row.failed)] if row.context else [NOTHING, NOTHING]
    return [
        row.name,
        row.context or NOTHING,
        NOTHING if found.mean is None else f"{found.mean:.3f}",
        NOTHING if found.clustered_se is None else f"{found.clustered_se:.3f}",
        interval,
        NOTHING if row.run_se is None else f"{row.run_se:.3f}",
        *counts,
    ]
