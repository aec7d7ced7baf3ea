"""Time per plan of every shipped planner among 44 people, on one core; ORCA beside pyrvo.

Usage: python benchmarks/walk/planning.py    (needs `pip install pyrvo==0.4.3`)

The scene is Paseo's floor plan of Zara with people who walk about, 20 moments of it, which all
planners are asked about in turn. A plan is one call of `plan()` in Python. Times are CPU
seconds, the best of many short blocks: who else is at work on the machine only adds to them.
Planners that do not plan anew in every step are held to their slowest moment.
pyrvo computes the same robot among the same people, with RVO2's own share of one half, for which
ours is asked too; both are given all positions and velocities anew in each moment, and of pyrvo's
people none minds neighbours or walls. It is timed as it is kept from step to step, built anew,
and its `do_step` alone.
"""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyrvo

from paseo.data.maps.floorplans import find_floorplan
from paseo.planners.choices import make_planner, parse_planners
from paseo.planners.names import PLANNERS, is_reference
from paseo.planners.orca import Orca
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation, declared_control
from paseo.world.space.floorplan import FloorPlan

PEOPLE, MOMENTS, DT = 44, 20, 0.05
BLOCKS, BLOCK_S = 40, 0.02  # blocks, and about how long each takes
PASSES = 7  # through all moments
MOST_US = {"social-force": 50.0, "sampling": 10_000.0, "mppi": 10_000.0}  # per plan
SAME = 1e-4  # m/s
GOAL = Pose(19.0, 4.0)
MARGIN = 1.05


def moments(plan: FloorPlan) -> list[Observation]:
    """The robot on its way among people who walk straight on, none of them in a wall."""
    rng = np.random.default_rng(44)
    x0, y0, x1, y1 = plan.bounds
    places = rng.uniform((x0, y0), (x1, y1), (1000, 2))
    free = places[plan.grid_clearances(places) > 1.0]
    places = free[np.hypot(*(free - (8.0, 5.0)).T) > 1.5][:PEOPLE]
    bearings, speeds = rng.uniform(-np.pi, np.pi, PEOPLE), rng.uniform(0.6, 1.6, PEOPLE)
    velocities = np.stack([np.cos(bearings), np.sin(bearings)], axis=1) * speeds[:, None]
    places, velocities = single(places), single(velocities)
    found = []
    for step in range(MOMENTS):
        crowd = Crowd(
            np.arange(PEOPLE), single(places + step * DT * velocities), velocities,
            np.full(PEOPLE, 0.2),
        )  # fmt: skip
        pose = Pose(float(single(8.0 + 0.05 * step)), 5.0, 0.0)
        found.append(Observation(step * DT, RobotState(pose, Twist(1.0, 0.0), 0.24), crowd))
    return found


def single(value: Any) -> Any:
    """Numbers that pyrvo, which computes in single precision, is told exactly."""
    return np.asarray(value, np.float32).astype(np.float64)


def briefing(plan: FloorPlan, control: Control) -> Briefing:
    return Briefing(
        start=Pose(8.0, 5.0),
        goal=GOAL,
        goal_radius=0.3,
        floorplan=plan,
        time_limit=60.0,
        dt=DT,
        robot=Robot(),
        control=control,
        seed=0,
    )


def best_us(ask: Callable[[Observation], Any], scene: list[Observation]) -> tuple[float, float]:
    """Microseconds of CPU time per question: of the best block, and of the middle one."""
    for observation in scene:  # compiles
        ask(observation)
    begin = time.process_time()
    for observation in scene:
        ask(observation)
    rounds = max(1, int(BLOCK_S / max(time.process_time() - begin, 1e-9)))
    seconds = []
    for _ in range(BLOCKS if rounds > 1 else 5):
        begin = time.process_time()
        for _ in range(rounds):
            for observation in scene:
                ask(observation)
        seconds.append((time.process_time() - begin) / (rounds * len(scene)))
    return min(seconds) * 1e6, float(np.median(seconds)) * 1e6


def slowest_us(planner: Any, told: Briefing, scene: list[Observation]) -> float:
    """Microseconds that the moment takes which takes longest; each is the best of some passes."""
    passes = []
    for _ in range(PASSES):
        planner.begin(told)
        seconds = []
        for observation in scene:
            begin = time.process_time()
            planner.plan(observation)
            seconds.append(time.process_time() - begin)
        passes.append(seconds)
    return float(np.min(passes, axis=0).max()) * 1e6


