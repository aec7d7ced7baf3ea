"""What reads or writes files from Python takes their names as text, too."""

from pathlib import Path

import paseo
from worlds import Driver, scenario


def test_records_recordings_and_floor_plans_are_named_by_paths_or_text(tmp_path: Path) -> None:
    record = paseo.simulate(scenario(time_limit=0.1), Driver())
    paseo.save_record(record, str(tmp_path / "a.npz"))
    assert (paseo.load_record(str(tmp_path / "a.npz")).robot == record.robot).all()
    tracks, room = tmp_path / "walk.csv", tmp_path / "room.txt"
    tracks.write_text("frame,ped_id,x_m,y_m\n0,1,0,0\n10,1,1,0\n")
    assert len(paseo.read_recording(str(tracks), fps=10).tracks) == 1
    room.write_text("0 0\n9 0\n9 9\n0 9\n")
    assert paseo.read_floorplan(str(room)).area > 80
