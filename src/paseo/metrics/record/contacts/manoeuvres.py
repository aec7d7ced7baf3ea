"""What a robot could have done instead: a fan of manoeuvres within its limits, rolled out."""

import math

import numpy as np

from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.motion import Control, Robot
from paseo.world.space.floorplan import FloorPlan

SPEEDS, TURNS, DIRECTIONS = 5, 21, 24  # of the fan; standing (braking) is one of the speeds


def fan(robot: Robot, control: Control) -> FloatArray:
    """Commands to be held, (manoeuvres, 2): forward and turn, or a velocity where it moves freely.

    Forward speeds reach from full reverse over braking to the top speed.
    """
    ahead = np.linspace(0.0, robot.max_speed, SPEEDS)
    if control is Control.POSITION:
        angles = np.arange(DIRECTIONS) * math.tau / DIRECTIONS
        units = np.column_stack([np.cos(angles), np.sin(angles)])
        return (ahead[:, None, None] * units).reshape(-1, 2)
    speeds = np.unique(np.append(ahead, -robot.max_reverse_speed))
    turns = np.linspace(-robot.max_turn, robot.max_turn, TURNS)
    return np.stack(np.meshgrid(speeds, turns, indexing="ij"), axis=-1).reshape(-1, 2)


def rolled_out(
    pose: FloatArray,
    twist: tuple[float, float],
    robot: Robot,
    *,
    control: Control,
    dt: float,
    steps: int,
) -> FloatArray:
    """Where each manoeuvre of the fan leads, (manoeuvres, steps, 2), from a pose and its twist.

    A unicycle approaches the command as fast as its accelerations allow, as the simulator does.
    """
    commands = fan(robot, control)
    if control is Control.POSITION:
        times = np.arange(1, steps + 1) * dt
        free: FloatArray = pose[:2] + commands[:, None, :] * times[:, None]
        return free
    forward, turn = np.full(len(commands), twist[0]), np.full(len(commands), twist[1])
    gain, turn_gain = robot.max_acceleration * dt, robot.max_turn_acceleration * dt
    heading = np.full(len(commands), pose[2])
    place = np.tile(pose[:2], (len(commands), 1))
    places = np.empty((len(commands), steps, 2))
    for step in range(steps):
        forward = np.clip(commands[:, 0], forward - gain, forward + gain)
        turn = np.clip(commands[:, 1], turn - turn_gain, turn + turn_gain)
        half = 0.5 * turn * dt
        chord = forward * dt * np.sinc(half / math.pi)
        place = place + chord[:, None] * np.column_stack(
            [np.cos(heading + half), np.sin(heading + half)]
        )
        heading = heading + turn * dt
        places[:, step] = place
    return places


def clear_of_people(places: FloatArray, people: FloatArray, reach: float) -> BoolArray:
    """Which manoeuvres touch nobody, (manoeuvres,); `people` is (steps, people, 2), NaN: absent."""
    gaps = np.hypot(
        places[:, :, None, 0] - people[None, :, :, 0], places[:, :, None, 1] - people[None, :, :, 1]
    )  # (manoeuvres, steps, people)
    return np.asarray(~(gaps < reach).any(axis=(1, 2)))


def clear_of_walls(places: FloatArray, plan: FloorPlan, clearance: float) -> BoolArray:
    """Which manoeuvres keep so far from walls, to a cell's width, (manoeuvres,)."""
    nearest = plan.grid_clearances(places.reshape(-1, 2)).reshape(places.shape[:2])
    return np.asarray((nearest >= clearance).all(axis=1))
