import io
import json
import math
import shutil
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.cli.main import main
from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import Choices
from paseo.data.suites.episodes import scenario as placed_scenario
from paseo.data.suites.suite_file import shipped_suites
from paseo.errors import BadScenario
from paseo.metrics.comparison.comparison import compare
from paseo.metrics.record.catalog import METRICS
from paseo.planners.names import is_reference
from paseo.sim.simulate import simulate
from paseo.suite.measuring import measured_runs
from paseo.suite.runners.human import Human, driven_variant, human_variant
from paseo.world.motion import Control
from paseo.world.recordfile import load_record, record_bytes
from paseo.world.records import Contact, Outcome, Record
from paseo.world.scenarios import Reaction, ReactionModel, Scenario, Sensor
from runs import records, refused, results, suite
from worlds import DIVIDED, scenario, walk

AHEAD = walk(4, (1.02, 2, 5), (5.02, 8, 6))  # like the robot's task, later and a little off
BACK = walk(7, (0, 8, 5), (6, 2, 5))
ASIDE = walk(9, (0, 1, 1), (4, 9, 1))


def followed(world: Scenario, person: int | None = None, **options: Any) -> Record:
    variant, human = human_variant(world, person)
    return simulate(variant, human, **options)


def test_the_robot_gets_the_radius_start_goal_and_top_speed_of_the_person() -> None:
    task = scenario(AHEAD, BACK, person_radius=0.25)
    variant, human = human_variant(task)
    assert (human.person, variant.name) == (4, "test@human-4")
    # The clock's first moment after 1.02 s is 1.05 s, its last before 5.02 s is 5.00 s.
    heading = math.atan2(1, 6)
    start = (2 + 0.03 * 1.5, 5 + 0.03 * 0.25, heading)
    goal = (8 - 0.02 * 1.5, 6 - 0.02 * 0.25, heading)
    for pose, expected in ((variant.start, start), (variant.goal, goal)):
        assert (pose.x, pose.y, pose.heading) == pytest.approx(expected)
    assert variant.robot.radius == 0.25
    assert variant.robot.needed_clearance == 0
    assert variant.robot.max_speed == pytest.approx(math.hypot(1.5, 0.25))
    assert variant.time_limit == task.time_limit


def test_time_0_is_when_the_person_appears_and_others_are_where_they_were() -> None:
    task = scenario(AHEAD, BACK, walk(8, (0, 3, 3), (1.04, 4, 3)), walk(9, (2, 3, 3), (9, 4, 3)))
    variant, _ = human_variant(task)
    assert [track.id for track in variant.tracks] == [7, 9], "person 8 is gone, 4 is the robot"
    times = np.arange(100) * 0.05
    for track, original in zip(variant.tracks, (BACK, task.tracks[3]), strict=True):
        np.testing.assert_allclose(
            track.positions_at(times), original.positions_at(times + 1.05), atol=1e-12
        )
        assert track.times[0] >= 0


def test_the_robot_follows_the_recording_and_arrives() -> None:
    record = followed(scenario(AHEAD, ASIDE))
    expected = AHEAD.positions_at(1.05 + record.times)
    np.testing.assert_allclose(record.robot[:, :2], expected, atol=1e-9)
    assert record.outcome is Outcome.REACHED_GOAL
    assert record.provenance.control is Control.POSITION


def test_who_stands_keeps_their_heading() -> None:
    stops = walk(1, (0, 2, 5), (1, 2, 5), (3, 2, 7), (5, 2, 7), (8, 6, 7))
    record = followed(scenario(stops))
    quarter = math.pi / 2
    assert record.robot[[0, 10, 30, 90], 2] == pytest.approx([quarter] * 4), "also before moving"
    assert record.robot[-1, 2] == pytest.approx(0.0)


def test_a_walk_that_goes_on_after_the_episode_ends_with_it() -> None:
    long = walk(1, (0, 1, 5), (16, 9, 5))
    variant, human = human_variant(scenario(long))
    assert (variant.goal.x, variant.goal.y) == pytest.approx((6.0, 5.0))
    assert simulate(variant, human).outcome is Outcome.REACHED_GOAL


