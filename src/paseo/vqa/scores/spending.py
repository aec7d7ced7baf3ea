"""What a model's answers took, and how many could not be used."""

from dataclasses import dataclass

import numpy as np

from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.rows import ScoreRow
from paseo.vqa.scores.sheets import Sheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """One model's account; None where nothing was recorded."""

    answers: int  # to questions with labels, repeats counted
    invalid: int  # of them, that could not be read
    tolerant: int  # of them, that took more than strict reading
    unanswered: int  # questions with labels and no answer
    unlabelled: int  # answered questions without labels
    failed: int  # questions the provider would not answer
    requests: int | None
    latency_median_s: float | None
    latency_p95_s: float | None
    input_tokens: int | None
    cached_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None  # of the output
    cost_usd: float | None  # of the requests whose price is known

    @property
    def invalid_rate(self) -> float | None:
        """The share of answers that could not be read."""
        return self.invalid / self.answers if self.answers else None


def spending(row: ScoreRow, labels: Labels) -> Spending | None:
    """The account of a row that came from a sheet."""
    sheet = row.sheet
    if sheet is None or row.choices is None:
        return None
    invalid = labels.counts.shape[1]
    given = row.choices <= invalid
    known = {(each.scene, each.key) for each in labels.questions}
    usages = [each.usage for each in sheet.askings if each.usage is not None]
    return Spending(
        answers=int(given.sum()),
        invalid=int((row.choices == invalid).sum()),
        tolerant=sum(
            each.tolerant
            for place, answers in sheet.answers.items()
            if place in known
            for each in answers
        ),
        unanswered=int((~given.any(axis=1)).sum()),
        unlabelled=row.unlabelled,
        failed=sheet.failed,
        requests=len(sheet.askings) or None,
        latency_median_s=_quantile(sheet, 0.5),
        latency_p95_s=_quantile(sheet, 0.95),
        input_tokens=sum(each.input_tokens for each in usages) if usages else None,
        cached_tokens=sum(each.cached_tokens for each in usages) if usages else None,
        output_tokens=sum(each.output_tokens for each in usages) if usages else None,
        reasoning_tokens=sum(each.reasoning_tokens for each in usages) if usages else None,
        cost_usd=_cost(sheet),
    )


def _quantile(sheet: Sheet, q: float) -> float | None:
    if not sheet.askings:
        return None
    return float(np.quantile([each.latency_s for each in sheet.askings], q))


def _cost(sheet: Sheet) -> float | None:
    costs = [each.cost_usd for each in sheet.askings if each.cost_usd is not None]
    return sum(costs) if costs else None
