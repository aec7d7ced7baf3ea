"""Whether covariances tell the truth: bounds on means of normalised squares."""

import math
from statistics import NormalDist

from paseo.errors import BadValue


def bounds_of_mean(count: int, *, freedom: int, share: float = 0.99) -> tuple[float, float]:
    """Between which the mean of so many chi squares lies in a share of all cases.

    Their sum is chi square of count * freedom degrees (Bar-Shalom, Li and Kirubarajan 2001,
    section 5.4.2), here by the cube root of Wilson and Hilferty 1931.
    """
    if count < 1 or freedom < 1:
        raise BadValue(f"{count} squares of {freedom} degrees of freedom have no mean to judge")
    degrees = count * freedom
    aside = NormalDist().inv_cdf((1 + share) / 2) * math.sqrt(2 / (9 * degrees))
    low, high = (freedom * (1 - 2 / (9 * degrees) + each) ** 3 for each in (-aside, aside))
    return low, high
