"""Scores as tables: first the layout of SocialNav-SUB's Table I, then what it leaves out."""

from collections.abc import Callable

from paseo.report.formats import Table
from paseo.vqa.questions.questions import Option, Reasoning, kinds
from paseo.vqa.scores.annotators import by_reasoning
from paseo.vqa.scores.baselines import CONSTANT
from paseo.vqa.scores.breakdown import ALL, Missed
from paseo.vqa.scores.distributions import Divergence, Spread
from paseo.vqa.scores.marking import Variant
from paseo.vqa.scores.scorecard import Parting, Scorecard, Scored
from paseo.vqa.scores.spending import Spending
from paseo.vqa.scores.uncertainty import Score

CATEGORIES = {
    ALL: "All",
    Reasoning.SPATIAL.value: "Spatial reasoning",
    Reasoning.SPATIOTEMPORAL.value: "Spatiotemporal reasoning",
    Reasoning.SOCIAL.value: "Social reasoning",
}
MOST_MISSED = 15  # shown of each model
MOST_PEOPLE = 50  # shown by name
MOST_APART = 50  # shown of two rules' different answers
NOTHING = "-"
DISTRIBUTION = ("Questions", "Expected PA", "PA of the most common", "Overlap", "KL bits",
                "KL bits of guessing")  # fmt: skip


BY_GEOMETRY = (
    "Accuracy: how often an answer is the one that is right by geometry, over all questions that "
    "are clear and by category, as mean ± standard error, which takes questions for independent "
    "(in brackets: clustered by scene). No person was asked."
)


def main_table(card: Scorecard) -> Table:
    """The layout of the paper's Table I."""
    how = ", as the released program computes it" if card.variant is Variant.PUBLISHED else ""
    caption = (
        f"Table I. Probability of Agreement (PA{how}) over all questions and by category, as mean "
        "± the paper's standard error, which takes questions for independent (in brackets: "
        "clustered by scene)."
    )
    if card.labels.by_geometry:
        caption = BY_GEOMETRY
    header = ["Category", "Model", *CATEGORIES.values(), "Questions", "Invalid"]
    rows = [
        [
            each.row.group.value,
            each.row.name,
            *(_cell(each.scores["category"][name]) for name in CATEGORIES),
            _over(each, card),
            _rate(each.spending),
        ]
        for each in card.rows
    ]
    return Table(caption, header, rows)


def further_tables(card: Scorecard) -> list[Table]:
    """Everything else; every table of scores has the constant answer in it."""
    if card.labels.by_geometry:  # where people and how far they agree have no meaning
        return [
            _intervals(card),
            _by_question(card),
            _by_section(card, "people", "how many numbered people are in the scene"),
            *([_pairs(card)] if card.pairs else []),
            *([_spending(card)] if any(each.spending for each in card.rows) else []),
            *(_missed(each, card) for each in card.rows if each.missed),
        ]
    return [
        _weighted(card),
        _intervals(card),
        _by_question(card),
        _by_section(
            card, "agreement", "how far people agree (the share of the most common answer)"
        ),
        _by_section(card, "people", "how many numbered people are in the scene"),
        _equivalence(card),
        *([_pairs(card)] if card.pairs else []),
        *(_parting(each) for each in card.partings if each.apart),
        *([_spreads(card)] if any(each.spread for each in card.rows) else []),
        *([_likely(card)] if any(each.likely for each in card.rows) else []),
        *([_spending(card)] if any(each.spending for each in card.rows) else []),
        *(_missed(each, card) for each in card.rows if each.missed),
        *([_people(card)] if card.people else []),
    ]


def _weighted(card: Scorecard) -> Table:
    caption = (
        "Consensus-weighted PA: what an answer earns, relative to the most common answer of its "
        "question; mean ± standard error (clustered by scene)."
    )
    rows = [
        [
            each.row.group.value,
            each.row.name,
            *(_cell(each.weighted["category"][name]) for name in CATEGORIES),
        ]
        for each in card.rows
    ]
    return Table(caption, ["Category", "Model", *CATEGORIES.values()], rows)


def _intervals(card: Scorecard) -> Table:
    caption = (
        f"95 % intervals of PA ({card.draws} draws of the {len(card.labels.scenes)} scenes, "
        "widened for their small number)."
    )
    rows = [
        [each.row.name, *(_interval(each.scores["category"][name]) for name in CATEGORIES)]
        for each in card.rows
    ]
    return Table(caption, ["Model", *CATEGORIES.values()], rows)


