"""How sure verdicts are where people are only roughly known."""

import math
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs

from handmade_drive import HandmadeDrive, Walker, reconstructed
from paseo.data.store.locations import DataFolder
from paseo.data.suites.suite_file import EpisodeEntry
from paseo.errors import BadValue
from paseo.pipeline.drives.drift import NONE, Drift
from paseo.pipeline.episodes.crowd import import_drive_as_crowd
from paseo.pipeline.episodes.draws import DrawnCrowd, drawn_crowd, drawn_crowds, drawn_episode
from paseo.pipeline.episodes.episodes import EpisodeOptions, drive_episodes
from paseo.suite.drawn import DrawnVerdict, uncertain_verdicts
from paseo.suite.running import RunOptions
from paseo.world.records import Verdict

# A robot of 0.3 m that drives straight past somebody of 0.2 m touches them within 0.5 m.
TOUCH = 0.5
SERIAL = {"jobs": 1, "runner": "serial"}


def drive(aside: float, deviation: float) -> HandmadeDrive:
    return HandmadeDrive(
        walkers=[Walker(person=1, start=(4.5, aside))], seconds=15.0, deviation=deviation
    )


def no_drift(suite: Path) -> None:
    """Tell in a suite that its robot's odometry is right."""
    told = "odometry = {way_share=0, turn_share=0, heading_degps=0, heading_deg_per_root_s=0}"
    suite.write_text(suite.read_text().replace("[robot]\n", f"[robot]\n{told}\n"))


def judged(tmp_path: Path, aside: float, deviation: float, count: int) -> tuple[DrawnVerdict, int]:
    """What is said of a robot that drives straight on, and how many draws it must touch in."""
    known = reconstructed(drive(aside, deviation))
    import_drive_as_crowd(known, "yard", data=tmp_path)
    wishes = EpisodeOptions(count=1, seconds=7.0, least_distance=5.0)
    suite = tmp_path / "suite.toml"
    drive_episodes(known, "yard", wishes, out=suite, data=tmp_path)
    no_drift(suite)

    def draw(crowd: str, wanted: int, drift: Drift) -> list[DrawnCrowd]:
        return drawn_crowd(crowd, wanted, seed=4, data=DataFolder(tmp_path), drift=drift)

    done = uncertain_verdicts(
        suite,
        "straight",
        draw,
        out=tmp_path / "out",
        count=count,
        options=RunOptions(data=tmp_path, **SERIAL),  # type: ignore[arg-type]
    )
    (verdict,) = done.verdicts
    asides = [each.recording.tracks[0].positions[0, 1] for each in draw("yard", count, NONE)]
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
    first, again = (
        [each.recording for each in drawn_crowds(known, "yard", 3, seed=7)] for _ in range(2)
    )
    for one, other in zip(first, again, strict=True):
        assert (one.tracks[0].positions == other.tracks[0].positions).all()
        assert (one.tracks[0].times == other.tracks[0].times).all()
    assert len({float(each.tracks[0].positions[0, 1]) for each in first}) == 3


@pytest.mark.parametrize("count", [0, 1001])
def test_an_impossible_number_of_draws_is_refused(tmp_path: Path, count: int) -> None:
    with pytest.raises(BadValue, match="expected 1 to 1000"):
        uncertain_verdicts(
            tmp_path / "s.toml", "straight", lambda *_: [], out=tmp_path / "o", count=count
        )


def test_a_suite_without_a_crowd_cannot_be_drawn_from(tmp_path: Path) -> None:
    suite = tmp_path / "suite.toml"
    suite.write_text(
        'format = "paseo-suite"\nversion = 1\nname = "empty"\n[[episodes]]\nname = "e"\n'
        'map = "ETH"\nstart = {x_m = 0, y_m = 0}\ngoal = {x_m = 1, y_m = 0}\n'
    )
    with pytest.raises(BadValue, match="name no crowd"):
        uncertain_verdicts(suite, "straight", lambda *_: [], out=tmp_path / "o")
    assert not (tmp_path / "o").exists() or not list((tmp_path / "o").iterdir())