def test_the_default_is_the_walk_most_like_the_robots_task() -> None:
    assert human_variant(scenario(AHEAD, BACK, ASIDE))[1].person == 4
    assert human_variant(scenario(BACK, ASIDE))[1].person == 9, "8.1 m off against 12 m"
    twin = replace(AHEAD, id=3)
    assert human_variant(scenario(twin, AHEAD))[1].person == 3, "of equals the smallest id"
    assert human_variant(scenario(AHEAD, BACK), 7)[1].person == 7, "unless one is named"


@pytest.mark.parametrize(
    ("track", "changes", "problem"),
    [
        (walk(4, (0, 2, 5), (9, 4.9, 5)), {}, "get only 2.90 m from their start, expected 3 m"),
        (walk(4, (0, 2, 5), (9, 5.1, 5)), {"goal_radius": 2.0}, "get only 3.10 m"),
        (walk(4, (0, 2, 5), (1, np.nan, np.nan), (4, 4, 5), (9, 8, 5)), {}, "are out of sight"),
        (walk(4, (0, 2, 5), (9, 12, 5)), {}, "walk through a wall of floor plan 'room'"),
        (walk(4, (0, 2, 5), (9, 8, 5)), {"floorplan": DIVIDED}, "through a wall of floor plan 'di"),
        (walk(4, (20, 2, 5), (29, 8, 5)), {}, "there is no person 4, expected one of: 9"),
    ],
)
def test_who_cannot_be_followed_is_passed_over_or_refused_with_a_reason(
    track: Any, changes: dict[str, Any], problem: str
) -> None:
    task = scenario(track, ASIDE if "floorplan" not in changes else walk(9, (0, 1, 1), (4, 1, 9)),
                    **changes)  # fmt: skip
    assert human_variant(task)[1].person == 9
    with pytest.raises(BadScenario, match=f"episode 'test': .*{problem}"):
        human_variant(task, 4)


def test_people_may_brush_walls() -> None:
    brushes = walk(1, (0, 2, 0.02), (6, 8, 0.02))
    assert followed(scenario(brushes)).outcome is Outcome.REACHED_GOAL


def test_where_nobody_can_be_followed_there_is_no_variant() -> None:
    for task in (scenario(), scenario(walk(1, (0, 5, 5), (9, 5, 5)))):
        with pytest.raises(BadScenario, match="nobody can be followed, expected somebody who gets"):
            human_variant(task)


def test_companions_stay_but_are_no_group_to_intrude_on() -> None:
    beside = replace(AHEAD, id=5, positions=AHEAD.positions + (0.0, 0.5))
    task = scenario(AHEAD, beside, BACK, ASIDE, groups=((4, 5), (7, 9)))
    variant, _ = human_variant(task)
    assert [track.id for track in variant.tracks] == [5, 7, 9]
    assert variant.groups == ((7, 9),)


def test_python_reaches_the_reference_too() -> None:
    made = followed(scenario(AHEAD, BACK)).provenance
    assert (made.planner, made.parameters) == ("paseo.planners.human:Human", {"person": 4})
    assert is_reference(made.planner)


def test_the_reference_alone_is_no_planner() -> None:
    record = simulate(scenario(AHEAD), Human())
    assert record.outcome is Outcome.PLANNER_FAILED
    assert "name it as a planner of a run" in record.reason


def test_the_same_variant_gives_the_same_bytes() -> None:
    task = scenario(AHEAD, BACK, sensor=Sensor(range=3.0, position_noise=0.1), seed=3)
    assert record_bytes(followed(task)) == record_bytes(followed(task))


@pytest.mark.parametrize("by", ReactionModel)
def test_people_can_answer_who_is_followed(by: ReactionModel) -> None:
    head_on = walk(4, (1, 2, 5), (5, 8, 5))
    record = followed(scenario(head_on, BACK, reaction=Reaction(by=by)))
    recorded = BACK.positions_at(1.0 + record.times)
    assert np.abs(record.people[:, 0] - recorded).max() > 0.01
    assert record.outcome is Outcome.REACHED_GOAL


