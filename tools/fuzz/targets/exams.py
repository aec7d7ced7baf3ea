"""Exams, answers, people's votes, prices and logs of another harness."""

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from fuzz import oracles
from fuzz.target import Example, Lost, Target
from fuzz.targets.scenes import first_scene, make_dataset

PRICES = """\
date = "2026-01-01"

[[price]]
model = "scripted/*"
input = 1.25
cached = 0.1
output = 10.0

[[price]]
model = "*"
input = 0
cached = 0
output = 0
"""


QUESTIONS = """\
[[question]]
key = "q_comes_near"
category = "proxemics"
about_person = true
text = "How near does {PERSON} come?"
choices = ["within 1.2 m", "farther away"]
needs = ["q_robot_moving_direction", "q_calm"]
guidance = "zones"
rule = "rules.py:near"

[[question]]
key = "q_calm"
category = "social"
text = "What is calm?"
choices = ["The robot", "The people"]
select_many = true

[guidance]
zones = "Distances are between middles."
"""


def make_exam(folder: Path) -> None:
    """A data set, an exam on it with probes, answers in files, and prices."""
    from paseo import AskOptions, ask
    from paseo.vqa.probes.probe import probes_in

    make_dataset(folder)
    (folder / "prices.toml").write_text(PRICES)
    (folder / "own.toml").write_text(QUESTIONS)
    before = Path.cwd()
    os.chdir(folder)  # so that nothing in it names where it was made
    try:
        options = AskOptions(limit=1, probes=probes_in("mirror"), together=4)
        ask("scripted/constant", scenes=Path(), out=Path("exam"), options=options)
        _write_answers(folder)
    finally:
        os.chdir(before)
    (folder / "exam" / ".lock").unlink(missing_ok=True)


def _write_answers(folder: Path) -> None:
    from paseo.vqa.questions.votes import read_labels

    answers: dict[str, dict[str, Any]] = {}
    for (scene, key), option in read_labels(folder).most_common().items():
        answers.setdefault(scene, {})[key] = list(option) if len(option) > 1 else option[0]
    (folder / "answers").mkdir()
    for scene, found in answers.items():
        (folder / "answers" / f"{scene}.json").write_text(json.dumps(found, indent=1))
        place = folder / "experiment_1_fuzz_cot_with_gt" / scene
        place.mkdir(parents=True)
        (place / "question_answers.json").write_text(json.dumps(found, indent=4))
        turns = [{"entity": ["user"], "response": ["?"]}, {"response": ["!"], "latency_sec": 0.5}]
        (place / "conversation.json").write_text(json.dumps(turns, indent=4))


def make_log(folder: Path) -> None:
    """People's votes, and a log of inspect_ai with answers to three questions."""
    from inspect_ai.log import (
        EvalConfig,
        EvalDataset,
        EvalLog,
        EvalSample,
        EvalSpec,
        write_eval_log,
    )
    from inspect_ai.model import ModelOutput

    from paseo.vqa.questions.votes import read_labels

    make_dataset(folder)
    votes = list(read_labels(folder).most_common().items())[:3]
    samples = [
        EvalSample(
            id=f"{scene}/{key}",
            epoch=1,
            input="",
            target="",
            metadata={"scene": scene, "key": key},
            output=ModelOutput.from_content("mock", json.dumps({"answer": option[0]})),
        )
        for (scene, key), option in votes
    ]
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="paseo_scenes",
        model="mockllm/model",
        dataset=EvalDataset(sample_ids=[each.id for each in samples]),
        config=EvalConfig(epochs=1),
        metadata={"method": "independent", "images": "grid"},
    )
    log = EvalLog(eval=spec, status="success", samples=samples)
    write_eval_log(log, str(folder / "log.eval"))


EXAM = Example(name="exam", make=make_exam)


def _exam(here: Path, aside: Path) -> None:
    """The plan, written and read again, is the same, and every reply that is stored comes back."""
    from paseo.vqa.exam.plan import ExamFolder
    from paseo.vqa.exam.replies import stored_replies

    exam = ExamFolder(here / "exam")
    plan = exam.plan()
    copy = ExamFolder(aside)
    copy.write(plan)
    oracles.same(plan, copy.plan(), "exam.json")
    oracles.json_kept(exam.file, copy.file)
    if exam.replies.is_file():
        stored = stored_replies(exam.replies)
        with closing(sqlite3.connect(exam.replies)) as db:
            tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
            counts = [
                db.execute(f"SELECT count(*) FROM {name} NOT INDEXED").fetchone()[0]
                for (name,) in tables
            ]
        if sum(counts) != len(stored):
            raise Lost(f"{len(stored)} of {sum(counts)} replies come back")


def _answers(here: Path, aside: Path) -> None:
    """Answers: the options that were read, written as such and read again, are the same."""
    from paseo.vqa.questions.questions import question, shipped
    from paseo.vqa.scores.answer_files import read_answer_files

    first = _options(read_answer_files(here / "answers", shipped()))
    written: dict[str, dict[str, Any]] = {}
    for (scene, key), option in first.items():
        many = question(scene, key).kind.select_many
        written.setdefault(scene, {})[key] = list(option) if many else option[0]
    for scene, found in written.items():
        (aside / f"{scene}.json").write_text(json.dumps(found))
    oracles.same(first, _options(read_answer_files(aside, shipped())) if written else {}, "answers")


