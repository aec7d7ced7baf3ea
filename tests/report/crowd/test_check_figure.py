"""The picture of the evidence shows what was found, whatever the crowd is like."""

import hashlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest
from PIL import Image

from paseo.crowd_check.examination import Examination, examine
from paseo.crowd_check.findings import Doubt, Finding
from paseo.crowd_check.pace import WalkingPace
from paseo.errors import BadValue, CannotWrite, PaseoError
from paseo.report.crowd.check_figure import (
    BLUE,
    GREEN,
    MARKS,
    MOST_LINES,
    ORANGE,
    VERMILLION,
    draw_evidence,
)
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording, Track, absent_in_gaps, transformed
from thinning import mostly_slow
from worlds import ROOM, plan, walk

pytestmark = pytest.mark.filterwarnings("error")

STREET = plan("street", (-1, -1, 13, 11))
MAP = (slice(87, 602), slice(91, 786))  # rows and columns of the pixels of the map's panel


def recording(*tracks: Track, name: str = "street", fps: float = 10.0) -> Recording:
    return Recording(name=name, fps=fps, tracks=tracks)


def strolling(times: float = 1.0, **changes: Any) -> Recording:
    """20 pairs, 0.65 m apart, who cross 12 m at 1.2 to 2.2 m/s, filmed so many times slower."""
    tracks = []
    for k, speed in enumerate(np.linspace(1.2, 2.2, 20)):
        for side in (0, 1):
            start, y = 3.0 * k * times, 2.0 * (k % 5) + 0.65 * side
            end = start + 12 / speed * times
            tracks.append(walk(2 * k + side, (start, 0, y), (end, 12, y)))
    return replace(recording(*tracks), **changes)


def moved(crowd: Recording, matrix: list[list[float]]) -> Recording:
    affine = np.array(matrix, float)
    return replace(crowd, tracks=tuple(transformed(track, affine) for track in crowd.tracks))


def scaled(crowd: Recording, factor: float) -> Recording:
    return moved(crowd, [[factor, 0, 0], [0, factor, 0]])


def faulty() -> Recording:
    """Of those who stroll one jumps, four are away for a while, and one is there twice."""
    tracks = list(strolling().tracks)
    jumper = tracks[0].positions_at(times := np.arange(0, 10, 0.1))
    jumper[50:] += (0, 6)
    tracks[0] = Track(0, times, jumper)
    for person in (4, 5, 6, 7):
        times = np.concatenate([tracks[person].times[0] + np.array([0, 2]), [14.0, 15.0]])
        positions = tracks[person].positions_at(times)
        there = ~np.isnan(positions[:, 0])
        tracks[person] = absent_in_gaps(Track(person, times[there], positions[there]), 2.0)
    tracks.append(replace(tracks[20], id=40))
    return recording(*tracks)


def words(examination: Examination, folder: Path) -> list[str]:
    """Every line of text in the picture, from the comments that matplotlib puts into an SVG."""
    path = folder / "words.svg"
    draw_evidence(examination, path)
    text = path.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    return re.findall("<!-- (.*?) -->", text)


def pixels(examination: Examination, folder: Path) -> FloatArray:
    path = folder / "pixels.png"
    draw_evidence(examination, path)
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB"), float)


def coloured(image: FloatArray, colour: str, within: float = 40.0) -> BoolArray:
    wanted = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    close: BoolArray = np.abs(image - wanted).max(axis=2) < within
    return close


def finding(doubt: Doubt = Doubt.WALLS, **changes: Any) -> Finding:
    known: dict[str, Any] = {"sure": 0.97, "what": "it is odd", "fix": "look at it"}
    return Finding(doubt=doubt, **{**known, **changes})


def test_a_crowd_with_nothing_wrong_is_said_to_have_none(tmp_path: Path) -> None:
    told = words(examine(strolling(), STREET), tmp_path)
    assert {"street", "40 people,  62.5 s,  10 frames/s", "nothing wrong found"} <= set(told)
    assert not any(line.startswith("WRONG") for line in told)
    assert {"map", "people", "x in m", "y in m"} <= set(told)
    assert "people in doubt" not in told


def test_findings_are_told_with_how_sure_they_are_and_what_to_do(tmp_path: Path) -> None:
    examination = examine(strolling(times=2.0), None)
    (found,) = examination.findings
    told = words(examination, tmp_path)
    assert "nothing wrong found" not in told
    start = told.index(f"WRONG: frame rate, {100 * found.sure:.0f} % sure")
    sentence = " ".join(told[start + 1 : told.index("not checked")])
    assert sentence == f"{found.what} What to do: {found.fix}".replace("--", "- -")


