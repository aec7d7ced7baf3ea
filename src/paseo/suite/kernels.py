"""Compile the simulator before it is needed, and say so the first time."""

from collections.abc import Callable

import numpy as np

from paseo.crowd import replay
from paseo.planners.stop import Stop
from paseo.sim import episode, sensing
from paseo.sim.simulate import simulate
from paseo.world import contacts, geometry
from paseo.world.compiled import is_cached
from paseo.world.floorplan import floor_plan
from paseo.world.motion import Pose
from paseo.world.scenarios import Scenario, Sensor
from paseo.world.tracks import Track

ENTRY_POINTS = (
    replay.sample,
    contacts.tally,
    episode.hits_wall,
    sensing.visible,
    geometry.distance_field,
    geometry.connected,
)


def are_compiled() -> bool:
    """Whether the compiled simulator is in the cache of this machine."""
    return all(is_cached(kernel) for kernel in ENTRY_POINTS)


def compile_kernels(announce: Callable[[str], None]) -> None:
    """Make sure that workers find everything compiled; takes some seconds once per machine."""
    if are_compiled():
        return
    announce("compiling the simulator, once on this machine (about ten seconds)")
    corners = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0], [0.0, 0.0]])
    room = floor_plan("compile", np.stack([corners[:-1], corners[1:]], axis=1))
    room.reachable_from(1.0, 1.0, 0.2)  # an episode needs it only where walls are in the way
    someone = Track(1, np.array([0.0, 1.0]), np.array([[1.5, 1.5], [1.6, 1.6]]))
    simulate(
        Scenario(
            name="compile",
            floorplan=room,
            start=Pose(0.5, 0.5),
            goal=Pose(1.5, 0.5),
            tracks=(someone,),
            time_limit=0.1,
            sensor=Sensor(occlusion=True),
        ),
        Stop(),
    )
