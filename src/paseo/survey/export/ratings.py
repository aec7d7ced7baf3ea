"""What people said about clips, as tables in which planners are named."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from paseo.errors import InputError
from paseo.files import draft_folder, write_whole
from paseo.survey.export.card import Census, people_part, traits_part
from paseo.survey.export.people import PRIVATE, csv_bytes, study_census, write_private
from paseo.survey.insight.collected import Collected, collected
from paseo.survey.insight.rated import Preference, Rating
from paseo.survey.screening.screening import screened_study
from paseo.survey.screening.table import csv_rows
from paseo.survey.store.content import read_content
from paseo.survey.study.folder import Study, open_study
from paseo.text import markdown_cell
from paseo.version import paseo_version

ABOUT = ("person", "stage", "counts")
GIVEN = ("again", "on_page_s", "time_s", "changes")
RATINGS = (*ABOUT, "episode", "planner", "aspect", "value", *GIVEN)
PAIRS = (*ABOUT, "episode", "first", "second", "aspect", "chosen", *GIVEN)
Row = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedRatings:
    """What was exported."""

    people: int  # whose ratings count
    screened: int  # people who were screened out, whose rows say that they do not count
    clips: int
    ratings: int
    choices: int


def export_ratings(
    folder: Path, out: Path, *, with_ids: bool = False, everybody: bool = False
) -> ExportedRatings:
    """Write what people said about clips into a new folder; here planners are named.

    Who is screened out does not count, but for `everybody`, which counts all but those who failed
    both attention checks; their rows are there all the same. Ids of people and their remarks are
    written only `with_ids`, into a folder of their own.
    """
    study = open_study(folder)
    content = read_content(study)
    said = list(collected(study, content))
    found = screened_study(study, content)
    left_out = frozenset[str]() if everybody else found.left_out
    counted = [each for each in said if each.counts(left_out)]
    if not counted:
        others = f" beside the {len(left_out)} screened out" if left_out else ""
        raise InputError(f"{folder}: nobody{others} has finished a clip yet; export it later")
    with draft_folder(out) as draft:
        write_whole(draft / "ratings.csv", csv_bytes([RATINGS, *_ratings(said, left_out)]))
        write_whole(draft / "pairs.csv", csv_bytes([PAIRS, *_choices(said, left_out)]))
        write_whole(draft / "screening.csv", csv_bytes(csv_rows(found.people)))
        write_whole(draft / "clips.csv", csv_bytes(_clips(study)))
        card = ratings_card(study, study_census(study, content, found, left_out), counted)
        write_whole(draft / "README.md", card.encode("utf-8", "replace"))
        if with_ids:
            write_private(draft / PRIVATE, content)
    return ExportedRatings(
        people=len({each.person.number for each in counted}),
        clips=len({each.said.clip for each in counted if isinstance(each.said, Rating)}),
        ratings=sum(isinstance(each.said, Rating) for each in counted),
        choices=sum(isinstance(each.said, Preference) for each in counted),
        screened=len(left_out),
    )


def _ratings(said: Iterable[Collected], left_out: Collection[str]) -> Iterable[Row]:
    for each in said:
        if isinstance(each.said, Rating):
            clip = each.said.clip
            what = (clip.episode, clip.planner, each.said.aspect, each.said.value)
            yield (*_about(each, left_out), *what, *_given(each))


def _choices(said: Iterable[Collected], left_out: Collection[str]) -> Iterable[Row]:
    for each in said:
        if isinstance(each.said, Preference):
            what = (each.said.episode, *each.said.planners, each.said.aspect)
            yield (*_about(each, left_out), *what, each.said.chosen or "", *_given(each))


def _about(each: Collected, left_out: Collection[str]) -> Row:
    return each.person.name, each.person.stage.value, _yes(each.counts(left_out))


def _given(each: Collected) -> Row:
    answer = each.answer
    since = round(answer.time_s - each.person.arrived_s, 3)
    return _yes(each.again), round(answer.on_page, 3), since, answer.changes


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _clips(study: Study) -> Iterable[Row]:
    clips = study.about_clips.origin.clips
    names = list(dict.fromkeys(name for each in clips for name in each.metrics))
    yield ("episode", "planner", "from_s", "to_s", "whole", "sha256", *names)
    for each in sorted(clips, key=lambda clip: (clip.episode, clip.planner)):
        values = [each.metrics.get(name) for name in names]
        measured = ["" if value is None else value for value in values]
        seen = (each.from_s, each.to_s, _yes(each.whole), each.sha256)
        yield (each.episode, each.planner, *seen, *measured)


def ratings_card(study: Study, census: Census, counted: Sequence[Collected]) -> str:
    """The card of a study of ratings."""
    kept = "They count all the same, on purpose." if census.everybody else "They do not count."
    left_out = f"""## What was left out