def touches(task: Scenario, person: int, until: float) -> tuple[Contact, ...]:
    """Who touches the person while they are followed, from the recording alone."""
    tracks = {track.id: track for track in task.tracks}
    clock = np.arange(task.steps + 1) * task.dt
    own = tracks.pop(person).positions_at(clock)
    first = int(np.argmin(np.isnan(own[:, 0])))
    own = own[first : first + round(until / task.dt) + 1]
    found = []
    for other, track in tracks.items():
        places = track.positions_at(clock)[first : first + len(own)]
        near = np.linalg.norm(own - places, axis=1) < 2 * task.person_radius
        edges = np.diff(np.concatenate([[False], near, [False]]).astype(int))
        for begin, end in zip(np.nonzero(edges > 0)[0], np.nonzero(edges < 0)[0], strict=True):
            met = begin > 0 and not np.isnan(places[begin - 1, 0])
            found.append(
                Contact(person=other, first_step=int(begin), last_step=int(end) - 1,
                        x=own[begin, 0], y=own[begin, 1], counted=bool(met))
            )  # fmt: skip
    return tuple(sorted(found, key=lambda c: (c.first_step, c.person)))


@pytest.mark.recordings
@pytest.mark.parametrize(("name", "successes"), [("paseo-33", 21), ("socnavbench-33", 25)])
def test_on_every_shipped_episode_it_arrives_as_recorded_touching_whom_it_touched(
    name: str, successes: int, data_dir: Path
) -> None:
    left = successes  # as the docs say
    for entry in shipped_suites()[name].episodes:
        task = placed_scenario(entry, Choices(), DataFolder(data_dir))
        variant, human = human_variant(task)
        record = simulate(variant, human)
        assert record.outcome is Outcome.REACHED_GOAL, record.reason
        left -= record.is_success
        assert human.person is not None
        expected = touches(task, human.person, float(record.times[-1]))
        for found, known in zip(record.contacts, expected, strict=True):
            assert replace(found, x=known.x, y=known.y) == known
            assert (found.x, found.y) == pytest.approx((known.x, known.y), abs=1e-9)
    assert left == 0


WALKS = [
    {"id": 1, "path": [[0.0, 5.0, 1.0], [4.0, 5.0, 9.0]]},
    {"id": 2, "path": [[0.5, 3.0, 3.0], [1.5, 7.0, 3.0]]},
]


