"""How studies stand: simulated people in the store, from nobody to all."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import numpy as np
import pytest

from paseo.errors import BadFile, InputError, MissingData
from paseo.survey.export.exporting import export_study
from paseo.survey.status.standing import StudyStatus, status_of, study_status
from paseo.survey.status.words import (
    agreement_notes,
    agreement_words,
    outlook_words,
    progress_words,
    ranking_words,
)
from paseo.survey.store.people import Stage
from paseo.survey.study.folder import Study, open_study
from paseo.survey.study.settings import SETTINGS, Pay
from paseo.vqa.scores.baselines import ORACLE, PERSON
from paseo.vqa.scoring import score
from polled import Poll, answer_folder, first_option, leaning, second_option
from rated_studies import PLANNERS, rate, tiny_ratings
from shown_exams import put
from studies import Hand, opened_visits, tiny_study

NOW = 1_800_000_000.0
HOUR = 3600.0
SCENES = {f"s{number}": (1,) for number in range(8)}


@pytest.fixture
def study(tmp_path: Path) -> Study:
    pay = Pay(per_person=3.0, currency="EUR", fee_percent=50.0)
    return tiny_study(tmp_path / "study", SCENES, per_scene=6, scenes_each=4, pay=pay)


def polled(study: Study, people: int, share: float = 0.7) -> Poll:
    """A study to which somebody comes every hour, and takes 20 minutes."""
    poll, rng = Poll(study), np.random.default_rng(0)
    for number in range(people):
        at = NOW - (people - number) * HOUR
        poll.add(leaning(rng, share), at=at)
    return poll


def words(found: StudyStatus) -> str:
    lines = [*progress_words(found), *outlook_words(found, UTC)]
    if found.agreement:
        lines += [*agreement_words(found.agreement), *agreement_notes(found.agreement)]
    if found.ranking:
        lines += ranking_words(found.ranking)
    return "\n".join(lines)


def test_a_study_to_which_nobody_came_says_what_it_takes(study: Study) -> None:
    found = study_status(study.folder, now=NOW)
    assert (found.agreement, found.ranking, found.outlook.pace, found.outlook.end) == (None,) * 4
    assert (found.outlook.places_left, found.outlook.people_left) == (48, 12)
    assert found.outlook.cost is not None
    assert (found.outlook.cost.so_far, found.outlook.cost.in_all) == (0.0, 12 * 4.5)
    told = words(found)
    assert "people: nobody yet" in told
    assert "cannot be told before 2 people are done" in told


def test_one_person_agrees_with_nobody_yet(study: Study) -> None:
    polled(study, 1)
    found = study_status(study.folder, now=NOW)
    assert found.agreement is not None
    assert found.agreement.rows[ORACLE]["all"].mean == 1.0
    assert found.agreement.rows[PERSON]["all"].mean is None
    assert "scenes have one person each" in words(found)
    assert found.outlook.median_min == pytest.approx(20.0)
    assert found.outlook.end is None


def test_scores_so_far_are_those_of_the_exported_labels(study: Study, tmp_path: Path) -> None:
    polled(study, 7)
    export_study(study.folder, tmp_path / "labels")
    exam = answer_folder(tmp_path / "gpt", SCENES, first_option)
    found = study_status(study.folder, now=NOW, exams=[exam], seed=3)
    card = score([exam], labels=tmp_path / "labels")
    assert found.agreement is not None
    for each in card.rows:
        mine = found.agreement.rows[each.row.name]
        for category, known in each.scores["category"].items():
            assert mine[category].mean == pytest.approx(known.mean)
            assert mine[category].clustered_se == pytest.approx(known.clustered_se)
            assert mine[category].questions == known.questions
    assert (found.agreement.people, found.agreement.scenes) == (7, 8)
    assert (found.agreement.fewest, found.agreement.most) == (3, 4)


def test_who_withdraws_fails_or_is_screened_out_is_in_no_number_but_the_counts(
    study: Study,
) -> None:
    poll = polled(study, 6)
    before = study_status(study.folder, now=NOW)
    for stage in (Stage.WITHDRAWN, Stage.FAILED, Stage.SCREENED):
        poll.add(second_option, at=NOW - HOUR, stage=stage)
    after = study_status(study.folder, now=NOW)
    assert after.agreement == before.agreement
    assert after.scenes == before.scenes
    assert after.outlook.pace == before.outlook.pace
    assert after.outlook.finishing is not None
    assert after.outlook.finishing.value == pytest.approx(6 / 9)
    assert {stage.value for stage, count in after.people.items() if count} == {
        "done", "failed", "screened", "withdrawn"
    }  # fmt: skip


def test_the_end_and_the_cost_follow_from_the_pace(study: Study) -> None:
    polled(study, 6)  # one an hour, the last done 40 minutes ago
    found = study_status(study.folder, now=NOW).outlook
    assert (found.places, found.places_left, found.people_left) == (48, 24, 6)
    assert found.pace is not None and found.end is not None and found.cost is not None
    assert (found.pace.people, found.pace.per_hour.value) == (5, pytest.approx(5 / (5 + 2 / 3)))
    assert found.end.expected_s == pytest.approx(NOW + 6 / 5 * (5 + 2 / 3) * HOUR)
    assert NOW < found.end.soonest_s < found.end.expected_s < found.end.latest_s
    assert (found.cost.per_person, found.cost.so_far, found.cost.in_all) == (4.5, 27.0, 54.0)
    told = "\n".join(outlook_words(study_status(study.folder, now=NOW), UTC))
    day = datetime.fromtimestamp(found.end.expected_s, UTC).strftime("%a %d %b %Y %H:%M")
    assert f"at this pace done on {day} (between" in told
    assert "27.00 EUR so far, 54.00 EUR in all" in told


def test_places_that_somebody_fills_who_is_under_way_or_left_are_counted_once(
    study: Study,
) -> None:
    poll = polled(study, 3)
    poll.add(at=NOW - 600, minutes=5, scenes=3, stage=Stage.SCENES)  # must still be done
    found = study_status(study.folder, now=NOW).outlook
    assert (found.places_left, found.people_left) == (48 - 15, 9)
    later = study_status(study.folder, now=NOW + 1e6).outlook  # left, and their three count
    assert later.places_each == pytest.approx(15 / 3)
    assert later.people_left == 7


def test_a_study_that_is_full_says_so(study: Study) -> None:
    polled(study, 12)
    found = study_status(study.folder, now=NOW)
    assert (found.full, found.outlook.people_left, found.outlook.end) == (8, 0, None)
    assert "all places are filled" in words(found)


def test_a_lull_that_does_not_fit_the_pace_is_told(study: Study) -> None:
    polled(study, 6)
    assert "do people still come" not in words(study_status(study.folder, now=NOW))
    assert "do people still come?" in words(study_status(study.folder, now=NOW + 48 * HOUR))


def test_pay_by_the_hour_is_for_the_median_time(study: Study) -> None:
    polled(study, 2)
    by_hour = Pay(per_hour=12.0, currency="USD")
    changed = replace_settings(study, pay=by_hour)
    cost = status_of(changed, now=NOW).outlook.cost
    assert cost is not None and cost.per_person == pytest.approx(4.0)
    assert status_of(replace_settings(study, pay=Pay()), now=NOW).outlook.cost is None


def test_pay_by_person_and_by_the_hour_is_refused(study: Study) -> None:
    file = study.folder / SETTINGS
    file.write_text(file.read_text().replace("per_hour = 0.0", "per_hour = 9"))
    with pytest.raises(BadFile, match=r"study\.toml: pay: has per_person and per_hour"):
        open_study(study.folder)


def replace_settings(study: Study, **changes: object) -> Study:
    return replace(study, settings=msgspec.structs.replace(study.settings, **changes))


def test_two_models_far_apart_are_decided_and_the_words_say_so(
    study: Study, tmp_path: Path
) -> None:
    polled(study, 10)
    good = answer_folder(tmp_path / "good", SCENES, first_option)
    bad = answer_folder(tmp_path / "bad", SCENES, second_option)
    found = study_status(study.folder, now=NOW, exams=[good, bad])
    assert found.ranking is not None and found.ranking.decision is not None
    assert (found.ranking.first, found.ranking.second) == ("good", "bad")
    mean = found.ranking.paired.score.mean
    assert mean is not None and mean > 0.3
    assert found.ranking.decision.difference == pytest.approx(mean)
    told = words(found)
    assert "on these scenes good is ahead, and more people would not change it" in told
    assert "on other scenes like these the ranking would be the same" in told
    turned = study_status(study.folder, now=NOW, exams=[bad, good]).ranking
    assert turned is not None and turned.paired.score.mean == pytest.approx(-mean)
    assert "on these scenes good is ahead" in "\n".join(ranking_words(turned))


def test_models_that_people_like_alike_stay_open(study: Study, tmp_path: Path) -> None:
    polled(study, 10, share=0.5)
    exams = [
        answer_folder(tmp_path / "one", SCENES, first_option),
        answer_folder(tmp_path / "two", SCENES, second_option),
    ]
    found = study_status(study.folder, now=NOW, exams=exams)
    assert found.ranking is not None and found.ranking.decision is not None
    assert not found.ranking.decision.settled
    assert "it is open" in words(found)


def test_a_model_held_against_itself_has_nothing_to_decide(study: Study, tmp_path: Path) -> None:
    polled(study, 6)
    exam = answer_folder(tmp_path / "gpt", SCENES, leaning(np.random.default_rng(2)))
    found = study_status(study.folder, now=NOW, exams=[exam, exam])
    assert "both gave the same answers" in words(found)


def test_the_same_votes_and_seed_give_the_same_status(study: Study, tmp_path: Path) -> None:
    polled(study, 6)
    rng = np.random.default_rng(2)
    exams = [answer_folder(tmp_path / name, SCENES, leaning(rng)) for name in ("a", "b")]
    once, again = (study_status(study.folder, now=NOW, exams=exams, seed=4) for _ in range(2))
    assert once == again


def test_exams_whose_scenes_nobody_finished_yet_are_no_fault(tmp_path: Path) -> None:
    study = tiny_study(tmp_path / "study", SCENES, scenes_each=1)
    poll = Poll(study)
    poll.add(at=NOW - HOUR)
    (done,) = [id for id, each in study_status(study.folder, now=NOW).scenes.items() if each.done]
    rest = {id: people for id, people in SCENES.items() if id != done}
    exams = [answer_folder(tmp_path / name, rest, first_option) for name in ("a", "b")]
    found = study_status(study.folder, now=NOW, exams=exams)
    assert "nobody has finished a scene yet about which both were asked" in words(found)


def test_exams_about_other_scenes_or_people_are_refused(study: Study, tmp_path: Path) -> None:
    polled(study, 2)
    other = answer_folder(tmp_path / "other", {"elsewhere": (1,)}, first_option)
    with pytest.raises(InputError, match="is about none of the scenes of"):
        study_status(study.folder, now=NOW, exams=[other])
    asked = put(tmp_path / "put")  # a real exam about yard-1 to yard-3, two people in each
    people = tiny_study(tmp_path / "yards", {"yard-1": (1, 2, 3)})
    with pytest.raises(InputError, match="was asked about another scene yard-1"):
        study_status(people.folder, now=NOW, exams=[asked])
    with pytest.raises(InputError, match="3 exams are named, expected at most 2"):
        study_status(study.folder, now=NOW, exams=[other] * 3)


def test_a_real_exam_is_held_against_the_votes(tmp_path: Path) -> None:
    exam = put(tmp_path / "put")
    scenes = {f"yard-{number}": (1, 2) for number in (1, 2, 3)}
    study = tiny_study(tmp_path / "study", scenes, scenes_each=3)
    polled(study, 5)
    found = study_status(study.folder, now=NOW, exams=[exam])
    assert found.agreement is not None
    assert found.agreement.rows["test/answering"]["all"].low is not None
    assert found.ranking is None


def test_a_damaged_or_missing_exam_is_named(study: Study, tmp_path: Path) -> None:
    broken = put(tmp_path / "put")
    (broken / "exam.json").write_text("{")
    with pytest.raises(BadFile, match=r"exam\.json"):
        study_status(study.folder, now=NOW, exams=[broken])
    with pytest.raises(MissingData, match="is no folder"):
        study_status(study.folder, now=NOW, exams=[tmp_path / "nowhere"])


def test_a_study_of_ratings_has_counts_and_an_outlook_and_no_scores(tmp_path: Path) -> None:
    clips = tiny_ratings(tmp_path / "study", episodes=1, scenes_each=2, per_scene=3)
    clock = Hand(NOW - HOUR)
    with opened_visits(clips, clock) as visits:
        for number in range(3):
            rate(visits, number, lambda step, key: step.choices[0])
            clock.now += 60.0
    found = status_of(clips, now=NOW)
    assert sorted(each.done for each in found.scenes.values()) == [2, 2, 2]
    assert {(each.episode, each.planner) for each in found.clips.values()} == {
        ("episode 0", planner) for planner in PLANNERS
    }
    assert (found.agreement, found.ranking) == (None, None)
    assert (found.outlook.places_left, found.outlook.people_left) == (3, 2)
    assert "0 of 3 clips have their 3 people" in words(found)
    exam = answer_folder(tmp_path / "gpt", SCENES, first_option)
    with pytest.raises(InputError, match="is a study of ratings"):
        status_of(clips, now=NOW, exams=[exam])


def test_who_is_screened_out_is_in_no_score_and_is_told(study: Study, tmp_path: Path) -> None:
    poll = polled(study, 6)
    before = study_status(study.folder, now=NOW)
    poll.add(second_option, at=NOW - HOUR, minutes=0.5)  # in a hurry
    found = study_status(study.folder, now=NOW)
    assert (before.screened_out, found.screened_out) == (0, 1)
    assert found.agreement == before.agreement
    assert sum(each.done for each in found.scenes.values()) == 4 * 7
    assert "screened out: 1 person, by: 1 speed" in words(found)
    export_study(study.folder, tmp_path / "labels")
    assert found.agreement is not None
    oracle = score([], labels=tmp_path / "labels").rows[0]
    assert found.agreement.rows[oracle.row.name]["all"].mean == pytest.approx(
        oracle.scores["category"]["all"].mean
    )


def test_the_checks_are_counted_of_those_who_came_to_the_end(study: Study) -> None:
    polled(study, 3)
    found = study_status(study.folder, now=NOW).checks
    assert (found.people, found.one, found.both) == (3, 0, 0)


def test_a_time_that_no_calendar_has_is_told_in_words(study: Study) -> None:
    polled(study, 2)
    told = "\n".join(outlook_words(study_status(study.folder, now=NOW + 1e9), UTC))
    assert "more than ten years away" in told


def test_the_settings_of_a_study_from_before_have_no_pay(study: Study) -> None:
    file = study.folder / SETTINGS
    text = file.read_text()
    file.write_text(text[: text.index("# What whoever is done gets")])
    assert open_study(study.folder).settings.pay == Pay()
