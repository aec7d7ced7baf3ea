"""What is measured of a clip is what it shows."""

from dataclasses import replace
from pathlib import Path

import msgspec
import numpy as np
import pytest

from drives import record
from paseo.metrics.comparison.clusters import Stretch
from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.measure import measure
from paseo.survey.filming.pieces import piece_of, values_shown
from paseo.survey.insight.collected import rated_study
from paseo.survey.insight.panel import panel_of
from paseo.survey.store.content import read_content
from paseo.survey.study.folder import open_study
from paseo.survey.study.ratings.clips import CLIPS, ShownClips, shown_window
from paseo.world.records import Contact, Record
from rated_studies import rate, shown_clips, tiny_ratings
from studies import Hand, opened_visits

DT = 0.1


def drive() -> Record:
    """Ten seconds at 1 m/s, then ten at 0.5 m/s; somebody stands 1 m beside the third second."""
    x = np.concatenate([np.arange(0, 10, DT), 10 + np.arange(0, 5.01, 0.5 * DT)])
    touch = Contact(person=1, first_step=40, last_step=120, x=4.0, y=5.0, counted=True)
    late = Contact(person=1, first_step=180, last_step=190, x=14.0, y=5.0, counted=True)
    places = np.column_stack([x / 2 + 1, np.full(len(x), 5.0)])
    return record(places, [(2.5, 6.0)], dt=DT, contacts=(touch, late))


def values(begin: float, end: float) -> dict[str, float | None]:
    return values_shown(drive(), METRICS, shown=(begin, end), planning_s=(0.1, 0.2, 0.4))


def test_a_drive_that_is_shown_whole_has_all_its_metrics() -> None:
    whole = measure(drive(), metrics=METRICS)
    found = values(0.0, float(drive().times[-1]))
    assert {name: found[name] for name in whole if not name.startswith("planning")} == {
        name: each.value for name, each in whole.items() if not name.startswith("planning")
    }
    assert found["success"] == 0.0
    assert found["planning_time"] == 0.2


def test_of_a_piece_only_what_is_seen_is_measured() -> None:
    fast, slow = values(0.0, 10.0), values(10.0, 20.0)
    assert (fast["speed"], slow["speed"]) == (pytest.approx(0.5), pytest.approx(0.25))
    near = 1.0 - (drive().scenario.robot.radius + drive().scenario.person_radius)
    assert fast["minimum_person_distance"] == pytest.approx(near)
    away = np.hypot(6.0 - 2.5, 1.0) - (1.0 - near)
    assert slow["minimum_person_distance"] == pytest.approx(away)
    assert (fast["person_collisions"], slow["person_collisions"]) == (1.0, 2.0)
    assert fast["planning_time"] == slow["planning_time"] == 0.2


@pytest.mark.parametrize(
    "name", ["success", "spl", "path_length", "path_traversal_time", "path_length_ratio"]
)
def test_what_needs_the_whole_drive_is_undefined_of_a_piece(name: str) -> None:
    assert values(2.0, 12.0)[name] is None


def test_a_piece_begins_where_it_is_cut_and_keeps_what_it_shows_of_contacts() -> None:
    piece = piece_of(drive(), 10.0, 15.0)
    assert np.array_equal(piece.robot, drive().robot[100:151])
    assert len(piece.commands) == 50
    (contact,) = piece.contacts
    assert (contact.first_step, contact.last_step) == (0, 20)
    assert piece.scenario.start.x == drive().robot[100, 0]
    seen = replace(drive(), perceived=np.array([[99, 1, 2, 3], [120, 1, 4, 5.0]]))
    cut = piece_of(seen, 10.0, 15.0).perceived
    assert cut is not None
    assert cut.tolist() == [[20, 1, 4, 5]]


def test_metrics_do_not_depend_on_where_the_piece_lies_in_the_drive() -> None:
    """The second half alone, cut out or driven by itself."""
    whole = drive()
    half = record(whole.robot[100:], [(2.5, 6.0)], dt=DT)
    cut = replace(whole, contacts=())
    found = values_shown(cut, METRICS, shown=(10.0, 20.0), planning_s=())
    alone = measure(half, metrics=METRICS)
    for name in ("speed", "acceleration", "jerk", "minimum_person_distance", "personal_time"):
        assert found[name] == pytest.approx(alone[name].value), name


def test_episodes_whose_crowds_overlap_go_together(tmp_path: Path) -> None:
    study = tiny_ratings(tmp_path / "study", episodes=3)
    content = shown_clips(3, ("careful", "hasty", "lost"))
    for clip, (begin, end) in zip(
        content["clips"], [(0, 30)] * 3 + [(20, 50)] * 3 + [(60, None)] * 3, strict=True
    ):
        clip["window"] = [{"recording": "eth", "from_s": begin, "to_s": end}]
    (study.folder / CLIPS).write_bytes(msgspec.json.encode(msgspec.convert(content, ShownClips)))
    study = open_study(study.folder)
    with opened_visits(study, Hand()) as visits:
        for number in range(4):
            rate(visits, number, lambda step, key: step.choices[0])
    panel = panel_of(rated_study(study, read_content(study)))
    assert panel.clusters.tolist() == [0, 0, 1]


def test_a_window_names_recordings_without_their_folders() -> None:
    (found,) = shown_window((Stretch("folder/of/mine/walk.csv", 1.0, float("inf")),))
    assert (found.recording, found.from_s, found.to_s) == ("walk.csv", 1.0, None)
