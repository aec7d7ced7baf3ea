"""Pickles of arrays, plain and by joblib: arrays come out, and nothing is run."""

import io
import pickle
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest

from paseo.parsing.pickles import PickledArray, PickleLimits, unpickled

MOST = PickleLimits(steps=10_000, objects=1000, bytes_made=1 << 20)


def plain(value: Any) -> Any:
    """A value with arrays in place of what stands in for them."""
    if isinstance(value, PickledArray):
        return value.array
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


VALUES = {
    "floats": np.arange(6, dtype=np.float32).reshape(2, 3),
    "by columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "big-endian": np.arange(3, dtype=">i4"),
    "flags": np.array([True, False]),
    "empty": np.empty((0, 4)),
    "no axes": np.array(2.5),
    "numbers": [np.float32(0.5), np.int64(7), 1, 2.5, None, "text", b"bytes", True],
    "again": {0: [1, 2], "x": {}},
}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_what_joblib_writes_comes_out_as_joblib_reads_it(tmp_path: Path, protocol: int) -> None:
    file = tmp_path / "values.pkl"
    if protocol < 2:
        with pytest.raises(pickle.UnpicklingError, match=r"asks for copy_?reg\._reconstructor"):
            joblib.dump(VALUES, file, protocol=protocol)
            unpickled(io.BytesIO(file.read_bytes()), MOST)
        return
    joblib.dump(VALUES, file, protocol=protocol)
    found = plain(unpickled(io.BytesIO(file.read_bytes()), MOST))
    np.testing.assert_equal(found, joblib.load(file))


def test_what_pickle_writes_comes_out_as_pickle_reads_it() -> None:
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        found = plain(unpickled(io.BytesIO(pickle.dumps(VALUES, protocol)), MOST))
        np.testing.assert_equal(found, VALUES)


def test_files_of_joblib_before_1_2_have_no_padding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        joblib.numpy_pickle.NumpyArrayWrapper,
        "safe_get_numpy_array_alignment_bytes",
        lambda self: self.__dict__.pop("numpy_array_alignment_bytes", None) and None,
    )
    plainly = joblib.numpy_pickle.NumpyArrayWrapper.__init__

    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        plainly(self, *args, **kwargs)
        del self.numpy_array_alignment_bytes

    monkeypatch.setattr(joblib.numpy_pickle.NumpyArrayWrapper, "__init__", made)
    joblib.dump(VALUES, tmp_path / "old.pkl")
    content = (tmp_path / "old.pkl").read_bytes()
    assert b"alignment" not in content
    np.testing.assert_equal(plain(unpickled(io.BytesIO(content), MOST)), VALUES)


def test_of_large_arrays_only_the_shape_is_kept(tmp_path: Path) -> None:
    joblib.dump([np.zeros((45, 3)), np.ones(3)], tmp_path / "x.pkl")
    limits = PickleLimits(steps=1000, objects=100, bytes_made=1 << 20, largest_array=16)
    large, small = unpickled(io.BytesIO((tmp_path / "x.pkl").read_bytes()), limits)
    assert large.array is None and large.shape == (45, 3)
    assert small.array.tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"cos\nsystem\n(S'true'\ntR.", "asks for (posix|os).system"),
        (b"cbuiltins\neval\n(S'1'\ntR.", "asks for builtins.eval"),
        (b"cnumpy\nndarray\n}b.", "changes what is no array"),
        (b"c_codecs\nencode\n(NX\x01\x00\x00\x00xd\x86b.", "is|changes|keys"),
        (b"\x80\x04K\x01\x85\x93.", "."),
        (b"\x80\x04\x8f.", "more than plain values"),
        (b"\x80\x02P0\n.", "more than plain values"),
        (b"\x80\x04" + b"]" * 20_000 + b".", "more steps"),
        (b"\x80\x04(K\x01K\x02\x86K\x03d.", "keys that are neither"),
    ],
)
def test_whatever_else_a_pickle_asks_for_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(Exception, match=problem):
        unpickled(io.BytesIO(content), MOST)


def test_an_array_that_promises_more_than_may_be_is_refused_before_it_is_made(
    tmp_path: Path,
) -> None:
    joblib.dump(np.zeros(5), tmp_path / "x.pkl")
    content = (tmp_path / "x.pkl").read_bytes().replace(b"K\x05\x85", b"K\xff\x85")
    with pytest.raises(pickle.UnpicklingError, match="ends within an array"):
        unpickled(io.BytesIO(content), MOST)
    few = PickleLimits(steps=1000, objects=100, bytes_made=100)
    with pytest.raises(pickle.UnpicklingError, match="more than a few arrays"):
        unpickled(io.BytesIO(content), few)


def test_arrays_in_files_beside_it_are_told() -> None:
    content = b"cjoblib.numpy_pickle_compat\nNDArrayWrapper\n."
    with pytest.raises(pickle.UnpicklingError, match="in files beside it, as joblib wrote before"):
        unpickled(io.BytesIO(content), MOST)
