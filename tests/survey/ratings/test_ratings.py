"""A study of ratings: its files, what people say, and what comes out."""

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from paseo.cli.main import main
from paseo.errors import BadFile, BadValue, InputError
from paseo.survey.export.exporting import export_study
from paseo.survey.export.ratings import export_ratings
from paseo.survey.insight.collected import rated_study
from paseo.survey.insight.rated import Clip
from paseo.survey.status.standing import study_status
from paseo.survey.store.content import pages_of, read_content
from paseo.survey.store.people import Stage
from paseo.survey.study.folder import Study, open_study
from paseo.survey.study.ratings.asking import aspects_called, new_asking
from paseo.survey.study.ratings.steps import ClipStep
from rated_studies import PLANNERS, name_of, rate, shown_clips, tiny_ratings
from studies import Hand, opened_visits

GOOD = {"careful": 7, "hasty": 3, "lost": 1}


def taste(study: Study) -> Any:
    """Somebody who likes some planners better than others, whatever is asked."""

    def answer(step: ClipStep, key: str) -> str:
        liked = [GOOD[study.about_clips.clips[clip].planner] for clip in step.clips]
        if not step.is_pair:
            return str(liked[0])
        return "first" if liked[0] > liked[1] else "second"

    return answer


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return tiny_ratings(tmp_path / "study", scenes_each=3)


@pytest.fixture
def rated(study: Study) -> Iterator[Study]:
    """Five people have said all they were asked, and a sixth some of it."""
    with opened_visits(study, Hand()) as visits:
        for number in range(5):
            assert rate(visits, number, taste(study)).stage is Stage.DONE
        rate(visits, 5, taste(study), places=1)
    yield study


def test_what_people_said_comes_back_as_they_said_it(rated: Study) -> None:
    found = rated_study(rated, read_content(rated))
    assert found.aspects == ("comfort", "politeness")
    assert found.points == 7
    assert len({each.rater for each in found.ratings}) == 6
    assert all(each.value == GOOD[each.clip.planner] for each in found.ratings)
    for each in found.preferences:
        assert each.chosen == max(each.planners, key=lambda planner: GOOD[planner])
    # Of each of five people three clips and one again; of the sixth the first.
    assert sum(not each.again for each in found.ratings) == 2 * (5 * 3 + 1)
    assert sum(each.again for each in found.ratings) == 2 * 5
    assert len(found.preferences) == 2 * (5 * 3 + 1)


def test_what_was_measured_is_there_for_every_clip(rated: Study) -> None:
    measured = rated_study(rated, read_content(rated)).measured
    assert len(measured) == 6
    assert measured[Clip("episode 1", "hasty")]["speed"] == 1.5
    assert math.isnan(measured[Clip("episode 1", "hasty")]["time_to_collision"])


def test_who_failed_both_checks_does_not_count_but_is_exported(
    study: Study, tmp_path: Path
) -> None:
    with opened_visits(study, Hand()) as visits:
        assert rate(visits, 0, taste(study), attentive=False).stage is Stage.FAILED
        rate(visits, 1, taste(study))
    found = rated_study(study, read_content(study))
    assert len({each.rater for each in found.ratings}) == 1
    done = export_ratings(study.folder, tmp_path / "out")
    assert (done.people, done.screened) == (1, 1)
    with (tmp_path / "out" / "ratings.csv").open() as file:
        rows = {(row["stage"], row["counts"]) for row in csv.DictReader(file)}
    assert rows == {("done", "yes"), ("failed", "no")}


def test_pages_are_the_same_when_they_are_read_from_the_store(rated: Study) -> None:
    content = read_content(rated)
    with opened_visits(rated, Hand()) as visits:
        for person in content.people:
            shown = [step for steps in visits.steps(person) for step in steps]
            assert pages_of(rated, content, person) == shown
            assert any("again" in step.scene for step in shown)


def test_places_fill_and_what_is_shown_again_counts_for_nothing(rated: Study) -> None:
    status = study_status(rated.folder, now=1000.0)
    assert sum(each.taken for each in status.scenes.values()) == 6 * 3


