"""Logs of inspect_ai, made by hand and written by inspect_ai itself."""

import zipfile
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalError,
    EvalLog,
    EvalSample,
    EvalSpec,
    write_eval_log,
)
from inspect_ai.model import ModelOutput, ModelUsage

from editions import GOAL
from paseo.errors import BadFile
from paseo.vlm.models import Usage
from paseo.vqa.export.log_size import check_log
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.question_file import AskedQuestion, QuestionFile
from paseo.vqa.questions.questions import catalogue_of
from paseo.vqa.scoring import read_sheet

ABOUT = {"method": "independent", "images": "grid", "drawing": "paseo", "wording": "paseo 12345678"}
BROKEN = EvalError(message="no network", traceback="", traceback_ansi="")


def sample(scene: str, reply: str | None, *, epoch: int = 1, **changes: Any) -> EvalSample:
    """A question about the goal; None stands for a request that failed."""
    known = {"metadata": {"scene": scene, "key": GOAL}, "input": "", "target": ""}
    if reply is None:
        known["error"] = BROKEN  # type: ignore[assignment]
    else:
        known["output"] = ModelOutput.from_content("mock", reply)  # type: ignore[assignment]
    return EvalSample(id=f"{scene}/{GOAL}", epoch=epoch, **(known | changes))


def log_of(path: Path, *samples: EvalSample, metadata: dict[str, Any] | None = None) -> Path:
    ids = sorted({each.id for each in samples}, key=str)
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00", task="paseo_scenes", model="mockllm/model",
        dataset=EvalDataset(sample_ids=ids), config=EvalConfig(epochs=2), metadata=metadata,
    )  # fmt: skip
    write_eval_log(EvalLog(eval=spec, status="error", samples=list(samples)), str(path))
    return path


def test_epochs_are_repeats_and_what_decides_the_row_is_told(tmp_path: Path) -> None:
    first = sample("s1", '{"answer": "ahead"}')
    second = sample("s1", "no idea", epoch=2)
    sheet = read_sheet(log_of(tmp_path / "a.eval", second, first, metadata=ABOUT))
    ((place, answers),) = sheet.answers.items()
    assert place == ("s1", GOAL) and [each.option for each in answers] == [("ahead",), None]
    assert (sheet.model, sheet.source) == ("mockllm/model", str(tmp_path / "a.eval"))
    assert (sheet.method, sheet.images) == (Method.INDEPENDENT, Layout.GRID)
    assert (sheet.drawing, sheet.wording) == (Drawing.PASEO, "paseo 12345678")


def test_a_request_that_failed_is_counted_and_is_no_answer(tmp_path: Path) -> None:
    answered = sample("s1", '{"answer": "ahead"}')
    sheet = read_sheet(log_of(tmp_path / "a.eval", answered, sample("s2", None)))
    assert sheet.failed == 1 and list(sheet.answers) == [("s1", GOAL)]
    assert sheet.method is None and len(sheet.askings) == 1


def test_what_was_cached_counts_as_input(tmp_path: Path) -> None:
    output = ModelOutput.from_content("mock", "ahead")
    output.usage = ModelUsage(input_tokens=10, output_tokens=2, input_tokens_cache_read=90)
    (asking,) = read_sheet(log_of(tmp_path / "a.eval", sample("s1", "", output=output))).askings
    assert asking.usage == Usage(input_tokens=100, output_tokens=2, cached_tokens=90)


@pytest.mark.parametrize(
    "metadata", [{}, {"scene": "s1", "key": "q_unknown"}, {"scene": 0.5, "key": GOAL}]
)
def test_a_log_of_another_task_is_refused(tmp_path: Path, metadata: dict[str, Any]) -> None:
    other = log_of(tmp_path / "a.eval", sample("s1", "yes", metadata=metadata))
    with pytest.raises(BadFile, match="is no log of a task that `paseo scenes export"):
        read_sheet(other)


def test_a_damaged_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(BadFile, match="x.eval: is no log of a task .* run the task again"):
        read_sheet(tmp_path / "x.eval")


def packed(path: Path, content: bytes) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("samples/a.json", content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 20_000 + b"]" * 20_000,
        b'{"a": ' * 600,
        b'["]",' * 20_000,  # closed in texts alone
        b'["\\\\",["\\"]",' * 3_000,
    ],
)
def test_a_log_whose_values_lie_deep_in_each_other_is_refused(
    tmp_path: Path, content: bytes
) -> None:
    """Its reader takes a gigabyte for forty kilobytes."""
    with pytest.raises(BadFile, match="samples/a.json has values more than 500 deep in each other"):
        check_log(packed(tmp_path / "a.eval", content))


@pytest.mark.parametrize(
    "content",
    [
        b'"' + b"[" * 20_000 + b'"',
        b'["' + b'\\"[' * 5_000 + b'"]',
        b"[[]," * 100 + b"]" * 100,
        b"[{}," * 5 + b"[]," * 20_000,
        b"",
    ],
)
def test_what_is_in_texts_or_beside_each_other_is_not_deep(tmp_path: Path, content: bytes) -> None:
    check_log(packed(tmp_path / "a.eval", content))


def test_questions_of_ones_own_are_read_by_the_catalogue(tmp_path: Path) -> None:
    asked = AskedQuestion(key="q_own", category="x", text="What?", choices=("Wait", "Go"))
    catalogue = catalogue_of(QuestionFile(question=(asked,)))
    own = sample("s1", '{"answer": "Go"}', metadata={"scene": "s1", "key": "q_own"})
    file = log_of(tmp_path / "a.eval", own)
    ((answer,),) = read_sheet(file, catalogue).answers.values()
    assert answer.option == ("Go",)
    with pytest.raises(BadFile, match="no question is called 'q_own'"):
        read_sheet(file)
