"""A model that drove is audited: decisions are made again, and planted faults found."""

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from paseo.deciding.thinking import Instead
from paseo.errors import InputError
from paseo.suite.audit.auditing import AuditOptions, audit_run
from paseo.suite.audit.cases import audited_drives, judged, wrong_kinds
from paseo.suite.audit.followed import Window
from paseo.suite.audit.replaying import followed_instead
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from runs import course, refused

SERIAL = RunOptions(runner="serial", limit=2)


def planner(model: str) -> str:
    return f"vlm:model=scripted/{model}:view=text:think=questions"


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two episodes driven by a model that knows all, and by one that confuses sides."""
    out = tmp_path_factory.mktemp("driven") / "run"
    run("scripted-10", [planner("believing"), planner("blind-sides")], out=out, options=SERIAL)
    return out


def test_a_model_that_knows_all_is_never_wrong(driven: Path) -> None:
    drives = audited_drives(driven, "scripted/believing")
    assert len(drives) == 2 and all(drive.decisions for drive in drives)
    assert not any(wrong_kinds(each) for drive in drives for each in drive.decisions)
    audit = audit_run(driven, AuditOptions(planner="scripted/believing", controls=0))
    assert audit.costs == () and audit.named == ()


def test_a_planted_fault_is_wrong_in_its_kind_alone(driven: Path) -> None:
    drives = audited_drives(driven, "scripted/blind-sides")
    wrong = {kind for drive in drives for each in drive.decisions for kind in wrong_kinds(each)}
    assert wrong and wrong <= {"q_person_spatial_position_begin", "q_person_spatial_position_end"}
    told = [row for drive in drives for each in drive.decisions for row in judged(each)]
    assert all({told[0], true[0]} == {"to the left of", "to the right of"}
               for _, told, true in told if told != true)  # fmt: skip


def test_told_what_it_says_anyway_a_model_drives_as_it_did(driven: Path) -> None:
    _check_drives_alike(driven, "scripted/believing")


@pytest.mark.parametrize("thinking", ["hold", "stop", "follow"])
def test_so_it_does_where_its_time_is_charged(tmp_path: Path, thinking: str) -> None:
    """The world does not wait for replies."""
    charged = RunOptions(
        runner="serial", limit=1, latencies=(0.35,), thinking=thinking, late="skip"
    )
    run("scripted-10", planner("believing"), out=tmp_path / "run", options=charged)
    _check_drives_alike(tmp_path / "run", "scripted/believing")


def _check_drives_alike(folder: Path, model: str) -> None:
    for drive in audited_drives(folder, model):
        numbers = range(0, len(drive.decisions), 4)
        others = [Instead(number, "q_person_distance_change", right=True) for number in numbers]
        window = Window(drive.record, 4.0)
        times = [drive.decisions[number].time_s for number in numbers]
        assert followed_instead(drive, others, 4.0) == [
            window.followed(drive.record, time_s) for time_s in times
        ]


def test_a_run_by_the_wall_clock_cannot_be_repeated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    short = course(tmp_path, "one", time_limit_s=0.5)
    clock = RunOptions(runner="serial", clock="async")
    run(short, planner("believing"), out=tmp_path / "run", options=clock)
    assert "no decision can be made again" in refused(capsys, "audit", tmp_path / "run")


def test_what_another_planner_noted_is_not_driven_again(driven: Path) -> None:
    drive = audited_drives(driven, "scripted/believing")[0]
    first = drive.decisions[0]
    other = next(each.letter for each in first.candidates if each.letter != first.chosen)
    forged = replace(drive, decisions=(structs.replace(first, chosen=other), *drive.decisions[1:]))
    with pytest.raises(InputError, match="do not lead where they led"):
        followed_instead(forged, [Instead(3, "q_person_distance_change", right=True)], 4.0)


def test_several_models_must_be_told_apart(
    driven: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "there are several" in refused(capsys, "audit", driven)
    assert "there is none" in refused(capsys, "audit", driven, "--model", "openai/gpt-4o")
    words = ("audit", driven, "--model", "scripted/believing", "--horizon-s", "0")
    assert "a horizon of 0 s makes no sense" in refused(capsys, *words)


def test_a_run_without_questions_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("scripted-10", "vlm:model=scripted/nearest:view=text", out=tmp_path / "run", options=SERIAL)
    assert "none of its decisions has answers to questions" in refused(
        capsys, "audit", tmp_path / "run"
    )


@pytest.mark.slow
def test_a_planted_fault_is_named_first(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run("paseo-33", planner("blind-motion"), out=out, options=RunOptions(limit=14))
    audit = audit_run(out, AuditOptions(controls=0, jobs=2))
    assert audit.named[:1] == ("q_person_distance_change",)
