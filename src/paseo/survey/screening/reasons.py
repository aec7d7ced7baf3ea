"""What to tell people whose answers are not used, in the length that Prolific asks for.

Its rules were read in stored copies of its pages (researcher-help f75ea9, fb63bb, 360009223553): a
rejection needs a category and a message of at least 100 characters; two failed attention checks
from 5 minutes on, below one; speed only three standard deviations below the mean; questions of
comprehension are no ground. Check the current policy before you reject anybody.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from paseo.survey.screening.findings import Finding, Rule, Screened
from paseo.survey.screening.table import Row
from paseo.survey.store.people import Identity

SHORTEST = 100  # characters of a message
LONG_STUDY = 5  # minutes, from which on two failed checks are needed
HEADER = ("person", "category", "ground", "message")
IDS = ("id", "submission")
OPENING = "Thank you for taking part. We looked at your answers and cannot use them as they are: "
SAID = {
    Rule.CHECKS: "{value:.0f} of the {rests_on} questions that asked for a certain answer, and "
    "named it, were answered otherwise.",
    Rule.SPEED: "on half of your pages you took no more than {value:.1f} seconds per question, not "
    "counting clips that play, which is too short to look at what is shown and to read it.",
    Rule.POSITION: "nearly all answers stand at the same place in the list of choices, whatever "
    "was asked ({rests_on} questions).",
    Rule.AGREEMENT: "over {rests_on} questions your answers fit what others saw in the same scenes "
    "hardly better than answers drawn by lot would.",
    Rule.TWICE: "{value:.0%} of the answers to {rests_on} questions are the same as those of "
    "another participant, far more than two people agree.",
    Rule.CONSISTENCY: "where you were shown the same again, your {rests_on} answers differ from "
    "those before about as much as answers drawn by lot would.",
}
CATEGORIES = {
    Rule.CHECKS: "failed attention checks",
    Rule.SPEED: "completed too quickly",
    Rule.POSITION: "low effort",
    Rule.AGREEMENT: "low effort",
    Rule.TWICE: "other",
    Rule.CONSISTENCY: "low effort",
}
GROUNDS = {
    Rule.SPEED: "no: only who took three standard deviations less than the mean for all of it",
    Rule.POSITION: "perhaps: low effort must be clear throughout; look at the answers first",
    Rule.AGREEMENT: "no: ask for a return instead, or pay and leave the answers out",
    Rule.TWICE: "no: likeness is no proof; ask Prolific to look at both accounts",
    Rule.CONSISTENCY: "no: ask for a return instead, or pay and leave the answers out",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """What to tell somebody, and whether it is enough to reject them."""

    category: str
    ground: str
    message: str


def reason_rows(
    people: Iterable[Screened], *, minutes: int, identities: Mapping[int, Identity] | None
) -> list[Row]:
    """A row for everybody who is left out, under a header; with ids only where they are given."""
    rows: list[Row] = [HEADER if identities is None else (*HEADER, *IDS)]
    for each in people:
        if each.kept:
            continue
        told = reason(each, minutes=minutes)
        row: Row = (each.conduct.name, told.category, told.ground, told.message)
        if identities is not None:
            who = identities.get(each.conduct.number, Identity(""))
            row = (*row, who.id, who.submission)
        rows.append(row)
    return rows


def reason(each: Screened, *, minutes: int) -> Reason:
    """Why somebody is left out; the category is that of the first rule, checks before all."""
    first, *_ = by = each.out_by
    said = [_said(rule, each.findings[rule]) for rule in by]
    return Reason(
        category=CATEGORIES[first],
        ground=_ground(first, each, minutes),
        message=OPENING + " Also, ".join(said),
    )


def _said(rule: Rule, finding: Finding) -> str:
    return SAID[rule].format(value=max(finding.value or 0.0, 0.0), rests_on=finding.rests_on)


def _ground(rule: Rule, each: Screened, minutes: int) -> str:
    if rule is not Rule.CHECKS:
        return GROUNDS[rule]
    needed, failed = 2 if minutes >= LONG_STUDY else 1, each.conduct.failed
    if failed >= needed:
        return "yes"
    return f"no: {failed} failed check, {needed} are needed for a study of {minutes} minutes"
