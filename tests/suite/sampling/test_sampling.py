import math
import re
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from shapely import Point, box

import paseo
from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import Choices, recording_ends
from paseo.data.suites.episodes import scenario as scenario_of
from paseo.data.suites.rules import everyone, placed_tracks
from paseo.data.suites.suite_file import EpisodeEntry, RobotEntry, SuiteFile, read_suite
from paseo.errors import BadValue, PaseoError, UnknownName
from paseo.metrics.crowding import crowd_statistics
from paseo.metrics.encounters import meetings
from paseo.metrics.reference_drives import reference_drives
from paseo.planners.straight import Straight
from paseo.suite.sampling.sampling import sample_episodes, sampled_suite
from paseo.suite.sampling.wishes import PlacedCrowd, SamplingOptions
from paseo.world.arrays import FloatArray
from paseo.world.motion import Robot
from paseo.world.scenarios import Rule, Scenario, check_task
from paseo.world.space.floorplan import InferredFrom, Place, PlaceKind
from paseo.world.tracks import Recording, Track
from thinning import mostly_slow
from worlds import plan, walk

PILLAR = (10.0, 5.0, 12.0, 7.0)
FREE = box(0, 0, 24, 12) - box(*PILLAR)
PLACES = tuple(
    Place(name, PlaceKind.EXIT, x, y)
    for name, x, y in [("west", 1, 6), ("east", 23, 6), ("south", 12, 1), ("north", 12, 11)]
)
HALL = replace(plan("hall", (0, 0, 24, 12), PILLAR), places=PLACES)
TURNED = ((0.0, 1.0, 0.0), (-1.0, 0.0, 12.0))  # the recording's x runs against the map's y
FPS = 10.0


def streams(people: int) -> tuple[Track, ...]:
    """Somebody sets out east every 3 s, for the second half of the time somebody north, too."""
    rows = []
    for k in range(people):
        rows.append([(3 * k, 0, 4), (3 * k + 20, 24, 4)])
        if k >= people // 2:
            rows.append([(3 * k + 1, 17, 0), (3 * k + 11, 17, 12)])
    # On the map (X, Y) they are as written; the recording has x = 12 - Y, y = X.
    turned = [[(t, 12 - y, x) for t, x, y in row] for row in rows]
    return tuple(walk(k, *row) for k, row in enumerate(turned, start=1))


def crowd(**changes: Any) -> PlacedCrowd:
    parts = {
        "name": "streams",
        "recording": Recording(name="streams", fps=FPS, tracks=streams(60)),
        "map": "hall.json",
        "floorplan": HALL,
        "transform": TURNED,
    }
    return PlacedCrowd(**{**parts, **changes})


def wishes(**changes: Any) -> SamplingOptions:
    return SamplingOptions(**{"count": 8, "time_limit": 30.0, **changes})


def on_the_map(entry: EpisodeEntry, placed: PlacedCrowd, robot: Robot) -> Scenario:
    """The entry's scenario, made without the rules: everybody anew on a clock of 0.1 s."""
    first = entry.recordings[0].first_frame / placed.recording.fps
    times = np.arange(round(entry.time_limit_s / 0.1) + 1, dtype=np.float64) * 0.1
    tracks = []
    for track in placed.recording.tracks:
        x, y = track.positions_at(times + first).T
        there = ~np.isnan(x)
        if there.any():
            (a, b, c), (d, e, f) = placed.transform
            spots = np.stack([a * x + b * y + c, d * x + e * y + f], axis=1)
            tracks.append(Track(track.id, times[there], spots[there]))
    return Scenario(
        name=entry.name,
        floorplan=placed.floorplan,
        start=entry.start.pose(),
        goal=entry.goal.pose(),
        tracks=tuple(tracks),
        time_limit=entry.time_limit_s,
        robot=robot,
    )


