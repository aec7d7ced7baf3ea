"""Places on the ground: against the camera's own projection, Monte Carlo and known truth."""

import math
import time
from dataclasses import replace

import numpy as np
import pytest

from paseo.camera.lens.projection import project
from paseo.errors import BadValue, UnknownName
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.directions import directions
from paseo.pipeline.locating.doubts import DOUBTS, Doubts
from paseo.pipeline.locating.placing import located, places, spots
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.locating.sightings import sightings
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera
from paseo.world.motion import Pose
from staged_boxes import CAMERA, Cast, Staged, box_of, miscalibrated, staged, view_of

EXACT = replace(
    DOUBTS, box_px=0.5, slipping=0.0, pitch=0.0, rocking=0.0, yaw=0.0, focal=0.0, camera_height=0.0,
    clock=0.0,
)  # fmt: skip
RATIONAL = replace(CAMERA, distortion=(0.2, -0.1, 0.001, -0.0005, 0.02, 0.1, -0.05, 0.01))
STILL = Odometry(times=np.array([0.0, 10.0]), poses=np.zeros((2, 3)), longest_gap=20.0)


def seen_at(
    place: tuple[float, float],
    *,
    camera: Camera = CAMERA,
    tilt: tuple[float, float] = (0.0, 0.0),
    tall: float = DOUBTS.body_height,
    step: float = DOUBTS.step,
) -> Seen:
    box = box_of(
        np.array(place), camera, view_of(camera, Pose(0.0, 0.0, 0.0), *tilt), tall=tall, step=step
    )
    assert box is not None
    left, top, right, bottom = np.clip(box, 0, [camera.width_px, camera.height_px] * 2).tolist()
    return Seen(person=1, box=(left, top, right, bottom))


def placed(
    seen: Seen, doubts: Doubts = EXACT, *, camera: Camera = CAMERA, **more: object
) -> FloatArray:
    (found,) = places(STILL, np.array([1.0]), [SeenFrame(0, [seen])], camera, doubts, **more)  # type: ignore[arg-type]
    return found.positions[0]


def errors(stage: Staged, camera: Camera, doubts: Doubts) -> tuple[FloatArray, FloatArray]:
    """How far places are off, and that squared by their covariances."""
    found = located(
        stage.odometry, stage.frame_times, stage.seen, camera, doubts, tilts=stage.tilts
    )
    off, squared = [], []
    for each in found.places:
        frames = np.searchsorted(stage.frame_times, each.times)
        truth = np.array([stage.truth[int(frame), each.person] for frame in frames])
        error = each.positions - truth
        off.append(np.hypot(*error.T))
        squared.append(
            np.einsum(
                "ni,ni->n", error, np.linalg.solve(each.covariances, error[:, :, None])[..., 0]
            )
        )
    return np.concatenate(off), np.concatenate(squared)


@pytest.mark.parametrize("camera", [CAMERA, RATIONAL, replace(CAMERA, distortion=())])
@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.05, -0.04)])
def test_a_point_of_the_ground_is_found_again_where_it_was_projected_from(
    camera: Camera, tilt: tuple[float, float]
) -> None:
    rng = np.random.default_rng(3)
    ground = np.column_stack([rng.uniform(2, 15, 50), rng.uniform(-1.5, 1.5, 50), np.zeros(50)])
    view = view_of(camera, Pose(0.0, 0.0, 0.0), *tilt)
    pixels = project(ground, camera, view)[:, :2]
    below, left = directions(pixels, camera, np.tile(tilt, (50, 1))).T
    away = view.position[2] / np.tan(below)
    found = view.position[:2] + away[:, None] * np.column_stack([np.cos(left), np.sin(left)])
    np.testing.assert_allclose(found, ground[:, :2], atol=1e-5)


@pytest.mark.extra("ocr")  # which brings OpenCV
@pytest.mark.parametrize("camera", [CAMERA, RATIONAL])
def test_the_lens_is_undone_as_opencv_does_it(camera: Camera) -> None:
    import cv2

    rng = np.random.default_rng(4)
    flat = rng.uniform([-0.8, -0.45], [0.8, 0.45], (200, 2))
    matrix = np.array([[camera.fx, 0, camera.cx], [0, camera.fy, camera.cy], [0, 0, 1]])
    bent, _ = cv2.projectPoints(
        np.column_stack([flat, np.ones(200)]), np.zeros(3), np.zeros(3), matrix,
        np.array(camera.distortion),
    )  # fmt: skip
    below, left = directions(bent[:, 0], replace(camera, pitch=0.0), np.zeros((200, 2))).T
    np.testing.assert_allclose(-np.tan(left), flat[:, 0], atol=1e-8)
    np.testing.assert_allclose(np.tan(below) / np.cos(left), flat[:, 1], atol=1e-8)


