"""What is found about people: by which rule, how much, against which threshold, from how much."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from paseo.survey.screening.conduct import Conduct
from paseo.survey.store.people import Stage
from paseo.survey.study.screening_rules import ScreeningRules

FEWEST_PACED = 5  # pages, for a speed
FEWEST_TWICE = 6  # answers to what was shown again


class Rule(Enum):
    """What somebody may be left out by."""

    CHECKS = "checks"  # attention checks answered otherwise
    SPEED = "speed"
    POSITION = "position"  # always the same place among the choices
    AGREEMENT = "agreement"  # with the others
    TWICE = "twice"  # as if somebody came a second time
    CONSISTENCY = "consistency"  # with oneself, where something was shown twice


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What one rule says of somebody."""

    value: float | None  # None: there is too little to go on
    limit: float
    rests_on: int  # how many checks, pages or questions
    out: bool
    whom: str = ""  # the name of whom they are like


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Screened:
    """What all rules say of somebody."""

    conduct: Conduct
    findings: Mapping[Rule, Finding]

    @property
    def out_by(self) -> tuple[Rule, ...]:
        """The rules by which they are left out."""
        return tuple(rule for rule, finding in self.findings.items() if finding.out)

    @property
    def kept(self) -> bool:
        """Whether no rule leaves them out."""
        return not self.out_by


def checks_finding(conduct: Conduct, rules: ScreeningRules) -> Finding:
    """Attention checks that somebody answered otherwise.

    Whom the study has sent away for it at the end stays out: their places were given again.
    """
    limit, asked = rules.checks_failed, len(conduct.checks)
    return Finding(
        value=float(conduct.failed) if asked else None,
        limit=limit,
        rests_on=asked,
        out=conduct.failed >= limit or conduct.stage is Stage.FAILED,
    )


def consistency_finding(conduct: Conduct, rules: ScreeningRules) -> Finding:
    """How near somebody's answers to what was shown twice are: 1 the same, 0 as drawn by lot.

    Two places drawn from n choices are (n**2 - 1) / 3 n apart on average.
    """
    limit, pairs = rules.consistency, conduct.twice
    apart = sum(abs(each.first - each.again) for each in pairs)
    by_lot = sum((each.choices**2 - 1) / (3 * each.choices) for each in pairs)
    value = 1 - apart / by_lot if len(pairs) >= FEWEST_TWICE and by_lot else None
    return Finding(
        value=value, limit=limit, rests_on=len(pairs), out=value is not None and value < limit
    )


def speed_finding(conduct: Conduct, rules: ScreeningRules) -> Finding:
    """Seconds per question in the middle one of somebody's pages: half of them took less."""
    limit, pages = rules.seconds_per_question, len(conduct.pace)
    seconds = conduct.median_pace if pages >= FEWEST_PACED else None
    return Finding(
        value=seconds,
        limit=limit,
        rests_on=pages,
        out=seconds is not None and seconds < limit,
    )