def flow_by_angles(scenario: Scenario) -> tuple[str, FloatArray]:
    """The main flow and the shares along, across and against, counted one by one."""
    counts = np.zeros(3)
    for drive in reference_drives(scenario).values():
        robots = {round(0.1 * k, 3): each for k, each in enumerate(drive.positions)}
        headings = {round(0.1 * k, 3): each for k, each in enumerate(drive.headings)}
        for track in scenario.tracks:
            for time_s, spot, (vx, vy) in zip(
                track.times.round(3).tolist(), track.positions, track.velocities(), strict=False
            ):
                robot = robots.get(time_s, (math.inf, math.inf))
                if math.hypot(vx, vy) > 0.2 and math.dist(robot, spot) <= 3.0:
                    route = math.atan2(headings[time_s][1], headings[time_s][0])
                    angle = abs(math.remainder(math.atan2(vy, vx) - route, math.tau))
                    counts[0 if angle < math.pi / 4 else 2 if angle > 3 * math.pi / 4 else 1] += 1
    if not counts.any():
        return "empty", counts
    shares = counts / counts.sum()
    clear = shares.max() >= 0.5
    return ("along", "across", "against")[int(shares.argmax())] if clear else "mixed", shares


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_every_episode_keeps_every_promise(seed: int) -> None:
    asked = wishes(
        flows=("against", "along", "across"),
        density=(0.015, 0.06),
        encounters=1,
        robot=Robot(radius=0.4),
    )
    suite = sampled_suite(crowd(), asked, seed)
    assert len(suite.episodes) == 8
    for k, entry in enumerate(suite.episodes):
        scenario = on_the_map(entry, crowd(), asked.robot)
        check_task(scenario)
        start, goal = Point(entry.start.x_m, entry.start.y_m), Point(entry.goal.x_m, entry.goal.y_m)
        for spot in (start, goal):
            assert FREE.contains(spot)
            assert FREE.boundary.distance(spot) >= 0.6 - 1e-9
        assert start.distance(goal) >= 8.0
        here = [track.positions_at(np.zeros(1))[0] for track in scenario.tracks]
        assert not any(start.distance(Point(spot)) < 0.4 + 0.2 + 0.5 for spot in here)
        met = meetings(scenario)
        assert met.least >= 1
        assert met.density_per_m2 * 1.01 >= 0.015
        assert met.density_per_m2 * 0.99 <= 0.06
        main, shares = flow_by_angles(scenario)
        assert main == asked.flows[k % 3] or sorted(shares)[-1] - sorted(shares)[-2] < 0.02
        first = entry.recordings[0].first_frame
        assert 0 <= first <= (3 * 59 + 20) * FPS - 30 * FPS
        assert entry.time_limit_s == 30.0


@pytest.mark.parametrize("seed", range(2))
def test_a_narrow_density_is_kept_exactly(seed: int) -> None:
    low, high = 0.029, 0.031
    placed = crowd()
    for entry in sampled_suite(placed, wishes(density=(low, high)), seed).episodes:
        present = everyone(placed.recording, entry.recordings[0], entry.time_limit_s)
        tracks = placed_tracks(present, entry.recordings[0], 0)
        scenario = replace(on_the_map(entry, placed, Robot()), tracks=tracks)
        assert low <= meetings(scenario).density_per_m2 <= high


@pytest.mark.parametrize("seed", mostly_slow(range(5), quick=2))
def test_names_tell_the_flow_as_it_comes(seed: int) -> None:
    for k, entry in enumerate(sampled_suite(crowd(), wishes(), seed).episodes, start=1):
        main, shares = flow_by_angles(on_the_map(entry, crowd(), Robot()))
        close = sorted(shares)[-1] - 0.5 < 0.02 or sorted(shares)[-1] - sorted(shares)[-2] < 0.02
        assert entry.name == f"streams_{main}_{k:02d}" or close


def test_the_same_seed_gives_the_same_suite_and_another_one_another() -> None:
    assert sampled_suite(crowd(), wishes(), 7) == sampled_suite(crowd(), wishes(), 7)
    seven, eight = (sampled_suite(crowd(), wishes(), seed).episodes for seed in (7, 8))
    assert not {entry.start for entry in seven} & {entry.start for entry in eight}


def test_episodes_do_not_depend_on_how_many_follow() -> None:
    few = sampled_suite(crowd(), wishes(count=3, flows=("along", "across")), 1)
    many = sampled_suite(crowd(), wishes(count=12, flows=("along", "across")), 1)
    assert many.episodes[:3] == few.episodes


def test_episodes_do_not_depend_on_what_was_wished_of_others() -> None:
    one, other = (
        sampled_suite(crowd(), wishes(count=2, flows=(first, "across")), 1).episodes
        for first in ("along", "against")
    )
    assert one[0] != other[0]
    assert one[1] == other[1]


@pytest.mark.slow
def test_names_are_unique_and_no_two_episodes_are_equal() -> None:
    entries = sampled_suite(crowd(), wishes(count=120), 3).episodes
    assert len({entry.name for entry in entries}) == 120
    assert entries[0].name.endswith("_01")
    assert entries[-1].name.endswith("_120")
    tasks = {(entry.start, entry.goal, entry.recordings[0].first_frame) for entry in entries}
    assert len(tasks) == 120


