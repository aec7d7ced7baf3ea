"""`paseo survey status`: one screen for people, every field for programs."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from paseo.cli.main import main
from paseo.survey.study.folder import Study
from polled import Poll, answer_folder, first_option, leaning
from rated_studies import PLANNERS, tiny_ratings
from studies import tiny_study

COMMAND = [sys.executable, "-c", "from paseo.cli.main import main; raise SystemExit(main())"]
SCENES = {f"s{number:02}": (1,) for number in range(30)}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("status")
    study = tiny_study(folder / "study", SCENES, per_scene=3, scenes_each=15)
    poll, rng, now = Poll(study), np.random.default_rng(0), time.time()
    for number in range(5):
        poll.add(leaning(rng), at=now - 3600 * (6 - number))
    for name in ("one", "two"):
        answer_folder(folder / name, SCENES, leaning(rng))
    return study


def exams(study: Study) -> list[str]:
    return [str(study.folder.parent / name) for name in ("one", "two")]


def test_a_study_of_thirty_scenes_with_two_exams_fits_a_screen(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", "status", str(study.folder), *exams(study)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 45
    assert max(map(len, lines)) <= 110
    text = "\n".join(lines)
    for word in ("human oracle", "average human", "spatiotemporal", "one minus two", "[95 %"):
        assert word in text
    assert "and 7 more that lack people" in text


def test_all_scenes_are_listed_where_that_is_asked_for(
    study: Study, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", "status", str(study.folder), "--all"]) == 0
    text = capsys.readouterr().out
    assert all(scene in text for scene in SCENES)


def test_a_program_gets_every_field(study: Study, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["survey", "status", str(study.folder), *exams(study), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["scenes"]["s00"].keys() == {"done", "under_way"}
    assert found["people"]["done"] == 5
    assert found["outlook"]["pace"]["per_hour"].keys() == {"value", "low", "high"}
    assert found["outlook"]["end"].keys() == {"expected_s", "soonest_s", "latest_s"}
    assert found["agreement"]["rows"]["average human"]["social"]["questions"] == 30 * 7
    decision = found["ranking"]["decision"]
    assert [each["per_scene"] for each in decision["crowds"]] == [5, 10, 20, 50, None]
    assert {"people_se", "scenes_se", "settled_here", "people_wanted"} <= decision.keys()


def test_a_study_that_cannot_be_held_against_an_exam_says_why(
    study: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = answer_folder(tmp_path / "other", {"elsewhere": (1,)}, first_option)
    for words, reason in (
        ([str(other)], "is about none of the scenes of"),
        ([str(tmp_path / "nowhere")], "is no folder"),
        ([str(other)] * 3, "expected at most 2"),
    ):
        assert main(["survey", "status", str(study.folder), *words]) == 2
        assert reason in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--watch", "0"], ["--watch", "1", "--json"]])
def test_what_cannot_be_watched_is_refused(
    study: Study, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["survey", "status", str(study.folder), *words])
    assert "--watch" in capsys.readouterr().err


@pytest.mark.usefixtures("interruptible")
def test_a_status_is_told_again_until_it_is_stopped(study: Study) -> None:
    words = ["survey", "status", str(study.folder), "--watch", "1"]
    with subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as watching:
        assert watching.stdout is not None
        told = 0
        while told < 2:
            told += watching.stdout.readline().startswith("people: 5 done")
        os.kill(watching.pid, signal.SIGINT)
        assert watching.wait() == 128 + signal.SIGINT


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE people SET ended_s = 9e999",
        "UPDATE people SET arrived_s = -1e308, ended_s = 1e308",
        "UPDATE people SET seen_s = -9e999",
        "UPDATE answers SET time_s = 9e999",
        "UPDATE places SET done_s = 1e300",
    ],
)
def test_a_time_that_is_none_is_a_fault_of_the_file_and_never_printed(
    tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tiny_study(tmp_path / "study")
    Poll(study).add(first_option, at=1000.0)
    with closing(sqlite3.connect(study.database)) as db, db:
        db.execute(damage)
    for words in (["status", "--json"], ["screen", "--json"]):
        assert main(["survey", words[0], str(study.folder), words[1]]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert "restore it from a copy" in said.err


def test_clips_are_listed_by_what_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tiny_ratings(tmp_path / "study", episodes=1)
    assert main(["survey", "status", str(study.folder)]) == 0
    text = capsys.readouterr().out
    assert text.split("\n\n")[1].split()[:2] == ["episode", "planner"]
    assert all(planner in text for planner in PLANNERS)
    assert not any(name in text for name in study.content.units)
