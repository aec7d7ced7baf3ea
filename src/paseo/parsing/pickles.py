"""Pickles of others: numbers, texts, lists, dicts and arrays come out; nothing else is run.

Arrays may lie in them as numpy pickles them, or as joblib does, whose files hold the numbers of an
array right behind its description. Whatever a pickle asks for gets a stand-in of ours; each of its
steps is counted, and so are the bytes it makes.
"""

import math
import pickle
import re
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

UnpicklingError = pickle.UnpicklingError
KINDS = re.compile(r"[fiu][1248]|b1")
MOST_AXES = 8
# Steps that a pickle of plain values and arrays takes. What is missing makes sets, calls classes
# in other ways, or fetches what lies outside of the file.
STEPS = [
    "MARK",
    "STOP",
    "POP",
    "POP_MARK",
    "DUP",
    "FLOAT",
    "INT",
    "BININT",
    "BININT1",
    "LONG",
    "BININT2",
    "NONE",
    "REDUCE",
    "STRING",
    "BINSTRING",
    "SHORT_BINSTRING",
    "UNICODE",
    "BINUNICODE",
    "APPEND",
    "BUILD",
    "GLOBAL",
    "DICT",
    "EMPTY_DICT",
    "APPENDS",
    "GET",
    "BINGET",
    "LONG_BINGET",
    "LIST",
    "EMPTY_LIST",
    "PUT",
    "BINPUT",
    "LONG_BINPUT",
    "SETITEM",
    "TUPLE",
    "EMPTY_TUPLE",
    "SETITEMS",
    "BINFLOAT",
    "PROTO",
    "NEWOBJ",
    "TUPLE1",
    "TUPLE2",
    "TUPLE3",
    "NEWTRUE",
    "NEWFALSE",
    "LONG1",
    "LONG4",
    "BINBYTES",
    "SHORT_BINBYTES",
    "SHORT_BINUNICODE",
    "BINUNICODE8",
    "BINBYTES8",
    "STACK_GLOBAL",
    "MEMOIZE",
    "FRAME",
    "BYTEARRAY8",
]


class Stream(Protocol):
    """What a pickle is read from; it never gives more than there may be."""

    def read(self, size: int) -> bytes:
        """So many bytes, or what is left."""

    def readline(self) -> bytes:
        """A line, or what is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PickleLimits:
    """How much a pickle may ask for."""

    steps: int
    objects: int  # arrays, types and the like
    bytes_made: int  # by arrays and by what is spelled as text
    largest_array: int | None = None  # numbers; of larger ones only the shape is kept


class PickledArray:
    """An array of numbers in a pickle; None where it was larger than what is kept."""

    def __init__(self, *_: object) -> None:
        self.array: NDArray[Any] | None = np.empty(0)
        self.shape: tuple[int, ...] = (0,)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, shape, kind, by_columns, held = state
        self.fill(held, kind, shape, "F" if by_columns else "C")

    @classmethod
    def from_buffer(
        cls, held: bytes, kind: "_Kind", shape: tuple[int, ...], order: str
    ) -> "PickledArray":
        """As numpy pickles arrays from protocol 5 on."""
        made = cls()
        made.fill(held, kind, shape, order)
        return made

    def fill(self, held: bytes, kind: "_Kind", shape: tuple[int, ...], order: Any) -> None:
        """Take the numbers."""
        self.array = np.frombuffer(held, kind.dtype).reshape(shape, order=order)
        self.shape = self.array.shape


class _Kind:
    """Stands in for numpy's dtype: numbers only."""

    def __init__(self, code: str, *_: object) -> None:
        if not KINDS.fullmatch(code):
            raise UnpicklingError(f"it holds arrays of {code!r:.20}")
        self.dtype = np.dtype(code)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] in (">", "<"):
            self.dtype = self.dtype.newbyteorder(state[1])


class _JoblibArray:
    """Stands in for joblib's description of the array that follows it in the file."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = {}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.state = state

    def size(self) -> tuple[int, int]:
        """How many numbers follow, and the bytes of each."""
        shape, kind = self.state.get("shape"), self.state.get("dtype")
        sensible = isinstance(shape, tuple) and len(shape) <= MOST_AXES
        if not (sensible and all(type(n) is int and n >= 0 for n in cast("tuple[int]", shape))):
            raise UnpicklingError("it holds an array without a shape")
        if not isinstance(kind, _Kind):
            raise UnpicklingError("it holds an array without a type")
        return math.prod(cast("tuple[int]", shape)), kind.dtype.itemsize

    def read(self, stream: Stream, count: int, width: int, most: int | None) -> PickledArray:
        """The array, from the bytes that follow: so many numbers of so many bytes each."""
        if self.state.get("numpy_array_alignment_bytes") is not None:  # since joblib 1.2
            _exactly(stream, _exactly(stream, 1)[0])
        held = _exactly(stream, count * width)
        made = PickledArray()
        made.array, made.shape = None, self.state["shape"]
        if most is None or count <= most:
            made.fill(held, self.state["dtype"], self.state["shape"], self.state.get("order"))
        return made


def unpickled(stream: Stream, limits: PickleLimits) -> Any:
    """What a pickle holds; `UnpicklingError`, or whatever comes to a broken one's mind."""
    return _Machine(stream, limits).load()


def _latin(text: str, _: str) -> bytes:
    """Stands in for codecs.encode, with which old protocols spell bytes."""
    return text.encode("latin-1")


def _no_bytes() -> bytes:
    """Stands in for the call with which old protocols spell none."""
    return b""


