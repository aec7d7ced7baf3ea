"""The staged scenes of the synthetic data set, each with what is peculiar about it."""

import random
from dataclasses import replace

from paseo.camera.people.library import Library, place_for
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.casting import Acts, Staging, Stray, Walker
from paseo.vqa.synthetic.motion import Drive, Point, Walk

SHAKE = 0.04  # metres by which a seed moves where people start
BODIES = 100  # ids of people that one seed has for itself


def stagings(seed: int) -> tuple[Staging, ...]:
    """The scenes; a seed moves and turns the world, shakes where people start, and casts them."""
    rng = random.Random(f"stagings {seed}")
    before = [sum(len(each.walkers) for each in _PLAN[:k]) for k in range(len(_PLAN))]
    return tuple(
        _shaken(replace(staging, seed=seed), first, rng)
        for staging, first in zip(_PLAN, before, strict=True)
    )


def _shaken(staging: Staging, first: int, rng: random.Random) -> Staging:
    """With people of their own, the first of them being this one of the data set."""
    people, walkers = Library(), []
    for number, walker in enumerate(staging.walkers, start=BODIES * staging.seed + first):
        x, y = (at + rng.uniform(-SHAKE, SHAKE) for at in walker.walk.start)
        height = people.height(place_for(number, 0, len(people)))
        walk = replace(walker.walk, start=(x, y))
        walkers.append(replace(walker, walk=walk, person=number, height=height))
    origin = rng.uniform(-40, 40), rng.uniform(-40, 40)
    return replace(staging, walkers=tuple(walkers), origin=origin, yaw=rng.uniform(0.5, 5.5))


def _person(
    track: str,
    start: Point,
    velocity: Point,
    acts: Acts | None = None,
    *,
    stops_at: float = 1e9,
    missed: str = "",
    all_around: bool = False,
) -> Walker:
    return Walker(
        track=track,
        walk=Walk(start=start, velocity=velocity, stops_at=stops_at),
        missed=frozenset(map(int, missed)),
        all_around=all_around,
        acts=acts or Acts(),
    )


# What people are staged to do, and the robot about them.
FOLLOWED = Acts(
    robot="following", person="not considering", robot_next="follow", person_next="not consider"
)
FOLLOWS = Acts(person="following", person_next="follow")
YIELDS = Acts(person="yielding to", person_next="yield to")
OVERTAKEN = Acts(robot="overtaking")
SLOW = Acts(person="not considering", robot_next="overtake", person_next="not consider")
PASSES = Acts(person="overtaking")
COMES_UP = Acts(person="following", person_next="overtake")
LET_PASS = Acts(
    robot="yielding to", person="not considering", robot_next="yield to", person_next="not consider"
)
COMES_CROSSING = Acts(robot_next="yield to")

