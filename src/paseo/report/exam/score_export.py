"""Scores for programs."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from paseo.report.exam.score_notes import notes
from paseo.report.formats import Table, csv_text
from paseo.text import write_csv
from paseo.version import paseo_version
from paseo.vqa.scores.annotators import by_reasoning
from paseo.vqa.scores.breakdown import ALL
from paseo.vqa.scores.scorecard import ModelPair, Scorecard, Scored
from paseo.vqa.scores.sheets import Sheet
from paseo.vqa.scores.uncertainty import Equivalence, Score

# Cells of several numbers, and what the columns of the further ones are called.
SEVERAL = {
    re.compile(r"(\S+) ± (\S+) \((\S+)\)"): ("SE", "clustered SE"),
    re.compile(r"(\S+) \[(\S+), (\S+)\]"): ("low", "high"),
}


SHEET = ("method", "images", "drawing", "wording")  # how a sheet was asked


def as_csv(tables: Sequence[Table]) -> str:
    """Tables one after the other, every number in a column of its own."""
    return csv_text([_apart(table) for table in tables])


def _apart(table: Table) -> Table:
    columns = [_split(name, [row[k] for row in table.rows]) for k, name in enumerate(table.header)]
    first, *others = ([*chain(*line)] for line in zip(*columns, strict=True))
    return Table(table.caption, first, others)


def _split(name: str, cells: Sequence[str]) -> list[list[str]]:
    """A column as lines of one or three cells, its header the first of them."""
    for pattern, further in SEVERAL.items():
        found = [pattern.fullmatch(cell) for cell in cells]
        if any(found):
            lines = [
                [*match.groups()] if match else [cell, "-", "-"]
                for match, cell in zip(found, cells, strict=True)
            ]
            return [[name, *(f"{name} {word}" for word in further)], *lines]
    return [[cell] for cell in (name, *cells)]


SCORE = ("mean", "naive_se", "clustered_se", "low", "high")
ACCOUNT = ("answers", "invalid", "tolerant", "failed", "latency_median_s", "latency_p95_s",
           "input_tokens", "cached_tokens", "output_tokens", "reasoning_tokens",
           "cost_usd")  # fmt: skip


def rows_csv(card: Scorecard, *, sections: Sequence[str] = ()) -> str:
    """One table without captions, unrounded: a line for each row of scores and each part of the
    questions (`by` category, question, agreement, people); what a model took stands with all.
    """
    header = ["model", "group", "method", "images", "drawing", "wording", "by", "part", "questions",
              *(f"pa_{name}" for name in SCORE), *(f"weighted_pa_{name}" for name in SCORE),
              *ACCOUNT]  # fmt: skip
    text = io.StringIO()
    write_csv(text, [header, *(line for each in card.rows for line in _lines(each, sections))])
    return text.getvalue()


def _lines(each: Scored, sections: Sequence[str]) -> Iterator[list[Any]]:
    about = each.row.sheet.about if each.row.sheet else dict.fromkeys(SHEET, "")
    head = [each.row.name, each.row.group.value, *about.values()]
    for by, parts in each.scores.items():
        for part, score in parts.items():
            if sections and by not in sections:
                continue
            weighted = each.weighted[by][part]
            spent = each.spending if part == ALL else None
            yield [
                *head,
                by,
                part,
                score.questions,
                *(getattr(score, name) for name in SCORE),
                *(getattr(weighted, name) for name in SCORE),
                *(getattr(spent, name, None) for name in ACCOUNT),
            ]


def as_json(card: Scorecard) -> dict[str, Any]:
    """All that the tables show, unrounded, and everything they cut short."""
    labels = card.labels
    return {
        "paseo_version": paseo_version(),
        "labels": labels.source,
        "variant": card.variant.value,
        "draws": card.draws,
        "margin": card.margin,
        "scenes": len(labels.scenes),
        "questions": len(labels.questions),
        "people_per_question": {
            str(n): int((labels.people == n).sum()) for n in sorted(set(labels.people.tolist()))
        },
        "notes": notes(card),
        "defects": {each.scene: list(each.faults) for each in labels.unreadable},
        "rows": [_row(each) for each in card.rows],
        "pairs": [_pair(each) for each in card.pairs],
        "partings": [asdict(each) for each in card.partings],
        "people": [
            {"name": each.name, "questions": len(each.questions), "mean": each.mean}
            | by_reasoning(each, labels)
            for each in card.people
        ],
    }


def _row(each: Scored) -> dict[str, Any]:
    sheet = each.row.sheet
    return {
        "name": each.row.name,
        "group": each.row.group.value,
        "asked": None if sheet is None else _asked(sheet),
        "agreement": _sections(each.scores),
        "weighted": _sections(each.weighted),
        "against_person": None if each.against_person is None else _test(each.against_person),
        "people_outdone": each.people_outdone,
        "spending": None if each.spending is None else asdict(each.spending),
        "spread": None if each.spread is None else asdict(each.spread),
        **({} if each.likely is None else {"likely": asdict(each.likely)}),
        "missed": [asdict(miss) for miss in each.missed],
    }


def _asked(sheet: Sheet) -> dict[str, str]:
    engine = {"engine": sheet.engine} if sheet.engine else {}
    return {"model": sheet.model, **sheet.about, **engine, "source": sheet.source}


def _sections(scores: Mapping[str, Mapping[str, Score]]) -> dict[str, Any]:
    return {
        section: {name: asdict(score) for name, score in named.items()}
        for section, named in scores.items()
    }


def _test(test: Equivalence) -> dict[str, Any]:
    return asdict(test) | {"verdict": test.verdict.value}


def _pair(pair: ModelPair) -> dict[str, Any]:
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": asdict(pair.difference.score),
        "p": pair.difference.p,
        "p_corrected": pair.p,
    }
