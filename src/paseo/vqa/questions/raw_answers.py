"""Answers of single people, where a data set tells who said what."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from paseo.data.textfile import read_json
from paseo.errors import PaseoError
from paseo.text import in_short
from paseo.vqa.questions.questions import Catalogue, Option, QuestionType

LARGEST_FILE = 16 * 2**20  # bytes
LONGEST_NAME = 80

Place = tuple[str, str]  # a scene and a question key
Annotations = Mapping[str, Mapping[Place, Option]]  # by person


def option_of(answer: object, kind: QuestionType) -> Option | None:
    """The option that a label names, or None; of several choices the order does not matter."""
    choices = [answer] if isinstance(answer, str) else answer
    if not isinstance(choices, list) or not all(isinstance(each, str) for each in choices):
        return None
    option = tuple(each for each in kind.choices if each in choices)
    return option if len(option) == len(choices) and option in kind.options else None


def read_raw_answers(
    files: Iterable[Path], catalogue: Catalogue
) -> tuple[Annotations, tuple[str, ...]]:
    """Answers by person from `<scene>/raw_answers.json`, and notes about files not understood.

    A file holds `{person: {question key: answer}}`, a list of such objects, or a list of
    `{question key: answer}`, whose people have no name and are told apart within a scene only.
    """
    people: dict[str, dict[Place, Option]] = {}
    strange: list[Path] = []
    for file in files:
        if not file.is_file():
            continue
        try:
            content = read_json(file, largest=LARGEST_FILE)
        except PaseoError:
            content = None
        scene, found = file.parent.name, False
        for name, answers in _sheets(content, scene):
            read = dict(_options(answers, scene, catalogue))
            found = found or bool(read)
            if read:
                people.setdefault(in_short(name, LONGEST_NAME), {}).update(read)
        if not found:
            strange.append(file)
    if not strange:
        return people, ()
    return people, (
        f"{strange[0]}: is not understood ({len(strange)} such files), expected answers by person; "
        "nobody in them is scored by name",
    )


def _sheets(content: object, scene: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each person's name and answers."""
    if isinstance(content, dict):
        yield from ((name, each) for name, each in content.items() if isinstance(each, dict))
    elif isinstance(content, list):
        for number, each in enumerate(content, 1):
            if isinstance(each, dict) and any(key.startswith("q_") for key in each):
                yield f"{scene}#{number}", each
            elif isinstance(each, dict):
                yield from _sheets(each, scene)


def _options(
    answers: Mapping[str, Any], scene: str, catalogue: Catalogue
) -> Iterator[tuple[Place, Option]]:
    for key, answer in answers.items():
        try:
            asked = catalogue.question(scene, key)
        except PaseoError:
            continue  # surveys also hold names, times, attention checks
        option = option_of(answer, asked.kind)
        if option is not None:
            yield (scene, asked.key), option
