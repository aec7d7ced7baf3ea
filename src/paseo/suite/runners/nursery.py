"""What the clean server imports that workers are forked from; it adopts whom planners leave.

It loads and reads what every worker would, so that a fresh one for each planner costs little. No
code of others is ever let in here.
"""

import json
import os
import warnings
from contextlib import suppress
from pathlib import Path

from paseo.data.store.locations import DataFolder
from paseo.errors import PaseoError
from paseo.suite.runners import worker
from paseo.suite.runners.hiring import AHEAD
from paseo.suite.runners.kernels import load_simulator
from paseo.suite.runners.strays import adopt_orphans

__all__ = ["worker"]


def read_ahead(data: Path, recordings: list[str], maps: list[str]) -> None:
    """Read recordings and maps that go by names; files may need a reader of somebody's own."""
    folder = DataFolder(data)
    with suppress(PaseoError, OSError):  # whoever needs it says what is wrong with it
        for name in filter(folder.knows, recordings):
            folder.recording(name)
        for name in set(maps) & {*folder.maps()}:
            folder.floorplan(name)


adopt_orphans()
# Whom it adopts it has not started, and need not tell anybody of.
warnings.filterwarnings("ignore", "forkserver: waitpid returned unexpected pid")
load_simulator()
if AHEAD in os.environ:
    named, *what = json.loads(os.environ.pop(AHEAD))
    read_ahead(Path(named), *what)