def _by_question(card: Scorecard) -> Table:
    names = [key for key in kinds() if key in card.rows[0].scores["question"]]
    rows = [
        [
            key,
            kinds()[key].reasoning.value,
            str(card.rows[0].scores["question"][key].questions),
            *(_mean(each.scores["question"][key]) for each in card.rows),
        ]
        for key in names
    ]
    header = ["Question", "Category", "Asked", *(each.row.name for each in card.rows)]
    return Table("PA by question.", header, rows)


def _by_section(card: Scorecard, section: str, words: str) -> Table:
    names = list(card.rows[0].scores[section])
    counts = [card.rows[0].scores[section][name].questions for name in names]
    header = ["Model", *(f"{name} ({n})" for name, n in zip(names, counts, strict=True))]
    rows = [
        [each.row.name, *(_cell(each.scores[section][name]) for name in names)]
        for each in card.rows
    ]
    return Table(f"PA by {words}; the number of questions in brackets.", header, rows)


def _equivalence(card: Scorecard) -> Table:
    rows = []
    for each in card.rows:
        test = each.against_person
        if test is None:
            continue
        outdone = NOTHING
        if each.people_outdone is not None:
            outdone = f"{each.people_outdone} of {len(card.people)}"
        rows.append(
            [
                each.row.name,
                _range(test.difference, test.low, test.high),
                _chance(test.p),
                test.verdict.value,
                outdone,
            ]
        )
    caption = (
        "As good as one more person? PA minus that of single people, each held against the others "
        f"(leave one out), with its 90 % interval; p against being {card.margin:g} or more apart, "
        "by two one-sided tests over draws of scenes. Who always says what most people say is "
        "better than one more person, because people differ."
    )
    header = ["Model", "Difference", "p", "Verdict", "People outdone"]
    return Table(caption, header, rows)


def _pairs(card: Scorecard) -> Table:
    rows = [
        [
            pair.first,
            pair.second,
            _interval(pair.difference.score),
            str(pair.difference.score.questions),
            _chance(pair.p),
        ]
        for pair in card.pairs
    ]
    caption = (
        "Paired differences of PA, first minus second, over the questions both answered, with 95 % "
        "intervals by drawing scenes and two-sided p by exchanging the two scene by scene, "
        "corrected by Holm for all pairs here."
    )
    return Table(caption, ["First", "Second", "Difference", "Questions", "p"], rows)


def _spreads(card: Scorecard) -> Table:
    rows = [
        [each.row.name, str(each.spread.repeats), *_distribution(each.spread)]
        for each in card.rows
        if each.spread
    ]
    caption = (
        "Answers over repeats as a distribution, beside people's: PA of an answer drawn from the "
        "model's and of the one it gives most often, how far the two distributions overlap, and "
        "the bits by which people's answers surprise whoever expects the model's (Kullback-Leibler "
        "divergence, half an answer added to each option; in brackets clustered by scene), beside "
        "whoever expects all options alike. Less is better there; few repeats tell little."
    )
    return Table(caption, ["Model", "Repeats", *DISTRIBUTION], rows)


def _likely(card: Scorecard) -> Table:
    rows = [[each.row.name, *_distribution(each.likely)] for each in card.rows if each.likely]
    caption = (
        "The same by log-probabilities of tokens: how likely the model took each option to be, "
        "none less than a thousandth. Only questions where its tokens tell the options apart; "
        "those with several choices at once never do."
    )
    return Table(caption, ["Model", *DISTRIBUTION], rows)


def _distribution(spread: Spread) -> list[str]:
    return [
        str(spread.expected.questions),
        _cell(spread.expected),
        _cell(spread.most_common),
        _cell(spread.alike),
        _bits(spread.kl),
        _bits(spread.kl_even),
    ]


def _bits(found: Divergence) -> str:
    if found.mean is None:
        return NOTHING
    error = NOTHING if found.clustered_se is None else f"{found.clustered_se:.3f}"
    return f"{found.mean:.3f} ({error})"


def _parting(parting: Parting) -> Table:
    shown = parting.apart[:MOST_APART]
    rows = [
        [
            each.scene,
            each.key,
            _read(each.first),
            _read(each.second),
            option_text(each.people_said or ()),
        ]
        for each in shown
    ]
    caption = (
        f"Where {parting.first} and {parting.second} give different answers "
        f"({len(shown)} of {len(parting.apart)})."
    )
    return Table(caption, ["Scene", "Question", parting.first, parting.second, "People"], rows)


