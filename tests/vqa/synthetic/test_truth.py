"""The geometric truth, by hand, against shapely, and with a margin to every threshold."""

import math
from collections import Counter
from dataclasses import replace

import pytest
from shapely import LineString, Point

from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.questions.questions import kinds, question, questions
from paseo.vqa.synthetic.casting import Acts, Staging, Walker
from paseo.vqa.synthetic.motion import Drive, Walk
from paseo.vqa.synthetic.stagings import stagings
from paseo.vqa.synthetic.truth import (
    AHEAD,
    BEHIND,
    CROSSING,
    SAME_DISTANCE,
    SHARP_TURN,
    STANDING,
    TURN,
    margins,
    truth,
    truths,
    turns,
)

END = 2.25
PREDICTED = "q_human_future_action_prediction"


def scene(walk: Walk, *, curvature: float = 0.0, goal: tuple[float, float] = (8.0, 0.0)) -> Staging:
    return Staging(
        name="one",
        drive=Drive(speed=1.0, curvature=curvature),
        goal=goal,
        walkers=(Walker(track="1", walk=walk),),
    )


def test_a_person_who_crosses_ahead_and_stays_is_in_the_way() -> None:
    crossing = Walk(start=(5.0, -3.9), velocity=(0.0, 1.8))
    answers = truth(scene(crossing))
    assert answers["q_person_spatial_position_begin_p1"] == ("to the right of",)
    assert answers["q_person_spatial_position_end_p1"] == ("ahead of",)
    assert answers["q_person_distance_change_p1"] == ("closer to",)
    assert answers["q_obstructing_path_p1"] == answers["q_robot_affected_p1"] == ("yes",)
    assert answers["q_robot_action_p1"] == answers["q_person_action_p1"] == ("avoiding",)
    assert answers["q_obstructing_end_position_p1"] == ("yes",)
    assert answers["q_robot_suggested_action_p1"] == ("avoid",)


def test_a_person_who_walks_beside_at_the_same_pace_is_not_considered() -> None:
    beside = Walk(start=(4.0, 3.0), velocity=(1.0, 0.0))
    answers = truth(scene(beside))
    assert answers["q_person_spatial_position_begin_p1"] == ("to the left of",)
    assert answers["q_person_distance_change_p1"] == ("about the same distance to",)
    assert answers["q_obstructing_path_p1"] == ("no",)
    assert answers["q_person_action_p1"] == ("not considering",)
    assert answers["q_human_future_action_prediction_p1"] == ("not consider",)


def test_who_walks_away_ahead_is_further_and_beyond_the_goal_in_nobodys_way() -> None:
    away = Walk(start=(6.0, 0.1), velocity=(2.0, 0.0))
    answers = truth(scene(away, goal=(4.0, 0.0)))
    assert answers["q_person_distance_change_p1"] == ("further away from",)
    assert answers["q_obstructing_path_p1"] == answers["q_obstructing_end_position_p1"] == ("no",)


@pytest.mark.parametrize(
    "curvature, moving",
    [
        (0.0, ("moving ahead",)),
        (0.2, ("moving ahead", "turning left")),
        (-0.2, ("moving ahead", "turning right")),
        (0.6, ("turning left",)),
        (-0.6, ("turning right",)),
    ],
)
def test_the_turn_of_the_heading_tells_how_the_robot_moves(
    curvature: float, moving: tuple[str, ...]
) -> None:
    standing = Walk(start=(5.0, 0.0), velocity=(0.0, 0.0))
    assert truth(scene(standing, curvature=curvature))["q_robot_moving_direction"] == moving


def test_directions_turn_with_the_robot() -> None:
    standing = Walk(start=(6.0, 0.0), velocity=(0.0, 0.0))
    answers = truth(scene(standing, curvature=0.3, goal=(2.0, 6.0)))
    assert answers["q_person_spatial_position_begin_p1"] == ("ahead of",)
    assert answers["q_person_spatial_position_end_p1"] == ("to the right of",)
    assert answers["q_goal_position_begin"] == ("to the left",)
    mirrored = truth(scene(standing, curvature=-0.3, goal=(2.0, -6.0)))
    assert mirrored["q_person_spatial_position_end_p1"] == ("to the left of",)
    assert mirrored["q_goal_position_begin"] == ("to the right",)


def test_a_robot_that_stands_is_said_to_move_ahead_for_want_of_a_better_choice() -> None:
    assert truths(0)["synthetic_0_standing_21"]["q_robot_moving_direction"] == ("moving ahead",)


def drive(**how: float) -> tuple[str, ...]:
    standing = Walker(track="1", walk=Walk(start=(5.0, 0.0), velocity=(0.0, 0.0)))
    staging = Staging(name="one", drive=Drive(**how), goal=(8.0, 0.0), walkers=(standing,))
    return truth(staging)["q_robot_moving_direction"]


def test_a_robot_that_bends_both_ways_moves_ahead_and_turns_twice() -> None:
    every = ("moving ahead", "turning left", "turning right")
    assert drive(speed=1.3, curvature=0.5, turns_back_at=1.125) == every


def test_a_robot_that_looks_around_on_the_spot_does_not_move_ahead() -> None:
    both = ("turning left", "turning right")
    assert drive(speed=0.0, spin=0.5, turns_back_at=1.125) == both
    assert drive(speed=0.0, spin=-0.5) == ("turning right",)