def _scalar(kind: _Kind, held: bytes) -> Any:
    """Stands in for numpy's single numbers."""
    return np.frombuffer(held, kind.dtype, count=1)[0].item()


ALLOWED: dict[tuple[str, str], Any] = {
    ("numpy", "ndarray"): PickledArray,
    ("numpy", "dtype"): _Kind,
    ("_codecs", "encode"): _latin,
    ("__builtin__", "bytes"): _no_bytes,
    ("joblib.numpy_pickle", "NumpyArrayWrapper"): _JoblibArray,
    **{
        (f"numpy.{core}.{module}", name): stand_in
        for core in ("core", "_core")
        for module, name, stand_in in (
            ("multiarray", "_reconstruct", PickledArray),
            ("multiarray", "scalar", _scalar),
            ("numeric", "_frombuffer", PickledArray.from_buffer),
        )
    },
}
ABROAD = {("joblib.numpy_pickle_compat", "NDArrayWrapper")}
CALLED = tuple(each for each in ALLOWED.values() if each is not _JoblibArray)
BUILT = (PickledArray, _Kind, _JoblibArray)


class _Steps(dict[int, Any]):
    """What each step does, and how many are left."""

    def __init__(self, left: int) -> None:
        codes = {name: getattr(pickle, name)[0] for name in STEPS}
        known = _Machine.dispatch
        super().__init__({code: known[code] for code in codes.values()})
        own = {"BUILD": "built", "REDUCE": "called", "NEWOBJ": "described"}
        own |= {"SETITEM": "set_item", "SETITEMS": "set_items", "DICT": "made_dict"}
        self.update({codes[name]: getattr(_Machine, method) for name, method in own.items()})
        self._left = left

    def __getitem__(self, code: int) -> Any:
        self._left -= 1
        step = self.get(code)
        if self._left < 0:
            raise UnpicklingError("it takes more steps than its arrays need")
        if step is None:
            raise UnpicklingError("it is more than plain values and arrays")
        return step


class _Machine(pickle._Unpickler):
    """The unpickler of Python's own library, which is in Python, with every door but ours shut."""

    stack: list[Any]
    append: Any
    pop_mark: Any
    _unframer: Any

    def __init__(self, stream: Stream, limits: PickleLimits) -> None:
        super().__init__(stream, encoding="latin-1")
        self.dispatch = _Steps(limits.steps)  # type: ignore[misc]
        self._stream, self._limits = stream, limits
        self._objects, self._bytes = limits.objects, limits.bytes_made

    def find_class(self, module: str, name: str) -> Any:
        """The stand-in for something an array needs."""
        if (module, name) in ABROAD:
            raise UnpicklingError("its arrays lie in files beside it, as joblib wrote before 0.10")
        if (module, name) not in ALLOWED:
            raise UnpicklingError(f"it asks for {module:.40}.{name:.40}")
        return ALLOWED[module, name]

    def _spend(self, size: int) -> None:
        """Count something that is made, of so many bytes."""
        self._objects -= 1
        self._bytes -= size
        if self._objects < 0 or self._bytes < 0:
            raise UnpicklingError("it is more than a few arrays")

    def called(self) -> None:
        """A stand-in makes something."""
        given = self.stack.pop()
        made = self.stack[-1]
        if not (isinstance(given, tuple) and any(made is each for each in CALLED)):
            raise UnpicklingError("it calls what is no part of an array")
        self._spend(sum(len(each) for each in given if isinstance(each, str | bytes | bytearray)))
        self.stack[-1] = made(*given)

    def described(self) -> None:
        """joblib begins to describe an array."""
        given = self.stack.pop()
        if self.stack[-1] is not _JoblibArray or given != ():
            raise UnpicklingError("it makes what is no array")
        self._spend(0)
        self.stack[-1] = _JoblibArray()

    def built(self) -> None:
        """A stand-in is told the rest; after joblib's description comes the array."""
        state = self.stack.pop()
        inner = self.stack[-1]
        if not isinstance(inner, BUILT):
            raise UnpicklingError("it changes what is no array")
        inner.__setstate__(state)
        if isinstance(inner, _JoblibArray):
            count, width = inner.size()
            self._spend(count * width)
            if self._unframer.current_frame and self._unframer.current_frame.read(1):
                raise UnpicklingError("an array begins within a frame")
            self._unframer.current_frame = None
            self.stack[-1] = inner.read(self._stream, count, width, self._limits.largest_array)

    def set_item(self) -> None:
        """One value of a dict."""
        value, key = self.stack.pop(), self.stack.pop()
        self._set(self.stack[-1], [key, value])

    def set_items(self) -> None:
        """Several of them."""
        given = self.pop_mark()
        self._set(self.stack[-1], given)

    def made_dict(self) -> None:
        """A dict, as the oldest protocol spells it."""
        given = self.pop_mark()
        made: dict[Any, Any] = {}
        self._set(made, given)
        self.append(made)

    def _set(self, target: Any, given: list[Any]) -> None:
        # A tuple that holds another twice, and so on, is short to write and never hashed to its
        # end: what else there is to hash is short.
        if type(target) is not dict or not all(type(key) in (str, int) for key in given[::2]):
            raise UnpicklingError("it has keys that are neither text nor whole numbers")
        target.update(zip(given[::2], given[1::2], strict=True))


def _exactly(stream: Stream, size: int) -> bytes:
    held = stream.read(size)
    if len(held) < size:
        raise UnpicklingError("it ends within an array")
    return held
