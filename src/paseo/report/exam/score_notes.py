"""What a reader of scores must know, in words."""

from collections.abc import Iterator

import numpy as np

from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.baselines import CONSTANT, PERSON
from paseo.vqa.scores.breakdown import ALL
from paseo.vqa.scores.marking import Variant
from paseo.vqa.scores.rows import Group, Over
from paseo.vqa.scores.scorecard import Scorecard, Scored
from paseo.vqa.scores.uncertainty import FEWEST_SCENES

PAPERS_PEOPLE = "five in the paper"
FEW_SCENES = 10
MOST_DEFECTS, MOST_UNRULED = 10, 5


def notes(card: Scorecard) -> list[str]:
    """Sentences to print under the first table."""
    return [
        _about(card.labels),
        *_about_questions(card),
        *_about_constant(card),
        *_about_variant(card),
        *_alone(card),
        *_about_rules(card),
        *(words for each in card.rows for words in _about_answers(each, card)),
        *_few(card),
        *careful(card),
    ]


def careful(card: Scorecard) -> list[str]:
    """What went wrong while reading labels, and answers to other questions than theirs."""
    found = [f"left out: {each.reason}{_more(each.faults)}" for each in card.labels.unreadable]
    if len(found) > MOST_DEFECTS:
        found = [*found[:MOST_DEFECTS], f"and {len(found) - MOST_DEFECTS} more scenes"]
    strange = (words for each in card.rows for words in _unlabelled(each, card.labels))
    return [*found, *card.labels.notes, *strange]


def careful_of_rules(card: Scorecard) -> list[str]:
    """What the rule-based baselines could not be tried on."""
    found = [f"no rules for scene {each.scene}: {each.reason}" for each in card.unruled]
    if len(found) > MOST_UNRULED:
        left = len(found) - MOST_UNRULED
        found = [*found[:MOST_UNRULED], f"no rules for {left} more scenes"]
    return found + ([f"no rules (pictures): {card.rules_problem}"] if card.rules_problem else [])


def _about(labels: Labels) -> str:
    people, counts = labels.people, labels.counts
    often = int(np.bincount(people).argmax())
    if labels.by_geometry:
        return (
            f"Right answers by geometry: {_scenes(labels)}, {len(labels.questions)} questions; "
            "what is too close to call is left out."
        )
    crowd = len({(each.scene, each.person) for each in labels.questions if each.person})
    ranked = np.sort(counts, axis=1)
    ties = int((ranked[:, -1] == ranked[:, -2]).sum())
    agreed = int((ranked[:, -1] == people).sum())
    return (
        f"Labels: {_scenes(labels)}, {crowd} people in them, "
        f"{len(labels.questions)} questions; {_span(people)} people answered each question (most "
        f"often {often}; {PAPERS_PEOPLE}); {ties} questions have a tie at the top, on {agreed} "
        "everybody agrees."
    )


def _span(people: np.ndarray) -> str:
    least, most = int(people.min()), int(people.max())
    return str(least) if least == most else f"{least} to {most}"


def _about_questions(card: Scorecard) -> Iterator[str]:
    if card.questions is Over.COMMON:
        yield same_questions(card)


def same_questions(card: Scorecard) -> str:
    """Over which questions all rows are, where they are over the same."""
    models = [each for each in card.rows if each.row.group is Group.MODEL]
    who = "the model" if len(models) == 1 else f"all {len(models)} models"
    total = len(card.labels.questions)
    if not models or (count := models[0].scores["category"][ALL].questions) == total:
        return f"Every number is over the same questions: all {total:,} with people's answers."
    return (
        f"Every number is over the same questions: the {count:,} of {total:,} with people's "
        f"answers that {who} answered; baselines, too."
    )


def _about_constant(card: Scorecard) -> Iterator[str]:
    constant = next(each for each in card.rows if each.row.name == CONSTANT)
    mean = constant.scores["category"][ALL].mean
    if mean is None and len(card.labels.scenes) > 1:
        return
    if mean is None:
        yield "There is no constant answer: it is chosen on other scenes, and there is only one."
        return
    yield (
        f"The constant answer ignores the scene (one answer for each kind of question, chosen on "
        f"the other scenes) and earns {mean:.3f}: a model below it does worse than not looking."
    )
    below = [
        pair.first
        for pair in card.pairs
        if pair.second == CONSTANT and (pair.difference.score.mean or 0.0) < 0
    ]
    if below:
        yield f"Below the constant answer, on the same questions: {', '.join(below)}."


def _about_variant(card: Scorecard) -> Iterator[str]:
    if card.variant is Variant.PUBLISHED:
        yield (
            "As published: people are left out in turn with votes cut off after a subtraction of "
            "fractions, the oracle chooses after seeing who is left, and an answer that cannot be "
            "read counts as the first choice. By the paper's equation is the variant 'definition'."
        )


def _alone(card: Scorecard) -> Iterator[str]:
    alone = int((card.labels.people < 2).sum())
    if not alone or card.labels.by_geometry:
        return
    who = "every row leaves" if card.variant is Variant.PUBLISHED else f"the {PERSON} leaves"
    yield f"Questions that only one person answered: {alone}; {who} them out."


def _about_rules(card: Scorecard) -> Iterator[str]:
    for each in card.partings:
        alike = each.questions - len(each.apart)
        yield (
            f"{each.first} and {each.second} give the same answer to {alike} of {each.questions} "
            "questions."
        )


def _about_answers(each: Scored, card: Scorecard) -> Iterator[str]:
    account = each.spending
    if account is None:
        return
    name = each.row.name
    if account.invalid:
        worth = "count as the first choice" if card.variant is Variant.PUBLISHED else "earn nothing"
        yield (
            f"{name}: {account.invalid} of {account.answers} answers cannot be read and {worth}."
        )
    if account.unanswered and account.answers and card.questions is Over.OWN:
        known = [key for key, each in each.scores["category"].items() if each.questions]
        some = len(known) <= len(card.labels.catalogue.categories)
        over = f" ({', '.join(known[1:])} ones only)" if some else ""
        yield (
            f"{name}: {account.unanswered} of {len(card.labels.questions)} questions have no "
            f"answer; its row is over the others{over}, so compare it with other rows in the "
            "paired table, or over common questions."
        )
    if account.failed:
        yield f"{name}: the provider would not answer {account.failed} questions."


def _unlabelled(each: Scored, labels: Labels) -> Iterator[str]:
    account, sheet = each.spending, each.row.sheet
    if account is None or sheet is None or not account.unlabelled:
        return
    known = labels.rows()
    if labels.by_geometry and account.answers:
        return  # too close to call
    scene, key = next(place for place in sheet.answers if place not in known)
    what = "are left out" if account.answers else "are all it has, so nothing is scored"
    yield (
        f"{each.row.name}: {account.unlabelled} answered questions have no labels and {what} (the "
        f"first: {key} of scene {scene}); check the labels and the names of scenes."
    )


def _few(card: Scorecard) -> Iterator[str]:
    scenes = len(card.labels.scenes)
    if scenes < FEWEST_SCENES:
        yield f"With {_scenes(card.labels)} there are no intervals; {FEWEST_SCENES} are needed."
    elif scenes < FEW_SCENES:
        yield f"With {scenes} scenes the intervals are rough."


def _scenes(labels: Labels) -> str:
    count = len(labels.scenes)
    return "1 scene" if count == 1 else f"{count} scenes"


def _more(faults: tuple[str, ...]) -> str:
    return f" (and {len(faults) - 1} more faults)" if len(faults) > 1 else ""
