"""`paseo survey screen` as a function: who is kept, who is not, and why; nothing is deleted."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.errors import BadValue
from paseo.survey.screening.agreement import Agreement, agreements
from paseo.survey.screening.conduct import Conduct, conducts
from paseo.survey.screening.findings import (
    Finding,
    Rule,
    Screened,
    checks_finding,
    consistency_finding,
    speed_finding,
)
from paseo.survey.screening.positions import Sameness, samenesses
from paseo.survey.screening.reasons import reason_rows
from paseo.survey.screening.replies import replies_of
from paseo.survey.screening.table import csv_rows, written
from paseo.survey.screening.twins import Likeness, likenesses
from paseo.survey.store.content import StudyContent, read_content
from paseo.survey.study.folder import Study, open_study
from paseo.survey.study.screening_rules import ScreeningRules
from paseo.survey.study.settings import Kind
from paseo.world.arrays import BoolArray

# What is said of clips is a place on a scale: to be near the others is not to say the same.
RULES = {
    Kind.SCENES: (Rule.CHECKS, Rule.SPEED, Rule.POSITION, Rule.AGREEMENT, Rule.TWICE),
    Kind.RATINGS: (Rule.CHECKS, Rule.SPEED, Rule.POSITION, Rule.CONSISTENCY),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Screening:
    """Everybody who has answered something, and what the rules say of them."""

    rules: ScreeningRules
    by: tuple[Rule, ...]  # those that such a study is screened by
    people: tuple[Screened, ...]
    silent: int  # people of the study who have answered nothing, or withdrew

    @property
    def left_out(self) -> frozenset[str]:
        """The names of those who are not kept."""
        return frozenset(each.conduct.name for each in self.people if not each.kept)

    @property
    def by_rule(self) -> dict[Rule, int]:
        """How many each rule leaves out; somebody may be left out by several."""
        counts = Counter(rule for each in self.people for rule in each.out_by)
        return {rule: counts[rule] for rule in Rule if counts[rule]}


def screen_study(
    folder: Path,
    *,
    table: Path | None = None,
    reasons: Path | None = None,
    with_ids: bool = False,
) -> Screening:
    """Screen the study in a folder by the rules in its settings.

    `table` is a CSV file for who was kept and why, `reasons` one for what to tell those who were
    not, with the ids by which Prolific knows them only `with_ids`.
    """
    if with_ids and reasons is None:
        raise BadValue(
            "ids of people are written only into a file of reasons; name one, or leave them out",
            parameters=("with_ids", "reasons"),
        )
    study = open_study(folder)
    content = read_content(study)
    found = screened_study(study, content)
    if table is not None:
        written(table, csv_rows(found.people))
    if reasons is not None:
        identities = content.identities if with_ids else None
        rows = reason_rows(found.people, minutes=study.settings.minutes, identities=identities)
        written(reasons, rows)
    return found


def screened_study(study: Study, content: StudyContent) -> Screening:
    """Who of a study is kept, by the rules in its settings."""
    rules, people = study.settings.screening, conducts(study, content)
    by = RULES[study.settings.kind]
    return Screening(
        rules=rules,
        by=by,
        people=screened(people, rules, by=by),
        silent=len(content.people) - len(people),
    )


def screened(
    people: Sequence[Conduct],
    rules: ScreeningRules,
    *,
    by: Collection[Rule] = RULES[Kind.SCENES],
) -> tuple[Screened, ...]:
    """What the rules say of people, in the order they came."""
    replies = replies_of(people)
    found: dict[Rule, Sequence[Finding]] = {
        Rule.CHECKS: [checks_finding(each, rules) for each in people],
        Rule.SPEED: [speed_finding(each, rules) for each in people],
        Rule.POSITION: [_position(each, rules) for each in samenesses(replies)],
    }
    out = np.array([[each.out for each in row] for row in found.values()], dtype=bool)
    kept: BoolArray = ~np.logical_or.reduce(out)
    if Rule.AGREEMENT in by:
        agreed, below = agreements(replies, kept, rules.agreement)
        found[Rule.AGREEMENT] = [
            _agreement(each, rules, out=bool(low)) for each, low in zip(agreed, below, strict=True)
        ]
    if Rule.TWICE in by:
        # Two who always choose the first are alike without being one.
        like = likenesses(replies, ~out[-1], rules.alike)
        found[Rule.TWICE] = [_likeness(each, rules, people) for each in like]
    if Rule.CONSISTENCY in by:
        found[Rule.CONSISTENCY] = [consistency_finding(each, rules) for each in people]
    return tuple(
        Screened(conduct=each, findings={rule: row[k] for rule, row in found.items()})
        for k, each in enumerate(people)
    )


def _position(same: Sameness, rules: ScreeningRules) -> Finding:
    return Finding(
        value=same.value,
        limit=rules.same_position,
        rests_on=same.questions,
        out=same.value is not None and same.value > rules.same_position,
    )


def _agreement(agreed: Agreement, rules: ScreeningRules, *, out: bool) -> Finding:
    return Finding(value=agreed.value, limit=rules.agreement, rests_on=agreed.questions, out=out)


def _likeness(like: Likeness, rules: ScreeningRules, people: Sequence[Conduct]) -> Finding:
    return Finding(
        value=like.value,
        limit=rules.alike,
        rests_on=like.questions,
        out=like.sure,
        whom=people[like.whom].name if like.sure else "",
    )
