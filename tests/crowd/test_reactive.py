"""Reactivity: people who answer the robot, from not at all to as a model says."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.crowd.models import pedestrian_model
from paseo.crowd.reactive import Reactive
from paseo.crowd.replay import Replay, time_to_contact
from paseo.data.suites.episodes import episode
from paseo.errors import BadValue
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.sim.simulate import simulate
from paseo.world.motion import Pose
from paseo.world.recordfile import record_bytes
from paseo.world.records import Record
from paseo.world.scenarios import Reaction, ReactionModel, Scenario
from thinning import mostly_slow
from walkers import corridor_crowd, corridor_plan
from worlds import crossing, scenario, walk

MODELS = [ReactionModel.SOCIAL_FORCE, ReactionModel.ORCA]
CORRIDOR = Scenario(
    name="corridor",
    floorplan=corridor_plan(),
    start=Pose(2.0, 3.0),
    goal=Pose(18.0, 3.0),
    tracks=corridor_crowd(40).tracks,
    time_limit=40.0,
)
each_model = pytest.mark.parametrize("model", MODELS)


def run(task: Scenario, reaction: Reaction | None, planner: type = Straight) -> Record:
    return simulate(replace(task, reaction=reaction), planner())


def offsets(record: Record) -> np.ndarray:
    """Metres between people and where they were recorded, (states, people)."""
    recorded = [track.positions_at(record.times) for track in record.scenario.tracks]
    return np.hypot(*(record.people - np.stack(recorded, axis=1)).transpose(2, 0, 1))


@each_model
def test_at_zero_people_walk_as_recorded_bit_by_bit(model: ReactionModel) -> None:
    still = Reaction(by=model, reactivity=0.0)
    assert isinstance(pedestrian_model(replace(CORRIDOR, reaction=still)), Replay)
    recorded, replayed = run(CORRIDOR, None), run(CORRIDOR, still)
    assert replayed.people.tobytes() == recorded.people.tobytes()
    assert replayed.robot.tobytes() == recorded.robot.tobytes()


@each_model
def test_one_person_alone_can_be_left_as_recorded(model: ReactionModel) -> None:
    reaction = Reaction(by=model, reactivity=1.0, of_people={1: 0.0})
    record, recorded = run(CORRIDOR, reaction), run(CORRIDOR, None)
    states = min(len(record.people), len(recorded.people))
    np.testing.assert_array_equal(record.people[:states, 0], recorded.people[:states, 0])
    assert np.nanmax(offsets(record)[:, 1:]) > 0.05


@each_model
@pytest.mark.parametrize("reactivity", [0.3, 1.0])
def test_nobody_hurries_beyond_their_own_measure(model: ReactionModel, reactivity: float) -> None:
    record = run(CORRIDOR, Reaction(by=model, reactivity=reactivity))
    steps = np.diff(record.people, axis=0)
    speeds = np.hypot(steps[..., 0], steps[..., 1]) / record.scenario.dt
    for person, track in enumerate(record.scenario.tracks):
        top = np.hypot(*track.velocities().T).max()
        found = speeds[:, person][~np.isnan(speeds[:, person])]
        assert (found <= max(1.3 * top, 2.0) + 1e-9).all()


@each_model
def test_with_the_robot_far_away_everybody_keeps_to_the_recording(model: ReactionModel) -> None:
    far = replace(CORRIDOR, floorplan=scenario().floorplan, start=Pose(5.0, 5.0), goal=Pose(1, 1))
    away = tuple(walk(t.id, *zip(t.times, t.positions[:, 0] + 500, t.positions[:, 1], strict=True))
                 for t in CORRIDOR.tracks)  # fmt: skip
    record = run(replace(far, tracks=away), Reaction(by=model), planner=Stop)
    assert np.nanmax(offsets(record)) < 1e-9


@each_model
def test_a_person_goes_around_a_standing_robot_and_returns(model: ReactionModel) -> None:
    task = scenario(walk(1, (0, 9.5, 5.05), (9, 0.5, 5.05)), start=Pose(7.5, 5), goal=Pose(5, 9))
    recorded, reactive = run(task, None, Stop), run(task, Reaction(by=model), Stop)
    assert (recorded.touches, reactive.touches) == (1, 0)
    away = offsets(reactive)[:, 0]
    assert np.nanmax(away) > 0.2
    assert away[~np.isnan(away)][-1] < 0.5


@each_model
def test_the_more_reactive_the_more_room_the_robot_gets(model: ReactionModel) -> None:
    task = scenario(walk(1, (0, 9.5, 5.3), (9, 0.5, 5.3)), start=Pose(5, 5), goal=Pose(5, 9))
    rooms = []
    for reactivity in (0.0, 0.5, 1.0):
        record = run(task, Reaction(by=model, reactivity=reactivity), Stop)
        rooms.append(np.nanmin(np.hypot(*(record.people[:, 0] - (5, 5)).T)))
    assert rooms == sorted(rooms)
    assert rooms[0] == pytest.approx(0.3)
    assert rooms[-1] > 0.44


@each_model
def test_nobody_is_pushed_into_a_wall(model: ReactionModel) -> None:
    along_wall = walk(1, (0, 9.5, 0.3), (9, 0.5, 0.3))
    task = scenario(along_wall, start=Pose(5, 0.9), goal=Pose(5, 9))
    record = run(task, Reaction(by=model), Stop)
    there = record.people[:, 0][~np.isnan(record.people[:, 0, 0])]
    assert min(task.floorplan.clearance(x, y) for x, y in there) > 0


@each_model
def test_the_same_scene_gives_the_same_bytes(model: ReactionModel) -> None:
    first, second = (run(CORRIDOR, Reaction(by=model)) for _ in range(2))
    assert record_bytes(first) == record_bytes(second)


def test_who_is_late_walks_to_the_end_of_the_path_and_is_gone() -> None:
    # The robot stands on the last metre of the way.
    task = scenario(walk(1, (0, 9.0, 5.02), (6, 3.0, 5.02)), start=Pose(3.6, 5), goal=Pose(5, 9))
    record = run(task, Reaction(), Stop)
    present = ~np.isnan(record.people[:, 0, 0])
    last = record.people[:, 0][present][-1]
    assert record.times[present][-1] > 6.0 or np.hypot(*(last - (3.0, 5.02))) < 0.5
    assert not present[-1] or record.times[-1] < 16.0


def test_people_who_foresee_a_contact_stand_until_it_is_over() -> None:
    # The robot crosses the way of a person who would be in its path just then.
    task = scenario(walk(1, (0, 5.0, 7.5), (7, 5.0, 0.5)), goal=Pose(8.0, 5.0))
    recorded = run(task, None)
    careful = run(task, Reaction(by=ReactionModel.STOP))
    assert (recorded.touches, careful.touches) == (1, 0)


def test_who_stood_finishes_the_whole_recording_later() -> None:
    task = scenario(crossing(), start=Pose(5.0, 5.0), goal=Pose(5.0, 9.0), time_limit=30.0)
    record = run(task, Reaction(by=ReactionModel.STOP, foresight=1.0), DriveAway)
    path = record.people[:, 0][~np.isnan(record.people[:, 0, 0])]
    assert np.hypot(*np.diff(path, axis=0).T).sum() == pytest.approx(8.0)
    np.testing.assert_allclose(path[-1], (1.0, 5.0), atol=1e-6)


class DriveAway:
    """Stands in the way for 8 s, then goes aside towards the goal."""

    def begin(self, briefing):  # type: ignore[no-untyped-def]
        self._straight = Straight()
        self._straight.begin(briefing)

    def plan(self, observation):  # type: ignore[no-untyped-def]
        twist = self._straight.plan(observation)
        return twist if 8 < observation.time < 11 else type(twist)(0.0, 0.0)


def test_without_foresight_nobody_stops() -> None:
    task = scenario(crossing())
    idle = run(task, Reaction(by=ReactionModel.STOP, reactivity=0.0))
    assert idle.people.tobytes() == run(task, None).people.tobytes()


@pytest.mark.parametrize(
    ("offset", "velocity", "seconds"),
    [
        ((2.0, 0.0), (-1.0, 0.0), 1.5),  # straight on: 2 m less half a metre at 1 m/s
        ((2.0, 0.3), (-1.0, 0.0), 1.6),  # grazing: 0.4 m before the nearest point
        ((2.0, 0.6), (-1.0, 0.0), np.inf),  # passes
        ((2.0, 0.0), (1.0, 0.0), np.inf),  # leaves
        ((0.3, 0.0), (-1.0, 0.0), 0.0),  # is there
        ((0.3, 0.0), (1.0, 0.0), np.inf),  # is there and leaves
        ((2.0, 0.0), (0.0, 0.0), np.inf),
    ],
)
def test_time_to_contact_by_hand(
    offset: tuple[float, float], velocity: tuple[float, float], seconds: float
) -> None:
    found = time_to_contact(np.array([offset]), np.array([velocity]), np.array([0.5]))
    assert found[0] == pytest.approx(seconds)


def test_a_reaction_that_makes_no_sense_is_refused() -> None:
    for wrong in ({"reactivity": 1.5}, {"of_people": {3: -1.0}}, {"foresight": 0.0}):
        with pytest.raises(BadValue, match="must be"):
            Reaction(**wrong)


def test_a_reactive_model_asks_any_steering() -> None:
    class Flee:
        def begin(self, floorplan: object) -> None:
            pass

        def velocities(self, walkers, dt):  # type: ignore[no-untyped-def]
            return walkers.wanted + (0.5 if len(walkers) > 1 else 0.0)

    task = replace(scenario(crossing()), reaction=Reaction())
    record = simulate(task, Stop(), people=Reactive(Flee()))
    assert np.nanmax(offsets(record)) > 0.2


@pytest.mark.recordings
@each_model
@pytest.mark.parametrize("name", mostly_slow(["t_zara2_wrap2", "t_eth_dense_against", "t_univ1"]))
@pytest.mark.parametrize("reactivity", [0.5, 1.0])
def test_recorded_crowds_keep_the_promises_of_reactivity(
    model: ReactionModel, name: str, reactivity: float, data_dir: Path
) -> None:
    task = replace(episode(name, data=data_dir), time_limit=25.0)
    record = run(task, Reaction(by=model, reactivity=reactivity), Stop)
    robot = record.robot[:, None, :2]
    away, near = offsets(record), np.hypot(*(record.people - robot).transpose(2, 0, 1)) < 10.0
    with_robot = (near & ~np.isnan(away)).any(axis=0)
    assert np.nanmax(np.where(with_robot, 0.0, away), initial=0.0) < 1e-9
    assert np.nanmean(away) < 0.3
    speeds = np.hypot(*np.diff(record.people, axis=0).transpose(2, 0, 1)) / task.dt
    for person, track in enumerate(task.tracks):
        top = np.nanmax(np.hypot(*track.velocities().T), initial=0.0)
        assert np.nanmax(speeds[:, person], initial=0.0) <= max(1.3 * top, 2.0) + 1e-9
