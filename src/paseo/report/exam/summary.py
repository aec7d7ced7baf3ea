"""The head of an exam's page: how it was put, what it earned and what it took."""

import json
import statistics
from collections.abc import Iterable, Sequence

from paseo.report.exam.categories import categories
from paseo.report.exam.data import model_row, title_of
from paseo.report.exam.probes import tables
from paseo.report.exam.score_notes import notes, same_questions
from paseo.report.exam.scores import main_table
from paseo.report.pages.tables import table_markup
from paseo.text import html_text
from paseo.vqa.exam.transcript import State, Transcript
from paseo.vqa.probes.consistency import ProbeResult
from paseo.vqa.questions.questions import QuestionType
from paseo.vqa.scores.baselines import CONSTANT, ORACLE, PERSON
from paseo.vqa.scores.breakdown import ALL
from paseo.vqa.scores.scorecard import Scorecard, Scored
from paseo.vqa.scores.uncertainty import Score

MOST_MODELS = 5  # named by the provider
DOT = " \N{MIDDLE DOT} "


def facts(exam: Transcript) -> str:
    """What the exam was, in a line."""
    people = sum(len(scene.people) for scene in exam.plan.scenes)
    return DOT.join(
        [
            f"{len(exam.plan.scenes):,} scene{'s' * (len(exam.plan.scenes) != 1)}",
            f"{people:,} people in them",
            f"{len(exam.entries):,} questions",
            f"{sum(len(entry.said) for entry in exam.entries):,} asked",
        ]
    )


def settings_markup(exam: Transcript) -> str:
    """How the questions were put, as a list of names and values."""
    plan, model = exam.plan, exam.sheet.model
    chosen = [
        f"{name}={json.dumps(value)}"
        for name, value in sorted(plan.settings.items())
        if value not in (None, {})
    ]
    models = sorted({each.reply.model for each in exam.requests if each.reply} - {"", model})
    rows = {
        "Model": model,
        "Answered by": ", ".join(models[:MOST_MODELS]) + ", ..." * (len(models) > MOST_MODELS),
        "Method": plan.method.value,
        "Images": plan.images.value,
        "Drawing": plan.drawing.value,
        "Wording": f"{plan.wording.value} {plan.wording_hash[:8]}",
        "Settings": ", ".join(chosen) or "the provider's defaults",
        "Repeats": str(plan.repeats),
        "Probes": ", ".join(filter(None, plan.variants)),
        "Per request": f"{plan.together} question{'s' * (plan.together > 1)}",
        "Longest side": f"{plan.largest_px} px" if plan.largest_px else "",
        "Put by": f"Paseo {plan.paseo_version}",
    }
    cells = (
        f"<div><dt>{html_text(name)}</dt><dd>{html_text(value)}</dd></div>"
        for name, value in rows.items()
        if value
    )
    return f'<dl class="settings panel">{"".join(cells)}</dl>'


def tiles_markup(exam: Transcript, card: Scorecard | None) -> str:
    """The numbers most asked for."""
    return f'<div class="tiles">{"".join((*_earned(card), *_took(exam)))}</div>'


def _earned(card: Scorecard | None) -> Iterable[str]:
    if card is None:
        return
    row = model_row(card)
    rest = {ORACLE: "oracle", PERSON: "one person", CONSTANT: "constant answer"}
    for name, words in categories(card.labels.catalogue).items():
        score = row.scores["category"][name]
        spread = [] if score.clustered_se is None else [f"± {score.clustered_se:.3f} by scene"]
        others = [
            f"{short} {_mean(each.scores['category'][name])}"
            for each in card.rows
            if (short := rest.get(each.row.name))
        ]
        title = "Agreement with people" if name == ALL else words
        if score.questions:
            over = f"{score.questions:,} question{'s' * (score.questions != 1)}"
            yield _tile(title, _mean(score), *spread, f"over {over}", *others)
        else:
            yield _tile(title, "-", "no such question was answered")


