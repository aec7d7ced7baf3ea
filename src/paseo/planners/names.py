"""Planners by name: those that ship, those of other packages, and those in a user's file."""

from pathlib import Path

from paseo.errors import InputError
from paseo.files import sha256
from paseo.registry.modules import LARGEST
from paseo.registry.registry import Registry, lacks
from paseo.world.planning import Planner


def _fault(found: object) -> str:
    if missing := lacks("begin", "plan")(found):
        return missing
    control = getattr(found, "control", "velocity")
    if control not in ("velocity", "position"):
        return (
            f"says its control is {control!r}, expected the mode the planner was made for, "
            "Control.VELOCITY or Control.POSITION"
        )
    return ""


PLANNERS: Registry[type[Planner]] = Registry(
    kind="planner",
    group="paseo.planners",
    shipped={
        "dwa": "paseo.planners.dwa:Dwa",
        "human": "paseo.planners.human:Human",
        "mppi": "paseo.planners.mppi.planner:Mppi",
        "orca": "paseo.planners.orca:Orca",
        "orca-checkpoints": "paseo.planners.orca_checkpoints:OrcaCheckpoints",
        "sacadrl": "paseo.planners.sacadrl.planner:Sacadrl",
        "sampling": "paseo.planners.sampling.planner:Sampling",
        "social-force": "paseo.planners.social_force:SocialForce",
        "stop": "paseo.planners.stop:Stop",
        "straight": "paseo.planners.straight:Straight",
        "time-gap": "paseo.planners.time_gap:TimeGap",
        "vlm": "paseo.deciding.planner:Vlm",
    },
    fault=_fault,
)


def is_reference(planner: str) -> bool:
    """Whether what goes by this name runs on episodes of its own, not to be compared with others.

    Its class says so with `reference: ClassVar[bool] = True`. Files are not looked into.
    """
    targets = PLANNERS.targets()
    if planner not in targets and planner not in targets.values():
        return False
    try:
        return bool(getattr(PLANNERS.find(planner), "reference", False))
    except InputError:  # of a package that is broken
        return False


def planner_hash(reference: str) -> str:
    """The sha256 of a planner's file; empty for planners that are found by name."""
    file = reference.rpartition(":")[0]
    return sha256(Path(file), largest=LARGEST) if file.endswith(".py") else ""