@pytest.mark.slow
def test_four_of_five_episodes_go_from_place_to_place() -> None:
    entries = sampled_suite(crowd(), wishes(count=120), 0).episodes
    at_places = Counter(_is_at_place(entry) for entry in entries)
    assert 0.68 < at_places[True] / 120 < 0.92


def _is_at_place(entry: EpisodeEntry) -> bool:
    poses = [(entry.start.x_m, entry.start.y_m), (entry.goal.x_m, entry.goal.y_m)]
    return all(any(math.dist(pose, (p.x, p.y)) <= 1.001 for p in PLACES) for pose in poses)


def test_the_note_names_the_places_and_numbers() -> None:
    entries = sampled_suite(crowd(), wishes(count=10, encounters=1), 0).episodes
    entry = next(entry for entry in entries if _is_at_place(entry) and "drives: 1 to" in entry.note)
    people = crowd_statistics(on_the_map(entry, crowd(), Robot()))
    start = min(PLACES, key=lambda p: math.dist((p.x, p.y), (entry.start.x_m, entry.start.y_m)))
    goal = min(PLACES, key=lambda p: math.dist((p.x, p.y), (entry.goal.x_m, entry.goal.y_m)))
    assert entry.note.startswith(f"From {start.name} to {goal.name}, ")
    assert f"{people.people} people" in entry.note
    met = meetings(on_the_map(entry, crowd(), Robot()))
    assert f"are {met.density_per_m2:.3f} people per free square metre" in entry.note
    assert f"Encounters on reference drives: 1 to {met.most}." in entry.note
    assert met.flow is not None
    assert f"{met.flow.across:.0%} across" in entry.note


def test_a_map_without_places_is_used_all_over() -> None:
    bare = crowd(floorplan=plan("hall", (0, 0, 24, 12), PILLAR))
    entries = sampled_suite(bare, wishes(count=20), 0).episodes
    assert all(entry.note.startswith("From (") for entry in entries)
    assert {entry.start.x_m > 12 for entry in entries} == {True, False}


@pytest.mark.slow
def test_where_places_do_not_offer_the_wish_free_space_does() -> None:
    ends = replace(HALL, places=PLACES[:2])  # from west to east nobody walks across in the west
    early = Recording(name="streams", fps=FPS, tracks=streams(60)[:20])
    entries = sampled_suite(
        crowd(floorplan=ends, recording=early), wishes(count=2, flows=("across",)), 0
    ).episodes
    assert [entry.name.split("_")[1] for entry in entries] == ["across"] * 2


def test_a_goal_that_cannot_be_reached_is_never_chosen() -> None:
    rooms = plan("rooms", (0, 0, 24, 12), (11, -0.5, 13, 12.5))  # two rooms and nothing between
    entries = sampled_suite(crowd(floorplan=rooms), wishes(count=10), 0).episodes
    assert all((entry.start.x_m < 12) == (entry.goal.x_m < 12) for entry in entries)


def test_a_goal_whose_way_takes_too_long_is_never_chosen() -> None:
    wall = (11.9, -0.01, 12.1, 11.0)  # open at the north end only
    slow = Robot(max_speed=0.3)
    entries = sampled_suite(
        crowd(floorplan=plan("divided", (0, 0, 24, 12), wall)), wishes(count=10, robot=slow), 0
    ).episodes
    for entry in entries:
        other_side = (entry.start.x_m < 12) != (entry.goal.x_m < 12)
        up = [math.dist((p.x_m, p.y_m), (12, 11)) for p in (entry.start, entry.goal)]
        assert sum(up) <= 9.1 if other_side else True


def test_a_recording_that_is_too_short_starts_at_its_first_frame_and_the_note_says_so() -> None:
    entries = sampled_suite(crowd(), wishes(time_limit=300.0, count=3), 0).episodes
    assert [entry.recordings[0].first_frame for entry in entries] == [0, 0, 0]
    assert all("The recording ends after 197.0 s." in entry.note for entry in entries)


def test_where_nobody_walks_the_episode_is_called_empty() -> None:
    standing = Recording(name="s", fps=FPS, tracks=(walk(1, (0, 9, 9), (60, 9, 9)),))
    entries = sampled_suite(crowd(recording=standing), wishes(count=2), 0).episodes
    assert [entry.name for entry in entries] == ["streams_empty_01", "streams_empty_02"]
    assert "nobody walks there." in entries[0].note


