"""A waypoint exam from Python: asked, told, scored, gone on with."""

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from exams import Answering
from paseo.cli.vqa import waypoints as cli
from paseo.data.scenes.dataset import open_scenes
from paseo.errors import BadFile, BadValue, InputError, MissingData
from paseo.vlm.models import Prompt
from paseo.vqa.exam.asking import AskOptions
from paseo.vqa.exam.replies import stored_replies
from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.questions.methods import Method
from paseo.vqa.waypoints.asking import RUNS, WaypointOptions, ask_waypoints, prepare_waypoints
from paseo.vqa.waypoints.contexts import Context, geometry_answers, random_answers
from paseo.vqa.waypoints.futures import future_of
from paseo.vqa.waypoints.scoring import waypoint_rows
from tiny_scenes import odometry
from waypoint_scenes import going, waypoint_folder

GRID = WaypointOptions(asking=AskOptions(images=Layout.GRID, repeats=2))


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    return waypoint_folder(tmp_path / "scenes", *(f"s{k}" for k in range(6)))


def test_one_who_knows_is_always_right_and_the_rules_stand_beside(
    scenes: Path, tmp_path: Path
) -> None:
    done = ask_waypoints("scripted/truth", scenes, out=tmp_path / "out", options=GRID)
    assert (done.tally.answered, done.questions) == (12, 12)
    model, straight, chance = waypoint_rows(done.folder)
    assert (model.score.mean, model.run_se, model.invalid) == (1.0, 0.0, 0)
    assert chance.score.mean == pytest.approx(0.2)
    hits = [scene.true == scene.straight for scene in done.plan.scenes]
    assert straight.score.mean == pytest.approx(np.mean(hits))
    follows = ask_waypoints("scripted/straight", scenes, out=tmp_path / "other", options=GRID)
    assert waypoint_rows(follows.folder)[0].score.mean == straight.score.mean


def test_a_reply_that_cannot_be_read_gets_no_credit_and_is_counted(
    scenes: Path, tmp_path: Path
) -> None:
    done = ask_waypoints(
        "scripted/refusing", scenes, out=tmp_path / "out",
        options=replace(GRID, asking=replace(GRID.asking, keep_going=True)),
    )  # fmt: skip
    row = waypoint_rows(done.folder)[0]
    assert (row.score.mean, row.invalid) == (0.0, 12)


def test_runs_that_differ_have_an_error_of_their_own(scenes: Path, tmp_path: Path) -> None:
    asked: list[str] = []

    def answer(prompt: Prompt) -> str:
        """Right in the first run of each scene, then never."""
        asked.append(prompt.id)
        right = dict(prompt.questions[0].rules)["truth"]
        wrong = next(each for each in prompt.questions[0].choices if each != right)
        return prompt.answered({"q_waypoint": right if asked.count(prompt.id) == 1 else wrong})

    options = replace(GRID, asking=replace(GRID.asking, concurrency=1))
    done = ask_waypoints(Answering(answer), scenes, out=tmp_path / "out", options=options)
    row = waypoint_rows(done.folder)[0]
    assert row.score.mean == 0.5
    assert row.score.clustered_se == 0.0  # all scenes are alike
    assert row.run_se == pytest.approx(0.5)


def test_what_is_told_depends_on_the_context(scenes: Path, tmp_path: Path) -> None:
    def said(context: Context) -> Answering:
        model = Answering(lambda prompt: prompt.answered(
            {each.key: [each.choices[0]] if each.several else each.choices[0]
             for each in prompt.questions}))  # fmt: skip
        options = replace(GRID, context=context, asking=replace(GRID.asking, repeats=1, limit=1))
        ask_waypoints(model, scenes, out=tmp_path / context.value, options=options)
        return model

    answered = "have been answered"
    (plain,) = said(Context.NONE).asked
    assert answered not in plain.text
    (told,) = said(Context.RANDOM).asked
    assert answered in told.text
    assert told.text.count('{"answer"') == 16  # fifteen questions, and how to reply
    own = said(Context.OWN).asked
    assert len(own) == 16
    assert own[-1].id.endswith("q_waypoint")
    assert own[-1].text.count('{"answer"') == 16
    assert own[0].images != own[-1].images  # the questions are asked without waypoints
    with pytest.raises(InputError, match="has no geometry_labels"):
        said(Context.GEOMETRY)
    with pytest.raises(MissingData, match="human_labels"):
        said(Context.PEOPLE)


