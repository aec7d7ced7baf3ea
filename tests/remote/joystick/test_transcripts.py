"""The traffic of the original, with its clients' side said to our server, word for word."""

import gzip
import json
import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import to_builtins

from drives import OUTPUTS
from joystick_client import JoystickClient, serving
from originals import ROOMS
from paseo.data.suites.suite_file import shipped_episodes
from paseo.suite.runs.planning import RunOptions
from paseo.world.records import Outcome

pytestmark = pytest.mark.recordings

# What the episodes of the traffic were made from, and what was changed.
ETH, ZARA, HOTEL = "t_eth_dense_against", "t_zara1_dense", "t_hotel_against"
EPISODES: dict[str, tuple[str, dict[str, Any]]] = {
    "t_short_a": (ETH, {"time_limit_s": 2.0}),
    "t_short_b": (ZARA, {"time_limit_s": 1.0}),
    "t_short_ok": (
        HOTEL,
        {"time_limit_s": 10.0, "goal": {"x_m": 3.5, "y_m": 5.0, "heading_rad": 0.2}},
    ),
    "t_short_ok2": (
        ETH,
        {
            "time_limit_s": 10.0,
            "start": {"x_m": 6.5, "y_m": 8.0, "heading_rad": 1.5},
            "goal": {"x_m": 6.5, "y_m": 10.5},
        },
    ),
}
ROUNDING = 1e-4  # metres; up to 5.1e-5 were seen, as where frames between annotations are rounded
GOAL_RADIUS = 0.325  # what the original's 0.3 m come to, by its grid


def suite(folder: Path, names: list[str]) -> Path:
    """The episodes in the rooms that the original was run in."""
    for name, room in ROOMS.items():
        loops = room.walls[:, 0].reshape(-1, 4, 2).tolist()
        content = {"format": "paseo-floorplan", "version": 1, "name": name}
        plan = {**content, "outline": loops[0], "obstacles": loops[1:]}
        (folder / f"{name}.json").write_text(json.dumps(plan))
    entries = []
    for name in names:
        model, changes = EPISODES.get(name, (name, {}))
        entry = to_builtins(shipped_episodes()[model])
        entries.append({**entry, "map": f"{entry['map']}.json", "name": name, **changes})
    content = {
        "format": "paseo-suite",
        "version": 1,
        "name": "traffic",
        "rule": "socnavbench",
        "robot": "socnavbench",
        "settings": {"goal_radius_m": GOAL_RADIUS},
        "episodes": entries,
    }
    path = folder / "traffic.json"
    path.write_text(json.dumps(content))
    return path


def traffic(data: Path, name: str) -> list[tuple[bool, str]]:
    """Whether the server says it, and what is said, in order."""
    with gzip.open(data / "joystick" / f"{name}.jsonl.gz", "rt") as file:
        lines = [json.loads(line) for line in file]
    return [(each["direction"] == "server to client", each["text"]) for each in lines]


def replayed(data: Path, name: str, folder: Path) -> tuple[list[tuple[Any, Any]], list[Outcome]]:
    """Every message of the original server beside ours, and how the episodes ended."""
    said = traffic(data, name)
    names = json.loads(said[0][1])["episodes"]
    pairs: list[tuple[Any, Any]] = []
    options = RunOptions(data=data, hang_limit_s=20.0)
    with (
        serving(suite(folder, names), folder, options=options) as server,
        JoystickClient(folder) as client,
    ):
        client.call()
        client.listen()
        client.listener.accept()[0].close()
        for by_server, text in said[:-1]:  # the last is empty, and nobody may be there for it
            if by_server:
                pairs.append((json.loads(text), json.loads(client.hear_text())))
            else:
                client.say(text)
        outcomes = [each.outcome for each in server.done().results]
    return pairs, outcomes


TRAFFIC = {
    "random_two_short_episodes": [Outcome.OUT_OF_TIME] * 2,
    "sampling_two_short_success": [Outcome.REACHED_GOAL] * 2,
}


