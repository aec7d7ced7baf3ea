"""Compile the simulator, planners and crowds before they are needed, and say so the first time."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from weakref import WeakSet

import numpy as np

from paseo.compiled import is_cached, kernel_sources
from paseo.crowd import replay
from paseo.planners.choices import PlannerChoice, make_planner
from paseo.planners.names import PLANNERS
from paseo.planners.stop import Stop
from paseo.sim import episode, sensing
from paseo.sim.simulate import simulate
from paseo.world import contacts
from paseo.world.motion import Control, Pose
from paseo.world.scenarios import Reaction, ReactionModel, Scenario, Sensor
from paseo.world.space import geometry
from paseo.world.space.floorplan import floor_plan
from paseo.world.tracks import Track

Kernels = tuple[Callable[..., Any], ...]

ENTRY_POINTS: Kernels = (
    replay.sample,
    contacts.tally,
    episode.hits_wall,
    sensing.visible,
    geometry.distance_field,
    geometry.connected,
)

_warm: WeakSet[type[Any]] = WeakSet()  # planners whose kernels this process has loaded


@dataclass(frozen=True, slots=True)
class _Part:
    """Something with kernels, and a trial that compiles all of them."""

    name: str
    kernels: Kernels
    trial: Callable[[], None]

    @property
    def mark(self) -> Path:
        """A file beside the compiled code, written after the trial.

        That a kernel is cached is not enough: it may be so for other types of numbers.
        """
        kernel: Any = self.kernels[0]
        return Path(kernel.stats.cache_path) / f"{self.name.replace(' ', '-')}.tried"

    def is_compiled(self) -> bool:
        """Whether the trial has run on this machine since the kernels were last changed."""
        if not all(map(is_cached, self.kernels)):
            return False
        return self.mark.is_file() and self.mark.read_text() == kernel_sources()

    def compile(self) -> None:
        """Run the trial and remember that it has run."""
        self.trial()
        with suppress(OSError):  # it is then run again next time
            self.mark.write_text(kernel_sources())


def are_compiled() -> bool:
    """Whether the compiled simulator is in the cache of this machine."""
    return all(map(is_cached, ENTRY_POINTS))


def load_simulator() -> None:
    """Load the compiled simulator into this process, where there is one."""
    if are_compiled():
        _try_simulator()


def compile_kernels(
    announce: Callable[[str], None],
    planners: Iterable[PlannerChoice] = (),
    reaction: Reaction | None = None,
) -> None:
    """Make sure that workers find everything compiled; takes some seconds once per machine.

    Of planners only those that ship are tried out here, in the process of the command: nobody
    could end another one that hangs.
    """
    parts = {part.name: part for part in _parts(planners, reaction) if part.kernels}
    todo = {name: part for name, part in parts.items() if not part.is_compiled()}
    if todo:
        announce(f"compiling {', '.join(todo)}, once on this machine (some seconds each)")
    for part in todo.values():
        part.compile()


def warm(choice: PlannerChoice, control: Control | None) -> None:
    """Load a planner's kernels: the first plan of the next one takes no longer than the others."""
    kind = PLANNERS.find(choice.reference)
    if kind not in _warm and _kernels(kind):
        _warm.add(kind)
        simulate(_small_task(), make_planner(choice), control=control)


def _parts(planners: Iterable[PlannerChoice], reaction: Reaction | None) -> Iterator[_Part]:
    yield _Part("the simulator", ENTRY_POINTS, _try_simulator)
    for choice in planners:
        if choice.reference in PLANNERS.shipped:
            kernels = _kernels(PLANNERS.find(choice.reference))
            yield _Part(f"planner {choice.reference}", kernels, partial(_try_planner, choice))
    if reaction is not None and not reaction.is_none:
        by = reaction.by
        yield _Part(f"people who answer by {by}", _steering(by), partial(_try_crowd, by))


def _kernels(kind: type[Any]) -> Kernels:
    """The entry points into compiled code that a planner declares."""
    declared = getattr(kind, "kernels", ())
    return declared if isinstance(declared, tuple) else ()


def _steering(by: str) -> Kernels:
    """The kernels of people who answer; imported only when needed."""
    if by == ReactionModel.SOCIAL_FORCE:
        from paseo.crowd.steering import forces

        return (forces.steered,)
    if by == ReactionModel.ORCA:
        from paseo.crowd.steering import orca

        return (orca.steered,)
    return ()


def _try_simulator() -> None:
    task = _small_task(sensor=Sensor(occlusion=True))
    task.floorplan.reachable_from(1.0, 1.0, 0.2)  # needed only where walls are in the way
    simulate(task, Stop())


def _try_planner(choice: PlannerChoice) -> None:
    for control in Control:
        simulate(_small_task(), make_planner(choice), control=control)


def _try_crowd(by: str) -> None:
    simulate(_small_task(reaction=Reaction(by=by)), Stop())


def _small_task(**changes: Any) -> Scenario:
    """Two steps in a small room with two people, who walk past the robot."""
    corners = np.array([[0.0, 0.0], [6.0, 0.0], [6.0, 4.0], [0.0, 4.0], [0.0, 0.0]])
    times = np.array([0.0, 1.0])
    task = {
        "name": "trial",
        "floorplan": floor_plan("trial", np.stack([corners[:-1], corners[1:]], axis=1)),
        "start": Pose(1.0, 2.0),
        "goal": Pose(5.0, 2.0),
        "tracks": (
            Track(1, times, np.array([[3.0, 1.0], [3.0, 2.0]])),
            Track(2, times, np.array([[4.0, 2.5], [3.0, 2.5]])),
        ),
        "time_limit": 0.1,
    }
    return Scenario(**{**task, **changes})
