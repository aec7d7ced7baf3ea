"""Any moment of a record."""

from dataclasses import replace

import numpy as np
import pytest

import worlds
from paseo.planners.stop import Stop
from paseo.render.staging.playthrough import Playthrough, people_velocities
from paseo.sim.simulate import simulate
from paseo.world.records import Record


def test_at_a_state_it_is_that_state(bump: Record) -> None:
    moment = Playthrough(bump).at(1.0)
    assert moment.step == 20
    pose = moment.snapshot.robot.pose
    assert (pose.x, pose.y, pose.heading) == tuple(bump.robot[20])
    assert moment.snapshot.crowd.positions.tolist() == bump.people[20].tolist()
    assert moment.snapshot.crowd.ids.tolist() == [1]


def test_between_two_states_everybody_is_on_the_way(bump: Record) -> None:
    moment = Playthrough(bump).at(1.0125)  # a quarter of a step later
    x = bump.robot[20, 0] + 0.25 * (bump.robot[21, 0] - bump.robot[20, 0])
    assert moment.snapshot.robot.pose.x == pytest.approx(x)
    assert moment.snapshot.crowd.positions[0, 0] == pytest.approx(9 - 1.0125)


def test_a_heading_between_two_states_takes_the_short_way_round(lonely: Record) -> None:
    robot = lonely.robot.copy()
    robot[:, 2] = np.pi - 0.1
    robot[1, 2] = -np.pi + 0.1
    pose = Playthrough(replace(lonely, robot=robot)).at(0.025).snapshot.robot.pose
    assert abs(pose.heading) == pytest.approx(np.pi)


def test_before_the_start_and_after_the_end_time_stands_still(bump: Record) -> None:
    playthrough = Playthrough(bump)
    assert playthrough.at(-1).snapshot.time == 0
    assert playthrough.at(99).snapshot.time == playthrough.end == bump.times[-1]


def test_the_ending_is_told_at_the_end_only(bump: Record) -> None:
    playthrough = Playthrough(bump)
    assert playthrough.at(playthrough.end - 0.01).ending == ""
    assert playthrough.at(playthrough.end).ending == "reached goal"


def test_contacts_are_known_once_they_have_begun(bump: Record) -> None:
    (contact,) = bump.contacts
    playthrough, dt = Playthrough(bump), bump.scenario.dt
    assert playthrough.at(contact.first_step * dt - dt).touched == set()
    during = playthrough.at(contact.first_step * dt)
    assert during.touching == during.touched == {1}
    after = playthrough.at(contact.last_step * dt + dt)
    assert (after.touching, after.touched) == (set(), {1})


def test_absent_people_are_not_there_but_their_trails_fade() -> None:
    brief = worlds.walk(3, (1, 2, 2), (2, 3, 2))
    playthrough = Playthrough(simulate(worlds.scenario(brief), Stop()))
    assert len(playthrough.at(0.5).snapshot.crowd) == 0
    assert len(playthrough.at(1.5).snapshot.crowd) == 1
    gone = playthrough.at(3.0)
    assert len(gone.snapshot.crowd) == 0
    assert np.isfinite(gone.trails).any()
    assert not np.isfinite(playthrough.at(8.0).trails).any()


def test_who_is_about_to_leave_stays_until_the_next_state() -> None:
    brief = worlds.walk(3, (0, 2, 2), (1, 3, 2))
    playthrough = Playthrough(simulate(worlds.scenario(brief), Stop()))
    assert len(playthrough.at(1.02).snapshot.crowd) == 1
    assert len(playthrough.at(1.05).snapshot.crowd) == 0


def test_velocities_are_those_of_the_walk() -> None:
    walker = worlds.walk(3, (1, 2, 2), (3, 5, 2))
    record = simulate(worlds.scenario(walker), Stop())
    velocities = people_velocities(record)
    present = ~np.isnan(record.people[:, 0, 0])
    assert np.isnan(velocities[~present]).all()
    assert velocities[present][:, 0] == pytest.approx(np.tile([1.5, 0.0], (present.sum(), 1)))


def test_a_person_seen_once_has_no_velocity(lonely: Record) -> None:
    once = worlds.walk(3, (0, 2, 2), (0.01, 2, 2))
    record = simulate(worlds.scenario(once), Stop())
    assert people_velocities(record)[0, 0].tolist() == [0.0, 0.0]


def test_a_record_of_one_state_can_be_played(bump: Record) -> None:
    single = replace(
        bump, robot=bump.robot[:1], commands=bump.commands[:0], people=bump.people[:1], contacts=()
    )
    moment = Playthrough(single).at(0.0)
    assert moment.ending == "reached goal"
    assert moment.path.shape == (2, 2)


def test_the_points_of_a_path_stay_where_they_are(bump: Record) -> None:
    playthrough = Playthrough(bump)
    early, late = playthrough.at(2.0).path, playthrough.at(2.07).path
    assert early[:-1].tolist() == late[: len(early) - 1].tolist()
