"""Where and when feet are put down, tick by tick, along a path that is known ahead.

Walking, feet are lifted and put down by the phase, which advances with distance; a foot goes where
the body will be above it in the middle of its stance. Standing, or going slower than people walk,
one foot at a time steps to where it belongs once it is too far from there.
"""

import math

import numpy as np

from paseo.camera.gait.steps.strides import duty, stride_length, strides_per_second
from paseo.compiled import compiled
from paseo.world.arrays import FloatArray

TICK = 0.025  # seconds
TWO_TICKS = 2.0 * TICK
AHEAD = 1.2  # seconds of the path that a step looks ahead at most

# The columns of a state.
X, Y, FACING, TURNING, SPEED, DIRECTION, PHASE, PACE, DUTY, WALKS = range(10)
FEET = 10  # two feet follow, left and right, each with
FROM, TO, LIFTED, PROGRESS = 0, 3, 6, 7  # its print, the next one (x, y, heading), and how far on
FOOT = 8
COLUMNS = FEET + 2 * FOOT

OVERHEAD = 0.235  # share of a stride after the strike when the hip is above the ankle: see `clips`
START, STOP = 0.30, 0.20  # m/s at which standing people begin to walk, and walking ones to stand
TURNS = 0.35  # m/s above which bodies turn to where they go
PACE_FROM, PACE_FULL = 0.10, 0.60  # m/s between which a walk gets its full swing
PACE_LAG = 0.15  # seconds
AGILITY, CALM = 9.0, 4.0  # 1/s: how fast facing follows when walking, and when standing
FASTEST_TURN, CALM_TURN = 3.5, 1.5  # rad/s
WIDTH, STANCE_WIDTH = 0.055, 0.11  # of a leg, to each side; walking and standing
MOST_TWIST = 0.8  # radians between the body and a foot that turns ahead of it
TOE_OUT = 0.12  # radians; some 7 degrees
FAR, TWISTED = 0.10, 0.5  # of a leg, radians: a standing foot this far from its place steps
STEPS_BELOW = 0.25  # of the pace: who still swings the legs has no need to step
STEP_TIME = 0.45  # seconds for which a standing person's foot is lifted
LOST = 0.75  # of a leg: a print this far off is not stood on, who walks lifts that foot
MOVED = 1.2  # of a leg: nobody steps as far; the person was moved


@compiled
def turned(angle: float) -> float:
    """The same angle between -pi and pi."""
    return angle - math.tau * np.floor(angle / math.tau + 0.5)


@compiled
def place_at(path: FloatArray, tick: float) -> tuple[float, float]:
    """Where the path is at a tick, straight on beyond its end."""
    last = len(path) - 1
    first = int(min(max(np.floor(tick), 0.0), last - 1.0))
    share = tick - first
    x = path[first, 0] + share * (path[first + 1, 0] - path[first, 0])
    return x, path[first, 1] + share * (path[first + 1, 1] - path[first, 1])


@compiled
def velocity_at(path: FloatArray, tick: float) -> tuple[float, float]:
    """The speed vector of the path around a tick."""
    last = float(len(path) - 1)
    low = min(max(tick - 1.0, 0.0), last - 1.0)
    high = max(min(tick + 1.0, last), low + 1.0)
    before, after = place_at(path, low), place_at(path, high)
    span = (high - low) * TICK
    return (after[0] - before[0]) / span, (after[1] - before[1]) / span


@compiled
def seconds_until(path: FloatArray, tick: int, strides: float, leg: float) -> float:
    """How long it takes along the path to make so many strides; not beyond `AHEAD`."""
    left, seconds = strides, 0.0
    while left > 0.0 and seconds < AHEAD:
        vx, vy = velocity_at(path, tick + seconds / TICK + 1.0)
        gone = strides_per_second(math.hypot(vx, vy), leg) * TWO_TICKS
        seconds += TWO_TICKS * min(1.0, left / max(gone, 1e-9))
        left -= gone
    return seconds


@compiled
def copy_print(state: FloatArray, source: int, target: int) -> None:
    """One print written over another: number by number, as slices take seconds to compile."""
    for k in range(3):
        state[target + k] = state[source + k]


@compiled
def put_print(
    state: FloatArray,
    at: int,
    path: FloatArray,
    tick: float,
    seconds: float,
    side: float,
    leg: float,
) -> None:
    """Write where a foot belongs when the body is above it, so many seconds after the tick."""
    later = tick + seconds / TICK
    x, y = place_at(path, later)
    vx, vy = velocity_at(path, later)
    heading = state[FACING]
    if math.hypot(vx, vy) > TURNS:
        off = turned(math.atan2(vy, vx) - heading)
        # Who goes backwards has not begun to turn either way.
        heading += min(max(off, -MOST_TWIST), MOST_TWIST) * min(1.0, math.pi - abs(off))
    wide = leg * (state[PACE] * WIDTH + (1.0 - state[PACE]) * STANCE_WIDTH)
    state[at] = x - side * wide * math.sin(heading)
    state[at + 1] = y + side * wide * math.cos(heading)
    state[at + 2] = heading + side * TOE_OUT


