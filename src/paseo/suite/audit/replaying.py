"""One decision made again: the drive as it was up to it, then another answer, and driven on."""

from paseo.deciding.planner import Vlm
from paseo.deciding.thinking import Instead
from paseo.errors import PlannerFailed
from paseo.planners.choices import make_planner
from paseo.sim.episode import EpisodeRun
from paseo.suite.audit.cases import Drive
from paseo.world.motion import Command, Control, Pose, Twist
from paseo.world.planning import RunPlace, keep_in

SOON = 1e-9  # seconds


def contacts_instead(
    drive: Drive, instead: Instead, horizon: float, place: RunPlace | None = None
) -> int:
    """Contacts within `horizon` after a decision, had the model been told otherwise from it on.

    Up to the decision the recorded commands are followed; from it on the model drives.
    """
    record, decision = drive.record, drive.decisions[instead.since]
    planner = make_planner(drive.planner)
    assert isinstance(planner, Vlm)
    keep_in(planner, place)
    run = EpisodeRun(record.scenario, record.provenance.control)
    planner.begin(run.briefing)
    planner.tell(instead)
    dt = record.scenario.dt
    at = round(decision.time_s / dt)
    for step in range(at):
        planner.witness(run.observation)
        run.advance(_recorded(drive, step))
    last = at + round(horizon / dt)
    step = at
    while step < last and run.ending() is None:
        try:
            run.advance(planner.plan(run.observation))
        except PlannerFailed:
            break
        step += 1
    return sum(each.counted and at < each.first_step <= last for each in run.contacts)


def _recorded(drive: Drive, step: int) -> Command:
    first, second, third = drive.record.commands[step].tolist()
    if drive.record.provenance.control is Control.POSITION:
        return Pose(first, second, third)
    return Twist(first, second)
