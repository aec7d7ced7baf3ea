import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.data.recordings.formats import FORMATS, guessed_format, recording_format
from paseo.data.recordings.recordings import read_recording
from paseo.errors import BadFile, BadValue, UnknownName
from paseo.world.tracks import Recording
from thinning import mostly_slow

CSV = "frame,ped_id,x_m,y_m\n0,1,0,0\n10,1,1,2\n"
IDENTITY = np.array([[1.0, 0, 0], [0, 1.0, 0]])
Walk = dict[int, tuple[float, float]]  # frame -> x, y

coordinates = st.floats(-1e6, 1e6)
walks = st.dictionaries(st.integers(0, 10**6), st.tuples(coordinates, coordinates), min_size=1)


def saved(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text)
    return file


def rows_of(people: list[Walk]) -> list[tuple[int, int, float, float]]:
    """Frame, id, x and y; ids from 1, and rows in the order they were made up."""
    return [(f, id, x, y) for id, walk in enumerate(people, 1) for f, (x, y) in walk.items()]


def csv_text(people: list[Walk]) -> str:
    rows = (f"{f},{id},{x!r},{y!r}" for f, id, x, y in reversed(rows_of(people)))
    return "\n".join(["frame,ped_id,x_m,y_m", *rows])


def obsmat_text(people: list[Walk]) -> str:
    return "\n".join(f" {f}.0  {id} {x!r} 0 {y!r} 0 0 0\r" for f, id, x, y in rows_of(people))


def socnavbench_text(people: list[Walk]) -> str:
    frames, ids, x, y = zip(*rows_of(people), strict=True)
    return "\n".join(",".join(map(repr, row)) for row in (frames, ids, y, x))


def trajnet_text(people: list[Walk]) -> str:
    rows = ({"f": f, "p": id, "x": x, "y": y} for f, id, x, y in rows_of(people))
    return "\n".join(json.dumps({"track": row}) for row in rows)


def vsp_text(people: list[Walk]) -> str:
    lines = [f"{len(people)} - the number of splines"]
    for walk in people:
        lines.append(f"{len(walk)} - Num of control points")
        lines += [f"{x!r} {y!r} {f} 90.0 - (2D point, m_id)" for f, (x, y) in walk.items()]
    return "\n".join(lines)


WRITERS = {
    "csv": csv_text,
    "obsmat": obsmat_text,
    "socnavbench": socnavbench_text,
    "trajnet": trajnet_text,
    "vsp": vsp_text,
}


@pytest.mark.parametrize(("format", "text_of"), WRITERS.items())
@given(people=st.lists(walks, min_size=1, max_size=4))
def test_what_is_written_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    format: str,
    text_of: Callable[[list[Walk]], str],
    people: list[Walk],
) -> None:
    file = saved(tmp_path_factory.mktemp("walks"), "walk", text_of(people))
    options = {"affine": IDENTITY} if format == "vsp" else {}
    recording = read_recording(file, format=format, fps=1, longest_gap=None, **options)
    assert [track.id for track in recording.tracks] == list(range(1, len(people) + 1))
    for track, walk in zip(recording.tracks, people, strict=True):
        assert track.times.tolist() == sorted(walk)
        assert track.positions.tolist() == [list(walk[frame]) for frame in sorted(walk)]


@pytest.mark.parametrize("format", mostly_slow(FORMATS.shipped, quick=2))
@given(text=st.text('0123456789.,-e \n{}"fpxytrackscn:', max_size=80))
def test_nonsense_is_refused_with_a_sentence(format: str, text: str) -> None:
    lines = text.rstrip().splitlines() or ["x"]
    for tried in (lines, ["frame,ped_id,x_m,y_m", *lines], ["1", "1", *lines]):
        try:
            recording_format(format).sightings(tried, Path("nonsense"))
        except BadFile as error:
            assert str(error).startswith("nonsense: ")


@pytest.mark.parametrize(
    ("name", "lines", "format"),
    [
        ("a.csv.gz", ["frame,ped_id,x_m,y_m", "0,1,2,3"], "csv"),
        ("four.csv", ["frame,ped_id,x_m,y_m", "0,1,2,3", "1,1,2,3", "2,1,2,3"], "csv"),
        ("sideways.csv", ["0,1", "1,1", "0,0", "0,0"], "socnavbench"),
        ("eight", ["0 1 2 0 3 0 0 0"], "obsmat"),
        ("a.VSP.gz", ["x"], "vsp"),
        ("a.txt", ["2 - the number of splines"], "vsp"),
        ("a.ndjson", ["x"], "trajnet"),
        ("a.txt", ['{"scene": {}}'], "trajnet"),
    ],
)
def test_the_format_is_guessed(name: str, lines: list[str], format: str) -> None:
    assert guessed_format(Path(name), lines)[0] == format