def test_nothing_is_told_as_entirely_sure(tmp_path: Path) -> None:
    told = words(replace(examine(strolling(), None), findings=(finding(sure=1.0),)), tmp_path)
    assert "WRONG: walls, 99 % sure" in told


def test_what_is_unusual_is_no_fault(tmp_path: Path) -> None:
    remark = finding(sure=0.5)
    told = words(replace(examine(strolling(), None), findings=(remark,)), tmp_path)
    assert {"nothing wrong found", "unusual: walls, 50 % sure", "it is odd"} <= set(told)


def test_what_was_not_checked_is_told(tmp_path: Path) -> None:
    examination = examine(strolling(), None)
    assert set(examination.unchecked) <= {
        line.replace("- -", "--") for line in words(examination, tmp_path)
    }


def test_an_endless_sentence_is_cut_and_marked_as_cut(tmp_path: Path) -> None:
    told = words(
        replace(examine(strolling(), None), findings=(finding(what="and on " * 500),)), tmp_path
    )
    lines = [line for line in told if "and on" in line]
    assert len(lines) == MOST_LINES and lines[-1].endswith("...")


@pytest.mark.parametrize("factor", mostly_slow([5, 2]))
def test_many_findings_make_the_sheet_taller_not_fuller(tmp_path: Path, factor: int) -> None:
    examination = examine(strolling(), None)
    one, many = (
        pixels(replace(examination, findings=(finding(),) * count), tmp_path)
        for count in (1, factor)
    )
    assert many.shape[0] - one.shape[0] == pytest.approx((factor - 1) * 0.38 * 120, abs=2)
    assert (many[MAP] == one[MAP]).mean() > 0.95  # the rest is a shift by part of a pixel


def test_spots_and_people_in_doubt_are_drawn_in_colours_of_their_own(tmp_path: Path) -> None:
    examination = examine(faulty(), None)
    assert {each.doubt for each in examination.findings} == {
        Doubt.JUMPS, Doubt.GAPS, Doubt.TWINS,
    }  # fmt: skip
    image = pixels(examination, tmp_path)[MAP]
    for colour in (ORANGE, GREEN, BLUE):
        assert coloured(image, colour).sum() > 20
    told = words(examination, tmp_path)
    assert {"people in doubt", "jumps", "time gaps", "same person twice"} <= set(told)
    clean = pixels(examine(strolling(), None), tmp_path)[MAP]
    for colour in (ORANGE, GREEN, BLUE):
        assert not coloured(clean, colour).any()


def test_what_is_unusual_has_hollow_marks(tmp_path: Path) -> None:
    spot = np.array([[6.0, 5.0]])
    examination = examine(strolling(), None)
    full, hollow = (
        coloured(
            pixels(
                replace(examination, findings=(finding(spots=spot, sure=sure),)), tmp_path
            )[MAP],
            VERMILLION,
        ).sum()
        for sure in (0.95, 0.94)
    )  # fmt: skip
    assert full > 2 * hollow > 0


def test_every_doubt_has_a_mark_of_its_own(tmp_path: Path) -> None:
    assert set(MARKS) == set(Doubt)
    assert len({marker for _, marker in MARKS.values()}) == len(Doubt)
    everything = tuple(finding(doubt, spots=np.array([[k, 5.0]])) for k, doubt in enumerate(Doubt))
    told = words(replace(examine(strolling(), None), findings=everything), tmp_path)
    assert {doubt.value for doubt in Doubt} <= set(told)


def test_a_gap_stays_open_however_many_samples_a_track_has(tmp_path: Path) -> None:
    times = np.arange(10_000) / 100
    positions = np.stack([times / 10, np.full(10_000, 5.0)], axis=1)
    positions[4000:6000] = np.nan
    examination = examine(recording(Track(1, times, positions)), ROOM)
    assert [each.doubt for each in examination.findings] == [Doubt.GAPS]
    columns = np.nonzero(coloured(pixels(examination, tmp_path)[MAP], BLUE, 90).any(axis=0))[0]
    assert np.diff(columns).max() == pytest.approx(0.2 * np.ptp(columns), rel=0.15)


def test_the_one_in_doubt_is_drawn_even_among_thousands(tmp_path: Path) -> None:
    tracks = [walk(k, (k, 0, 0.001 * k), (k + 8, 10, 0.001 * k)) for k in range(3000)]
    tracks[1501] = walk(1501, (0, 0, 8), (8, 10, 8))
    alone = finding(people=(1501,))
    examination = replace(examine(recording(*tracks), None), findings=(alone,))
    rows = np.nonzero(coloured(pixels(examination, tmp_path)[MAP], BLUE, 90).sum(axis=1) > 300)[0]
    assert 1 <= len(rows) <= 3


