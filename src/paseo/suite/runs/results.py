"""What a run found out: one line per finished episode, and their sums."""

import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from statistics import fmean
from typing import TypeVar

from paseo.metrics.record.contacts.causes import contact_causes
from paseo.suite.runs.jobs import VARIANT, Job, dialled_words, job_key
from paseo.text import write_csv
from paseo.world.records import Cause, Outcome, Record, Verdict

N = TypeVar("N", int, float)
# Planner, control mode, reactivity, latency and sensing: what results are summed up by.
Group = tuple[str, str, float | None, float | None, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One finished episode."""

    episode: str  # of the reference, its variant: t_eth_against@human-17
    planner: str
    control: str
    seed: int
    rule: str
    verdict: Verdict
    outcome: Outcome
    reason: str
    person_contacts: int
    time_s: float
    record: str  # file name below records/
    sha256: str
    reactivity: float | None = None  # of people, where it was chosen
    # None in a result of a Paseo that did not tell contacts apart.
    caused_contacts: int | None = None  # by the robot
    shared_contacts: int | None = None
    walked_into_contacts: int | None = None  # by a person, the robot standing or giving way
    time_limit_s: float | None = None
    latency_s: float | None = None  # charged for each plan(), where it was declared
    sensing: str | None = None  # what the robot was given of people, where it saw for itself

    @property
    def key(self) -> str:
        """The key of the job it belongs to."""
        dialled = dialled_words(self.reactivity, self.latency_s, self.sensing)
        return job_key(self.entry, self.planner, self.seed, dialled)

    @property
    def group(self) -> Group:
        """Which other results it is summed up with."""
        return self.planner, self.control, self.reactivity, self.latency_s, self.sensing

    @property
    def entry(self) -> str:
        """The episode of the suite that it is of, or a variant of."""
        return self.episode.partition(VARIANT)[0]

    @property
    def time_to_goal_s(self) -> float | None:
        """Seconds to the goal; who never arrives counts with the whole time limit."""
        return self.time_s if self.outcome is Outcome.REACHED_GOAL else self.time_limit_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All episodes of one planner, run in one way; the verdicts add up to `episodes`.

    The causes add up to `person_contacts`, where each was told.
    """

    planner: str
    control: str
    reactivity: float | None
    latency_s: float | None
    sensing: str | None
    episodes: int
    success: int
    timeout: int
    person_collision: int
    wall_collision: int
    planner_failed: int
    person_contacts: int
    caused_contacts: int | None
    shared_contacts: int | None
    walked_into_contacts: int | None
    success_time_s: float | None  # mean over successes; None: there are none
    time_to_goal_s: float | None  # restricted mean, over all episodes


def result_of(job: Job, record: Record, content: bytes) -> Result:
    """The line for a record whose file holds `content`."""
    causes = Counter(each.cause for each in contact_causes(record))
    return Result(
        episode=record.scenario.name,
        planner=job.planner.label,
        control=record.provenance.control.value,
        seed=job.seed,
        rule=record.scenario.rule,
        verdict=record.verdict,
        outcome=record.outcome,
        reason=record.reason,
        person_contacts=record.touches,
        time_s=round(float(record.times[-1]), 6),
        record=job.record,
        sha256=hashlib.sha256(content).hexdigest(),
        reactivity=job.reactivity,
        caused_contacts=causes[Cause.CAUSED],
        shared_contacts=causes[Cause.SHARED],
        walked_into_contacts=causes[Cause.WALKED_INTO],
        time_limit_s=record.scenario.time_limit,
        latency_s=job.latency_s,
        sensing=job.sensing,
    )


def summaries(results: Sequence[Result]) -> list[Summary]:
    """One for each planner and way in which it was run, in order of appearance."""
    groups: dict[Group, list[Result]] = {}
    for row in results:
        groups.setdefault(row.group, []).append(row)
    return [_summary(rows) for rows in groups.values()]


def _summary(rows: list[Result]) -> Summary:
    verdicts = [row.verdict for row in rows]
    successes = [row.time_s for row in rows if row.verdict is Verdict.SUCCESS]
    to_goal = _total(row.time_to_goal_s for row in rows)
    return Summary(
        planner=rows[0].planner,
        control=rows[0].control,
        reactivity=rows[0].reactivity,
        latency_s=rows[0].latency_s,
        sensing=rows[0].sensing,
        episodes=len(rows),
        success=verdicts.count(Verdict.SUCCESS),
        timeout=verdicts.count(Verdict.TIMEOUT),
        person_collision=verdicts.count(Verdict.PERSON_COLLISION),
        wall_collision=verdicts.count(Verdict.WALL_COLLISION),
        planner_failed=verdicts.count(Verdict.PLANNER_FAILED),
        person_contacts=sum(row.person_contacts for row in rows),
        caused_contacts=_total(row.caused_contacts for row in rows),
        shared_contacts=_total(row.shared_contacts for row in rows),
        walked_into_contacts=_total(row.walked_into_contacts for row in rows),
        success_time_s=fmean(successes) if successes else None,
        time_to_goal_s=None if to_goal is None else to_goal / len(rows),
    )


def _total(values: Iterable[N | None]) -> N | None:
    """The sum; None where one of them is not known."""
    total: N = 0
    for each in values:
        if each is None:
            return None
        total += each
    return total


def results_csv(results: Iterable[Result]) -> str:
    """The results as CSV with a header line."""
    text = io.StringIO()
    header = [field.name for field in fields(Result)]
    write_csv(text, [header, *(asdict(result).values() for result in results)])
    return text.getvalue()
