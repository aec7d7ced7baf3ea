import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from paseo.crowd_check.real_crowds import (
    PLACE_OF_MAP,
    RECORDED,
    Judgement,
    PlaceComparison,
    RealCrowds,
    ks_distance_to_percentiles,
    likeness,
    measured_real_crowds,
    real_crowds_text,
    recorded_profile,
    shipped_real_crowds,
)
from paseo.crowd_check.realism import (
    DISTRIBUTIONS,
    SHARES,
    STATISTICS,
    Profile,
    compared,
    crowd_profile,
    pooled,
)
from paseo.data.maps.floorplans import shipped_maps
from paseo.data.store.locations import DataFolder
from paseo.errors import UnknownName
from walkers import corridor_crowd

QUANTILES = (1, 5, 10, 25, 50, 75, 90, 95, 99)


@pytest.fixture(scope="module")
def real(data_dir: Path) -> dict[str, Profile]:
    return {name: recorded_profile(DataFolder(data_dir).recording(name)) for name in RECORDED}


@pytest.mark.slow
@pytest.mark.recordings
def test_what_ships_is_what_the_recordings_measure(data_dir: Path) -> None:
    found = measured_real_crowds({name: DataFolder(data_dir).recording(name) for name in RECORDED})
    shipped = shipped_real_crowds()
    assert found.bars == pytest.approx(shipped.bars, rel=1e-4)
    for ours, theirs in zip(found.places, shipped.places, strict=True):
        assert (ours.name, ours.people, ours.windows) == (
            theirs.name,
            theirs.people,
            theirs.windows,
        )
        assert ours.shares == pytest.approx(theirs.shares, rel=1e-4)
        for name, span in theirs.window_ranges.items():
            assert ours.window_ranges[name] == pytest.approx(span, rel=1e-4)
        for name, values in theirs.percentiles.items():
            assert ours.percentiles[name] == pytest.approx(values, rel=1e-4, abs=1e-9)


@pytest.mark.recordings
def test_what_ships_agrees_with_what_was_published(data_dir: Path) -> None:
    published = json.loads((data_dir / "realism.json").read_text())["datasets"]
    for name in RECORDED:
        place = shipped_real_crowds().place(name)
        for each, key in (
            ("walking_speed_mps", "walking_speed_mps_moving_steps_gt_0p2"),
            ("nearest_neighbour_m", "nearest_neighbour_distance_m"),
            ("people_at_once", "people_at_once"),
        ):
            wanted = [published[name][key][f"q{q:02d}"] for q in QUANTILES]
            found = [place.percentiles[each][q] for q in QUANTILES]
            assert found == pytest.approx(wanted, rel=5e-5, abs=2.5e-4)


@pytest.mark.recordings
def test_percentiles_tell_distances_between_real_crowds_to_2_per_cent(
    real: dict[str, Profile],
) -> None:
    bars = shipped_real_crowds().bars
    for one in RECORDED:
        for other in RECORDED:
            about = likeness([real[one]], shipped_real_crowds().place(other), bars)
            exact = compared(real[one], real[other])
            for each in about.judgements:
                assert each.distance == pytest.approx(exact[each.statistic.name], abs=0.02)


@pytest.mark.recordings
def test_every_real_crowd_is_nearest_to_itself(real: dict[str, Profile]) -> None:
    real_crowds = shipped_real_crowds()
    for name in RECORDED:
        found = [
            likeness([real[name]], real_crowds.place(each), real_crowds.bars) for each in RECORDED
        ]
        assert min(found, key=lambda each: each.in_bars).place.name == name


@pytest.mark.recordings
def test_with_the_recording_distances_are_exact(real: dict[str, Profile]) -> None:
    real_crowds = shipped_real_crowds()
    both = pooled([real["zara01"], real["zara02"]])
    found = likeness([both], real_crowds.place("zara"), real_crowds.bars, real=both)
    assert found.exact
    assert [each.distance for each in found.judgements] == [0.0] * len(STATISTICS)
    for each in found.judgements:
        assert each.crowd == pytest.approx(each.real, rel=1e-4)


def test_every_shipped_map_has_its_place() -> None:
    assert sorted(PLACE_OF_MAP) == shipped_maps()
    assert all(shipped_real_crowds().place(name) for name in PLACE_OF_MAP.values())
    with pytest.raises(UnknownName, match="no place is called 'zarra'. Did you mean 'zara'"):
        shipped_real_crowds().place("zarra")


