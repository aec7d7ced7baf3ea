"""What an exam will take; pictures as in the examples the providers publish."""

import io
from dataclasses import replace

import pytest
from PIL import Image

from exams import examiner, session
from paseo.vlm.models import Picture, Prompt
from paseo.vlm.prices import Price
from paseo.vqa.exam.estimates import exam_estimate, request_usage
from paseo.vqa.exam.plan import AskedScene, ExamPlan
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method


def white(width: int, height: int) -> Picture:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height)).save(buffer, "JPEG")
    return Picture(buffer.getvalue())


def test_a_request_is_its_pictures_its_text_and_an_answer_for_each_question() -> None:
    prompt = Prompt(text="x" * 400, images=(white(512, 512),) * 3)
    used = request_usage(prompt, model="openai/x", questions=2, method=Method.CHAIN)
    assert (used.input_tokens, used.output_tokens) == (3 * 255 + 100, 30)
    reasoned = request_usage(prompt, model="openai/x", questions=2, method=Method.REASON)
    assert reasoned.output_tokens == 630


def test_an_exam_is_estimated_from_one_of_its_scenes() -> None:
    people = {"a": (1,), "b": (1, 2)}
    plan = ExamPlan(
        model="openai/x",
        settings={},
        method=Method.CHAIN,
        images=Layout.FRONT,
        drawing=Drawing.PASEO,
        wording=WordingSource.PASEO,
        wording_hash="",
        repeats=2,
        scenes=tuple(AskedScene(id=id, hash="", people=who) for id, who in people.items()),
    )
    sample = replace(session("a"), images=(white(512, 512),))
    price = Price(model="*", input=1.0, cached=0.0, output=0.0)
    found = exam_estimate(sample, examiner=examiner(), plan=plan, price=price)
    assert found.questions == found.requests == found.images == 2 * (15 + 27)
    assert found.usage.input_tokens > found.requests * 255
    assert found.usd == pytest.approx(found.usage.input_tokens / 1e6)
    assert found.request.input_tokens * found.requests >= found.usage.input_tokens
