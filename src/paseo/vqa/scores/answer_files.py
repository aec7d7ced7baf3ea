"""Answers that were recorded elsewhere: a folder of `<scene>.json`, question key to answer."""

from pathlib import Path

from paseo.data.textfile import read_json
from paseo.errors import BadFile, MissingData, PaseoError
from paseo.vqa.questions.answers import Answer, read_answer, read_value
from paseo.vqa.questions.questions import Catalogue, Question
from paseo.vqa.scores.sheets import Sheet
from paseo.world.scenes import SCENE_ID

LARGEST_FILE = 64 * 2**20  # bytes; whole replies may be long
MOST_SCENES = 10_000
SceneAnswers = dict[tuple[str, str], tuple[Answer, ...]]  # by scene and question key


def read_answer_files(folder: Path, catalogue: Catalogue) -> Sheet:
    """The sheet of a model named like the folder.

    An answer is a choice, a list of choices, or a whole reply; one that cannot be read is invalid.
    """
    if not folder.is_dir():
        raise MissingData(f"{folder}: is no folder, expected an exam or a folder of <scene>.json")
    files = sorted(file for file in folder.glob("*.json") if SCENE_ID.fullmatch(file.stem))
    if not files:
        raise MissingData(
            f"{folder}: holds neither an exam.json nor any <scene>.json or "
            "<scene>/question_answers.json with answers"
        )
    if len(files) > MOST_SCENES:
        raise BadFile(f"{folder}: holds {len(files)} files, expected at most {MOST_SCENES}")
    answers: SceneAnswers = {}
    for file in files:
        answers |= scene_answers(file, file.stem, catalogue)
    return Sheet(model=folder.resolve().name, source=str(folder), answers=answers)


def scene_answers(file: Path, scene: str, catalogue: Catalogue) -> SceneAnswers:
    """The answers in a file about one scene."""
    content = read_json(file, largest=LARGEST_FILE)
    if not isinstance(content, dict):
        raise BadFile(f"{file}: is no object, expected question keys and answers")
    found: SceneAnswers = {}
    for key, value in content.items():
        if key.startswith("q_"):
            try:
                asked = catalogue.question(scene, key)
            except PaseoError as error:
                problem = str(error).rstrip(".")
                end = " Correct" if problem.endswith("?") else "; correct"
                raise BadFile(f"{file}: {problem}{end} or remove it") from error
            found[scene, asked.key] = (_answer(value, asked),)
    if not found:
        raise BadFile(f"{file}: holds no question key such as q_robot_moving_direction; remove it")
    return found


def _answer(value: object, asked: Question) -> Answer:
    answer = read_value(value, asked)
    if answer.invalid and isinstance(value, str):
        reply = read_answer(value, asked)
        return reply if not reply.invalid else answer
    return answer
