import pytest

from paseo.crowd_check.findings import Doubt, Finding
from paseo.crowd_check.frame_rate import likely_rates, pace_finding
from paseo.crowd_check.pace import SPACINGS, TOP_SPEEDS, WalkingPace, typical

SPEED, SPACING = typical(TOP_SPEEDS), typical(SPACINGS)
STREET = (20.0, 15.0)


def paced(speed: float, spacing: float | None, **changes: float) -> WalkingPace:
    """A crowd so many times as fast and as far apart as real ones."""
    apart = None if spacing is None else spacing * SPACING
    return WalkingPace(walkers=50, top_speed=speed * SPEED, spacing=apart, **changes)


def found(pace: WalkingPace, extent: tuple[float, float] = STREET) -> Finding:
    finding = pace_finding(pace, 25.0, extent)
    assert finding is not None
    return finding


def test_a_usual_pace_is_no_finding() -> None:
    for speed in (0.85, 1.0, 1.2):
        assert pace_finding(paced(speed, 1.0), 25.0, STREET) is None


def test_the_true_rate_is_the_one_at_which_people_walk_like_people() -> None:
    finding = found(paced(0.6, 1.0))
    assert finding.doubt is Doubt.FRAME_RATE
    assert "slow motion" in finding.what
    assert "about 41.7 frames/s" in finding.fix
    assert "time lapse" in found(paced(2.0, 1.0)).what
    assert likely_rates(paced(2.5, 1.0), 25.0)[0] == 10


def test_an_odd_spacing_beside_a_wrong_rate_is_admitted() -> None:
    assert "the scale is right" in found(paced(0.5, 1.1)).what
    assert "may be wrong as well" in found(paced(0.3, 2.5)).what


@pytest.mark.parametrize(
    ("factor", "doubt", "words"),
    [
        (100.0, Doubt.SCALE, "centimetres"),
        (1000.0, Doubt.SCALE, "millimetres"),
        (3.2808, Doubt.SCALE, "feet"),
        (40.0, Doubt.PIXELS, "pixels"),
        (2.0, Doubt.SCALE, "not in metres"),
    ],
)
def test_units_are_known_by_their_factor(factor: float, doubt: Doubt, words: str) -> None:
    extent = (20 * factor, 15 * factor)
    finding = found(paced(factor, factor), extent)
    assert (finding.doubt, words in finding.what) == (doubt, True)
    assert "transform=" in finding.fix


def test_without_pairs_the_size_of_the_scene_decides() -> None:
    assert found(paced(0.5, None), STREET).doubt is Doubt.FRAME_RATE
    assert found(paced(40.0, None), (800.0, 600.0)).doubt is Doubt.PIXELS


def test_few_walkers_make_it_less_sure() -> None:
    many, few = paced(0.7, 1.0, error=0.0), paced(0.7, 1.0, error=0.3)
    assert few.implausibility < many.implausibility
    assert pace_finding(few, 25.0, STREET) is None
