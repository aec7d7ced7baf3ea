"""A Joystick client written from the page of the protocol alone, planners for it, a server."""

import json
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np

from paseo.remote.joystick.serving import serve
from paseo.suite.running import Run
from paseo.world.motion import Command, Control, Pose, Robot, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation, Planner
from runs import suite
from worlds import plan

PATIENCE = 30.0  # seconds after which a test that waits has failed


class JoystickClient:
    """Speaks by a fresh connection for each message, and hears by accepting one for each."""

    def __init__(self, folder: Path) -> None:
        self.receive, self.send = str(folder / "recv"), str(folder / "send")
        self.listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.listener.settimeout(PATIENCE)
        self.first = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.first.close()
        self.listener.close()

    def call(self) -> None:
        """The first connection, on which nothing is said."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self.first.connect(self.receive)
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.005)

    def listen(self) -> None:
        Path(self.send).unlink(missing_ok=True)
        self.listener.bind(self.send)
        self.listener.listen(1)

    def episodes(self) -> list[str]:
        """The rest of the handshake: a connection to drop, and one with the names."""
        self.listener.accept()[0].close()
        names: list[str] = self.hear()["episodes"]
        return names

    def greet(self) -> list[str]:
        self.call()
        self.listen()
        return self.episodes()

    def say(self, text: str | bytes) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as speaker:
            speaker.connect(self.receive)  # waits where the server has too many waiting
            speaker.sendall(text.encode() if isinstance(text, str) else text)

    def hear_text(self) -> str:
        connection, _ = self.listener.accept()
        with connection:
            return b"".join(iter(lambda: connection.recv(1024), b"")).decode()

    def hear(self) -> Any:
        return json.loads(self.hear_text())

    def sense(self) -> Any:
        self.say("sense")
        return self.hear()

    def act(self, *commands: list[float]) -> None:
        self.say(json.dumps({"j_input": list(commands)}, indent=1))

    def begin(self, name: str | None = "Page") -> Any:
        """From the metadata, which is returned, to `ready`."""
        metadata = self.hear()
        if name is not None:
            self.say(f"algo: {name}")
        self.say("ready")
        return metadata

    def drive(self, policy: Callable[[Any], list[float]]) -> Any:
        """Sense and act until the robot is off; the last message."""
        while (state := self.sense())["robot_on"]:
            self.act(policy(state))
        return state


def towards(goal: list[float], *, step: float = 0.055) -> Callable[[Any], list[float]]:
    """Straight on to the goal, in steps of so many metres."""

    def policy(state: Any) -> list[float]:
        x, y, _ = state["robots"]["robot_agent"]["current_config"]
        away = ((goal[0] - x) ** 2 + (goal[1] - y) ** 2) ** 0.5
        share = min(1.0, step / away)
        return [x + share * (goal[0] - x), y + share * (goal[1] - y), 0.0, step / 0.05]

    return policy


def home(metadata: Any) -> Callable[[Any], list[float]]:
    """Straight on to the goal that the metadata tell."""
    return towards(metadata["robots"]["robot_agent"]["goal_config"])


class Serving:
    """A server in a thread, what it says, and what comes of it."""

    def __init__(self) -> None:
        self.run: Future[Run] = Future()
        self.news: list[str] = []

    def hear(self, what: str, done: int, total: int) -> None:
        if not total:
            self.news.append(what)

    def await_news(self, words: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not any(words in each for each in tuple(self.news)):
            if time.monotonic() > deadline:
                raise TimeoutError(words)
            time.sleep(0.005)

    def await_last(self, words: str) -> None:
        """Wait until this is the newest of the news."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.news[-1]:
            if time.monotonic() > deadline:
                raise TimeoutError(words)
            time.sleep(0.005)

    def done(self) -> Run:
        return self.run.result(PATIENCE)


