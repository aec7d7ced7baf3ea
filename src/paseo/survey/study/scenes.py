"""The scenes of a study and the words of its questions, as they were when it was made."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import tomli_w

from paseo.data.settings_file import Entry, read_settings
from paseo.errors import BadFile
from paseo.vqa.questions.questions import Catalogue
from paseo.world.scenes import SCENE_ID

SCENES, QUESTIONS, PICTURES = "scenes.json", "questions.toml", "pictures"
MOST_FRAMES = 1000

Id = Annotated[str, msgspec.Meta(max_length=100)]
Person = Annotated[int, msgspec.Meta(ge=1, le=9999)]
QUESTIONS_HEAD = (
    "# The questions in words, and what goes with them; edit them before the first answer.\n"
    "# {PERSON} stands for the person.\n\n"
)


class ShownScene(Entry, frozen=True):
    """A scene as people are shown it."""

    id: Id
    people: list[Person]
    frames: Annotated[int, msgspec.Meta(ge=1, le=MOST_FRAMES)]  # pictures
    period_s: Annotated[float, msgspec.Meta(gt=0, le=3600)]
    introduction: str  # what a model is told of the clip and its pictures
    sha256: str  # of everything in the scene


class ShownScenes(Entry, frozen=True):
    """All scenes of a study, and how they are shown."""

    format: Literal["paseo-study-scenes"]
    version: Literal[1]
    source: str  # the name of the folder they came from
    images: str  # the layout of their pictures
    drawing: str
    wording: str
    made_by: str
    scenes: Annotated[list[ShownScene], msgspec.Meta(min_length=1, max_length=10_000)]


class QuestionWords(Entry, frozen=True):
    """The words of the questions, and the explanations that go with them."""

    texts: dict[str, str]  # by the key of a kind
    guidance: dict[str, str]  # by the name that a kind of question gives


def read_shown_scenes(path: Path) -> ShownScenes:
    """The scenes that a study shows."""
    found = read_settings(path, ShownScenes)
    ids = [each.id for each in found.scenes]
    if not all(map(SCENE_ID.fullmatch, ids)) or len(set(ids)) < len(ids):
        raise BadFile(f"{path}: scenes: an id is none, or is there twice; restore the file")
    return found


def questions_text(texts: Mapping[str, str], guidance: Mapping[str, str]) -> str:
    """The words of the questions as a file."""
    content = {"texts": dict(texts), "guidance": dict(guidance)}
    return QUESTIONS_HEAD + tomli_w.dumps(content, multiline_strings=True)


def read_question_words(path: Path, catalogue: Catalogue) -> QuestionWords:
    """The words in a file; every kind of question must have its own."""
    words = read_settings(path, QuestionWords)
    for kind in catalogue.kinds.values():
        for name, table in ((kind.key, words.texts), (kind.guidance, words.guidance)):
            if name and not table.get(name, "").strip():
                raise BadFile(f"{path}: {name}: has no words; write some, or restore the file")
        if kind.about_person != ("{PERSON}" in words.texts[kind.key]):
            raise BadFile(
                f"{path}: texts.{kind.key}: expected {{PERSON}} in it where it is about a person, "
                "and nowhere else; correct it there"
            )
    return words
