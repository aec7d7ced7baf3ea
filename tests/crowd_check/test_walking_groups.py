import json
import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.crowd_check import walking_groups as module
from paseo.crowd_check.real_crowds import RECORDED
from paseo.crowd_check.samples import CLOCK, TrackSamples, moments
from paseo.crowd_check.walking_groups import (
    encounters,
    group_labels,
    nearest_others,
    pairs_at_once,
    walking_groups,
)
from paseo.data.recordings.groups import Groups
from paseo.data.store.locations import DataFolder
from paseo.world.tracks import Track, transformed
from worlds import walk


def groups_of(*tracks: Track) -> Groups:
    return walking_groups(moments(tracks))


def along(person: int, y: float, *, ticks: int = 11, late: int = 0, speed: float = 1.0) -> Track:
    """Somebody who walks along x, seen at so many ticks."""
    start, end = late * CLOCK, (late + ticks - 1) * CLOCK
    return walk(person, (start, speed * start, y), (end, speed * end, y))


def strollers(people: int, seed: int = 0) -> TrackSamples:
    """People who wander about, coming and going."""
    rng = np.random.default_rng(seed)
    tracks = []
    for person in range(people):
        times = CLOCK * np.arange(rng.integers(0, 10), rng.integers(12, 40))
        steps = rng.normal(0, 0.3, (len(times), 2))
        tracks.append(Track(3 * person, times, rng.uniform(0, 4, 2) + np.cumsum(steps, axis=0)))
    return moments(tracks)


def test_two_abreast_are_a_group_and_a_third_joins_through_one_of_them() -> None:
    assert groups_of(along(5, 0.0), along(2, 1.2)) == ((2, 5),)
    assert groups_of(along(5, 0.0), along(2, 1.2), along(9, 2.4)) == ((2, 5, 9),)


def test_who_walks_too_far_apart_or_the_other_way_is_no_mate() -> None:
    assert groups_of(along(1, 0.0), along(2, 1.6)) == ()
    assert groups_of(along(1, 0.0, speed=0.2), along(2, 0.5, speed=-0.2)) == ()


def test_velocities_differ_by_less_than_035_on_average() -> None:
    assert groups_of(along(1, 0.0), along(2, 0.5, speed=1.34)) == ((1, 2),)
    assert groups_of(along(1, 0.0), along(2, 0.5, speed=1.36)) == ()


def test_two_seconds_are_five_ticks() -> None:
    assert groups_of(along(1, 0.0, ticks=5), along(2, 0.5)) == ((1, 2),)
    assert groups_of(along(1, 0.0, ticks=4), along(2, 0.5)) == ()


def test_half_of_the_shorter_stay_is_shared() -> None:
    assert groups_of(along(1, 0.0, ticks=10), along(2, 0.5, ticks=30, late=5)) == ((1, 2),)
    assert groups_of(along(1, 0.0, ticks=11), along(2, 0.5, ticks=30, late=6)) == ()


def test_four_of_five_ticks_are_near() -> None:
    # Away from the other by 0.1 m per tick: nearer than 1.6 m at 8 or at 7 of the 10 ticks.
    for start, expected in ((0.85, ((1, 2),)), (0.95, ())):
        leaving = walk(2, (0, 0, start), (9 * CLOCK, 9 * CLOCK, start + 0.9))
        assert groups_of(along(1, 0.0, ticks=10), leaving) == expected


def test_an_encounter_by_hand() -> None:
    # Towards each other at 1 m/s each, 0.3 m aside, meeting at tick 2.
    at = moments([walk(7, (0, -0.8, 0), (1.6, 0.8, 0)), walk(3, (0, 0.8, 0.3), (1.6, -0.8, 0.3))])
    met = encounters(at)
    assert (met.first.tolist(), met.second.tolist()) == ([3], [7])
    assert (met.ticks.tolist(), met.near_ticks.tolist()) == ([5], [3])
    np.testing.assert_allclose(met.closest, [0.3])
    np.testing.assert_allclose(met.drift, [2.0])


