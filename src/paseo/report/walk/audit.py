"""What an audit says, in words and tables."""

from typing import Any

from msgspec import to_builtins

from paseo.report.table import Cell, text_table
from paseo.suite.audit.auditing import FEWEST, Audit
from paseo.suite.audit.effects import Cost, Estimate


def audit_text(audit: Audit) -> str:
    """The audit on one screen: what costs contacts, then the tables it rests on."""
    parts = [
        f"{audit.planner}: {audit.drives} episodes, {audit.decisions} decisions, "
        f"{audit.contacts} contacts.",
        "\n".join(_verdict(audit)),
        "Driven again from a decision with a wrong answer, that kind of answer right from then on: "
        f"spared within {audit.horizon:g} s, per decision, with 95 %.\n\n" + _costs(audit.costs),
        "Control, right answers made wrong: below 0 costs.\n\n" + _costs(audit.controls),
        f"What wrong answers go with: contacts within {audit.horizon:g} s of a decision. It is no "
        "cause: a crowd that is hard to read is hard to drive through.\n\n" + _odds(audit),
    ]
    return "\n\n".join(parts)


def audit_json(audit: Audit) -> dict[str, Any]:
    """The same as plain values."""
    plain: dict[str, Any] = to_builtins(audit)
    return {"format": "paseo-audit", "version": 1, "named": list(audit.named), **plain}


def _verdict(audit: Audit) -> list[str]:
    named = [each for each in audit.costs if each.is_named]
    if named:
        return [
            f"Being wrong about {each.kind} costs {_spread(each.contacts)} contacts per decision "
            f"(p {_chance(each.p)}), {_spread(each.near_misses)} near misses and "
            f"{_spread(each.seconds)} s."
            for each in named
        ]
    if audit.costs:
        return ["No kind of wrong answer costs contacts beyond chance."]
    return [f"No kind of question was answered wrongly {FEWEST} times: nothing to correct."]


def _costs(costs: tuple[Cost, ...]) -> str:
    header = ["kind of question", "decisions", "clusters", "contacts", "p (Holm)", "near misses",
              "seconds"]  # fmt: skip
    rows: list[list[Cell]] = [
        [each.kind, each.decisions, each.clusters, _spread(each.contacts),
         _chance(each.p).removeprefix("= "), _spread(each.near_misses), _spread(each.seconds)]
        for each in costs
    ]  # fmt: skip
    return text_table(header, rows) if rows else "none"


def _chance(p: float) -> str:
    return f"= {p:.3f}" if p >= 0.001 else "< 0.001"


def _spread(estimate: Estimate) -> str:
    return f"{estimate.mean:.2f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def _odds(audit: Audit) -> str:
    header = [
        "kind of question",
        "wrong",
        "touched",
        "right",
        "touched",
        "odds ratio",
        "95 % of all kinds",
    ]
    rows: list[list[Cell]] = [
        [each.kind, each.wrong, each.wrong_touched, each.right, each.right_touched,
         f"{each.ratio:.2f}", f"[{each.low:.2f}, {each.high:.2f}]"]
        for each in audit.odds
    ]  # fmt: skip
    return text_table(header, rows) if rows else "none"