Nothing is left out of the tables: `counts` is yes for what is part of a judgement. Of
{census.judged} people who have said something, {census.found_out} were screened out, and
`screening.csv` says why. {kept}
{census.failed} failed both attention checks and count in no case. A place counts for a person only
when all that was asked there is answered.
"""
    parts = [
        "# What people said about how robots drive among people",
        _facts(study, counted),
        people_part(study, census),
        left_out,
        traits_part(study, census),
        FILES,
    ]
    return "\n".join(parts)


def _facts(study: Study, counted: Sequence[Collected]) -> str:
    about, settings = study.about_clips, study.settings
    origin, asking = about.origin, about.asking
    raters: dict[object, set[int]] = {}
    for each in counted:
        if isinstance(each.said, Rating) and not each.again:
            raters.setdefault(each.said.clip, set()).add(each.person.number)
    numbers = sorted(map(len, raters.values())) or [0]
    facts = {
        "study": markdown_cell(settings.title),
        "clips": f"{len(origin.clips)} of {len({each.episode for each in origin.clips})} episodes",
        "planners": ", ".join(
            markdown_cell(each) for each in sorted({clip.planner for clip in origin.clips})
        ),
        "people who rated a clip": f"{numbers[0]} to {numbers[-1]}, median {median(numbers):g}, of "
        f"{len(raters)} clips that were rated",
        "people wanted for each clip": settings.per_scene,
        "asked": ", ".join(each.key for each in asking.aspects),
        "scale": f"1 to {asking.points}, more is better" if asking.points else "none",
        "pairs": f"by {asking.pairs.value}"
        + (", no difference may be said" if asking.no_difference else ", one must be chosen"),
        "context that people were given": markdown_cell(asking.context) or "none",
        "clips that show a piece of a drive": sum(not each.whole for each in origin.clips),
        "clips shown again": f"{asking.again:.0%}",
        "seen": f"{origin.view}, at {origin.speed:g} times real speed, planners hidden",
        "clips came from": ", ".join(f"`{markdown_cell(each)}`" for each in origin.runs),
        "seed of who got which clips": settings.seed,
        "hash of questions, texts and clips": study.fixed,
        "made by": f"{origin.made_by}, exported by Paseo {paseo_version()}",
    }
    return "\n" + "\n".join(f"- {name}: {value}" for name, value in facts.items()) + "\n"


FILES = """## What is in it

- `ratings.csv`: every last rating: who (a name drawn by lot), which drive, by which aspect, which
  point. `again` is yes where they had rated that clip before, `counts` where it is to be used.
- `pairs.csv`: every last choice between two drives through an episode, `first` shown at the left or
  above. `chosen` is one of them, or empty: no difference.
- `clips.csv`: the drives that were shown, from when to when, and every metric of what was shown;
  empty where it is undefined, as of a piece of a drive (`whole` is no) all that needs the whole
  drive: how it ended, how the goal was reached, and what adds up on the way there.

`on_page_s` is how long the page had been seen, by the browser's own account; `time_s` counts from
when the person began, by the server's clock; `changes` is how often the answer was changed.
"""
