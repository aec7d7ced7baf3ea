"""A new study: scenes drawn as a model is shown them, and files to read and edit."""

from dataclasses import dataclass
from pathlib import Path

import msgspec

from paseo.data.scenes.dataset import open_scenes
from paseo.data.scenes.writing import write_all
from paseo.errors import InputError, MissingData
from paseo.files import draft_folder, write_whole
from paseo.progress import Progress, silent
from paseo.survey.study.folder import new_key
from paseo.survey.study.scenes import (
    PICTURES,
    QUESTIONS,
    SCENES,
    ShownScene,
    ShownScenes,
    questions_text,
)
from paseo.survey.study.settings import SETTINGS, Kind, StudySettings, new_settings, settings_text
from paseo.survey.study.texts import TEXTS, AnswerTexts, shipped_text
from paseo.text import in_short
from paseo.version import paseo_version
from paseo.vqa.exam.preparing import overview, scene_hash
from paseo.vqa.pictures.pictures import Layout, drawing_of
from paseo.vqa.prompts.presentation import Presentation, wording_in
from paseo.vqa.prompts.wording import Wording, read_wording
from paseo.vqa.questions.own import OWN, asked_in, questions_bytes, questions_for
from paseo.vqa.questions.question_file import QuestionFile
from paseo.world.scenes import Scene, Unreadable

IMAGES = Layout.FRONT_BEV  # what a model is shown unless somebody asks for something else
LONGEST_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStudy:
    """A study that was made, and what was left out of it."""

    folder: Path
    scenes: int
    questions: int  # that one person answers about all scenes together
    unreadable: tuple[Unreadable, ...]


def new_study(
    folder: Path,
    scenes: Path,
    *,
    per_scene: int = 5,
    scenes_each: int = 4,
    questions: Path | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> NewStudy:
    """Make a study about the scenes of a folder, in a folder that is empty or not there.

    Pictures, questions and words are those that `paseo ask` shows a model by default. `questions`
    is a file of one's own questions (.toml), or one with other words, laid out as SocialNav-SUB's
    survey_prompt.json.
    """
    settings = new_settings(Kind.SCENES, per_scene=per_scene, scenes_each=scenes_each, seed=seed)
    source = open_scenes(scenes)
    own, wording = _asked(source.folder, questions)
    catalogue = asked_in(own)
    found = overview(source, progress=progress)
    if not found.scenes:
        raise MissingData(
            f"{scenes}: no scene can be read; the first fault: {found.unreadable[0].reason}"
        )
    how = Presentation(layout=IMAGES, drawing=drawing_of(found.scenes), wording=wording)
    unreadable = list(found.unreadable)
    with draft_folder(folder) as draft:
        shown = []
        for number, scene in enumerate(found.scenes):
            progress("drawing", number, len(found.scenes))
            try:
                if not catalogue.questions(scene.id, [each.number for each in scene.people]):
                    raise InputError("none of the questions is about it")
                shown.append(_drawn(scene, how, draft / PICTURES / scene.id))
            except InputError as error:
                unreadable.append(Unreadable(scene.id, (str(error),)))
        if not shown:
            raise MissingData(f"{scenes}: no scene can be drawn: {unreadable[-1].reason}")
        content = _shown_scenes(scenes, how, shown)
        write_whole(draft / SCENES, msgspec.json.format(msgspec.json.encode(content), indent=1))
        _write_words(draft, wording, settings)
        write_all(draft, {} if own is None else {OWN: questions_bytes(own)})
    return NewStudy(
        folder=folder,
        scenes=len(shown),
        questions=sum(len(catalogue.questions(each.id, each.people)) for each in shown),
        unreadable=tuple(unreadable),
    )


def _asked(folder: Path, questions: Path | None) -> tuple[QuestionFile | None, Wording]:
    """One's own questions, if there are any, and the words of all."""
    if questions is None or questions.suffix == ".toml":
        own = questions_for(folder, questions)
        return own, wording_in(folder, own=own)
    own = questions_for(folder)
    return own, read_wording(questions).asking(own)


def _drawn(scene: Scene, how: Presentation, folder: Path) -> ShownScene:
    """Draw a scene into a folder."""
    pictures = how.pictures(scene)
    folder.mkdir(parents=True)
    for number, each in enumerate(pictures):
        (folder / f"{number}.jpg").write_bytes(each.content)
    wording = how.wording.about(scene.timing)
    told = (wording.introduction, wording.pictures.get(how.layout.value, ""))
    return ShownScene(
        id=scene.id,
        people=[person.number for person in scene.people],
        frames=len(pictures),
        period_s=scene.period,
        introduction="\n\n".join(filter(None, told)),
        sha256=scene_hash(scene),
    )


def _shown_scenes(source: Path, how: Presentation, shown: list[ShownScene]) -> ShownScenes:
    return ShownScenes(
        format="paseo-study-scenes",
        version=1,
        source=in_short(source.resolve().name, LONGEST_NAME),
        images=how.layout.value,
        drawing=how.drawing.value,
        wording=how.wording.label,
        made_by=f"Paseo {paseo_version()}",
        scenes=shown,
    )


def _write_words(draft: Path, wording: Wording, settings: StudySettings) -> None:
    """What a person may edit; and the key, which is nobody's business."""
    words = questions_text(wording.texts, wording.guidance)
    for name, text in (
        (QUESTIONS, words),
        (TEXTS, shipped_text(AnswerTexts)),
        (SETTINGS, settings_text(settings)),
    ):
        write_whole(draft / name, text.encode())
    new_key(draft)
