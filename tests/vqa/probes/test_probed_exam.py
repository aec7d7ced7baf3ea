"""Probes asked in an exam: a model that reads the truth passes them all."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from exams import Answering, exam, examiner, small_scene
from marked_scenes import picture, scene, walker
from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.scene_file import write_scene
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vlm.models import Picture, Prompt
from paseo.vqa.baselines.rules import rule_answers
from paseo.vqa.baselines.sightings import Sighting, sighting_from_scene
from paseo.vqa.exam.estimates import exam_estimate
from paseo.vqa.exam.plan import AskedScene, ExamFolder, ExamPlan
from paseo.vqa.exam.preparing import overview, sessions
from paseo.vqa.exam.results import probe_outcomes
from paseo.vqa.exam.sessions import SceneSession
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.probes.consistency import ALL, SIDED, ProbeResult
from paseo.vqa.probes.probe import new_numbers
from paseo.vqa.prompts.prompts import answer_json
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import question, questions, shipped
from paseo.world.scenes import Scene

VARIANTS = ("", "mirror", "renumber", "shuffle")
PLAN = ExamPlan(
    model="test/answering", settings={}, method=Method.CHAIN, images=Layout.FRONT,
    drawing=Drawing.PASEO, wording=WordingSource.PASEO, wording_hash="0", variants=VARIANTS,
)  # fmt: skip


def tracks(scene: Scene) -> tuple[Picture, ...]:
    """A picture that holds what there is to see, as numbers."""
    seen = sighting_from_scene(scene)
    people = {number: track.tolist() for number, track in seen.people.items()}
    shown = {"robot": seen.robot.tolist(), "goal": seen.goal.tolist(), "people": people}
    return (Picture(json.dumps(shown).encode()),)


def truth(prompt: Prompt) -> str:
    """What the rules say to the tracks that are shown."""
    shown = json.loads(prompt.images[0].content)
    people = {int(number): np.array(track) for number, track in shown["people"].items()}
    seen = Sighting(robot=np.array(shown["robot"]), goal=np.array(shown["goal"]), people=people)
    name, _, key = prompt.id.partition("/")
    return answer_json(rule_answers(seen)[key], question(name, key).kind)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three scenes with four people each who walk about, and one with a single person."""
    rng = np.random.default_rng(5)
    frames = (picture(0),) * 10
    for k in range(3):
        people = [walker(n, tuple(rng.uniform(-6, 6, 2)), tuple(rng.uniform(-1.5, 1.5, 2)))
                  for n in (1, 2, 3, 4)]  # fmt: skip
        turn = np.linspace(0, rng.uniform(-1.2, 1.2), 10)
        robot = np.stack([np.arange(10) * 0.25, np.zeros(10), turn], axis=1)
        made = scene(*people, id=f"s{k}", robot=robot, goal=(0.5, 4.0 - k), frames=frames)
        write_scene(made, tmp_path / "scenes")
    write_scene(small_scene("alone"), tmp_path / "scenes")
    return tmp_path


def probed(folder: Path, model: Answering) -> tuple[ProbeResult, ...]:
    known = overview(open_scenes(folder / "scenes"))
    with ExamFolder(folder / "exam") as holder:
        holder.write(holder.hold(replace(PLAN, scenes=known.asked)))
    put = sessions(
        known.scenes, draw=tracks, catalogue=shipped(), method=Method.CHAIN, variants=VARIANTS
    )
    exam(model, folder / "exam").run(put)
    return probe_outcomes(folder / "exam", np.random.default_rng(0))


def test_a_model_that_reads_the_truth_changes_every_answer_as_it_must(folder: Path) -> None:
    found = probed(folder, Answering(truth))
    several = 3 * (3 + 4 * 12)
    pairs = {"mirror": several + 15, "renumber": several, "shuffle": several + 15}
    for each in found:
        assert tuple(each.categories[ALL].counts.values()) == (pairs[each.name], 0, 0)
    assert found[0].categories[SIDED].share.questions > 10
    assert found[2].position[ALL].difference.mean == 0.0


def test_each_variant_builds_on_its_own_answers(folder: Path) -> None:
    model = Answering(truth)
    probed(folder, model)
    prompts = [each.text for each in model.asked if each.id == "s0/q_goal_position_end"]
    told = [text.count('{"answer": "to the left"}') for text in prompts]
    mirrored = [text.count('{"answer": "to the right"}') for text in prompts]
    assert (sorted(told), sorted(mirrored)) == ([0, 1, 1, 1], [0, 0, 0, 1])


def test_shuffled_choices_are_told_of_the_same_pictures(folder: Path) -> None:
    known = overview(open_scenes(folder / "scenes")).scenes[:1]
    made = list(
        sessions(known, draw=tracks, catalogue=shipped(), method=Method.CHAIN, variants=VARIANTS)
    )
    plain, *changed = (each for each in made if isinstance(each, SceneSession))
    assert [each.variant for each in changed] == ["mirror", "shuffle"]  # one person only
    assert changed[0].images[0].hash != plain.images[0].hash
    assert changed[1].images is plain.images


def test_what_people_said_is_told_as_it_must_read_in_the_changed_scene() -> None:
    numbers = (1, 2, 3)
    before = "q_person_spatial_position_begin"
    people = {("yard", f"{before}_p{n}"): (place,) for n, place in
              zip(numbers, ("to the left of", "behind", "ahead of"), strict=True)}  # fmt: skip
    asks = replace(examiner(Method.CHAIN_HUMAN), people=people)

    def told(variant: str, number: int) -> str:
        every = questions("yard", numbers)
        (one,) = (each for each in every if each.key == f"q_robot_affected_p{number}")
        session = SceneSession(
            scene="yard", questions=every, images=(), timing=TIMING, variant=variant
        )
        (said,) = re.findall(r'\{"answer": "([^"]+)"\}', asks.prompt(session, [one], {}).text)[:1]
        return str(said)

    new = new_numbers("yard", numbers)
    assert told("", 1) == told("shuffle", 1) == told("renumber", new[1]) == "to the left of"
    assert told("mirror", 1) == "to the right of"
    assert told("renumber", new[2]) == told("mirror", 2) == "behind"


def test_an_estimate_counts_every_variant_that_is_asked() -> None:
    people = {"a": (1,), "b": (1, 2)}
    scenes = tuple(AskedScene(id=id, hash="", people=who) for id, who in people.items())
    sample = SceneSession(scene="a", questions=questions("a", (1,)), images=(), timing=TIMING)
    plan = replace(PLAN, scenes=scenes, repeats=2)
    expected = exam_estimate(sample, examiner=examiner(), plan=plan, price=None)
    assert expected.questions == expected.requests == 2 * (3 * 15 + 4 * 27)


def test_an_exam_without_probes_has_no_outcome(tmp_path: Path) -> None:
    with ExamFolder(tmp_path) as holder:
        holder.write(holder.hold(replace(PLAN, variants=("",))))
    assert probe_outcomes(tmp_path, np.random.default_rng(0)) == ()