def test_what_is_staged_goes_before_what_the_rules_say_and_who_considers_is_affected() -> None:
    ahead = Walk(start=(3.0, 0.0), velocity=(1.0, 0.0))
    followed = Acts(robot="following", person="not considering", robot_next="follow")
    staging = replace(scene(ahead), walkers=(Walker(track="1", walk=ahead, acts=followed),))
    answers = truth(staging)
    assert answers["q_obstructing_path_p1"] == ("yes",)
    assert answers["q_robot_action_p1"] == ("following",)
    assert answers["q_robot_affected_p1"] == ("yes",)
    assert answers["q_person_action_p1"] == ("not considering",)
    assert answers["q_person_affected_p1"] == ("no",)
    assert answers["q_robot_suggested_action_p1"] == ("follow",)
    assert answers["q_human_future_action_prediction_p1"] == ("avoid",)  # by the rules


@pytest.mark.parametrize("seed", [0, 1, 11])
def test_every_answer_to_every_kind_of_question_is_the_right_one_somewhere(seed: int) -> None:
    right = Counter(
        (question(scene, key).kind.key, option)
        for scene, answers in truths(seed).items()
        for key, option in answers.items()
    )
    for kind in kinds().values():
        for option in kind.options:
            assert right[kind.key, option], (kind.key, option)
        if not kind.select_many:
            often = [option for option in kind.options if right[kind.key, option] > 1]
            rare = set(kind.options) - set(often)
            assert not rare or (kind.key, rare) == (PREDICTED, {("overtake",)})


def same_way(staging: Staging, walker: Walker) -> bool:
    """Whether a person walks as the robot drives on average, within 30 degrees."""
    x, y, _ = staging.drive.pose(END)
    vx, vy = walker.walk.velocity
    return math.hypot(vx, vy) > 0 and abs(math.atan2(vy, vx) - math.atan2(y, x)) < math.radians(30)


@pytest.mark.parametrize("seed", [0, 7])
def test_motion_fits_what_is_staged(seed: int) -> None:
    for staging in stagings(seed):
        for walker in staging.walkers:
            acts, at = walker.acts, margins(staging, walker)
            first, last = (math.degrees(abs(bearing)) for bearing in at.bearings)
            if acts.robot == "following":
                assert same_way(staging, walker) and first < 30 and last < 30
            if acts.robot == "overtaking":
                assert same_way(staging, walker) and first < 60 and last > 90
            if acts.robot == "yielding to":
                assert at.path_gap < CROSSING and staging.drive.travelled(END) < 1.0
            if acts.person == "following":
                assert same_way(staging, walker) and first > 120 and last > 120
            if acts.person == "overtaking":
                assert same_way(staging, walker) and first > 90 and last < 60
            if acts.person == "yielding to":
                assert walker.walk.stops_at < END and not at.crosses
            if acts.person_next == "overtake":
                assert (
                    math.hypot(*walker.walk.velocity) > staging.drive.speed and at.approach < -0.5
                )
            if acts.robot_next == "overtake":
                assert same_way(staging, walker) and at.end_gap < STANDING and last < 30
                assert math.hypot(*walker.walk.velocity) < staging.drive.speed / 2


@pytest.mark.parametrize("seed", [0, 1, 11])
def test_every_question_has_one_of_its_options_in_the_order_of_asking(seed: int) -> None:
    for staging in stagings(seed):
        answers = truths(seed)[staging.id]
        asked = questions(staging.id, range(1, len(staging.walkers) + 1))
        assert list(answers) == [each.key for each in asked]
        for key, option in answers.items():
            assert option in question(staging.id, key).kind.options


@pytest.mark.parametrize("staging", stagings(2), ids=lambda staging: staging.id)
def test_gaps_are_those_that_shapely_measures(staging: Staging) -> None:
    for walker in staging.walkers:
        frames = list(walker.tracked(staging.drive))
        first, last = frames[0] * TIMING.period, frames[-1] * TIMING.period
        begin, end = walker.walk.position(first), walker.walk.position(last)
        robot = staging.drive.pose(first)[:2], staging.drive.pose(last)[:2]
        way, rest = LineString([robot[0], staging.goal]), LineString([robot[1], staging.goal])
        walked, found = LineString([begin, end]), margins(staging, walker)
        assert found.path_gap == pytest.approx(walked.distance(way), abs=1e-9)
        assert found.end_gap == pytest.approx(Point(end).distance(rest), abs=1e-9)
        assert found.crosses == walked.crosses(way)


def clear(value: float, threshold: float, margin: float) -> bool:
    return abs(abs(value) - threshold) >= margin


@pytest.mark.parametrize("seed", range(30))
def test_no_answer_hangs_on_a_narrow_margin(seed: int) -> None:
    degree = math.radians(1)
    for staging in stagings(seed):
        assert all(clear(turn, TURN, 5 * degree) for turn in turns(staging.drive))
        assert clear(staging.drive.pose(END)[2], SHARP_TURN, 10 * degree)
        for walker in staging.walkers:
            at = margins(staging, walker)
            name = (staging.id, walker.track, at)
            for bearing in at.bearings:
                assert clear(bearing, AHEAD, 4 * degree) and clear(bearing, BEHIND, 4 * degree), (
                    name
                )
            assert clear(at.approach, SAME_DISTANCE, 0.12), name
            assert clear(at.path_gap, CROSSING, 0.15) and clear(at.end_gap, STANDING, 0.2), name
