"""From raters in the store to `paseo survey metrics`: the planted metric comes out first."""

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from paseo.cli.main import main
from paseo.survey.study.folder import Study, open_study
from paseo.survey.study.ratings.clips import CLIPS, ShownClips
from paseo.survey.study.ratings.steps import ClipStep
from rated_studies import PLANNERS, rate, shown_clips, tiny_ratings
from studies import Hand, opened_visits

EPISODES = 12
PLANTED = "minimum_person_distance"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """Clips with three metrics, of which people like one."""
    made = tiny_ratings(
        tmp_path / "study", episodes=EPISODES, ask=("comfort",), per_scene=8, scenes_each=12
    )
    content, rng = shown_clips(EPISODES, PLANNERS), np.random.default_rng(0)
    for clip in content["clips"]:
        clip["metrics"] = {name: rng.normal() for name in (PLANTED, "jerk", "speed")}
    (made.folder / CLIPS).write_bytes(msgspec.json.encode(msgspec.convert(content, ShownClips)))
    return open_study(made.folder)


def ask(study: Study, *, people: int, seconds: float = 20.0) -> None:
    rng, clips = np.random.default_rng(1), study.about_clips.clips

    def felt(step: ClipStep, key: str) -> str:
        liked = [(clips[name].metrics[PLANTED] or 0.0) + rng.normal(0, 0.4) for name in step.clips]
        if step.is_pair:
            return ("first", "second")[liked[1] > liked[0]]
        return str(int(np.clip(round(4 + 1.2 * liked[0]), 1, 7)))

    with opened_visits(study, Hand()) as visits:
        for number in range(people):
            rate(visits, number, felt, seconds=seconds)


def test_what_people_like_is_what_the_command_tells(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(study, people=24)
    assert main(["survey", "metrics", str(study.folder), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["aspects"]["comfort"]["metrics"]
    assert next(iter(found)) == PLANTED
    verdicts = {name: each["verdict"] for name, each in found.items()}
    assert verdicts.pop(PLANTED) == "predicts"
    assert set(verdicts.values()) == {"not beyond chance"}


def test_where_everybody_is_screened_out_it_is_said(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ask(study, people=3, seconds=1.0)
    assert main(["survey", "metrics", str(study.folder)]) == 2
    assert "everybody who has finished a clip is screened out, 3 people" in capsys.readouterr().err
    assert main(["survey", "export", str(study.folder), "--out", str(tmp_path / "out")]) == 2
    assert "nobody beside the 3 screened out has finished a clip" in capsys.readouterr().err
