"""What a robot's camera shows reaches clients of both protocols, bit by bit."""

import base64
import math
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from joystick_client import JoystickClient, home, serving
from paseo.errors import BadValue
from paseo.remote import client
from paseo.remote.websocket.driving import drive
from paseo.remote.websocket.encoding import Encoding
from paseo.remote.websocket.telling import check_sights
from paseo.sim.episode import EpisodeRun
from paseo.suite.running import run
from paseo.suite.runs.jobs import jobs_of, world_of
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.world.cameras import Sight, level_camera
from paseo.world.recordfile import record_bytes
from runs import course
from websocket_server import Stranger, served, stored

pytestmark = pytest.mark.extra("camera")

CAMERA = level_camera(40, 30, across=math.radians(87))
SEEING = RunOptions(sensing=("full",), camera=CAMERA, runner="serial", hang_limit_s=60.0)
WARY = f"{Path(__file__).parents[2] / 'examples' / 'wary.py'}:Wary"


def first_image(target: Path) -> tuple[bytes, bytes]:
    """Colours and depth of the first picture in process."""
    (job,) = jobs_of(plan_run(target, "straight", SEEING))
    image = EpisodeRun(world_of(job)).observation.image
    assert image is not None
    return image.rgb.tobytes(), image.depth.tobytes()


@pytest.mark.parametrize(
    "encoding", [Encoding.MSGPACK, pytest.param(Encoding.JSON, marks=pytest.mark.slow)]
)
def test_a_planner_that_looks_drives_over_the_socket_as_here(
    tmp_path: Path, encoding: Encoding
) -> None:
    target = course(tmp_path, "one", time_limit_s=1.0)
    run(target, WARY, out=tmp_path / "here", options=SEEING)
    with served(target, tmp_path / "there", options=SEEING) as server:
        drive(WARY, server.address, encoding=encoding)
        server.done()
    here, there = stored(tmp_path / "here")[0], stored(tmp_path / "there")[0]
    alike = replace(there, provenance=replace(there.provenance, transport=""))
    assert record_bytes(alike) == record_bytes(here)
    assert here.scenario.sight is not None and np.ptp(here.robot[:, 0]) > 0


def test_the_client_that_people_copy_has_the_last_picture_as_plain_values(tmp_path: Path) -> None:
    target = course(tmp_path, "one", time_limit_s=0.5)
    rgb, depth = first_image(target)
    with served(target, tmp_path / "run", options=SEEING) as server:
        with client.connect(server.address) as session:
            for episode in session:
                times = []
                for observation in episode:
                    picture = episode.picture
                    assert picture is not None and "image" not in observation
                    assert observation["people"]["ids"] == []
                    if observation["step"] == 0:
                        assert picture.rgb == rgb and picture.depth_m.tobytes() == depth
                        assert (picture.width_px, picture.height_px) == (40, 30)
                        assert episode.briefing["camera"]["fx_px"] == CAMERA.fx
                    times.append(picture.time_s)
                    episode.act(forward_mps=0.2, turn_radps=0.0)
        server.done()
    assert times == pytest.approx([0, 0, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3, 0.4, 0.4])


def test_a_picture_is_told_once_and_not_again_in_history(tmp_path: Path) -> None:
    with served(course(tmp_path, "one", time_limit_s=0.2), tmp_path / "run", options=SEEING) as it:
        with Stranger(it.address) as stranger:
            stranger.greet()
            stranger.begin()
            shown = []
            for _ in range(4):
                shown.append("image" in stranger.hear("observation"))
                stranger.say("history", first_step=0, last_step=3)
                history = stranger.hear("history")
                stranger.say("twist", forward_mps=0.0, turn_radps=0.0)
            stranger.hear("ended")
        it.done()
    assert shown == [True, False, True, False]
    assert len(history["observations"]) == 4
    assert not any("image" in each for each in history["observations"])


def test_a_camera_too_large_for_messages_is_refused() -> None:
    large = Sight(camera=level_camera(1920, 1080, across=1.0))
    check_sights([None, Sight(camera=CAMERA)])
    with pytest.raises(BadValue, match="1920x1080 pixels is too large for clients"):
        check_sights([large])


def test_joystick_clients_are_told_as_in_the_full_render_and_get_the_picture_too(
    tmp_path: Path,
) -> None:
    target = course(tmp_path, "one", time_limit_s=4.0)
    rgb, depth = first_image(target)
    with serving(target, tmp_path, options=SEEING) as server, JoystickClient(tmp_path) as joystick:
        joystick.greet()
        metadata = joystick.begin()
        place = metadata["environment"]
        free = np.array(place["human_traversible"])
        assert free.shape == np.array(place["map_traversible"]).shape and (free == 1.0).all()
        state = joystick.sense()
        assert state["pedestrians"] == metadata["pedestrians"] == {}
        image = state["image"]
        assert zlib.decompress(base64.b64decode(image["rgb"])) == rgb
        assert zlib.decompress(base64.b64decode(image["depth"])) == depth
        joystick.act(home(metadata)(state))
        joystick.drive(home(metadata))
        server.done()
