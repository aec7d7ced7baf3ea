"""Scoring one model on 4,968 questions, every table included, against its limits and plain loops.

The loops do what the original's post-processing does: Python over questions and over the people
left out in turn, and a bootstrap that gathers the drawn scenes' values anew for each draw.

Usage: python benchmarks/vqa/scoring.py    (makes labels of the released ones' size; needs no data)
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from paseo.report.exam.score_notes import notes
from paseo.report.exam.scores import further_tables, main_table
from paseo.report.formats import markdown
from paseo.vqa.questions.questions import Option, Question, questions
from paseo.vqa.questions.votes import Labels, read_labels
from paseo.vqa.scores.baselines import scene_numbers
from paseo.vqa.scores.marking import Variant, marking
from paseo.vqa.scores.rows import Group, ScoreRow, choosing, sheet_row
from paseo.vqa.scores.scorecard import Scorecard, ScorePlan, scorecard
from paseo.vqa.scores.sheets import Sheet
from paseo.vqa.scores.uncertainty import scene_draws, score
from paseo.vqa.scoring import read_sheet

SCENES, PEOPLE, DRAWS = 60, 399, 2000
TABLES_LIMIT, DRAWS_LIMIT = 1.0, 5.0  # seconds


def seconds(work: Callable[[], object], times: int = 3) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def make(folder: Path) -> None:
    """Labels and answers of 60 scenes with 399 people, as many questions as the released ones."""
    rng = np.random.default_rng(0)
    sizes = np.full(SCENES, PEOPLE // SCENES) + (np.arange(SCENES) < PEOPLE % SCENES)
    (folder / "model").mkdir()
    for number, size in enumerate(sizes):
        scene = f"scene_{number}"
        asked = questions(scene, range(1, int(size) + 1))
        content: dict[str, object] = {}
        for each in asked:
            content |= votes(each, rng)
        place = folder / "human_labels" / scene
        place.mkdir(parents=True)
        (place / "common_answers.json").write_text(json.dumps(content))
        answers = {each.key: rng.choice(each.kind.choices) for each in asked}
        (folder / f"model/{scene}.json").write_text(json.dumps(answers))


def votes(asked: Question, rng: np.random.Generator) -> dict[str, object]:
    n = int(rng.integers(7, 15))
    options = [
        list(option) if asked.kind.select_many else option[0] for option in asked.kind.options
    ]
    counts = rng.multinomial(n, rng.dirichlet(np.ones(len(options))))
    ranked = [int(k) for k in np.argsort(-counts) if counts[k]]
    return {
        asked.key: [options[k] for k in ranked],
        f"{asked.key}_probabilities": [counts[k] / n for k in ranked],
        f"{asked.key}_n_answers": n,
    }


def everything(folder: Path, draws: int) -> Scorecard:
    card = scorecard(
        read_labels(folder),
        [read_sheet(folder / "model")],
        np.random.default_rng(0),
        plan=ScorePlan(draws=draws),
    )
    _ = markdown([main_table(card), *further_tables(card)]) + "\n".join(notes(card))
    return card


def means(card: Scorecard) -> int:
    """How many means have an interval."""
    tables = (table for each in card.rows for table in (each.scores, each.weighted))
    return sum(len(named) for table in tables for named in table.values()) + len(card.pairs)


def marked(labels: Labels, sheet: Sheet) -> ScoreRow:
    by = choosing(labels, marking(labels, Variant.DEFINITION))
    return sheet_row(sheet, by, name="model", group=Group.MODEL)


def loops(labels: Labels, sheet: Sheet) -> list[tuple[str, float]]:
    """Scene and agreement of each question, everybody left out in turn, one by one."""
    return [
        (scene, agreement(cast, sheet.answers[scene, key][0].option))
        for (scene, key), cast in labels.votes().items()
    ]


def agreement(counts: dict[Option, int], answer: Option | None) -> float:
    model, human, oracle = [], [], []
    n = sum(counts.values())
    for name, count in counts.items():
        for _ in range(count):
            left = {each: c - (each == name) for each, c in counts.items()}
            shares = {each: c / (n - 1) for each, c in left.items()}
            model.append(shares.get(answer, 0.0) if answer else 0.0)
            human.append(shares[name])
            oracle.append(max(shares.values()))
    return float(np.mean(model))


def looped_bootstrap(found: list[tuple[str, float]]) -> np.ndarray:
    rng = np.random.default_rng(0)
    gathered: dict[str, list[float]] = {}
    for scene, value in found:
        gathered.setdefault(scene, []).append(value)
    scenes = [np.array(values) for values in gathered.values()]
    drawn = [
        np.concatenate([scenes[k] for k in rng.integers(0, SCENES, SCENES)]).mean()
        for _ in range(DRAWS)
    ]
    return np.quantile(drawn, [0.025, 0.975])


def main() -> int:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        make(folder)
        tables, drawn = (seconds(lambda n=n: everything(folder, n)) for n in (1, DRAWS))
        card = everything(folder, DRAWS)
        labels, sheet = read_labels(folder), read_sheet(folder / "model")
    marks = seconds(lambda: marked(labels, sheet))
    found = loops(labels, sheet)
    loop = seconds(lambda: loops(labels, sheet))
    draws = scene_draws(scene_numbers(labels), np.random.default_rng(0))
    values = marked(labels, sheet).agreement
    interval = seconds(lambda: score(values, draws), 20)
    bootstrap = seconds(lambda: looped_bootstrap(found))
    print(f"{len(found)} questions, one model, five baselines; files read, all tables written:")
    print(f"  one draw     {tables:6.3f} s   limit {TABLES_LIMIT:g} s")
    print(f"  {DRAWS} draws   {drawn:6.3f} s   limit {DRAWS_LIMIT:g} s ({means(card)} intervals)")
    print(
        f"marks of all questions        {marks:8.4f} s, as a loop {loop:.4f} s: {loop / marks:.0f}x"
    )
    print(
        f"one interval of {DRAWS} draws   {interval:8.4f} s, "
        f"as a loop {bootstrap:.4f} s: {bootstrap / interval:.0f}x"
    )
    return int(tables > TABLES_LIMIT or drawn > DRAWS_LIMIT)


if __name__ == "__main__":
    sys.exit(main())
