"""The examples about models and questions run as they say."""

import io
import re
import runpy
import sys
from pathlib import Path

import pytest
from PIL import Image

from paseo.checks import check_model
from paseo.vlm.making import make_model, model_class
from paseo.vlm.models import ModelSettings, Picture, Prompt, PromptQuestion
from paseo.vqa.questions.questions import kinds

EXAMPLES = Path(__file__).parents[1] / "examples"
QUESTIONS = (EXAMPLES.parent / "docs/reference/questions.md").read_text()
OWN = f"{EXAMPLES / 'own_model.py'}:Mine"


def half_bright(side: str) -> bytes:
    image = Image.new("RGB", (40, 30), "black")
    image.paste("white", (0, 0, 20, 30) if side == "left" else (20, 0, 40, 30))
    file = io.BytesIO()
    image.save(file, "JPEG")
    return file.getvalue()


def test_the_model_of_ones_own_is_short_and_keeps_the_contract() -> None:
    assert len((EXAMPLES / "own_model.py").read_text().splitlines()) <= 40
    check_model(model_class(OWN)[0])


@pytest.mark.parametrize("side", ["left", "right"])
def test_it_answers_by_what_it_sees(side: str) -> None:
    asked = PromptQuestion(key="q", choices=("ahead", "to the left", "to the right"))
    prompt = Prompt(text="Where?", images=(Picture(half_bright(side)),), questions=(asked,))
    reply = make_model(OWN, ModelSettings()).ask(prompt)
    assert reply.text == f'{{"answer": "to the {side}"}}'


def test_a_model_is_asked_in_three_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "street.jpg").write_bytes(half_bright("left"))
    words = ["scripted/refusing", str(tmp_path / "street.jpg"), "Who waits?"]
    monkeypatch.setattr(sys, "argv", ["ask_a_model.py", *words])
    runpy.run_path(str(EXAMPLES / "ask_a_model.py"))
    assert capsys.readouterr().out == "I'm sorry, but I can't help with that.\n"


def test_the_page_of_questions_names_them_all_and_its_python_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = QUESTIONS.partition("## Wording")[0]
    for kind in kinds().values():
        line = next(line for line in table.splitlines() if f"`{kind.key}`" in line)
        assert f" {kind.category} " in line
        assert ", ".join(kind.choices) in line or "the same" in line
    (block,) = re.findall(r"```python\n(.*?)```", QUESTIONS, re.DOTALL)
    exec(compile(block, "questions.md", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out == "('avoiding',) True\n"