def _took(exam: Transcript) -> Iterable[str]:
    answers = [said.answer for entry in exam.entries for said in entry.said]
    given = [answer for answer in answers if answer is not None]
    invalid = sum(answer.invalid for answer in given)
    share = f"{invalid / len(given):.1%} of {len(given):,} answers" if given else "no answers yet"
    yield _tile("Invalid", f"{invalid:,}", share)
    failed = exam.count(State.FAILED)
    why = "questions the provider would not answer" if failed else "every request was answered"
    yield _tile("Failed", f"{failed:,}", why)
    askings = exam.sheet.askings
    if askings:
        seconds = statistics.median(each.latency_s for each in askings)
        yield _tile("Median reply", f"{seconds:.2f} s", f"{len(askings):,} requests")
    costs = [each.cost_usd for each in askings if each.cost_usd is not None]
    usages = [each.usage for each in askings if each.usage]
    tokens = [sum(u.input_tokens for u in usages), sum(u.output_tokens for u in usages)]
    words = f"{tokens[0]:,} tokens in, {tokens[1]:,} out" if usages else "tokens unknown"
    if thought := sum(u.reasoning_tokens for u in usages):
        words += f", {thought:,} of them thoughts"
    yield _tile("Cost", f"${sum(costs):.2f}" if costs else "unknown", words)


def _tile(title: str, value: str, *notes: str) -> str:
    lines = "".join(f"<span>{html_text(note)}</span>" for note in notes)
    return (
        f'<div class="tile panel"><h3>{html_text(title)}</h3><strong>{html_text(value)}</strong>'
        f"<p>{lines}</p></div>"
    )


def scores_markup(card: Scorecard) -> str:
    """By kind of question, then all rows of the table."""
    sentences = "".join(f"<li>{html_text(line)}</li>" for line in notes(card))
    return (
        f"{_by_kind(card)}<details class='panel more'><summary>Beside the baselines</summary>"
        f"{table_markup(main_table(card))}<ul>{sentences}</ul></details>"
    )


def probes_markup(found: Sequence[ProbeResult]) -> str:
    """What came of asking about changed scenes; nothing where nobody did."""
    if not found:
        return ""
    body = "".join(table_markup(table) for table in tables(found))
    return f"<details class='panel more'><summary>Symmetry probes</summary>{body}</details>"


def _by_kind(card: Scorecard) -> str:
    row = model_row(card)
    marks = {each.row.name: each for each in card.rows if each.row.name in (ORACLE, CONSTANT)}
    lines = "".join(
        _kind_line(kind, row, list(marks.values()))
        for key, kind in card.labels.catalogue.kinds.items()
        if (found := row.scores["question"].get(key)) and found.questions
    )
    return (
        f'<p class="facts">{html_text(same_questions(card))}</p>'
        '<div class="panel by-kind"><div class="scroll"><table><thead><tr><th scope="col">Question'
        '</th><th scope="col">Category</th><th scope="col">Answered</th><th scope="col" '
        f'class="wide">Agreement</th></tr></thead><tbody>{lines}</tbody></table></div>'
        '<ul class="key"><li><i class="model"></i>the model</li><li><i class="human-oracle"></i>'
        "what most people said</li><li><i class='constant-answer'></i>the same answer to every "
        "scene</li></ul></div>"
    )


def _kind_line(kind: QuestionType, row: Scored, marks: Sequence[Scored]) -> str:
    key, score = kind.key, row.scores["question"][kind.key]
    ticks = "".join(
        f'<i class="{each.row.name.replace(" ", "-")}" style="left:{100 * mean:.1f}%"></i>'
        for each in marks
        if (mean := each.scores["question"][key].mean) is not None
    )
    bar = f'<span style="width:{100 * (score.mean or 0):.1f}%"></span>'
    return (
        f'<tr><th scope="row"><button type="button" class="link" data-kind="{key}">'
        f"{html_text(title_of(kind))}</button></th><td>{html_text(kind.category)}</td>"
        f"<td>{score.questions:,}</td>"
        f'<td class="wide"><b>{_mean(score)}</b><div class="meter">{bar}{ticks}</div></td></tr>'
    )


def _mean(score: Score) -> str:
    return "-" if score.mean is None else f"{score.mean:.3f}"