@pytest.mark.parametrize("cues", [("feet",), ("height",), ("feet", "height")])
@pytest.mark.parametrize("tilt", [(0.0, 0.0), (0.04, 0.03)])
def test_somebody_as_tall_as_people_are_is_placed_where_they_stand(
    cues: tuple[str, ...], tilt: tuple[float, float]
) -> None:
    for place in [(2.5, 0.5), (6.0, -3.0), (12.0, 4.0)]:
        found = placed(seen_at(place, tilt=tilt), replace(EXACT, cues=cues), tilts=np.array([tilt]))
        np.testing.assert_allclose(found, place, atol=0.04)


def test_hidden_feet_are_placed_by_height() -> None:
    behind, before = seen_at((8.0, 0.0)), replace(seen_at((4.0, 0.0), tall=1.2), person=2)
    half = (behind.box[1] + behind.box[3]) / 2
    cut = replace(behind, box=(*behind.box[:3], half))  # as far as it is seen
    frames = [SeenFrame(0, [cut, before])]
    first, _ = places(STILL, np.array([1.0]), frames, CAMERA)
    (second,) = places(STILL, np.array([1.0]), [SeenFrame(0, [seen_at((4.0, 0.0))])], CAMERA)
    np.testing.assert_allclose(first.positions[0], [8.0, 0.0], atol=0.05)
    np.testing.assert_allclose(second.positions[0], [4.0, 0.0], atol=0.05)
    spread = [np.sqrt(each.covariances[0, 0, 0]) for each in (first, second)]
    assert spread[0] == pytest.approx(8 * DOUBTS.body_height_sd / 0.82, rel=0.3)
    assert spread[1] < 0.2


def test_a_child_behind_somebody_is_no_farther_than_its_box_ends() -> None:
    """Its feet may be hidden, and then it is nearer; by the height of people it were at 17 m."""
    child = replace(seen_at((8.0, 0.0), tall=1.25), person=2)
    nearer = seen_at((4.0, 0.0), tall=1.0)
    doubts = replace(EXACT, body_height_sd=0.09)
    (_, found) = places(STILL, np.array([1.0]), [SeenFrame(0, [nearer, child])], CAMERA, doubts)
    np.testing.assert_allclose(found.positions[0], (8.0, 0.0), atol=0.05)


def test_somebody_who_is_cut_at_feet_and_head_is_placed_by_breadth() -> None:
    near = seen_at((1.4, 0.0))
    assert near.box[1] == 0 and near.box[3] == 720
    found = located(STILL, np.array([1.0]), [SeenFrame(0, [near])], CAMERA)
    assert found.by_cue["breadth"] == 1
    np.testing.assert_allclose(found.places[0].positions[0], [1.4, 0.0], atol=0.2)


def test_the_height_of_somebody_is_learnt_while_their_feet_are_seen() -> None:
    times = np.arange(12) * 0.2
    tall = [seen_at((5.0, 0.2 * k), tall=1.95) for k in range(12)]
    behind = replace(tall[11], box=(*tall[11].box[:3], tall[11].box[3] - 60))
    before = Seen(person=2, box=(*behind.box[:3], 700.0))
    frames = [SeenFrame(k, [each]) for k, each in enumerate(tall[:11])]
    frames.append(SeenFrame(11, [behind, before]))
    first, _ = places(STILL, times, frames, CAMERA, EXACT)
    stranger, _ = places(STILL, times, frames[-1:], CAMERA, EXACT)
    assert np.abs(first.positions[-1] - [5.0, 2.2]).max() < 0.1
    assert np.abs(stranger.positions[-1] - [5.0, 2.2]).max() > 0.5


