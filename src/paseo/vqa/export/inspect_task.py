"""An exported folder as a task of inspect_ai, scored as `paseo score` does; extra `inspect`."""

import json
import math
from collections.abc import Iterator
from pathlib import Path

import msgspec

from paseo.errors import BadFile, missing_extra
from paseo.files import bounded, opened
from paseo.vqa.export.inspect_folder import ABOUT, SAMPLES
from paseo.vqa.questions.answers import Answer, read_answer
from paseo.vqa.questions.questions import QuestionType

try:
    from inspect_ai import Task
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, ModelOutput
    from inspect_ai.scorer import (
        Metric,
        Score,
        Scorer,
        Target,
        grouped,
        mean,
        metric,
        scorer,
        stderr,
    )
    from inspect_ai.solver import TaskState, generate
except ImportError as error:
    purpose = "runs exported tasks and writes their logs"
    raise missing_extra("inspect_ai", "inspect", purpose, error) from error

AGREEMENT, INVALID = "agreement", "invalid"
LARGEST_NOTE = 1 << 20  # bytes
ENDINGS = {"max_tokens": "length", "model_length": "length", "content_filter": "filtered"}


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    """A line of the samples' file."""

    id: str
    scene: str
    key: str
    reasoning: str
    images: list[str]
    prompt: str
    options: list[list[str]]
    votes: list[int] | None


def task_in(folder: Path) -> Task:
    """The task that a folder made by `paseo scenes export` holds."""
    samples = [_sample(line, folder) for line in _lines(folder / SAMPLES)]
    return Task(
        dataset=MemoryDataset(samples, name=folder.resolve().name),
        solver=generate(),
        scorer=agreement_with_people(),
        name="paseo_scenes",
        metadata=_about(folder / ABOUT),
    )


@metric
def by_reasoning() -> Metric:
    """The mean over the questions of each category."""
    return grouped(mean(), "reasoning", all=False)


@metric
def stderr_by_reasoning() -> Metric:
    """Its standard error, clustered by scene."""
    return grouped(stderr(cluster="scene"), "reasoning", all=False)


@scorer(
    metrics={
        AGREEMENT: [mean(), stderr(cluster="scene"), by_reasoning(), stderr_by_reasoning()],
        INVALID: [mean()],
    }
)
def agreement_with_people() -> Scorer:
    """Probability of Agreement: the share of the people asked who gave the same answer.

    What cannot be read earns nothing and is counted; questions without votes are not scored.
    """

    async def score(state: TaskState, target: Target) -> Score:
        known = state.metadata
        answer = answer_in(state.output, _kind(known["key"], known["options"]))
        earned = _earned(answer.option, known["options"], known["votes"])
        return Score(
            value={AGREEMENT: earned, INVALID: int(answer.invalid)},
            answer=None if answer.option is None else json.dumps(answer.option),
            explanation=answer.problem or None,
        )

    return score


def _kind(key: str, options: list[list[str]]) -> QuestionType:
    """What is to be known of a question to read an answer to it."""
    return QuestionType(
        key=key,
        category="",
        about_person=False,
        choices=tuple(option[0] for option in options if len(option) == 1),
        select_many=len(options[-1]) > 1,
        guidance="",
        text="",
    )


def answer_in(output: ModelOutput, asked: QuestionType) -> Answer:
    """The answer in what a model wrote."""
    ending = ENDINGS.get(output.stop_reason, "stop") if output.choices else "stop"
    return read_answer(output.completion, asked, ending=ending)


def _earned(
    option: tuple[str, ...] | None, options: list[list[str]], votes: list[int] | None
) -> float:
    if votes is None:
        return math.nan
    return 0.0 if option is None else votes[options.index(list(option))] / sum(votes)


def _about(path: Path) -> dict[str, str]:
    try:
        return msgspec.json.decode(bounded(path, LARGEST_NOTE), type=dict[str, str])
    except (BadFile, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadFile(f"{path}: cannot be read ({error}); export it again") from error


def _lines(path: Path) -> Iterator[_Line]:
    decoder = msgspec.json.Decoder(_Line)
    number = 0
    try:
        with opened(path) as stream:
            for line in stream:
                number += 1
                yield decoder.decode(line)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror}); export it again") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadFile(f"{path}: line {number} is no sample ({error}); export it again") from error


def _sample(line: _Line, folder: Path) -> Sample:
    images = [ContentImage(image=str(folder / name)) for name in line.images]
    # Pictures first: so the beginning is the same for all questions of a scene.
    message = ChatMessageUser(content=[*images, ContentText(text=line.prompt)])
    votes = line.votes or [0]
    best = line.options[votes.index(max(votes))] if line.votes else ""
    return Sample(
        id=line.id,
        input=[message],
        target=json.dumps(best) if best else "",
        metadata={
            name: getattr(line, name) for name in ("scene", "key", "reasoning", "options", "votes")
        },
    )
