"""The local controller: how a robot gets to a waypoint in the time it has."""

import math
from collections.abc import Iterator

from paseo.world.motion import Pose, Robot, Twist, wrapped

ARRIVED = 0.05  # metres
TURN_FIRST = math.pi / 3  # off the way, from where on the robot turns before it drives


def speed_for(pose: Pose, target: Pose, seconds: float, robot: Robot) -> float:
    """The speed at which the robot gets there in that time, turned towards it; at most its own."""
    away = pose.distance_to(target)
    if away <= ARRIVED:
        return 0.0
    error = abs(wrapped(math.atan2(target.y - pose.y, target.x - pose.x) - pose.heading))
    turning = max(0.0, error - TURN_FIRST) / min(robot.max_turn, math.pi)
    return min(robot.max_speed, away / max(seconds - turning, 0.1))


def twist_to(pose: Pose, target: Pose, speed: float, robot: Robot, dt: float) -> Twist:
    """The next command on the way to a place, at most this fast; there, and at no speed, none."""
    away = pose.distance_to(target)
    if speed <= 0 or away <= ARRIVED:
        return Twist(0.0, 0.0)
    error = wrapped(math.atan2(target.y - pose.y, target.x - pose.x) - pose.heading)
    turn = min(max(error / dt, -robot.max_turn), robot.max_turn)
    if abs(error) > TURN_FIRST:
        return Twist(0.0, turn)
    return Twist(min(speed, away / dt, robot.max_speed) * math.cos(error), turn)


def driven(
    pose: Pose, target: Pose, speed: float, robot: Robot, *, dt: float, steps: int
) -> Iterator[tuple[Twist, Pose]]:
    """The commands to a place, and where each of them leads a robot without inertia."""
    for _ in range(steps):
        twist = twist_to(pose, target, speed, robot, dt)
        middle = pose.heading + 0.5 * twist.turn * dt
        pose = Pose(
            pose.x + twist.forward * dt * math.cos(middle),
            pose.y + twist.forward * dt * math.sin(middle),
            wrapped(pose.heading + twist.turn * dt),
        )
        yield twist, pose
