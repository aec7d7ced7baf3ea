"""The words of the pages, in one file that can be translated."""

from importlib import resources
from pathlib import Path
from typing import Annotated, TypeVar

from msgspec import Meta, field

from paseo.data.settings_file import Entry, read_settings
from paseo.errors import BadFile

TEXTS = "text.toml"

Text = Annotated[str, Meta(min_length=1, max_length=8000)]
Choices = Annotated[list[Text], Meta(min_length=2, max_length=20)]


class Frame(Entry, frozen=True):
    """What every page has."""

    skip: Text
    withdraw: Text
    contact: Text  # {CONTACT}
    progress: Text  # {SCENE}, {SCENES}
    saved: Text
    saving: Text
    unsaved: Text
    missing: Text


class PlayerFrame(Frame, frozen=True):
    """What the player of a scene's frames says as well."""

    play: Text
    pause: Text
    previous: Text
    following: Text
    seek: Text
    frame: Text  # {NUMBER}, {TOTAL}, {SECONDS}
    keys: Text


class Page(Entry, frozen=True):
    """A heading, what is to be read, and what the buttons say."""

    heading: Text
    body: Text
    go: Text = "OK"
    refuse: str = ""


class Example(Entry, frozen=True):
    """The worked example in the instructions."""

    heading: Text
    first: Text
    last: Text
    question: Text
    answer: Text
    why: Text


class Riddle(Entry, frozen=True):
    """A question of the comprehension check."""

    question: Text
    choices: Choices
    right: Text


class Comprehension(Entry, frozen=True):
    """The check before the start."""

    heading: Text
    body: Text
    again: Text
    go: Text
    riddles: Annotated[list[Riddle], Meta(min_length=1, max_length=10)]


class StepWords(Entry, frozen=True):
    """What stands around the questions, whatever they are about."""

    heading: Text  # {SCENE}, {SCENES}
    attention: Text  # {CHOICE}
    back: Text
    next: Text
    finish: Text


class SceneWords(StepWords, frozen=True):
    """What stands around the questions about a scene."""

    robot: Text
    goal: Text
    person: Text  # {PERSON}
    named: Text  # {PERSON}, within a question
    parts: Annotated[list[Text], Meta(min_length=4, max_length=4)]
    about: Text
    explained: Text
    several: Text


class ClipWords(StepWords, frozen=True):
    """What stands around what is asked about clips."""

    clip: Text  # over what is asked about one clip
    clip_name: Text  # read aloud
    pair: Text  # over what is asked about two
    pair_told: Text
    context: Text  # {CONTEXT}
    speed: Text  # {SPEED}, where it is not the real one
    waiting: Text  # until a clip has played
    waiting_pair: Text
    unplayed: Text  # a button: it does not play
    no_film: Text  # where a browser has no player
    first: Text  # what the clips of a pair are called
    second: Text
    neither: Text
    point: Text  # {POINT}, {POINTS}, {LOW}, {HIGH}: read aloud


class Trait(Entry, frozen=True):
    """Something that people may tell of themselves."""

    key: Annotated[str, Meta(pattern=r"\A[a-z_]{1,40}\Z")]
    question: Text
    choices: Choices


class Ending(Entry, frozen=True):
    """The last page with questions."""

    heading: Text
    body: Text
    remark: Text
    silent: Text
    go: Text
    traits: list[Trait] = field(default_factory=list)


class StudyTexts(Entry, frozen=True, kw_only=True):
    """All words of the pages but those of the questions."""

    language: Annotated[str, Meta(pattern=r"\A[A-Za-z-]{2,20}\Z")]
    direction: Annotated[str, Meta(pattern=r"\A(ltr|rtl)\Z")] = "ltr"
    frame: Frame
    consent: Page  # {TITLE}, {MINUTES}, {SCENES}
    instructions: Page
    example: Example
    comprehension: Comprehension
    scene: StepWords
    ending: Ending
    done: Page
    failed: Page
    screened: Page
    full: Page
    declined: Page
    withdraw: Page
    withdrawn: Page
    no_link: Page
    twice: Page
    unknown: Page
    refused: Page
    to_prolific: Text
    code: Text  # {CODE}
    choices: dict[str, str] = field(default_factory=dict)  # how the data set's choices are shown

    def shown(self, choice: str) -> str:
        """A choice as people read it."""
        return self.choices.get(choice, choice)


class AnswerTexts(StudyTexts, frozen=True, kw_only=True):
    """The words of a study about scenes."""

    frame: PlayerFrame
    scene: SceneWords


class RatingTexts(StudyTexts, frozen=True, kw_only=True):
    """The words of a study about clips."""

    scene: ClipWords


T = TypeVar("T", bound=StudyTexts)
# The files that make up the words of a study, of which the first and the last are the same for all.
PARTS: dict[type[StudyTexts], tuple[str, ...]] = {
    AnswerTexts: ("head.toml", "answers.toml", "tail.toml"),
    RatingTexts: ("head.toml", "ratings.toml", "tail.toml"),
}


def shipped(name: str) -> str:
    """A file that comes with Paseo."""
    return (resources.files("paseo.survey.study") / "shipped" / name).read_text("utf-8")


def shipped_text(kind: type[StudyTexts] = AnswerTexts, *, view: str = "") -> str:
    """The file in English; of clips, with instructions for how they are seen."""
    return "\n".join(map(shipped, (*PARTS[kind], *([f"{view}.toml"] if view else []))))


def read_texts(path: Path, kind: type[T]) -> T:
    """The words in a file."""
    texts = read_settings(path, kind)
    for each in texts.comprehension.riddles:
        if each.right not in each.choices:
            raise BadFile(f"{path}: comprehension: '{each.right}' is none of the choices beside it")
    return texts