class Peer:
    """pyrvo's agent 0 as the robot."""

    def __init__(self, plan: FloorPlan) -> None:
        self.plan, self.speed = plan, Robot().max_speed
        self.simulator = self.built()

    def built(self) -> Any:
        simulator = pyrvo.RVOSimulator(DT, 50.0, 50, 5.0, 5.0, MARGIN * 0.24, self.speed)
        simulator.add_obstacle([tuple(wall[0]) for wall in loop_around(self.plan)])
        simulator.process_obstacles()
        for k in range(PEOPLE + 1):
            simulator.add_agent((0.0, 0.0))
            if k > 0:
                simulator.set_agent_radius(k, MARGIN * 0.2)
                simulator.set_agent_neighbor_dist(k, 0.0)
                simulator.set_agent_max_neighbors(k, 0)
                simulator.set_agent_time_horizon_obst(k, 1e-3)
        return simulator

    def anew(self, observation: Observation) -> Any:
        self.simulator = self.built()
        return self.velocity(observation)

    def velocity(self, observation: Observation) -> Any:
        simulator, robot, crowd = self.simulator, observation.robot, observation.crowd
        x, y = robot.pose.x, robot.pose.y
        far = robot.pose.distance_to(GOAL)
        simulator.set_agent_position(0, (x, y))
        simulator.set_agent_velocity(0, (robot.twist.forward, 0.0))
        wanted = (self.speed * (GOAL.x - x) / far, self.speed * (GOAL.y - y) / far)
        simulator.set_agent_pref_velocity(0, wanted)
        places, velocities = crowd.positions.tolist(), crowd.velocities.tolist()
        for k in range(PEOPLE):
            simulator.set_agent_position(k + 1, places[k])
            simulator.set_agent_velocity(k + 1, velocities[k])
        simulator.do_step()
        return simulator.get_agent_velocity(0).to_tuple()


def loop_around(plan: FloorPlan) -> np.ndarray:
    """The walls of a plan without pillars one after the other, free space on their right."""
    walls = plan.walls
    x, y = walls[:, 0].T
    area = 0.5 * float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())
    return single(walls if area < 0 else walls[::-1, ::-1])


def beside_pyrvo(plan: FloorPlan, scene: list[Observation]) -> bool:
    """Print both ORCAs; whether ours answers the same and is not slower."""
    planner, peer = Orca(responsibility=0.5), Peer(plan)
    planner.begin(briefing(plan, Control.POSITION))
    apart = 0.0
    for observation in scene:
        pose, answer = observation.robot.pose, planner.plan(observation)
        assert isinstance(answer, Pose)
        ours = ((answer.x - pose.x) / DT, (answer.y - pose.y) / DT)
        apart = max(apart, float(np.abs(np.subtract(ours, peer.velocity(observation))).max()))
    ours_us, _ = best_us(planner.plan, scene)
    kept_us, _ = best_us(peer.velocity, scene)
    anew_us, _ = best_us(peer.anew, scene)
    step_us, _ = best_us(lambda _: peer.simulator.do_step(), scene)
    print(
        f"ORCA robot: paseo {ours_us:.1f} us, pyrvo {kept_us:.1f} us ({kept_us / ours_us:.1f} times"
        f" as long; built anew {anew_us:.1f} us, do_step alone {step_us:.1f} us); velocities at "
        f"most {apart:.1g} m/s apart"
    )
    return apart < SAME and ours_us <= kept_us


def main() -> int:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    plan = find_floorplan("Zara", Path())
    scene = moments(plan)
    print(f"time per plan with {PEOPLE} people, microseconds of CPU time on one core")
    marks = []
    for name in PLANNERS.shipped:
        if is_reference(name):
            continue
        planner = make_planner(parse_planners(name)[0])
        begin = time.process_time()
        told = briefing(plan, declared_control(planner))
        planner.begin(told)
        begin_ms = (time.process_time() - begin) * 1e3
        best, middle = best_us(planner.plan, scene)
        slowest = slowest_us(planner, told, scene)
        most = MOST_US.get(name)
        marks.append(most is None or slowest <= most)
        wanted = "" if most is None else f"   wanted: at most {most:,.0f}"
        print(
            f"{name:18} best {best:8.1f}  median {middle:8.1f}  slowest moment {slowest:8.1f}  "
            f"begin {begin_ms:6.1f} ms{wanted}"
        )
    marks.append(beside_pyrvo(plan, scene))
    print(f"wanted: the times above, and ORCA not slower than pyrvo: "
          f"{'met' if all(marks) else 'missed'}")  # fmt: skip
    return 0 if all(marks) else 1


if __name__ == "__main__":
    sys.exit(main())
