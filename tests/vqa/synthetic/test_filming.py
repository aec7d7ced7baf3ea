"""Front views: whoever has a box is seen in it, and who is hidden or out of view has none."""

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from paseo.camera.people.library import Library
from paseo.errors import MissingExtra
from paseo.vqa.synthetic import Profile, make_dataset
from paseo.vqa.synthetic.casting import Staging, Walker
from paseo.vqa.synthetic.filming import Extras, Studio
from paseo.vqa.synthetic.scenery import plans_for
from paseo.vqa.synthetic.stagings import stagings
from paseo.world.scenes import Camera

SMALL = Camera(width_px=320, height_px=180, fx=155.827, fy=156.23, cx=160.0, cy=90.0)
SEED = 3
SCENES = {staging.name: staging for staging in stagings(SEED)}
FILLED = 0.45  # of a box, by a person who walks across
Ids = NDArray[np.int32]


@pytest.fixture(scope="module")
def films() -> dict[str, list[Ids]]:
    """Whom each pixel shows, by scene and frame."""
    studio = Studio(plans_for(SEED, 1)[0], seed=SEED, people=Extras(4))
    some = ("crowd", "passed", "yielding", "gaps")
    return {name: [each.ids for each in studio.film(SCENES[name], SMALL)] for name in some}


def visible(ids: Ids, staging: Staging, walker: Walker, frame: int) -> float | None:
    """How much is seen of somebody within their box; None without one."""
    box = staging.seen(walker, SMALL).get(frame)
    if box is None:
        return None
    left, top, right, bottom = (round(side) for side in box)
    part = ids[top:bottom, left:right]
    return float((part == walker.person).sum() / (FILLED * part.size))


@pytest.mark.slow
@pytest.mark.extra("camera")
def test_who_has_a_box_is_seen_in_it(films: dict[str, list[Ids]]) -> None:
    for name, frames in films.items():
        staging = SCENES[name]
        shares = [
            share
            for frame, ids in enumerate(frames)
            for walker in staging.walkers
            if (share := visible(ids, staging, walker, frame)) is not None
        ]
        assert min(shares) > 0.15 and np.median(shares) > 0.7, name


@pytest.mark.extra("camera")
def test_nobody_is_seen_far_from_their_box(films: dict[str, list[Ids]]) -> None:
    for name, frames in films.items():
        staging = SCENES[name]
        for frame, ids in enumerate(frames):
            for walker in staging.walkers:
                box = staging.seen(walker, SMALL).get(frame)
                if box is None:
                    continue
                rows, columns = np.nonzero(ids == walker.person)
                slack = 0.35 * (box[3] - box[1]) + 3  # a leg that steps out, an arm that swings
                assert columns.min() > box[0] - slack and columns.max() < box[2] + slack
                assert rows.min() > box[1] - 0.6 * slack and rows.max() < box[3] + slack


@pytest.mark.extra("camera")
def test_a_person_is_as_tall_as_their_box() -> None:
    staging, plan = SCENES["lone"], plans_for(SEED, 1)[0]
    (walker,) = staging.walkers
    boxes = staging.seen(walker, SMALL)
    film = Studio(plan, seed=SEED, people=Library()).film(staging, SMALL)
    for frame, image in enumerate(film):
        rows, columns = np.nonzero(image.ids == walker.person)
        left, top, right, bottom = boxes[frame]
        assert abs(rows.min() - top) < 0.05 * (bottom - top) + 1
        assert abs(rows.max() - bottom) < 0.1 * (bottom - top) + 1
        assert left < np.median(columns) < right


@pytest.mark.extra("camera")
def test_who_is_behind_the_robot_is_not_in_the_picture(films: dict[str, list[Ids]]) -> None:
    behind = next(walker for walker in SCENES["passed"].walkers if walker.track == "71")
    assert not any((ids == behind.person).any() for ids in films["passed"])
    assert not SCENES["passed"].seen(behind) and len(behind.tracked(SCENES["passed"].drive)) == 10


@pytest.mark.extra("camera")
def test_only_people_of_the_scene_are_in_it(films: dict[str, list[Ids]]) -> None:
    for name, frames in films.items():
        people = {walker.person for walker in SCENES[name].walkers}
        assert set(np.unique(frames)) <= people | {-1}


def test_extras_are_about_as_tall_as_those_they_stand_for() -> None:
    few, people = Extras(4), Library()
    bodies = {place: few.body(place) for place in range(len(people))}
    assert len({body.name for body in bodies.values()}) == 4
    for place, body in bodies.items():
        assert abs(body.height - people.height(place)) < 0.3


def test_without_the_extra_it_is_told_what_to_install_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [each for each in sys.modules if each.startswith("paseo.camera.")]:
        if "kernels" in name or name == "paseo.camera.renderer":
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "warp", None)
    with pytest.raises(MissingExtra, match=r"pip install 'paseo\[camera\]'"):
        make_dataset(tmp_path / "sub", profile=Profile.TINY)
    assert not list(tmp_path.iterdir())
