"""How much more a study takes: people, time and money, if all goes on as it did so far."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paseo.survey.assigning import is_abandoned
from paseo.survey.status.waiting import Between, chance_of_lull, pace_of, share_of, waiting_time
from paseo.survey.store.content import StudyContent
from paseo.survey.store.people import Person, SceneCount, Stage
from paseo.survey.study.folder import Study
from paseo.survey.study.settings import StudySettings

HOUR = 3600.0  # seconds
FEWEST_DONE = 2  # people, for a pace


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast people are done, from the first of them on."""

    since_s: float  # when the first was, in seconds since 1970
    people: int  # who were done after that
    per_hour: Between
    lull_h: float  # since the last
    lull_chance: float  # of so long a one, or longer, at a steady pace


@dataclass(frozen=True, slots=True, kw_only=True)
class End:
    """When all places will be filled, in seconds since 1970, with a 95 % interval."""

    expected_s: float
    soonest_s: float
    latest_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What people are paid, with what the platform takes."""

    currency: str
    per_person: float
    so_far: float  # for those who are done
    in_all: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What is left to be done, and what that takes."""

    places: int  # that the study is to have
    places_left: int  # of them, that nobody has filled
    places_each: float  # that one person fills
    people_left: int  # who must still be done
    median_min: float | None  # that one person takes; None: nobody is done
    finishing: Between | None  # the share of those no longer under way who are done
    pace: Pace | None  # None: too few are done
    end: End | None
    cost: Cost | None  # None: the settings do not tell what people are paid


def outlook(
    study: Study, content: StudyContent, counts: Mapping[str, SceneCount], *, now: float
) -> Outlook:
    """What a study takes beyond what it has at a time in seconds since 1970."""
    wanted, settings = study.settings.per_scene, study.settings
    missing = sum(max(wanted - each.done, 0) for each in counts.values())
    done = [each for each in content.people if each.stage is Stage.DONE]
    each, under_way = _places(study, content, now)
    left = math.ceil((missing + under_way) / each) if missing else 0
    minutes = _median_min(done)
    ends = sorted(person.ended_s for person in done if person.ended_s is not None)
    return Outlook(
        places=wanted * len(counts),
        places_left=missing,
        places_each=each,
        people_left=left,
        median_min=minutes,
        finishing=_finishing(content.people, settings, now),
        pace=_pace(ends, now),
        end=_end(ends, left, now),
        cost=_cost(settings, len(done), left, minutes),
    )


def _places(study: Study, content: StudyContent, now: float) -> tuple[float, int]:
    """How many places one who is done stands for, and how many those under way have filled.

    What somebody filled who has left counts, too, so that fewer need to be done.
    """
    units, limit = {*study.content.units}, study.settings.place_limit
    settled, under_way, done = 0, 0, 0
    for person in content.people:
        if not person.stage.counts:
            continue
        given = content.places.get(person.number, {}).items()
        filled = sum(at is not None and study.content.unit(place) in units for place, at in given)
        if person.stage is Stage.DONE or is_abandoned(person.seen_s, now=now, limit=limit):
            settled += filled
            done += person.stage is Stage.DONE
        else:
            under_way += filled
    planned = min(study.settings.scenes_each, len(units))
    return (settled / done if done and settled else float(planned)), under_way


def _median_min(done: Sequence[Person]) -> float | None:
    taken = [(each.ended_s - each.arrived_s) / 60 for each in done if each.ended_s is not None]
    return statistics.median(taken) if taken else None


def _finishing(people: Sequence[Person], settings: StudySettings, now: float) -> Between | None:
    gone = [
        each
        for each in people
        if not each.stage.under_way
        or is_abandoned(each.seen_s, now=now, limit=settings.place_limit)
    ]
    return share_of(sum(e.stage is Stage.DONE for e in gone), len(gone)) if gone else None


def _pace(ends: Sequence[float], now: float) -> Pace | None:
    """From the first who was done on: before that nobody could be, however fast they come."""
    if len(ends) < FEWEST_DONE or now <= ends[-1]:
        return None
    during, seen = now - ends[0], len(ends) - 1
    return Pace(
        since_s=ends[0],
        people=seen,
        per_hour=pace_of(seen, during=during / HOUR),
        lull_h=(now - ends[-1]) / HOUR,
        lull_chance=chance_of_lull(now - ends[-1], seen=seen, during=during),
    )


def _end(ends: Sequence[float], left: int, now: float) -> End | None:
    if len(ends) < FEWEST_DONE or now <= ends[-1] or not left:
        return None
    wait = waiting_time(left, seen=len(ends) - 1, during=now - ends[0])
    if wait.value is None or wait.high is None:  # nobody came, which was asked before
        return None
    return End(expected_s=now + wait.value, soonest_s=now + wait.low, latest_s=now + wait.high)


def _cost(settings: StudySettings, done: int, left: int, minutes: float | None) -> Cost | None:
    """By the hour, everybody counts with the median: some leave the page open over night."""
    pay = settings.pay
    taken = (settings.minutes if minutes is None else minutes) / 60
    each = (pay.per_person or pay.per_hour * taken) * (1 + pay.fee_percent / 100)
    if not each:
        return None
    return Cost(
        currency=pay.currency, per_person=each, so_far=each * done, in_all=each * (done + left)
    )
