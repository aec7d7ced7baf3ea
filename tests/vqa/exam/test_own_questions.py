"""Questions of one's own from the file to the scores: asked, told, read, resumed and shown."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from exams import small_scene
from own_questions import shown_files
from paseo.cli.main import main
from paseo.data.scenes.scene_file import write_scene
from paseo.data.scenes.writing import write_all
from paseo.errors import BadFile, InputError
from paseo.report.exam.data import exam_data
from paseo.vlm.models import Prompt, Structure
from paseo.vlm.scripted import SCRIPTS, Scripted
from paseo.vqa.exam.asking import AskOptions, ask, prepare
from paseo.vqa.exam.plan import ExamFolder
from paseo.vqa.exam.results import probe_results
from paseo.vqa.exam.transcript import prompt_texts, transcript
from paseo.vqa.export.exporting import ExportFormat, export_scenes
from paseo.vqa.geometry.course import course_of
from paseo.vqa.geometry.labels import label_bytes, label_file
from paseo.vqa.geometry.own_rules import own_rules
from paseo.vqa.geometry.rules import Rulebook
from paseo.vqa.probes.probe import Probe
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.own import OWN, questions_bytes, read_questions
from paseo.vqa.questions.questions import catalogue_of
from paseo.vqa.scores.rows import Group
from paseo.vqa.scores.scorecard import Scorecard, Scored
from paseo.vqa.scoring import score
from runs import refused

NEAREST = {"near": 0.8, "nearby": 3.0, "far": 5.0}  # metres between robot and person 1
PER_SCENE = 15 + 3  # the fifteen and three of one's own, with one person
ZONES = "Distances are between the middles"


class Watched(Scripted):
    """A model that always takes the first choice, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: dict[str, Prompt] = {}
        super().__init__("watched", script=self._answer)

    def _answer(self, prompt: Prompt) -> str:
        self.asked[prompt.id] = prompt
        return SCRIPTS["first"](prompt)


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three scenes with the page's questions beside them, and what its rules say."""
    folder = tmp_path_factory.mktemp("own")
    file = shown_files(folder)
    own = read_questions(file)
    rules = Rulebook(catalogue_of(own), own_rules(own, file, lambda code: True))
    for shade, (id, nearest) in enumerate(NEAREST.items()):
        plain = small_scene(id, shade=20 * shade)
        (person,) = plain.people
        there = replace(person, positions=np.tile([nearest, 0.0], (len(plain.frames), 1)))
        scene = replace(plain, people=(there,))
        write_scene(scene, folder / "scenes")
        answers = rules.answers(course_of(scene))
        write_all(folder / "scenes", {label_file(id): label_bytes(id, answers, rules.catalogue)})
    (folder / "scenes" / OWN).write_bytes(questions_bytes(own))
    return folder / "scenes"


@pytest.fixture(scope="module")
def model() -> Watched:
    return Watched()