def _spending(card: Scorecard) -> Table:
    header = [
        "Model", "Method", "Images", "Drawing", "Wording", "Answers", "Invalid", "Read tolerantly",
        "Failed", "Median s", "95 % s", "Tokens in", "of them cached", "Tokens out",
        "of them thoughts", "USD",
    ]  # fmt: skip
    rows = []
    for each in card.rows:
        account, sheet = each.spending, each.row.sheet
        if account is not None and sheet is not None:
            about = sheet.about | ({"method": sheet.engine} if sheet.engine else {})
            told = [word or NOTHING for word in about.values()]
            rows.append([each.row.name, *told, *_account(account)])
    return Table("Answers, and what they took.", header, rows)


def _account(account: Spending) -> list[str]:
    seconds = (account.latency_median_s, account.latency_p95_s)
    tokens = (account.input_tokens, account.cached_tokens, account.output_tokens,
              account.reasoning_tokens)  # fmt: skip
    return [
        str(account.answers),
        f"{account.invalid} ({_rate(account)})",
        str(account.tolerant),
        str(account.failed),
        *(NOTHING if value is None else f"{value:.2f}" for value in seconds),
        *(NOTHING if value is None else str(value) for value in tokens),
        NOTHING if account.cost_usd is None else f"{account.cost_usd:.4f}",
    ]


def _missed(each: Scored, card: Scorecard) -> Table:
    shown = each.missed[:MOST_MISSED]
    caption = (
        f"Missed by {each.row.name}: questions that at least two thirds of the people agree on and "
        f"the model answered otherwise, clearest first ({len(shown)} of {len(each.missed)})."
    )
    header = ["Scene", "Question", "People", "Model", "People who agree", CONSTANT]
    constant = _constant_choices(card)
    rows = [
        [miss.scene, miss.key, _said(miss), *_model_said(miss), constant(miss)] for miss in shown
    ]
    return Table(caption, header, rows)


def _constant_choices(card: Scorecard) -> Callable[[Missed], str]:
    """What the constant answer says to a question."""
    places, choices = card.labels.rows(), _constant(card).row.choices

    def words(miss: Missed) -> str:
        row = places[miss.scene, miss.key]
        options = card.labels.questions[row].kind.options
        number = len(options) if choices is None else int(choices[row, 0])
        return option_text(options[number]) if number < len(options) else NOTHING

    return words


def _constant(card: Scorecard) -> Scored:
    return next(each for each in card.rows if each.row.name == CONSTANT)


def _said(miss: Missed) -> str:
    return f"{option_text(miss.people_said)} ({miss.votes} of {miss.people})"


def _model_said(miss: Missed) -> tuple[str, str]:
    return _read(miss.model_said), NOTHING if miss.model_said is None else str(miss.agreed)


def _read(option: Option | None) -> str:
    return "cannot be read" if option is None else option_text(option)


def _people(card: Scorecard) -> Table:
    shown = card.people[:MOST_PEOPLE]
    rows = []
    for each in shown:
        means = by_reasoning(each, card.labels)
        rows.append(
            [
                each.name,
                str(len(each.questions)),
                f"{each.mean:.3f}",
                *(_number(means[name]) for name in CATEGORIES if name != ALL),
            ]
        )
    constant = _constant(card)
    means_of_constant = (_mean(constant.scores["category"][name]) for name in CATEGORIES)
    rows.append([CONSTANT, _over(constant, card), *means_of_constant])
    caption = (
        f"Each person against the others who answered ({len(shown)} of {len(card.people)}), best "
        "first."
    )
    return Table(caption, ["Person", "Questions", *CATEGORIES.values()], rows)


def option_text(option: Option) -> str:
    """An option in words."""
    return " + ".join(option)


def _cell(score: Score) -> str:
    if score.mean is None:
        return NOTHING
    clustered = NOTHING if score.clustered_se is None else f"{score.clustered_se:.3f}"
    return f"{score.mean:.3f} ± {score.naive_se:.3f} ({clustered})"


def _mean(score: Score) -> str:
    return _number(score.mean)


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


def _chance(p: float | None) -> str:
    if p is None:
        return NOTHING
    return f"{p:.4f}" if p >= 0.00005 else "below 0.0001"


def _interval(score: Score) -> str:
    return _range(score.mean, score.low, score.high)


def _range(mean: float | None, low: float | None, high: float | None) -> str:
    if mean is None:
        return NOTHING
    return f"{mean:.3f}" if low is None else f"{mean:.3f} [{low:.3f}, {high:.3f}]"


def _over(each: Scored, card: Scorecard) -> str:
    count, total = each.scores["category"][ALL].questions, len(card.labels.questions)
    return str(total) if count == total else f"{count} of {total}"


def _rate(account: Spending | None) -> str:
    if account is None or account.invalid_rate is None:
        return NOTHING
    return f"{100 * account.invalid_rate:.1f} %"
