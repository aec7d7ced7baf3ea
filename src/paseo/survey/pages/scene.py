"""What a page about a scene shows and asks: its frames, and questions about them."""

from paseo.survey.pages.parts import Said, StepParts, choice_list, filled, paragraphs, template
from paseo.survey.study.about_scenes import AboutScenes
from paseo.survey.study.content import Check
from paseo.survey.study.folder import Study
from paseo.survey.study.scenes import ShownScene
from paseo.survey.study.steps import SceneStep
from paseo.survey.study.texts import SceneWords
from paseo.text import html_text
from paseo.vqa.prompts.prompts import worded
from paseo.vqa.questions.questions import Option, Question


def scene_parts(study: Study, step: SceneStep, said: Said) -> StepParts:
    """The parts of a page about a scene."""
    about = study.about_scenes
    words = about.texts.scene
    asked = [
        question_set(about, each, said.answers.get(each.key, ()), missing=each.key in said.missing)
        for each in step.questions
    ]
    if step.check:
        asked.append(_check(about, step.check, said))
    return StepParts(
        layout="scene",
        shown=_player(about, about.scenes[step.scene]),
        above=(
            f'<p class="part">{html_text(step.category.capitalize() or words.parts[step.part])}</p>'
            f"<h2>{html_text(_heading(words, step))}</h2>"
        ),
        questions=(_explained(about, step), *asked),
    )


def _heading(words: SceneWords, step: SceneStep) -> str:
    if step.person is not None:
        return filled(words.person, PERSON=step.person)
    return words.goal if step.part == 1 else words.robot


def _player(study: AboutScenes, scene: ShownScene) -> str:
    """The frames of a scene; without the script, all of them below each other."""
    words = study.texts.frame
    labels = [
        filled(words.frame, NUMBER=k + 1, TOTAL=scene.frames, SECONDS=f"{k * scene.period_s:.2f}")
        for k in range(scene.frames)
    ]
    images = [
        f'<img src="/pictures/{html_text(scene.id)}/{k}.jpg" alt="{html_text(label)}">'
        for k, label in enumerate(labels)
    ]
    return template(
        "player",
        period=str(scene.period_s),
        images="\n".join(images),
        play=html_text(words.play),
        pause=html_text(words.pause),
        previous=html_text(words.previous),
        following=html_text(words.following),
        last=str(scene.frames - 1),
        seek=html_text(words.seek),
        keys=html_text(words.keys),
        about=html_text(study.texts.scene.about),
        introduction=paragraphs(scene.introduction),
    )


def _explained(study: AboutScenes, step: SceneStep) -> str:
    """What goes with the questions; open where a part of the survey begins."""
    names = dict.fromkeys(each.kind.guidance for each in step.questions if each.kind.guidance)
    if not names:
        return ""
    text = "\n".join(paragraphs(study.words.guidance[name]) for name in names)
    return (
        f'<details class="guide"{" open" if step.opens else ""}>'
        f"<summary>{html_text(study.texts.scene.explained)}</summary>"
        f'<div class="prose">{text}</div></details>'
    )


def question_set(study: AboutScenes, question: Question, chosen: Option, *, missing: bool) -> str:
    """A question and its choices."""
    kind = question.kind
    person = filled(study.texts.scene.named, PERSON=question.person)
    words = html_text(worded(study.words.texts[kind.key], person=person))
    hint = f"<small>{html_text(study.texts.scene.several)}</small>" if kind.select_many else ""
    shown = [(choice, study.texts.shown(choice)) for choice in kind.choices]
    listed = choice_list(question.key, shown, chosen=chosen, several=kind.select_many)
    mark = " missing" if missing else ""
    return (
        f'<fieldset class="question panel{mark}"><legend>{words}{hint}</legend>'
        f'<div class="choices">{listed}</div></fieldset>'
    )


def _check(study: AboutScenes, check: Check, said: Said) -> str:
    key, wanted = check.key, study.texts.shown(check.choice)
    shown = [(choice, study.texts.shown(choice)) for choice in check.choices]
    listed = choice_list(key, shown, chosen=said.answers.get(key, ()), several=False)
    mark = " missing" if key in said.missing else ""
    text = html_text(filled(study.texts.scene.attention, CHOICE=wanted))
    return (
        f'<fieldset class="question panel{mark}"><legend>{text}</legend>'
        f'<div class="choices">{listed}</div></fieldset>'
    )
