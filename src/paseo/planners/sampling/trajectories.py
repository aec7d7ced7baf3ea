"""Trajectories a unicycle can drive: cubic splines to waypoints ahead, rolled out within limits.

The connectivity graph of S. Bansal, V. Tolani, S. Gupta, J. Malik and C. Tomlin, "Combining Optimal
Control and Learning for Visual Navigation in Novel Environments" (CoRL 2019), as HumANav and
SocNavBench used it: waypoints with headings, reached at rest, for some speeds at the start.
All trajectories start at the origin and face +x.
"""

import math
from typing import NamedTuple

import numpy as np

from paseo.compiled import compiled
from paseo.planners.unicycle import Rolling, arc_end
from paseo.world.arrays import FloatArray
from paseo.world.motion import Robot

# Columns of splines: what to turn on the spot before; the waypoint; the length of the tangents at
# both ends, and that at the waypoint; the highest speed to begin with; seconds.
TURN_FIRST, X, Y, HEADING, TANGENT, TANGENT_X, TANGENT_Y, TOP_START, DURATION = range(9)
COLUMNS = 9
SHORTEST = 1.5  # seconds that a spline takes at least, as in the original
LOOKS = 16  # at a spline, to hold it against the limits
TURNED = 0.02  # radians left at which a turn on the spot counts as made
STIFFNESS, ALONG = 2.0, 2.0  # how hard the spline is followed: 1/m sideways, 1/s lengthwise


class Limits(NamedTuple):
    """What a robot can do; infinite where there is no limit."""

    speed: float
    turn: float
    acceleration: float
    turn_acceleration: float


def limits_of(robot: Robot) -> Limits:
    """The limits of a robot as the kernels want them."""
    return Limits(
        float(robot.max_speed),
        float(robot.max_turn),
        float(robot.max_acceleration),
        float(robot.max_turn_acceleration),
    )


@compiled
def spline_point(p: float, spline: FloatArray) -> tuple[float, float, float, float, float, float]:
    """Position, first and second derivative of the cubic at p of [0, 1]."""
    x, y, f = spline[X], spline[Y], spline[TANGENT]
    fx, fy = spline[TANGENT_X], spline[TANGENT_Y]
    start = p * (p - 1.0) ** 2
    end, arrival = p * p * (3.0 - 2.0 * p), p * p * (p - 1.0)
    start1, end1, arrival1 = (3.0 * p - 1.0) * (p - 1.0), 6.0 * p * (1.0 - p), p * (3.0 * p - 2.0)
    start2, end2, arrival2 = 6.0 * p - 4.0, 6.0 - 12.0 * p, 6.0 * p - 2.0
    return (
        f * start + x * end + fx * arrival,
        y * end + fy * arrival,
        f * start1 + x * end1 + fx * arrival1,
        y * end1 + fy * arrival1,
        f * start2 + x * end2 + fx * arrival2,
        y * end2 + fy * arrival2,
    )


@compiled
def reference(
    time: float, start: float, spline: FloatArray
) -> tuple[float, float, float, float, float]:
    """Where a spline is at some time, which began at speed `start`: x, y, heading, speed, turn."""
    duration = spline[DURATION]
    u = min(max(time / duration, 0.0), 1.0)
    s = start * duration / spline[TANGENT]
    p = u * (s * (u - 1.0) ** 2 + u * (3.0 - 2.0 * u))
    rate = (s * (3.0 * u - 1.0) * (u - 1.0) + 6.0 * u * (1.0 - u)) / duration
    x, y, dx, dy, ddx, ddy = spline_point(p, spline)
    pull = max(dx * dx + dy * dy, 1e-12)
    turn = rate * (dx * ddy - dy * ddx) / pull
    return x, y, math.atan2(dy, dx), rate * math.sqrt(pull), turn


@compiled
def fitted(
    spline: FloatArray, forward: float, longest: float, shortest: float, limits: Limits
) -> bool:
    """Give a spline the shortest duration that keeps to the limits; whether there is one."""
    tangent = math.hypot(spline[X], spline[Y])
    spline[TANGENT] = tangent
    spline[TANGENT_X] = tangent * math.cos(spline[HEADING])
    spline[TANGENT_Y] = tangent * math.sin(spline[HEADING])
    _, _, dx, _, _, ddy = spline_point(0.0, spline)
    bent = abs(ddy) / (dx * dx)
    fastest = limits.turn / bent if bent > 0.0 else math.inf
    duration = shortest
    for _ in range(40):
        spline[DURATION] = duration
        # Begun faster, a cubic that ends at rest would run beyond its end and come back.
        spline[TOP_START] = min(fastest, 2.9 * tangent / duration)
        excess = strain(spline, min(forward, spline[TOP_START]), limits)
        if excess <= 1.001:
            return True
        duration *= min(excess, 1.5)
        if duration > longest:
            return False
    return False