@compiled
def move_body(state: FloatArray, path: FloatArray, tick: int, gaze: float, leg: float) -> None:
    """Bring place, speed, pace and facing to this tick; standing people turn to their gaze."""
    state[X], state[Y] = path[tick, 0], path[tick, 1]
    vx, vy = velocity_at(path, float(tick))
    speed = math.hypot(vx, vy)
    state[SPEED] = speed
    if speed > 0.05:
        state[DIRECTION] = math.atan2(vy, vx)
    share = min(max((speed - PACE_FROM) / (PACE_FULL - PACE_FROM), 0.0), 1.0)
    full = share * share * (3.0 - 2.0 * share)
    full *= state[WALKS] * max(math.cos(state[DIRECTION] - state[FACING]), 0.0)
    state[PACE] += (full - state[PACE]) * (1.0 - math.exp(-TICK / PACE_LAG))
    state[DUTY] = duty(speed, leg)
    wanted, agility, fastest = state[FACING], CALM, CALM_TURN
    if speed > TURNS:
        # A spring lags behind by two of its time constants: look as far ahead.
        vx, vy = velocity_at(path, tick + 2.0 / AGILITY / TICK)
        wanted = math.atan2(vy, vx) if math.hypot(vx, vy) > TURNS else state[DIRECTION]
        agility, fastest = AGILITY, FASTEST_TURN
    elif gaze == gaze:
        wanted = gaze
    pull = agility * agility * turned(wanted - state[FACING]) - 2.0 * agility * state[TURNING]
    state[TURNING] = min(max(state[TURNING] + pull * TICK, -fastest), fastest)
    state[FACING] += state[TURNING] * TICK


@compiled
def begin_walking(state: FloatArray) -> None:
    """Set the phase to where one foot, the lifted or else the hinder one, leaves the ground."""
    left, right = FEET, FEET + FOOT
    dx, dy = math.cos(state[DIRECTION]), math.sin(state[DIRECTION])
    lead = (state[left] - state[right]) * dx + (state[left + 1] - state[right + 1]) * dy
    first = 0 if lead < 0.0 else 1
    if state[left + LIFTED] > 0.0 or state[right + LIFTED] > 0.0:
        first = 0 if state[left + LIFTED] > 0.0 else 1
    foot = FEET + FOOT * first
    done = state[foot + PROGRESS] if state[foot + LIFTED] > 0.0 else 0.0
    phase = state[DUTY] + (1.0 - state[DUTY]) * done + 0.5 * first
    state[PHASE] = np.floor(state[PHASE]) + 1.0 + phase
    state[WALKS] = 1.0


@compiled
def walk_foot(
    state: FloatArray, foot: int, path: FloatArray, tick: int, before: float, leg: float
) -> None:
    """Lift, swing or put down one foot as the phase has it; `before` is the phase of last tick."""
    at = FEET + FOOT * foot
    side, lag = (1.0, 0.0) if foot == 0 else (-1.0, 0.5)
    share = state[DUTY]
    now = (state[PHASE] - lag) % 1.0
    landed = np.floor(state[PHASE] - lag) > np.floor(before - lag)
    until = seconds_until(path, tick, 1.0 - now + OVERHEAD, leg)
    if state[at + LIFTED] > 0.0:
        if landed:
            copy_print(state, at + TO, at)
            state[at + LIFTED] = 0.0
            state[at + PROGRESS] = now / share
        else:
            done = (now - share) / (1.0 - share)
            if now < share:  # lifted before its time
                done = state[at + PROGRESS] + TICK / STEP_TIME
            state[at + PROGRESS] = min(max(done, state[at + PROGRESS]), 1.0)
            put_print(state, at + TO, path, tick, until, side, leg)
    elif now > share:
        state[at + LIFTED] = 1.0
        state[at + PROGRESS] = (now - share) / (1.0 - share)
        put_print(state, at + TO, path, tick, until, side, leg)
    else:
        state[at + PROGRESS] = now / share


@compiled
def stand_foot(state: FloatArray, foot: int, path: FloatArray, tick: int, leg: float) -> None:
    """Let a standing person's foot step to its place if it is the one farther from it."""
    at, other = FEET + FOOT * foot, FEET + FOOT * (1 - foot)
    side = 1.0 if foot == 0 else -1.0
    if state[at + LIFTED] > 0.0:
        state[at + PROGRESS] += TICK / STEP_TIME
        if state[at + PROGRESS] >= 1.0:
            copy_print(state, at + TO, at)
            state[at + LIFTED], state[at + PROGRESS] = 0.0, 0.0
            return
    put_print(state, at + TO, path, tick, STEP_TIME, side, leg)
    if state[at + LIFTED] > 0.0:
        return
    off = distance_from_place(state, at, leg)
    calm = state[other + LIFTED] == 0.0 and state[PACE] < STEPS_BELOW
    if calm and off > 1.0 and off >= distance_from_place(state, other, leg):
        state[at + LIFTED], state[at + PROGRESS] = 1.0, 0.0


