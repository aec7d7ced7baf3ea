"""Record what the authors' own code of SA-CADRL answers, for the tests.

Usage: pip download --no-deps gym-collision-avoidance==0.0.3
       python tools/record_cadrl.py gym_collision_avoidance-0.0.3-py3-none-any.whl FILE

Runs the code in the wheel, after checking its sum; it needs matplotlib (`paseo[plots]`) but neither
gym nor TensorFlow. Writes values of its networks for random inputs and the actions its policy
chooses in random situations; `tests/reference/cadrl_answers.json` was made so.

The original compares numbers with 0 that are 0 but for rounding (the heading of a robot that drives
straight at its goal), so that some of its answers depend on where the map's origin is. Each
situation is therefore asked in several places, and every answer is written down.
"""

import contextlib
import hashlib
import importlib
import io
import json
import math
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from paseo.planners.sacadrl.value_network import Weights

SUM = "bc3c1bf0352c1700ad980b2835b11e46ba9f664a1afd9eae34f722f340d8423b"
ORIGINAL = "gym_collision_avoidance"
MODES = {
    Weights.ROTATE_RIGHT: ("rotate_constr", "right", 1300),
    Weights.NO_RULES: ("no_constr", "none", 1000),
}
PLACES = ((0.0, 0.0), (31.0, -17.0), (-3.3, 8.1), (0.7, 41.9), (-55.5, -0.1), (12.34, 5.67))  # m
Row = list[float]


@dataclass(frozen=True, slots=True)
class Situation:
    """A robot with people about it, in numbers that JSON keeps exactly."""

    robot: Row  # x, y, heading, speed, preferred speed, goal x, goal y, radius
    people: list[Row]  # x, y, velocity x and y now, and the moment before, radius


@contextlib.contextmanager
def original(wheel: Path) -> Iterator[dict[Weights, Any]]:
    """The authors' policy with each set of weights, out of their wheel."""
    content = wheel.read_bytes()
    if hashlib.sha256(content).hexdigest() != SUM:
        sys.exit(f"{wheel}: is not the wheel of gym-collision-avoidance 0.0.3")
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
        top = Path(folder) / ORIGINAL
        # Its own package files would import gym, which the policy does not need.
        for name in ("", ".envs"):
            module = ModuleType(ORIGINAL + name)
            module.__path__ = [str(top.joinpath(*name.split(".")))]
            sys.modules[ORIGINAL + name] = module
        config = importlib.import_module(f"{ORIGINAL}.envs.config")
        vars(sys.modules[f"{ORIGINAL}.envs"])["Config"] = config.Config()
        policies = importlib.import_module(f"{ORIGINAL}.envs.policies.CADRLPolicy")
        scripts = top / "envs" / "policies" / "CADRL" / "scripts" / "multi"
        found = {}
        for weights, (mode, side, iteration) in MODES.items():
            policy = policies.CADRLPolicy()
            file = f"4_agents_policy_iter_{iteration}.p"
            policy.value_net = policies.nn_nav.load_NN_navigation_value(
                str(scripts), 4, mode, side, filename=file, ifPrint=False
            )
            found[weights] = policy
        yield found


def moved(situation: Situation) -> Iterator[Situation]:
    """The same situation in several places of the map."""
    for dx, dy in PLACES:
        x, y, heading, speed, preferred, goal_x, goal_y, radius = situation.robot
        yield Situation(
            [x + dx, y + dy, heading, speed, preferred, goal_x + dx, goal_y + dy, radius],
            [[x + dx, y + dy, *rest] for x, y, *rest in situation.people],
        )


def answers(policy: Any, situation: Situation) -> list[tuple[float, float, float]]:
    """Speeds and headings that the policy chooses, with the values it puts on them."""
    found: list[tuple[float, float, float]] = []
    for each in moved(situation):
        host, state, others, actions = policy.parse_agents(agents(each), 0)
        speed, turn = policy.query_and_rescale_action(host, state, others, actions)
        choices = policy.value_net.find_feasible_actions(state)
        values = policy.value_net.find_next_states_values(state, choices, others, actions)
        answer = (float(speed), math.remainder(turn + state[4], math.tau), float(values.max()))
        if not any(np.allclose(answer, other, rtol=0, atol=1e-9) for other in found):
            found.append(answer)
    return found


