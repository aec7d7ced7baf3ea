"""How sure verdicts are where people are only roughly known."""

import math
from pathlib import Path

import pytest

from handmade_drive import HandmadeDrive, Walker, reconstructed
from paseo.data.store.locations import DataFolder
from paseo.errors import BadValue
from paseo.pipeline.episodes.crowd import import_drive_as_crowd
from paseo.pipeline.episodes.draws import drawn_crowd, drawn_recordings
from paseo.pipeline.episodes.episodes import EpisodeOptions, drive_episodes
from paseo.suite.drawn import DrawnVerdict, uncertain_verdicts
from paseo.suite.running import RunOptions
from paseo.world.records import Verdict
from paseo.world.tracks import Recording

# A robot of 0.3 m that drives straight past somebody of 0.2 m touches them within 0.5 m.
TOUCH = 0.5
SERIAL = {"jobs": 1, "runner": "serial"}


def drive(aside: float, deviation: float) -> HandmadeDrive:
    return HandmadeDrive(
        walkers=[Walker(person=1, start=(4.5, aside))], seconds=15.0, deviation=deviation
    )


def judged(tmp_path: Path, aside: float, deviation: float, count: int) -> tuple[DrawnVerdict, int]:
    """What is said of a robot that drives straight on, and how many draws it must touch in."""
    known = reconstructed(drive(aside, deviation))
    import_drive_as_crowd(known, "yard", data=tmp_path)
    wishes = EpisodeOptions(count=1, seconds=7.0, least_distance=5.0)
    suite = tmp_path / "suite.toml"
    drive_episodes(known, "yard", wishes, out=suite, data=tmp_path)

    def draw(crowd: str, wanted: int) -> list[Recording]:
        return drawn_crowd(crowd, wanted, seed=4, data=DataFolder(tmp_path))

    done = uncertain_verdicts(
        suite,
        "straight",
        draw,
        out=tmp_path / "out",
        count=count,
        options=RunOptions(data=tmp_path, **SERIAL),  # type: ignore[arg-type]
    )
    (verdict,) = done.verdicts
    asides = [walk.tracks[0].positions[0, 1] for walk in draw("yard", count)]
    return verdict, sum(bool(abs(each) < TOUCH) for each in asides)


@pytest.mark.slow
def test_a_near_miss_is_uncertain_in_just_the_draws_that_touch(tmp_path: Path) -> None:
    verdict, touching = judged(tmp_path, aside=0.8, deviation=0.3, count=40)
    assert (verdict.verdict, verdict.draws) == (Verdict.SUCCESS, 40)
    assert verdict.others == {Verdict.PERSON_COLLISION: touching}
    # 0.3 m too near, at a deviation of 0.3 m: one side of a normal distribution beyond 1.
    assert abs(touching - 40 * 0.159) < 3 * math.sqrt(40 * 0.159 * 0.841)
    assert verdict.words == f"success (uncertain: {touching} of 40 draws say otherwise)"


def test_who_is_surely_far_makes_no_doubt(tmp_path: Path) -> None:
    verdict, touching = judged(tmp_path, aside=1.8, deviation=0.1, count=10)
    assert touching == 0 and not verdict.is_uncertain and verdict.words == "success"


@pytest.mark.parametrize(("flips", "uncertain"), [(0, False), (9, False), (10, True), (60, True)])
def test_a_tenth_of_the_draws_makes_a_verdict_uncertain(flips: int, uncertain: bool) -> None:
    verdict = DrawnVerdict(
        episode="e",
        planner="p",
        seed=0,
        verdict=Verdict.SUCCESS,
        others={Verdict.TIMEOUT: flips},
        draws=100,
    )
    assert verdict.is_uncertain is uncertain
    assert verdict.words.startswith("success") and (str(flips) in verdict.words) is uncertain


def test_what_is_drawn_from_the_same_seed_is_the_same() -> None:
    known = reconstructed(drive(1.0, 0.2))
    first, again = (drawn_recordings(known, "yard", 3, seed=7) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        assert (one.tracks[0].positions == other.tracks[0].positions).all()
        assert (one.tracks[0].times == other.tracks[0].times).all()
    assert len({float(each.tracks[0].positions[0, 1]) for each in first}) == 3


@pytest.mark.parametrize("count", [0, 1001])
def test_an_impossible_number_of_draws_is_refused(tmp_path: Path, count: int) -> None:
    with pytest.raises(BadValue, match="expected 1 to 1000"):
        uncertain_verdicts(
            tmp_path / "s.toml", "straight", lambda _, __: [], out=tmp_path / "o", count=count
        )


def test_a_suite_without_a_crowd_cannot_be_drawn_from(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'format = "paseo-suite"\nversion = 1\nname = "empty"\n[[episodes]]\nname = "e"\n'
        'map = "ETH"\nstart = {x_m = 0, y_m = 0}\ngoal = {x_m = 1, y_m = 0}\n'
    )
    with pytest.raises(BadValue, match="name no crowd"):
        uncertain_verdicts(suite, "straight", lambda _, __: [], out=tmp_path / "o")
    assert not (tmp_path / "o").exists() or not list((tmp_path / "o").iterdir())