def _options(sheet: Any) -> dict[Any, Any]:
    """What was answered; what could not be read stays out."""
    found = {place: answer.option for place, (answer,) in sheet.answers.items()}
    return {place: option for place, option in found.items() if option is not None}


def _labels(here: Path, aside: Path) -> None:
    """Votes: written as the data set has them and read again, they are the same."""
    from paseo.vqa.questions.votes import read_labels

    first = read_labels(here)
    for scene in first.scenes:
        content: dict[str, Any] = {}
        for (of, key), votes in first.votes().items():
            if of == scene:
                total = sum(votes.values())
                many = any(len(option) > 1 for option in votes)
                content[key] = [list(each) if many else each[0] for each in votes]
                content[f"{key}_probabilities"] = [count / total for count in votes.values()]
                content[f"{key}_n_answers"] = total
        place = aside / "human_labels" / scene
        place.mkdir(parents=True)
        (place / "common_answers.json").write_text(json.dumps(content))
    second = read_labels(aside)
    oracles.same(first.votes(), second.votes(), "votes")
    if not np.array_equal(first.counts, second.counts):
        raise Lost("votes are counted otherwise")


def _prices(here: Path, aside: Path) -> None:
    import msgspec

    from paseo.vlm.prices import read_prices

    first = read_prices(here / "prices.toml")
    (aside / "again.toml").write_bytes(msgspec.toml.encode(first))
    oracles.same(first, read_prices(aside / "again.toml"), "prices")


def _questions(here: Path, aside: Path) -> None:
    """Questions of one's own: as they are kept beside scenes, they are the same."""
    from paseo.vqa.questions.own import OWN, questions_bytes, questions_for, read_questions

    first = read_questions(here / "own.toml")
    (aside / OWN).write_bytes(questions_bytes(first))
    oracles.same(first.as_asked, questions_for(aside), "questions")


def _of_exam(name: str, command: str, codes: tuple[int, ...] = (0,)) -> Target:
    return Target(
        name=f"exam: {name}",
        example=EXAM,
        damaged=("exam/exam.json", "exam/replies.sqlite"),
        command=command,
        codes=codes,
        oracle=_exam,
        told="the plan, written and read again, is the same; every stored reply comes back",
    )


ASK = "ask scripted/constant --scenes . --limit 1"
TARGETS = (
    _of_exam("score", "score exam --labels . --brief"),
    _of_exam("show", "exam show exam --out OUT/exam.html --no-pictures"),
    _of_exam("probes", "exam probes exam"),
    _of_exam("resume", f"{ASK} --probe mirror --together 4 --resume --out exam", codes=(0, 1)),
    Target(
        name="answers: score",
        example=EXAM,
        damaged=("answers/*",),
        command="score answers --labels . --brief",
        oracle=_answers,
        told="the options that were read, written and read again, are the same",
    ),
    Target(
        name="answers: the original evaluator's",
        example=EXAM,
        damaged=("experiment_1_fuzz_cot_with_gt/*/*",),
        command="score experiment_1_fuzz_cot_with_gt --labels . --brief",
        oracle=oracles.nothing_more,
        told="read to the end; nobody here writes such files",
    ),
    Target(
        name="answers: recorded",
        example=EXAM,
        damaged=(f"answers/{first_scene()}.json",),
        command="ask recorded/answers --scenes . --limit 1 --out OUT/exam",
        codes=(0, 1),
        oracle=oracles.nothing_more,
        told="read to the end; what is not recorded is counted as failed",
    ),
    Target(
        name="answers: inspect log",
        example=Example(name="inspect", make=make_log),
        damaged=("log.eval",),
        command="score log.eval --labels . --brief",
        oracle=oracles.nothing_more,
        told="read to the end; nobody here writes such files",
    ),
    Target(
        name="labels: score",
        example=EXAM,
        damaged=("human_labels/*/*",),
        command="score answers --labels . --brief",
        oracle=_labels,
        told="votes, written as the data set has them and read again, are the same",
    ),
    Target(
        name="prices",
        example=EXAM,
        damaged=("prices.toml",),
        command=f"{ASK} --dry-run --prices prices.toml --max-usd 1",
        oracle=_prices,
        told="written and read again, they are the same",
    ),
    Target(
        name="questions: ask",
        example=EXAM,
        damaged=("own.toml",),
        command=f"{ASK} --dry-run --questions own.toml",
        oracle=_questions,
        told="as they are kept beside scenes, they are the same",
    ),
    Target(
        name="wording: ask",
        example=EXAM,
        damaged=("prompts/survey_prompt.json",),
        command=f"{ASK} --dry-run --wording dataset",
        oracle=oracles.nothing_more,
        told="read to the end; nobody writes such files",
    ),
)
