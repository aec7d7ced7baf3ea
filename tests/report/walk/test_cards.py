"""Cards show where everybody went and how it ended."""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest

from drives import line, record
from pages import bump, viewed
from paseo.report.walk.cards import card, picture, places_markup
from paseo.report.walk.episodes import MOST_PEOPLE, EpisodeView, Places, RecordView, scenes_of
from paseo.world.arrays import FloatArray
from paseo.world.records import Cause, Outcome, Record


def scene_of(**records: Record) -> tuple[EpisodeView, list[RecordView], Places]:
    found, places = viewed("e0", records), Places()
    rows = [each.row for each, _ in found]
    ((scene, views),) = scenes_of(found, rows, places)
    return scene, list(views), places


def points(path: str) -> list[FloatArray]:
    """The corners of each piece of a path, in metres."""
    pieces = []
    for piece in path.split("M")[1:]:
        numbers = [int(word) for word in re.findall(r"-?\d+", piece)]
        pieces.append(np.cumsum(np.reshape(numbers, (-1, 2)), axis=0) / 100)
    return pieces


def test_the_ways_are_those_of_the_records() -> None:
    curve = np.column_stack([2 + 4 * np.sin(np.linspace(0, 2, 121)), 5 + np.linspace(0, 3, 121)])
    scene, views, _ = scene_of(a=record(curve, [(4, 4), line() - (0, 2)]))
    drawn = ElementTree.fromstring(picture(scene, views, ["p0"]))
    paths = {each.get("class"): each.get("d") or "" for each in drawn.iter("path")}
    (way,) = points(paths["way p0"])
    assert np.abs(way[[0, -1]] - curve[[0, -1]]).max() < 0.006
    gaps = np.linalg.norm(way[:, None] - curve, axis=2).min(axis=1)
    assert gaps.max() < 0.05  # corners of the way are places of the robot
    assert len(way) < 30
    standing, walking = points(paths["people"])
    assert np.ptp(standing, axis=0).max() == 0
    assert walking[[0, -1]] == pytest.approx(np.array([[2.0, 3.0], [8.0, 3.0]]))


def test_the_floor_is_drawn_once_for_all_cards() -> None:
    scene, views, places = scene_of(a=bump())
    defs = ElementTree.fromstring(places_markup(places))
    (floor,) = defs.iter("path")
    (ring,) = points(floor.get("d") or "")
    assert np.ptp(ring, axis=0).tolist() == [10.0, 10.0]
    assert f'href="#{floor.get("id")}"' in picture(scene, views, ["p0"])


@pytest.mark.parametrize(
    ("cause", "shape"),
    [
        (Cause.CAUSED, "M278 478l44 44m0-44l-44 44"),
        (Cause.SHARED, "M278 478h44l-22 44z"),
        (Cause.WALKED_INTO, "M278 500a22 22 0 1 0 44 0a22 22 0 1 0-44 0"),
    ],
)
def test_contacts_that_count_are_marked_by_cause_and_told(cause: Cause, shape: str) -> None:
    late = record(line(speed=0.0), outcome=Outcome.OUT_OF_TIME)
    scene, views, _ = scene_of(a=bump(), b=late)
    contacts = tuple((*each[:5], cause.value) for each in scene.drives[0].contacts)
    drives = (replace(scene.drives[0], contacts=contacts), scene.drives[1])
    drawn = card(replace(scene, drives=drives), views, ["a", "b"], ["p0", "p1"])
    touches = re.search(r'class="touches" d="([^"]*)"', drawn)
    assert touches
    assert touches[1] == shape
    assert 'class="verdict PC">touched 1</span><span class="time">6.0 s' in drawn
    assert 'class="verdict T">out of time</span>' in drawn


def test_of_great_crowds_some_are_drawn() -> None:
    crowd = [line(speed=0.5) - (0, 0.01 * k) for k in range(MOST_PEOPLE + 60)]
    scene, views, _ = scene_of(a=record(line(), crowd))
    people = re.search(r'class="people" d="([^"]*)"', picture(scene, views, ["p0"]))
    assert people
    assert people[1].count("M") == MOST_PEOPLE


def test_a_robot_that_never_moved_has_no_way() -> None:
    scene, views, _ = scene_of(a=record([[2.0, 5.0]]))
    assert 'class="way p0" d=""' in picture(scene, views, ["p0"])
