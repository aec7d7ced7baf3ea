"""The task in inspect_ai: run with its mock model it gives the PA that `paseo score` gives."""

import asyncio
import base64
import json
import math
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatMessage,
    ContentImage,
    ModelName,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import Score, Target
from inspect_ai.solver import TaskState

from editions import AFFECTED, GOAL, edition, votes
from paseo.cli.main import main
from paseo.errors import BadFile
from paseo.vqa.export.edition import ExportTally
from paseo.vqa.export.inspect_folder import export_inspect
from paseo.vqa.export.inspect_task import agreement_with_people, task_in
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.questions.answers import read_answer
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import QuestionType, question
from paseo.vqa.questions.votes import Labels, read_labels
from paseo.vqa.scores.scorecard import Scored, ScorePlan, scorecard
from paseo.vqa.scores.sheets import Sheet
from paseo.vqa.scoring import read_sheet


def scored(
    key: str,
    reply: str,
    *,
    counts: list[int] | None,
    ending: Any = "stop",
    options: list[list[str]] | None = None,
) -> Score:
    """What one reply earns; the scorer is called as inspect_ai calls it."""
    options = options or [list(option) for option in question("s", key).kind.options]
    output = ModelOutput.from_content("mockllm", reply, stop_reason=ending)
    state = TaskState(
        model=ModelName("mockllm/model"), sample_id=key, epoch=1, input="", messages=[],
        output=output, metadata={"scene": "s", "key": key, "options": options, "votes": counts},
    )  # fmt: skip
    score = asyncio.run(agreement_with_people()(state, Target("")))  # type: ignore[arg-type]
    assert score is not None
    return score


@pytest.mark.parametrize(
    ("key", "reply", "counts", "earned"),
    [
        (GOAL, '{"answer": "to the left"}', [1, 6, 3], 0.6),
        (GOAL, "The answer is: to the right.", [1, 6, 3], 0.3),
        (AFFECTED, '```json\n{"answer": "no"}\n```', [6, 4], 0.4),
        (
            "q_robot_moving_direction",
            '{"answer": ["turning left", "moving ahead"]}',
            [1, 0, 0, 7, 0, 0, 0],
            0.875,
        ),
    ],
)
def test_an_answer_is_worth_the_share_of_people_who_gave_it(
    key: str, reply: str, counts: list[int], earned: float
) -> None:
    assert scored(key, reply, counts=counts).value == {"agreement": earned, "invalid": 0}


def test_questions_of_ones_own_are_read_by_the_options_of_the_sample() -> None:
    options = [["Slow down"], ["Wait"], ["Slow down", "Wait"]]
    found = scored(
        "q_own_p2", '{"answer": ["wait", "SLOW DOWN"]}', counts=[1, 1, 2], options=options
    )
    assert found.value == {"agreement": 0.5, "invalid": 0}


@pytest.mark.parametrize(
    ("reply", "ending"),
    [("somewhere", "stop"), ("", "stop"), ("ahead", "content_filter"), ("ahead", "max_tokens")],
)
def test_what_cannot_be_read_earns_nothing_and_is_counted(reply: str, ending: str) -> None:
    found = scored(GOAL, reply, counts=[10, 0, 0], ending=ending)
    assert found.value == {"agreement": 0.0, "invalid": 1}
    assert found.answer is None and found.explanation


def test_a_question_without_votes_is_not_scored_but_its_answer_is_kept() -> None:
    found = scored(GOAL, '{"answer": "ahead"}', counts=None)
    assert isinstance(found.value, dict) and math.isnan(found.value["agreement"])
    assert found.answer == '["ahead"]' and found.value["invalid"] == 0


def test_pictures_come_before_the_words_and_the_target_is_what_most_people_said(
    tmp_path: Path,
) -> None:
    export_inspect(edition(tmp_path, labels=votes(tmp_path)), tmp_path / "out", ExportTally())
    task = task_in(tmp_path / "out")
    sample = next(each for each in task.dataset if each.id == f"yard-2/{GOAL}")
    assert sample.target == '["to the left"]' and len(task.dataset) == 30
    content = sample.input[0].content  # type: ignore[union-attr]
    assert [part.type for part in content] == ["image", "text"]  # type: ignore[union-attr]
    assert isinstance(content[0], ContentImage) and Path(content[0].image).is_file()
    assert task.metadata and task.metadata["images"] == "grid"


@pytest.mark.parametrize(
    ("file", "content", "told"),
    [
        ("samples.jsonl", '{"id": 1}\n', "line 1 is no sample"),
        ("samples.jsonl", None, "cannot be read"),
        ("edition.json", "[]", "cannot be read"),
    ],
)
def test_a_damaged_folder_is_told(
    tmp_path: Path, file: str, content: str | None, told: str
) -> None:
    export_inspect(edition(tmp_path), tmp_path / "out", ExportTally())
    (tmp_path / "out" / file).unlink()
    if content is not None:
        (tmp_path / "out" / file).write_text(content)
    with pytest.raises(BadFile, match=f"{file}: {told}.*export it again"):
        task_in(tmp_path / "out")