def test_a_hidden_head_makes_nobody_shorter() -> None:
    """It is hidden at last, when they are near, and would outweigh all that was seen before."""
    times = np.arange(8) * 0.2
    whole = [seen_at((7.0 - 0.6 * k, 0.3), tall=1.75) for k in range(8)]
    left, top, right, bottom = whole[7].box
    cut = replace(whole[7], box=(left, (top + bottom) / 2, right, bottom))
    frames = [SeenFrame(k, [each]) for k, each in enumerate([*whole[:7], cut])]
    (right_,) = places(STILL, times, [SeenFrame(k, [each]) for k, each in enumerate(whole)], CAMERA)
    (found,) = places(STILL, times, frames, CAMERA)
    np.testing.assert_allclose(found.positions[:7], right_.positions[:7], atol=0.1)


@pytest.mark.parametrize(
    ("before", "seen"),
    [((-30.0, -50.0, 30.0, 20.0), (False, False)), ((-30.0, 90.0, 30.0, 20.0), (False, True)),
     ((60.0, -50.0, 90.0, 20.0), (True, True)), ((-30.0, -50.0, 30.0, -20.0), (True, True))],
    ids=["before all of them", "before their legs", "beside them", "behind them"],
)  # fmt: skip
def test_feet_and_head_are_hidden_by_who_stands_before_them(
    before: tuple[float, float, float, float], seen: tuple[bool, bool]
) -> None:
    box = seen_at((6.0, 0.0)).box
    other = Seen(person=2, box=tuple(a + b for a, b in zip(box, before, strict=True)))  # type: ignore[arg-type]
    frames = [SeenFrame(0, [Seen(person=1, box=box), other])]
    rows = sightings(STILL, np.array([1.0]), frames, CAMERA)
    assert (bool(rows.feet[0]), bool(rows.head[0])) == seen


def test_of_a_slim_strip_at_the_side_of_the_picture_the_head_is_not_seen() -> None:
    strips = [(0.0, 200.0, wide, 600.0) for wide in (60.0, 140.0)]
    frames = [SeenFrame(k, [Seen(person=1, box=box)]) for k, box in enumerate(strips)]
    rows = sightings(STILL, np.array([1.0, 1.1]), frames, CAMERA)
    assert rows.head.tolist() == [False, True] and not rows.sides.any()


def test_a_box_may_be_cut_by_the_edge_as_far_as_it_may_be_off() -> None:
    frames = [SeenFrame(0, [Seen(person=1, box=(600.0, 200.0, 700.0, 712.0))])]
    sure, unsure = (
        sightings(STILL, np.array([1.0]), frames, CAMERA, box_px=px) for px in (2.0, 5.0)
    )
    assert sure.feet.all() and not unsure.feet.any()


def test_turning_and_moving_the_world_turns_and_moves_all_places() -> None:
    stage = staged(Cast(seconds=5, people=6))
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    poses = np.column_stack(
        [
            stage.odometry.poses[:, :2] @ turn.T + [50.0, -3.0],
            stage.odometry.poses[:, 2] + math.pi / 2,
        ]
    )
    moved = replace(stage.odometry, poses=poses)
    before = places(stage.odometry, stage.frame_times, stage.seen, CAMERA)
    after = places(moved, stage.frame_times, stage.seen, CAMERA)
    for one, other in zip(before, after, strict=True):
        np.testing.assert_allclose(one.positions @ turn.T + [50, -3], other.positions, atol=1e-9)
        np.testing.assert_allclose(turn @ one.covariances @ turn.T, other.covariances, atol=1e-9)


def test_the_robot_is_where_it_was_at_the_time_of_the_frame_and_gaps_are_left_out() -> None:
    odometry = Odometry(
        times=np.array([0.0, 0.4, 2.0, 2.4]),
        poses=np.array([[0, 0, 0], [0.4, 0, 0.2], [9, 9, 1], [9.4, 9, 1]], dtype=float),
    )
    person = seen_at((5.0, 0.0))
    frames = [SeenFrame(k, [person]) for k in range(3)]
    found = located(odometry, np.array([0.1, 1.0, 2.1]), frames, CAMERA, EXACT)
    assert found.left_out == {"no odometry": 1}
    (places_,) = found.places
    assert places_.times.tolist() == [0.1, 2.1]
    robot = np.array([0.1, 0.0])  # a quarter of the way, with a heading of 0.05
    ahead = placed(person)
    turned = robot + [
        ahead[0] * math.cos(0.05) - ahead[1] * math.sin(0.05),
        ahead[0] * math.sin(0.05) + ahead[1] * math.cos(0.05),
    ]
    np.testing.assert_allclose(places_.positions[0], turned, atol=1e-9)


