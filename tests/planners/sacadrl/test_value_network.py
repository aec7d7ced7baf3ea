"""The value network of SA-CADRL against the authors' own forward pass, and files it refuses."""

import io
import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from paseo.errors import BadFile
from paseo.planners.sacadrl.value_network import SHAPES, Weights, read_network, shipped_network
from paseo.world.arrays import FloatArray

# Values by the code in gym-collision-avoidance 0.0.3, recorded with `tools/record_cadrl.py`.
RECORDED = json.loads(
    (Path(__file__).parents[2] / "reference" / "cadrl_answers.json").read_text(encoding="utf-8")
)
INPUTS = np.array(RECORDED["inputs"])  # (states, 31)
OWN = INPUTS[:, :7]
OTHERS = INPUTS[:, 7:].reshape(-1, 3, 8).swapaxes(0, 1)


def shipped_arrays() -> dict[str, FloatArray]:
    rng = np.random.default_rng(0)
    return {name: rng.normal(size=shape) for name, shape in SHAPES.items()}


def read(arrays: dict[str, FloatArray]) -> None:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    stream.seek(0)
    read_network(stream, name="weights.npz")


@pytest.mark.parametrize("weights", Weights)
def test_values_are_those_of_the_authors_code(weights):
    values = shipped_network(weights).values(OWN, OTHERS)
    np.testing.assert_allclose(values, RECORDED["values"][weights.value], rtol=1e-10)
    assert len(values) == 200


def test_the_two_sets_of_weights_differ():
    rotate, none = (shipped_network(weights).values(OWN, OTHERS) for weights in Weights)
    assert np.abs(rotate - none).max() > 0.1


@pytest.mark.parametrize("weights", Weights)
def test_the_order_of_people_does_not_matter(weights):
    network = shipped_network(weights)
    for order in permutations(range(3)):
        np.testing.assert_allclose(
            network.values(OWN, OTHERS[list(order)]), network.values(OWN, OTHERS), rtol=1e-12
        )


def test_a_state_is_worth_the_same_alone_as_among_others():
    network = shipped_network(Weights.ROTATE_RIGHT)
    alone = [network.values(OWN[k : k + 1], OTHERS[:, k : k + 1])[0] for k in range(len(OWN))]
    np.testing.assert_allclose(alone, network.values(OWN, OTHERS), rtol=1e-12)
    assert network.values(OWN[:0], OTHERS[:, :0]).shape == (0,)


def test_inputs_stay_as_they_are():
    own, others = OWN.copy(), OTHERS.copy()
    shipped_network(Weights.NO_RULES).values(own, others)
    np.testing.assert_array_equal(own, OWN)
    np.testing.assert_array_equal(others, OTHERS)


def test_a_file_with_all_arrays_is_read():
    read(shipped_arrays())


def test_what_is_no_file_of_arrays_is_refused():
    for content in (b"", b"no archive", b"PK\x03\x04 broken"):
        with pytest.raises(BadFile, match=r"weights.npz: is no file of arrays .* install"):
            read_network(io.BytesIO(content), name="weights.npz")


def test_objects_are_not_read():
    with pytest.raises(BadFile, match="is no file of arrays"):
        read({**shipped_arrays(), "last": np.array([print], object)})


def test_missing_and_unknown_arrays_are_named():
    arrays = shipped_arrays()
    arrays["more"] = arrays.pop("first.own_bias")
    with pytest.raises(BadFile, match="missing or unknown: first.own_bias, more"):
        read(arrays)


@pytest.mark.parametrize(
    "wrong", [np.zeros(49), np.zeros(50, np.float32), np.full(50, np.nan)], ids=str
)
def test_arrays_of_another_shape_or_type_and_infinite_ones_are_refused(wrong):
    with pytest.raises(BadFile, match=r"last is .* expected finite float64 of shape \(50,\)"):
        read({**shipped_arrays(), "last": wrong})
