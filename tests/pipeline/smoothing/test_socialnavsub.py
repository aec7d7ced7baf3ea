"""SocialNav-SUB's smoother gives the numbers that the authors' code gives."""

import numpy as np
import pytest

from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.socialnavsub import SocialNavSubSmoother
from paseo.world.arrays import FloatArray

# Seen at steps 0, 1, 2, 6, 7 and 8. What follows was printed by kalman_smooth of
# github.com/michaelmunje/tune_3d_estimates (structures.py), after its interpolation.
STEPS = np.array([0, 1, 2, 6, 7, 8])
SEEN = np.array([(2.0, 1.0), (2.3, 1.1), (2.5, 1.4), (3.4, 1.9), (3.5, 2.4), (3.4, 2.9)])
STATES = [
    (2.1639833105, 1.0447714184, 0.3587577656, 0.4430689222),
    (2.345211915, 1.1577906242, 0.3674541966, 0.4449727633),
    (2.5360889125, 1.3458545355, 0.3755198772, 0.4465193281),
    (2.7334543011, 1.4981828378, 0.3832762904, 0.4477079034),
    (2.9287670204, 1.6430855939, 0.3907735805, 0.4485499775),
    (3.1127976046, 1.8015245933, 0.3978163791, 0.4490742045),
    (3.2729195772, 2.0079796167, 0.4037728237, 0.4493296241),
    (3.3893598991, 2.3448622124, 0.4069800739, 0.449381676),
    (3.464886277, 2.6518710527, 0.4073941807, 0.4493604736),
]
FIRST_VARIANCES = (1.1428589559, 1.2674054313, 1.2609974972, 0.7942730058)


def seen(times: FloatArray) -> Places:
    of = np.tile(np.eye(2), (len(times), 1, 1))
    return Places(person=1, times=times, positions=SEEN[: len(times)], covariances=of)


@pytest.mark.parametrize("frames", [np.arange(9) * 0.25, np.empty(0)])
def test_states_are_those_of_the_authors_code(frames: FloatArray) -> None:
    (track,) = SocialNavSubSmoother().tracks(seen(STEPS * 0.25), frames)
    np.testing.assert_allclose(track.states, STATES, atol=1e-9)
    np.testing.assert_allclose(np.diag(track.covariances[0]), FIRST_VARIANCES, atol=1e-9)
    assert track.times.tolist() == (np.arange(9) * 0.25).tolist()


def test_true_time_does_not_matter_to_it() -> None:
    frames = np.cumsum([0, 0.1, 0.4, 0.2, 0.3, 0.3, 0.2, 0.5, 0.1])
    (track,) = SocialNavSubSmoother().tracks(seen(frames[STEPS]), frames)
    np.testing.assert_allclose(track.states, STATES, atol=1e-9)


def test_somebody_seen_once_has_no_track() -> None:
    assert SocialNavSubSmoother().tracks(seen(np.array([0.0])), np.empty(0)) == ()