@pytest.fixture(scope="module")
def exam(scenes: Path, model: Watched, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("asked") / "exam"
    done = ask(model, scenes, out=out)
    assert (done.questions, done.tally.answered, done.tally.invalid) == (3 * PER_SCENE,) * 2 + (0,)
    return out


def model_row(card: Scorecard) -> Scored:
    return next(each for each in card.rows if each.row.group is Group.MODEL)


def test_an_answer_is_handed_on_to_what_builds_on_it(exam: Path, model: Watched) -> None:
    text = model.asked["near/q_polite_distance_p1"].text
    assert 'How near does person 1 come to the robot?\n{"answer": "within 1.2 m"}' in text
    assert '"Keep more distance", "Slow down", "Go on as before"' in text
    near = model.asked["near/q_comes_near_p1"].text
    assert ZONES in near and ZONES not in text
    assert "how far is person 1 from the robot in the last frame?" in near  # one of the fifteen


def test_answers_are_scored_by_what_the_rules_say(exam: Path) -> None:
    card = score([exam])
    assert card.labels.by_geometry
    row = model_row(card)
    assert row.scores["question"]["q_comes_near"].mean == pytest.approx(1 / 3)
    assert row.scores["category"]["proxemics"].mean == pytest.approx(1 / 3)
    assert row.scores["question"]["q_robot_arrives"].mean == 0.0
    assert row.row.unlabelled >= len(NEAREST)  # nobody said what is polite
    baselines = {each.row.name: each.scores["question"]["q_comes_near"] for each in card.rows}
    assert baselines["random"].mean == pytest.approx(1 / 3)
    assert baselines["always first"].mean == pytest.approx(1 / 3)
    assert baselines["constant answer"].mean == 0.0  # each is right in one scene only


def test_the_commands_need_no_flag(
    exam: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(exam), "--format", "json"]) == 0
    assert "q_comes_near" in capsys.readouterr().out
    assert main(["score", str(exam)]) == 0
    said = capsys.readouterr().out
    assert "| Proxemics |" in said and "Spatial reasoning" in said
    page = tmp_path / "exam.html"
    assert main(["exam", "show", str(exam), "--out", str(page)]) == 0
    text = page.read_text()
    assert "proxemics" in text and "Polite distance" in text and ZONES in text


def test_the_page_knows_what_was_asked_word_for_word(exam: Path, model: Watched) -> None:
    found = transcript(exam)
    assert found.as_asked and found.notes == ()
    texts = {f"{r.scene}/{r.questions[0]}": text
             for r, text in zip(found.requests, prompt_texts(found), strict=True)}  # fmt: skip
    assert texts == {id: prompt.text for id, prompt in model.asked.items()}
    data = json.loads(exam_data(found))
    kinds = [kind["key"] for kind in data["kinds"]]
    assert kinds[-3:] == ["q_comes_near", "q_robot_arrives", "q_polite_distance"]
    assert {kinds[each["kind"]] for each in data["questions"]} == set(kinds)


def test_an_exam_goes_on_with_the_same_questions_only(scenes: Path, tmp_path: Path) -> None:
    out, model = tmp_path / "exam", Watched()
    ask(model, scenes, out=out, options=AskOptions(limit=1))
    begun = len(model.asked)
    done = ask(model, scenes, out=out, resume=True)
    assert begun == PER_SCENE and len(model.asked) == 3 * PER_SCENE
    assert (done.tally.stored, done.tally.answered) == (PER_SCENE, 3 * PER_SCENE)
    other = tmp_path / "other.toml"
    other.write_text((scenes.parent / "own.toml").read_text().replace("Slow down", "Stop"))
    with pytest.raises(InputError, match="one's own questions have changed"):
        ask(model, scenes, out=out, resume=True, options=AskOptions(questions=other))


