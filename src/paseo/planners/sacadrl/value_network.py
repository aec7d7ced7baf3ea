"""The value network of SA-CADRL: what a state of the robot and three people is worth.

Y. F. Chen, M. Everett, M. Liu, J. P. How: Socially Aware Motion Planning with Deep Reinforcement
Learning, IROS 2017. The weights are the authors' own, from gym-collision-avoidance 0.0.3.
"""

import zipfile
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import IO

import numpy as np

from paseo.errors import BadFile
from paseo.world.arrays import FloatArray

OWN, OTHER = 7, 8  # numbers that describe the robot, and each of the people
OTHERS = 3  # people whom the network can see
UNITS = 50  # in each layer, for the robot and for each of the people


class Weights(StrEnum):
    """Which of the authors' two networks."""

    NO_RULES = "no-rules"  # trained without manners and free to turn; what SocNavBench ran
    ROTATE_RIGHT = "rotate-right"  # trained to pass on the right, and not to turn sharply


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """Rows for the robot and each person out of such rows; everybody shares what is for people."""

    own_to_own: FloatArray  # (numbers of the robot, units)
    others_to_own: FloatArray  # (numbers of a person, units)
    own_bias: FloatArray  # (units,)
    own_to_other: FloatArray  # (numbers of the robot, units)
    other_to_other: FloatArray  # (numbers of a person, units); each person's to themselves only
    other_bias: FloatArray  # (units,)

    def __call__(self, own: FloatArray, others: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Of (states, numbers) and (people, states, numbers) the same with units."""
        to_own = own @ self.own_to_own + others.sum(axis=0) @ self.others_to_own + self.own_bias
        to_other = others @ self.other_to_other + (own @ self.own_to_other + self.other_bias)
        return np.maximum(to_own, 0.0), np.maximum(to_other, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueNetwork:
    """Two layers of robot and people, the largest of the people, a layer, a value."""

    own_mean: FloatArray  # (7,)
    own_scale: FloatArray  # (7,)
    other_mean: FloatArray  # (8,)
    other_scale: FloatArray  # (8,)
    first: Layer
    second: Layer
    third_own: FloatArray  # (units, units)
    third_others: FloatArray  # (units, units)
    third_bias: FloatArray  # (units,)
    last: FloatArray  # (units,)
    last_bias: FloatArray  # ()
    value_mean: FloatArray  # ()
    value_scale: FloatArray  # ()

    def values(self, own: FloatArray, others: FloatArray) -> FloatArray:
        """Values (states,) of robots (states, 7) among people (3, states, 8).

        The robot: distance to the goal, preferred speed, speed, heading, velocity (2), radius.
        A person: velocity (2), offset (2), radius, sum of both radii, gap between the bodies, and 1
        if walking, 2 if standing, 0 for a copy where there are fewer than three. All in the frame
        whose x axis points from the robot to its goal.
        """
        own = (own - self.own_mean) / self.own_scale
        others = (others - self.other_mean) / self.other_scale
        own, others = self.second(*self.first(own, others))
        third = own @ self.third_own + others.max(axis=0) @ self.third_others + self.third_bias
        scaled = np.maximum(third, 0.0) @ self.last + self.last_bias
        values: FloatArray = scaled * self.value_scale + self.value_mean
        return values


_INTO_LAYER = {
    "own_to_own": (OWN, UNITS),
    "others_to_own": (OTHER, UNITS),
    "own_bias": (UNITS,),
    "own_to_other": (OWN, UNITS),
    "other_to_other": (OTHER, UNITS),
    "other_bias": (UNITS,),
}
SHAPES: dict[str, tuple[int, ...]] = {  # of every array in a file of weights
    "own_mean": (OWN,),
    "own_scale": (OWN,),
    "other_mean": (OTHER,),
    "other_scale": (OTHER,),
    **{f"first.{name}": shape for name, shape in _INTO_LAYER.items()},
    **{f"second.{name}": (UNITS,) * len(shape) for name, shape in _INTO_LAYER.items()},
    "third_own": (UNITS, UNITS),
    "third_others": (UNITS, UNITS),
    "third_bias": (UNITS,),
    "last": (UNITS,),
    "last_bias": (),
    "value_mean": (),
    "value_scale": (),
}


@cache
def shipped_network(weights: Weights) -> ValueNetwork:
    """The network with one of the two sets of weights."""
    file = files("paseo.planners.sacadrl") / "weights" / f"cadrl_{weights.name.lower()}.npz"
    with file.open("rb") as stream:
        return read_network(stream, name=file.name)


def read_network(stream: IO[bytes], *, name: str) -> ValueNetwork:
    """The network in a file that `tools/convert_cadrl.py` wrote; `name` is for error messages."""
    try:
        with np.load(stream, allow_pickle=False) as archive:
            arrays = {key: archive[key] for key in archive.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise BadFile(f"{name}: is no file of arrays ({error}); install Paseo again") from error
    if arrays.keys() != SHAPES.keys():
        wrong = ", ".join(sorted(arrays.keys() ^ SHAPES.keys()))
        raise BadFile(f"{name}: arrays missing or unknown: {wrong}; install Paseo again")
    for key, array in arrays.items():
        if array.dtype != np.float64 or array.shape != SHAPES[key] or not np.isfinite(array).all():
            raise BadFile(
                f"{name}: {key} is {array.dtype} of shape {array.shape}, expected finite float64 "
                f"of shape {SHAPES[key]}; install Paseo again"
            )
    first, second = (
        Layer(**{part: arrays.pop(f"{layer}.{part}") for part in _INTO_LAYER})
        for layer in ("first", "second")
    )
    return ValueNetwork(first=first, second=second, **arrays)
