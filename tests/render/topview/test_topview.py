"""Frames: everything is where it must be, in its colour and true size."""

from dataclasses import replace

import numpy as np
import pytest

import worlds
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.render.raster.colours import OWN
from paseo.render.raster.palette import DARK, LIGHT, Rgb, Theme
from paseo.render.raster.strokes import Frame
from paseo.render.staging.backdrop import backdrop_of
from paseo.render.staging.playthrough import Playthrough, people_to_show
from paseo.render.topview.topview import TopView
from paseo.sim.simulate import simulate
from paseo.world.motion import Pose
from paseo.world.records import Record

pytestmark = pytest.mark.extra("video")

SIZE = (640, 480)


class Scene:
    """A frame of one record, and the colours found at places of the map."""

    def __init__(self, record: Record, time: float, theme: Theme = LIGHT) -> None:
        self.view = TopView(backdrop_of([record], theme=theme), SIZE)
        self.moment = Playthrough(record).at(time)
        self.frame: Frame = self.view.render([self.moment]).rgb

    def at(self, x: float, y: float) -> Rgb:
        column, row = self.view._view.pixels(np.array([x, y])).tolist()
        red, green, blue = self.frame[self.view._top + int(row), int(column)].tolist()
        return red, green, blue

    def count(self, colour: Rgb) -> int:
        return int((self.frame == colour).all(axis=2).sum())

    @property
    def scale(self) -> float:
        return self.view._view.scale


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_floor_walls_robot_and_people_have_their_colours(bump: Record, theme: Theme) -> None:
    scene = Scene(bump, 1.0, theme)
    pose = scene.moment.snapshot.robot.pose
    assert scene.at(5, 9) == theme.floor
    assert scene.at(-0.3, 5) == theme.solid
    assert scene.at(pose.x - 0.15, pose.y) == theme.planner(0)
    assert scene.at(8.0 - 0.0, 5.0 - 0.1) == theme.person  # who started at (9, 5) at 1 m/s
    assert scene.frame[0, SIZE[0] // 2].tolist() == list(theme.page)


def test_a_pillar_is_filled() -> None:
    plan = worlds.plan("hall", (0, 0, 10, 10), (6, 6, 8, 8))
    record = simulate(worlds.scenario(floorplan=plan), Stop())
    scene = Scene(record, 0.0)
    assert scene.at(7, 7) == LIGHT.solid
    assert scene.at(5, 7) == LIGHT.floor


@pytest.mark.parametrize("shift", [0.0, -3000.0, 1e6])
def test_robot_and_people_have_their_true_size_wherever_the_origin_is(shift: float) -> None:
    plan = worlds.plan("room", (shift, shift, shift + 10, shift + 10))
    person = worlds.walk(1, (0, shift + 5, shift + 8), (9, shift + 5, shift + 8))  # stands
    task = worlds.scenario(
        person, floorplan=plan, start=Pose(shift + 2, shift + 5), goal=Pose(shift + 8, shift + 2)
    )
    scene = Scene(simulate(task, Stop()), 1.0)
    robot = np.pi * (0.24 * scene.scale) ** 2
    tick = 0.24 * scene.scale * 0.72 * 0.24 * 0.24 * scene.scale * 2
    assert scene.count(LIGHT.planner(OWN["stop"])) == pytest.approx(robot - tick, rel=0.12)
    filled = np.pi * (0.2 * scene.scale - 1.2) ** 2
    assert scene.count(LIGHT.person) == pytest.approx(filled, rel=0.12)


def test_the_goal_is_a_ring_of_the_goal_radius(lonely: Record) -> None:
    scene = Scene(lonely, 0.0)
    for x, y in ((8.3, 5), (7.7, 5), (8, 5.3), (8, 4.7)):
        assert sum(scene.at(x, y)) < 250  # ink, or nearly
    assert sum(scene.at(8, 5.36)) > 700
    assert sum(scene.at(8, 5.2)) > 600


def test_touched_people_are_outlined_in_red_and_the_place_is_marked(bump: Record) -> None:
    (contact,) = bump.contacts
    assert Scene(bump, 0.5).count(LIGHT.contact) == 0
    dt = bump.scenario.dt
    touching = Scene(bump, contact.first_step * dt)
    after = Scene(bump, contact.last_step * dt + 0.5)
    x, y = after.moment.snapshot.crowd.positions[0].tolist()
    assert after.at(x, y + 0.2) == LIGHT.contact
    assert after.at(contact.x, contact.y) == LIGHT.contact
    assert touching.count(LIGHT.contact) > after.count(LIGHT.contact) > 20


def test_people_look_where_they_go() -> None:
    # Goes up: the tick is above the disc, and below it is none.
    walker = worlds.walk(1, (0, 5, 2), (6, 5, 8))
    scene = Scene(simulate(worlds.scenario(walker), Stop()), 3.0)
    above, below = scene.at(5, 5 + 0.26), scene.at(5, 5 - 0.26)
    assert sum(above) < sum(below) - 100  # darker than the trail
    assert scene.at(5, 5 + 0.40) == LIGHT.floor


def test_trails_fade_towards_the_past() -> None:
    walker = worlds.walk(1, (0, 1.5, 8), (9, 8.5, 8))
    scene = Scene(simulate(worlds.scenario(walker), Stop()), 8.0)
    here = float(scene.moment.snapshot.crowd.positions[0, 0])
    shades = [sum(scene.at(here - 0.35 - back, 8.0)) for back in (0.0, 0.8, 1.6, 2.4)]
    assert shades == sorted(shades)
    assert len(set(shades)) == 4
    assert scene.at(here - 4.0, 8.0) == LIGHT.floor


def test_the_same_moments_give_the_same_bytes(bump: Record) -> None:
    assert Scene(bump, 2.0).frame.tobytes() == Scene(bump, 2.0).frame.tobytes()


def test_drawing_changes_nothing_in_the_backdrop(bump: Record) -> None:
    view, playthrough = TopView(backdrop_of([bump]), SIZE), Playthrough(bump)
    before = view.render([playthrough.at(1.0)]).rgb
    view.render([playthrough.at(3.0)])
    assert view.render([playthrough.at(1.0)]).rgb.tobytes() == before.tobytes()


def test_a_person_is_not_drawn_while_absent() -> None:
    late = worlds.walk(3, (5, 5, 8), (9, 5, 8))
    record = simulate(worlds.scenario(late), Stop())
    assert Scene(record, 4.0).count(LIGHT.person) == 0
    assert Scene(record, 6.0).count(LIGHT.person) > 10


def test_a_person_on_top_of_the_robot_is_drawn_but_not_held_against_it() -> None:
    record = simulate(worlds.scenario(worlds.walk(1, (0, 2, 5), (3, 2, 5), (9, 8, 9))), Stop())
    during, after = Scene(record, 1.0), Scene(record, 8.0)
    assert during.count(LIGHT.contact) > after.count(LIGHT.contact) > 0  # the mark stays
    x, y = after.moment.snapshot.crowd.positions[0].tolist()
    assert after.at(x - 0.19, y) != LIGHT.contact


def test_three_hundred_people_are_drawn() -> None:
    places = np.random.default_rng(0).uniform(0.5, 9.5, (300, 2)).tolist()
    crowd = [worlds.walk(k, (0, x, y), (9, x, y)) for k, (x, y) in enumerate(places)]
    scene = Scene(simulate(worlds.scenario(*crowd, time_limit=1.0), Stop()), 0.5)
    assert len(scene.moment.snapshot.crowd) == 300
    assert scene.count(LIGHT.person) > 3000


def test_on_a_huge_map_the_robot_can_still_be_seen() -> None:
    plan = worlds.plan("field", (0, 0, 300, 200))
    task = worlds.scenario(floorplan=plan, start=Pose(100, 100), goal=Pose(105, 100))
    scene = Scene(simulate(task, Straight()), 1.0)
    assert scene.count(LIGHT.planner(0)) > 200


def test_a_record_of_one_state_is_a_picture(bump: Record) -> None:
    single = replace(
        bump, robot=bump.robot[:1], commands=bump.commands[:0], people=bump.people[:1], contacts=()
    )
    assert Scene(single, 0.0).count(LIGHT.planner(0)) > 50


def test_without_a_known_map_and_goal_the_rest_is_drawn(bump: Record) -> None:
    task = replace(bump.scenario, missing=("goal", "map"))
    scene = Scene(replace(bump, scenario=task), 1.0)
    assert scene.count(LIGHT.solid) == scene.count(LIGHT.ink) == 0 or scene.at(8.3, 5) != LIGHT.ink
    assert scene.count(LIGHT.planner(0)) > 50


@pytest.mark.parametrize("size", [(120, 120), (200, 1000), (2000, 200)])
def test_odd_shapes_of_frames_work(bump: Record, size: tuple[int, int]) -> None:
    view = TopView(backdrop_of([bump, bump, bump]), size)
    frame = view.render([Playthrough(bump).at(1.0)] * 3).rgb
    assert frame.shape == (size[1], size[0], 3)


def test_robots_that_have_ended_leave_the_people_to_those_that_drive(
    bump: Record, standing: Record
) -> None:
    over, driving = Playthrough(bump).at(9.0), Playthrough(standing).at(9.0)
    assert people_to_show([over, driving]) == [driving]
    assert people_to_show([over]) == [over]


def test_one_crowd_is_drawn_once_and_two_are_both_drawn(bump: Record, standing: Record) -> None:
    replayed = [Playthrough(bump).at(1.0), Playthrough(standing).at(1.0)]
    assert people_to_show(replayed) == replayed[:1]
    aside = replace(standing, people=standing.people + 1.0)  # as if they had answered the robot
    moments = [replayed[0], Playthrough(aside).at(1.0)]
    assert people_to_show(moments) == moments
