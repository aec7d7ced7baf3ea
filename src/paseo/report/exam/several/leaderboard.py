"""The models of several exams in the order of their scores, with intervals; and as plots."""

from collections.abc import Iterable, Sequence
from string import ascii_uppercase

from paseo.report.exam.categories import categories
from paseo.report.exam.data import title_of
from paseo.report.exam.score_notes import notes, same_questions
from paseo.report.exam.scores import further_tables
from paseo.report.exam.several.gathered import Gathered
from paseo.report.pages.tables import table_markup
from paseo.text import html_text
from paseo.vqa.scores.baselines import CONSTANT, ORACLE, PERSON
from paseo.vqa.scores.breakdown import ALL
from paseo.vqa.scores.rows import Group
from paseo.vqa.scores.scorecard import Scorecard, Scored
from paseo.vqa.scores.uncertainty import Score

HELD_AGAINST = (ORACLE, PERSON, CONSTANT)
PAIRED = "Paired differences"
NOTHING = "-"


def colour_class(number: int) -> str:
    """The class that gives a model's things its colour."""
    return f"p{number}"


def leaderboard(found: Gathered) -> str:
    """All models, best first, among the baselines; without votes, only who they are."""
    rows = _ranked(found.card) if found.card else _listed(found)
    _, *named = _categories(found).values()
    head = ("", "Model", "Agreement with people", *named, "Invalid", "USD")
    cells = "".join(f'<th scope="col">{html_text(word)}</th>' for word in head)
    said = f'<p class="facts">{html_text(same_questions(found.card))}</p>' if found.card else ""
    return (
        f'{said}<div class="panel board"><div class="scroll" tabindex="0" role="region" '
        'aria-label="Leaderboard"><table>'
        f"<thead><tr>{cells}</tr></thead><tbody>{''.join(rows)}</tbody></table></div></div>"
    )


def plots(card: Scorecard) -> str:
    """A picture for each category: every row's score with its 95 % interval."""
    panels = "".join(
        f'<figure class="panel plot"><figcaption><strong>{html_text(words)}</strong> '
        f"{_count(card, name)}</figcaption>{_panel(card, name)}</figure>"
        for name, words in categories(card.labels.catalogue).items()
    )
    legend = "".join(
        f'<li><i class="{name.replace(" ", "-")}"></i>{html_text(name)}</li>'
        for name in HELD_AGAINST
    )
    return (
        f'<h2>By category</h2><ul class="key">{legend}<li>points are means, lines 95 % intervals, '
        f'on a scale from 0 to 1</li></ul><div class="plots">{panels}</div>'
    )


def by_kind(found: Gathered) -> str:
    """Every model's score on every kind of question, side by side."""
    card = found.card
    if card is None:
        return ""
    rows = _models(card)
    kinds = card.labels.catalogue.kinds
    shown = [key for key in kinds if any(_over(each, key) for each in rows)]
    head = "".join(
        f'<th scope="col"><b class="letter {colour_class(k)}">{ascii_uppercase[k]}</b> '
        f"{html_text(each.row.name)}</th>"
        for k, each in enumerate(rows)
    )
    lines = "".join(
        f'<tr><th scope="row"><button type="button" class="link" data-kind="{key}">'
        f"{html_text(title_of(kinds[key]))}</button></th>"
        f"{''.join(_shaded(each.scores['question'][key]) for each in rows)}</tr>"
        for key in shown
    )
    return (
        '<h2>By question</h2><div class="panel board"><div class="scroll" tabindex="0" '
        'role="region" aria-label="By question"><table><thead><tr><th scope="col">Question</th>'
        f"{head}</tr></thead><tbody>{lines}</tbody></table></div></div>"
    )


def pairs(card: Scorecard) -> str:
    """Whether one model is better than another, and what to know about all of it."""
    tables = [each for each in further_tables(card) if each.caption.startswith(PAIRED)]
    sentences = "".join(f"<li>{html_text(line)}</li>" for line in notes(card))
    body = "".join(map(table_markup, tables))
    return (
        "<details class='panel more'><summary>Model against model</summary>"
        f"{body}<ul>{sentences}</ul></details>"
    )


def _models(card: Scorecard) -> list[Scored]:
    return [each for each in card.rows if each.row.group is Group.MODEL]


def _worth(each: Scored) -> float:
    mean = each.scores["category"][ALL].mean
    return -1.0 if mean is None else mean


