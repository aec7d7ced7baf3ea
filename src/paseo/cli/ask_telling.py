"""What `paseo ask` tells: a progress bar, a summary, an estimate."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tqdm import tqdm

from paseo.vlm.prices import Price, PriceTable
from paseo.vlm.providers import token_rule
from paseo.vqa.exam.estimates import ExamEstimate
from paseo.vqa.exam.options import PATIENCE
from paseo.vqa.exam.plan import ExamPlan
from paseo.vqa.exam.sessions import Unreadable
from paseo.vqa.exam.tally import Ending, Tally

MOST_NAMED = 5  # failures


def say(message: str) -> None:
    """One line to stderr."""
    tqdm.write(f"paseo: {message}", file=sys.stderr)


def on(bar: "tqdm[Any]") -> Callable[[Tally], None]:
    """What keeps a bar in step with an exam."""

    def show(tally: Tally) -> None:
        bar.initial = tally.stored  # what was there before says nothing about the speed
        bar.set_postfix_str(_beside(tally), refresh=False)
        bar.update(tally.done - bar.n)

    return show


def _beside(tally: Tally) -> str:
    parts = [money(tally.usd), f"{tally.invalid} invalid"]
    if tally.failed:
        parts.append(f"{tally.failed} failed")
    if tally.retries:
        parts.append(f"{tally.retries} retries, {tally.at_once} at once")
    return ", ".join(parts)


def money(usd: float | None) -> str:
    """An amount, in full cents from ten dollars on."""
    if usd is None:
        return "cost unknown"
    return f"${usd:.2f}" if usd >= 10 or usd == 0 else f"${usd:.4f}"


def name_unreadable(unreadable: "tuple[Unreadable, ...] | list[Unreadable]") -> None:
    """Say which scenes are left out, and why."""
    for each in unreadable:
        say(f"scene {each.scene} is left out: {each.reason}")


def summary(tally: Tally, *, questions: int, model: str) -> str:
    """How an exam went, for people."""
    share = f" ({tally.invalid / tally.answered:.1%})" if tally.answered else ""
    before = f", {tally.stored} of them before" if tally.stored else ""
    lines = [
        f"{model}: {tally.answered} of {questions} questions answered{before}",
        f"invalid answers: {tally.invalid}{share}",
        f"requests sent: {tally.requests}, of them repeated: {tally.retries}",
        f"whole exam: {tally.tokens} tokens, {money(tally.usd)}",
    ]
    if tally.failed or tally.left_out:
        lines.insert(2, f"failed: {tally.failed}, not asked because of that: {tally.left_out}")
    return "\n".join(lines)


def why_unfinished(tally: Tally) -> str:
    """Why an exam ended before its end, in words; empty if it did not."""
    if tally.ending is Ending.SPENT:
        return "stopped before spending more than the limit; raise it to go on"
    if tally.ending is Ending.USELESS:
        return (
            f"paused: {PATIENCE} answers in a row were of no use; look at them with `paseo "
            "exam show`, then go on, with --keep-going if they are what you want"
        )
    if tally.ending is Ending.STOPPED:
        lost = f"; {tally.dropped} requests under way were dropped" if tally.dropped else ""
        return f"stopped{lost}"
    return "some questions have no answer" if tally.failed else ""


def name_problems(tally: Tally) -> None:
    """Say what the first failures were."""
    for problem in tally.problems[:MOST_NAMED]:
        say(problem)
    if len(tally.problems) > MOST_NAMED or tally.failed > len(tally.problems):
        say("... and more; all are in the table `failures` of replies.sqlite")


def how_to_go_on(out: Path) -> str:
    """What to type."""
    return f"go on with the same words and: --resume --out {out}"


def estimate_text(
    expected: ExamEstimate, plan: ExamPlan, prices: PriceTable, price: Price | None
) -> str:
    """What an exam will take, and by which rules."""
    used = expected.usage
    cost = "unknown: no price of this model is known, give one with --prices"
    if expected.usd is not None and price:
        cost = (
            f"{money(expected.usd)} at ${price.input:g} and ${price.output:g} per million tokens "
            f"in and out (prices of {prices.date}), nothing cached"
        )
    return "\n".join(
        [
            f"{plan.model}, {plan.method}, {plan.images}, drawing {plan.drawing}, "
            f"wording {plan.wording}",
            f"scenes: {len(plan.scenes)}",
            f"questions: {expected.questions}, requests: {expected.requests}, "
            f"pictures sent: {expected.images}",
            f"tokens, about: {used.input_tokens} in, {used.output_tokens} out",
            f"  a picture: {token_rule(plan.model).words}",
            "  text: one for 4 characters; an answer: 15, with reasoning 315",
            f"cost, about: {cost}",
            "nothing was sent",
        ]
    )
