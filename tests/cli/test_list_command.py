import io
import json
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from paseo.cli.main import main
from runs import refused


@cache
def printed(*words: str) -> tuple[str, str]:
    """What a list prints, on both ways; drives of 109 episodes are looked at only once."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert main(["list", *words]) == 0
    return out.getvalue(), err.getvalue()


@pytest.fixture(scope="module")
def nowhere(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder without recordings."""
    return str(tmp_path_factory.mktemp("nowhere"))


def listed(capsys: pytest.CaptureFixture[str], *words: object) -> list[dict[str, Any]]:
    assert main(["list", *map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_suites_planners_and_maps_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    suites = {row["name"]: row["episodes"] for row in listed(capsys, "suites")}
    assert suites == {"paseo-33": 33, "paseo-33-v1": 33, "scripted-10": 10, "socnavbench-33": 33}
    planners = {row["name"]: row for row in listed(capsys, "planners")}
    assert planners["stop"] == {
        "name": "stop",
        "control": "velocity",
        "summary": "Never moves; who touches it walked into it.",
    }
    maps = {row["name"] for row in listed(capsys, "maps")}
    assert maps == {"DoubleHotel", "ETH", "HotelSmall", "Univ", "Zara"}


def test_robots_are_listed_with_their_limits(capsys: pytest.CaptureFixture[str]) -> None:
    robots = {row["name"]: row for row in listed(capsys, "robots")}
    assert robots["pioneer-3dx"]["wall_radius_m"] is None
    assert robots["socnavbench"] == {
        "name": "socnavbench",
        "radius_m": 0.2,
        "wall_radius_m": 0.0,
        "max_speed_mps": 1.2,
        "max_reverse_speed_mps": 0.0,
        "max_turn_radps": 1.1,
        "max_acceleration_mps2": None,
        "max_turn_acceleration_radps2": None,
        "sensor_height_m": 0.8,
    }


@pytest.mark.parametrize("what", ["suites", "planners", "robots", "maps"])
def test_without_json_a_list_is_a_table(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", what]) == 0
    printed = capsys.readouterr()
    assert printed.out.split("\n")[0].startswith("name")
    assert printed.err == ""


def test_a_package_that_is_broken_does_not_hide_other_planners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    info = tmp_path / "others-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: others\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[paseo.planners]\nbroken = others_gone:A\n")
    monkeypatch.syspath_prepend(tmp_path)
    rows = {row["name"]: row for row in listed(capsys, "planners")}
    assert rows["broken"]["summary"].startswith("cannot be used: ")
    assert rows["broken"]["control"] is None
    assert rows["straight"]["control"] == "velocity"
    assert main(["list", "planners"]) == 0


@pytest.mark.slow
def test_without_recordings_episodes_are_listed_without_numbers_and_it_says_why(
    nowhere: str,
) -> None:
    out, err = printed("episodes", "--data", nowhere, "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert len(rows) == 109
    curated = rows["t_ETH1"]
    for key in ("people", "most_at_once", "density_per_m2", "mean_speed_mps", "flow_against",
                "near_robot_along", "near_robot_across", "near_robot_against", "encounters",
                "recording_ends_after_s"):  # fmt: skip
        assert curated[key] is None
    assert curated["start_goal_distance_m"] == pytest.approx(10.77, abs=0.01)
    assert rows["scripted_eth_against"]["people"] == 10
    assert err.count("\n") == 1
    assert "recordings are missing" in err
    assert "set PASEO_DATA or pass --data" in err
    assert " -  " in printed("episodes", "--data", nowhere)[0]


@pytest.mark.recordings
def test_episodes_are_listed_with_all_that_is_known_of_them(
    data_dir: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASEO_DATA", str(data_dir))
    rows = {row["name"]: row for row in listed(capsys, "episodes")}
    assert sum(row["suite"] == "socnavbench-33" for row in rows.values()) == 33
    assert {n: row["duplicate_of"] for n, row in rows.items() if row["duplicate_of"]} == {
        "t_hotel_cross": "t_hotel_follow_diag"
    }
    ends = {n: row["recording_ends_after_s"] for n, row in rows.items()}
    assert {n: round(s, 1) for n, s in ends.items() if s} == {
        "t_univ_trapTR": 36.6,
        "t_univ_trapTL": 21.8,
        "t_univ_trapBL": 21.8,
    }
    against, follow = rows["t_eth_against"], rows["t_eth_follow"]
    assert against["near_robot_against"] > 0.5 < follow["near_robot_along"]
    assert 1 <= against["encounters"] <= against["most_encounters"]
    assert (against["people"], against["most_at_once"]) == (80, 27)
    assert 0 < against["flow_against"] <= 1
    assert against["flow_against"] == pytest.approx(-follow["flow_against"])
    for row in rows.values():
        assert row["people"] >= row["most_at_once"] >= row["mean_at_once"] > 0
        assert 0.2 < row["mean_speed_mps"] < 2
        assert -1 <= row["flow_against"] <= 1


def test_episodes_are_listed_with_whom_a_robot_would_meet(nowhere: str) -> None:
    listing, _ = printed("episodes", "--data", nowhere, "--json")
    rows = {row["name"]: row for row in json.loads(listing)}
    suite = [row for row in rows.values() if row["suite"] == "paseo-33-v2"]
    assert len(suite) == 33
    assert min(row["encounters"] for row in suite) >= 2
    assert (rows["eth_mixed"]["suite"], rows["eth_mixed"]["encounters"]) == ("paseo-33-v1", 0)
    for row in suite:
        assert f"{row['near_robot_across']:.0%} across" in row["note"]
    header, *lines = printed("episodes", "--data", nowhere)[0].splitlines()
    assert "met per m2 % along % across % against" in " ".join(header.split())
    (line,) = (line for line in lines if line.startswith("dense_univ "))
    row = rows["dense_univ"]
    assert f" {row['encounters']}-{row['most_encounters']} " in line


@pytest.mark.slow
@pytest.mark.recordings
def test_the_table_of_episodes_says_which_are_duplicates_and_which_run_out(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "episodes", "--data", str(data_dir), "--rule", "socnavbench"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "t_hotel_follow_diag" in lines["t_hotel_cross"]
    assert "36.6" in lines["t_univ_trapTR"]
    assert "21.8" in lines["t_univ_trapTL"] and "21.8" in lines["t_univ_trapBL"]
    assert lines["t_dhotel_bottopmid"].split()[2] == "48"


@pytest.mark.slow
def test_a_damaged_recording_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "eth.csv").write_text("frame,ped_id,x_m,y_m\n0,1,here,0\n")
    sentence = refused(capsys, "list", "episodes", "--data", tmp_path)
    assert "eth.csv: line 2" in sentence


def test_models_are_listed_with_what_they_need_and_no_keys(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-words")
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    rows = {row["name"]: row for row in listed(capsys, "models")}
    assert rows["openai/gpt-4o"]["key_set"] is True
    assert rows["anthropic/MODEL"]["needs"].endswith("set ANTHROPIC_API_KEY")
    assert rows["scripted/first"]["key_set"] is None
    assert "secret-words" not in str(rows)
    assert main(["list", "models"]) == 0
    assert "LLaVA-NeXT-Video of the paper" in capsys.readouterr().out