@contextmanager
def serving(target: str | Path | None, folder: Path, **options: Any) -> Iterator[Serving]:
    """Serve with the sockets and the run in a folder, while the test speaks to the server."""
    started = Serving()
    paths = {"receive": folder / "recv", "send": folder / "send", "out": folder / "run"}

    def work() -> None:
        try:
            run = serve(target, progress=started.hear, **{"wait_s": PATIENCE, **paths, **options})
        except BaseException as error:
            started.run.set_exception(error)
        else:
            started.run.set_result(run)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield started
    finally:
        thread.join(PATIENCE)
        assert not thread.is_alive()


ROBOT = Robot()


class Shy:
    """Heads for the goal and away from people, by all that the wire tells of them."""

    def begin(self, briefing: Briefing) -> None:
        self._goal, self._dt, self._mode = briefing.goal, briefing.dt, briefing.control

    def plan(self, observation: Observation) -> Command:
        pose, crowd, dt = observation.robot.pose, observation.crowd, self._dt
        there = np.array([self._goal.x - pose.x, self._goal.y - pose.y])
        away = np.array([pose.x, pose.y]) - crowd.positions  # (people, 2)
        gaps = np.linalg.norm(away, axis=1) - crowd.radii - observation.robot.radius
        push = (away * np.exp(-gaps)[:, None]).sum(axis=0)
        dx, dy = (there / np.linalg.norm(there) + push + 0.01 * observation.time).tolist()
        bearing = math.atan2(dy, dx)
        if self._mode is Control.POSITION:
            step = 1.1 * dt
            return Pose(pose.x + step * math.cos(bearing), pose.y + step * math.sin(bearing))
        return Twist(0.9, math.remainder(bearing - pose.heading, math.tau))


class Remote:
    """A planner of Paseo as a client: told what the wire tells, and of the robot its limits."""

    def __init__(self, planner: Planner, control: Control) -> None:
        self._planner, self._control = planner, control

    def begin(self, metadata: Any) -> None:
        robot = metadata["robots"]["robot_agent"]
        self._planner.begin(
            Briefing(
                start=Pose(*robot["start_config"]),
                goal=Pose(*robot["goal_config"]),
                goal_radius=math.nan,
                floorplan=plan("nothing is told of walls", (0, 0, 9, 9)),
                time_limit=metadata["episode_max_time"],
                dt=metadata["delta_t"],
                robot=ROBOT,
                control=self._control,
                seed=0,
            )
        )

    def command(self, state: Any) -> list[float]:
        command = self._planner.plan(observed(state))
        if isinstance(command, Twist):
            return [command.forward, command.turn]
        return [command.x, command.y, command.heading, 0.0]


def observed(state: Any) -> Observation:
    """What a state tells; of velocities it tells nothing."""
    people, robot = state["pedestrians"], state["robots"]["robot_agent"]
    names = sorted(people)
    configs = np.array([people[name]["current_config"] for name in names]).reshape(-1, 3)
    return Observation(
        state["sim_t"],
        RobotState(Pose(*robot["current_config"]), Twist(math.nan, math.nan), robot["radius"]),
        Crowd(
            np.array([int(name[-4:]) for name in names], np.int64),
            configs[:, :2],
            np.full((len(names), 2), math.nan),
            np.array([people[name]["radius"] for name in names]),
        ),
    )


def crossing(folder: Path) -> Path:
    """Two people cross the way to the goal; one more comes later."""
    entry = {
        "name": "crossing",
        "map": "room.txt",
        "start": {"x_m": 2.0, "y_m": 5.0},
        "goal": {"x_m": 7.0, "y_m": 5.3},
        "time_limit_s": 8.0,
        "people": [
            {"id": 4, "path": [[0.0, 4.0, 1.0], [6.1, 4.3, 9.0]]},
            {"id": 7, "path": [[0.0, 6.0, 8.0], [7.3, 5.0, 1.0]]},
            {"id": 9, "path": [[2.03, 8.0, 2.0], [7.9, 1.0, 7.0]]},
        ],
    }
    return suite(folder, episodes=[entry])
