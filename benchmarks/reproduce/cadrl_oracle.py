"""SA-CADRL beside the authors' own code in one run: networks, values of all actions, choices, time.

Needs the wheel of gym-collision-avoidance 0.0.3 (`pip download --no-deps
gym-collision-avoidance==0.0.3`) and matplotlib, but neither gym nor TensorFlow. Fails if any
network, value or choice is not the original's. Where the original's own answer depends on the
map's origin, by rounding, ours must be one of its answers.

Usage: OPENBLAS_NUM_THREADS=1 python benchmarks/reproduce/cadrl_oracle.py WHEEL [SITUATIONS]
(one thread, because on a busy machine more make the original several times slower)
"""

import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from paseo.planners.sacadrl.action_values import Situation, action_values, nearest, possible_actions
from paseo.planners.sacadrl.planner import Sacadrl
from paseo.planners.sacadrl.value_network import Weights, shipped_network
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation
from paseo.world.space.floorplan import floor_plan

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import record_cadrl

SAME_NETWORK, SAME_VALUE = 1e-9, 1e-9
PEOPLE, PLANS, SLOWEST_MS = 44, 100, 5.0


def main(wheel: Path, count: int) -> bool:
    rng = np.random.default_rng(1)
    fine = True
    with record_cadrl.original(wheel) as policies:
        for weights, policy in policies.items():
            apart = networks_apart(weights, policy, rng, count)
            values, choices, ambiguous = compared(weights, policy, rng, count)
            print(
                f"{weights.value}: {count} network inputs apart by at most {apart:.1e}; {count} "
                f"situations: {values} action values and {choices} choices not the original's "
                f"({ambiguous} depend on its origin)"
            )
            fine &= apart < SAME_NETWORK and not values and not choices
            fine &= timed(weights, policy, rng)
    return fine


def networks_apart(weights: Weights, policy: Any, rng: np.random.Generator, count: int) -> float:
    inputs = np.array([record_cadrl.network_input(rng) for _ in range(count)])
    theirs = policy.value_net.nn.make_prediction_raw(inputs)[:, 0]
    people = inputs[:, 7:].reshape(-1, 3, 8).swapaxes(0, 1)
    ours = shipped_network(weights).values(inputs[:, :7], people)
    return float(np.abs(ours - theirs).max())


def compared(
    weights: Weights, policy: Any, rng: np.random.Generator, count: int
) -> tuple[int, int, int]:
    """How many values and choices differ, and how often the original has several answers."""
    values = choices = ambiguous = 0
    for _ in range(count):
        asked = record_cadrl.situation(rng)
        situation = seen(asked)
        actions = possible_actions(situation, weights)
        ours = action_values(situation, actions, weights)
        theirs = all_values(policy, asked)  # (places, actions)
        values += int((np.abs(theirs - ours).min(axis=0) > SAME_VALUE).sum())
        best = int(np.argmax(np.round(ours, 9)))
        ours_best = (actions.speeds[best], actions.headings[best])
        answers = record_cadrl.answers(policy, asked)
        choices += not any(is_same(ours_best, answer) for answer in answers)
        ambiguous += len(answers) > 1
    return values, choices, ambiguous


def is_same(ours: tuple[float, float], theirs: tuple[float, float, float]) -> bool:
    turn = math.remainder(ours[1] - theirs[1], math.tau)
    return abs(ours[0] - theirs[0]) < 1e-9 and abs(turn) < 1e-9


def all_values(policy: Any, asked: record_cadrl.Situation) -> FloatArray:
    rows = []
    for each in record_cadrl.moved(asked):
        _, state, others, actions = policy.parse_agents(record_cadrl.agents(each), 0)
        choices = policy.value_net.find_feasible_actions(state)
        rows.append(policy.value_net.find_next_states_values(state, choices, others, actions))
    return np.array(rows)


def seen(asked: record_cadrl.Situation) -> Situation:
    x, y, heading, speed, preferred, goal_x, goal_y, radius = asked.robot
    people = np.array(asked.people)
    goal, offsets = np.array([goal_x - x, goal_y - y]), people[:, :2] - (x, y)
    chosen = nearest(offsets, np.hypot(*offsets.T) - radius - people[:, 6], goal)
    return Situation(
        goal=goal,
        heading=heading,
        speed=speed,
        preferred_speed=preferred,
        radius=radius,
        offsets=offsets[chosen],
        velocities=0.5 * (people[:, 2:4] + people[:, 4:6])[chosen],
        radii=people[chosen, 6],
    )


def timed(weights: Weights, policy: Any, rng: np.random.Generator) -> bool:
    """Milliseconds for a plan among 44 people, ours and theirs."""
    corners = np.array([[0.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]])
    walls = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    planner = Sacadrl(weights=weights)
    planner.begin(
        Briefing(
            start=Pose(10.0, 10.0),
            goal=Pose(18.0, 18.0),
            goal_radius=0.3,
            floorplan=floor_plan("square", walls),
            time_limit=60.0,
            dt=0.05,
            robot=Robot(),
            control=Control.POSITION,
            seed=0,
        )
    )
    ours, theirs = [], []
    for _ in range(PLANS):
        positions, velocities = rng.uniform(0, 20, (PEOPLE, 2)), rng.normal(0, 0.9, (PEOPLE, 2))
        crowd = Crowd(np.arange(PEOPLE), positions, velocities, np.full(PEOPLE, 0.2))
        robot = RobotState(Pose(10.0, 10.0, 0.8), Twist(1.2, 0.0), 0.24)
        started = time.perf_counter()
        planner.plan(Observation(0.0, robot, crowd))
        ours.append(time.perf_counter() - started)
        people = np.column_stack([positions, velocities, velocities, crowd.radii]).tolist()
        asked = record_cadrl.Situation([10, 10, 0.8, 1.2, 1.2, 18, 18, 0.24], people)
        agents = record_cadrl.agents(asked)
        started = time.perf_counter()
        policy.find_next_action({}, agents, 0)
        theirs.append(time.perf_counter() - started)
    ours_ms, theirs_ms = 1e3 * float(np.median(ours)), 1e3 * float(np.median(theirs))
    print(
        f"{weights.value}: a plan among {PEOPLE} people takes {ours_ms:.2f} ms (limit "
        f"{SLOWEST_MS:.0f}), the original {theirs_ms:.2f} ms"
    )
    return ours_ms < SLOWEST_MS


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(0 if main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 300) else 1)
