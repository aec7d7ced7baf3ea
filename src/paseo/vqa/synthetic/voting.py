"""What staged people answer: the truth, mistaken now and then, one ballot for each question."""

import random
from collections import Counter
from collections.abc import Iterable

from paseo.vqa.questions.questions import Option, QuestionType, question
from paseo.vqa.synthetic.casting import Staging

# How often a person is right, by kind of question; every wrong option is as likely as another.
RIGHT = {
    "q_robot_moving_direction": 0.7,
    "q_person_spatial_position_begin": 0.8,
    "q_person_spatial_position_end": 0.75,
    "q_person_distance_change": 0.7,
    "q_goal_position_begin": 0.9,
    "q_goal_position_end": 0.8,
    "q_obstructing_path": 0.75,
    "q_obstructing_end_position": 0.8,
    "q_robot_affected": 0.7,
    "q_robot_action": 0.6,
    "q_person_affected": 0.7,
    "q_person_action": 0.6,
    "q_robot_suggested_affected": 0.75,
    "q_robot_suggested_action": 0.55,
    "q_human_future_action_prediction": 0.5,
}
# Names of scenes.
FIVE_VOTERS = "lone"
EVERY_SUBSET = "turning"
ODD_COUNTS = "numbers"

Ballot = dict[str, Option]  # by voter
Ballots = dict[str, Ballot]  # by question key


def ballots(staging: Staging, truth: dict[str, Option], *, seed: int) -> Ballots:
    """Every voter's answer to every question about a scene."""
    rng = random.Random(f"votes {seed} {staging.id}")
    voters = [f"annotator_{number:02d}" for number in range(1, staging.voters + 1)]
    cast: Ballots = {}
    for place, (key, right) in enumerate(truth.items()):
        kind = question(staging.id, key).kind
        answers = _staged(staging, kind, key, right) or [
            _vote(kind, right, rng) for _ in range(_voters(staging, place))
        ]
        rng.shuffle(answers)
        cast[key] = dict(zip(sorted(rng.sample(voters, len(answers))), answers, strict=True))
    return cast


def common_answers(cast: Ballots, staging: Staging, *, seed: int) -> dict[str, object]:
    """The votes added up as the data set's label files have them."""
    flat: dict[str, object] = {}
    keys = list(cast)
    random.Random(f"order {seed} {staging.id}").shuffle(keys)
    for key in keys:
        kind = question(staging.id, key).kind
        counts = tally(cast[key].values())
        ranked = sorted(counts, key=lambda option: (-counts[option], kind.options.index(option)))
        voters = len(cast[key])
        flat[key] = [_written(option, kind) for option in ranked]
        flat[f"{key}_probabilities"] = [counts[option] / voters for option in ranked]
        flat[f"{key}_n_answers"] = voters
    if staging.name == ODD_COUNTS:  # what a survey's button left behind
        flat |= {"": ["next"], "_probabilities": [1.0], "_n_answers": 2}
    return flat


def raw_answers(cast: Ballots, staging: Staging) -> dict[str, dict[str, object]]:
    """Answers by voter and question key; the data set's own form of this file is not known."""
    voters = sorted({voter for ballot in cast.values() for voter in ballot})
    return {
        voter: {
            key: _written(ballot[voter], question(staging.id, key).kind)
            for key, ballot in cast.items()
            if voter in ballot
        }
        for voter in voters
    }


def tally(answers: Iterable[Option]) -> dict[Option, int]:
    """How many gave each answer."""
    return dict(Counter(answers))


def _voters(staging: Staging, place: int) -> int:
    return staging.voters - 2 * (place % 2) if staging.name == ODD_COUNTS else staging.voters


def _vote(kind: QuestionType, right: Option, rng: random.Random) -> Option:
    if rng.random() < RIGHT[kind.key]:
        return right
    return rng.choice([option for option in kind.options if option != right])


def _staged(staging: Staging, kind: QuestionType, key: str, right: Option) -> list[Option]:
    """Answers with splits that arithmetic gets wrong; none where votes are left to chance."""
    wrong = [option for option in kind.options if option != right]
    if staging.name == FIVE_VOTERS:
        two_to_one = len(wrong) in (1, 3)  # the others have two voters who disagree
        return [right] * 3 + (wrong[:1] * 2 if two_to_one else wrong[:2])
    if staging.name == EVERY_SUBSET and kind.select_many:
        return [right] * (staging.voters - len(wrong)) + wrong
    if staging.name == ODD_COUNTS:
        staged = {
            "q_goal_position_begin": [right] * 9,
            "q_goal_position_end": [right],
            "q_person_distance_change_p1": [right] * 4 + wrong[:1] * 4 + wrong[1:2],
            "q_obstructing_path_p2": [right] * 2 + wrong * 2,
        }
        return staged.get(key, [])
    return []


def _written(option: Option, kind: QuestionType) -> object:
    return list(option) if kind.select_many else option[0]
