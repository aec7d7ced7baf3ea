"""Several exams as one web page that needs nothing else."""

from collections.abc import Sequence
from pathlib import Path

from paseo.errors import InputError
from paseo.files import write_whole
from paseo.progress import Progress, silent
from paseo.report.exam.page import SCRIPTS, check_page, film_markup, shortened, warnings
from paseo.report.exam.pictures import scene_pictures
from paseo.report.exam.several.data import exams_data
from paseo.report.exam.several.gathered import Gathered, gather
from paseo.report.exam.several.leaderboard import by_kind, leaderboard, pairs, plots
from paseo.report.pages.template import asset, bundled, colours, framed, policy
from paseo.text import html_text

DOT = " \N{MIDDLE DOT} "


def write_exams_page(
    folders: Sequence[Path],
    out: Path,
    *,
    scenes: Path | None = None,
    labels: Path | None = None,
    pictures: bool = True,
    progress: Progress = silent,
) -> Gathered:
    """Make a web page of several exams, and tell what was read for it."""
    check_page(out)
    found = gather(folders, scenes=scenes, labels=labels)
    write_whole(out, exams_page(found, pictures=pictures, progress=progress))
    return found


def exams_page(found: Gathered, *, pictures: bool = True, progress: Progress = silent) -> bytes:
    """The whole page; the same exams give the same bytes."""
    films, problems = _films(found, progress) if pictures else ([], [])
    script, card = bundled(SCRIPTS), found.card
    style = "\n".join(asset(name) for name in ("style.css", "exam/exam.css", "exam/several.css"))
    asked = len({(e.question.scene, e.question.key) for exam in found.exams for e in exam.entries})
    facts = [
        f"{len(found.exams):,} exams",
        f"{len(found.scenes):,} scenes",
        f"{asked:,} different questions",
    ]
    parts = {
        "policy": policy(script, pictures="data:"),
        "title": f"{len(found.exams):,} models beside each other",
        "facts": html_text(DOT.join(facts)),
        "style": f"{colours()}\n{style}",
        "notes": warnings((*found.notes, *shortened(problems))),
        "tiles": leaderboard(found),
        "settings": "",
        "scores": f"{plots(card)}{by_kind(found)}{pairs(card)}" if card else "",
        "films": "\n".join(films),
        "data": exams_data(found),
        "script": script,
    }
    return framed("exam/page", kind="exams", parts=parts)


def _films(found: Gathered, progress: Progress) -> tuple[list[str], list[str]]:
    films: list[str] = []
    problems: list[str] = []
    for number, scene in enumerate(found.scenes):
        progress("drawing", number, len(found.scenes))
        exam = found.shower(scene.id)
        if exam.scenes is None:
            continue
        try:
            shown = scene_pictures(exam, scene, scenes=len(found.scenes))
        except InputError as error:
            problems.append(f"No pictures of {scene.id}: {error}.")
            continue
        films.append(film_markup(number, shown))
    progress("drawing", len(found.scenes), len(found.scenes))
    return films, problems
