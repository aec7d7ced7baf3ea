"""Steps per second with 44 people present at once, through the Python planner interface.

Beside it, in the same run: a bare compiled loop over the same arrays (the limit), and the
original simulator's own figure (6 to 11 ms of CPU per step, shared specification, section 2.2).
"""

import math
import sys
import time
from collections.abc import Callable

import numba
import numpy as np

from paseo.crowd.replay import sample
from paseo.planners.stop import Stop
from paseo.sim.episode import hits_wall
from paseo.sim.simulate import simulate
from paseo.world.contacts import tally
from paseo.world.motion import Pose
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import floor_plan
from paseo.world.tracks import Track

PEOPLE, STEPS, ROUNDS = 44, 1200, 30
WANTED = 50_000
ORIGINAL_STEP_S = (0.006, 0.011)


def crowded_room() -> Scenario:
    corners = np.array([[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0], [0.0, 0.0]])
    rng = np.random.default_rng(0)
    times = np.arange(0.0, STEPS * 0.05 + 0.04, 0.04)
    tracks = []
    for person in range(PEOPLE):
        phase = rng.uniform(0, math.tau, 2)
        walk = 10.0 + 8.0 * np.sin(phase + times[:, None] * rng.uniform(0.05, 0.15, 2))
        tracks.append(Track(person, times, walk))
    return Scenario(
        name="crowded",
        floorplan=floor_plan("room", np.stack([corners[:-1], corners[1:]], axis=1)),
        start=Pose(1.0, 1.0),
        goal=Pose(19.0, 19.0),
        tracks=tuple(tracks),
        time_limit=STEPS * 0.05,
    )


@numba.njit
def bare(steps, dt, ids, first, times, positions, walls, field, x0, y0, cell, robot, radius):
    """The same work without Python in between: replay, robot, contacts, wall check."""
    people = ids.shape[0]
    late = np.zeros(people, np.int64)
    cursors = first[:-1].copy()
    out_ids, out_positions = np.empty(people, np.int64), np.empty((people, 2))
    out_velocities, bounds = np.empty((people, 2)), np.zeros(2, np.int64)
    present, touching = np.zeros(people, np.bool_), np.zeros(people, np.bool_)
    rows, events = np.empty((steps, people, 2)), np.empty((2 * people, 2), np.int64)
    radii = np.full(people, 0.2)
    x, y, heading, touches = robot[0], robot[1], 0.0, 0
    for step in range(steps):
        sample(
            step, dt, ids, first, times, positions, cursors, late,
            out_ids, out_positions, out_velocities, bounds,
        )  # fmt: skip
        before_x, before_y = x, y
        x, y = x + 0.0 * math.cos(heading) * dt, y + 0.0 * math.sin(heading) * dt
        n = bounds[1]
        touches += tally(
            x, y, radius, out_ids[:n], out_positions[:n], radii[:n], ids, present, touching,
            rows[step], events,
        )  # fmt: skip
        if hits_wall(before_x, before_y, x, y, radius, walls, field, x0, y0, cell):
            break
    return touches


def best_rate(work: Callable[[], object]) -> float:
    work()
    seconds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return STEPS / min(seconds)


def main() -> int:
    world = crowded_room()
    plan = world.floorplan
    ids = np.arange(PEOPLE)
    first = np.cumsum([0] + [len(track.times) for track in world.tracks])
    times = np.concatenate([track.times for track in world.tracks])
    positions = np.concatenate([track.positions for track in world.tracks])
    limit = best_rate(
        lambda: bare(
            STEPS,
            world.dt,
            ids,
            first,
            times,
            positions,
            plan.walls,
            plan.distance,
            plan.origin[0],
            plan.origin[1],
            plan.cell_size,
            np.array([1.0, 1.0]),
            0.24,
        )
    )
    ours = best_rate(lambda: simulate(world, Stop()))
    slow, fast = 1 / ORIGINAL_STEP_S[1], 1 / ORIGINAL_STEP_S[0]
    print(f"paseo, {PEOPLE} people, Python planner  {ours:12,.0f} steps/s")
    print(
        f"bare compiled loop, same arrays     {limit:12,.0f} steps/s  (paseo: {ours / limit:.3f})"
    )
    print(f"original SocNavBench, as measured   {slow:6,.0f} to {fast:.0f} steps/s  "
          f"(paseo: {ours / fast:,.0f} to {ours / slow:,.0f} times)")  # fmt: skip
    print(f"wanted                              {WANTED:12,} steps/s  (paseo: {ours / WANTED:.2f})")
    return 0 if ours >= WANTED else 1


if __name__ == "__main__":
    sys.exit(main())
