"""Episodes one after the other in this very process, where a debugger can stop in a planner."""

import os
import sys
from collections.abc import Generator, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from paseo.errors import PaseoError
from paseo.planners.choices import make_planner
from paseo.suite.runners.answers import finished
from paseo.suite.runners.carrying_out import carried_out, clock_of
from paseo.suite.runners.kernels import warm
from paseo.suite.runners.runner import Finished, Task
from paseo.suite.runners.watching import LatePlanner
from paseo.world.planning import Planner


@dataclass(frozen=True, slots=True)
class SerialRunner:
    """No processes: a planner that hangs is not killed, and one that exits ends the run.

    By the clock 'async' one that hangs is given up, but its thread goes on.
    """

    jobs: int = 1  # there is only one at a time

    def results(self, tasks: Sequence[Task]) -> Generator[Finished, None, None]:
        """Run the tasks in their order, yielding each when it is done."""
        here = Path.cwd()
        for task in tasks:
            with redirect_stdout(sys.stderr):  # a planner may talk; stdout is for data
                clock = clock_of(task, task.job.choices.settings.hang_limit_s)
                done = carried_out(task, partial(_ready, task), clock)
            os.chdir(here)  # the planner may have gone elsewhere
            yield finished(task, done)


def _ready(task: Task) -> Planner:
    with suppress(PaseoError):  # what is wrong with it shows when it begins
        warm(task.job.planner, task.job.control)
    return LatePlanner(lambda: make_planner(task.job.planner), task.place)
