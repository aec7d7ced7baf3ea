"""Front views: people where their boxes are, the near before the far, the ground passing by."""

import math
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.motion import Drive, Walk, onto_image
from paseo.vqa.synthetic.painting import front_view
from paseo.vqa.synthetic.stagings import CAMERA, Staging, Walker, stagings
from paseo.world.scenes import Camera

SMALL = Camera(width_px=640, height_px=360, fx=311.65, fy=312.46, cx=320.0, cy=180.0)


def view(staging: Staging, time: float, camera: Camera = SMALL) -> NDArray[np.int64]:
    return np.asarray(front_view(staging, time, camera, seed=0)).astype(np.int64)


def alone(walk: Walk, drive: Drive) -> Staging:
    walker = Walker(track="1", walk=walk)
    return Staging(id="1_Spot_0_0", drive=drive, goal=(8.0, 0.0), walkers=(walker,))


def test_a_view_has_the_size_of_its_camera() -> None:
    assert front_view(stagings(0)[0], 0.0, CAMERA, seed=0).size == (1280, 720)
    assert front_view(stagings(0)[0], 0.0, SMALL, seed=0).size == (640, 360)


@pytest.mark.parametrize("staging", stagings(0), ids=lambda staging: staging.id)
def test_a_person_fills_their_box_and_nothing_far_from_it(staging: Staging) -> None:
    time = 3 * TIMING.period
    for walker in staging.walkers[:3]:
        box = walker.seen(staging.drive, SMALL).get(3)
        if box is None:
            continue
        only = replace(staging, walkers=(walker,), given_numbers={})
        changed = (view(only, time) != view(replace(only, walkers=()), time)).any(axis=2)
        rows, columns = np.nonzero(changed)
        left, top, right, bottom = box
        slack = 0.1 * (bottom - top) + 2  # a shadow, and an arm that swings
        assert columns.min() > left - slack and columns.max() < right + slack
        assert rows.min() > top - 3 and rows.max() < bottom + slack
        inside = changed[round(top) : round(bottom), round(left) : round(right)]
        assert inside.mean() > 0.35


def test_the_nearer_of_two_people_hides_the_other() -> None:
    near = Walker(track="1", walk=Walk(start=(3.0, 0.0), velocity=(0.0, 0.0)))
    far = Walker(track="2", walk=Walk(start=(6.0, 0.0), velocity=(0.0, 0.0)))
    staging = alone(near.walk, Drive(speed=0.0))
    u, v = (round(each) for each in onto_image(SMALL, (3.0, 0.0), 1.1))  # the chest
    chest = view(staging, 0.0)[v, u]
    for order in ((near, far), (far, near)):
        assert (view(replace(staging, walkers=order), 0.0)[v, u] == chest).all()


def empty(drive: Drive) -> Staging:
    return replace(alone(Walk(start=(9.0, 0.0), velocity=(0.0, 0.0)), drive), walkers=())


def test_the_tiles_pass_under_the_robot() -> None:
    begin, one_tile, two_tiles = (
        view(empty(Drive(speed=1.0)), time)[round(SMALL.cy) :] for time in (0.0, 1.0, 2.0)
    )
    assert (begin != one_tile).any(axis=2).mean() > 0.5
    assert (begin != two_tiles).any(axis=2).mean() < 0.02


def test_houses_pass_to_the_right_when_the_robot_turns_left() -> None:
    turn = 0.2
    turned = empty(Drive(speed=1.0, curvature=turn))  # after a second it looks 0.2 rad to the left
    row = round(SMALL.cy) - 2
    before, after = view(turned, 0.0)[row], view(turned, 1.0)[row]
    for u in range(200, 400):
        bearing = math.atan((SMALL.cx - u - 0.5) / SMALL.fx) - turn
        there = SMALL.cx - SMALL.fx * math.tan(bearing) - 0.5
        near = after[round(there) - 1 : round(there) + 2]
        assert there > u and (near == before[u]).all(axis=1).any()


def test_the_same_seed_paints_the_same_view_and_another_seed_another() -> None:
    staging = stagings(0)[0]
    pictures = [front_view(staging, 0.5, SMALL, seed=seed).tobytes() for seed in (1, 1, 2)]
    assert pictures[0] == pictures[1] != pictures[2]