def test_a_file_of_no_known_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="line 1 is of no known recording format, expected one of"):
        read_recording(saved(tmp_path, "poem.txt", "a rose is"), fps=25)


def test_a_format_misspelt_is_corrected(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'obsmat'"):
        read_recording(saved(tmp_path, "a.csv", CSV), format="obsmatt", fps=25)


def test_times_are_frames_over_fps_and_the_name_is_the_files(tmp_path: Path) -> None:
    file = tmp_path / "walk.csv.gz"
    file.write_bytes(gzip.compress(CSV.encode()))
    recording = read_recording(file, fps=20)
    assert (recording.name, recording.fps) == ("walk", 20)
    assert recording.tracks[0].times.tolist() == [0, 0.5]
    assert read_recording(file, fps=20, name="plaza").name == "plaza"


@pytest.mark.parametrize("fps", [0, -25, float("nan"), float("inf")])
def test_an_impossible_frame_rate_is_refused(tmp_path: Path, fps: float) -> None:
    with pytest.raises(BadValue, match="frames per second make no sense; give fps between"):
        read_recording(saved(tmp_path, "a.csv", CSV), fps=fps)


def test_a_missing_frame_rate_is_asked_for(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="this csv file does not tell its frame rate; give fps"):
        read_recording(saved(tmp_path, "a.csv", CSV))


def test_a_trajnet_file_tells_its_frame_rate_unless_told(tmp_path: Path) -> None:
    text = '{"scene": {"fps": 2.5}}\n' + trajnet_text([{0: (0, 0), 10: (1, 1)}])
    file = saved(tmp_path, "a.ndjson", text)
    assert read_recording(file).tracks[0].times.tolist() == [0, 0.4]
    assert read_recording(file, fps=5).tracks[0].times.tolist() == [0, 2]


def test_an_affine_turns_pixels_into_metres(tmp_path: Path) -> None:
    file = saved(tmp_path, "a.vsp", vsp_text([{0: (10, 20)}]))
    affine = np.array([[0, 0.1, 1], [-0.1, 0, 5]])
    (track,) = read_recording(file, fps=25, affine=affine).tracks
    np.testing.assert_allclose(track.positions, [[3, 4]])


@pytest.mark.parametrize("affine", [None, np.eye(3), np.full((2, 3), np.nan)])
def test_a_vsp_file_needs_a_good_affine(tmp_path: Path, affine: np.ndarray | None) -> None:
    file = saved(tmp_path, "a.vsp", vsp_text([{0: (10, 20)}]))
    with pytest.raises(BadValue, match="affine"):
        read_recording(file, fps=25, affine=affine)


def is_absent_halfway(recording: Recording) -> bool:
    (track,) = recording.tracks
    return bool(np.isnan(track.positions_at(track.times[[0, -1]].mean(keepdims=True))).all())


def test_people_are_absent_in_gaps_of_more_than_two_seconds(tmp_path: Path) -> None:
    file = saved(tmp_path, "a.csv", CSV)  # ten frames apart
    assert not is_absent_halfway(read_recording(file, fps=5))
    assert is_absent_halfway(read_recording(file, fps=4.9))
    assert is_absent_halfway(read_recording(file, fps=5, longest_gap=1.9))
    assert not is_absent_halfway(read_recording(file, fps=0.1, longest_gap=None))


def test_people_glide_between_the_control_points_of_a_vsp_file(tmp_path: Path) -> None:
    file = saved(tmp_path, "a.vsp", vsp_text([{0: (0, 0), 100: (1, 1)}]))
    assert not is_absent_halfway(read_recording(file, fps=1, affine=IDENTITY))
    assert is_absent_halfway(read_recording(file, fps=1, affine=IDENTITY, longest_gap=99))


@pytest.mark.parametrize("gap", [0, -1, float("nan")])
def test_a_gap_must_last(tmp_path: Path, gap: float) -> None:
    with pytest.raises(BadValue, match="the longest gap must be more than 0 s"):
        read_recording(saved(tmp_path, "a.csv", CSV), fps=25, longest_gap=gap)
