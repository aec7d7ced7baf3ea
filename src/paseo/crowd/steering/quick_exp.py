"""Exponential and angle in plain arithmetic, so that loops over them run on all lanes at once.

The library calls behind `math.exp` and `math.atan2` are made one number at a time, and differ from
machine to machine in the last digit. These do not.
"""

from paseo.compiled import compiled

WIDEST = 32.0  # exponents beyond plus or minus this count as this
QUARTER, HALF = 1.5707963267948966, 3.141592653589793  # turns, in radians


@compiled
def quick_exp(x: float) -> float:
    """e to the x for -32 to 32, to 1e-5 of its value; to 1e-8 for -10 to 10."""
    r = min(max(x, -WIDEST), WIDEST) * 0.015625
    # Taylor's series of e to the x / 64, then squared six times.
    y = 1.0 + r * (1.0 + r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (
        1 / 120 + r * (1 / 720 + r * (1 / 5040)))))))  # fmt: skip
    y *= y
    y *= y
    y *= y
    y *= y
    y *= y
    return y * y


@compiled
def quick_angle(sine: float, cosine: float) -> float:
    """The angle from 0 to pi with this cosine and this sine, of either sign, to 1e-7 rad."""
    s, c = abs(sine), abs(cosine)
    t = min(s, c) / max(max(s, c), 1e-300)
    z = t * t
    # The series of arctan(t) / t in t squared that is best on 0 to 1 (Chebyshev, 8 terms).
    a = t * (0.9999998977538573 + z * (-0.33331959724324794 + z * (0.19969235394799606 + z * (
        -0.1401658504208332 + z * (0.09906096896049713 + z * (-0.059367100788908035 + z * (
            0.024166189521991503 + z * -0.0046687733075668186)))))))  # fmt: skip
    a = QUARTER - a if s > c else a
    return HALF - a if cosine < 0.0 else a
