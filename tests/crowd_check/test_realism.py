import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.crowd_check.realism import (
    DISTRIBUTIONS,
    SHARES,
    STATISTICS,
    Profile,
    bars,
    compared,
    crowd_profile,
    ks_distance,
    pooled,
    usual_ranges,
    windows,
)
from paseo.crowd_check.samples import CLOCK
from paseo.data.recordings.recordings import read_recording
from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import DataFolder
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.tracks import Track, transformed
from walkers import corridor_crowd
from worlds import walk

PUBLISHED = {
    "walking_speed_mps": "walking_speed_mps_moving_steps_gt_0p2",
    "nearest_neighbour_m": "nearest_neighbour_distance_m",
    "nearest_stranger_m": "nearest_non_group_neighbour_distance_m",
    "path_curvature_per_m": "path_curvature_per_m",
    "inter_arrival_s": "inter_arrival_s",
    "people_at_once": "people_at_once",
    "closest_approach_m": "minimum_distance_of_non_group_pairs_that_come_within_4m",
}
samples = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=12).map(np.array)


def published(data_dir: Path, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((data_dir / "realism.json").read_text())
    return found["datasets"][name]


def summary(values: FloatArray) -> dict[str, float]:
    quantiles = {f"q{q:02d}": float(np.quantile(values, q / 100)) for q in (1, 5, 10, 25, 50, 75)}
    quantiles |= {f"q{q}": float(np.quantile(values, q / 100)) for q in (90, 95, 99)}
    return {"n": len(values), "mean": float(values.mean()), "sd": float(values.std()), **quantiles}


@pytest.mark.recordings
@pytest.mark.parametrize("name", ["eth", "hotel", "univ", "zara01", "zara02"])
def test_a_real_crowd_measures_as_was_published(name: str, data_dir: Path) -> None:
    recording = DataFolder(data_dir).recording(name)
    profile = crowd_profile(recording.tracks, groups=recording.groups)
    wanted = published(data_dir, name)
    assert profile.people == wanted["n_pedestrians"]
    assert profile.duration == pytest.approx(wanted["duration_s"])
    for each, key in PUBLISHED.items():
        found = summary(profile.samples[each])
        assert found["n"] == wanted[key]["n"], each
        for word, value in found.items():
            # The recordings hold tenths of millimetres, which moves a few quantiles this far.
            assert value == pytest.approx(wanted[key][word], abs=2.5e-4), (each, word)
    standing, grouped = (profile.value(share) for share in ("time_standing", "people_in_groups"))
    by_rule = wanted["groups_detected_by_rule"]["fraction_of_pedestrians_in_groups"]
    assert standing == pytest.approx(wanted["fraction_of_time_standing_below_0p2mps"], abs=5e-5)
    assert grouped == pytest.approx(by_rule, abs=5e-5)


@pytest.mark.recordings
def test_unrounded_tracks_measure_to_the_last_digit_as_was_published(data_dir: Path) -> None:
    file = data_dir / "ethucy/raw/univ_students03_annotation.vsp.gz"
    affine = known_recordings()["univ"].affine
    recording = read_recording(file, format="vsp", fps=25, affine=affine)
    groups = DataFolder(data_dir).recording("univ").groups
    profile = crowd_profile(recording.tracks, groups=groups)
    for each, key in PUBLISHED.items():
        wanted = published(data_dir, "univ")[key]
        for word, value in summary(profile.samples[each]).items():
            assert value == pytest.approx(wanted[word], abs=5.1e-5), (each, word)


def test_a_crowd_by_hand() -> None:
    # 1 stands all the time; 2 comes after 0.8 s, 3 m north of it, and walks east at 1 m/s.
    tracks = [walk(1, (0, 0, 0), (2.0, 0, 0)), walk(2, (0.8, 0, 3), (2.4, 1.6, 3))]
    profile = crowd_profile(tracks)
    assert (profile.people, profile.duration) == (2, 2.4)
    near = [math.hypot(CLOCK * k, 3) for k in range(4)]
    wanted = {
        "walking_speed_mps": [1.0] * 4,
        "nearest_neighbour_m": [gap for gap in near for _ in range(2)],
        "nearest_stranger_m": [gap for gap in near for _ in range(2)],
        "path_curvature_per_m": [0.0],
        "inter_arrival_s": [],
        "people_at_once": [1, 1, 1, 2, 2, 2, 2],
        "closest_approach_m": [3.0],
        "path_efficiency": [],  # 1.6 m are hardly a way
        "speed_variation": [],
    }
    for name, values in wanted.items():
        np.testing.assert_allclose(profile.samples[name], values, atol=1e-9)
    assert profile.counts == {
        "time_standing": (5, 9), "people_in_groups": (0, 2), "imminent_conflicts": (0, 3),
    }  # fmt: skip


def test_curvature_is_that_of_the_circle_walked() -> None:
    times = np.arange(0, 20, 0.1)
    angles = times * 1.2 / 5.0  # at 1.2 m/s around a circle of 5 m
    circle = np.stack([5 * np.cos(angles), 5 * np.sin(angles)], axis=1)
    curvatures = crowd_profile([Track(1, times, circle)]).samples["path_curvature_per_m"]
    np.testing.assert_allclose(curvatures, 1 / 5, rtol=0.01)
    slow = crowd_profile([Track(1, times * 3, circle)])
    assert len(slow.samples["path_curvature_per_m"]) == 0


def test_curvature_is_not_measured_across_an_absence() -> None:
    times = np.array([0, 1.6, 1.7, 2.4, 4.0])
    corner = np.array([[0, 0], [2, 0], [np.nan, np.nan], [2, 0], [2, 2]])
    np.testing.assert_allclose(
        crowd_profile([Track(1, times, corner)]).samples["path_curvature_per_m"], 0, atol=1e-9
    )


def test_arrivals_are_after_the_beginning_and_equal_gaps_are_equal() -> None:
    starts = [0.0, 0.0, 5.1, 5.1 + 0.4, 5.1 + 0.8, 9.0]
    tracks = [walk(k, (start, k, 0), (20, k, 5)) for k, start in enumerate(starts)]
    assert crowd_profile(tracks).samples["inter_arrival_s"].tolist() == [0.4, 0.4, 3.1]
    later = crowd_profile(tracks, window=(5.3, 20))
    assert later.samples["inter_arrival_s"].tolist() == [0.4, 3.1]


def test_strangers_are_told_by_annotation_where_there_is_one() -> None:
    abreast = [walk(k, (0, 0, 0.8 * k), (10, 10, 0.8 * k)) for k in (1, 2, 4)]
    by_rule = crowd_profile(abreast)
    assert np.median(by_rule.samples["nearest_stranger_m"]) == pytest.approx(1.6)
    assert len(by_rule.samples["closest_approach_m"]) == 2
    annotated = crowd_profile(abreast, groups=[[2, 4], [8, 9]])
    np.testing.assert_allclose(annotated.samples["closest_approach_m"], [0.8, 2.4])
    assert by_rule.counts == annotated.counts  # the share in groups is by the rule in both
    assert by_rule.counts["people_in_groups"] == (2, 3)


def met(*tracks: Track, **options: Any) -> tuple[int, int]:
    return crowd_profile(tracks, **options).counts["imminent_conflicts"]


def test_strangers_are_about_to_touch_in_the_last_second_and_a_half() -> None:
    # Towards each other at 2 m/s from 5.9 m: in 1.5 s they would touch when 3.4 m are left.
    one, other = walk(1, (0, 0, 0), (2.4, 2.4, 0)), walk(2, (0, 5.9, 0), (2.4, 3.5, 0))
    assert met(one, other) == (2, 6)  # of 5.9, 5.1, 4.3, 3.5, 2.7 and 1.9 m
    assert met(one, other, groups=[[1, 2]]) == (0, 0)  # mates
    beside = walk(2, (0, 5.9, 0.41), (2.4, 3.5, 0.41))
    assert met(one, beside) == (0, 6)
    far = walk(2, (0, 12.0, 0), (2.4, 9.6, 0))
    assert met(one, far) == (0, 0)
    apart = walk(2, (0, 0.5, 0), (2.4, 5.0, 0))
    assert met(one, apart)[0] == 0


def test_who_touches_already_is_not_about_to() -> None:
    still = [walk(k, (0, 0.3 * k, 0), (2, 0.3 * k, 0)) for k in (1, 2)]
    assert met(*still, groups=[]) == (0, 0)


def test_a_path_is_as_efficient_as_it_is_straight() -> None:
    there = walk(1, (0, 0, 0), (4, 4, 0))
    corner = walk(2, (0, 0, 9), (4, 4, 9), (8, 4, 13))
    and_back = walk(3, (0, 0, 20), (4, 4, 20), (8, 0, 20))
    found = crowd_profile([there, corner, and_back]).samples["path_efficiency"]
    np.testing.assert_allclose(found, [0.0, math.sqrt(0.5), 1.0], atol=1e-9)


def test_speed_varies_while_walking_not_by_standing() -> None:
    even = walk(1, (0, 0, 0), (4, 4, 0), (8, 4, 0), (12, 8, 0))  # stands for 4 s
    uneven = walk(2, (0, 0, 9), (4, 2, 9), (8, 8, 9))  # 0.5, then 1.5 m/s
    brief = walk(3, (0, 0, 20), (1.6, 1.6, 20))
    found = crowd_profile([even, uneven, brief]).samples["speed_variation"]
    np.testing.assert_allclose(found, [0.0, 0.5], atol=1e-7)


def test_a_window_measures_like_a_crowd_that_was_cut() -> None:
    whole = corridor_crowd(40).tracks
    begin, end = 12.3, 47.9
    cut = [each for track in whole if (each := _cut(track, begin, end))]
    window = crowd_profile(whole, window=(begin, end))
    alone = crowd_profile(cut, window=(begin, end))
    assert window.counts == alone.counts
    for name in DISTRIBUTIONS:
        np.testing.assert_allclose(window.samples[name], alone.samples[name], atol=1e-9)


def _cut(track: Track, begin: float, end: float) -> Track | None:
    if track.times[0] > end or track.times[-1] < begin:
        return None
    inner = track.times[(track.times > begin) & (track.times < end)]
    edges = [t for t in (begin, end) if track.times[0] <= t <= track.times[-1]]
    times = np.unique(np.concatenate([inner, edges]))
    return Track(track.id, times, track.positions_at(times))


def test_moving_and_turning_the_crowd_changes_nothing() -> None:
    crowd = corridor_crowd(30).tracks
    c, s = math.cos(0.7), math.sin(0.7)
    matrix = np.array([[c, -s, 300.0], [s, c, -50.0]])
    later = [replace(track, times=track.times + 1000 * CLOCK) for track in crowd]
    turned = crowd_profile([transformed(track, matrix) for track in later])
    first = crowd_profile(crowd)
    assert turned.counts == first.counts
    for name in DISTRIBUTIONS:
        np.testing.assert_allclose(turned.samples[name], first.samples[name], atol=1e-7)


def test_what_one_person_alone_cannot_tell_is_left_out() -> None:
    alone, crowd = crowd_profile([walk(1, (0, 0, 0), (9, 9, 0))]), crowd_profile(_two())
    assert alone.value("nearest_neighbour_m") is None
    assert "nearest_neighbour_m" not in compared(alone, crowd)
    assert compared(alone, crowd)["walking_speed_mps"] == 0.0
    nobody = crowd_profile([])
    assert (nobody.people, nobody.value("time_standing")) == (0, None)
    brief = crowd_profile([walk(1, (0.1, 0, 0), (0.3, 1, 0))])  # between two ticks
    assert (brief.people, brief.value("people_at_once")) == (0, None)


def _two() -> list[Track]:
    return [walk(k, (0, 0, 3 * k), (9, 9, 3 * k)) for k in (1, 2)]


def test_a_crowd_of_centuries_is_refused() -> None:
    with pytest.raises(BadValue, match="expected at most 444 hours"):
        crowd_profile([walk(1, (0, 0, 0)), walk(2, (1e9, 0, 0))])


@given(samples, samples)
def test_the_distance_of_two_samples_is_the_largest_gap_of_their_shares(
    a: FloatArray, b: FloatArray
) -> None:
    by_definition = max(abs((a <= x).mean() - (b <= x).mean()) for x in range(7))
    assert ks_distance(a, b) == pytest.approx(by_definition)
    assert ks_distance(a, b) == ks_distance(b, a)
    assert ks_distance(a, a) == 0


def test_samples_without_a_common_range_are_one_apart() -> None:
    assert ks_distance(np.array([1.0, 2.0]), np.array([3.0])) == 1.0


def test_crowds_as_one_have_all_samples_and_added_counts() -> None:
    one, other = crowd_profile(_two()), crowd_profile(corridor_crowd(10).tracks)
    both = pooled([one, other])
    assert both.people == 12
    assert both.duration == one.duration + other.duration
    assert both.counts["people_in_groups"] == (10, 12)
    for name in DISTRIBUTIONS:
        joined = np.concatenate([one.samples[name], other.samples[name]])
        np.testing.assert_array_equal(both.samples[name], np.sort(joined))


def with_shares(*standing: int) -> list[Profile]:
    """Crowds of which so many per cent stand, and nothing else is known."""
    nothing = {name: np.empty(0) for name in DISTRIBUTIONS}
    return [
        Profile(
            people=1,
            duration=60.0,
            samples=nothing,
            counts=dict.fromkeys(SHARES, (0, 0)) | {"time_standing": (each, 100)},
        )
        for each in standing
    ]


def test_the_bar_is_the_median_over_all_pairs() -> None:
    found = bars(with_shares(0, 10, 30))  # 0.1, 0.3 and 0.2 apart
    assert found == {"time_standing": pytest.approx(0.2)}


def test_usual_is_from_5_to_95_per_cent() -> None:
    (usual,) = usual_ranges(with_shares(*range(101))).values()
    assert usual == pytest.approx((0.05, 0.95))


def test_windows_are_whole_and_begin_every_15_seconds() -> None:
    tracks = [walk(1, (7, 0, 0), (127, 120, 0)), walk(2, (40, 0, 5), (60, 20, 5))]
    found = windows(tracks)
    assert [each.duration for each in found] == [60.0] * 5  # from 7, 22, ..., 67 s
    assert [each.people for each in found] == [2, 2, 2, 2, 1]
    assert windows([walk(1, (0, 0, 0), (59, 9, 0))]) == []


def test_every_statistic_is_measured() -> None:
    profile = crowd_profile(corridor_crowd(10).tracks)
    assert {*profile.samples, *profile.counts} == {each.name for each in STATISTICS}
    assert {*DISTRIBUTIONS, *SHARES} == {each.name for each in STATISTICS}