STRONG = Drift(way=0.05, turning=math.radians(1.0))


def cut_out(tmp_path: Path) -> EpisodeEntry:
    """An episode of 7 s of a drive on a guessed floor plan, which begins some seconds into it."""
    import_drive_as_crowd(reconstructed(drive(0.7, 1e-6)), "yard", data=tmp_path)
    wishes = EpisodeOptions(count=1, seconds=7.0, least_distance=5.0)
    known = reconstructed(drive(0.7, 1e-6))
    (entry,) = drive_episodes(known, "yard", wishes, data=tmp_path).episodes
    return entry


def test_whoever_drove_meets_people_as_they_did_however_odometry_drifts(tmp_path: Path) -> None:
    cut_out(tmp_path)
    suite, known = tmp_path / "suite.toml", reconstructed(drive(0.7, 1e-6))
    wishes = EpisodeOptions(count=1, seconds=7.0, least_distance=5.0)
    drive_episodes(known, "yard", wishes, out=suite, data=tmp_path)
    done = uncertain_verdicts(
        suite,
        "human",
        lambda crowd, count, _: drawn_crowd(
            crowd, count, seed=4, data=DataFolder(tmp_path), drift=STRONG
        ),
        out=tmp_path / "out",
        count=6,
        options=RunOptions(data=tmp_path, **SERIAL),  # type: ignore[arg-type]
    )
    (verdict,) = done.verdicts
    assert (verdict.verdict, verdict.others, verdict.draws) == (Verdict.SUCCESS, {}, 6)


def test_an_episode_on_a_guessed_plan_is_bent_with_it(tmp_path: Path) -> None:
    entry, data = cut_out(tmp_path), DataFolder(tmp_path)
    (draw,) = drawn_crowd("yard", 1, seed=4, data=data, drift=STRONG)
    found = drawn_episode(entry, [draw], ["other"])
    assert (found.map, found.recordings[0].recording) == ("other", "other")
    assert abs(found.goal.y_m - entry.goal.y_m) > 0.02
    assert [found.goal.x_m, found.goal.y_m] == pytest.approx(found.driven[-1][1:3], abs=1e-3)
    plan = draw.floorplan
    assert plan is not None and plan.clearance(found.goal.x_m, found.goal.y_m) > 0.3


def test_on_a_plan_that_was_measured_people_drift_and_the_episode_stays(tmp_path: Path) -> None:
    entry, known = cut_out(tmp_path), reconstructed(drive(0.7, 1e-6))
    (draw,) = drawn_crowds(known, "yard", 1, seed=4, drift=STRONG)
    found = drawn_episode(entry, [draw], ["other"])
    assert (found.map, found.start, found.goal) == (entry.map, entry.start, entry.goal)
    (placed,) = found.recordings
    turn, shift = np.hsplit(np.array(placed.transform), [2])
    walk, before = draw.recording.tracks[0], known.tracks[0]
    begins = placed.first_frame / 10
    at_first, later = (
        turn @ walk.positions_at(np.array([time]))[0] + shift[:, 0] for time in (begins, begins + 3)
    )
    assert at_first == pytest.approx(before.states[0, :2], abs=1e-4)  # as the robot had them
    assert np.hypot(*(later - before.states[0, :2])) > 0.05


def test_without_drift_an_episode_only_meets_others(tmp_path: Path) -> None:
    entry, data = cut_out(tmp_path), DataFolder(tmp_path)
    (draw,) = drawn_crowd("yard", 1, seed=4, data=data, drift=NONE)
    others = [structs.replace(each, recording="other") for each in entry.recordings]
    assert drawn_episode(entry, [draw], ["other"]) == structs.replace(entry, recordings=others)
