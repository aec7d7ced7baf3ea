"""The social force model: each form against its paper's formula, and people who keep their room."""

import math
import time
from dataclasses import replace

import numpy as np
import pytest

from paseo.crowd.steering.models import Walkers
from paseo.crowd.steering.social_force import Form, SocialForce
from paseo.errors import BadValue, UnknownName
from paseo.world.space.floorplan import FloorPlan, floor_plan
from worlds import DIVIDED, ROOM, box, plan

FORMS = list(Form)
MOMENT = 1e-3  # a step so short that contacts are as stiff as they are
FIELD = FloorPlan(  # so large that no wall is felt
    name="field",
    walls=box(-100, -100, 100, 100),
    free=np.ones((400, 400), bool),
    cell_size=0.5,
    origin=(-100.0, -100.0),
)
PILLAR = plan("pillar", (0, 0, 10, 10), (4, 4, 6, 6))


def walkers(positions, velocities, wanted=None, radius=0.2, top_speed=1e6):
    positions, velocities = np.array(positions, float), np.array(velocities, float)
    wanted = velocities.copy() if wanted is None else np.array(wanted, float)
    people = len(positions)
    radii, top_speeds = np.full(people, radius), np.full(people, top_speed)
    return Walkers(positions, velocities, wanted, radii, top_speeds)


def steering(form, floorplan=FIELD, **numbers):
    model = SocialForce(form=form, **numbers)
    model.begin(floorplan)
    return model


def pushes(model, people, dt=MOMENT):
    """What others and walls add to everybody's acceleration, (people, 2)."""
    driving = (people.wanted - people.velocities) / model.tau
    return (model.velocities(people, dt) - people.velocities) / dt - driving


def random_crowd(people, seed, side=14.0):
    rng = np.random.default_rng(seed)
    positions = rng.uniform(-side / 2, side / 2, (people, 2))
    velocities, wanted = rng.uniform(-1.3, 1.3, (2, people, 2))
    wanted[::7] = 0.0  # some stand
    radii = rng.uniform(0.15, 0.3, people)
    return Walkers(positions, velocities, wanted, radii, np.full(people, 1e6))


# The formulas as the papers have them, one pair at a time.


def potential(model, offset, step):
    """V0 exp(-b / sigma) of somebody `offset` away who is about to make `step`."""
    b = 0.5 * math.sqrt((math.hypot(*offset) + math.hypot(*(offset - step))) ** 2 - step @ step)
    return model.potential * math.exp(-b / model.potential_range)


def elliptical(model, offset, people, me, other):
    h, step = 1e-6, model.step_time * people.velocities[other]
    gradient = np.array(
        [
            (potential(model, offset + e, step) - potential(model, offset - e, step)) / (2 * h)
            for e in (np.array([h, 0]), np.array([0, h]))
        ]
    )
    speed = math.hypot(*people.wanted[me])
    if speed == 0:
        return -gradient
    ahead = gradient @ people.wanted[me] / speed  # towards where the push comes from
    seen = ahead >= math.hypot(*gradient) * math.cos(model.view / 2)
    return -gradient * (1.0 if seen else model.behind)


def circular(model, offset, people, me, other):
    d, touch = math.hypot(*offset), people.radii[me] + people.radii[other]
    n, speed = offset / d, math.hypot(*people.wanted[me])
    cosine = -n @ people.wanted[me] / speed if speed else 0.0
    weight = model.all_round + (1 - model.all_round) * (1 + cosine) / 2
    return weight * model.push * math.exp((touch - d) / model.push_range) * n


def angular(model, offset, people, me, other):
    d = math.hypot(*offset)
    e = -offset / d
    interaction = model.foresight * (people.velocities[me] - people.velocities[other]) + e
    length = math.hypot(*interaction)
    t, size = interaction / length, model.turning_time * length
    left = np.array([-t[1], t[0]])
    theta = math.atan2(e @ left, e @ t) + size * model.side_bias
    braking = math.exp(-d / size - (model.braking_focus * size * theta) ** 2)
    turning = math.exp(-d / size - (model.turning_focus * size * theta) ** 2)
    return -model.turning * (braking * t + math.copysign(turning, theta) * left)


