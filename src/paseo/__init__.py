"""Paseo: a test bench for robots and models that move among people."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paseo.data.maps.floorplans import read_floorplan
    from paseo.data.recordings.recordings import read_recording
    from paseo.data.suites.episodes import episode
    from paseo.errors import PaseoError
    from paseo.metrics.record.measure import measure
    from paseo.metrics.record.metric import metric
    from paseo.sim.simulate import simulate
    from paseo.world.motion import Control, Pose, Robot, Twist
    from paseo.world.planning import Briefing, Observation, Planner
    from paseo.world.recordfile import load_record, save_record
    from paseo.world.records import Outcome, Record, Verdict
    from paseo.world.scenarios import Pause, Scenario, Sensor
    from paseo.world.space.floorplan import FloorPlan
    from paseo.world.tracks import Track

# Where each public name lives. They are imported when first used: `import paseo` stays fast.
_HOMES = {
    "Briefing": "paseo.world.planning",
    "Control": "paseo.world.motion",
    "FloorPlan": "paseo.world.space.floorplan",
    "Observation": "paseo.world.planning",
    "Outcome": "paseo.world.records",
    "PaseoError": "paseo.errors",
    "Pause": "paseo.world.scenarios",
    "Planner": "paseo.world.planning",
    "Pose": "paseo.world.motion",
    "Record": "paseo.world.records",
    "Robot": "paseo.world.motion",
    "Scenario": "paseo.world.scenarios",
    "Sensor": "paseo.world.scenarios",
    "Track": "paseo.world.tracks",
    "Twist": "paseo.world.motion",
    "Verdict": "paseo.world.records",
    "episode": "paseo.data.suites.episodes",
    "load_record": "paseo.world.recordfile",
    "measure": "paseo.metrics.record.measure",
    "metric": "paseo.metrics.record.metric",
    "read_floorplan": "paseo.data.maps.floorplans",
    "read_recording": "paseo.data.recordings.recordings",
    "save_record": "paseo.world.recordfile",
    "simulate": "paseo.sim.simulate",
}

__all__ = [
    "Briefing",
    "Control",
    "FloorPlan",
    "Observation",
    "Outcome",
    "PaseoError",
    "Pause",
    "Planner",
    "Pose",
    "Record",
    "Robot",
    "Scenario",
    "Sensor",
    "Track",
    "Twist",
    "Verdict",
    "episode",
    "load_record",
    "measure",
    "metric",
    "read_floorplan",
    "read_recording",
    "save_record",
    "simulate",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'paseo' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
