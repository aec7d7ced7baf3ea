from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from paseo.crowd_check.continuity import (
    Units,
    gap_finding,
    jump_finding,
    repeated_finding,
    shared_id_finding,
    twin_finding,
)
from paseo.crowd_check.findings import Doubt, Finding, Severity
from paseo.crowd_check.samples import moments
from paseo.world.tracks import Track, absent_in_gaps, transformed
from walkers import corridor_crowd

CROWD = corridor_crowd(40).tracks


def jumps(tracks: Sequence[Track], units: Units) -> Finding | None:
    return jump_finding(tracks, moments(tracks), units)


def with_first(track: Track) -> list[Track]:
    return [track, *CROWD[1:]]


def teleported(track: Track, metres: float, back_after: int | None = None) -> Track:
    positions, k = track.positions.copy(), len(track.times) // 2
    positions[k : k + back_after if back_after else None, 1] += metres
    return replace(track, positions=positions)


def away(track: Track, start: float, end: float, *, moved: float = 0.0) -> Track:
    times = track.times - track.times[0]
    positions = track.positions + np.where(times >= end, moved, 0.0)[:, None]
    kept = (times < start) | (times >= end)
    return absent_in_gaps(Track(track.id, track.times[kept], positions[kept]), 2.0)


def test_people_who_walk_do_not_jump() -> None:
    assert jumps(CROWD, Units()) is None


def test_a_teleport_is_found_where_it_happens() -> None:
    found = jumps(with_first(teleported(CROWD[0], 3.0)), Units())
    assert found is not None
    assert (found.doubt, found.people, len(found.spots)) == (Doubt.JUMPS, (CROWD[0].id,), 1)
    assert found.severity is Severity.WRONG  # 30 m/s, which nobody ever ran


def test_a_slip_of_one_frame_is_two_jumps() -> None:
    found = jumps(with_first(teleported(CROWD[0], 3.0, back_after=1)), Units())
    assert found is not None
    assert len(found.spots) == 2


def test_hasty_steps_are_unusual_however_many() -> None:
    one = jumps(with_first(teleported(CROWD[0], 0.8)), Units())  # 8 m/s for 0.1 s
    many = jumps([teleported(track, 0.8) for track in CROWD], Units())
    assert one is not None
    assert many is not None
    assert (one.severity, many.severity) == (Severity.UNUSUAL, Severity.UNUSUAL)


def test_an_interpolated_jump_counts_as_one() -> None:
    track = CROWD[0]
    ramp = np.clip(np.arange(len(track.times)) - 20, 0, 4) * 0.45  # 4.5 m/s sideways for 0.4 s
    positions = track.positions + np.stack([np.zeros_like(ramp), ramp], axis=1)
    found = jumps(with_first(replace(track, positions=positions)), Units())
    assert found is not None
    assert found.people == (track.id,)


def test_the_noise_of_a_tracker_is_no_jump() -> None:
    rng = np.random.default_rng(3)
    fast = [
        Track(t.id, t.times / 4, t.positions + rng.normal(0, 0.05, t.positions.shape))
        for t in CROWD
    ]
    assert jumps(fast, Units(speed=4.0)) is None


def test_a_runner_does_not_jump() -> None:
    times = np.arange(20) / 10
    runner = Track(1, times, np.stack([5.0 * times, np.zeros(20)], axis=1))
    assert jumps(with_first(runner), Units()) is None


def test_jumps_are_judged_in_the_units_that_would_be_right() -> None:
    matrix = np.array([[40.0, 0, 0], [0, 40.0, 0]])
    pixels = [transformed(track, matrix) for track in with_first(teleported(CROWD[0], 3.0))]
    found = jumps(pixels, Units(metre=40.0, speed=40.0))
    assert found is not None
    assert found.people == (CROWD[0].id,)


def test_nobody_missing_is_no_gap() -> None:
    assert gap_finding(CROWD) is None


def test_a_person_unseen_for_a_while_is_unusual() -> None:
    found = gap_finding(with_first(away(CROWD[0], 2.0, 6.0)))
    assert found is not None
    assert (found.doubt, found.people) == (Doubt.GAPS, (CROWD[0].id,))
    assert found.severity is Severity.UNUSUAL


