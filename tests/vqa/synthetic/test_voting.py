"""Ballots: drawn around the truth, staged where arithmetic is tested, and added up faithfully."""

from collections import Counter
from typing import Any

import pytest

from paseo.vqa.questions.questions import Option, kinds, question
from paseo.vqa.synthetic.casting import Staging
from paseo.vqa.synthetic.stagings import stagings
from paseo.vqa.synthetic.truth import truth
from paseo.vqa.synthetic.voting import (
    EVERY_SUBSET,
    FIVE_VOTERS,
    ODD_COUNTS,
    RIGHT,
    Ballots,
    ballots,
    common_answers,
    raw_answers,
)

SCENES = {staging.name: staging for staging in stagings(0)}


def cast(staging: Staging, seed: int = 0) -> Ballots:
    return ballots(staging, truth(staging), seed=seed)


def splits(ballots: Ballots) -> dict[str, list[int]]:
    return {key: sorted(Counter(b.values()).values())[::-1] for key, b in ballots.items()}


def option(answer: Any) -> Option:
    return tuple(answer) if isinstance(answer, list) else (answer,)


def test_every_kind_of_question_has_a_share_of_right_answers() -> None:
    assert list(RIGHT) != [] and set(RIGHT) == set(kinds())
    assert all(0.4 < share < 1 for share in RIGHT.values())


def test_people_are_right_as_often_as_they_should_be() -> None:
    staging = SCENES["crowd"]
    right, right_key = truth(staging), "q_robot_action"
    votes = [
        answer == right[key]
        for seed in range(30)
        for key, ballot in cast(staging, seed).items()
        if question(staging.id, key).kind.key == right_key
        for answer in ballot.values()
    ]
    assert len(votes) == 30 * 13 * 11
    assert sum(votes) / len(votes) == pytest.approx(RIGHT[right_key], abs=0.03)


def test_most_scenes_have_one_number_of_voters() -> None:
    for staging in SCENES.values():
        if staging.name != ODD_COUNTS:
            assert {len(ballot) for ballot in cast(staging).values()} == {staging.voters}


def test_five_voters_split_three_to_two_and_three_to_one_to_one() -> None:
    found = set(map(tuple, splits(cast(SCENES[FIVE_VOTERS])).values()))
    assert found == {(3, 2), (3, 1, 1)}


def test_every_set_of_directions_gets_a_vote_in_one_scene() -> None:
    ballot = cast(SCENES[EVERY_SUBSET])["q_robot_moving_direction"]
    assert set(ballot.values()) == set(kinds()["q_robot_moving_direction"].options)


def test_one_scene_has_ties_one_voice_a_lone_voter_and_changing_numbers() -> None:
    counts = splits(cast(SCENES[ODD_COUNTS]))
    assert counts["q_goal_position_begin"] == [9]
    assert counts["q_goal_position_end"] == [1]
    assert counts["q_person_distance_change_p1"] == [4, 4, 1]
    assert counts["q_obstructing_path_p2"] == [2, 2]
    assert {7, 9} <= {sum(each) for each in counts.values()}


@pytest.mark.parametrize("staging", SCENES.values(), ids=lambda staging: staging.id)
def test_added_up_votes_are_sorted_shares_of_all_voters(staging: Staging) -> None:
    ballots = cast(staging)
    common: dict[str, Any] = common_answers(ballots, staging, seed=0)
    for key, ballot in ballots.items():
        counts = Counter(ballot.values())
        shares, voters = common[f"{key}_probabilities"], common[f"{key}_n_answers"]
        assert sum(shares) == pytest.approx(1) and shares == sorted(shares, reverse=True)
        named = dict(zip(map(option, common[key]), shares, strict=True))
        assert {each: round(share * voters) for each, share in named.items()} == counts


@pytest.mark.parametrize("staging", SCENES.values(), ids=lambda staging: staging.id)
def test_answers_by_person_add_up_to_the_same_votes(staging: Staging) -> None:
    ballots = cast(staging)
    by_person = raw_answers(ballots, staging)
    for key, ballot in ballots.items():
        told = [option(answers[key]) for answers in by_person.values() if key in answers]
        assert Counter(told) == Counter(ballot.values())


def test_keys_are_not_in_the_order_of_asking_and_a_button_left_its_word() -> None:
    staging = SCENES[ODD_COUNTS]
    common = common_answers(cast(staging), staging, seed=0)
    keys = [key for key in common if key in truth(staging)]
    assert keys != list(truth(staging))
    assert common[""] == ["next"]
    assert "" not in common_answers(cast(SCENES[FIVE_VOTERS]), SCENES[FIVE_VOTERS], seed=0)


def test_the_same_seed_gives_the_same_ballots_and_another_seed_others() -> None:
    staging = SCENES["mixed"]
    assert cast(staging, 4) == cast(staging, 4) != cast(staging, 5)