def contact(model, offset, people, me, other):
    d, touch = math.hypot(*offset), people.radii[me] + people.radii[other]
    n = offset / d
    t = np.array([-n[1], n[0]])
    slide = (people.velocities[other] - people.velocities[me]) @ t
    return max(touch - d, 0.0) * (model.body * n + model.friction * slide * t)


LAWS = {Form.ELLIPTICAL: elliptical, Form.CIRCULAR: circular, Form.ANGULAR: angular}


def reference(model, people):
    """The same pushes from everybody on everybody, without cells and cut-off."""
    total = np.zeros((len(people), 2))
    for me in range(len(people)):
        for other in range(len(people)):
            if me != other:
                offset = people.positions[me] - people.positions[other]
                total[me] += LAWS[model.form](model, offset, people, me, other)
                total[me] += contact(model, offset, people, me, other)
    return total


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("numbers", [{}, {"all_round": 0.2, "behind": 0.1, "view": 1.5, "tau": 2}])
def test_a_crowd_is_pushed_as_the_formulas_say_pair_by_pair(form, numbers):
    model = steering(form, sight=1000.0, friction=300.0, **numbers)
    people = random_crowd(60, seed=3)
    strongest = {Form.ELLIPTICAL: 7.0, Form.CIRCULAR: 25.0, Form.ANGULAR: 4.5}[form]
    left_out = 3 * 1e-4 * strongest  # by the cut-off, of the few who are just beyond it
    np.testing.assert_allclose(
        pushes(model, people), reference(model, people), rtol=1e-4, atol=left_out
    )


@pytest.mark.parametrize("form", FORMS)
def test_a_pair_is_pushed_as_the_formulas_say(form):
    model = steering(form, sight=1000.0)
    for seed in range(100):
        people = random_crowd(2, seed, side=2.0)
        people = replace(people, radii=np.full(2, 0.05))
        exact = reference(model, people)
        np.testing.assert_allclose(pushes(model, people), exact, rtol=1e-4, atol=3e-3)


def test_elliptical_people_who_stand_push_by_their_distance():
    people = walkers([[0, 0], [1, 0]], [[0, 0], [0, 0]])
    push = 2.1 / 0.3 * math.exp(-1 / 0.3)
    expected = [[-push, 0], [push, 0]]
    np.testing.assert_allclose(pushes(steering(Form.ELLIPTICAL), people), expected, atol=1e-6)


def test_elliptical_people_make_room_where_somebody_is_about_to_step():
    people = walkers([[0, 0], [1, 0]], [[0, 0], [0, 1]])  # the second will be at (1, 2)
    far = math.sqrt(5)
    b = 0.5 * math.sqrt((1 + far) ** 2 - 4)
    strength = 7.0 * math.exp(-b / 0.3) * (1 + far) / (4 * b)
    expected = [-strength * (1 + 1 / far), -strength * 2 / far]
    np.testing.assert_allclose(
        pushes(steering(Form.ELLIPTICAL), people)[0], expected, rtol=1e-6, atol=1e-9
    )


def test_somebody_behind_counts_half_and_somebody_at_the_edge_of_view_in_full():
    model, push = steering(Form.ELLIPTICAL), 7.0 * math.exp(-1 / 0.3)
    for bearing, share in ((0, 1), (99, 1), (101, 0.5), (180, 0.5), (-99, 1), (-101, 0.5)):
        other = [math.cos(math.radians(bearing)), math.sin(math.radians(bearing))]
        people = walkers([[0, 0], other], np.zeros((2, 2)), wanted=[[1.3, 0], [0, 0]])
        found = math.hypot(*pushes(model, people)[0])
        assert found == pytest.approx(share * push, rel=1e-5), bearing


def test_circular_people_push_by_the_gap_between_their_discs():
    people = walkers([[0, 0], [0.6, 0.8]], np.zeros((2, 2)), radius=0.45)
    push = 25.0 * math.exp(-0.1 / 0.08)
    expected = [[-0.6 * push, -0.8 * push], [0.6 * push, 0.8 * push]]
    np.testing.assert_allclose(pushes(steering(Form.CIRCULAR), people), expected, rtol=1e-6)