@compiled
def distance_from_place(state: FloatArray, at: int, leg: float) -> float:
    """How far a foot is from where it belongs; over 1 it should step."""
    off = math.hypot(state[at + TO] - state[at], state[at + TO + 1] - state[at + 1])
    twist = abs(turned(state[at + TO + 2] - state[at + 2]))
    return max(off / (FAR * leg), twist / TWISTED)


@compiled
def replant(state: FloatArray, path: FloatArray, tick: int, leg: float) -> None:
    """Put both feet where they would be had the person come all the way as they go now."""
    speed = state[SPEED]
    stride = stride_length(speed, leg) if state[WALKS] > 0.0 else 0.0
    dx, dy = stride * math.cos(state[DIRECTION]), stride * math.sin(state[DIRECTION])
    for foot in range(2):
        at = FEET + FOOT * foot
        side, lag = (1.0, 0.0) if foot == 0 else (-1.0, 0.5)
        now = (state[PHASE] - lag) % 1.0
        put_print(state, at, path, tick, 0.0, side, leg)
        state[at] += dx * (OVERHEAD - now)
        state[at + 1] += dy * (OVERHEAD - now)
        state[at + TO] = state[at] + dx
        state[at + TO + 1] = state[at + 1] + dy
        state[at + TO + 2] = state[at + 2]
        lifted = state[WALKS] > 0.0 and now > state[DUTY]
        state[at + LIFTED] = 1.0 if lifted else 0.0
        share = state[DUTY]
        state[at + PROGRESS] = (now - share) / (1.0 - share) if lifted else now / share


@compiled
def leave_lost(state: FloatArray, foot: int, path: FloatArray, tick: int, leg: float) -> None:
    """Lift a foot that stands where no leg reaches, if the other one stands; or plant both anew."""
    at, other = FEET + FOOT * foot, FEET + FOOT * (1 - foot)
    off = math.hypot(state[at] - state[X], state[at + 1] - state[Y])
    if state[at + LIFTED] > 0.0 or off <= LOST * leg:
        return
    if off < MOVED * leg and state[WALKS] > 0.0 and state[other + LIFTED] == 0.0:
        state[at + LIFTED], state[at + PROGRESS] = 1.0, 0.0
        copy_print(state, at, at + TO)
    else:
        replant(state, path, tick, leg)


@compiled
def first_state(path: FloatArray, facing: float, phase: float, leg: float) -> FloatArray:
    """How somebody stands or walks who has just come into view.

    The phase goes with the place along the way, so that moments seen one by one agree.
    """
    state = np.zeros(COLUMNS)
    tick: int = np.int64(0)  # type: ignore[assignment]  # a plain 0 compiles all anew
    vx, vy = velocity_at(path, 0.0)
    speed = math.hypot(vx, vy)
    state[FACING] = math.atan2(vy, vx) if speed > TURNS else facing
    state[DIRECTION] = state[FACING]
    state[WALKS] = 1.0 if speed > START else 0.0
    for _ in range(int(10.0 * PACE_LAG / TICK)):
        move_body(state, path, tick, np.nan, leg)
    state[FACING] = math.atan2(vy, vx) if speed > TURNS else facing
    state[TURNING] = 0.0
    along = state[X] * math.cos(state[DIRECTION]) + state[Y] * math.sin(state[DIRECTION])
    state[PHASE] = phase + along / stride_length(speed, leg)
    replant(state, path, tick, leg)
    return state


@compiled
def step_along(
    state: FloatArray, path: FloatArray, ticks: int, gazes: FloatArray, leg: float
) -> FloatArray:
    """The states of one person at each of the ticks after the first, (ticks, columns)."""
    states = np.empty((ticks, COLUMNS))
    now = state.copy()
    for tick in range(1, ticks + 1):
        before = now[PHASE]
        move_body(now, path, tick, gazes[tick], leg)
        if now[WALKS] == 0.0 and now[SPEED] > START:
            begin_walking(now)
            before = now[PHASE]
        elif now[WALKS] > 0.0 and now[SPEED] < STOP:
            now[WALKS] = 0.0
        if now[WALKS] > 0.0:
            now[PHASE] += strides_per_second(now[SPEED], leg) * TICK
        for foot in range(2):
            if now[WALKS] > 0.0:
                walk_foot(now, foot, path, tick, before, leg)
            else:
                stand_foot(now, foot, path, tick, leg)
        for foot in range(2):
            leave_lost(now, foot, path, tick, leg)
        for column in range(COLUMNS):
            states[tick - 1, column] = now[column]
    return states