def test_the_description_tells_how_to_make_it_again() -> None:
    asked = wishes(flows=("along",), density=(0.01, 0.1), least_distance=9.5)
    suite = sampled_suite(crowd(), asked, 42)
    assert suite.name == "streams-sampled-42"
    for part in ("recording streams", "map hall.json", "seed 42", "count 8", "at least 9.5 m"):
        assert part in suite.description
    assert "between 0.01 and 0.1 people/m2, flow along" in suite.description
    assert "inferred" not in suite.description
    guessed = replace(HALL, inferred=InferredFrom.MAP)
    assert "inferred" in sampled_suite(crowd(floorplan=guessed), asked, 42).description


def test_a_suite_of_a_long_or_strange_name_is_still_valid() -> None:
    for name in ("x" * 100, "../my crowds/hall (1).csv"):
        suite = sampled_suite(crowd(name=name), wishes(count=1), 2**63 - 1)
        assert msgspec.convert(msgspec.to_builtins(suite), SuiteFile) == suite
        assert suite.episodes[0].recordings[0].recording == name


def test_the_suite_has_the_robot_that_was_asked_for() -> None:
    assert sampled_suite(crowd(), wishes(count=1), 0).robot == RobotEntry()
    robot = Robot(name="cart", radius=0.5, max_acceleration=0.7)
    entry = sampled_suite(crowd(), wishes(count=1, robot=robot), 0).robot
    assert isinstance(entry, RobotEntry)
    assert entry.robot() == robot


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"count": 0}, "count must be between 1 and 1000, not 0"),
        ({"count": 1001}, "count must be between 1 and 1000, not 1001"),
        ({"least_distance": 0.0}, "the least distance must be more than 0 .* not 0 m"),
        ({"least_distance": 40.0}, "'pioneer-3dx' gets in 30 s, 36 m, not 40 m"),
        ({"time_limit": math.nan}, "the time limit must be more than 0 .* not nan s"),
        ({"time_limit": 4000.0}, "at most 3600 s, not 4000 s"),
        ({"encounters": -1}, "encounters must be 0 or more, not -1"),
        ({"density": (0.2, 0.1)}, "the density must be .* not 0.2 to 0.1"),
        ({"density": (-1.0, 0.1)}, "the density must be .* not -1 to 0.1"),
        ({"density": (math.inf, math.inf)}, "the density must be .* not inf to inf"),
    ],
)
def test_wishes_that_make_no_sense_are_refused(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadValue, match=sentence):
        wishes(**changes)


def test_an_unknown_flow_is_refused_with_a_hint() -> None:
    with pytest.raises(UnknownName, match="no flow is called 'acros'. Did you mean 'across'?"):
        wishes(flows=("along", "acros"))


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_outside_its_range_is_refused(seed: int) -> None:
    with pytest.raises(BadValue, match=f"the seed must be 0 or more .* not {seed}"):
        sampled_suite(crowd(), wishes(), seed)


@pytest.mark.slow
def test_a_density_that_the_recording_never_has_is_refused_with_what_it_has() -> None:
    sentence = r"found 0 of 8 episodes, then no other in 400 draws: .* 0 to 0\.\d+ people/m2"
    with pytest.raises(BadValue, match=sentence + ", not between 5 and 6 people/m2; wish for less"):
        sampled_suite(crowd(), wishes(density=(5.0, 6.0)), 0)


@pytest.mark.slow
def test_a_flow_that_is_never_there_is_refused_with_those_that_are() -> None:
    east = Recording(name="streams", fps=FPS, tracks=streams(60)[:20])
    lane = plan("lane", (0, 2, 24, 6))
    with pytest.raises(BadValue, match="no other with flow across in 400 draws: .* had flow along"):
        sampled_suite(crowd(recording=east, floorplan=lane), wishes(flows=("across",)), 0)


@pytest.mark.slow
def test_encounters_that_are_never_had_are_refused_with_how_many_are() -> None:
    sentence = r"found 0 of 8 episodes, .* \d+ met too few people.*; the best met (\d+) on every "
    with pytest.raises(BadValue, match=sentence) as caught:
        sampled_suite(crowd(), wishes(encounters=50), 0)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith("not 50; lower encounters or use another seed")
    assert caught.value.parameters == ("encounters",)
    most = re.search(sentence, str(caught.value))
    assert most is not None and int(most[1]) >= 2
    assert len(sampled_suite(crowd(), wishes(count=1, encounters=int(most[1])), 0).episodes) == 1