@pytest.mark.slow
def test_dense_layers_keep_an_svg_small(tmp_path: Path) -> None:
    tracks = [walk(k, *((k + t, t, k % 10) for t in range(200))) for k in range(500)]
    spots = np.random.default_rng(0).uniform(0, 200, (100_000, 2))
    examination = replace(
        examine(recording(*tracks), None), findings=(finding(spots=spots, people=(3,)),)
    )
    draw_evidence(examination, tmp_path / "dense.svg")
    assert (tmp_path / "dense.svg").stat().st_size < 2 * 2**20


@pytest.mark.parametrize("shift", mostly_slow([(80, 0), (-300, 80), (0, 5000)]))
def test_a_map_far_away_is_in_view_with_the_crowd(tmp_path: Path, shift: tuple[int, int]) -> None:
    crowd = moved(strolling(), [[1, 0, shift[0]], [0, 1, shift[1]]])
    examination = replace(
        examine(crowd, None),
        plan=STREET,
        findings=(finding(spots=np.concatenate([track.positions for track in crowd.tracks])),),
    )
    told, image = words(examination, tmp_path), pixels(examination, tmp_path)[MAP]
    assert told.count("map") == 2  # beside its walls, and in the legend
    assert "crowd" in told
    assert coloured(image, VERMILLION).any()
    assert coloured(image, "#000000").any()


def test_the_real_crowds_are_named_and_the_pace_of_this_one_is_told(tmp_path: Path) -> None:
    told = words(examine(strolling(), None), tmp_path)
    assert {"eth", "hotel", "univ", "zara01", "zara02", "this crowd"} <= set(told)
    start = told.index("99 % are below")
    assert told[start + 1 : start + 4] == ["2.2 m/s", "in real crowds:", "1.86 to 2.24"]


@pytest.mark.parametrize("factor", [0.001, 40.0, 1e9])
def test_a_crowd_far_off_is_shown_on_logarithmic_axes(tmp_path: Path, factor: float) -> None:
    told = words(examine(scaled(strolling(), factor), None), tmp_path)
    assert {"real crowds", "this crowd"} <= set(told)
    assert "eth" not in told
    assert f"{2.2 * factor:.3g} m/s" in told


def test_pixels_need_no_metres_to_be_drawn(tmp_path: Path) -> None:
    told = words(examine(scaled(strolling(), 40), STREET), tmp_path)
    assert any(line.startswith("WRONG: pixels") for line in told)
    assert {"map", "400"} <= set(told)


def test_too_few_walkers_are_said_to_be_too_few(tmp_path: Path) -> None:
    told = words(examine(recording(walk(1, (0, 1, 1), (5, 6, 6))), None), tmp_path)
    assert {"1 person,  5 s,  10 frames/s", "people who cross the scene: 1"} <= set(told)
    assert "needed: at least 40" in told and "this crowd" not in told


def test_walkers_who_are_nowhere_else_at_the_next_tick_do_not_move(tmp_path: Path) -> None:
    frozen = replace(examine(strolling(), None), pace=WalkingPace(walkers=9, top_speed=0.0))
    told = words(frozen, tmp_path)
    assert "nobody moves" in told and "this crowd" not in told


def test_without_pairs_this_crowd_is_a_line(tmp_path: Path) -> None:
    alone = [walk(k, (20 * k, 0, k % 3), (20 * k + 6, 12, k % 3)) for k in range(45)]
    examination = examine(recording(*alone), None)
    assert examination.pace.spacing is None
    assert "this crowd" in words(examination, tmp_path)


