"""What determines a waypoint exam, and the folder that holds it."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paseo.errors import InputError
from paseo.files import HeldFolder
from paseo.version import paseo_version
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method
from paseo.vqa.waypoints.contexts import Context

FORMAT, VERSION = "paseo-waypoints", 1
UNDECIDING = ("name", "paseo_version", "source", "mounted")


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedChoice:
    """A scene of the exam: all that scoring needs to know of it."""

    id: str
    hash: str  # of the scene
    places: tuple[tuple[float, float], ...]  # metres in the robot's first frame
    horizon_s: float
    true: str  # the letter of where the robot went
    straight: str  # that of the nearest to the straight line to the goal


@dataclass(frozen=True, slots=True, kw_only=True)
class WaypointPlan:
    """Everything that determines the replies; never a key."""

    model: str  # as it was named: provider/model, or file.py:Class
    settings: dict[str, Any]
    context: Context
    method: Method
    images: Layout
    drawing: Drawing
    wording: WordingSource
    wording_hash: str
    repeats: int
    together: int = 1
    largest_px: int | None = None
    told_hash: str = ""  # of the answers that are told, where somebody else's are
    scenes: tuple[AskedChoice, ...] = ()
    name: str = ""  # what the model calls itself; empty where that is not known
    paseo_version: str = paseo_version()
    source: str = ""  # the folder the scenes were read from
    mounted: str = ""  # where the camera is taken to be, in words


class WaypointFolder(HeldFolder):
    """A waypoint exam's folder, held by one process at a time."""

    def __init__(self, folder: Path) -> None:
        file = folder / "waypoints.json"
        super().__init__(file, format=FORMAT, version=VERSION, by="paseo ask")
        self.replies = folder / "replies.sqlite"

    def hold(self, plan: WaypointPlan) -> bool:
        """Keep others out; whether this very exam was begun here before. Another is refused."""
        self.lock()
        if self.exists:
            before = self.plan()
            for key, value in _deciding(plan).items():
                if _deciding(before)[key] != value:
                    raise InputError(
                        f"{self.folder} holds another waypoint exam: its {key} differs; give the "
                        "same options again, or choose another out",
                        parameters=("out",),
                    )
            return True
        if self.replies.exists():
            raise InputError(
                f"{self.folder} holds replies of another exam; choose another out",
                parameters=("out",),
            )
        return False

    def plan(self) -> WaypointPlan:
        """What was asked for, only read."""
        if not self.exists:
            raise InputError(
                f"{self.folder} holds no waypoint exam; expected a folder that paseo ask made"
            )
        return self.noted(WaypointPlan)


def _deciding(plan: WaypointPlan) -> dict[str, Any]:
    return {key: value for key, value in asdict(plan).items() if key not in UNDECIDING}