def test_an_empty_recording_is_refused() -> None:
    nobody = Recording(name="streams", fps=FPS, tracks=())
    with pytest.raises(BadValue, match="there is nobody in the recording 'streams'"):
        sampled_suite(crowd(recording=nobody), wishes(), 0)


def test_all_refusals_are_one_line_for_the_person_who_must_act() -> None:
    for changes in ({"least_distance": 26.3}, {"robot": Robot(radius=9)}):
        with pytest.raises(PaseoError) as caught:
            sampled_suite(crowd(), wishes(**changes), 0)
        assert "\n" not in str(caught.value)


def known_crowd(name: str, data_dir: Path) -> PlacedCrowd:
    map_name, transform = DataFolder(data_dir).placement(name)
    return PlacedCrowd(
        name=name,
        recording=DataFolder(data_dir).recording(name),
        map=map_name,
        floorplan=DataFolder(data_dir).floorplan(map_name),
        transform=transform,
    )


OTHERS = [
    pytest.param(name, marks=pytest.mark.slow) for name in ("hotel", "univ", "zara01", "zara02")
]


@pytest.mark.recordings
@pytest.mark.parametrize("name", ["eth", *OTHERS])
def test_episodes_of_the_recordings_are_what_a_run_will_find(name: str, data_dir: Path) -> None:
    placed = known_crowd(name, data_dir)
    asked = SamplingOptions(count=12, flows=("against", "along", "across"), encounters=1)
    begun = time.process_time()
    suite = sampled_suite(placed, asked, 1)
    assert time.process_time() - begun < 10.0
    for entry, flow in zip(suite.episodes, asked.flows * 4, strict=True):
        world = scenario_of(entry, Choices(), DataFolder(data_dir))
        check_task(world)
        statistics, met = crowd_statistics(world), meetings(world)
        assert met.flow is not None
        assert (met.flow.main, entry.name.split("_")[1]) == (flow, flow)
        assert met.least >= 1
        assert f"{statistics.people} people" in entry.note
        assert statistics.start_goal_distance_m >= 8.0
        for pose in (world.start, world.goal):
            assert world.floorplan.clearance(pose.x, pose.y) >= 0.44
        here = [track.positions_at(np.zeros(1))[0] for track in world.tracks]
        start = (world.start.x, world.start.y)
        assert not any(math.dist(start, spot) < 0.94 for spot in here)
        assert recording_ends(entry, DataFolder(data_dir), Rule.EVERYONE) is None


@pytest.mark.recordings
def test_a_sampled_suite_runs(data_dir: Path) -> None:
    suite = sampled_suite(
        known_crowd("eth", data_dir), SamplingOptions(count=2, density=(0.01, 0.2)), 5
    )
    for entry in suite.episodes:
        record = paseo.simulate(scenario_of(entry, Choices(), DataFolder(data_dir)), Straight())
        assert record.outcome in set(paseo.Outcome) - {paseo.Outcome.PLANNER_FAILED}


def test_a_crowd_is_sampled_by_its_name_into_a_file(tmp_path: Path) -> None:
    out, data = tmp_path / "two.toml", DataFolder(tmp_path / "data")
    asked = SamplingOptions(count=2, time_limit=20.0)
    suite = sample_episodes("synthetic-zara", asked, seed=3, out=out, data=data)
    again = read_suite(out, data)
    assert [entry.name for entry in again.episodes] == [entry.name for entry in suite.episodes]
    assert {entry.map for entry in suite.episodes} == {"Zara"}
    assert sample_episodes("synthetic-zara", asked, seed=3, data=data) == suite


def test_a_map_in_a_file_is_named_as_seen_from_the_suite(tmp_path: Path) -> None:
    place = tmp_path / "hall.poly"
    place.write_text("-20 -20\n40 -20\n40 40\n-20 40\n")
    (tmp_path / "suites").mkdir()
    out, asked = tmp_path / "suites" / "one.toml", SamplingOptions(count=1, time_limit=20.0)
    data = DataFolder(tmp_path / "data")
    suite = sample_episodes("synthetic-zara", asked, floorplan=str(place), out=out, data=data)
    assert suite.episodes[0].map == str(Path("..") / "hall.poly")
    assert read_suite(out, data).episodes[0].map == str(tmp_path / "suites" / ".." / "hall.poly")