ODD: dict[str, Callable[[], tuple[Recording, FloorPlan | None]]] = {
    "nobody": lambda: (recording(), None),
    "nobody on a map": lambda: (recording(), ROOM),
    "one sample": lambda: (recording(walk(1, (0, 1, 1))), None),
    "all in one spot": lambda: (
        recording(*[walk(k, (0, 3, 3), (5, 3, 3)) for k in range(9)]), None
    ),
    "nobody moves": lambda: (recording(*[walk(k, (0, k, 3), (5, k, 3)) for k in range(9)]), ROOM),
    "many faults": lambda: (faulty(), STREET),
    "beyond the map": lambda: (faulty(), ROOM),
    "1e9 away": lambda: (moved(faulty(), [[1, 0, 1e9], [0, 1, -1e9]]), None),
    "1e9 large": lambda: (scaled(faulty(), 1e9), ROOM),
    "tiny": lambda: (scaled(faulty(), 1e-6), ROOM),
    "swift": lambda: (strolling(times=0.1), None),
    "slow": lambda: (strolling(times=1e3), None),
    "a long name": lambda: (strolling(name="W" * 500), None),
    "a long path": lambda: (strolling(name="a crowd in a folder/" * 50), None),
    "no name": lambda: (strolling(name=""), None),
    "mathematics": lambda: (strolling(name="$\\frac{$1 _^ %s {x}"), None),
    "signs no font has": lambda: (
        strolling(name="漢字 \N{PARTY POPPER}\n\t\x00\udc80 <a&b> -->"), None
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", mostly_slow(ODD, quick=6))
def test_any_crowd_gives_a_picture_that_keeps_its_margins(tmp_path: Path, case: str) -> None:
    with np.errstate(all="ignore"):
        examination = examine(*ODD[case]())
    image = pixels(examination, tmp_path)
    height, width, _ = image.shape
    assert width == 1320 and 700 < height < 1400
    for edge in (image[:12], image[-8:], image[:, :12], image[:, -24:]):
        assert (edge == 255).all()
    assert "Seen from above" in words(examination, tmp_path)


def test_names_are_text_and_nothing_else(tmp_path: Path) -> None:
    assert r"a$b$ ? \x07" in words(examine(strolling(name="a$b$\n漢 \x07"), None), tmp_path)
    (long,) = [each for each in words(examine(strolling(name="W" * 500), None), tmp_path)
               if each.startswith("W")]  # fmt: skip
    assert long.endswith("W...")


@pytest.mark.parametrize("ending", mostly_slow([".png", ".svg", ".PNG"]))
def test_the_same_examination_gives_the_same_bytes(tmp_path: Path, ending: str) -> None:
    for name in ("a", "b"):
        draw_evidence(examine(faulty(), STREET), tmp_path / f"{name}{ending}")
    assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()
    assert sorted(each.name for each in tmp_path.iterdir()) == [f"a{ending}", f"b{ending}"]


@pytest.mark.slow
def test_settings_of_the_user_do_not_show_and_stay_as_they_are(tmp_path: Path) -> None:
    examination = examine(strolling(), None)
    draw_evidence(examination, tmp_path / "a.png")
    strange: dict[Any, Any] = {
        "font.size": 30,
        "text.usetex": True,
        "axes.grid": True,
        "savefig.bbox": "tight",
    }
    with matplotlib.rc_context(strange):
        draw_evidence(examination, tmp_path / "b.png")
        assert {key: matplotlib.rcParams[key] for key in strange} == strange
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


ELSEWHERE = """
import sys
import numpy as np
from pathlib import Path
from paseo.crowd_check.examination import examine
from paseo.report.crowd.check_figure import draw_evidence
from paseo.world.tracks import Recording, Track
assert "matplotlib" not in sys.modules
track = Track(1, np.array([0.0, 5.0]), np.array([[0.0, 0.0], [5.0, 5.0]]))
draw_evidence(examine(Recording(name="x", fps=10.0, tracks=(track,)), None), Path(sys.argv[1]))
assert "matplotlib.pyplot" not in sys.modules
"""


@pytest.mark.slow
def test_another_process_without_a_screen_draws_the_same(tmp_path: Path) -> None:
    one = recording(walk(1, (0, 0, 0), (5, 5, 5)), name="x")
    draw_evidence(examine(one, None), tmp_path / "here.svg")
    there = tmp_path / "there.svg"
    environment = {"PYTHONHASHSEED": "7", "MPLBACKEND": "tkagg", "HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", ELSEWHERE, there], check=True, env=environment)
    digests = {hashlib.sha256(path.read_bytes()).hexdigest() for path in tmp_path.glob("*.svg")}
    assert len(digests) == 1


@pytest.mark.parametrize("name", ["evidence.pdf", "evidence", "evidence.jpeg"])
def test_other_endings_are_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadValue, match=r"expected \.png or \.svg; rename it"):
        draw_evidence(examine(recording(), None), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="nowhere"):
        draw_evidence(examine(recording(), None), tmp_path / "nowhere" / "evidence.png")


def test_without_matplotlib_the_line_to_type_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PaseoError, match=r"pip install 'paseo\[plots\]'"):
        draw_evidence(examine(recording(), None), tmp_path / "evidence.png")
    assert not list(tmp_path.iterdir())