def test_the_export_names_planners_and_holds_all_that_was_said(
    rated: Study, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    done = export_ratings(rated.folder, out, with_ids=True)
    assert (done.people, done.ratings, done.choices) == (6, 42, 32)
    with (out / "ratings.csv").open() as file:
        ratings = list(csv.DictReader(file))
    assert len(ratings) == 42
    assert all(int(row["value"]) == GOOD[row["planner"]] for row in ratings)
    assert {row["on_page_s"] for row in ratings} == {"12.0"}
    assert Counter(row["again"] for row in ratings) == {"no": 32, "yes": 10}
    with (out / "pairs.csv").open() as file:
        for row in csv.DictReader(file):
            assert row["chosen"] == max((row["first"], row["second"]), key=lambda name: GOOD[name])
    with (out / "clips.csv").open() as file:
        clips = list(csv.DictReader(file))
    assert [row["time_to_collision"] for row in clips] == [""] * 6
    assert {row["planner"] for row in clips} == set(PLANNERS)
    card = (out / "README.md").read_text()
    assert "6 of 2 episodes" in card
    assert "careful, hasty, lost" in card
    assert (out / "private" / "remarks.csv").exists()


def test_the_command_exports_ratings(
    rated: Study, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["survey", "export", str(rated.folder), "--out", str(tmp_path / "out")]
    assert main(words) == 0
    assert "6 people: 42 ratings of" in capsys.readouterr().err


def test_nothing_is_exported_before_anybody_has_finished(study: Study, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nobody has finished a clip"):
        export_ratings(study.folder, tmp_path / "out")
    with pytest.raises(InputError, match="is a study of ratings"):
        export_study(study.folder, tmp_path / "out")


def test_a_choice_that_was_none_is_noticed(rated: Study) -> None:
    with opened_visits(rated, Hand()) as visits, visits.db.writing():
        visits.db.change(
            "UPDATE answers SET answer = '[\"8\"]' WHERE question = ?", ("rate_comfort",)
        )
    with pytest.raises(BadFile, match="none of its choices"):
        rated_study(rated, read_content(rated))


def test_a_film_that_was_changed_after_the_first_answer_is_noticed(rated: Study) -> None:
    with opened_visits(rated, Hand()) as visits:
        visits.people.check_fixed(rated.fixed)
        (rated.folder / "clips" / f"{rated.content.units[0]}.mp4").write_bytes(b"another film")
        with pytest.raises(InputError, match="was changed"):
            visits.people.check_fixed(open_study(rated.folder).fixed)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"clips": []}, "clips"),
        ({"speed": 0}, "speed"),
        ({"clips": shown_clips(1, ["a"])["clips"] * 2}, "is there twice"),
        ({"clips": shown_clips(2, ["a"])["clips"]}, "there is but one"),
        ({"format": "other"}, "format"),
    ],
)
def test_clips_that_cannot_be_shown_are_named(
    study: Study, changes: dict[str, Any], fault: str
) -> None:
    (study.folder / "clips.json").write_text(json.dumps(shown_clips(1, "ab", **changes)))
    with pytest.raises(BadFile, match=fault):
        open_study(study.folder)


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"points": 1}, "expected 2 to 11"),
        ({"points": 0, "pairs": "none"}, "nothing is asked"),
        ({"again": 2.0}, "again"),
        ({"aspects": []}, "aspects"),
        ({"pairs": "both"}, "pairs"),
        ({"context": "x" * 501}, "context"),
    ],
)
def test_what_cannot_be_asked_is_refused(changes: dict[str, Any], fault: str) -> None:
    with pytest.raises(BadValue, match=fault):
        new_asking(**{"aspects": aspects_called(["comfort"]), **changes})


def test_aspects_of_ones_own_are_asked(study: Study) -> None:
    file = study.folder / "ratings.toml"
    words = '\n[[aspects]]\nkey = "trust"\nquestion = "q"\npair = "p"\nlow = "l"\nhigh = "h"\n'
    file.write_text(file.read_text() + words)
    asking = open_study(study.folder).about_clips.asking
    assert [each.key for each in asking.aspects] == ["comfort", "politeness", "trust"]


def test_the_names_of_clips_do_not_tell_who_drives(study: Study) -> None:
    assert study.content.units == tuple(
        name_of(f"episode {k}", planner) for k in range(2) for planner in PLANNERS
    )
    media = study.content.media(f"/clips/{study.content.units[0]}.mp4")
    assert media is not None and media.type == "video/mp4"
    for path in ("/clips/../study.toml", "/clips/0000000000000000.mp4", "/clips.json"):
        assert study.content.media(path) is None


def test_two_hundred_people_who_arrive_at_once_fill_every_clip_exactly(tmp_path: Path) -> None:
    study = tiny_ratings(tmp_path / "study", episodes=10, planners="abcd", scenes_each=8)
    with opened_visits(study, Hand()) as visits, ThreadPoolExecutor(20) as rooms:

        def come(number: int) -> bool:
            session, now = f"session {number}", visits.clock()
            return visits.people.admit(session, None, now=now, assign=visits._assigned) is not None

        assert sum(rooms.map(come, range(200))) == 25
    status = study_status(study.folder, now=1000.0)
    assert {each.taken for each in status.scenes.values()} == {5}
