"""What a status says in sentences."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, tzinfo

from paseo.survey.status.agreement import Agreement, Ranking
from paseo.survey.status.deciding import FEWEST_PEOPLE, Crowd, Decision
from paseo.survey.status.outlook import FEWEST_DONE, Cost, Outlook
from paseo.survey.status.standing import StudyStatus
from paseo.survey.status.waiting import Between
from paseo.survey.store.people import Stage
from paseo.survey.study.settings import WORDS, Kind
from paseo.vqa.scores.uncertainty import FEWEST_SCENES, ScoreDifference

TEN_YEARS = 10 * 365.25 * 86400.0  # seconds; nobody plans beyond
RARE = 0.01  # a lull of this chance is told
MANY = 1000  # people or scenes; more than that is out of reach
FEW = 10  # people per scene, up to which the oracle is flattered


def when(seconds: float, now: float, zone: tzinfo | None = None) -> str:
    """A time as people say it; `zone` None is where this machine is."""
    if not seconds - now < TEN_YEARS:
        return "a day more than ten years away"
    return datetime.fromtimestamp(seconds, zone).strftime("%a %d %b %Y %H:%M")


def progress_words(status: StudyStatus) -> Iterator[str]:
    """How far a study is."""
    unit, left = WORDS[status.kind][1], status.outlook.places_left
    under_way = sum(each.under_way for each in status.scenes.values())
    told = f"{status.full} of {len(status.scenes)} {unit}s have their {_people(status.per_scene)}"
    if left:
        told += f"; {left} of {status.outlook.places} places are left, {under_way} are being filled"
    yield told
    stages: Counter[str] = Counter({Stage.DONE.value: status.people[Stage.DONE]})
    for stage, count in status.people.items():
        stages["under way" if stage.under_way else stage.value] += count * (stage != Stage.DONE)
    told = ", ".join(f"{count} {stage}" for stage, count in stages.items() if count)
    yield f"people: {told or 'nobody yet'}"
    if status.left:
        yield f"{status.left} of those under way gave no sign for long; their places are free"
    checks = status.checks
    if checks.people:
        yield (
            f"attention checks: of {checks.people} at the end, {checks.one} failed one and "
            f"{checks.both} both"
        )
    if status.screened_out:
        by = ", ".join(f"{count} {rule.value}" for rule, count in status.screened_by.items())
        scores = ", but are in no score below" if status.kind is Kind.SCENES else ""
        yield (
            f"screened out: {_people(status.screened_out)}, by: {by}; they have filled places"
            f"{scores}"
        )


def outlook_words(status: StudyStatus, zone: tzinfo | None = None) -> Iterator[str]:
    """What a study still takes."""
    ahead = status.outlook
    if ahead.median_min is not None:
        told = f"one person takes {ahead.median_min:.0f} min (median)"
        if ahead.finishing is not None and ahead.finishing.value is not None:
            told += f"; of those no longer under way {_percent(ahead.finishing)} are done"
        yield told
    if not ahead.people_left:
        yield "all places are filled"
    else:
        each = f"{ahead.places_each:.3g} places each"
        yield f"{_people(ahead.people_left)} must still be done, {each}"
        yield from _pace_words(ahead, status.now_s, zone)
    if ahead.cost is not None:
        yield _cost_words(ahead.cost)


def _pace_words(ahead: Outlook, now: float, zone: tzinfo | None) -> Iterator[str]:
    pace, end = ahead.pace, ahead.end
    if pace is None or end is None:
        yield f"when that will be cannot be told before {FEWEST_DONE} people are done"
        return
    rate = pace.per_hour
    expected, soonest, latest = (
        when(each, now, zone) for each in (end.expected_s, end.soonest_s, end.latest_s)
    )
    yield (
        f"{_rate(rate.value)} people per hour are done, counted from the first on "
        f"({_rate(rate.low)} to {_rate(rate.high)})"
    )
    yield f"at this pace done on {expected} (between {soonest} and {latest}, if it stays steady)"
    if pace.lull_chance < RARE:
        yield (
            f"careful: nobody was done for {pace.lull_h:.1f} h, at this pace a chance of "
            f"{pace.lull_chance:.2g}: do people still come?"
        )


def _cost_words(cost: Cost) -> str:
    def money(amount: float) -> str:
        return f"{amount:.2f} {cost.currency}".rstrip()

    return (
        f"cost: {money(cost.per_person)} for each who is done, fees included; {money(cost.so_far)} "
        f"so far, {money(cost.in_all)} in all"
    )


def agreement_words(found: Agreement) -> Iterator[str]:
    """What the scores rest on."""
    range_of = (
        f"{found.fewest}" if found.fewest == found.most else f"{found.fewest} to {found.most}"
    )
    yield (
        f"agreement of {_people(found.people)} so far, {found.scenes} scenes, {found.questions} "
        f"questions, {range_of} people per scene; [95 % by scenes]"
    )


def agreement_notes(found: Agreement) -> Iterator[str]:
    """What a reader of the scores should know."""
    if found.scenes < FEWEST_SCENES:
        yield f"no intervals with fewer than {FEWEST_SCENES} scenes: too few to tell"
    if found.most < 2:
        yield "nobody can be held against the others yet: scenes have one person each"
    elif found.fewest < FEW:
        yield "the oracle knows the votes it is held against: with few people it is flattered"


def ranking_words(found: Ranking) -> Iterator[str]:
    """Which of two models is ahead, and whether more people would change that."""
    paired = found.paired.score
    yield f"{found.first} minus {found.second}: {_difference(found.paired)}"
    if paired.mean is None:
        yield "nobody has finished a scene yet about which both were asked"
    elif found.apart == 0:
        yield f"both gave the same answers to all {found.questions} questions: nothing to decide"
    elif found.decision is None:
        yield (
            f"too few to tell more: it takes {FEWEST_SCENES} scenes with two people each, and "
            f"{FEWEST_PEOPLE} people"
        )
    else:
        yield from _decision_words(found, found.decision)


def _decision_words(found: Ranking, decision: Decision) -> Iterator[str]:
    shares = [f"{_same(each)} with {_number(each)}" for each in decision.crowds]
    yield f"people per scene, and draws in which the ranking stays: {', '.join(shares)}"
    if decision.lonely:
        yield f"({decision.lonely} scenes with one person are left out of this)"
    yield (
        f"standard error from which people came: {decision.people_se:.3f}; from which scenes there "
        f"are: {decision.scenes_se:.3f}"
    )
    yield _here(found, decision)
    yield _elsewhere(decision)


def _here(found: Ranking, decision: Decision) -> str:
    ahead = found.first if decision.difference > 0 else found.second
    if decision.settled_here:
        return f"on these scenes {ahead} is ahead, and more people would not change it"
    needed = _reachable(decision.people_here)
    if needed is None:
        return "on these scenes they are too close for people to tell apart"
    return (
        "on these scenes more people might change it; if the difference stays as it is, about "
        f"{needed} per scene would settle it"
    )


def _elsewhere(decision: Decision) -> str:
    if decision.settled:
        return "on other scenes like these the ranking would be the same"
    people = _reachable(decision.people_wanted)
    if people is not None:
        return (
            "on other scenes like these it is open; if the difference stays as it is, about "
            f"{people} people per scene would decide it"
        )
    scenes = _reachable(decision.scenes_wanted)
    if scenes is None:
        return "on other scenes like these it is open, and neither more people nor scenes would do"
    return (
        "on other scenes like these it is open, and more people would not decide it: only more "
        f"scenes would, about {scenes} if the difference stays as it is"
    )


def _reachable(number: int | None) -> int | None:
    return number if number is not None and number <= MANY else None


def _difference(paired: ScoreDifference) -> str:
    score = paired.score
    if score.mean is None:
        return "not known"
    told = f"{score.mean:+.3f}"
    if score.low is not None and score.high is not None:
        told += f" [{score.low:+.3f}, {score.high:+.3f}]"
    return told + (f", p = {paired.p:.2g}" if paired.p is not None else "")


def _same(crowd: Crowd) -> str:
    return "over 99 %" if crowd.same > 0.99 else f"{100 * crowd.same:.0f} %"


def _number(crowd: Crowd) -> str:
    return "infinitely many" if crowd.per_scene is None else str(crowd.per_scene)


def _percent(share: Between) -> str:
    low, high = 100 * share.low, 100 * (share.high or 0.0)
    return f"{100 * (share.value or 0.0):.0f} % ({low:.0f} to {high:.0f})"


def _rate(number: float | None) -> str:
    return "?" if number is None else f"{number:.2g}" if number < 10 else f"{number:.0f}"


def _people(number: int) -> str:
    return "1 person" if number == 1 else f"{number} people"
