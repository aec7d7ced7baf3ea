"""An exam as one web page that needs nothing else: scenes, votes, answers and raw replies."""

from collections.abc import Iterable
from pathlib import Path

from paseo.errors import InputError
from paseo.files import write_whole
from paseo.progress import Progress, silent
from paseo.report.exam.data import exam_data
from paseo.report.exam.pictures import Film, scene_pictures
from paseo.report.exam.summary import (
    facts,
    probes_markup,
    scores_markup,
    settings_markup,
    tiles_markup,
)
from paseo.report.pages.template import asset, bundled, colours, framed, policy
from paseo.text import html_text
from paseo.vqa.exam.transcript import Transcript, transcript

SCRIPTS = ("theme", "exam/frames", "exam/cards", "exam/list", "exam/main")
MOST_PROBLEMS = 5  # told of scenes without pictures
ENDINGS = (".html", ".htm")


def write_exam_page(
    folder: Path,
    out: Path,
    *,
    scenes: Path | None = None,
    labels: Path | None = None,
    pictures: bool = True,
    progress: Progress = silent,
) -> Transcript:
    """Make a web page of an exam, and tell what was read for it.

    Scenes and people's answers are looked for where the exam found them, unless they are named.
    """
    check_page(out)
    exam = transcript(folder, scenes=scenes, labels=labels)
    write_whole(out, exam_page(exam, pictures=pictures, progress=progress))
    return exam


def check_page(out: Path) -> None:
    """Raise `InputError` where no page can be written: now, not after minutes of drawing."""
    if out.suffix.lower() not in ENDINGS:
        raise InputError(f"{out}: this is a web page, expected .html; rename it")
    if not out.parent.is_dir():
        raise InputError(f"{out}: there is no folder {out.parent}; make it or choose another")


def exam_page(exam: Transcript, *, pictures: bool = True, progress: Progress = silent) -> bytes:
    """The whole page; the same exam gives the same bytes."""
    card = exam.card
    films, problems = _films(exam, progress) if pictures else ([], [])
    script = bundled(SCRIPTS)
    parts = {
        "policy": policy(script, pictures="data:"),
        "title": html_text(exam.sheet.model),
        "facts": html_text(facts(exam)),
        "style": f"{colours()}\n{asset('style.css')}\n{asset('exam/exam.css')}",
        "notes": warnings((*exam.notes, *shortened(problems))),
        "tiles": tiles_markup(exam, card),
        "settings": settings_markup(exam),
        "scores": (scores_markup(card) if card else "") + probes_markup(exam.probes),
        "films": "\n".join(films),
        "data": exam_data(exam),
        "script": script,
    }
    return framed("exam/page", kind="exam", parts=parts)


def _films(exam: Transcript, progress: Progress) -> tuple[list[str], list[str]]:
    """The pictures of each scene, and why there are none of some.

    They are text that the browser does not decode before it must.
    """
    films: list[str] = []
    problems: list[str] = []
    if exam.scenes is None:
        return films, problems
    for number, scene in enumerate(exam.plan.scenes):
        progress("drawing", number, len(exam.plan.scenes))
        try:
            shown = scene_pictures(exam, scene)
        except InputError as error:
            problems.append(f"No pictures of {scene.id}: {error}.")
            continue
        films.append(film_markup(number, shown))
    progress("drawing", len(exam.plan.scenes), len(exam.plan.scenes))
    return films, problems


def film_markup(number: int, shown: Film) -> str:
    """The pictures of the scene of this number, which no browser decodes before it must."""
    lines = "\n".join(each.base64 for each in shown.pictures)
    width, height = shown.size
    return (
        f'<script type="text/plain" id="film-{number}" data-width="{width}" '
        f'data-height="{height}">{lines}</script>'
    )


def shortened(problems: list[str]) -> list[str]:
    """The first few, and how many more."""
    left = len(problems) - MOST_PROBLEMS
    more = [f"No pictures of {left:,} more scenes."] if left > 0 else []
    return problems[:MOST_PROBLEMS] + more


def warnings(notes: Iterable[str]) -> str:
    """Sentences that must not be overlooked."""
    return "".join(f'<p class="warning">{html_text(note)}</p>' for note in notes)
