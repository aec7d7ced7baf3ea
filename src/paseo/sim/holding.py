"""What a robot does in each step, given the answers that have come so far and when they came."""

from dataclasses import dataclass

from paseo.sim.clock import Ask
from paseo.world.clocks import Late, Thinking, Timekeeping
from paseo.world.motion import Command, Pose, Twist
from paseo.world.planning import Observation
from paseo.world.scenarios import ROUNDING

STANDING = Twist(0.0, 0.0)  # also where a robot is driven by positions


@dataclass(frozen=True, slots=True)
class Answer:
    """What somebody who drives the robot has answered, and to what."""

    command: Command
    asked: int  # the step that the answer is to
    pose: Pose  # of the robot in that step
    upcoming: tuple[Command, ...] | None = None  # planned for the steps after; None: nothing said

    @property
    def commands(self) -> tuple[Command, ...]:
        """All it asks for, one after the other."""
        return (self.command, *(self.upcoming or ()))


def answered(ask: Ask, observation: Observation, step: int, *, policy: Timekeeping) -> Answer:
    """What a planner says to an observation, with its plan if that is of use."""
    command = ask(observation)
    plan = ask.upcoming() if policy.uses_plan else None
    return Answer(command, step, observation.robot.pose, plan)


class CommandHold:
    """Keeps the last answer in force, by the policies of a clock. It never looks at the time.

    Until the first answer the robot stands. It stands as well where a plan is used up, and when the
    last answer came longer ago than the limit for repetitions.
    """

    def __init__(self, timekeeping: Timekeeping, dt: float) -> None:
        self._policy, self._dt = timekeeping, dt
        self._answer: Answer | None = None
        self._came = 0

    def take(self, answer: Answer, step: int) -> None:
        """Put an answer in force from this step on."""
        self._answer, self._came = answer, step

    def command(self, step: int, pose: Pose) -> Command:
        """What the robot, which is here, does in this step."""
        answer, age = self._answer, step - self._came
        if answer is None or self._is_over(age):
            return STANDING
        index, commands = self._index(answer, age), answer.commands
        if index >= len(commands):
            return STANDING
        command = commands[index]
        on_time = step == answer.asked
        if isinstance(command, Twist) or on_time or self._is_place(answer):
            return command
        before = commands[index - 1] if index else answer.pose
        return _moved_along(command, before if isinstance(before, Pose) else answer.pose, pose)

    def _is_over(self, age: int) -> bool:
        limit = self._policy.repeat_limit_s
        stops = self._policy.thinking is Thinking.STOP and age > 0
        return stops or (limit is not None and age > limit / self._dt + ROUNDING)

    def _index(self, answer: Answer, age: int) -> int:
        """Which command of the answer is for this step."""
        planned = answer.upcoming is not None
        skipped = self._came - answer.asked if planned and self._policy.late is Late.SKIP else 0
        follows = planned and self._policy.thinking is Thinking.FOLLOW
        return skipped + (age if follows else 0)

    def _is_place(self, answer: Answer) -> bool:
        late = self._policy.late
        return late is Late.THERE or (late is Late.SKIP and answer.upcoming is not None)


def _moved_along(target: Pose, before: Pose, pose: Pose) -> Pose:
    """The same step from another place: as far, in the same direction, facing the same way."""
    return Pose(pose.x + (target.x - before.x), pose.y + (target.y - before.y), target.heading)
