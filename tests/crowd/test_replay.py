"""Replay: people are where they were recorded at each moment; touched people may pause."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paseo.crowd.replay import Replay
from paseo.planners.stop import Stop
from paseo.sim.simulate import simulate
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Snapshot
from paseo.world.scenarios import Pause
from paseo.world.tracks import Track
from worlds import Driver, crossing, scenario, walk

FAR_AWAY = RobotState(Pose(1e6, 0.0), Twist(0.0, 0.0), 0.24)


def states(task, count):
    """The crowds of states 0 to `count`, with the robot nowhere near."""
    replay = Replay()
    crowds = [replay.begin(task)]
    for step in range(count):
        crowds.append(replay.step(Snapshot(step * task.dt, FAR_AWAY, crowds[-1]), task.dt))
    return crowds


def present(crowds, person=1):
    return [step for step, crowd in enumerate(crowds) if person in crowd.ids]


@st.composite
def walks(draw, person):
    # In milliseconds: closer than a nanosecond, a sample and the clock are the same moment.
    start = draw(st.integers(-3000, 4000))
    pieces = draw(st.lists(st.integers(20, 2000), max_size=7))
    place = st.tuples(st.floats(-20, 20), st.floats(-20, 20))
    places = draw(st.lists(place, min_size=len(pieces) + 1, max_size=len(pieces) + 1))
    return Track(person, np.cumsum([start, *pieces]) / 1000, np.array(places))


def expected(track, time):
    """Position and velocity by numpy, or None while absent."""
    if not track.times[0] - 1e-9 <= time <= track.times[-1] + 1e-9:
        return None
    place = [np.interp(time, track.times, track.positions[:, axis]) for axis in (0, 1)]
    if len(track.times) == 1:
        return place, [0, 0]
    piece = np.searchsorted(track.times, time + 1e-9, side="right") - 1
    return place, track.velocities()[min(piece, len(track.times) - 2)]


@settings(max_examples=60)
@given(st.tuples(walks(1), walks(2), walks(9)), st.sampled_from([0.05, 0.1, 1 / 30, 0.07]))
def test_people_are_where_numpy_interpolates_them_at_the_speed_of_their_piece(tracks, dt):
    task = scenario(*tracks, dt=dt, time_limit=20.0)
    for step, crowd in enumerate(states(task, 140)):  # more than are read ahead at once
        wanted = {t.id: found for t in tracks if (found := expected(t, step * dt)) is not None}
        assert crowd.ids.tolist() == sorted(wanted)
        for person, place, velocity in zip(
            crowd.ids.tolist(), crowd.positions, crowd.velocities, strict=True
        ):
            np.testing.assert_allclose(place, wanted[person][0], rtol=0, atol=1e-12)
            np.testing.assert_allclose(velocity, wanted[person][1], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dt", [0.05, 0.1, 1 / 30])
def test_a_state_labelled_t_shows_people_at_t_not_a_step_before(dt):
    """The original shows the places of t - dt; states 0 and 1 are the same there."""
    crowds = states(scenario(walk(1, (0, 0, 0), (10, 10, 0)), dt=dt), 50)
    np.testing.assert_allclose(
        [crowd.positions[0, 0] for crowd in crowds], np.arange(51) * dt, atol=1e-14
    )


def test_people_are_there_from_their_first_sample_to_their_last():
    assert present(states(scenario(walk(1, (0.3, 1, 1), (0.6, 2, 2))), 20)) == [*range(6, 13)]
    assert present(states(scenario(walk(1, (0.31, 1, 1), (0.59, 2, 2))), 20)) == [*range(7, 12)]


def test_who_was_there_before_the_start_is_met_in_mid_walk():
    crowds = states(scenario(walk(1, (-1, 0, 0), (1, 4, 0))), 30)
    assert crowds[0].positions.tolist() == [[2, 0]]
    assert present(crowds) == [*range(21)]


def test_who_left_before_the_start_or_comes_after_the_end_is_never_there():
    crowds = states(scenario(walk(1, (-2, 0, 0), (-1, 0, 0)), walk(2, (99, 0, 0), (100, 0, 0))), 50)
    assert all(len(crowd) == 0 for crowd in crowds)


def test_one_sample_is_one_state_if_the_clock_strikes_it():
    crowds = states(scenario(walk(1, (0.15, 3, 4)), walk(2, (0.17, 3, 4))), 10)
    assert present(crowds, 1) == [3]  # although 3 * 0.05 is a little more than 0.15
    assert crowds[3].positions.tolist() == [[3, 4]]
    assert crowds[3].velocities.tolist() == [[0, 0]]
    assert present(crowds, 2) == []


@pytest.mark.parametrize("fps", [10, 20, 25, 30])
def test_no_frame_falls_between_two_states_of_the_same_rate(fps):
    """As floats, k / fps and k * dt may differ in the last digit, either way."""
    for frame in range(120):
        task = scenario(walk(1, (frame / fps, 1, 1)), dt=1 / fps)
        assert present(states(task, 120)) == [frame]


def test_gaps_make_people_absent_but_not_at_their_samples():
    gap = walk(1, (0, 0, 0), (0.1, 1, 0), (0.2, np.nan, np.nan), (0.4, 2, 0), (0.5, 3, 0))
    crowds = states(scenario(gap), 12)
    assert present(crowds) == [0, 1, 2, 8, 9, 10]
    np.testing.assert_allclose(
        np.concatenate([crowd.positions[:, 0] for crowd in crowds]), [0, 0.5, 1, 2, 2.5, 3]
    )
    assert np.isfinite(np.concatenate([crowd.velocities for crowd in crowds])).all()
    blink = walk(1, (0, 0, 0), (0.1, np.nan, np.nan), (0.2, 2, 0))
    assert present(states(scenario(blink), 6)) == [0, 4]


def test_absent_people_are_nan_in_the_record():
    record = simulate(scenario(walk(1, (0.3, 1, 1), (0.6, 2, 2)), walk(5, (0, 9, 9))), Stop())
    assert np.isnan(record.people[:6, 0]).all() and np.isnan(record.people[13:, 0]).all()
    assert np.isfinite(record.people[6:13, 0]).all()
    assert record.people[0, 1].tolist() == [9, 9] and np.isnan(record.people[1:, 1]).all()


def test_nobody_at_all_is_an_empty_crowd():
    record = simulate(scenario(), Stop())
    assert record.people.shape == (201, 0, 2)
    assert all(len(crowd) == 0 for crowd in states(scenario(), 70))


def test_what_was_shown_stays_as_it_was():
    driver = Driver()
    record = simulate(scenario(crossing()), driver)
    kept = [observation.crowd.positions[0] for observation in driver.observations[:160]]
    np.testing.assert_array_equal(kept, record.people[:160, 0])


def test_a_replay_can_begin_again():
    replay = Replay()
    task = scenario(crossing())
    first = replay.begin(task)
    replay.step(Snapshot(0.0, FAR_AWAY, first), task.dt)
    np.testing.assert_array_equal(replay.begin(task).positions, first.positions)


# The person of `crossing` first overlaps the standing robot in state 132, 6.6 s, and does so
# until state 148; the recording ends in state 160.


def paused_people(pause, *others):
    return simulate(scenario(crossing(), *others, pause=pause, time_limit=15.0), Stop()).people


def test_who_is_touched_stands_for_the_pause_and_then_walks_the_whole_recording():
    undisturbed, paused = paused_people(None), paused_people(Pause(duration=0.5, cooldown=60))
    np.testing.assert_array_equal(paused[:133], undisturbed[:133])
    np.testing.assert_array_equal(paused[132:143], np.repeat(undisturbed[132:133], 11, axis=0))
    np.testing.assert_array_equal(paused[142:171], undisturbed[132:161])
    assert np.isfinite(paused[170]).all() and np.isnan(paused[171:]).all()


def test_who_stands_is_seen_to_stand():
    driver = Driver()
    simulate(scenario(crossing(), pause=Pause(duration=0.5, cooldown=60)), driver)
    speeds = [observation.crowd.velocities[0, 0] for observation in driver.observations[130:146]]
    assert speeds == [-1] * 3 + [0] * 10 + [-1] * 3


def test_after_the_cooldown_a_touch_stops_them_again():
    paused = paused_people(Pause(duration=0.5, cooldown=0.2))[:, 0, 0]
    stands = np.nonzero(np.diff(paused) == 0.0)[0]
    # Ten steps of standing and four of walking take turns until the two have parted.
    assert stands.tolist() == [start + step for start in range(132, 201, 14) for step in range(10)]


def test_only_who_is_touched_stands():
    bystander = walk(2, (0, 9, 8), (8, 1, 8))
    disturbed = paused_people(Pause(duration=0.5, cooldown=60), bystander)
    np.testing.assert_array_equal(disturbed[:, 1], paused_people(None, bystander)[:, 1])


def test_a_pause_that_nobody_needs_changes_nothing():
    tracks = (walk(1, (0, 9, 8), (8, 1, 8)), walk(2, (0.33, 1, 2), (4.7, 8, 2)))
    driver = Driver(Twist(1.0, 0.1))
    plain, ready = (simulate(scenario(*tracks, pause=p), driver) for p in (None, Pause()))
    for name in ("robot", "commands", "people"):
        assert getattr(plain, name).tobytes() == getattr(ready, name).tobytes()
    assert plain.contacts == ready.contacts == ()
