"""The same planner here and over the socket: the same record, byte for byte."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.errors import InputError
from paseo.planners.names import PLANNERS
from paseo.remote.websocket.driving import drive
from paseo.remote.websocket.encoding import Encoding
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome, Record
from runs import course, failing, suite
from thinning import mostly_slow
from websocket_server import Stranger, served, stored

ALL = sorted(set(PLANNERS.shipped) - {"human"})
OPTIONS = RunOptions(hang_limit_s=60.0, runner="serial", limit=1)
HARD = {"sensor": {"range_m": 6.0, "position_noise_m": 0.05, "swap_rate": 0.1, "occlusion": True}}


def both(folder: Path, target: Path, planner: str, encoding: Encoding) -> tuple[Record, Record]:
    """The record of an episode in process, and over the socket."""
    run(target, planner, out=folder / "here", options=OPTIONS)
    with served(target, folder / "there", options=OPTIONS) as server:
        drive(planner, server.address, encoding=encoding)
        server.done()
    return stored(folder / "here")[0], stored(folder / "there")[0]


def check_same(here: Record, there: Record) -> None:
    assert there.provenance.transport == "websocket"
    alike = replace(there, provenance=replace(there.provenance, transport=""))
    assert record_bytes(alike) == record_bytes(here)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    """The record of each planner in process, in a world that is hard to see."""
    folder = tmp_path_factory.mktemp("here")
    run(suite(folder, settings=HARD), ALL, out=folder / "run", options=OPTIONS)
    return {each.provenance.planner: each for each in stored(folder / "run")}


@pytest.fixture(scope="module", params=mostly_slow(Encoding))
def there(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Record]:
    """The record of each planner over the socket."""
    folder = tmp_path_factory.mktemp("there")
    with served(suite(folder, settings=HARD), folder / "run", options=OPTIONS) as server:
        with Stranger(server.address) as last:
            last.greet()  # who has not driven yet keeps the run open
            for planner in ALL:
                drive(planner, server.address, encoding=request.param)
            last.begin()
            last.drive()
        server.done()
    return {each.provenance.planner: each for each in stored(folder / "run")}


@pytest.mark.parametrize("planner", ALL)
def test_every_planner_drives_alike_in_process_and_over_the_socket(
    here: dict[str, Record], there: dict[str, Record], planner: str
) -> None:
    assert len(here[planner].commands) > 30
    check_same(here[planner], there[planner])


def test_parameters_are_in_the_record_as_well(tmp_path: Path) -> None:
    here, there = both(tmp_path, course(tmp_path, "one"), "straight:speed=0.7", Encoding.JSON)
    assert there.provenance.parameters["speed"] == 0.7
    check_same(here, there)


@pytest.mark.parametrize("name", ["Crash", "Nonsense", "Overflows", "Quits"])
def test_a_planner_that_fails_fails_in_the_same_words(tmp_path: Path, name: str) -> None:
    here, there = both(tmp_path, suite(tmp_path), failing(tmp_path, name), Encoding.MSGPACK)
    assert there.outcome is Outcome.PLANNER_FAILED
    check_same(here, there)


def test_another_command_would_be_noticed(tmp_path: Path) -> None:
    here, there = both(tmp_path, course(tmp_path, "one"), "straight", Encoding.JSON)
    commands = there.commands.copy()
    commands[3, 0] = np.nextafter(commands[3, 0], 9.0)  # by the last bit
    with pytest.raises(AssertionError):
        check_same(here, replace(there, commands=commands))


def test_who_follows_a_recorded_person_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'human' follows a recorded walk"):
        drive("human", "localhost:1")
