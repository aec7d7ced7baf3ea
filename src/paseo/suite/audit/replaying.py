"""Decisions made again: the drive as it was up to one, then another answer, and driven on."""

from collections.abc import Sequence

from paseo.deciding.planner import Vlm
from paseo.deciding.thinking import Instead
from paseo.errors import InputError, PlannerFailed
from paseo.planners.choices import make_planner
from paseo.sim.episode import EpisodeRun
from paseo.sim.simulate import drive
from paseo.sim.timekeeping import make_clock
from paseo.suite.audit.cases import Drive
from paseo.suite.audit.followed import Followed, Window
from paseo.world.planning import RunPlace, keep_in
from paseo.world.records import Record

CUT = "the audit has seen enough"
NEAR = 0.01  # metres between where a robot was and where it is when it drives again


def followed_instead(
    driven: Drive, others: Sequence[Instead], horizon: float, place: RunPlace | None = None
) -> list[Followed]:
    """What follows decisions of one drive within `horizon`, had the model been told otherwise.

    Up to each decision the noted ones are followed, from it on the model is asked. What follows a
    script costs nothing and needs no keeping in the run's `place`.
    """
    planner = make_planner(driven.planner)
    assert isinstance(planner, Vlm)
    keep_in(planner, None if planner.model.startswith("scripted/") else place)
    window = Window(driven.record, horizon)
    found = []
    for instead in others:
        time_s = driven.decisions[instead.since].time_s
        again = _driven_again(driven, planner, instead, time_s + horizon)
        found.append(window.followed(again, time_s))
    return found


def _driven_again(driven: Drive, planner: Vlm, instead: Instead, until_s: float) -> Record:
    record = driven.record
    made = record.provenance
    run = EpisodeRun(record.scenario, made.control)
    planner.begin(run.briefing)
    planner.retrace(driven.decisions, instead)
    failure = CUT
    try:
        drive(run, planner, make_clock(made.timekeeping), until_s=until_s)
    except PlannerFailed as error:
        failure = str(error)
    again = run.record(made, failure="" if run.ending() else failure)
    _check_same(driven, again, instead)
    return again


def _check_same(driven: Drive, again: Record, instead: Instead) -> None:
    """That up to the decision the robot went where it went before."""
    step = round(driven.decisions[instead.since].time_s / again.scenario.dt)
    before, now = driven.record.robot, again.robot
    if step >= len(now) or abs(before[step, :2] - now[step, :2]).max() > NEAR:
        raise InputError(
            f"{driven.key}: its decisions, made again, do not lead where they led: this run was "
            "made by another version of paseo or of the planner; run it again"
        )
