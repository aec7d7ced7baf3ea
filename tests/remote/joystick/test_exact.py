"""Exact states: a planner at the other end of the socket drives as it does in process."""

from collections.abc import Callable
from pathlib import Path

import pytest

from joystick_client import ROBOT, JoystickClient, Remote, Shy, crossing, home, serving
from paseo.errors import InputError
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.sim.simulate import simulate
from paseo.suite.runs.planning import RunOptions
from paseo.world.motion import Control
from paseo.world.planning import Planner
from paseo.world.recordfile import load_record, record_bytes
from paseo.world.records import Record
from runs import suite


def outside(folder: Path, planner: Planner, control: Control) -> Record:
    options = RunOptions(control=control, hang_limit_s=20.0)
    with (
        serving(crossing(folder), folder, options=options, states="exact") as server,
        JoystickClient(folder) as client,
    ):
        client.greet()
        remote = Remote(planner, control)
        remote.begin(client.begin())
        client.drive(remote.command)
        result = server.done().results[0]
    return load_record(folder / "run" / "records" / result.record)


# Of the shipped planners these need neither velocities nor walls, of which the wire tells nothing
# or less. Where positions are sent, nobody can send the twist that `stop` answers.
ALIKE = [
    (Straight, Control.VELOCITY),
    (Straight, Control.POSITION),
    (Stop, Control.VELOCITY),
    (Shy, Control.VELOCITY),
    (Shy, Control.POSITION),
]


@pytest.mark.parametrize(("kind", "control"), ALIKE)
def test_the_same_planner_in_process_and_over_the_socket_gives_the_same_bytes(
    kind: Callable[[], Planner], control: Control, tmp_path: Path
) -> None:
    over_socket = outside(tmp_path, kind(), control)
    assert over_socket.scenario.robot == ROBOT
    here = simulate(over_socket.scenario, kind(), provenance=over_socket.provenance)
    assert record_bytes(here) == record_bytes(over_socket)
    assert over_socket.provenance.transport == "joystick-exact"


def test_a_run_is_resumed_with_the_states_it_was_begun_with(tmp_path: Path) -> None:
    with (
        serving(suite(tmp_path), tmp_path, states="exact", wait_s=2) as server,
        JoystickClient(tmp_path) as client,
    ):
        client.greet()
        client.drive(home(client.begin()))
        client.close()
        with pytest.raises(Exception, match="no client has come"):
            server.done()
    with (
        serving(None, tmp_path, states="original", resume=True) as server,
        pytest.raises(InputError, match="driven over 'joystick-exact', not over 'joystick'"),
    ):
        server.done()
    with serving(None, tmp_path, resume=True) as server, JoystickClient(tmp_path) as client:
        for _ in client.greet():
            client.drive(home(client.begin()))
        folder = server.done().folder
    made = [load_record(path).provenance for path in (folder / "records").glob("*.npz")]
    assert {each.transport for each in made} == {"joystick-exact"}
