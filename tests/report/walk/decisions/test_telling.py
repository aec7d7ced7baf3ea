"""Which decisions a page tells most of, and what it tells of each."""

import base64
import io
import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from msgspec import structs
from PIL import Image

from decided import decision
from drives import line, record
from paseo.cli.main import main
from paseo.deciding.decisions import Decision
from paseo.errors import BadFile, BadValue
from paseo.report.walk.decisions.telling import (
    Chronicle,
    Driven,
    check_room,
    chronicle_of,
    last_before,
    ranked,
    small_picture,
)
from paseo.report.walk.decisions.views import (
    DecisionView,
    Texts,
    Wordbook,
    arrival,
    decision_view,
    wrong_answers,
)
from paseo.report.walk.episodes import view_of
from paseo.report.walk.webpage import write_report
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from paseo.vqa.pictures.photos import jpeg
from paseo.world.clocks import ClockName, Timekeeping
from paseo.world.recordfile import load_record
from runs import suite

VLM = "vlm:model=scripted/blind-sides,view=text,think=questions,every_s=0.5"


def driven_by(decisions: Sequence[Decision]) -> Driven:
    return Driven(
        file=Path(),
        decisions=tuple(decisions),
        arrivals=tuple(each.time_s for each in decisions),
        sees=False,
    )


def test_decisions_before_contacts_come_first_then_wrong_ones() -> None:
    calm = [decision(k, float(k)) for k in range(3)]
    rough = [
        decision(0, 0.0),
        decision(1, 1.0, said="behind"),
        decision(2, 2.0, chosen=None),
        decision(3, 3.0, true=None),
    ]
    drives = [driven_by(calm), driven_by(rough)]
    order = ranked([*drives, None], [[2.5], [], []])
    assert order == ((0, 2), (1, 1), (1, 2), (0, 0), (0, 1), (1, 0), (1, 3))
    assert sorted(ranked(drives, [[], [0.5, 0.7]])) == sorted(order)
    assert ranked(drives[:1], [[0.0]]) == ((0, 0), (0, 1), (0, 2))  # no decision was before it


def test_the_last_decision_before_a_contact_is_one_that_the_robot_had() -> None:
    arrivals = [0.0, 1.0, 2.0]
    assert [last_before(arrivals, time) for time in (0.0, 0.1, 1.0, 1.1, 9.0)] == [
        None, 0, 0, 1, 2
    ]  # fmt: skip
    made = record(line(), [(6, 7)])
    late = decision(0, 1.0, latency_s=0.41)
    assert arrival(late, made) == 1.0  # the world waited
    charged = replace(made.provenance, timekeeping=Timekeeping(clock=ClockName.CHARGED))
    assert arrival(late, replace(made, provenance=charged)) == pytest.approx(1.45)  # whole steps


def test_answers_are_wrong_only_where_the_truth_is_clear() -> None:
    assert wrong_answers(decision(0, 0.0, said="behind")) == 1
    assert wrong_answers(decision(0, 0.0)) == 0
    assert wrong_answers(decision(0, 0.0, said="behind", true=None)) == 0


def test_places_are_taken_from_the_corner_of_the_map_and_people_found_in_the_record() -> None:
    made = record(line(), [(6, 7)])
    view = decision_view(decision(0, 1.0), made, np.array([1.0, 2.0]), Wordbook())
    assert view.pose == (2.0, 3.0, 0.0)
    assert view.candidates == (("A", 2.0, 3.0, 0.0), ("B", 4.0, 3.5, 1.0))
    assert view.people == ((1, 0),)
    odd = structs.replace(decision(0, 1.0), people={"9" * 5000: 1, "x": 1, "2": 77, "3": 1})
    assert decision_view(odd, made, np.zeros(2), Wordbook()).people == ((3, 0),)


def test_texts_stand_once_and_are_called_by_their_numbers() -> None:
    texts = Texts()
    first = texts.packed(["a", "b", "a"])
    assert list(texts.known) == ["a", "b"]
    assert base64.b64decode(first) == bytes([0, 2, 1])  # 0, 1 more, 1 less
    assert texts.packed(["b"]) == base64.b64encode(b"\x02").decode()


def test_pictures_are_made_smaller_and_never_larger() -> None:
    for width, expected in ((960, 480), (64, 64)):
        sent = jpeg(np.full((width // 2, width, 3), 90, np.uint8))
        small = Image.open(io.BytesIO(base64.b64decode(small_picture(sent))))
        assert small.size == (expected, expected // 2)


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("driven")
    options = RunOptions(runner="serial", limit=2)
    return run(suite(folder), [VLM, "stop"], out=folder / "out", options=options).folder


def chronicle(folder: Path, most_mb: float = 1.0) -> Chronicle:
    files = sorted((folder / "records").glob("*.npz"))
    found = chronicle_of(files, [view_of(load_record(file)) for file in files], most_mb=most_mb)
    assert found is not None
    return found


def shown(told: Chronicle) -> list[DecisionView]:
    return [each for drive in told.drives if drive for each in drive.decisions]


def test_of_every_decision_all_is_told_where_there_is_room(driven: Path) -> None:
    found = chronicle(driven)
    assert found == chronicle(driven)
    assert found.note.endswith("is in this page for all 8 decisions.")
    (model, _), others = filter(None, found.drives), found.drives.count(None)
    assert others == 2  # of the planner that asks nobody
    assert (model.model, model.waits, model.sees) == ("scripted/blind-sides", True, False)
    assert len(shown(found)) == 8
    assert all(each.asked and each.asked.questions and each.asked.choice for each in shown(found))
    assert any("You drive a robot among people" in line for line in found.book.lines.known)


def test_what_finds_no_room_is_left_out_and_counted(driven: Path) -> None:
    none = chronicle(driven, most_mb=0.0)
    assert none.note.startswith("What the model saw and was asked is in this page for 0 of 8 ")
    assert not none.book.lines.known
    few = chronicle(driven, most_mb=0.016)
    count = sum(each.asked is not None for each in shown(few))
    assert 0 < count < 8
    assert f"for {count} of 8 decisions" in few.note
    with pytest.raises(BadValue, match="decisions of -1 MB, expected 0 to 1000"):
        check_room(-1.0)


def test_a_damaged_file_of_decisions_is_told(driven: Path) -> None:
    file = sorted((driven / "decisions").iterdir())[0]
    whole = file.read_bytes()
    try:
        file.write_bytes(whole + b"{}\n")
        with pytest.raises(BadFile, match="line 5 is damaged"):
            chronicle(driven)
    finally:
        file.write_bytes(whole)


@pytest.mark.extra("plots")
def test_the_page_has_it_where_a_model_drove_and_nothing_of_it_elsewhere(
    driven: Path, tmp_path: Path
) -> None:
    page = tmp_path / "model.html"
    assert main(["report", str(driven), "--out", str(page), "--decisions-mb", "1"]) == 0
    found = re.search(r'id="decisions">(.*?)</script>', page.read_text(), re.DOTALL)
    assert found is not None
    model, stop = json.loads(found[1])["scenes"][0]
    assert stop is None and len(model["decisions"]) == 4
    plain = run(suite(tmp_path), "stop", out=tmp_path / "out", options=RunOptions(runner="serial"))
    text = write_report(plain.folder, tmp_path / "plain.html").read_text()
    assert "decision" not in text.lower()