_PLAN = (
    Staging(  # as most scenes are: somebody ahead, somebody oncoming, somebody crossing
        name="mixed",
        first_frame=228,
        drive=Drive(speed=1.1),
        goal=(8.0, 0.0),
        walkers=(
            _person("12", (3.2, 0.35), (1.05, -0.3), FOLLOWED),
            _person("7", (8.0, 2.1), (-1.1, 0.05)),
            _person("31", (5.2, -3.9), (0.3, 1.85)),
        ),
        words_for_numbers=True,
    ),
    Staging(  # one person, five voters; the odometry ends where the original can just read it
        name="lone",
        first_frame=46,
        drive=Drive(speed=1.0, stands_at=1.75),
        goal=(6.0, -0.5),
        walkers=(_person("2", (3.5, 2.6), (0.0, -1.6), LET_PASS, stops_at=2.0),),
        voters=5,
        frames_after=1,
        bare_count=True,
    ),
    Staging(  # the recording's first frame; a sharp left turn
        name="turning",
        first_frame=0,
        drive=Drive(speed=1.0, curvature=0.58),
        goal=(-1.5, 6.2),
        walkers=(
            _person("5", (5.0, -0.4), (-0.2, 0.0)),
            _person("6", (4.0, 3.7), (-1.15, 0.4)),
            _person("9", (6.5, 4.8), (-0.6, 0.6)),
        ),
        voters=12,
        yaw_column=True,
    ),
    Staging(  # a crowd with numbers of two digits; somebody overtakes the robot
        name="crowd",
        first_frame=94,
        drive=Drive(speed=0.8),
        goal=(9.0, 0.2),
        walkers=(
            _person("1", (9.8, 2.3), (-1.1, -0.1)),
            _person("3", (7.8, 3.4), (-0.5, 0.1)),
            _person("4", (6.0, 4.4), (0.5, 0.2)),
            _person("8", (4.6, 4.0), (1.3, 0.1)),
            _person("10", (5.5, 0.5), (0.9, -0.4)),
            _person("11", (9.2, 1.5), (-0.3, 0.1)),
            _person("13", (3.0, -2.3), (0.75, -0.2)),
            _person("14", (4.6, -3.7), (0.1, 1.85)),
            _person("17", (5.9, -4.9), (0.0, 0.0)),
            _person("20", (8.5, -3.5), (-1.0, -0.1)),
            _person("21", (9.8, -2.0), (-0.9, -0.1)),
            _person("23", (7.4, -1.6), (0.75, -0.2)),
            _person("30", (2.9, 2.4), (1.2, -1.2)),
        ),
        voters=11,
    ),
    Staging(  # a tracker with gaps; tracks that must not be numbered
        name="gaps",
        first_frame=1070,
        drive=Drive(speed=0.9, curvature=-0.24),
        goal=(6.5, -2.4),
        walkers=(
            _person("40", (6.0, -0.3), (0.0, -0.95), missed="347"),
            _person("41", (6.5, 2.6), (0.9, 0.1), missed="6789"),
            _person("44", (9.0, -4.8), (-1.2, 0.0), missed="012"),
            _person("47", (3.6, 0.2), (0.3, 0.2), missed="012356789"),
        ),
        strays=(
            Stray(track="42", positions={k: (14.0 + 0.2 * k, 1.0) for k in range(TIMING.frames)}),
            Stray(track="43", positions={4: (7.0, -1.0), 5: (7.1, -0.9)}),
            Stray(track="45", positions={k: (0.4 - 0.2 * k, 1.5) for k in range(5)}),
            Stray(track="46", positions={k: (6.0, 6.0 + 0.1 * k) for k in range(TIMING.frames)}),
        ),
        voters=9,
        yaw_column=True,
    ),
    Staging(  # a goal and a person outside of the usual extent of the bird's-eye view
        name="far",
        first_frame=367,
        drive=Drive(speed=1.2, curvature=-0.2),
        goal=(3.0, -7.5),
        walkers=(
            _person("3", (13.5, 0.6), (-1.7, -0.1)),
            _person("4", (6.5, 2.8), (1.1, 0.1)),
            _person("5", (4.3, -3.5), (-0.4, -0.2)),
        ),
        voters=8,
        goal_text="[ {x} ,{y}  ]",
        bare_count=True,
    ),
    Staging(  # the numbers are given by a file, and not from left to right
        name="numbers",
        first_frame=155,
        drive=Drive(speed=0.7, curvature=0.34),
        goal=(5.0, 4.0),
        walkers=(
            _person("15", (3.6, 3.2), (0.1, -0.4)),
            _person("16", (4.5, -0.4), (0.6, 0.9)),
            _person("18", (8.0, -0.3), (-1.3, -0.6)),
            _person("19", (6.5, -2.0), (0.4, -0.6)),
        ),
        given_numbers={"16": 1, "15": 2, "19": 3, "18": 4},
        voters=9,
    ),
    Staging(  # a robot that stands: motion gives it no heading
        name="standing",
        first_frame=21,
        drive=Drive(speed=0.0),
        goal=(4.0, 5.5),
        walkers=(
            _person("50", (2.6, 2.3), (0.9, -1.75)),
            _person("51", (7.0, -0.8), (-1.2, 0.0)),
        ),
        voters=7,
        yaw_column=True,
    ),
    Staging(  # the robot behind somebody, somebody behind the robot, somebody who lets it pass
        name="following",
        first_frame=310,
        drive=Drive(speed=1.0),
        goal=(9.0, 0.0),
        walkers=(
            _person("61", (2.6, 0.1), (1.0, 0.0), FOLLOWED),
            _person("62", (-2.9, 0.3), (1.0, 0.0), FOLLOWS, all_around=True),
            _person("63", (4.6, 3.8), (0.0, -1.9), YIELDS, stops_at=1.0),
            _person("60", (1.75, -1.35), (0.1, 0.0), OVERTAKEN, all_around=True),
            _person("64", (8.4, -2.9), (-1.2, 0.0)),
        ),
        given_numbers={"63": 1, "61": 2, "64": 3, "60": 4, "62": 5},
    ),
    Staging(  # the robot swerves around somebody slow, and will have to do so again
        name="overtaking",
        first_frame=88,
        drive=Drive(speed=1.3, curvature=0.5, turns_back_at=1.125),
        goal=(9.5, 1.5),
        walkers=(
            _person("65", (1.65, -1.25), (0.2, 0.0), OVERTAKEN, all_around=True),
            _person("59", (-3.0, 0.0), (1.1, 0.25), FOLLOWS, all_around=True),
            _person("66", (4.7, 0.5), (0.35, 0.0), SLOW),
            _person("67", (7.4, 1.5), (0.4, 0.0), SLOW),
            _person("68", (8.0, -2.6), (-1.1, 0.0)),
        ),
        given_numbers={"67": 1, "66": 2, "68": 3, "65": 4, "59": 5},
        voters=8,
    ),
    Staging(  # people faster than the robot: one passes it, one is about to
        name="passed",
        first_frame=507,
        drive=Drive(speed=0.5),
        goal=(8.0, -0.3),
        walkers=(
            _person("70", (-1.5, 1.35), (2.0, 0.0), PASSES, all_around=True),
            _person("71", (-2.6, -1.4), (1.0, 0.0), COMES_UP, all_around=True),
            _person("72", (7.4, 2.9), (-1.0, 0.1)),
            _person("73", (4.2, -0.2), (0.5, 0.0), FOLLOWED),
            _person("74", (-0.9, -2.1), (1.9, 0.0), PASSES, all_around=True),
        ),
        given_numbers={"70": 1, "72": 2, "73": 3, "74": 4, "71": 5},
    ),
    Staging(  # a robot that waits and looks to both sides while people cross
        name="yielding",
        first_frame=1096,
        drive=Drive(speed=0.0, spin=0.5, turns_back_at=1.125),
        goal=(7.0, 0.0),
        walkers=(
            _person("75", (3.6, -3.0), (0.0, 1.3), LET_PASS),
            _person("76", (6.0, -4.3), (-0.2, 1.1), COMES_CROSSING),
            _person("77", (5.6, 3.9), (0.1, -0.9), COMES_CROSSING),
        ),
        voters=11,
    ),
    Staging(  # a sharp right turn, after which somebody is behind
        name="leaving",
        first_frame=21,
        drive=Drive(speed=0.8, curvature=-0.75),
        goal=(-2.0, -5.0),
        walkers=(
            _person("80", (2.6, 2.2), (0.0, 0.0), all_around=True),
            _person("81", (3.9, -2.9), (-0.4, -0.8)),
            _person("82", (4.4, -0.5), (0.0, -1.3), YIELDS, stops_at=1.5),
        ),
        voters=9,
    ),
)