@pytest.mark.parametrize("module", ["inspect_task", "inspect_log"])
def test_only_what_runs_or_reads_a_task_needs_inspect_ai_and_says_what_to_type(module: str) -> None:
    code = (
        "import sys; sys.modules['inspect_ai'] = None\n"
        "import paseo.vqa.export.exporting; print('exports')\n"
        f"import paseo.vqa.export.{module}"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stdout == "exports\n" and ran.returncode
    assert ran.stderr.endswith("is not installed; type pip install 'paseo[inspect]'\n")


Script = dict[tuple[str, str], list[str]]  # two replies by scene and key


def script(labels: Labels, rng: np.random.Generator) -> Script:
    """Replies of every sort: as asked for, fenced, in a sentence, and some that say nothing."""

    def reply(kind: QuestionType) -> str:
        option = kind.options[rng.integers(len(kind.options))]
        strict = json.dumps({"answer": list(option) if kind.select_many else option[0]})
        sorts = [
            strict,
            strict,
            f"```json\n{strict}\n```",
            "Well. " * 99 + strict,
            "I cannot tell.",
        ]
        return sorts[rng.integers(len(sorts))]

    return {(each.scene, each.key): [reply(each.kind), reply(each.kind)]
            for each in labels.questions}  # fmt: skip


def run(folder: Path, said: Script, logs: Path) -> EvalLog:
    """Each question asked twice by inspect_ai; the mock model knows scenes by their pictures."""
    samples = [json.loads(line) for line in (folder / "samples.jsonl").open()]
    places = {(each["prompt"], each["scene"]): (each["scene"], each["key"]) for each in samples}
    scenes = {(folder / each["images"][0]).read_bytes(): each["scene"] for each in samples}
    left = {place: iter(replies) for place, replies in said.items()}

    def say(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        image = next(part for part in messages[-1].content if isinstance(part, ContentImage))
        scene = scenes[base64.b64decode(image.image.partition(",")[2])]
        output = ModelOutput.from_content("mockllm", next(left[places[messages[-1].text, scene]]))
        # Where it has none, inspect_ai fetches a tokenizer to count them.
        output.usage = ModelUsage(input_tokens=5, output_tokens=2, input_tokens_cache_read=3)
        return output

    (log,) = inspect_eval(
        f"{folder / 'task.py'}@paseo_scenes", epochs=2, display="none", log_dir=str(logs),
        model=get_model("mockllm/model", custom_outputs=say, memoize=False), log_images=False,
    )  # fmt: skip
    assert log.status == "success", log.error
    return log


@dataclass(frozen=True)
class Asked:
    labels: Labels
    sheet: Sheet  # of the scripted answers
    log: EvalLog
    logs: Path


@pytest.fixture(scope="module")
def asked(staged: Path, tmp_path_factory: pytest.TempPathFactory) -> Asked:
    place = tmp_path_factory.mktemp("inspect")
    data, out = staged, place / "out"
    words = ["--to", "inspect", "--labels", str(data), "--images", "grid", "--limit", "3"]
    assert main(["scenes", "export", str(data), *words, "--out", str(out)]) == 0
    labels = read_labels(data)
    said = script(labels, np.random.default_rng(1))
    log = run(out, said, place / "logs")
    answers = {
        (scene, key): tuple(read_answer(each, question(scene, key)) for each in said[scene, key])
        for scene, key in {(each.metadata["scene"], each.metadata["key"]) for each in samples(log)}
    }
    return Asked(labels, Sheet(model="mock", answers=answers), log, place / "logs")


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.samples
    return log.samples


def ours(labels: Labels, sheet: Sheet) -> Scored:
    return scorecard(labels, [sheet], np.random.default_rng(0), plan=ScorePlan(draws=10)).rows[-1]


@pytest.mark.extra("camera")
@pytest.mark.slow
def test_run_with_the_mock_model_it_gives_the_same_pa_as_our_own_scoring(asked: Asked) -> None:
    row = ours(asked.labels, asked.sheet)
    worth = dict(zip(asked.labels.rows(), row.row.agreement.tolist(), strict=True))
    assert asked.log.reductions and asked.log.results
    for each in asked.log.reductions[0].samples:
        scene, _, key = str(each.sample_id).partition("/")
        assert each.as_dict()["agreement"] == worth[scene, key]
    agreement, invalid = asked.log.results.scores
    told = {name.removeprefix("paseo/"): each.value for name, each in agreement.metrics.items()}
    means = {name: each.mean for name, each in row.scores["category"].items()}
    errors = {name: each.clustered_se for name, each in row.scores["category"].items()}
    # Sums in another order differ in the last digit.
    assert told.pop("mean") == pytest.approx(means.pop("all"), rel=1e-14)
    assert told.pop("stderr") == pytest.approx(errors.pop("all"), rel=1e-12)
    assert told == {
        **{f"by_reasoning_{k}": pytest.approx(v, rel=1e-14) for k, v in means.items()},
        **{f"stderr_by_reasoning_{k}": pytest.approx(v, rel=1e-12) for k, v in errors.items()},
    }
    given = [answer.invalid for answers in asked.sheet.answers.values() for answer in answers]
    assert 0 < sum(given) < len(given) == 2 * agreement.scored_samples
    assert invalid.metrics["mean"].value == pytest.approx(np.mean(given))


@pytest.mark.extra("camera")
@pytest.mark.slow
def test_its_log_is_scored_like_an_exam(asked: Asked) -> None:
    (file,) = asked.logs.glob("*.eval")
    sheet = read_sheet(file)
    assert sheet.answers.keys() == asked.sheet.answers.keys()
    for place, answers in sheet.answers.items():  # which of the two was first is left to chance
        assert set(answers) == set(asked.sheet.answers[place]) and len(answers) == 2
    told = (sheet.model, sheet.method, sheet.images)
    assert told == ("mockllm/model", Method.INDEPENDENT, Layout.GRID)
    assert sheet.drawing is Drawing.DATASET and sheet.wording.startswith("dataset ")
    row, other = ours(asked.labels, sheet), ours(asked.labels, asked.sheet)
    assert row.row.agreement.tobytes() == other.row.agreement.tobytes()
    assert row.spending and row.spending.input_tokens == 8 * len(samples(asked.log))
