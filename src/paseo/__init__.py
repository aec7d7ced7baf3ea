"""Paseo: a test bench for robots and models that move among people."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paseo.crowd_check.examination import check_recording
    from paseo.crowd_check.importing import import_recording
    from paseo.data.maps.floorplans import read_floorplan
    from paseo.data.recordings.recordings import read_recording
    from paseo.data.suites.episodes import episode
    from paseo.errors import PaseoError
    from paseo.metrics.record.measure import measure
    from paseo.metrics.record.metric import metric
    from paseo.report.pictures.drawing import DrawOptions, draw
    from paseo.report.walk.plots import plot
    from paseo.report.walk.webpage import write_report
    from paseo.sim.episode import EpisodeRun
    from paseo.sim.simulate import simulate
    from paseo.suite.measuring import compare_runs as compare
    from paseo.suite.rerunning import rerun
    from paseo.suite.running import run
    from paseo.suite.runs.planning import RunOptions
    from paseo.suite.sampling.sampling import sample_episodes
    from paseo.vlm.models import VisionModel
    from paseo.vqa.exam.asking import AskOptions, ask
    from paseo.vqa.scoring import score
    from paseo.world.motion import Control, Pose, Robot, Twist
    from paseo.world.planning import Briefing, Observation, Planner
    from paseo.world.recordfile import load_record, save_record
    from paseo.world.records import Outcome, Record, Verdict
    from paseo.world.scenarios import Pause, Scenario, Sensor
    from paseo.world.space.floorplan import FloorPlan
    from paseo.world.tracks import Track

# Where each public name lives. They are imported when first used: `import paseo` stays fast.
_HOMES = {
    "AskOptions": "paseo.vqa.exam.asking",
    "Briefing": "paseo.world.planning",
    "Control": "paseo.world.motion",
    "DrawOptions": "paseo.report.pictures.drawing",
    "EpisodeRun": "paseo.sim.episode",
    "FloorPlan": "paseo.world.space.floorplan",
    "Observation": "paseo.world.planning",
    "Outcome": "paseo.world.records",
    "PaseoError": "paseo.errors",
    "Pause": "paseo.world.scenarios",
    "Planner": "paseo.world.planning",
    "Pose": "paseo.world.motion",
    "Record": "paseo.world.records",
    "Robot": "paseo.world.motion",
    "RunOptions": "paseo.suite.runs.planning",
    "Scenario": "paseo.world.scenarios",
    "Sensor": "paseo.world.scenarios",
    "Track": "paseo.world.tracks",
    "Twist": "paseo.world.motion",
    "Verdict": "paseo.world.records",
    "VisionModel": "paseo.vlm.models",
    "ask": "paseo.vqa.exam.asking",
    "check_recording": "paseo.crowd_check.examination",
    "compare": "paseo.suite.measuring",
    "draw": "paseo.report.pictures.drawing",
    "episode": "paseo.data.suites.episodes",
    "import_recording": "paseo.crowd_check.importing",
    "load_record": "paseo.world.recordfile",
    "measure": "paseo.metrics.record.measure",
    "metric": "paseo.metrics.record.metric",
    "plot": "paseo.report.walk.plots",
    "read_floorplan": "paseo.data.maps.floorplans",
    "read_recording": "paseo.data.recordings.recordings",
    "rerun": "paseo.suite.rerunning",
    "run": "paseo.suite.running",
    "sample_episodes": "paseo.suite.sampling.sampling",
    "save_record": "paseo.world.recordfile",
    "score": "paseo.vqa.scoring",
    "simulate": "paseo.sim.simulate",
    "write_report": "paseo.report.walk.webpage",
}
_ELSEWHERE = {"compare": "compare_runs"}  # what a name is called at home

__all__ = [
    "AskOptions",
    "Briefing",
    "Control",
    "DrawOptions",
    "EpisodeRun",
    "FloorPlan",
    "Observation",
    "Outcome",
    "PaseoError",
    "Pause",
    "Planner",
    "Pose",
    "Record",
    "Robot",
    "RunOptions",
    "Scenario",
    "Sensor",
    "Track",
    "Twist",
    "Verdict",
    "VisionModel",
    "ask",
    "check_recording",
    "compare",
    "draw",
    "episode",
    "import_recording",
    "load_record",
    "measure",
    "metric",
    "plot",
    "read_floorplan",
    "read_recording",
    "rerun",
    "run",
    "sample_episodes",
    "save_record",
    "score",
    "simulate",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("paseo.version").paseo_version()
    if name not in _HOMES:
        raise AttributeError(f"module 'paseo' has no attribute '{name}'")
    return getattr(importlib.import_module(_HOMES[name]), _ELSEWHERE.get(name, name))


def __dir__() -> list[str]:
    return __all__