def test_a_file_that_is_named_takes_the_place_of_the_scenes_own(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "few.toml"
    file.write_text(
        'with_shipped = false\n[[question]]\nkey = "q_calm"\ncategory = "mood"\n'
        'text = "Is it calm?"\nchoices = ["yes", "no"]\n'
    )
    words = ["ask", "scripted/first", "--scenes", str(scenes), "--questions", str(file)]
    assert main([*words, "--out", str(tmp_path / "exam")]) == 0
    capsys.readouterr()
    plan = ExamFolder(tmp_path / "exam").plan()
    assert list(plan.catalogue.kinds) == ["q_calm"]
    assert "goes with --task questions" in refused(capsys, *words, "--task", "waypoints")


def test_several_at_once_are_held_to_their_choices(scenes: Path, tmp_path: Path) -> None:
    model = Watched()
    options = AskOptions(
        limit=1, together=50, method=Method.INDEPENDENT, structured=Structure.SCHEMA
    )
    done = ask(model, scenes, out=tmp_path / "exam", options=options)
    (prompt,) = model.asked.values()
    assert done.tally.answered == PER_SCENE and done.tally.invalid == 0
    assert prompt.form is not None
    answers = prompt.form.schema["properties"]["answers"]["properties"]
    assert answers["q_polite_distance_p1"]["items"]["enum"][0] == "Keep more distance"


def test_probes_tell_of_them(scenes: Path, tmp_path: Path) -> None:
    options = AskOptions(limit=2, probes=(Probe.SHUFFLE,))
    ask(Watched(), scenes, out=tmp_path / "exam", options=options)
    (found,) = probe_results(tmp_path / "exam")
    assert "proxemics" in found.categories and "q_polite_distance" in found.kinds
    assert found.kinds["q_comes_near"].share.mean == 0.0  # another choice stands first


def test_answers_under_one_key_with_other_choices_are_refused(scenes: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    own = (scenes.parent / "own.toml").read_text()
    other.write_text(own.replace("within 3.6 m", "within 4 m"))
    ask(Watched(), scenes, out=tmp_path / "exam", options=AskOptions(questions=other))
    with pytest.raises(InputError, match="q_comes_near has the choices"):
        score([tmp_path / "exam"])


def test_answers_from_elsewhere_are_read_by_what_lies_beside_the_labels(
    scenes: Path, tmp_path: Path
) -> None:
    for id in NEAREST:
        said = {"q_comes_near_p1": "Within 3.6 m."}
        (tmp_path / f"{id}.json").write_text(json.dumps(said))
    row = model_row(score([tmp_path], labels=scenes))
    assert row.scores["question"]["q_comes_near"].mean == pytest.approx(1 / 3)


def test_they_are_exported(scenes: Path, tmp_path: Path) -> None:
    done = export_scenes(scenes, tmp_path / "task", to=ExportFormat.INSPECT)
    assert done.questions == 3 * PER_SCENE
    lines = (tmp_path / "task/samples.jsonl").read_text().splitlines()
    samples = {each["id"]: each for each in map(json.loads, lines)}
    assert samples["far/q_polite_distance_p1"]["reasoning"] == "proxemics"
    assert len(samples["far/q_polite_distance_p1"]["options"]) == 7


def test_damage_of_what_an_exam_asked_is_told(exam: Path, tmp_path: Path) -> None:
    text = (exam / "exam.json").read_text()
    assert "rules.py" not in text
    (tmp_path / "exam.json").write_text(text.replace('"q_comes_near"', '"q_comes_near_p1"', 1))
    with pytest.raises(BadFile, match=r"exam\.json: q_comes_near_p1: is no key"):
        ExamFolder(tmp_path).plan()


ONLY = """
with_shipped = false

[[question]]
key = "q_side"
category = "spatial"
about_person = true
text = "On which side is {PERSON}?"
choices = ["left", "right"]
"""


def test_what_leaves_nothing_to_ask_or_to_score_is_told(scenes: Path, tmp_path: Path) -> None:
    (tmp_path / "only.toml").write_text(ONLY)
    options = AskOptions(questions=tmp_path / "only.toml")
    with pytest.raises(InputError, match="with method chain-human none of the questions is put"):
        prepare("scripted/first", scenes, options=replace(options, method=Method.CHAIN_HUMAN))
    here = tmp_path / "here"
    write_scene(small_scene("a", people=0), here)
    with pytest.raises(InputError, match="none of the questions is put about any of the scenes"):
        prepare("scripted/first", here, options=options)
    write_scene(small_scene("b"), here)
    assert ask("scripted/first", here, out=tmp_path / "exam", options=options).questions == 1
    write_all(
        here,
        {
            label_file("b"): label_bytes(
                "b", {}, catalogue_of(read_questions(tmp_path / "only.toml"))
            )
        },
    )
    with pytest.raises(InputError, match="holds no answer to any question"):
        score([tmp_path / "exam"])
    assert transcript(tmp_path / "exam").card is None
