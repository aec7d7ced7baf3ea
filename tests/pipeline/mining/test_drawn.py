"""How sure answers by rule are, where people are known only roughly."""

import json
from pathlib import Path

import pytest

from handmade_drive import HandmadeDrive, Walker, reconstructed
from paseo.errors import BadValue
from paseo.pipeline.mining.cutting import CuttingOptions, cut_scenes, mined_scenes
from paseo.pipeline.mining.drawn import DrawnAnswer, drawn_answers

# Beside the robot's way at 1.2 m to the left: "ahead" by the bearing, but not by much.
WALKERS = [Walker(person=1, start=(16.0, 1.2)), Walker(person=2, start=(18.0, -2.5))]


def answers(deviation: float, *, count: int = 50, seed: int = 1) -> tuple[DrawnAnswer, ...]:
    known = reconstructed(HandmadeDrive(walkers=WALKERS, deviation=deviation))
    scenes = mined_scenes(known, CuttingOptions(count=1))
    return drawn_answers(scenes, known, count=count, seed=seed)


def test_where_people_are_known_no_draw_says_otherwise() -> None:
    found = answers(1e-9)
    assert found and not any(each.flips for each in found)
    assert len({each.question for each in found}) == 3 + 12 * 2


def test_the_less_is_known_the_more_answers_are_uncertain() -> None:
    shares = [sum(each.is_uncertain for each in answers(each)) for each in (0.01, 0.5, 3.0)]
    assert shares[0] <= shares[1] < shares[2]


def test_what_rests_on_the_robot_alone_is_never_uncertain() -> None:
    alone = [each for each in answers(3.0) if not each.question.rpartition("_p")[2].isdigit()]
    assert len(alone) == 3 and not any(each.flips for each in alone)


def test_the_same_seed_draws_the_same() -> None:
    assert answers(1.0) == answers(1.0)
    assert answers(1.0) != answers(1.0, seed=2)


def test_answers_and_their_doubts_lie_beside_the_scenes(tmp_path: Path) -> None:
    drive = HandmadeDrive(walkers=WALKERS, deviation=3.0)
    wishes = CuttingOptions(count=1, draws=20)
    done = cut_scenes(reconstructed(drive), drive, tmp_path / "out", wishes=wishes)
    content = json.loads((tmp_path / "out" / "answers_by_rule.json").read_text())
    (scene,) = content["scenes"].values()
    assert sum(each["uncertain"] for each in scene.values()) == sum(
        each.is_uncertain for each in done.answers
    )
    with pytest.raises(BadValue, match="draws must be between 0 and 1000"):
        CuttingOptions(draws=-1)
