"""What all pages of a study are made of: text, escaped, in one frame."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from paseo.survey.study.folder import Study
from paseo.text import html_text, in_lines
from paseo.vqa.questions.questions import Option

STYLE, SCRIPT = "/style.css", "/script.js"
HOME, WITHDRAW = "/study", "/withdraw"


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """Whoever a page is made for."""

    csrf: str  # what shows that a form came from a page of ours
    under_way: bool = False  # whether there is something to withdraw


@dataclass(frozen=True, slots=True)
class Said:
    """What was answered on a page before, and what is still missing there."""

    answers: Mapping[str, Option]
    missing: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepParts:
    """What pages about scenes and about clips do not have in common, as HTML."""

    layout: str  # a class of the style sheet
    shown: str
    above: str  # the questions
    questions: tuple[str, ...]


@cache
def asset(name: str) -> str:
    """A file that pages load."""
    return (resources.files("paseo.survey.pages") / "assets" / name).read_text("utf-8")


def template(name: str, **parts: str) -> str:
    """The template with every {{name}} replaced, in one go: what is filled in is left alone."""
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], asset(f"{name}.html"))


def filled(text: str, **values: object) -> str:
    """The text with {NAME} replaced by its value; other braces stay."""
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", str(value))
    return text


def paragraphs(text: str) -> str:
    """Text of several paragraphs as HTML; lines that begin with a dash are points of a list."""
    found: list[str] = []
    for block in in_lines(text).strip().split("\n\n"):
        points: list[str] = []
        for line in block.splitlines():
            if line.startswith("- "):
                points.append(f"<li>{html_text(line[2:])}</li>")
            elif line.strip():
                found += _list(points)
                points = []
                found.append(f"<p>{html_text(line)}</p>")
        found += _list(points)
    return "\n".join(found)


def _list(points: list[str]) -> list[str]:
    return [f"<ul>{''.join(points)}</ul>"] if points else []


def hidden(**values: str) -> str:
    """Fields that a form sends along."""
    return "".join(
        f'<input type="hidden" name="{name}" value="{html_text(value)}">'
        for name, value in values.items()
    )


def choice_list(
    name: str, choices: Iterable[tuple[str, str]], *, chosen: Iterable[str] = (), several: bool
) -> str:
    """Choices as a value and what is read, of which one or several can be taken."""
    kind = "checkbox" if several else "radio"
    need = "" if several else " required"
    marked = frozenset(chosen)
    return "\n".join(
        f'<label class="choice"><input type="{kind}" name="{html_text(name)}"'
        f' value="{html_text(value)}"'
        f"{' checked' if value in marked else need}><span>{html_text(text)}</span></label>"
        for value, text in choices
    )


def document(
    study: Study, visitor: Visitor, body: str, *, title: str, head: str = "", wide: bool = False
) -> str:
    """A whole page."""
    texts, contact = study.texts, study.settings.contact
    leave = f'<a class="leave" href="{WITHDRAW}">{html_text(texts.frame.withdraw)}</a>'
    asking = html_text(filled(texts.frame.contact, CONTACT=contact))
    return template(
        "document",
        language=texts.language,
        direction=texts.direction,
        title=html_text(title),
        head=head,
        skip=html_text(texts.frame.skip),
        study=html_text(study.settings.title),
        leave=leave if visitor.under_way else "",
        width="wide" if wide else "narrow",
        body=body,
        foot=f"<footer>{asking}</footer>" if contact else "",
    )
