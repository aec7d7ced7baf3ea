"""Answers that were recorded elsewhere: a folder of `<scene>.json`, question key to answer."""

from pathlib import Path

from paseo.data.textfile import read_json
from paseo.errors import BadFile, MissingData, PaseoError
from paseo.vqa.questions.answers import Answer, read_answer, read_value
from paseo.vqa.questions.questions import Question, question
from paseo.vqa.scores.sheets import Sheet
from paseo.world.scenes import SCENE_ID

LARGEST_FILE = 64 * 2**20  # bytes; whole replies may be long
MOST_SCENES = 10_000


def read_answer_files(folder: Path) -> Sheet:
    """The sheet of a model named like the folder.

    An answer is a choice, a list of choices, or a whole reply; one that cannot be read is invalid.
    """
    if not folder.is_dir():
        raise MissingData(f"{folder}: is no folder, expected an exam or a folder of <scene>.json")
    files = sorted(file for file in folder.glob("*.json") if SCENE_ID.fullmatch(file.stem))
    if not files:
        raise MissingData(f"{folder}: holds neither an exam.json nor any <scene>.json with answers")
    if len(files) > MOST_SCENES:
        raise BadFile(f"{folder}: holds {len(files)} files, expected at most {MOST_SCENES}")
    answers = {}
    for file in files:
        answers.update(_scene_answers(file))
    return Sheet(model=folder.resolve().name, source=str(folder), answers=answers)


def _scene_answers(file: Path) -> dict[tuple[str, str], tuple[Answer, ...]]:
    content = read_json(file, largest=LARGEST_FILE)
    if not isinstance(content, dict):
        raise BadFile(f"{file}: is no object, expected question keys and answers")
    found: dict[tuple[str, str], tuple[Answer, ...]] = {}
    for key, value in content.items():
        if key.startswith("q_"):
            try:
                asked = question(file.stem, key)
            except PaseoError as error:
                raise BadFile(f"{file}: {error} Correct or remove it") from error
            found[file.stem, asked.key] = (_answer(value, asked),)
    if not found:
        raise BadFile(f"{file}: holds no question key such as q_robot_moving_direction; remove it")
    return found


def _answer(value: object, asked: Question) -> Answer:
    answer = read_value(value, asked)
    if answer.invalid and isinstance(value, str):
        reply = read_answer(value, asked)
        return reply if not reply.invalid else answer
    return answer
