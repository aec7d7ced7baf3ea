"""The smoothers that ship, by name."""

from collections.abc import Callable, Mapping

from paseo.errors import UnknownName
from paseo.pipeline.smoothing.smoother import KalmanSmoother, Motion, Smoother
from paseo.pipeline.smoothing.socialnavsub import SocialNavSubSmoother

SMOOTHERS: Mapping[str, Callable[[], Smoother]] = {
    "paseo": KalmanSmoother,
    "unicycle": lambda: KalmanSmoother(motion=Motion.UNICYCLE),
    "socialnav-sub": SocialNavSubSmoother,
}


def make_smoother(name: str) -> Smoother:
    """The smoother of this name, with its own constants."""
    if name not in SMOOTHERS:
        raise UnknownName("smoother", name, SMOOTHERS)
    return SMOOTHERS[name]()
