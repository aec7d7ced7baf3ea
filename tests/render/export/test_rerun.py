"""Rerun files, read back with its library where that is installed: it weighs half a gigabyte."""

import sys
from pathlib import Path

import numpy as np
import pytest

from paseo.errors import PaseoError
from paseo.render.export.rerun import write_rrd
from paseo.world.records import Record


def test_without_the_extra_the_line_to_type_is_told(
    tmp_path: Path, bump: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rerun", None)
    with pytest.raises(PaseoError, match=r"pip install 'paseo\[rerun\]'"):
        write_rrd(tmp_path / "x.rrd", [bump])
    assert list(tmp_path.iterdir()) == []


def columns(path: Path) -> dict[str, dict[str, list[object]]]:
    """What is logged below each name, by column; `pip install 'paseo[rerun]'` if this fails."""
    from rerun.chunk import RrdReader

    found: dict[str, dict[str, list[object]]] = {}
    for chunk in RrdReader(str(path)).stream():
        if str(chunk.entity_path) == "/__properties":
            continue  # when the recording was begun
        table = chunk.to_record_batch().to_pydict()
        for name, values in table.items():
            found.setdefault(str(chunk.entity_path), {}).setdefault(name, []).extend(values)
    return found


@pytest.mark.slow
@pytest.mark.extra("rerun")
def test_every_state_is_there_at_its_time(tmp_path: Path, bump: Record) -> None:
    write_rrd(tmp_path / "x.rrd", [bump])
    found = columns(tmp_path / "x.rrd")
    robot = found["/Straight/robot"]
    seconds = [time.total_seconds() for time in robot["time"]]
    assert seconds == pytest.approx(bump.times.tolist(), abs=1e-6)
    places = np.array(robot["Cylinders3D:centers"])[:, 0, :2]
    assert places == pytest.approx(bump.robot[:, :2], abs=1e-5)
    assert np.array(robot["Cylinders3D:radii"]) == pytest.approx(0.24)
    people = np.array(found["/Straight/people"]["Cylinders3D:centers"])[:, 0, :2]
    assert people == pytest.approx(bump.people[:, 0], abs=1e-5)
    assert {"/map/walls", "/map/start", "/map/goal", "/Straight/contacts/1"} <= set(found)


@pytest.mark.slow
@pytest.mark.extra("rerun")
def test_each_planner_has_a_name_of_its_own_and_absent_people_are_not_there(
    tmp_path: Path, bump: Record, standing: Record
) -> None:
    write_rrd(tmp_path / "x.rrd", [bump, standing])
    found = columns(tmp_path / "x.rrd")
    present = [len(row or []) for row in found["/Stop/people"]["Cylinders3D:centers"]]
    assert present == (~np.isnan(standing.people[:, :, 0])).sum(axis=1).tolist()
    assert {"/Straight/robot", "/Stop/robot"} <= set(found)
    assert list(tmp_path.iterdir()) == [tmp_path / "x.rrd"]


@pytest.mark.slow
@pytest.mark.extra("rerun")
def test_nobody_is_no_trouble(tmp_path: Path, lonely: Record) -> None:
    write_rrd(tmp_path / "x.rrd", [lonely])
    assert "/Straight/people" not in columns(tmp_path / "x.rrd")
