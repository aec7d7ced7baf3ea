"""The converter of SA-CADRL's weights: runs nothing that a pickle asks for, writes what ships."""

import importlib.util
import pickle
import zipfile
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from paseo.errors import BadFile
from paseo.planners.sacadrl.value_network import Weights, shipped_network
from paseo.world.arrays import FloatArray


def loaded() -> ModuleType:
    path = Path(__file__).parents[2] / "tools" / "convert_cadrl.py"
    spec = importlib.util.spec_from_file_location("convert_cadrl", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


convert: Any = loaded()


def python_2_pickle(array: FloatArray, code: str = "f8", order: str = "<") -> bytes:
    """A list of one array, as Python 2 wrote it in plain text."""
    shape = "".join(f"I{length}\n" for length in array.shape)
    raw = "".join(f"\\x{byte:02x}" for byte in array.tobytes())
    text = (
        "(lp0\ncnumpy.core.multiarray\n_reconstruct\np1\n(cnumpy\nndarray\np2\n(I0\ntp3\nS'b'\np4\n"
        f"tp5\nRp6\n(I1\n({shape}tp7\ncnumpy\ndtype\np8\n(S'{code}'\np9\nI0\nI1\ntp10\nRp11\n"
        f"(I3\nS'{order}'\np12\nNNNI-1\nI-1\nI0\ntp13\nbI00\nS'{raw}'\np14\ntp15\nba."
    )
    return text.encode("ascii")


def as_saved(weights: Weights) -> list[Any]:
    """The list that the authors' code would save for a shipped network."""
    network = shipped_network(weights)
    matrices: list[Any] = []
    biases: list[Any] = []
    for layer in (network.first, network.second):
        to_own = np.vstack([layer.own_to_own] + 3 * [layer.others_to_own])
        to_other = np.kron(np.eye(3), layer.other_to_other)
        to_other = np.vstack([np.tile(layer.own_to_other, 3), to_other])
        matrices.append(np.hstack([to_own, to_other]))
        biases.append(np.concatenate([layer.own_bias] + 3 * [layer.other_bias])[None])
    matrices += [[], np.vstack([network.third_own, network.third_others]), network.last[:, None]]
    biases += [[], network.third_bias[None], network.last_bias[None, None]]
    mean = np.concatenate([network.own_mean] + 3 * [network.other_mean])
    scale = np.concatenate([network.own_scale] + 3 * [network.other_scale])
    ends = [network.value_mean[None], network.value_scale[None]]
    return [matrices, biases, mean, scale, *ends, "layers", 1300]


def test_an_array_of_python_2_is_read():
    table = np.array([[1.5, -2.0], [3.25, 4.0]])
    (found,) = convert.unpickled(python_2_pickle(table), name="p")
    np.testing.assert_array_equal(found, table)


class Hostile:
    def __init__(self, victim: Path) -> None:
        self.victim = victim

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.victim,))


def test_a_hostile_pickle_is_refused_before_it_does_anything(tmp_path):
    victim = tmp_path / "touched"
    for protocol in range(6):
        content = pickle.dumps([Hostile(victim)], protocol)
        with pytest.raises(BadFile, match="p: is refused: it asks for .*; expected lists of arr"):
            convert.unpickled(content, name="p")
    assert not victim.exists()
    pickle.loads(pickle.dumps(Hostile(victim)))  # noqa: S301
    assert victim.exists()


@pytest.mark.parametrize(
    "content",
    [b"cos\nsystem\n(S'exit 1'\ntR.", b"cbuiltins\neval\n(S'1'\ntR.", b"cnumpy\nload\n(S'x'\ntR."],
)
def test_functions_are_refused_by_name(content):
    with pytest.raises(BadFile, match=r"it asks for (os.system|builtins.eval|numpy.load)"):
        convert.unpickled(content, name="p")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no pickle",
        python_2_pickle(np.zeros(2), code="O8"),
        python_2_pickle(np.zeros(2), order=">"),
        python_2_pickle(np.zeros(2)).replace(b"(I2\n", b"(I3\n"),
    ],
    ids=["empty", "text", "objects", "byte order", "shape"],
)
def test_broken_pickles_are_refused_with_a_sentence(content):
    with pytest.raises(BadFile, match="p: is refused: .*; expected lists of arrays"):
        convert.unpickled(content, name="p")


@pytest.mark.parametrize("weights", Weights)
def test_what_ships_is_written_again_byte_by_byte(weights):
    name = f"cadrl_{weights.name.lower()}.npz"
    shipped = (files("paseo.planners.sacadrl") / "weights" / name).read_bytes()
    assert convert.network_bytes(as_saved(weights), name="p") == shipped
    assert len(shipped) < 150_000


def test_the_licence_ships_beside_the_weights():
    licence = files("paseo.planners.sacadrl") / "weights" / "LICENSE-gym-collision-avoidance"
    assert "MIT License" in licence.read_text()


def test_weights_that_people_do_not_share_are_refused():
    saved = as_saved(Weights.NO_RULES)
    saved[0][0][8, 60] += 1e-9
    with pytest.raises(BadFile, match=r"no network of four agents: weights .* person"):
        convert.network_bytes(saved, name="p")
    saved = as_saved(Weights.NO_RULES)
    saved[0][1][60, 120] = 1e-9
    with pytest.raises(BadFile, match="weights join one person to another"):
        convert.network_bytes(saved, name="p")
    with pytest.raises(BadFile, match="no network of four agents"):
        convert.network_bytes([[], []], name="p")


def test_another_wheel_is_refused(tmp_path):
    wheel = tmp_path / "other.whl"
    with pytest.raises(BadFile, match=r"other.whl: .* expected the wheel of gym-collision-av"):
        convert.main(wheel)
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr(convert.LICENCE, b"free for all")
    with pytest.raises(BadFile, match="has sha256 .* expected 76523097.*; fetch it again"):
        convert.main(wheel)
