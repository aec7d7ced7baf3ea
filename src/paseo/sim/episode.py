"""One episode under way: what is where now, what was before, and when it ends."""

import math
from copy import copy

import numpy as np

from paseo.compiled import compiled
from paseo.crowd.models import pedestrian_model
from paseo.errors import BadValue
from paseo.sim.driving import checked, driven
from paseo.sim.seeds import derived_seed
from paseo.sim.seeing import Seeing
from paseo.sim.sensing import Sensing
from paseo.world.arrays import FloatArray
from paseo.world.contacts import Contacts, spread
from paseo.world.motion import Command, Control, Pose, RobotState, Twist
from paseo.world.people import Crowd, Snapshot
from paseo.world.planning import Briefing, Observation, PedestrianModel
from paseo.world.records import Contact, Outcome, Provenance, Record
from paseo.world.scenarios import Scenario, check_task
from paseo.world.space.geometry import blocked_between, field_at, nearest_wall_end, signed_clearance

PORTION = 256

Triple = tuple[float, float, float]


class EpisodeRun:
    """One episode, to be stepped by hand: `simulate` is a loop over it.

        run = EpisodeRun(scenario)
        planner.begin(run.briefing)
        while run.ending() is None:
            run.advance(planner.plan(run.observation))
        record = run.record(described(planner))

    It starts at time 0 and cannot be wound back; for the next episode make another. `snapshot` is
    the whole truth of the present moment, `observation` what the robot senses of it.
    """

    snapshot: Snapshot
    observation: Observation

    def __init__(
        self,
        scenario: Scenario,
        control: Control = Control.VELOCITY,
        people: PedestrianModel | None = None,
    ) -> None:
        check_task(scenario)
        people = people or pedestrian_model(scenario)
        self._scenario, self._control, self._people = scenario, control, people
        sight = scenario.sight
        told = briefing(scenario, control)
        self._sensing = Sensing(scenario) if sight is None else Seeing(scenario, sight, told)
        self._ids = np.array([track.id for track in scenario.tracks], np.int64)
        self._contacts = Contacts(self._ids)
        self._step, self._last_step = 0, scenario.steps
        self._poses: list[Triple] = []
        self._commands: list[Triple] = []
        self._seen: list[FloatArray] = []
        self._perceived: list[FloatArray] = []
        # Where people were, in portions that grow: few episodes use all their time.
        self._people_rows = np.empty((min(PORTION, scenario.steps + 1), len(self._ids), 2))
        self._touched = False
        # Floats, whatever the scenario was written with: kernels are compiled for each type.
        start = Pose(*map(float, (scenario.start.x, scenario.start.y, scenario.start.heading)))
        robot = RobotState(start, Twist(0.0, 0.0), float(scenario.robot.radius))
        self._needed_clearance = float(scenario.robot.needed_clearance)
        self._before = robot.pose
        self._enter(Snapshot(0.0, robot, people.begin(scenario)))

    @property
    def briefing(self) -> Briefing:
        """What a planner is told before the start."""
        return briefing(self._scenario, self._control)

    @property
    def contacts(self) -> tuple[Contact, ...]:
        """Every contact so far; those that go on end now."""
        return self._contacts.all(self._step)

    def advance(self, command: Command) -> None:
        """Let `dt` pass: the robot follows the command while the people walk on.

        `PlannerFailed` says what is wrong with a command that nobody could follow.
        """
        command = checked(command)
        scenario, before = self._scenario, self.snapshot
        dt = scenario.dt
        robot = driven(before.robot, command, robot=scenario.robot, control=self._control, dt=dt)
        crowd = self._people.step(before, dt)
        self._commands.append(
            (command.forward, command.turn, math.nan)
            if isinstance(command, Twist)
            else (command.x, command.y, command.heading)
        )
        self._step += 1
        self._before = before.robot.pose
        self._enter(Snapshot(self._step * dt, robot, crowd))

    def _enter(self, snapshot: Snapshot) -> None:
        step, pose = self._step, snapshot.robot.pose
        self.snapshot = snapshot
        self._poses.append((pose.x, pose.y, pose.heading))
        if step == len(self._people_rows):
            self._people_rows = _lengthened(self._people_rows, self._last_step + 1)
        self._touched = self._contacts.update(step, snapshot, self._people_rows[step])
        self.observation = self._sensing.observation(snapshot)
        self._note_shown(self.observation.crowd)

    def _note_shown(self, crowd: Crowd) -> None:
        """Keep what the planner is shown of people, where that is not the truth."""
        if isinstance(self._sensing, Seeing):
            states = np.full(len(crowd), float(self._step))
            self._perceived.append(np.column_stack([states, crowd.ids, crowd.positions]))
        elif not self._sensing.is_perfect:
            row = np.empty((len(self._ids), 2))
            spread(crowd, self._ids, row)
            self._seen.append(row)

    def ending(self) -> Outcome | None:
        """How the episode ends in this state, if it does; hitting a wall comes first."""
        scenario, pose = self._scenario, self.snapshot.robot.pose
        if self._hits_wall(pose):
            return Outcome.HIT_WALL
        if scenario.stop_on_contact and self._touched:
            return Outcome.HIT_PERSON
        if pose.distance_to(scenario.goal) <= scenario.goal_radius:
            if scenario.floorplan.sees(pose, scenario.goal):
                return Outcome.REACHED_GOAL
        return Outcome.OUT_OF_TIME if self._step >= self._last_step else None

    def _hits_wall(self, pose: Pose) -> bool:
        plan, before = self._scenario.floorplan, self._before
        return hits_wall(
            before.x, before.y, pose.x, pose.y, self._needed_clearance,
            plan.walls, plan.distance, plan.origin[0], plan.origin[1], plan.cell_size,
        )  # fmt: skip

    def record(self, provenance: Provenance, *, failure: str = "") -> Record:
        """Everything up to and including the present state, in which the episode has ended.

        `failure` says why a planner failed; such an episode may end in any state.
        """
        outcome = Outcome.PLANNER_FAILED if failure else self.ending()
        if outcome is None:
            raise BadValue(
                f"episode '{self._scenario.name}' has not ended after {self.snapshot.time:.2f} s; "
                "advance it to its ending, or say with failure why it ends here",
                parameters=("failure",),
            )
        return Record(
            scenario=self._scenario,
            provenance=provenance,
            outcome=outcome,
            reason=failure or self._reason(outcome),
            robot=np.array(self._poses, np.float64),
            commands=np.array(self._commands, np.float64).reshape(-1, 3),
            people=self._people_rows[: self._step + 1].copy(),
            seen=np.stack(self._seen) if self._seen else None,
            perceived=np.concatenate(self._perceived) if self._perceived else None,
            contacts=self.contacts,
        )

    def _reason(self, outcome: Outcome) -> str:
        robot = "the robot's disc" if self._scenario.robot.wall_radius is None else "the robot"
        what = {
            Outcome.HIT_WALL: f"{robot} met a wall or left the map",
            Outcome.HIT_PERSON: "the robot touched a person",
            Outcome.REACHED_GOAL: "the robot reached the goal",
            Outcome.OUT_OF_TIME: "the time limit was up",
        }[outcome]
        pose = self.snapshot.robot.pose
        return f"{what} at ({pose.x:.2f}, {pose.y:.2f}) after {self.snapshot.time:.2f} s"