def test_the_file_holds_summaries_of_every_statistic_and_no_tracks() -> None:
    text = real_crowds_text(shipped_real_crowds())
    assert len(text) < 60_000
    assert msgspec.json.decode(text, type=RealCrowds) == shipped_real_crowds()
    names = [each.name for each in STATISTICS]
    assert list(shipped_real_crowds().bars) == names
    for place in shipped_real_crowds().places:
        assert list(place.window_ranges) == names
        assert {*place.percentiles, *place.shares} == {*names}
        for values in place.percentiles.values():
            assert len(values) == 101
            assert list(values) == sorted(values)


def test_the_distance_to_percentiles_by_hand() -> None:
    even = np.linspace(0, 1, 101)  # the distribution from 0 to 1, even
    assert ks_distance_to_percentiles(np.array([0.5]), even) == pytest.approx(0.5)
    assert ks_distance_to_percentiles(np.array([0.25, 0.75]), even) == pytest.approx(0.25)
    assert ks_distance_to_percentiles(np.array([7.0]), even) == 1.0
    assert ks_distance_to_percentiles(np.array([-7.0]), even) == 1.0
    many = np.random.default_rng(0).uniform(0, 1, 20_000)
    assert ks_distance_to_percentiles(many, even) < 0.02


def test_values_that_repeat_are_jumps_of_the_distribution() -> None:
    always = [2.0] * 101
    assert ks_distance_to_percentiles(np.array([2.0, 2.0]), always) == 0.0
    assert ks_distance_to_percentiles(np.array([1.0, 2.0]), always) == 0.5
    assert ks_distance_to_percentiles(np.array([2.0, 3.0]), always) == 0.5
    halves = [0.0] * 51 + [1.0] * 50
    assert ks_distance_to_percentiles(np.array([0.0, 1.0]), halves) == pytest.approx(0, abs=0.011)
    assert ks_distance_to_percentiles(np.array([0.0]), halves) == pytest.approx(0.5, abs=0.011)


@pytest.mark.parametrize(
    ("distance", "verdict"),
    [
        (0.0, PlaceComparison.WITHIN_AIM),
        (0.1, PlaceComparison.WITHIN_AIM),
        (0.11, PlaceComparison.WITHIN_BAR),
        (0.2, PlaceComparison.WITHIN_BAR),
        (0.21, PlaceComparison.BEYOND),
        (None, None),
    ],
)
def test_the_aim_is_half_the_bar(distance: float | None, verdict: PlaceComparison | None) -> None:
    found = Judgement(
        statistic=STATISTICS[0], crowd=1.0, real=1.0, distance=distance, bar=0.2,
        window_range=(0.0, 1.0),
    )  # fmt: skip
    assert found.verdict is verdict


def test_short_parts_are_held_against_windows_of_the_real_crowd() -> None:
    real_crowds = shipped_real_crowds()
    corridor = corridor_crowd(60).tracks
    parts = [crowd_profile(corridor, window=(t, t + length)) for t, length in ((0, 60), (20, 95))]
    found = likeness(parts, real_crowds.place("eth"), real_crowds.bars)
    speed, standing = found.judgements[0], found.judgements[1]
    assert (speed.parts, standing.parts) == (1, 1)  # the other is too long
    low, high = speed.window_range
    value = parts[0].value("walking_speed_mps")
    assert value is not None
    assert speed.inside == (low <= value <= high)
    assert standing.inside == 1  # nobody stands, as in the emptiest windows of eth


def test_a_crowd_that_lacks_something_is_judged_by_the_rest() -> None:
    real_crowds = shipped_real_crowds()
    alone = crowd_profile(corridor_crowd(60).tracks[:1])
    found = likeness([alone], real_crowds.place("univ"), real_crowds.bars)
    unknown = {each.statistic.name for each in found.judgements if each.distance is None}
    assert unknown == {
        "nearest_neighbour_m", "nearest_stranger_m", "inter_arrival_s", "closest_approach_m",
        "imminent_conflicts",
    }  # fmt: skip
    assert 0 < found.in_bars < 100
    empty = Profile(
        people=0,
        duration=0.0,
        samples={name: np.empty(0) for name in DISTRIBUTIONS},
        counts=dict.fromkeys(SHARES, (0, 0)),
    )
    assert likeness([empty], real_crowds.place("univ"), real_crowds.bars).in_bars == float("inf")