@pytest.mark.parametrize("form", FORMS)
def test_bodies_that_overlap_part_and_rub(form):
    still = walkers([[0, 0], [0.5, 0]], np.zeros((2, 2)), radius=0.3)
    rubbing = replace(still, velocities=np.array([[0, 0], [0, 0.1]]))
    with_contact = steering(form), steering(form, body=0.0, friction=0.0)
    parts, points = (pushes(model, still)[0] for model in with_contact)
    np.testing.assert_allclose(parts - points, [-1500 * 0.1, 0], atol=1e-6)
    rubs, points = (pushes(model, rubbing)[0] for model in with_contact)
    np.testing.assert_allclose(rubs - points, [-1500 * 0.1, 3000 * 0.1 * 0.1], atol=1e-6)


def test_in_a_long_step_contact_and_friction_go_no_further_than_the_step_can_carry():
    people = walkers([[0, 0], [0.5, 0]], [[0, 0], [0, 1]], radius=0.3)
    with_contact = steering(Form.ANGULAR), steering(Form.ANGULAR, body=0.0, friction=0.0)
    hard, soft = (model.velocities(people, 0.1)[0] for model in with_contact)
    np.testing.assert_allclose(hard - soft, [-0.1 / 0.1, 0.5], atol=1e-9)  # the gap; half the slip


def test_angular_people_brake_and_turn():
    people = walkers([[0, 0], [3, 0.5]], [[1, 0], [-1, 0]])
    e = np.array([3, 0.5]) / math.hypot(3, 0.5)
    interaction = np.array([4.0, 0.0]) + e
    size = 0.35 * math.hypot(*interaction)
    t = interaction / math.hypot(*interaction)
    theta = math.atan2(e[1], e[0]) - math.atan2(t[1], t[0]) + 0.005 * size  # to the left
    fade = -math.hypot(3, 0.5) / size
    brake = 4.5 * math.exp(fade - (3 * size * theta) ** 2)
    turn = 4.5 * math.exp(fade - (2 * size * theta) ** 2)
    expected = -brake * t + turn * np.array([t[1], -t[0]])  # back, and to the right
    found = pushes(steering(Form.ANGULAR), people)[0]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)
    assert found[1] < 0


@pytest.mark.parametrize(
    ("form", "push"),
    [
        (Form.ELLIPTICAL, 50 * math.exp(-0.5 / 0.2)),
        (Form.CIRCULAR, 25 * math.exp((0.2 - 0.5) / 0.08)),
        (Form.ANGULAR, 3 * math.exp(-0.5 / 0.1)),
    ],
)
def test_a_wall_pushes_as_in_the_form_s_paper(form, push):
    people = walkers([[5, 0.5]], [[0, 0]])
    found = pushes(steering(form, ROOM), people)
    np.testing.assert_allclose(found, [[0, push]], rtol=1e-6, atol=1e-9)


