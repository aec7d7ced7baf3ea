"""A crowd beside real ones, as tables and as JSON."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from paseo.crowd_check.real_crowds import AIM, Judgement, Likeness
from paseo.crowd_check.realism import STATISTICS, Profile, pooled
from paseo.report.table import Cell, text_table
from paseo.text import in_a_line

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
RARE = 0.01  # bars under this need a fourth digit


def realism_text(name: str, parts: Sequence[Profile], found: Sequence[Likeness]) -> str:
    """The crowd beside the nearest of the places, then its distances to all if there are several.

    A crowd may have several parts, the episodes of a suite.
    """
    crowd, nearest = pooled(parts), nearest_place(found)
    episodes = f" in {len(parts)} episodes" if len(parts) > 1 else ""
    lines = [
        f"{in_a_line(name)}: {crowd.people} people, {crowd.duration:.1f} s{episodes}",
        f"{'nearest to' if len(found) > 1 else 'beside'} {nearest.place.name}, "
        f"{nearest.in_bars:.2f} bars away on average ({_how(nearest)})",
        "",
        _beside(nearest),
    ]
    if len(found) > 1:
        lines += ["", "distance to each place, in bars:", _all_places(found)]
    return "\n".join(lines)


def nearest_place(found: Sequence[Likeness]) -> Likeness:
    """The place that the crowd comes nearest to; the first of equals."""
    return min(found, key=lambda each: each.in_bars)


def realism_json(name: str, parts: Sequence[Profile], found: Sequence[Likeness]) -> dict[str, Any]:
    """Everything the tables say and more, for programs."""
    crowd = pooled(parts)
    return {
        "name": name,
        "people": crowd.people,
        "duration_s": round(crowd.duration, 3),
        "episodes": len(parts),
        "nearest": nearest_place(found).place.name,
        "statistics": {each.name: _summary(crowd, each.name) for each in STATISTICS},
        "places": {each.place.name: _likeness_json(each) for each in found},
    }


def _how(likeness: Likeness) -> str:
    if likeness.exact:
        return f"exact, by the recording{'s' * (len(likeness.place.recordings) > 1)}"
    return "approximate, by shipped percentiles"


def _beside(likeness: Likeness) -> str:
    short = any(each.parts for each in likeness.judgements)
    place = likeness.place.name
    header = ["statistic", "crowd", place, "distance", "bar", "aim", "verdict"]
    if short:
        header += [f"60 s of {place}", "inside"]
    rows = [_row(each, short) for each in likeness.judgements]
    return text_table(header, rows)


def _row(each: Judgement, short: bool) -> list[Cell]:
    verdict = each.verdict
    row: list[Cell] = [
        each.statistic.words,
        *(_number(each, value) for value in (each.crowd, each.real, each.distance)),
        *(_number(each, value) for value in (each.bar, each.bar * AIM)),
        verdict.value if verdict else None,
    ]
    if short:
        low, high = each.window_range
        row += [f"{_number(each, low)} to {_number(each, high)}", _inside(each)]
    return row


def _inside(each: Judgement) -> str | None:
    if each.parts > 1:
        return f"{each.inside} of {each.parts}"
    if each.parts == 1:
        return "yes" if each.inside else "no"
    return None


def _all_places(found: Sequence[Likeness]) -> str:
    rows: list[list[Cell]] = [
        [each.words, *(_in_bars(like.judgements[k]) for like in found)]
        for k, each in enumerate(STATISTICS)
    ]
    rows.append(["mean", *(like.in_bars for like in found)])
    return text_table(["statistic", *(like.place.name for like in found)], rows)


def _in_bars(each: Judgement) -> float | None:
    return None if each.distance is None else each.distance / each.bar


def _number(each: Judgement, value: float | None) -> str | None:
    """A value of this statistic in digits that tell it from the bar, points under points."""
    digits = 3 if each.bar > RARE else 4
    return None if value is None else f"{value:{digits + 3}.{digits}f}"


def _summary(crowd: Profile, name: str) -> dict[str, Any]:
    if name in crowd.counts:
        value = crowd.value(name)
        return {"of": crowd.counts[name][1], "share": None if value is None else round(value, 5)}
    samples = crowd.samples[name]
    if not len(samples):
        return {"samples": 0}
    quantiles = np.quantile(samples, QUANTILES).round(5).tolist()
    named = {f"q{round(100 * q):02d}": v for q, v in zip(QUANTILES, quantiles, strict=True)}
    return {"samples": len(samples), "mean": round(float(samples.mean()), 5), **named}


def _likeness_json(likeness: Likeness) -> dict[str, Any]:
    known = math.isfinite(likeness.in_bars)
    return {
        "exact": likeness.exact,
        "mean_distance_in_bars": round(likeness.in_bars, 5) if known else None,
        "statistics": {each.statistic.name: _judgement_json(each) for each in likeness.judgements},
    }


def _judgement_json(each: Judgement) -> dict[str, Any]:
    return {
        "crowd": None if each.crowd is None else round(each.crowd, 5),
        "real": each.real,
        "measure": "difference" if each.statistic.is_share else "kolmogorov-smirnov",
        "distance": None if each.distance is None else round(each.distance, 5),
        "bar": each.bar,
        "aim": each.bar * AIM,
        "verdict": each.verdict.value if each.verdict else None,
        "windows_60s": list(each.window_range),
        "inside_windows": each.inside,
        "short_parts": each.parts,
    }
