"""What an exam will take, told before anything is sent."""

import io
import math
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image

from paseo.vlm.models import Picture, Prompt, Usage
from paseo.vlm.prices import Price
from paseo.vqa.exam.plan import ExamPlan
from paseo.vqa.exam.sessions import Examiner, SceneSession, groups
from paseo.vqa.probes.probe import variants_for
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import questions

CHARACTERS_PER_TOKEN = 4.0
ANSWER_TOKENS, REASONING_TOKENS = 15, 300  # written for one question
NOTHING = Usage(input_tokens=0, output_tokens=0)
Size = tuple[int, int]  # width and height in pixels


def _openai(size: Size) -> int:
    """85, and 170 for each tile of 512 px; at most 2048 px long and 768 px on the shorter side."""
    return 85 + 170 * _openai_tiles(size)


def _openai_mini(size: Size) -> int:
    """2833, and 5667 for each tile of 512 px; at most 2048 px long, 768 px on the shorter side."""
    return 2833 + 5667 * _openai_tiles(size)


def _openai_tiles(size: Size) -> int:
    scale = min(1.0, 2048 / max(size), 768 / min(size))
    return _tiles((size[0] * scale, size[1] * scale), 512)


def _gemini(size: Size) -> int:
    """258 for each tile of 768 px; a picture of at most 384 px is one tile."""
    return 258 * (1 if max(size) <= 384 else _tiles(size, 768))


def _anthropic(size: Size) -> int:
    """One for 750 pixels, after fitting into 1568 px, and at most 1600."""
    scale = min(1.0, 1568 / max(size))
    return min(1600, math.ceil(size[0] * size[1] * scale**2 / 750))


def _unknown(size: Size) -> int:
    """A thousand: an even number for want of a rule."""
    return 1000


def _tiles(size: tuple[float, float], side: int) -> int:
    # A little less than the size: a side that was scaled to 768.0000001 is no new tile.
    return math.prod(math.ceil(each / side - 1e-9) for each in size)


RULES: dict[str, Callable[[Size], int]] = {
    "openai": _openai,
    "gemini": _gemini,
    "anthropic": _anthropic,
}


def picture_rule(model: str) -> Callable[[Size], int]:
    """Tokens of a picture by its size, by the published rule of the model's provider."""
    if model.startswith("openai/gpt-4o-mini"):
        return _openai_mini
    return RULES.get(model.partition("/")[0], _unknown)


def request_usage(prompt: Prompt, *, model: str, questions: int, method: Method) -> Usage:
    """The tokens a request will probably take, with nothing cached."""
    rule = picture_rule(model)
    pictures = sum(rule(_size(picture)) for picture in prompt.images)
    written = ANSWER_TOKENS + (REASONING_TOKENS if method is Method.REASON else 0)
    text = math.ceil(len(prompt.text) / CHARACTERS_PER_TOKEN)
    return Usage(input_tokens=pictures + text, output_tokens=written * questions)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamEstimate:
    """What a whole exam will take."""

    questions: int
    requests: int
    images: int  # sent, over all requests
    usage: Usage
    request: Usage  # the largest single request of the scene that was looked at
    usd: float | None  # None where the price is not known


def estimate(
    sample: SceneSession,
    *,
    examiner: Examiner,
    plan: ExamPlan,
    price: Price | None,
) -> ExamEstimate:
    """From the pictures and prompts of one scene to all; earlier answers are not counted."""
    method = Method(plan.method)
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
        images=len(sample.images) * requests,
        usage=usage,
        request=max(usages, key=lambda each: each.input_tokens + each.output_tokens),
        usd=price.cost_usd(usage) if price else None,
    )


def _size(picture: Picture) -> Size:
    with Image.open(io.BytesIO(picture.content)) as image:
        return image.size
