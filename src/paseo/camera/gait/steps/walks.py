"""How everybody walks at one moment."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from paseo.camera.gait.steps import stepping
from paseo.errors import BadValue
from paseo.world.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Walks:
    """Everybody who is present, in order of id; feet are left, then right.

    A foot that is lifted left its print and is under way to the next one.
    """

    ids: IntArray  # (people,)
    times: FloatArray  # (people,) seconds; the same for all, unless moments were put together
    positions: FloatArray  # (people, 2)
    facings: FloatArray  # (people,) radians, where the body points; whole turns are counted
    directions: FloatArray  # (people,) radians, where it goes
    speeds: FloatArray  # (people,)
    phases: FloatArray  # (people,) strides since some moment; whole when the left heel strikes
    paces: FloatArray  # (people,) 0 standing, or going aside or back, to 1 walking
    duties: FloatArray  # (people,) share of a stride that a foot is on the ground
    prints: FloatArray  # (people, 2, 3): x, y and heading of where each foot stands or stood last
    next_prints: FloatArray  # (people, 2, 3): where each lifted foot will stand
    lifted: BoolArray  # (people, 2)
    progress: FloatArray  # (people, 2): 0 to 1 through the swing if lifted, else the stance

    def __post_init__(self) -> None:
        people = len(self.ids)
        shapes = (self.positions.shape, self.prints.shape, self.progress.shape)
        if shapes != ((people, 2), (people, 2, 3), (people, 2)):
            raise BadValue(
                f"walks of {people} people need as many positions, prints and progresses, "
                f"not {shapes[0]}, {shapes[1]} and {shapes[2]}"
            )

    def __len__(self) -> int:
        return len(self.ids)


def together(moments: Sequence[Walks]) -> Walks:
    """The walks of several moments as if of more people, to be posed at once."""
    return Walks(
        **{
            each.name: np.concatenate([getattr(walks, each.name) for walks in moments])
            for each in fields(Walks)
        }
    )


def of_some(walks: Walks, chosen: BoolArray) -> Walks:
    """The walks of those people, (people,)."""
    return Walks(**{each.name: getattr(walks, each.name)[chosen] for each in fields(Walks)})


def walks_from_states(time: float, ids: IntArray, states: FloatArray) -> Walks:
    """The walks that rows of states tell, (people, columns)."""
    feet = states[:, stepping.FEET :].reshape(len(ids), 2, stepping.FOOT)
    return Walks(
        ids=ids,
        times=np.full(len(ids), time),
        positions=states[:, [stepping.X, stepping.Y]],
        facings=states[:, stepping.FACING],
        directions=states[:, stepping.DIRECTION],
        speeds=states[:, stepping.SPEED],
        phases=states[:, stepping.PHASE],
        paces=states[:, stepping.PACE],
        duties=states[:, stepping.DUTY],
        prints=feet[:, :, :3],
        next_prints=feet[:, :, stepping.TO : stepping.TO + 3],
        lifted=feet[:, :, stepping.LIFTED] > 0.5,
        progress=feet[:, :, stepping.PROGRESS],
    )


def between(before: FloatArray, after: FloatArray, share: FloatArray) -> FloatArray:
    """States between those of two ticks, (people, columns)."""
    mixed = before + share[:, None] * (after - before)
    near = np.where(share[:, None] < 0.5, before, after)
    jumps = np.abs(after[:, stepping.PHASE] - before[:, stepping.PHASE]) > 0.2
    mixed[jumps, stepping.PHASE] = near[jumps, stepping.PHASE]
    turn = after[:, stepping.DIRECTION] - before[:, stepping.DIRECTION]
    turn -= 2.0 * np.pi * np.round(turn / (2.0 * np.pi))
    mixed[:, stepping.DIRECTION] = before[:, stepping.DIRECTION] + share * turn
    walking = ~jumps & (before[:, stepping.WALKS] > 0.0) & (after[:, stepping.WALKS] > 0.0)
    for foot in range(2):
        start = stepping.FEET + stepping.FOOT * foot
        whole = slice(start, start + stepping.FOOT)
        fixed = [start, start + 1, start + 2, start + stepping.LIFTED]
        changes = (before[:, fixed] != after[:, fixed]).any(axis=1)
        mixed[changes, whole] = near[changes, whole]
        some = np.flatnonzero(changes & walking)
        phases = mixed[some, stepping.PHASE] - 0.5 * foot
        mixed[some, whole] = _stepping(before[some, whole], after[some, whole], phases, mixed[some])
    return np.asarray(mixed, np.float64)


def _stepping(
    before: FloatArray, after: FloatArray, phases: FloatArray, states: FloatArray
) -> FloatArray:
    """A foot that is lifted or put down between two ticks, as its phase has it, (people, 8)."""
    now, share = phases % 1.0, states[:, stepping.DUTY]
    landing = before[:, stepping.LIFTED] > after[:, stepping.LIFTED]
    up = np.where(landing, now > 0.5, now > share)
    foot = after.copy()
    flying = landing & up
    foot[flying, :3] = before[flying, :3]
    foot[flying, stepping.TO : stepping.TO + 3] = after[flying, :3]
    foot[:, stepping.LIFTED] = up
    swing, stance = (now - share) / (1.0 - share), now / share
    foot[:, stepping.PROGRESS] = np.clip(np.where(up, swing, stance), 0.0, 1.0)
    return foot
