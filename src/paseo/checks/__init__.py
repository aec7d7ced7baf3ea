"""Contract checks: does a part of your own keep the promises of the seam it fills?"""

from paseo.checks.contract import ContractBroken
from paseo.checks.metrics import check_metric
from paseo.checks.models import check_model
from paseo.checks.pedestrians import check_pedestrian_model
from paseo.checks.perceptions import check_perception
from paseo.checks.planners import check_planner
from paseo.checks.recordings import check_recording_format
from paseo.checks.renderers import check_renderer
from paseo.checks.runners import check_runner

__all__ = [
    "ContractBroken",
    "check_metric",
    "check_model",
    "check_pedestrian_model",
    "check_perception",
    "check_planner",
    "check_recording_format",
    "check_renderer",
    "check_runner",
]
