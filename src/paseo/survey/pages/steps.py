"""The page of a step: what is shown, and what is asked about it, whatever that is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from paseo.survey.pages.clips import clip_parts
from paseo.survey.pages.parts import Said, StepParts, Visitor, document, filled, hidden, template
from paseo.survey.pages.scene import scene_parts
from paseo.survey.study.content import Step
from paseo.survey.study.folder import Study
from paseo.survey.study.ratings.steps import ClipStep
from paseo.survey.study.steps import SceneStep
from paseo.text import html_text

# What makes the parts of a page, by what its step is.
PARTS: Mapping[type, Callable[[Study, Any, Said], StepParts]] = {
    SceneStep: scene_parts,
    ClipStep: clip_parts,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far somebody is."""

    scene: int  # from 1
    scenes: int
    step: int  # of the scene, from 1
    steps: int
    share: float  # of all pages


def step_page(
    study: Study, visitor: Visitor, step: Step, *, progress: Progress, said: Said, token: str
) -> str:
    """The page of a step, with what was answered before."""
    words, frame = study.texts.scene, study.texts.frame
    parts = PARTS[type(step)](study, step, said)
    warning = f'<p class="warning" role="alert">{html_text(frame.missing)}</p>'
    back = f'<button name="go" value="back" formnovalidate>{html_text(words.back)}</button>'
    heading = filled(words.heading, SCENE=progress.scene, SCENES=progress.scenes)
    sent = {"csrf": visitor.csrf, "scene": step.scene, "step": str(step.number), "token": token}
    body = template(
        "step",
        heading=html_text(heading),
        progress=_progress_bar(study, progress),
        layout=parts.layout,
        shown=parts.shown,
        scene=html_text(step.scene),
        saved=html_text(frame.saved),
        saving=html_text(frame.saving),
        unsaved=html_text(frame.unsaved),
        hidden=hidden(**sent, on_page_s="0", turn="0"),
        above=parts.above,
        warning=warning if said.missing else "",
        questions="\n".join(parts.questions),
        back=back if step.number else "",
        next=html_text(words.finish if progress.step == progress.steps else words.next),
    )
    return document(study, visitor, body, title=heading, wide=True)


def _progress_bar(study: Study, progress: Progress) -> str:
    words = filled(study.texts.frame.progress, SCENE=progress.scene, SCENES=progress.scenes)
    # A width in steps of five per cent, as classes: the page may not carry styles of its own.
    width = 5 * round(20 * progress.share)
    return (
        f'<div class="progress"><span>{html_text(words)}</span>'
        f'<div class="track" role="progressbar" aria-valuemin="0" aria-valuemax="100" '
        f'aria-valuenow="{round(100 * progress.share)}" aria-label="{html_text(words)}">'
        f'<div class="fill w{width}"></div></div></div>'
    )
