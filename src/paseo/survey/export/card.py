"""The card of a study: who took part, what was asked and what was left out, in numbers."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from paseo.survey.screening.findings import Rule
from paseo.survey.study.folder import Study
from paseo.survey.study.settings import Way
from paseo.text import markdown_cell
from paseo.version import paseo_version

FEWEST = 5  # people in a group that may be told of
REST = "other or not told"
CAME = {
    Way.OPEN: "whoever had the address",
    Way.LINKS: "people who were given a link",
    Way.PROLIFIC: "people sent by Prolific",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Census:
    """The people of a study, in numbers."""

    began: int
    done: int
    kept: int  # of those who are done, whose answers are in the labels
    judged: int  # who have answered something
    found: Mapping[Rule, int]  # how many of them each rule of screening leaves out
    found_out: int  # how many of them any rule does
    everybody: bool  # whether they were kept all the same
    failed: int  # both attention checks
    screened: int  # by the comprehension check
    withdrew: int
    one_check: int  # of those who are kept, who failed one attention check
    minutes: tuple[float, ...]  # from beginning to end, of those who are done
    traits: Mapping[str, tuple[str, ...]]  # by question, what those who are kept told


def grouped(told: Iterable[str], people: int) -> dict[str, int]:
    """How many people told what, in groups of five or more; the smallest are put together.

    Who told nothing is among the rest, and where the rest would be fewer than five, the next
    smallest group is put to it: no number below five can be worked out from the others.
    """
    counts = Counter(told)
    rest = people - counts.total()
    for name, count in sorted(counts.items(), key=lambda each: (each[1], each[0])):
        if count < FEWEST or 0 < rest < FEWEST:
            rest += count
            del counts[name]
    shown = dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))
    return {**shown, REST: rest} if rest >= FEWEST else shown


def data_card(study: Study, census: Census, people: Mapping[str, int]) -> str:
    """The card; `people` says how many people each exported scene has."""
    lacking = [scene for scene in study.scenes if scene not in people]
    parts = [
        "# Answers of people to questions about a robot among people",
        _about(study, people),
        people_part(study, census),
        _screening(study, census),
        traits_part(study, census),
        _files(bool(lacking)),
    ]
    return "\n".join(parts)


def _about(study: Study, people: Mapping[str, int]) -> str:
    numbers, origin = sorted(people.values()), study.about_scenes.origin
    spread = f"{numbers[0]} to {numbers[-1]} people each, median {median(numbers):g}"
    left_out = len(study.scenes) - len(people)
    facts = {
        "study": markdown_cell(study.settings.title),
        "scenes": f"{len(people)} of {len(study.scenes)}, {spread}",
        "scenes that nobody has finished, left out": left_out,
        "people wanted for each scene": study.settings.per_scene,
        "scenes for each person": study.settings.scenes_each,
        "scenes came from": f"`{markdown_cell(origin.source)}`",
        "pictures": f"{origin.images}, drawn by {origin.drawing}",
        "wording": origin.wording,
        "seed of who got which scenes": study.settings.seed,
        "hash of questions, texts and scenes": study.fixed,
        "made by": f"{origin.made_by}, exported by Paseo {paseo_version()}",
    }
    return "\n" + "\n".join(f"- {name}: {value}" for name, value in facts.items()) + "\n"


def people_part(study: Study, census: Census) -> str:
    """Who took part."""
    lines = [
        "## Who took part",
        "",
        f"Open to {CAME[study.settings.way]}. {census.began} agreed to take part and began; "
        f"{census.done} are done, {census.screened} did not pass the comprehension check, "
        f"{census.withdrew} withdrew and had all their answers deleted.",
    ]
    if census.minutes:
        lines.append(f"Who is done took {median(census.minutes):.0f} minutes (median).")
    return "\n".join(lines) + "\n"


def _screening(study: Study, census: Census) -> str:
    rules = study.settings.screening
    limits = {
        Rule.CHECKS: f"answered {rules.checks_failed} or more attention checks otherwise",
        Rule.SPEED: f"took less than {rules.seconds_per_question:g} s per question on half of "
        "their pages",
        Rule.POSITION: "chose at one place of the list more often than the others, by more than "
        f"{rules.same_position:g} of the way from these to always",
        Rule.AGREEMENT: "agreed with the others, beyond chance and leaving themselves out, less "
        f"than {rules.agreement:g} times as much as everybody",
        Rule.TWICE: f"gave more than {rules.alike:.0%} of the same answers as somebody before",
    }
    rows = [f"- {limit}: {census.found.get(rule, 0)}" for rule, limit in limits.items()]
    kept = (
        f"They were kept on purpose all the same, but for the {census.failed} who failed both "
        "attention checks."
        if census.everybody
        else "They are in no label."
    )
    return (
        f"## What was left out\n\nOf {census.judged} people who have answered something, "
        f"{census.found_out} were screened out, some by several rules. {kept}\n\n"
        + "\n".join(rows)
        + f"\n\nOf those who are kept, {census.one_check} failed one attention check. "
        "`screening.csv` has everybody's\nnumbers. A scene counts for a person only when all of "
        "its questions are answered.\n"
    )


def traits_part(study: Study, census: Census) -> str:
    """What people told of themselves, in groups."""
    lines = ["## What people told of themselves", ""]
    lines.append(f"Of the {census.kept} who are done and kept, in groups of {FEWEST} or more.\n")
    for trait in study.texts.ending.traits:
        found = grouped(census.traits.get(trait.key, ()), census.kept)
        groups = ", ".join(f"{markdown_cell(name)} {count}" for name, count in found.items())
        lines.append(f"- {markdown_cell(trait.question)} {groups or 'too few to tell'}")
    return "\n".join(lines) + "\n"


def _files(lacking: bool) -> str:
    note = " Scenes that nobody has finished have none." if lacking else ""
    return f"""## What is in it

- `human_labels/<scene>/common_answers.json`: how many people said what, as SocialNav-SUB has it.
- `human_labels/<scene>/raw_answers.json`: answers by person. Names were drawn by lot.{note}
- `answers.csv`: every last answer, also to attention checks and in scenes that were not finished.
  `on_page_s` is how long the page had been seen, by the browser's own account; `time_s` counts from
  when the person began, by the server's clock; `changes` is how often the answer was changed.
- `screening.csv`: everybody with what each rule found, from how much, and whether they were kept.

`paseo score` takes this folder as labels, to hold models against these people.
"""