def test_answers_by_geometry_may_leave_out_what_is_ambiguous(scenes: Path) -> None:
    place = scenes / "geometry_labels" / "s0"
    place.mkdir(parents=True)
    file, key = place / "common_answers.json", "q_obstructing_path_p1"
    file.write_text(json.dumps({key: ["yes"], f"{key}_probabilities": [1.0], f"{key}_n_answers": 1,
                                "": ["next"]}))  # fmt: skip
    assert geometry_answers(scenes, going("s0")) == {("s0", key): ("yes",)}
    paper = prepare_waypoints(
        "scripted/first", scenes, options=replace(GRID, context=Context.GEOMETRY)
    )
    assert [scene.id for scene in paper.found.scenes] == ["s0"]
    assert len(paper.found.unreadable) == 5
    for wrong in ({"q_obstructing_path_p9": ["yes"]}, {key: ["perhaps"]}, {key: "yes"}):
        file.write_text(json.dumps(wrong))
        with pytest.raises(BadFile, match="geometry_labels"):
            geometry_answers(scenes, going("s0"))


def test_random_answers_are_the_same_for_the_same_scene() -> None:
    assert random_answers(going("s1")) == random_answers(going("s1"))
    assert random_answers(going("s1")) != random_answers(going("s2"))


def test_an_exam_goes_on_where_it_was_and_asks_nothing_twice(scenes: Path, tmp_path: Path) -> None:
    first = ask_waypoints("scripted/first", scenes, out=tmp_path / "out", options=GRID)
    again = ask_waypoints("scripted/first", scenes, out=tmp_path / "out", options=GRID)
    assert (first.tally.requests, again.tally.requests, again.tally.stored) == (12, 0, 12)
    assert len(stored_replies(first.folder / "replies.sqlite")) == 12
    with pytest.raises(InputError, match="another waypoint exam: its context differs"):
        ask_waypoints(
            "scripted/first", scenes, out=tmp_path / "out",
            options=replace(GRID, context=Context.RANDOM),
        )  # fmt: skip
    with pytest.raises(InputError, match="holds no waypoint exam to go on with"):
        ask_waypoints("scripted/first", scenes, out=tmp_path / "new", resume=True)
    with pytest.raises(BadValue, match="omit method chain-human"):
        ask_waypoints(
            "scripted/first", scenes,
            options=replace(GRID, asking=replace(GRID.asking, method=Method.CHAIN_HUMAN)),
        )  # fmt: skip


def test_scenes_whose_robot_nobody_followed_are_left_out_and_named(
    scenes: Path, tmp_path: Path
) -> None:
    (scenes / "aftermath" / "s3.json").unlink()
    done = ask_waypoints("scripted/truth", scenes, out=tmp_path / "out", options=GRID)
    assert [each.scene for each in done.unreadable] == ["s3"]
    assert "nobody knows where its robot went" in done.unreadable[0].reason
    assert len(done.plan.scenes) == 5


def test_the_odometry_of_a_recording_tells_where_the_robot_went_on_to(tmp_path: Path) -> None:
    place = tmp_path / "front_view" / "a_3"
    place.mkdir(parents=True)
    steps = np.arange(40.0)
    # Along world y at 1 m/s; the first frame of the scene is number 3.
    drive = {"position": np.column_stack([np.full(40, 5.0), 0.25 * steps]),
             "yaw": np.full(40, np.pi / 2)}  # fmt: skip
    (place / "traj_data.pkl").write_bytes(pickle.dumps(drive))
    found = future_of(tmp_path, going("a_3"))
    assert found is not None
    np.testing.assert_allclose(found[0], [(9 + 10) * 0.25, 0.0], atol=1e-9)
    assert found[1] == 2.5
    short = odometry()  # ends with the scene
    (place / "traj_data.pkl").write_bytes(pickle.dumps(short))
    assert future_of(tmp_path, going("a_3")) is None


def test_a_budget_and_an_estimate_count_the_pictures(scenes: Path) -> None:
    paper = prepare_waypoints("openai/gpt-4o", scenes, options=GRID)
    requests, usage, largest = paper.estimate()
    assert requests == 12
    assert usage.input_tokens == 12 * largest.input_tokens
    assert open_scenes(scenes).ids == tuple(f"s{k}" for k in range(6))


def test_the_command_line_asks_as_often_as_the_paper() -> None:
    assert RUNS == cli.RUNS == 5