def test_alone_people_come_back_to_the_velocity_they_want():
    people = walkers([[0, 0]], [[0, 0]], wanted=[[1.2, -0.6]])
    found = steering(Form.ELLIPTICAL).velocities(people, 0.05)
    np.testing.assert_allclose(found, [[0.12, -0.06]], rtol=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_turning_moving_and_mirroring_the_scene_does_so_to_the_result(form):
    people, model = random_crowd(80, seed=5), steering(form)
    before = model.velocities(people, 0.05)
    turn = np.array([[math.cos(0.7), -math.sin(0.7)], [math.sin(0.7), math.cos(0.7)]])
    flip = np.diag([1.0, -1.0])
    mirrored = steering(form, side_bias=-model.side_bias)
    for other, matrix, shift in ((model, turn, [3.3, -7.1]), (mirrored, flip, [0.0, 0.25])):
        moved = replace(
            people,
            positions=people.positions @ matrix.T + shift,
            velocities=people.velocities @ matrix.T,
            wanted=people.wanted @ matrix.T,
        )
        found = other.velocities(moved, 0.05)
        np.testing.assert_allclose(found, before @ matrix.T, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("form", FORMS)
def test_the_order_in_which_people_are_named_does_not_matter(form):
    people, model = random_crowd(400, seed=6, side=40.0), steering(form)
    order = np.random.default_rng(0).permutation(400)
    shuffled = Walkers(
        people.positions[order],
        people.velocities[order],
        people.wanted[order],
        people.radii[order],
        people.top_speeds[order],
    )
    found = model.velocities(shuffled, 0.05)
    np.testing.assert_allclose(found, model.velocities(people, 0.05)[order], atol=1e-9)


def walked(model, people, seconds, dt, wish=lambda positions: None):
    """Where everybody is after each step, (steps + 1, people, 2)."""
    places = [people.positions]
    for _ in range(round(seconds / dt)):
        velocities = model.velocities(people, dt)
        positions = people.positions + velocities * dt
        wanted = wish(positions)
        wanted = people.wanted if wanted is None else wanted
        people = replace(people, positions=positions, velocities=velocities, wanted=wanted)
        places.append(positions)
    return np.array(places)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dt", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("aside", [0.0, 0.001, 0.1, 0.4])
def test_two_people_who_walk_at_each_other_pass_and_keep_their_distance(form, dt, aside):
    people = walkers([[-5, 0], [5, aside]], [[1.3, 0], [-1.3, 0]], top_speed=1.7)
    places = walked(steering(form), people, 15.0, dt)
    gaps = np.hypot(*(places[:, 0] - places[:, 1]).T)
    assert gaps.min() > 0.3
    assert places[-1, 0, 0] > places[-1, 1, 0] + 3


def corridor(degrees):
    """A corridor of 30 m by 6 m with a pillar and a thin screen, turned; and its direction."""
    angle = math.radians(degrees)
    along = np.array([math.cos(angle), math.sin(angle)])
    turn = np.array([along, [-along[1], along[0]]])
    boxes = [box(0, 0, 30, 6), box(10, 2.5, 10.6, 3.1), box(20, 1, 20.05, 4)]
    return floor_plan("corridor", np.concatenate(boxes) @ turn), turn


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("dt", "degrees"), [(0.1, 20), (0.05, 0)])
def test_a_hundred_people_in_a_corridor_stay_in_it_for_a_minute(form, dt, degrees):
    place, turn = corridor(degrees)
    rng = np.random.default_rng(1)
    spots = np.stack(np.meshgrid(np.arange(0.6, 29.5, 0.9), np.arange(0.7, 5.5, 0.9)), axis=-1)
    spots = rng.permutation([s @ turn for s in spots.reshape(-1, 2)])
    spots = np.array([spot for spot in spots if place.clearance(*spot) > 0.35])[:100]
    heading = np.where(rng.random(100) < 0.5, 1.0, -1.0)

    def there_and_back(positions):
        along = positions @ turn[0]
        heading[:] = np.where(along > 28, -1.0, np.where(along < 2, 1.0, heading))
        return 1.3 * heading[:, None] * turn[0]

    people = walkers(spots, np.zeros((100, 2)), there_and_back(spots), top_speed=1.8)
    people = replace(people, radii=rng.uniform(0.15, 0.3, 100))
    places = walked(steering(form, place), people, 60.0, dt, there_and_back)
    assert len(spots) == 100
    for person, radius in enumerate(people.radii):
        for x, y in places[::3, person]:
            assert place.clearance(x, y) >= radius
    steps = np.linalg.norm(np.diff(places, axis=0), axis=2)
    assert steps.max() <= 1.8 * dt * (1 + 1e-9)
    assert steps.mean() > 0.4 * dt  # they do get on


@pytest.mark.parametrize("form", FORMS)
def test_nobody_walks_through_a_thin_wall(form):
    people = walkers([[4.5, 5]], [[2.5, 0]], radius=0.1, top_speed=2.5)
    places = walked(steering(form, DIVIDED), people, 10.0, 0.1)
    assert places[..., 0].max() <= 4.9


@pytest.mark.parametrize("form", FORMS)
def test_nobody_is_faster_than_their_top_speed(form):
    people = replace(random_crowd(200, seed=8, side=8.0), top_speeds=np.linspace(0, 2, 200))
    speeds = np.hypot(*steering(form).velocities(people, 0.1).T)
    assert (speeds <= people.top_speeds * (1 + 1e-12)).all()


@pytest.mark.parametrize("form", FORMS)
def test_no_people_and_people_far_apart_are_fine(form):
    model = steering(form)
    assert model.velocities(walkers(np.empty((0, 2)), np.empty((0, 2))), 0.1).shape == (0, 2)
    scattered = walkers([[0, 0], [1e9, 0], [0, -1e12]], np.ones((3, 2)), top_speed=2.0)
    assert np.isfinite(model.velocities(scattered, 0.1)).all()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("speed", [0.0, 1.3])
def test_people_in_the_very_same_spot_part(form, speed):
    people = walkers(np.full((3, 2), 5.0), np.full((3, 2), [speed, 0]), top_speed=2.0)
    first = steering(form, ROOM).velocities(people, 0.1)
    assert np.isfinite(first).all()
    places = walked(steering(form, ROOM), people, 2.0, 0.1)
    gaps = [np.hypot(*(places[-1, a] - places[-1, b])) for a, b in ((0, 1), (1, 2), (0, 2))]
    assert min(gaps) > 0.3


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("spot", [(-2, 5), (11, 12), (5, 5), (4.2, 5.5), (0.05, 0.05), (6, 6)])
def test_people_off_the_map_and_in_walls_come_back(form, spot):
    people = walkers([spot], [[0, 0]], top_speed=1.5)
    places = walked(steering(form, PILLAR), people, 6.0, 0.1)
    assert PILLAR.clearance(*places[-1, 0]) >= 0.2 - 0.01


def test_the_same_people_give_the_same_bytes_and_are_left_alone():
    people = random_crowd(100, seed=9)
    for array in (people.positions, people.velocities, people.wanted, people.radii):
        array.setflags(write=False)
    model = steering(Form.ELLIPTICAL)
    first = model.velocities(people, 0.05)
    assert first.tobytes() == model.velocities(people, 0.05).tobytes()
    assert first.tobytes() == steering(Form.ELLIPTICAL).velocities(people, 0.05).tobytes()


def test_whole_numbers_are_as_good():
    whole = Walkers(*(np.array(a) for a in ([[2, 5], [3, 5]], [[1, 0], [0, 0]], [[1, 0], [0, 1]],
                                            [1, 1], [2, 2])))  # fmt: skip
    real = Walkers(*(np.array(a, float) for a in (whole.positions, whole.velocities,
                     whole.wanted, whole.radii, whole.top_speeds)))  # fmt: skip
    model = steering(Form.CIRCULAR, ROOM)
    assert (model.velocities(whole, 0.05) == model.velocities(real, 0.05)).all()


def test_numbers_that_make_no_sense_are_refused():
    for numbers in ({"tau": 0.0}, {"push": -1.0}, {"sight": math.nan}, {"side_bias": math.inf}):
        with pytest.raises(BadValue, match=next(iter(numbers))):
            SocialForce(**numbers)
    assert SocialForce(side_bias=-0.005, body=0.0).form is Form.ELLIPTICAL
    assert SocialForce(form="angular").form is Form.ANGULAR
    with pytest.raises(UnknownName, match="Did you mean 'angular'"):
        SocialForce(form="angulr")
    with pytest.raises(BadValue, match="dt is 0"):
        steering(Form.CIRCULAR).velocities(walkers([[0, 0]], [[0, 0]]), 0)


@pytest.mark.parametrize("form", FORMS)
def test_nobody_is_followed_for_ever_however_fast(form):
    """A wrong transform makes people of a thousand kilometres a second; a step still ends."""
    model = steering(form, ROOM)
    people = walkers([[5, 5], [-1e8, 5]], [[1e8, 0], [1e9, 1e9]], top_speed=1e12)
    begun = time.process_time()
    for _ in range(100):
        model.velocities(people, 0.05)
    assert time.process_time() - begun < 5.0