def test_covariances_are_what_monte_carlo_finds() -> None:
    rng = np.random.default_rng(5)
    doubts = replace(DOUBTS, clock=0.0, aside=0.0)
    for place in [(3.0, 0.5), (7.0, -2.0)]:
        exact = np.array(seen_at(place).box)
        draws = 20_000
        boxes = exact + rng.normal(0, doubts.box_px, (draws, 4))
        leans = np.zeros((draws, 2))  # a robot that pitches is as good as a camera that does
        leans[:, 0] = rng.normal(0, math.hypot(doubts.pitch, doubts.rocking), draws)
        middle = np.array([CAMERA.cx, CAMERA.cy])
        share = (1 + rng.normal(0, doubts.focal, draws))[:, None]
        low = np.column_stack([(boxes[:, 0] + boxes[:, 2]) / 2, boxes[:, 3]])
        centre = np.column_stack([low[:, 0], (boxes[:, 1] + boxes[:, 3]) / 2])
        below = directions(middle + (low - middle) / share, CAMERA, leans)[:, 0]
        left = directions(middle + (centre - middle) / share, CAMERA, leans)[:, 1]
        left = left + rng.normal(0, doubts.yaw, draws)
        height = CAMERA.height + rng.normal(0, doubts.camera_height, draws)
        away = height / np.tan(below) + rng.normal(
            doubts.step, math.hypot(doubts.step_sd, doubts.gait), draws
        )
        found = np.column_stack([away * np.cos(left), away * np.sin(left)])
        left, top, right, bottom = exact.tolist()
        person = Seen(person=1, box=(left, top, right, bottom))
        rows = sightings(STILL, np.array([1.0]), [SeenFrame(0, [person])], CAMERA)
        told = spots(rows, CAMERA, replace(doubts, cues=("feet",))).covariances[0]
        np.testing.assert_allclose(told, np.cov(found.T), rtol=0.08, atol=2e-4)


@pytest.mark.parametrize(("box_px", "most"), [(2.0, 0.16), (5.0, 0.30)])
def test_errors_are_as_large_as_covariances_say(box_px: float, most: float) -> None:
    squared, off = [], []
    for seed in range(4):
        stage = staged(Cast(seed=seed, seconds=20, people=14, box_px=box_px))
        one, two = errors(stage, CAMERA, replace(EXACT, box_px=box_px))
        off.append(np.median(one))
        squared.append(two)
    assert np.mean(off) < most
    mean = float(np.concatenate(squared).mean())
    assert 1.4 < mean < 2.6, f"expected 2 of two numbers, found {mean:.2f}"


def test_errors_of_calibration_are_in_the_covariances() -> None:
    rng = np.random.default_rng(6)
    doubts = replace(DOUBTS, rocking=0.0, clock=0.0)
    squared = []
    for seed in range(12):
        stage = staged(Cast(seed=20 + seed, seconds=8, people=8))
        wrong = miscalibrated(doubts, rng)
        squared.append(errors(stage, wrong, doubts)[1].mean())
    assert 1.2 < np.mean(squared) < 2.8


def test_feet_and_head_together_are_better_than_feet_alone() -> None:
    stage = staged(Cast(seed=3, seconds=20, people=14, box_px=5.0))
    doubts = replace(DOUBTS, box_px=5.0)
    both = np.median(errors(stage, CAMERA, doubts)[0])
    assert both < 0.95 * np.median(errors(stage, CAMERA, replace(doubts, cues=("feet",)))[0])


def test_a_robot_that_rocks_is_levelled_when_its_tilt_is_known() -> None:
    stage = staged(Cast(seed=4, seconds=15, people=12, rocking=math.radians(1.5)))
    unknown = replace(stage, tilts=np.zeros_like(stage.tilts))
    known_error = np.median(errors(stage, CAMERA, DOUBTS)[0])
    assert known_error < 0.7 * np.median(errors(unknown, CAMERA, DOUBTS)[0])