@pytest.fixture(params=TRAFFIC, scope="module")
def pairs(
    request: pytest.FixtureRequest, data_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[tuple[Any, Any]]:
    folder = tmp_path_factory.mktemp("traffic")
    found, outcomes = replayed(data_dir, request.param, folder)
    assert outcomes == TRAFFIC[request.param]
    return found


def messages(pairs: list[tuple[Any, Any]], key: str) -> Iterator[tuple[Any, Any]]:
    """The pairs of messages that have a key."""
    return ((theirs, ours) for theirs, ours in pairs if key in theirs)


def shape(value: Any) -> Any:
    """The keys in their order and the types, without the numbers and the size of the map."""
    if isinstance(value, dict):
        return [(key, shape(each)) for key, each in value.items()]
    if isinstance(value, list):
        return sorted({str(shape(each)) for each in value})
    return type(value).__name__


def test_every_message_has_the_keys_and_types_of_the_original_in_its_order(
    pairs: list[tuple[Any, Any]],
) -> None:
    assert len(pairs) > 10
    for theirs, ours in pairs:
        assert shape(ours) == shape(theirs)


def test_names_times_and_endings_are_the_original_ones(pairs: list[tuple[Any, Any]]) -> None:
    for theirs, ours in pairs:
        for key in theirs.keys() - {"environment", "pedestrians"}:
            assert ours[key] == theirs[key]  # the robot's pose and its last touch as well


def test_people_are_where_the_original_shows_them(pairs: list[tuple[Any, Any]]) -> None:
    """Their headings apart, of which 1.2 says how they come about: see the next test."""
    for theirs, ours in messages(pairs, "pedestrians"):
        for name, person in theirs["pedestrians"].items():
            here = ours["pedestrians"][name]
            for key in person:
                if key.endswith("_config"):
                    assert here[key][:2] == pytest.approx(person[key][:2], abs=ROUNDING)
                else:
                    assert here[key] == person[key]


def test_people_face_where_they_walk(pairs: list[tuple[Any, Any]]) -> None:
    turns = np.array(
        [
            math.remainder(here[2] - there[2], math.tau)
            for theirs, ours in messages(pairs, "pedestrians")
            for name in theirs["pedestrians"]
            for there in [theirs["pedestrians"][name]["current_config"]]
            for here in [ours["pedestrians"][name]["current_config"]]
        ]
    )
    assert (abs(turns) < 0.01).mean() > 0.9
    assert abs(turns).max() < 0.5


def test_the_map_is_the_original_one_without_its_empty_rim(pairs: list[tuple[Any, Any]]) -> None:
    for theirs, ours in messages(pairs, "environment"):
        there, here = theirs["environment"], ours["environment"]
        assert (here["map_scale"], here["map_name"]) == (there["map_scale"], there["map_name"])
        cells, wanted = np.array(here["map_traversible"]), np.array(there["map_traversible"])
        rim = [(0, more - less) for more, less in zip(wanted.shape, cells.shape, strict=True)]
        assert np.array_equal(np.pad(cells, rim), wanted)
        rows, columns = cells.shape
        assert here["room_center"] == [columns * 0.05 / 2, rows * 0.05 / 2, 0.0]


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_whole_episode_goes_as_in_the_original(name: str, data_dir: Path, tmp_path: Path) -> None:
    """Told to go where the original's robot went; the original notices its success a step late."""
    with gzip.open(data_dir / "joystick" / f"{name}.json.gz", "rt") as file:
        states = json.load(file)["states"]
    ours = driven(data_dir, tmp_path, "t_" + name.partition("_t_")[2], states)
    assert ours.pop() == {
        "robot_on": False,
        "termination_cause": "Success",
        "sim_t": states[-2]["sim_t"],
    }
    for theirs, state in zip(states, ours, strict=False):
        robot = state["robots"]["robot_agent"]
        assert robot["current_config"] == pytest.approx(theirs["robot"], abs=2e-6)
        assert (state["sim_t"], robot["last_collision_t"]) == (
            theirs["sim_t"],
            theirs["robot_last_collision_t"],
        )
        both = [person for person in theirs["peds"] if person in state["pedestrians"]]
        assert [person for person in state["pedestrians"] if person in theirs["peds"]] == both
        for person in both:
            (x, y, _), *touch = theirs["peds"][person]
            here = state["pedestrians"][person]
            assert here["current_config"][:2] == pytest.approx([x, y], abs=ROUNDING)
            assert [here["collision_cooldown"], here["last_collision_t"]] == touch
    assert strangers(states, ours) <= 60


def strangers(states: list[Any], ours: list[Any]) -> int:
    """How often somebody is only in one of two states, and for one step.

    The original adds up its clock in floats: who appears or vanishes just at a step may be early
    or late by it.
    """
    apart = [
        set(theirs["peds"]) ^ set(state["pedestrians"])
        for theirs, state in zip(states, ours, strict=False)
    ]
    assert not any(before & after for before, after in pairwise(apart))
    return sum(map(len, apart))


def driven(data: Path, folder: Path, name: str, states: list[Any]) -> list[Any]:
    """What our server tells a client that goes from state to state, up to the end."""
    told: list[Any] = []
    options = RunOptions(data=data, hang_limit_s=20.0)
    with (
        serving(suite(folder, [name]), folder, options=options) as server,
        JoystickClient(folder) as client,
    ):
        client.greet()
        client.begin()
        for state in states:
            client.act([*state["robot"], 0.0])
            told.append(client.sense())
            if not told[-1]["robot_on"]:
                break
        server.done()
    return told