def two_walks(folder: Path) -> Path:
    """A suite in whose first episode person 2 walks like the robot; in the third nobody walks."""
    path = suite(folder)
    content = json.loads(path.read_text())
    content["episodes"][0]["people"] = WALKS
    content["episodes"][2]["people"] = [{"id": 1, "path": [[0.0, 5.0, 1.0]]}]
    path.write_text(json.dumps(content))
    return path


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the reference between two planners; what it printed is in printed.txt."""
    folder = tmp_path_factory.mktemp("human")
    words = ["run", two_walks(folder), "--planner", "stop,human,straight", "--out", folder / "run"]
    printed = io.StringIO()
    with redirect_stdout(printed):
        assert main([str(word) for word in (*words, "--sense", "range_m=3")]) == 0
    (folder / "printed.txt").write_text(printed.getvalue())
    return folder


def followed_in(ran: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (ran / "run/results.jsonl").read_text().splitlines()]
    return sorted((row for row in rows if row["planner"] == "human"), key=lambda r: r["episode"])


def test_a_run_names_the_episodes_after_whom_it_follows(ran: Path) -> None:
    one, three, two = followed_in(ran)
    assert (one["episode"], two["episode"]) == ("one@human-2", "two@human-1")
    assert one["outcome"] == two["outcome"] == "reached goal"
    assert (three["episode"], three["outcome"]) == ("three@human", "planner failed")
    assert three["reason"].startswith("episode 'three': of its 1 people nobody can be followed")
    made = load_record(ran / "run/records" / one["record"]).provenance
    assert (made.planner, made.control) == ("human", Control.POSITION)
    assert made.parameters == {"person": 2}


def test_the_table_marks_the_reference(ran: Path) -> None:
    lines = {line.split("  ")[0] for line in (ran / "printed.txt").read_text().splitlines()}
    assert {"human (reference, own episodes)", "stop", "straight"} <= lines


def test_its_records_are_repeated_logged_and_measured(
    ran: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for row in followed_in(ran):
        file = str(ran / "run/records" / row["record"])
        assert main(["rerun", file]) == 0
        assert "identical" in capsys.readouterr().out
        assert main(["log", file]) == 0
        assert row["episode"] in capsys.readouterr().out
        assert main(["measure", file]) == 0
        assert "planning_time" in capsys.readouterr().out


def test_other_records_cannot_be_repeated_by_following_somebody(
    ran: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = ran / "run/records/one--stop--0.npz"
    sentence = refused(capsys, "rerun", file, "--planner", "human")
    assert "the record of 'stop' follows nobody; omit --planner" in sentence


def test_a_run_of_the_reference_is_resumed(
    ran: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    shutil.copytree(ran / "run", out)
    log = (out / "results.jsonl").read_text().splitlines(keepends=True)
    (out / "results.jsonl").write_text("".join(log[:-2]))
    (out / "records/one--human--0.npz").unlink()
    assert len(results(capsys, "--resume", "--out", out)) == 9
    assert records(out) == records(ran / "run")


def test_the_reference_changes_nothing_for_planners_beside_it(ran: Path) -> None:
    measured = measured_runs([ran / "run"], METRICS)
    planners = [each for each in measured if not each.row.is_reference]
    beside, alone = (
        compare(each, METRICS, np.random.default_rng(0)) for each in (measured, planners)
    )
    assert [each.row.planner for each in beside.summaries] == ["stop", "straight", "human"]
    assert beside.summaries[:2] == alone.summaries
    assert replace(beside, summaries=()) == replace(alone, summaries=())
    human = beside.summaries[2]
    assert human.row.robot is None, "one row, whoever is followed"
    assert human.cells["path_length"].count == 2, "over those it completed itself"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (
            ["human", "--control", "velocity"],
            "follows a recorded walk, which nobody can steer by velocity; omit --control",
        ),
        (["stop,human:person=1", "--control", "velocity"], "'human:person=1' follows a recorded"),
        (["human:person=2"], "episode 'two': there is no person 2, expected one of: 1"),
        (["human:person=x"], "planner 'human': person=x: Expected `int | null`, got `str`"),
        (["human:who=2"], "no parameter of planner 'human' is called 'who'"),
        (["humen"], "Did you mean 'human'?"),
    ],
)
def test_what_the_reference_cannot_do_is_refused_before_anything_runs(
    words: list[str], problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = two_walks(tmp_path), tmp_path / "run"
    assert problem in refused(capsys, "run", path, "--out", out, "--planner", *words)
    assert not out.exists()


def test_a_person_can_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--planner", "human:person=1", "--limit", 2, "--out", tmp_path / "run"]
    rows = results(capsys, two_walks(tmp_path), *words)
    assert [row["episode"] for row in rows] == ["one@human-1", "two@human-1"]


def test_who_drove_the_robot_is_followed_with_its_size_and_at_their_speed() -> None:
    times = np.linspace(0, 4, 21)
    driven = np.column_stack([times, 2 + 1.5 * times, np.full(21, 5.0), np.zeros(21)])
    task = scenario(AHEAD, BACK)
    variant, human = driven_variant(task, driven)
    assert variant.name == "test@human-driven" and len(variant.tracks) == 2
    assert (variant.start.x, variant.goal.x) == pytest.approx((2.0, 8.0))
    assert variant.robot.radius == task.robot.radius
    record = simulate(variant, human)
    assert record.outcome is Outcome.REACHED_GOAL
    assert record.robot[:, 0] == pytest.approx(2 + 1.5 * record.times)


def test_who_drove_for_less_than_a_step_cannot_be_followed() -> None:
    with pytest.raises(BadScenario, match="was driven for 0 s"):
        driven_variant(scenario(), np.zeros((1, 4)))
