"""What symmetry probes found, as tables and for programs."""

import io
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from paseo.report.formats import Table
from paseo.text import write_csv
from paseo.vqa.probes.consistency import Consistency, ProbeResult
from paseo.vqa.probes.pairs import PairVerdict
from paseo.vqa.scores.uncertainty import Score

NOTHING = "-"
CAUTION = (
    "Whoever gives the same answer whatever is shown passes renumber and shuffle, and the mirror "
    "wherever that answer names no side: consistency is needed, and not enough."
)


def tables(found: Sequence[ProbeResult]) -> list[Table]:
    """By category, by question, and whether the first choice is favoured."""
    shuffled = [each for each in found if each.position]
    return [_categories(found), _by_question(found), *(_position(each) for each in shuffled)]


def _categories(found: Sequence[ProbeResult]) -> Table:
    caption = (
        "Symmetry probes: questions asked before and after a change, by whether the answer changed "
        "exactly as it must; share ± standard error clustered by scene, invalid pairs counted, and "
        f"what guessing gets if all possible answers are equally likely. {CAUTION}"
    )
    if lone := sum(each.unpaired for each in found):
        caption += f" {lone} answers lack the one before or after, and are left out."
    header = ["Probe", "Category", "Consistent", "Share", "By chance", "Changed wrongly",
              "Invalid"]  # fmt: skip
    rows = []
    for each in found:
        for name, part in each.categories.items():
            right, wrong, invalid = (str(part.counts[verdict]) for verdict in PairVerdict)
            rows.append(
                [each.name, name, right, _share(part.share), _rate(part.chance), wrong, invalid]
            )
    return Table(caption, header, rows)


def _by_question(found: Sequence[ProbeResult]) -> Table:
    caption = (
        "Symmetry probes by question: the share of consistent pairs ± standard error, and in "
        "brackets how many are consistent / changed wrongly / invalid."
    )
    rows = []
    for key, kind in found[0].catalogue.kinds.items():
        parts = [each.kinds.get(key) for each in found]
        if any(parts):
            chance = 1 / len(kind.options)
            cells = [_counted(part) for part in parts]
            rows.append([key, kind.category, _rate(chance), *cells])
    return Table(
        caption, ["Question", "Category", "By chance", *(each.name for each in found)], rows
    )


def _position(each: ProbeResult) -> Table:
    caption = (
        "Position: how often a choice is taken where it stands first in the list, and the same "
        "choices where they stand elsewhere; a positive difference favours the first place."
    )
    header = ["Category", "Pairs", "Taken when first", "Taken elsewhere", "Difference",
              "By chance"]  # fmt: skip
    rows = [
        [name, str(part.first.questions), _share(part.first), _share(part.elsewhere),
         _share(part.difference), _rate(part.chance)]
        for name, part in each.position.items()
    ]  # fmt: skip
    return Table(caption, header, rows)


COLUMNS = ("probe", "by", "part", "pairs", "consistent", "changed_wrongly", "invalid", "share",
           "clustered_se", "low", "high", "chance", "taken_first", "taken_elsewhere",
           "difference", "difference_clustered_se")  # fmt: skip


def as_csv(found: Sequence[ProbeResult]) -> str:
    """One table of numbers, unrounded: a line for each probe and category or question.

    Shares are from 0 to 1; the last four are of the places of choices, where these were shuffled.
    """
    text = io.StringIO()
    write_csv(text, [COLUMNS, *(line for each in found for line in _csv_lines(each))])
    return text.getvalue()


def _csv_lines(each: ProbeResult) -> Iterator[list[object]]:
    parts = {"category": each.categories, "question": each.kinds}
    for by, named in parts.items():
        for name, part in named.items():
            counts = [part.counts[verdict] for verdict in PairVerdict]
            share, place = part.share, each.position.get(name) if by == "category" else None
            spread = [share.mean, share.clustered_se, share.low, share.high]
            line: list[object] = [each.name, by, name, sum(counts), *counts, *spread, part.chance]
            if place is None:
                yield [*line, None, None, None, None]
                continue
            apart = place.difference
            taken = [place.first.mean, place.elsewhere.mean, apart.mean, apart.clustered_se]
            yield [*line, *taken]


def as_json(found: Sequence[ProbeResult]) -> list[dict[str, Any]]:
    """All that the tables show, unrounded."""
    return [
        {
            "probe": each.name,
            "categories": {name: _part(part) for name, part in each.categories.items()},
            "questions": {key: _part(part) for key, part in each.kinds.items()},
            "position": {name: asdict(part) for name, part in each.position.items()},
            "unpaired_answers": each.unpaired,
        }
        for each in found
    ]


def _part(part: Consistency) -> dict[str, Any]:
    counts = {verdict.value.replace(" ", "_"): n for verdict, n in part.counts.items()}
    return counts | {"share": asdict(part.share), "chance": part.chance}


def _counted(part: Consistency | None) -> str:
    if part is None:
        return NOTHING
    return f"{_share(part.share)} ({' / '.join(str(part.counts[each]) for each in PairVerdict)})"


def _share(score: Score) -> str:
    if score.mean is None:
        return NOTHING
    error = "" if score.clustered_se is None else f" ± {100 * score.clustered_se:.1f}"
    return f"{100 * score.mean:.1f}{error} %"


def _rate(value: float | None) -> str:
    return NOTHING if value is None else f"{100 * value:.1f} %"
