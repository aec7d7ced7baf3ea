"""The pages before and after the scenes."""

from collections.abc import Mapping, Sequence

from paseo.survey.pages.parts import (
    HOME,
    Visitor,
    choice_list,
    document,
    filled,
    hidden,
    paragraphs,
    template,
)
from paseo.survey.study.folder import Study
from paseo.survey.study.texts import Page
from paseo.text import html_text

LEAVING_S = 8  # until a page at the end goes to Prolific by itself
LONGEST_REMARK = 4000  # characters
PROLIFIC = "https://app.prolific.com/submissions/complete?cc="


def consent_page(study: Study, visitor: Visitor, identity: Mapping[str, str]) -> str:
    """What it is about, and whether somebody wants to take part."""
    words, settings = study.texts.consent, study.settings
    numbers = {
        "TITLE": settings.title,
        "MINUTES": settings.minutes,
        "SCENES": min(settings.scenes_each, len(study.content.units)),
    }
    heading = filled(words.heading, **numbers)
    body = f"""<h1>{html_text(heading)}</h1>
<div class="prose">{paragraphs(filled(words.body, **numbers))}</div>
<form method="post" action="/consent" class="acts">
{hidden(csrf=visitor.csrf, **identity)}
<button name="answer" value="agree" class="main">{html_text(words.go)}</button>
<button name="answer" value="refuse">{html_text(words.refuse)}</button>
</form>"""
    return document(study, visitor, body, title=heading)


def instructions_page(study: Study, visitor: Visitor) -> str:
    """What to do, with a worked example."""
    words, example = study.texts.instructions, study.texts.example
    shown = template(
        f"example_{study.settings.kind.value}",
        heading=html_text(example.heading),
        first=html_text(example.first),
        last=html_text(example.last),
        question=html_text(example.question),
        answer=html_text(example.answer),
        why=paragraphs(example.why),
    )
    body = f"""<h1>{html_text(words.heading)}</h1>
<div class="prose">{paragraphs(words.body)}</div>
{shown}
<form method="post" action="/instructions" class="acts">
{hidden(csrf=visitor.csrf)}
<button class="main">{html_text(words.go)}</button>
</form>"""
    return document(study, visitor, body, title=words.heading)


def comprehension_page(study: Study, visitor: Visitor, *, again: bool) -> str:
    """Whether the instructions were understood."""
    words = study.texts.comprehension
    asked = "\n".join(
        f'<fieldset class="question panel"><legend>{html_text(each.question)}</legend>'
        f"{choice_list(f'riddle_{k}', [(c, c) for c in each.choices], several=False)}</fieldset>"
        for k, each in enumerate(words.riddles)
    )
    warning = f'<p class="warning" role="alert">{html_text(words.again)}</p>' if again else ""
    told = study.texts.instructions
    repeat = (
        f'<details class="panel"><summary>{html_text(told.heading)}</summary>'
        f'<div class="prose">{paragraphs(told.body)}</div></details>'
    )
    body = f"""<h1>{html_text(words.heading)}</h1>
{warning}<div class="prose">{paragraphs(words.body)}</div>
{repeat}
<form method="post" action="/check">
{hidden(csrf=visitor.csrf)}
{asked}
<div class="acts"><button class="main">{html_text(words.go)}</button></div>
</form>"""
    return document(study, visitor, body, title=words.heading)


def ending_page(study: Study, visitor: Visitor) -> str:
    """A remark, and what people tell of themselves."""
    words = study.texts.ending
    traits = "\n".join(
        f'<fieldset class="question panel"><legend>{html_text(each.question)}</legend>'
        + choice_list(
            f"trait_{each.key}",
            [*((c, c) for c in each.choices), ("", words.silent)],
            chosen=("",),
            several=False,
        )
        + "</fieldset>"
        for each in words.traits
    )
    body = f"""<h1>{html_text(words.heading)}</h1>
<div class="prose">{paragraphs(words.body)}</div>
<form method="post" action="/ending">
{hidden(csrf=visitor.csrf)}
{traits}
<div class="question panel"><label class="remark">{html_text(words.remark)}
<textarea name="remark" rows="4" maxlength="{LONGEST_REMARK}"></textarea></label></div>
<div class="acts"><button class="main">{html_text(words.go)}</button></div>
</form>"""
    return document(study, visitor, body, title=words.heading)


def withdraw_page(study: Study, visitor: Visitor) -> str:
    """Whether somebody really wants to withdraw."""
    words = study.texts.withdraw
    body = f"""<h1>{html_text(words.heading)}</h1>
<div class="prose">{paragraphs(words.body)}</div>
<form method="post" action="/withdraw" class="acts">
{hidden(csrf=visitor.csrf)}
<button class="danger">{html_text(words.go)}</button>
<a class="button" href="{HOME}">{html_text(words.refuse)}</a>
</form>"""
    return document(study, visitor, body, title=words.heading)


def notice_page(study: Study, visitor: Visitor, words: Page, *, code: str = "") -> str:
    """Something to be told; with a code, whoever reads it is sent on to Prolific."""
    acts: Sequence[str] = ()
    head = ""
    if code:
        link = html_text(PROLIFIC + code)
        told = filled(study.texts.code, CODE=code)
        head = f'<meta http-equiv="refresh" content="{LEAVING_S};url={link}">\n'
        acts = (
            f'<p class="code">{html_text(told)}</p>',
            f'<a class="button main" href="{link}">{html_text(study.texts.to_prolific)}</a>',
        )
    elif words is study.texts.refused:
        acts = (f'<a class="button main" href="{HOME}">{html_text(words.go)}</a>',)
    body = f"""<h1>{html_text(words.heading)}</h1>
<div class="prose">{paragraphs(words.body)}</div>
<div class="acts">{"".join(acts)}</div>"""
    return document(study, visitor, body, title=words.heading, head=head)