def test_a_source_that_knows_where_people_are_is_believed_along_the_ray_the_least() -> None:
    seen = Seen(person=1, box=(600.0, 300.0, 660.0, 500.0), position=(0.0, 0.2, 6.0))
    doubts = replace(EXACT, cues=("own",))
    (found,) = places(
        STILL, np.array([1.0]), [SeenFrame(0, [seen])], replace(CAMERA, pitch=0.0), doubts
    )
    np.testing.assert_allclose(found.positions[0], [6.2, 0.0], atol=1e-9)
    along, across = np.sqrt(np.diag(found.covariances[0]))
    assert along == pytest.approx(0.6, rel=0.01) and across < 0.1


def test_what_cannot_be_placed_is_counted() -> None:
    floating = Seen(person=1, box=(600.0, 0.0, 640.0, 200.0))  # the feet above the horizon
    far = Seen(person=2, box=(600.0, 330.0, 606.0, 349.0))
    only_feet = replace(DOUBTS, cues=("feet",))
    found = located(STILL, np.array([1.0]), [SeenFrame(0, [floating, far])], CAMERA, only_feet)
    assert sum(found.left_out.values()) == 2 and not found.places
    assert located(STILL, np.array([1.0]), [], CAMERA).places == ()


def test_results_of_another_drive_are_told() -> None:
    with pytest.raises(BadValue, match="seen in frame 7, but the drive has 1 frames"):
        places(STILL, np.array([1.0]), [SeenFrame(7, [seen_at((5.0, 0.0))])], CAMERA)


def test_doubts_that_cannot_be_are_told() -> None:
    with pytest.raises(BadValue, match="pitch is -1"):
        Doubts(pitch=-1.0)
    with pytest.raises(UnknownName, match="no cue of distance is called 'foot'"):
        Doubts(cues=("foot",))


def test_the_robot_leans_as_its_odometry_tells_unless_it_is_told_otherwise() -> None:
    seen = seen_at((7.0, -1.0), tilt=(0.03, 0.0))
    leaning = replace(STILL, pitches=np.array([0.02, 0.12]))  # 0.03 after one of ten seconds
    frames = [SeenFrame(0, [seen])]
    (found,) = places(leaning, np.array([1.0]), frames, CAMERA, EXACT)
    np.testing.assert_allclose(found.positions[0], [7.0, -1.0], atol=0.04)
    assert np.abs(placed(seen) - [7.0, -1.0]).max() > 0.5
    level = np.zeros((1, 2))
    (other,) = places(leaning, np.array([1.0]), frames, CAMERA, EXACT, tilts=level)
    np.testing.assert_array_equal(other.positions[0], placed(seen))


def test_a_camera_on_a_wall_does_not_lean_with_a_robot() -> None:
    wall = replace(CAMERA, at=Pose(0.0, 0.0, 0.0))
    frames = [SeenFrame(0, [seen_at((7.0, -1.0))])]
    leaning = replace(STILL, pitches=np.array([0.02, 0.12]))
    one, other = (places(each, np.array([1.0]), frames, wall)[0] for each in (STILL, leaning))
    np.testing.assert_array_equal(one.positions, other.positions)


def test_of_somebody_twice_in_a_frame_the_surer_box_is_kept_and_the_other_counted() -> None:
    right, wrong = seen_at((5.0, 0.5)), replace(seen_at((9.0, -2.0)), confidence=0.4)
    for people in ([right, wrong], [wrong, right]):
        found = located(STILL, np.array([1.0]), [SeenFrame(0, people)], CAMERA, EXACT)
        assert found.left_out == {"twice in a frame": 1}
        np.testing.assert_array_equal(found.places[0].positions, [placed(right)])


@pytest.mark.slow
def test_ten_thousand_frames_of_eight_people_take_seconds() -> None:
    rng = np.random.default_rng(7)
    count, crowd = 10_000, 8
    times = np.arange(count) / 30
    odometry = Odometry(
        times=np.arange(-1, count / 30 + 1, 0.05),
        poses=np.zeros((len(np.arange(-1, count / 30 + 1, 0.05)), 3)),
    )
    left, top = rng.uniform(0, 1100, (count, crowd)), rng.uniform(150, 340, (count, crowd))
    tall = rng.uniform(80, 300, (count, crowd))
    frames = [
        SeenFrame(
            k,
            [
                Seen(person=p, box=(x, y, x + h / 3, y + h))
                for p, (x, y, h) in enumerate(zip(left[k], top[k], tall[k], strict=True))
            ],
        )
        for k in range(count)
    ]
    begun = time.process_time()
    located(odometry, times, frames, CAMERA)
    assert time.process_time() - begun < 10
