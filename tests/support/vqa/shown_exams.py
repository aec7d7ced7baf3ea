"""A small exam with everything that a page has to show, put to a model that knows how to fail."""

import json
from dataclasses import replace
from pathlib import Path

from ballots import label_file, write_labels
from exams import Answering, exam, first_choice, session, small_scene
from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.scene_file import write_scene
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vlm.failures import ModelError
from paseo.vlm.models import Prompt
from paseo.vqa.exam.plan import AskedScene, ExamFolder, ExamPlan
from paseo.vqa.exam.preparing import scene_hash
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import WordingSource, paseo_wording
from paseo.vqa.questions.methods import Method
from tiny_scenes import picture

BAD = "</script><img src=x onerror=alert(1)><script>alert(1)</script>\"'&{{data}}"
IDS, PEOPLE = ("yard-1", "yard-2", "yard-3"), 2


def moody(prompt: Prompt) -> str:
    """Says what most people say, but for a few questions about each scene."""
    if "q_human_future_action_prediction_p2" in prompt.id:
        raise ModelError(f"no: {BAD}")
    if "q_person_action_p1" in prompt.id:
        return BAD
    if "q_robot_action_p1" in prompt.id:
        return json.dumps({"answer": "following"})
    if "q_goal_position_begin" in prompt.id:
        return f"```json\n{first_choice(prompt)}\n```"
    return first_choice(prompt)


def write_scenes(folder: Path) -> Path:
    """Scenes whose frames differ, with people's answers beside them."""
    for id in IDS:
        frames = tuple(picture(25 * k) for k in range(TIMING.frames))
        write_scene(replace(small_scene(id, PEOPLE), frames=frames), folder)
    votes = {"q_robot_affected_p1": {"yes": 4, "no": 6}}
    return write_labels(folder, {id: label_file(id, PEOPLE, **votes) for id in IDS})


def plan_of(scenes: Path, **changes: object) -> ExamPlan:
    known = open_scenes(scenes)
    asked = tuple(
        AskedScene(id=id, hash=scene_hash(known.read(id)), people=tuple(range(1, PEOPLE + 1)))
        for id in IDS
    )
    plan = ExamPlan(
        model="test/answering",
        settings={"temperature": 0.5, "seed": None, "extra": {}},
        method=Method.CHAIN,
        images=Layout.FRONT,
        drawing=Drawing.PASEO,
        wording=WordingSource.PASEO,
        wording_hash=paseo_wording().hash,
        source=str(scenes),
        scenes=asked,
    )
    return replace(plan, **changes)  # type: ignore[arg-type]


def put(
    folder: Path, model: Answering | None = None, *, ids: tuple[str, ...] = IDS, **options: int
) -> Path:
    """An exam about `ids` of the scenes, which are written beside it."""
    scenes, out = write_scenes(folder / "scenes"), folder / "exam"
    with ExamFolder(out) as holder:
        holder.write(holder.hold(plan_of(scenes, **options)))
    exam(model or Answering(moody), out, **options).run([session(id, PEOPLE) for id in ids])
    return out


def change_plan(folder: Path, **changes: object) -> None:
    """Write other words into exam.json."""
    file = folder / "exam.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))