@compiled
def strain(spline: FloatArray, start: float, limits: Limits) -> float:
    """How many times as long a spline must last to keep to the limits."""
    piece = spline[DURATION] / LOOKS
    worst = 0.0
    _, _, _, before, turn_before = reference(0.0, start, spline)
    for k in range(1, LOOKS + 1):
        _, _, _, speed, turn = reference(k * piece, start, spline)
        worst = max(worst, speed / limits.speed, abs(turn) / limits.turn)
        worst = max(worst, math.sqrt(abs(speed - before) / piece / limits.acceleration))
        gain = abs(turn - turn_before) / piece
        worst = max(worst, math.sqrt(gain / limits.turn_acceleration))
        before, turn_before = speed, turn
    return worst


@compiled
def following(
    x: float, y: float, heading: float, time: float, start: float, spline: FloatArray,
    step: float, speed: float,
) -> tuple[float, float]:  # fmt: skip
    """The twist that keeps to a spline for the next step (the law of Kanayama et al. 1990)."""
    to_x, to_y, to_heading, _, _ = reference(time, start, spline)
    _, _, _, forward, turn = reference(time + 0.5 * step, start, spline)
    cos, sin = math.cos(heading), math.sin(heading)
    ahead = cos * (to_x - x) + sin * (to_y - y)
    beside = cos * (to_y - y) - sin * (to_x - x)
    error = to_heading - heading
    stiffness = min(STIFFNESS, 0.5 / (speed * step))
    sideways = stiffness * stiffness * beside + 1.6 * stiffness * math.sin(error)
    return (
        forward * math.cos(error) + min(ALONG, 0.5 / step) * ahead,
        turn + forward * sideways,
    )


@compiled
def roll_out(
    spline: FloatArray, forward: float, turn: float, step: float, longest: float, limits: Limits
) -> tuple[FloatArray, FloatArray]:
    """Follow a spline from the present twist: poses (steps + 1, 3) and twists (steps, 2).

    Each twist is within the limits of the robot and is kept for `step` seconds.
    """
    steps = max(1, math.ceil(longest / step - 1e-9))
    poses, twists = np.zeros((steps + 1, 3)), np.zeros((steps, 2))
    x = y = heading = 0.0
    from_x = from_y = from_heading = time = 0.0
    left = spline[TURN_FIRST]
    start = min(max(forward, 0.0), spline[TOP_START])
    gain, turn_gain = limits.acceleration * step, limits.turn_acceleration * step
    for k in range(steps):
        if left != 0.0:
            braking = math.sqrt(2.0 * abs(left)) * math.sqrt(limits.turn_acceleration)
            to_forward, to_turn = 0.0, math.copysign(min(abs(left) / step, braking), left)
        else:
            cos, sin = math.cos(from_heading), math.sin(from_heading)
            to_forward, to_turn = following(
                cos * (x - from_x) + sin * (y - from_y), cos * (y - from_y) - sin * (x - from_x),
                heading - from_heading, time, start, spline, step, limits.speed,
            )  # fmt: skip
            time += step
        forward = min(max(to_forward, 0.0, forward - gain), forward + gain, limits.speed)
        turn = min(max(to_turn, turn - turn_gain, -limits.turn), turn + turn_gain, limits.turn)
        x, y, heading = arc_end(Rolling(x, y, heading, forward, turn), step)
        poses[k + 1, 0], poses[k + 1, 1], poses[k + 1, 2] = x, y, heading
        twists[k, 0], twists[k, 1] = forward, turn
        if left != 0.0:
            left -= turn * step
            if abs(left) < TURNED:
                left, from_x, from_y, from_heading = 0.0, x, y, heading
                start = min(forward, spline[TOP_START])
        elif time > spline[DURATION] - 1e-9:
            return poses[: k + 2], twists[: k + 1]
    return poses, twists
