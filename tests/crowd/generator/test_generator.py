"""Generated crowds keep their promises, and people in them do what the recipe says."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from paseo.crowd.generator.generator import generate_crowd, generated
from paseo.crowd.steering.social_force import Form, SocialForce
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.suites.crowd_recipe import shipped_recipe, shipped_recipes
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.recipes import (
    Arrivals,
    Flow,
    Gate,
    Groups,
    Habit,
    Manners,
    Recipe,
    Speeds,
    Stay,
)
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording, Track
from worlds import plan

HALL = plan("hall", (0, 0, 24, 10))
PILLARED = plan("pillared", (0, 0, 24, 10), (11, 1, 13, 9))  # passable at both sides only
WEST = Gate(name="west", x=1.0, y=5.0, width=3.0)
EAST = Gate(name="east", x=23.0, y=5.0, width=3.0)
CALM = Manners(wander=0.0, wander_spread=0.0, unevenness=0.0)
ALONE = Groups(sizes=(1.0,))


def recipe(**changes: Any) -> Recipe:
    """Some people who walk from west to east and back, with no whims."""
    parts: dict[str, Any] = {
        "name": "test",
        "gates": (WEST, EAST),
        "flows": (
            Flow(origin="west", destination="east", rate=0.2),
            Flow(origin="east", destination="west", rate=0.2),
        ),
        "manners": CALM,
        "groups": ALONE,
    }
    return Recipe(**{**parts, **changes})


def crowd(
    place: FloorPlan = HALL, duration: float = 60.0, seed: int = 1, **changes: Any
) -> Recording:
    steering = SocialForce(form=Form.ANGULAR)
    return generated(place, recipe(**changes), duration=duration, seed=seed, steering=steering)


def gaps(recording: Recording, times: FloatArray) -> FloatArray:
    """Distances of all pairs, (times, people, people); infinite to oneself, NaN of the absent."""
    where = np.stack([track.positions_at(times) for track in recording.tracks], axis=1)
    offsets = where[:, :, None] - where[:, None]
    distances = np.hypot(offsets[..., 0], offsets[..., 1])
    distances[:, range(len(recording.tracks)), range(len(recording.tracks))] = np.inf
    return distances


def longest_run(close: FloatArray) -> int:
    """The most times in a row at which any one pair is close, of (times, people, people)."""
    run = longest = np.zeros(close.shape[1:], int)
    for now in close:
        run = np.where(now, run + 1, 0)
        longest = np.maximum(longest, run)
    return int(longest.max())


def check_promises(recording: Recording, place: FloorPlan) -> None:
    """By brute force on a clock finer than the simulation's."""
    step = 0.05
    last = max(track.times[-1] for track in recording.tracks)
    distances = gaps(recording, np.arange(0.0, last, step))
    assert np.nanmin(distances) >= 0.2
    assert longest_run(distances < 0.3) * step <= 0.5
    for track in recording.tracks:
        assert np.hypot(*track.velocities().T).max(initial=0.0) <= 2.5
        inner = track.positions_at(np.arange(track.times[0], track.times[-1], step))
        assert all(place.clearance(x, y) > 0.0 for x, y in inner)


def walked_speed(track: Track) -> float:
    """Mean speed between the first and the last second."""
    steady = (track.times > track.times[0] + 1.5) & (track.times < track.times[-1] - 1.5)
    path = track.positions[steady]
    lengths = np.hypot(*np.diff(path, axis=0).T)
    return float(lengths.sum() / np.ptp(track.times[steady]))


def same(a: Recording, b: Recording) -> bool:
    return len(a.tracks) == len(b.tracks) and all(
        np.array_equal(one.times, other.times) and np.array_equal(one.positions, other.positions)
        for one, other in zip(a.tracks, b.tracks, strict=True)
    )


def test_the_same_seed_gives_the_same_tracks_and_another_seed_does_not() -> None:
    mixed = Groups(sizes=(0.5, 0.3, 0.2))
    first = crowd(duration=20.0, groups=mixed, manners=Manners())
    again = crowd(duration=20.0, groups=mixed, manners=Manners())
    other = crowd(duration=20.0, groups=mixed, manners=Manners(), seed=2)
    assert same(first, again) and first.groups == again.groups
    assert not same(first, other)


@pytest.mark.slow
def test_a_busy_hall_keeps_all_promises() -> None:
    busy = (
        Flow(origin="west", destination="east", rate=1.0),
        Flow(origin="east", destination="west", rate=1.0),
    )
    stays = (Stay(habit=Habit.TALK, x=12.0, y=5.0, rate=0.05, sizes=(0.0, 0.5, 0.3, 0.2)),)
    recording = crowd(duration=30.0, flows=busy, stays=stays, groups=Groups(), manners=Manners())
    assert len(recording.tracks) > 40
    check_promises(recording, HALL)


