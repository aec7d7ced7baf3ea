"""How a robot moves in one step: as a unicycle, or freely to a position."""

import math
from typing import Any

from paseo.errors import PlannerFailed
from paseo.world.motion import Command, Control, Pose, Robot, RobotState, Twist, wrapped

LARGEST = 1e100  # a command beyond it is nonsense, and its square would overflow


def checked(command: object, said: str = "plan()") -> Command:
    """The command in plain floats, or `PlannerFailed` if it is none or not finite."""
    kind: type[Any]
    values: tuple[float, ...]
    if isinstance(command, Twist):
        kind, values = Twist, (command.forward, command.turn)
    elif isinstance(command, Pose):
        kind, values = Pose, (command.x, command.y, command.heading)
    else:
        raise PlannerFailed(f"{said} answered {command!r:.80}, expected a Twist or a Pose")
    try:
        finite = math.hypot(*values) < LARGEST
    except (TypeError, ValueError, OverflowError):
        finite = False
    if not finite:
        raise PlannerFailed(f"{said} answered {command!r:.120}, expected finite numbers")
    # The numbers of numpy or torch become plain ones: quicker, and a record can hold them.
    plain = type(values[0]) is type(values[1]) is type(values[-1]) is float
    return command if plain else kind(*map(float, values))


def driven(
    state: RobotState, command: Command, *, robot: Robot, control: Control, dt: float
) -> RobotState:
    """The robot after following `command` for `dt`, as far as its limits allow."""
    if control is Control.VELOCITY:
        wanted = command if isinstance(command, Twist) else steering(state.pose, command, dt)
        return _rolled(state, wanted, robot, dt)
    target = command if isinstance(command, Pose) else arc(state.pose, command, dt)
    return _moved(state, target, robot, dt)


def arc(pose: Pose, twist: Twist, dt: float) -> Pose:
    """Where Eq. 1 of SocNavBench leads: a circular arc, integrated exactly."""
    half_turn = 0.5 * twist.turn * dt
    chord = twist.forward * dt
    if abs(half_turn) > 1e-8:
        chord *= math.sin(half_turn) / half_turn
    direction = pose.heading + half_turn
    return Pose(
        pose.x + chord * math.cos(direction),
        pose.y + chord * math.sin(direction),
        wrapped(pose.heading + twist.turn * dt),
    )


def steering(pose: Pose, target: Pose, dt: float) -> Twist:
    """The twist that turns towards a target and, as far as it faces it, goes there."""
    distance = pose.distance_to(target)
    if distance < 1e-6:
        return Twist(0.0, wrapped(target.heading - pose.heading) / dt)
    error = wrapped(math.atan2(target.y - pose.y, target.x - pose.x) - pose.heading)
    return Twist(distance / dt * max(0.0, math.cos(error)), error / dt)


def _rolled(state: RobotState, wanted: Twist, robot: Robot, dt: float) -> RobotState:
    gain, turn_gain = robot.max_acceleration * dt, robot.max_turn_acceleration * dt
    forward, turn = state.twist.forward, state.twist.turn
    twist = Twist(
        min(
            max(wanted.forward, forward - gain, -robot.max_reverse_speed),
            forward + gain,
            robot.max_speed,
        ),
        min(max(wanted.turn, turn - turn_gain, -robot.max_turn), turn + turn_gain, robot.max_turn),
    )
    return RobotState(arc(state.pose, twist, dt), twist, state.radius)


def _moved(state: RobotState, target: Pose, robot: Robot, dt: float) -> RobotState:
    pose = state.pose
    dx, dy = target.x - pose.x, target.y - pose.y
    distance, reach = math.hypot(dx, dy), robot.max_speed * dt
    if distance <= reach * (1 + 1e-9):
        reached = Pose(target.x, target.y, wrapped(target.heading))
    else:
        share = reach / distance
        reached = Pose(pose.x + share * dx, pose.y + share * dy, math.atan2(dy, dx))
    twist = Twist(
        min(distance, reach) / dt,
        wrapped(reached.heading - pose.heading) / dt,
    )
    return RobotState(reached, twist, state.radius)