def briefing(scenario: Scenario, control: Control) -> Briefing:
    """What the planner is told before the start."""
    return Briefing(
        start=scenario.start,
        goal=scenario.goal,
        goal_radius=scenario.goal_radius,
        floorplan=copy(scenario.floorplan),  # a planner's own, as is its robot
        time_limit=scenario.time_limit,
        dt=scenario.dt,
        robot=copy(scenario.robot),
        control=control,
        seed=derived_seed("planner", scenario),
        camera=None if scenario.sight is None else scenario.sight.camera,
    )


def _lengthened(rows: FloatArray, limit: int) -> FloatArray:
    """Twice as many rows, but no more than can be needed."""
    extra = min(len(rows), limit - len(rows))
    return np.concatenate([rows, np.empty((extra, *rows.shape[1:]))])


@compiled
def hits_wall(
    from_x: float,
    from_y: float,
    x: float,
    y: float,
    radius: float,
    walls: FloatArray,
    field: FloatArray,
    x0: float,
    y0: float,
    cell: float,
) -> bool:
    """Whether a disc that moved here overlaps a wall, jumped one, or is off the map."""
    moved = math.hypot(x - from_x, y - from_y)
    # The field is exact at cell centres and changes by at most a metre per metre between them.
    if field_at(x, y, field, x0, y0, cell) > radius + moved + 2.0 * cell:
        return False
    if signed_clearance(x, y, walls) < radius or blocked_between(from_x, from_y, x, y, walls):
        return True
    # A disc that moves no further than its radius cannot sweep past a wall's end unseen.
    return moved > radius and nearest_wall_end(from_x, from_y, x, y, walls) < radius
