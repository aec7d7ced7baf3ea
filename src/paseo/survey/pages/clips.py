"""What a page about clips shows and asks: one to rate, or two to hold against each other."""

from collections.abc import Iterable

from paseo.survey.pages.parts import Said, StepParts, choice_list, filled, template
from paseo.survey.study.content import Check
from paseo.survey.study.folder import Study
from paseo.survey.study.ratings.about_clips import AboutClips
from paseo.survey.study.ratings.asking import Aspect
from paseo.survey.study.ratings.steps import FIRST, NEITHER, SECOND, ClipStep
from paseo.survey.study.texts import ClipWords
from paseo.text import html_text


def clip_parts(study: Study, step: ClipStep, said: Said) -> StepParts:
    """The parts of a page about clips."""
    about = study.about_clips
    words = about.texts.scene
    ask = _choice if step.is_pair else _rating
    asked = [ask(words, step, each, said) for each in step.aspects]
    if step.check:
        asked.append(_check(words, step.check, said))
    told = f'<p class="part">{html_text(words.pair_told)}</p>' if step.is_pair else ""
    heading = html_text(words.pair if step.is_pair else words.clip)
    return StepParts(
        layout="pair" if step.is_pair else "scene",
        shown=_films(about, step),
        above=f"<h2>{heading}</h2>{told}",
        questions=(_waiting(words, step), *asked),
    )


def _films(about: AboutClips, step: ClipStep) -> str:
    """The clips, each with what it is called where there are two."""
    words, asking = about.texts.scene, about.asking
    names = (words.first, words.second) if step.is_pair else (words.clip_name,)
    films = "".join(
        template(
            "clip",
            called=html_text(name),
            caption=f"<figcaption>{html_text(name)}</figcaption>" if step.is_pair else "",
            source=f"/clips/{clip}.mp4",
            width=str(about.clips[clip].width_px),
            height=str(about.clips[clip].height_px),
            no_film=html_text(words.no_film),
        )
        for name, clip in zip(names, step.clips, strict=True)
    )
    speed, notes = about.origin.speed, []
    if asking.context:
        notes.append(f'<p class="context">{_filled(words.context, CONTEXT=asking.context)}</p>')
    if speed != 1:
        notes.append(f'<p class="speed">{_filled(words.speed, SPEED=f"{speed:g}")}</p>')
    return (
        f'<section class="clips panel">{"".join(notes)}<div class="films">{films}</div></section>'
    )


def _waiting(words: ClipWords, step: ClipStep) -> str:
    """What the script shows until all clips have played."""
    told = words.waiting_pair if step.is_pair else words.waiting
    return (
        f'<p class="waiting" hidden><span role="status">{html_text(told)}</span> '
        f'<button type="button" class="quiet">{html_text(words.unplayed)}</button></p>'
    )


def _rating(words: ClipWords, step: ClipStep, aspect: Aspect, said: Said) -> str:
    """A scale with names at its ends."""
    ends = (aspect.low, aspect.high)
    listed = _scale(words, step.key(aspect), step.choices, said, ends)
    told = f"<small>{html_text(aspect.told)}</small>" if aspect.told else ""
    return _asked(html_text(aspect.question) + told, listed, step.key(aspect), said)


def _choice(words: ClipWords, step: ClipStep, aspect: Aspect, said: Said) -> str:
    """Which of two."""
    shown = {FIRST: words.first, NEITHER: words.neither, SECOND: words.second}
    key = step.key(aspect)
    listed = choice_list(
        key,
        [(each, shown[each]) for each in step.choices],
        chosen=said.answers.get(key, ()),
        several=False,
    )
    return _asked(html_text(aspect.pair), f'<div class="either">{listed}</div>', key, said)


def _check(words: ClipWords, check: Check, said: Said) -> str:
    listed = _scale(words, check.key, check.choices, said)
    return _asked(_filled(words.attention, CHOICE=check.choice), listed, check.key, said)


def _asked(question: str, listed: str, key: str, said: Said) -> str:
    mark = " missing" if key in said.missing else ""
    return f'<fieldset class="question panel{mark}"><legend>{question}</legend>{listed}</fieldset>'


def _scale(
    words: ClipWords,
    key: str,
    choices: Iterable[str],
    said: Said,
    ends: tuple[str, str] | None = None,
) -> str:
    """The points in a row; what stands at the ends is read aloud with each of them."""
    points, chosen = list(choices), said.answers.get(key, ())
    marked = "".join(
        f'<label class="point"><input type="radio" name="{html_text(key)}" value="{point}"'
        f"{_aloud(words, point, points[-1], ends)}"
        f"{' checked' if point in chosen else ' required'}>"
        f'<span aria-hidden="true">{point}</span></label>'
        for point in points
    )
    row = f'<div class="points">{marked}</div>'
    if ends is None:
        return f'<div class="scale">{row}</div>'
    low, high = map(html_text, ends)
    named = f'<div class="ends" aria-hidden="true"><span>{low}</span><span>{high}</span></div>'
    return f'<div class="scale">{row}{named}</div>'


def _aloud(words: ClipWords, point: str, last: str, ends: tuple[str, str] | None) -> str:
    if ends is None:
        return f' aria-label="{point}"'
    told = filled(words.point, POINT=point, POINTS=last, LOW=ends[0], HIGH=ends[1])
    return f' aria-label="{html_text(told)}"'


def _filled(text: str, **values: object) -> str:
    return html_text(filled(text, **values))