@pytest.mark.parametrize("name", ["Univ"])
def test_a_shipped_map_keeps_all_promises(name: str) -> None:
    place = shipped_floorplan(name)
    recipe = shipped_recipe(name).recipe(place)
    steering = SocialForce(form=Form.ANGULAR)
    check_promises(generated(place, recipe, duration=60.0, seed=3, steering=steering), place)


def test_every_shipped_map_has_a_recipe_that_populates_it_from_the_first_moment() -> None:
    present = 0
    for name in shipped_recipes():
        place = shipped_floorplan(name)
        recipe = shipped_recipe(name).recipe(place)
        steering = SocialForce(form=Form.ANGULAR)
        recording = generated(place, recipe, duration=10.0, seed=1, steering=steering)
        present += sum(track.times[0] == 0.0 for track in recording.tracks)
        assert recording.name == f"synthetic {name}, seed 1"
    assert present > 20


def test_people_are_sampled_every_0_4_s_besides_their_first_and_last_moment() -> None:
    for track in crowd(duration=30.0).tracks:
        frames = np.rint(track.times * 10).astype(int)
        assert np.allclose(track.times, frames / 10)
        expected = np.arange(-(-frames[0] // 4) * 4, frames[-1] + 1, 4)
        assert set(expected) <= set(frames)


def test_people_walk_at_the_speed_they_like_where_nobody_is_near() -> None:
    sparse = (Flow(origin="west", destination="east", rate=0.05),)
    for value in (0.8, 1.3, 1.8):
        speeds = Speeds(shares=(0.0, 1.0), values=(value, value))
        recording = crowd(duration=60.0, flows=sparse, speeds=speeds)
        walks = [track for track in recording.tracks if np.ptp(track.times) > 8.0]
        assert walks
        for track in walks:
            assert walked_speed(track) == pytest.approx(value, rel=0.1)


@pytest.mark.parametrize("place", [HALL, PILLARED], ids=lambda place: place.name)
def test_everybody_reaches_the_gate_they_walk_to(place: FloorPlan) -> None:
    flow = (Flow(origin="west", destination="east", rate=0.2),)
    recording = crowd(place, flows=flow)
    done = [track for track in recording.tracks if track.times[-1] < 59.5]
    assert len(done) >= 5
    assert all(track.positions[-1, 0] > 22.0 for track in done)
    check_promises(recording, place)


def test_a_group_stays_together_while_it_walks() -> None:
    for sizes in ((0.0, 1.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 1.0)):
        flow = (Flow(origin="west", destination="east", rate=0.15),)
        recording = crowd(flows=flow, groups=Groups(sizes=sizes))
        tracks = {track.id: track for track in recording.tracks}
        assert recording.groups
        for group in recording.groups:
            mates = replace(recording, tracks=tuple(tracks[each] for each in group), groups=())
            distances = gaps(mates, np.arange(0.0, 60.0, 0.4))
            nearest = distances.min(axis=2)  # NaN as long as one of them is absent
            assert np.nanmax(nearest, initial=0.0) < 2.0


def test_people_in_a_conversation_stand_and_are_a_group() -> None:
    talk = Stay(habit=Habit.TALK, x=12.0, y=5.0, rate=1e-3, duration=1e4, sizes=(0.0, 0.0, 1.0))
    recordings = [crowd(flows=(), stays=(talk,), duration=20.0, seed=seed) for seed in range(3)]
    stood = [t for recording in recordings for t in recording.tracks if t.times[0] == 0.0]
    assert len(stood) >= 3
    for track in stood:
        assert np.hypot(*track.velocities().T)[-10:].max() < 0.05
        assert np.hypot(*(track.positions[-1] - (12.0, 5.0))) < 1.0
    assert all(len(group) == 3 for recording in recordings for group in recording.groups)
    assert any(recording.groups for recording in recordings)


def test_visitors_come_wait_and_leave() -> None:
    wait = Stay(habit=Habit.WAIT, x=12.0, y=8.0, rate=0.05, duration=6.0)
    recording = crowd(flows=(), stays=(wait,), duration=120.0)
    whole = [t for t in recording.tracks if t.times[0] > 0.5 and t.times[-1] < 119.0]
    assert len(whole) >= 2
    for track in whole:
        slow = np.hypot(*track.velocities().T) < 0.1
        assert slow.sum() >= 4
        there = track.positions[:-1][slow]
        assert np.hypot(*(there - (12.0, 8.0)).T).max() < 0.5
        assert np.hypot(*track.velocities().T).max() > 0.8


def test_people_who_pace_go_up_and_down() -> None:
    pace = Stay(habit=Habit.PACE, x=12.0, y=5.0, rate=0.01, duration=300.0, length=6.0)
    recording = crowd(flows=(), stays=(pace,), duration=60.0, seed=4)
    assert recording.tracks
    x = recording.tracks[0].positions[:, 0]
    turns = np.count_nonzero(np.diff(np.sign(x[np.abs(x - 12.0) > 1.5] - 12.0)))
    assert turns >= 4
    assert 8.0 < x.min() < 10.0 and 14.0 < x.max() < 16.0


def test_a_queue_stands_in_line_and_is_served_in_order() -> None:
    queue = Stay(
        habit=Habit.QUEUE, x=20.0, y=5.0, rate=0.15, duration=6.0, direction=np.pi, gates=("west",)
    )
    equal = Speeds(shares=(0.0, 1.0), values=(1.3, 1.3))  # nobody overtakes on the way there
    recording = crowd(flows=(), stays=(queue,), duration=120.0, speeds=equal)
    check_promises(recording, HALL)
    served, in_line = [], 0
    for track in recording.tracks:
        off = np.hypot(*(track.positions - (20.0, 5.0)).T)
        if off.min() < 0.3:
            served.append((float(track.times[np.argmax(off < 0.3)]), track.id))
        slow = np.hypot(*track.velocities().T) < 0.05
        in_line += int((np.abs(track.positions[:-1][slow, 1] - 5.0) < 0.3).sum())
    assert len(served) >= 8 and in_line > 100
    assert [person for _, person in sorted(served)] == sorted(person for _, person in served)


def test_some_people_stop_on_their_way() -> None:
    stopping = Manners(wander=0.0, unevenness=0.0, stop_share=1.0, stop_duration=4.0)
    flow = (Flow(origin="west", destination="east", rate=0.1),)
    recording = crowd(flows=flow, manners=stopping)
    whole = [t for t in recording.tracks if t.times[0] > 0.5 and t.times[-1] < 59.0]
    assert whole
    for track in whole:
        speeds = np.hypot(*track.velocities().T)
        assert speeds.min() < 0.1 and speeds.max() > 0.7


def test_bad_wishes_are_refused_in_one_sentence() -> None:
    outside = (Gate(name="west", x=-3.0, y=5.0), EAST)
    with pytest.raises(BadValue, match="gate 'west' at .-3, 5. is within 0.3 m of a wall"):
        crowd(gates=outside)
    with pytest.raises(BadValue, match="a crowd of 0 s cannot be generated"):
        crowd(duration=0.0)
    parted = plan("parted", (0, 0, 10, 10), (14, 0, 24, 10))
    with pytest.raises(BadValue, match="no way leads from gate 'west' to gate 'east'"):
        crowd(parted)


def test_a_recipe_without_arrivals_makes_an_empty_recording() -> None:
    nobody = (Flow(origin="west", destination="east", rate=0.0),)
    recording = crowd(flows=nobody, arrivals=Arrivals())
    assert recording.tracks == () and recording.groups == ()


def test_every_step_can_be_watched() -> None:
    watched: list[tuple[str, int, int]] = []
    steering = SocialForce(form=Form.ANGULAR)

    def watch(what: str, done: int, total: int) -> None:
        watched.append((what, done, total))

    generated(HALL, recipe(), duration=2.0, seed=1, steering=steering, progress=watch)
    assert watched == [("crowd", step, 621) for step in range(1, 622)]


def test_a_crowd_of_nobody_is_refused() -> None:
    nobody = recipe(flows=(Flow(origin="west", destination="east", rate=0.0),))
    with pytest.raises(BadValue, match="nobody comes in 2 s with seed 1"):
        generate_crowd(HALL, nobody, duration=2.0, seed=1)


def test_by_itself_a_crowd_steers_by_the_angular_social_force() -> None:
    steering = SocialForce(form=Form.ANGULAR)
    ours = generated(HALL, recipe(), duration=2.0, seed=1, steering=steering)
    crowd = generate_crowd(HALL, recipe(), duration=2.0, seed=1)
    assert [track.id for track in crowd.tracks] == [track.id for track in ours.tracks]
    for a, b in zip(crowd.tracks, ours.tracks, strict=True):
        assert np.array_equal(a.positions, b.positions)
