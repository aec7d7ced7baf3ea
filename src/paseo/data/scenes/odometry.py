"""The robot's odometry in SocialNav-SUB: a pickle of arrays, of which nothing is run."""

import io
import pickle
import pickletools
import re
from pathlib import Path
from typing import Any

import numpy as np

from paseo.data.scenes.robot_frame import MOST_METRES, from_the_first
from paseo.errors import BadFile
from paseo.world.arrays import FloatArray

LARGEST_PICKLE = 16 << 20  # bytes


def robot_poses(content: bytes, clip: range, where: Path) -> FloatArray:
    """The robot's poses (frames, 3) in the frames of a clip, seen from the first of them.

    The heading is the odometry's: it is known of a robot that stands, and a constant offset of it
    falls out. It also is what turns positions into the robot's frame, here as in the original.
    """
    odometry = _unpickled(content, where)
    if not isinstance(odometry, dict):
        raise _unlike(where, f"holds a {type(odometry).__name__}")
    positions, yaws = (_array(odometry.get(key), key, where) for key in ("position", "yaw"))
    if yaws.ndim == 2 and yaws.shape[1] == 1:
        yaws = yaws[:, 0]
    if positions.ndim != 2 or positions.shape[1] != 2 or yaws.shape != positions.shape[:1]:
        raise _unlike(where, f"has positions {positions.shape} and yaws {yaws.shape}")
    if len(yaws) < clip.stop:
        raise BadFile(
            f"{where}: ends after {len(yaws)} frames, expected at least {clip.stop} for a "
            f"scene that begins at frame {clip.start}; fetch the file again"
        )
    poses = np.column_stack([positions[clip.start : clip.stop], yaws[clip.start : clip.stop]])
    if not (np.abs(poses) <= MOST_METRES).all():  # not so for NaN either
        raise _unlike(where, "holds numbers that are no positions and angles")
    return from_the_first(poses)


class _Type:
    """Stands in for numpy's dtype: numbers only."""

    def __init__(self, code: str, *_: object) -> None:
        if not re.fullmatch(r"[fiu][1248]", code):
            raise pickle.UnpicklingError(f"it holds arrays of {code!r:.20}")
        self.dtype = np.dtype(code)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] in (">", "<"):
            self.dtype = self.dtype.newbyteorder(state[1])


class _Array:
    """Stands in for numpy's array: takes what it holds, runs nothing."""

    def __init__(self, *_: object) -> None:
        self.array = np.empty(0)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, kind, by_columns, held = state
        self._fill(held, kind, shape, "F" if by_columns else "C")

    @classmethod
    def from_buffer(cls, held: bytes, kind: _Type, shape: tuple[int, ...], order: str) -> "_Array":
        """As numpy pickles arrays from protocol 5 on."""
        made = cls()
        made._fill(held, kind, shape, order)
        return made

    def _fill(self, held: bytes, kind: _Type, shape: tuple[int, ...], order: Any) -> None:
        self.array = np.frombuffer(held, kind.dtype).reshape(shape, order=order)


def _latin(text: str, _: str) -> bytes:
    """Stands in for codecs.encode, with which old protocols spell bytes."""
    return text.encode("latin-1")


class _ArraysOnly(pickle.Unpickler):
    """Reads dicts, numbers, texts and arrays; refuses everything else by name."""

    ALLOWED = {  # noqa: RUF012
        ("numpy", "ndarray"): _Array,
        ("numpy", "dtype"): _Type,
        ("_codecs", "encode"): _latin,
        **{
            (f"numpy.{core}.{module}", name): stand_in
            for core in ("core", "_core")
            for module, name, stand_in in (
                ("multiarray", "_reconstruct", _Array),
                ("numeric", "_frombuffer", _Array.from_buffer),
            )
        },
    }

    def find_class(self, module: str, name: str) -> Any:
        """The stand-in for something numpy needs for an array."""
        if (module, name) not in self.ALLOWED:
            raise pickle.UnpicklingError(f"it asks for {module:.40}.{name:.40}")
        return self.ALLOWED[module, name]


def _unpickled(content: bytes, where: Path) -> Any:
    try:
        for code, argument, _ in pickletools.genops(content):
            # The unpickler makes room for as many remembered things as the largest number says.
            if code.name in ("PUT", "LONG_BINPUT") and int(argument or 0) > len(content):
                raise pickle.UnpicklingError("it remembers more than it holds")
        return _ArraysOnly(io.BytesIO(content)).load()
    except Exception as error:  # a broken pickle raises whatever comes to mind
        raise BadFile(
            f"{where}: is refused and nothing of it was run ({str(error)[:120]}), expected a "
            "pickle of numpy arrays; fetch the file again"
        ) from error


def _array(value: object, key: str, where: Path) -> FloatArray:
    if not isinstance(value, _Array):
        raise _unlike(where, f"has no array '{key}'")
    return value.array.astype(np.float64)


def _unlike(where: Path, problem: str) -> BadFile:
    return BadFile(
        f"{where}: {problem}, expected arrays 'position' (frames, 2) in metres and 'yaw' (frames) "
        "in radians; fetch the file again"
    )