def _ranked(card: Scorecard) -> Iterable[str]:
    models = _models(card)
    rows = [*models, *(each for each in card.rows if each.row.name in HELD_AGAINST)]
    place = 0
    for each in sorted(rows, key=_worth, reverse=True):
        is_model = each in models
        place += is_model
        number = models.index(each) if is_model else None
        yield _row(str(place) if is_model else "", number, each)


def _row(place: str, number: int | None, each: Scored) -> str:
    score, account = each.scores["category"][ALL], each.spending
    others = [other for name, other in each.scores["category"].items() if name != ALL]
    invalid = "" if account is None or account.invalid_rate is None else account.invalid_rate
    cost = "" if account is None or account.cost_usd is None else f"{account.cost_usd:.2f}"
    return (
        f'<tr class="{"baseline" if number is None else colour_class(number)}"><td>{place}</td>'
        f'<th scope="row">{_letter(number)}{html_text(each.row.name)}</th>'
        f'<td class="wide">{_mean(score)} {_whisker(score)}</td>'
        f"{''.join(f'<td>{_mean(other)}</td>' for other in others)}"
        f"<td>{invalid if invalid == '' else f'{invalid:.1%}'}</td><td>{cost}</td></tr>"
    )


def _categories(found: Gathered) -> dict[str, str]:
    return categories(found.card.labels.catalogue if found.card else found.catalogue)


def _listed(found: Gathered) -> Iterable[str]:
    for number, name in enumerate(found.names):
        empty = "<td>-</td>" * (len(_categories(found)) + 2)
        yield (
            f'<tr class="{colour_class(number)}"><td></td><th scope="row">{_letter(number)}'
            f"{html_text(name)}</th>{empty}</tr>"
        )


def _letter(number: int | None) -> str:
    return "" if number is None else f'<b class="letter">{ascii_uppercase[number]}</b> '


def _whisker(score: Score) -> str:
    """The mean as a point and the interval as a line, on a scale from 0 to 1, and in words."""
    words = "" if score.low is None else f"<span>[{score.low:.3f}, {score.high:.3f}]</span>"
    return f"{_track(score, '')}{words}" if score.mean is not None else ""


def _panel(card: Scorecard, name: str) -> str:
    models = _models(card)
    ticks = _ticks([each for each in card.rows if each.row.name in HELD_AGAINST], name)
    lines = []
    for each in sorted(models, key=lambda one: one.scores["category"][name].mean or 0.0)[::-1]:
        number, score = models.index(each), each.scores["category"][name]
        lines.append(
            f'<li class="{colour_class(number)}"><span class="name">{_letter(number)}'
            f"{html_text(each.row.name)}</span>{_track(score, ticks)}"
            f"<span>{_mean(score)}</span></li>"
        )
    return f"<ul>{''.join(lines)}</ul>"


def _ticks(marks: Sequence[Scored], name: str) -> str:
    return "".join(
        f'<u class="{each.row.name.replace(" ", "-")}" style="left:{100 * mean:.1f}%" '
        f'title="{html_text(each.row.name)} {mean:.3f}"></u>'
        for each in marks
        if (mean := each.scores["category"][name].mean) is not None
    )


def _track(score: Score, ticks: str) -> str:
    if score.mean is None:
        return f'<span class="span">{ticks}</span>'
    low, high = (score.mean if end is None else end for end in (score.low, score.high))
    line = f"left:{100 * low:.1f}%;width:{100 * (high - low):.1f}%"
    point = f"left:{100 * score.mean:.1f}%"
    return f'<span class="span">{ticks}<i style="{line}"></i><b style="{point}"></b></span>'


def _over(each: Scored, key: str) -> int:
    found = each.scores["question"].get(key)
    return found.questions if found else 0


def _shaded(score: Score) -> str:
    """A number on a ground that is stronger the larger it is."""
    if score.mean is None:
        return "<td>-</td>"
    return f'<td style="--share:{100 * score.mean:.0f}%" class="shaded">{score.mean:.3f}</td>'


def _count(card: Scorecard, name: str) -> str:
    count = _models(card)[0].scores["category"][name].questions
    return f"over {count:,} question{'s' * (count != 1)}"


def _mean(score: Score) -> str:
    return NOTHING if score.mean is None else f"{score.mean:.3f}"