def test_a_hole_in_the_film_is_wrong_and_dated() -> None:
    holed = []
    for track in CROWD:
        kept = (track.times < 20.0) | (track.times >= 24.5)
        if kept.any():
            rest = Track(track.id, track.times[kept], track.positions[kept])
            holed.append(absent_in_gaps(rest, 2.0))
    found = gap_finding(holed)
    assert found is not None
    assert found.severity is Severity.WRONG
    assert "from 19.9 s to 24.5 s" in found.what


def test_an_id_that_comes_back_elsewhere_is_two_people() -> None:
    for metres, severity in ((15.0, Severity.UNUSUAL), (40.0, Severity.WRONG)):  # 8 and 20 m/s
        found = shared_id_finding(with_first(away(CROWD[0], 2.0, 5.0, moved=metres)), Units())
        assert found is not None
        assert (found.doubt, found.people) == (Doubt.SHARED_ID, (CROWD[0].id,))
        assert found.severity is severity


def test_an_id_that_comes_back_after_minutes_is_two_people() -> None:
    a, b = CROWD[0], CROWD[8]  # b begins where a began
    both = Track(
        7, np.concatenate([a.times, b.times + 300.0]), np.concatenate([a.positions, b.positions])
    )
    found = shared_id_finding([absent_in_gaps(both, 2.0)], Units())
    assert found is not None
    assert shared_id_finding(with_first(away(a, 2.0, 5.0)), Units()) is None


def test_one_person_recorded_twice_is_found() -> None:
    twin = replace(CROWD[0], id=999, positions=CROWD[0].positions + 0.01)
    tracks = [*CROWD, twin]
    found = twin_finding(moments(tracks), len(tracks), Units())
    assert found is not None
    assert (found.doubt, found.people) == (Doubt.TWINS, (CROWD[0].id, 999))
    assert twin_finding(moments(CROWD), len(CROWD), Units()) is None


def test_two_who_brush_past_each_other_are_no_twins() -> None:
    times = np.arange(100) / 10
    there = np.stack([times, np.zeros(100)], axis=1)
    tracks = [Track(1, times, there), Track(2, times, there[::-1])]
    assert twin_finding(moments(tracks), 2, Units()) is None


@pytest.mark.parametrize(
    ("apart", "doubt"), [([0.0, 0.0], Doubt.REPEATED), ([0.0, 4.0], Doubt.SHARED_ID)]
)
def test_repeated_rows_are_a_slip_or_a_shared_id(apart: list[float], doubt: Doubt) -> None:
    found = repeated_finding([3, 3], np.array(apart), "m")
    assert found is not None
    assert (found.doubt, found.severity, found.people) == (doubt, Severity.WRONG, (3,))
    assert repeated_finding([], np.empty(0), "m") is None


def test_three_hidden_people_among_many_who_are_seen_are_no_hole() -> None:
    hidden = [away(track, 2.0, 6.0) for track in CROWD[:1] + CROWD[2:4]]
    shifted = [replace(t, times=t.times - t.times[0]) for t in hidden]
    others = [replace(t, times=t.times - t.times[0]) for t in CROWD[4:]]
    found = gap_finding([*shifted, *others])
    assert found is not None
    assert "frames are missing" not in found.what


def test_doubled_people_are_found_in_hours_of_recording() -> None:
    hours = [
        Track(2 * k + half, np.arange(30) * 0.4 + 60.0 * k, np.full((30, 2), 1.0 * (k % 7)))
        for k in range(120)
        for half in (0, 1)
    ]
    moving = [replace(t, positions=t.positions + 0.3 * np.arange(30)[:, None]) for t in hours]
    found = twin_finding(moments(moving), len(moving), Units())
    assert found is not None
    assert len(found.people) > 200


def test_everybody_in_one_spot_does_not_take_for_ever() -> None:
    heap = [Track(k, np.arange(40) * 0.4, np.zeros((40, 2))) for k in range(1500)]
    assert twin_finding(moments(heap), len(heap), Units()) is not None
