"""The commands: from a folder of scenes to labels."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from paseo.cli.main import main
from paseo.errors import InputError
from paseo.survey.server.serving import serve_study
from paseo.survey.study.settings import Way
from studies import Hand, opened_visits, take_part, tiny_study

COMMAND = [sys.executable, "-c", "from paseo.cli.main import main; raise SystemExit(main())"]


def test_a_study_is_made_and_says_what_to_do_next(
    staged: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    words = ["survey", "new", str(study), "--scenes", str(staged), "--per-scene", "3"]
    assert main(words) == 0
    said = capsys.readouterr()
    assert said.out == f"{study}\n"
    assert f"paseo survey serve {study}" in said.err
    assert main(["survey", "status", str(study), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["per_scene"] == 3
    assert all(each == {"done": 0, "under_way": 0} for each in content["scenes"].values())


def test_status_and_export_tell_what_came(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tiny_study(tmp_path / "study")
    with opened_visits(study, Hand()) as visits:
        for number in range(3):
            take_part(visits, number)
    assert main(["survey", "status", str(study.folder)]) == 0
    assert "people: 3 done" in capsys.readouterr().out
    out = tmp_path / "labels"
    assert main(["survey", "export", str(study.folder), "--out", str(out)]) == 0
    assert "3 people, 2 scenes" in capsys.readouterr().err
    assert main(["score", "--labels", str(out), "--brief"]) == 0
    assert "human oracle" in capsys.readouterr().out.lower()


@pytest.mark.parametrize("words", [["status"], ["serve"], ["export", "--out", "x"]])
def test_a_folder_without_a_study_is_named(
    tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", words[0], str(tmp_path), *words[1:]]) == 2
    assert "holds no study.toml" in capsys.readouterr().err


@pytest.mark.extra("survey")
def test_other_machines_come_only_by_a_proxy_with_https(tmp_path: Path) -> None:
    study = tiny_study(tmp_path / "study")
    with pytest.raises(InputError, match="not be encrypted"):
        serve_study(study.folder, host="0.0.0.0")


@pytest.mark.extra("survey")
def test_a_study_is_served_until_it_is_stopped(tmp_path: Path) -> None:
    study = tiny_study(tmp_path / "study", way=Way.LINKS, links=2)
    words = ["survey", "serve", str(study.folder), "--port", "0"]
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        link = server.stdout.readline().split()[-1]
        links = (study.folder / "links.txt").read_text().splitlines()
        assert links == [f"{link}?link={token}" for token in study.links]
        with urllib.request.urlopen(links[0]) as page:
            assert b"I agree" in page.read()
        second = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
        assert second.returncode == 2
        assert "in use by another paseo survey serve" in second.stderr
        os.kill(server.pid, signal.SIGTERM)
        assert server.wait() in (0, 128 + signal.SIGTERM)