def test_who_shares_a_single_tick_has_no_drift_and_no_group() -> None:
    at = moments([walk(1, (0, 0, 0)), along(2, 0.5)])
    assert np.isnan(encounters(at).drift).all()
    assert walking_groups(at) == ()


@pytest.mark.parametrize("most", [1, 40, 1_000_000])
def test_pairs_are_all_those_at_the_same_tick_once(most: int) -> None:
    at = strollers(9)
    found = [
        (int(one), int(other))
        for pairs in pairs_at_once(at, most)
        for one, other in zip(pairs.first, pairs.second, strict=True)
    ]
    wanted = {(k, m) for k, m in combinations(range(len(at)), 2) if at.ticks[k] == at.ticks[m]}
    assert len(found) == len(wanted)
    assert set(found) == wanted


def test_it_does_not_matter_how_many_are_looked_at_in_one_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = strollers(12)
    whole = encounters(at)
    monkeypatch.setattr(module, "pairs_at_once", lambda at: pairs_at_once(at, most=5))
    parts = encounters(at)
    for name in ("first", "second", "ticks", "near_ticks", "closest", "drift"):
        np.testing.assert_allclose(getattr(parts, name), getattr(whole, name))


def test_moving_and_turning_the_crowd_changes_no_group() -> None:
    tracks = [along(1, 0.0), along(2, 1.2), along(3, 3.0), along(4, 3.9, speed=1.2)]
    c, s = math.cos(2.0), math.sin(2.0)
    matrix = np.array([[c, -s, 400.0], [s, c, -70.0]])
    turned = [transformed(track, matrix) for track in tracks]
    assert groups_of(*turned) == groups_of(*tracks) == ((1, 2), (3, 4))


def test_the_nearest_other_by_brute_force() -> None:
    at = strollers(8, seed=3)
    labels = group_labels(at.people, ((0, 3, 6), (12, 999)))
    anybody, strangers = nearest_others(at, at.people, labels)
    for k in range(len(at)):
        others = [m for m in range(len(at)) if at.ticks[m] == at.ticks[k] and m != k]
        gaps = {m: math.dist(at.positions[k], at.positions[m]) for m in others}
        apart = [gap for m, gap in gaps.items() if labels[m] != labels[k]]
        assert anybody[k] == pytest.approx(min(gaps.values(), default=math.inf))
        assert strangers[k] == pytest.approx(min(apart, default=math.inf))


def test_labels_are_shared_within_groups_only() -> None:
    labels = group_labels(np.array([4, 4, 9, 1, 7]), ((1, 9), (50, 60)))
    assert labels[0] == labels[1]
    assert labels[2] == labels[3]
    assert len(set(labels.tolist())) == 3


def test_nobody_and_one_alone_meet_nobody() -> None:
    for at in (moments([]), moments([along(1, 0.0)])):
        assert len(encounters(at).first) == 0
        assert walking_groups(at) == ()
        assert np.isinf(nearest_others(at, at.people)[0]).all()


@pytest.mark.recordings
@pytest.mark.parametrize("name", RECORDED)
def test_the_rule_finds_the_groups_that_were_published(name: str, data_dir: Path) -> None:
    recording = DataFolder(data_dir).recording(name)
    found = walking_groups(moments(recording.tracks))
    published: dict[str, Any] = json.loads((data_dir / "realism.json").read_text())
    wanted = published["datasets"][name]["groups_detected_by_rule"]
    sizes = [len(group) for group in found]
    assert {str(size): sizes.count(size) for size in sorted(set(sizes))} == wanted["sizes"]
    ours, theirs = _pairs(found), _pairs(recording.groups)
    precision, recall = len(ours & theirs) / len(ours), len(ours & theirs) / len(theirs)
    assert round(precision, 3) == wanted["pair_precision_vs_annotation"]
    assert round(recall, 3) == wanted["pair_recall_vs_annotation"]


def _pairs(groups: Groups) -> set[tuple[int, int]]:
    return {pair for group in groups for pair in combinations(group, 2)}
