"""An exam as one web page that needs nothing else: scenes, votes, answers and raw replies."""

from collections.abc import Callable, Iterable
from html import escape

import numpy as np

from paseo.errors import InputError
from paseo.report.exam.data import Agreements, exam_data
from paseo.report.exam.pictures import scene_pictures
from paseo.report.exam.summary import (
    facts,
    model_row,
    probes_markup,
    scores_markup,
    settings_markup,
    tiles_markup,
)
from paseo.report.exam.transcript import Transcript
from paseo.report.pages.template import asset, bundled, colours, framed, policy
from paseo.vqa.scores.scorecard import Scorecard, scorecard

SCRIPTS = ("theme", "exam/frames", "exam/cards", "exam/list", "exam/main")
MOST_PROBLEMS = 5  # told of scenes without pictures
Progress = Callable[[str], object]  # what was made


def exam_page(
    exam: Transcript, *, pictures: bool = True, progress: Progress = lambda what: None
) -> bytes:
    """The whole page; the same exam gives the same bytes."""
    card = scorecard(exam.labels, [exam.sheet], np.random.default_rng(0)) if exam.labels else None
    films, problems = _films(exam, progress) if pictures else ([], [])
    script = bundled(SCRIPTS)
    parts = {
        "policy": policy(script, pictures="data:"),
        "title": escape(exam.sheet.model),
        "facts": escape(facts(exam)),
        "style": f"{colours()}\n{asset('style.css')}\n{asset('exam/exam.css')}",
        "notes": _warnings((*exam.notes, *_shortened(problems))),
        "tiles": tiles_markup(exam, card),
        "settings": settings_markup(exam),
        "scores": (scores_markup(card) if card else "") + probes_markup(exam.probes),
        "films": "\n".join(films),
        "data": exam_data(exam, _agreements(card)),
        "script": script,
    }
    return framed("exam/page", kind="exam", parts=parts)


def _agreements(card: Scorecard | None) -> Agreements:
    """What each question earned."""
    if card is None:
        return {}
    earned = model_row(card).row.agreement
    return {
        (each.scene, each.key): float(value)
        for each, value in zip(card.labels.questions, earned, strict=True)
    }


def _films(exam: Transcript, progress: Progress) -> tuple[list[str], list[str]]:
    """The pictures of each scene, and why there are none of some.

    They are text that the browser does not decode before it must.
    """
    films: list[str] = []
    problems: list[str] = []
    if exam.scenes is None:
        return films, problems
    for number, scene in enumerate(exam.plan.scenes):
        progress(scene.id)
        try:
            shown = scene_pictures(exam.scenes, scene, exam.plan)
        except InputError as error:
            problems.append(f"No pictures of {scene.id}: {error}.")
            continue
        lines = "\n".join(each.base64 for each in shown)
        films.append(f'<script type="text/plain" id="film-{number}">{lines}</script>')
    return films, problems


def _shortened(problems: list[str]) -> list[str]:
    left = len(problems) - MOST_PROBLEMS
    more = [f"No pictures of {left:,} more scenes."] if left > 0 else []
    return problems[:MOST_PROBLEMS] + more


def _warnings(notes: Iterable[str]) -> str:
    return "".join(f'<p class="warning">{escape(note)}</p>' for note in notes)
