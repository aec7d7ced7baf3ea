"""How an exam went, or what it will take, in words."""

from datetime import date

from paseo.text import in_a_line
from paseo.vlm.providers import token_rule
from paseo.vqa.exam.asking import ExamOutcome, Paper
from paseo.vqa.exam.budget import Tally

DAYS_PER_MONTH, OLD_MONTHS = 30.44, 6  # from which on prices are called old


def summary(done: ExamOutcome) -> str:
    """How an exam went."""
    tally, model = done.tally, in_a_line(done.plan.model)
    share = f" ({tally.invalid / tally.answered:.1%})" if tally.answered else ""
    before = f", {tally.stored} of them before" if tally.stored else ""
    before += f", {tally.shared} of these from the cache" if tally.shared else ""
    lines = [
        f"{model}: {tally.answered} of {done.questions} questions answered{before}",
        f"invalid answers: {tally.invalid}{share}",
        f"requests sent: {tally.requests}, of them repeated: {tally.retries}",
        f"whole exam: {tally.tokens} tokens, {money(tally.usd)}",
    ]
    if tally.batches:
        lines.insert(3, f"batches sent: {tally.batches}")
    if tally.failed or tally.left_out:
        lines.insert(2, f"failed: {tally.failed}, not asked because of that: {tally.left_out}")
    return "\n".join(lines)


def in_short(tally: Tally) -> str:
    """How an exam goes, beside a bar."""
    parts = [money(tally.usd), f"{tally.invalid} invalid"]
    if tally.failed:
        parts.append(f"{tally.failed} failed")
    if tally.batched:
        parts.append(f"{tally.batched} in batches")
    if tally.retries:
        parts.append(f"{tally.retries} retries, {tally.at_once} at once")
    return ", ".join(parts)


def money(usd: float | None) -> str:
    """An amount, in full cents from ten dollars on."""
    if usd is None:
        return "cost unknown"
    return f"${usd:.2f}" if usd >= 10 or usd == 0 else f"${usd:.4f}"


def estimate_text(paper: Paper, *, unpriced: str, sized: str, today: date | None = None) -> str:
    """What an exam will take, and by which rules.

    `unpriced` says what to do without a price, and `sized` how pictures get another size.
    """
    expected, plan, price = paper.estimate(), paper.plan, paper.price
    size = paper.size
    halved = "in batches: half the " if paper.options.batch else ""
    cost = f"unknown: no price of this model is known, {unpriced}"
    if expected.usd is not None and price:
        cost = (
            f"{money(expected.usd)} at ${price.input:g} and ${price.output:g} per million tokens "
            f"in and out ({halved}prices of {paper.prices.date}"
            f"{age(paper.prices.date, today)}), nothing cached"
        )
    return "\n".join(
        [
            f"{in_a_line(plan.model)}, {plan.method.value}, {plan.images.value}, drawing "
            f"{plan.drawing.value}, wording {plan.wording.value}",
            f"scenes: {len(plan.scenes)}",
            f"questions: {expected.questions}, requests: {expected.requests}, "
            f"pictures sent: {expected.images}, of {size[0]} x {size[1]} pixels",
            *_rounds(expected.rounds, paper),
            f"tokens, about: {expected.usage.input_tokens} in, {expected.usage.output_tokens} out",
            f"  a picture: {token_rule(plan.model).words}",
            "  text: one for 4 characters; an answer: 15, with reasoning 315",
            f"cost, about: {cost}",
            *_other_sizes(paper, sized),
            "nothing was sent",
        ]
    )


def _rounds(rounds: int, paper: Paper) -> list[str]:
    """How often one waits for a provider, which may take a day each time."""
    if not paper.options.batch:
        return []
    return [f"rounds of batches: {rounds}, in each one batch, or more where it grows too large"]


def age(when: str, today: date | None = None) -> str:
    """How old a table of prices is, in words; empty while it may still be right."""
    try:
        months = ((today or date.today()) - date.fromisoformat(when)).days / DAYS_PER_MONTH
    except ValueError:
        return ""
    if months < OLD_MONTHS:
        return ""
    return f", {months:.0f} months old: check them"


def _other_sizes(paper: Paper, sized: str) -> list[str]:
    """What the same exam costs with larger and smaller pictures."""
    found = []
    for (width, height), each in paper.estimates_by_size().items():
        told = f"{each.usage.input_tokens:,} tokens in" if each.usd is None else money(each.usd)
        chosen = " (as chosen)" if (width, height) == paper.size else ""
        found.append(
            f"  {width} x {height} pixels, at most {max(width, height)} on a side: {told}{chosen}"
        )
    return [f"by the size of pictures ({sized}), about:", *found] if len(found) > 1 else []