def agents(situation: Situation) -> list[SimpleNamespace]:
    """The robot and the people as far as the policy looks at them; the robot comes first."""
    x, y, heading, speed, preferred, goal_x, goal_y, radius = situation.robot
    towards = np.array([goal_x - x, goal_y - y])
    towards = towards / max(np.linalg.norm(towards), 1e-8)
    robot = SimpleNamespace(
        pos_global_frame=np.array([x, y]),
        vel_global_frame=speed * np.array([math.cos(heading), math.sin(heading)]),
        heading_global_frame=heading,
        pref_speed=preferred,
        goal_global_frame=np.array([goal_x, goal_y]),
        radius=radius,
        turning_dir=0.0,
        ref_orth=np.array([-towards[1], towards[0]]),
    )
    return [robot] + [
        SimpleNamespace(
            pos_global_frame=np.array([x, y]),
            vel_global_frame=np.array([vx, vy]),
            past_global_velocities=np.array([[vx, vy], [before_x, before_y]]),
            heading_global_frame=math.atan2(vy, vx),
            pref_speed=math.hypot(vx, vy),
            goal_global_frame=np.array([x + 0.5 * vx, y + 0.5 * vy]),
            radius=radius,
            turning_dir=0.0,
        )
        for x, y, vx, vy, before_x, before_y, radius in situation.people
    ]


def network_input(rng: np.random.Generator) -> Row:
    """The 31 numbers of a plausible state, some of whose people are copies or stand."""
    speed, heading = rng.uniform(0, 1.5), rng.uniform(-math.pi, math.pi)
    robot = [rng.uniform(0, 30), rng.uniform(0.3, 1.5), speed, heading]
    robot += [speed * math.cos(heading), speed * math.sin(heading), rng.uniform(0.2, 0.8)]
    people: Row = []
    for _ in range(3):
        radius = rng.uniform(0.2, 0.8)
        people += [*rng.uniform(-1.5, 1.5, 2), *rng.uniform(-8, 8, 2), radius]
        people += [radius + robot[-1], rng.uniform(-0.5, 10), float(rng.integers(0, 3))]
    return _short(robot + people)


def situation(rng: np.random.Generator) -> Situation:
    """A robot near its goal or far, among people who walk with, against or across it, or stand."""
    x, y = rng.uniform(-20, 20, 2)
    heading = rng.uniform(-math.pi, math.pi)
    way = rng.uniform(0, rng.choice([15.0, 1.5, 0.1], p=[0.8, 0.1, 0.1]))
    bearing = heading + rng.choice([rng.normal(0, 0.4), rng.uniform(-math.pi, math.pi)])
    preferred = rng.choice([1.2, rng.uniform(0.3, 2.0)])
    speed = rng.choice([0.0, preferred, rng.uniform(0, preferred)])
    radius = rng.choice([0.2, 0.24, rng.uniform(0.15, 0.6)])
    goal = (x + way * math.cos(bearing), y + way * math.sin(bearing))
    reach, count = rng.choice([1.5, 3.0, 6.0]), rng.choice([1, 2, 3, 4, 8])
    people = [_person(rng, x, y, bearing, reach) for _ in range(count)]
    return Situation(_short([x, y, heading, speed, preferred, *goal, radius]), people)


def _person(rng: np.random.Generator, x: float, y: float, bearing: float, reach: float) -> Row:
    where, away = bearing + rng.normal(0, 1.5), rng.uniform(0.6, reach)
    if rng.random() < 0.05:  # on top of the robot
        away = rng.uniform(0, 0.5)
    walks = rng.choice([bearing, bearing + math.pi, rng.uniform(-math.pi, math.pi)])
    speed = rng.choice([0.0, rng.uniform(0.3, 1.8)], p=[0.15, 0.85])
    walks += rng.normal(0, 0.2)
    velocity = np.array([speed * math.cos(walks), speed * math.sin(walks)])
    before = velocity if rng.random() < 0.3 else velocity + rng.normal(0, 0.2, 2)
    place = (x + away * math.cos(where), y + away * math.sin(where))
    return _short([*place, *velocity, *before, rng.choice([0.2, 0.3, 0.5])])


def _short(row: Row) -> Row:
    return [round(float(number), 3) for number in row]


def main(wheel: Path, file: Path) -> None:
    """Ask the original and write its answers."""
    rng = np.random.default_rng(6)
    inputs = [network_input(rng) for _ in range(200)]
    situations = [situation(rng) for _ in range(400)]
    with original(wheel) as policies:
        networks = {
            weights.value: policy.value_net.nn.make_prediction_raw(np.array(inputs))[:, 0].tolist()
            for weights, policy in policies.items()
        }
        choices = [
            {
                "robot": each.robot,
                "people": each.people,
                **{weights.value: answers(policy, each) for weights, policy in policies.items()},
            }
            for each in situations
        ]
    recorded = {"inputs": inputs, "values": networks, "situations": choices}
    file.write_text(json.dumps(recorded, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
