"""What an exam will take, told before anything is sent."""

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image

from paseo.vlm.image_tokens import Size
from paseo.vlm.models import Picture, Prompt, Usage
from paseo.vlm.prices import Price
from paseo.vlm.providers import token_rule
from paseo.vqa.exam.plan import ExamPlan
from paseo.vqa.exam.sessions import Examiner, SceneSession, depths, groups
from paseo.vqa.probes.probe import variants_for
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import questions

CHARACTERS_PER_TOKEN = 4.0
ANSWER_TOKENS, REASONING_TOKENS = 15, 300  # written for one question
SIDES = (512, 768, 1024, 1536)  # of pictures, which a dry run tells the costs of
NOTHING = Usage(input_tokens=0, output_tokens=0)


def request_usage(prompt: Prompt, *, model: str, questions: int, method: Method) -> Usage:
    """The tokens a request will probably take, with nothing cached."""
    rule = token_rule(model)
    pictures = sum(rule.tokens(_size(picture)) for picture in prompt.images)
    written = ANSWER_TOKENS + (REASONING_TOKENS if method is Method.REASON else 0)
    text = math.ceil(len(prompt.text) / CHARACTERS_PER_TOKEN)
    return Usage(input_tokens=pictures + text, output_tokens=written * questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamEstimate:
    """What a whole exam will take."""

    questions: int
    requests: int
    rounds: int  # of questions that wait for each other's answers
    images: int  # sent, over all requests
    usage: Usage
    request: Usage  # the largest single request of the scene that was looked at
    usd: float | None  # None where the price is not known


def exam_estimate(
    sample: SceneSession,
    *,
    examiner: Examiner,
    plan: ExamPlan,
    price: Price | None,
) -> ExamEstimate:
    """From the pictures and prompts of one scene to all; earlier answers are not counted."""
    method = plan.method
    usages = [
        request_usage(
            examiner.prompt(sample, group, {}),
            model=plan.model,
            questions=len(group),
            method=method,
        )
        for group in groups(sample.questions, examiner.needs, together=plan.together)
    ]
    count = requests = 0
    for scene in plan.scenes:
        put = asked(questions(scene.id, scene.people), method)
        times = plan.repeats * len(variants_for(scene.people, plan.variants))
        count += len(put) * times
        requests += len(groups(put, examiner.needs, together=plan.together)) * times
    per_request = sum(each.input_tokens for each in usages) / len(usages)
    per_question = sum(each.output_tokens for each in usages) / len(sample.questions)
    usage = Usage(
        input_tokens=round(per_request * requests), output_tokens=round(per_question * count)
    )
    return ExamEstimate(
        questions=count,
        requests=requests,
        rounds=max(depths(sample.questions, examiner.needs).values()),
        images=len(sample.images) * requests,
        usage=usage,
        request=max(usages, key=lambda each: each.input_tokens + each.output_tokens),
        usd=price.cost_usd(usage) if price else None,
    )


def in_sizes(
    estimate: ExamEstimate,
    sizes: Sequence[Size],
    *,
    now: Size,
    plan: ExamPlan,
    price: Price | None,
) -> dict[Size, ExamEstimate]:
    """The estimate, made with pictures of one size, for the same pictures in others."""
    tokens = token_rule(plan.model).tokens
    found = {}
    for size in sizes:
        more = estimate.images * (tokens(size) - tokens(now))
        usage = replace(estimate.usage, input_tokens=estimate.usage.input_tokens + more)
        usd = price.cost_usd(usage) if price else None
        found[size] = replace(estimate, usage=usage, usd=usd)
    return found


def _size(picture: Picture) -> Size:
    with Image.open(io.BytesIO(picture.content)) as image:
        return image.size
