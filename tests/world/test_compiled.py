import numpy as np

from paseo.world.compiled import compiled, like


@compiled
def third(numbers):
    return like(1.0, numbers[0]) / numbers[0]


def test_a_kernel_computes_in_the_precision_of_its_numbers() -> None:
    single, double = (third(np.array([3.0], number)) for number in (np.float32, np.float64))
    assert single == float(np.float32(1) / np.float32(3)) != double == 1 / 3
