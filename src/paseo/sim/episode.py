"""One episode under way: what is where now, the tape of what was, and when it ends."""

import math

import numpy as np

from paseo.sim.driving import driven
from paseo.sim.sensing import Sensing
from paseo.world.compiled import compiled
from paseo.world.contacts import Contacts, spread
from paseo.world.geometry import blocked_between, field_at, nearest_wall_end, signed_clearance
from paseo.world.motion import Command, Control, Pose, RobotState, Twist
from paseo.world.people import FloatArray, PedestrianModel, Snapshot
from paseo.world.records import Outcome, Provenance, Record
from paseo.world.scenarios import Scenario


class Episode:
    """The state of one run: what is where now, and the tape of what was."""

    def __init__(self, scenario: Scenario, control: Control, people: PedestrianModel) -> None:
        self._scenario, self._control, self._people = scenario, control, people
        self._sensing = Sensing(scenario)
        self._ids = np.array([track.id for track in scenario.tracks], np.int64)
        self._contacts = Contacts(self._ids)
        self._tape = _Tape(scenario.steps + 1, len(self._ids), seen=not self._sensing.is_perfect)
        self._step, self._last_step = 0, scenario.steps
        self._touched = False
        # Floats, whatever the scenario was written with: kernels are compiled for each type.
        start = Pose(*map(float, (scenario.start.x, scenario.start.y, scenario.start.heading)))
        robot = RobotState(start, Twist(0.0, 0.0), float(scenario.robot.radius))
        self._before = robot.pose
        self._enter(Snapshot(0.0, robot, people.begin(scenario)))

    def advance(self, command: Command) -> None:
        """Let `dt` pass: the robot follows the command while the people walk on."""
        scenario, before = self._scenario, self.snapshot
        robot = driven(
            before.robot,
            command,
            robot=scenario.robot,
            control=self._control,
            dt=scenario.dt,
        )
        crowd = self._people.step(before, scenario.dt)
        self._tape.commands[self._step] = (
            (command.forward, command.turn, math.nan)
            if isinstance(command, Twist)
            else (command.x, command.y, command.heading)
        )
        self._step += 1
        self._before = before.robot.pose
        self._enter(Snapshot(self._step * scenario.dt, robot, crowd))

    def _enter(self, snapshot: Snapshot) -> None:
        step, pose = self._step, snapshot.robot.pose
        self._tape.reserve(step)
        self.snapshot = snapshot
        self._tape.robot[step] = pose.x, pose.y, pose.heading
        self._touched = self._contacts.update(step, snapshot, self._tape.people[step])
        self.observation = self._sensing.observation(snapshot)
        if self._tape.seen is not None:
            spread(self.observation.crowd, self._ids, self._tape.seen[step])

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
            before.x, before.y, pose.x, pose.y, self.snapshot.robot.radius,
            plan.walls, plan.distance, plan.origin[0], plan.origin[1], plan.cell_size,
        )  # fmt: skip

    def record(self, provenance: Provenance, outcome: Outcome, failure: str = "") -> Record:
        """Everything up to and including the present state; `failure` is the planner's."""
        states, tape = self._step + 1, self._tape
        return Record(
            scenario=self._scenario,
            provenance=provenance,
            outcome=outcome,
            reason=failure or self._reason(outcome),
            robot=tape.robot[:states].copy(),
            commands=tape.commands[: states - 1].copy(),
            people=tape.people[:states].copy(),
            seen=None if tape.seen is None else tape.seen[:states].copy(),
            contacts=self._contacts.all(self._step),
        )

    def _reason(self, outcome: Outcome) -> str:
        what = {
            Outcome.HIT_WALL: "the robot's disc met a wall or left the map",
            Outcome.HIT_PERSON: "the robot touched a person",
            Outcome.REACHED_GOAL: "the robot reached the goal",
            Outcome.OUT_OF_TIME: "the time limit was up",
        }[outcome]
        pose = self.snapshot.robot.pose
        return f"{what} at ({pose.x:.2f}, {pose.y:.2f}) after {self.snapshot.time:.2f} s"


class _Tape:
    """Rows for every state, made in growing portions: few episodes use all their time."""

    PORTION = 256

    def __init__(self, states: int, people: int, *, seen: bool) -> None:
        self._states = states
        rows = min(self.PORTION, states)
        self.robot = np.empty((rows, 3))
        self.commands = np.empty((rows, 3))
        self.people = np.empty((rows, people, 2))
        self.seen: FloatArray | None = np.empty((rows, people, 2)) if seen else None

    def reserve(self, step: int) -> None:
        """Make sure there is a row for `step`."""
        if step < len(self.robot):
            return
        extra = min(len(self.robot), self._states - len(self.robot))
        self.robot = _lengthened(self.robot, extra)
        self.commands = _lengthened(self.commands, extra)
        self.people = _lengthened(self.people, extra)
        self.seen = None if self.seen is None else _lengthened(self.seen, extra)


def _lengthened(array: FloatArray, extra: int) -> FloatArray:
    return np.concatenate([array, np.empty((extra, *array.shape[1:]))])


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
