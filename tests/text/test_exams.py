"""What models say in an exam, and what must not be kept of it."""

from pathlib import Path

import pytest

from exams import Answering, exam, first_choice, replies, session
from hostile_texts import HOSTILE, seen
from paseo.vlm.failures import ModelError
from paseo.vlm.models import Prompt

KEY = "0123-abcd-4567-efgh"
LAST = "q_human_future"  # what nothing builds on


def crashing(error: BaseException) -> Answering:
    """A model of one's own that fails at one question."""

    def answer(prompt: Prompt) -> str:
        if LAST in prompt.id:
            raise error
        return first_choice(prompt)

    return Answering(answer)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_whatever_a_crashing_model_says_is_kept_in_one_line(text: str, tmp_path: Path) -> None:
    (problem,) = exam(crashing(ValueError(text)), tmp_path).run([session()]).problems
    (kept,) = [each.problem for each in replies(tmp_path) if not each.reply]
    assert problem.endswith(seen(kept)) and len(kept) < 1000


@pytest.mark.parametrize("error", [ValueError, ModelError, SystemExit])
def test_no_key_is_kept_whoever_says_it(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_API_KEY", KEY)
    said = error(f"refused: {KEY}, sk-proj-0123456789abcdefgh")
    (problem,) = exam(crashing(said), tmp_path).run([session()]).problems
    assert problem.endswith("refused: [key], [key]")
    exam(Answering(lambda prompt: f"{first_choice(prompt)} {KEY}"), tmp_path).run([session()])
    assert any(each.reply and each.reply.text.endswith(" [key]") for each in replies(tmp_path))
    assert KEY.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())
